"""The fields of the schema by key path: their section, when they apply, whether they are secret."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bot.config.schema import Settings
from bot.config.section import Applies
from bot.config.strict_json import KeyPath, format_path


@cache
def list_fields(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """Return a section's fields by the key they have in the file."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


@cache
def list_sections(model: type[BaseModel]) -> Mapping[str, type[BaseModel]]:
    """Return the sections that stand in a section, alone or as the elements of a list, by their keys."""
    found = ((key, section_of(field)) for key, field in list_fields(model).items())
    return {key: section for key, section in found if section is not None}


def section_of(field: FieldInfo) -> type[BaseModel] | None:
    """Return the section a field holds, alone or as the element of a list; ``None`` for a plain value."""
    for kind in (field.annotation, *get_args(field.annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def find_field(path: KeyPath) -> FieldInfo | None:
    """Return the field at a key path, ``None`` where the schema has none."""
    model: type[BaseModel] | None = Settings
    field: FieldInfo | None = None
    for step in path:
        if isinstance(step, int):
            continue
        field = list_fields(model).get(step) if model else None
        if field is None:
            return None
        model = section_of(field)
    return field


def is_secret(field: FieldInfo) -> bool:
    """Whether the field's value may never be shown."""
    return bool(_extra(field, "secret"))


def find_application(field: FieldInfo) -> Applies:
    """Return when a change of the field acts.  Raises ``ValueError`` for a field that does not say so."""
    return Applies(str(_extra(field, "applies")))


def is_group(field: FieldInfo) -> bool:
    """Whether the field is a section of its own; a list of sections is none."""
    return isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)


def list_settings(model: type[BaseModel] = Settings, path: KeyPath = ()) -> Iterator[tuple[KeyPath, FieldInfo]]:
    """Yield every setting that has a value of its own, with its key path; a list counts as one value."""
    for key, field in list_fields(model).items():
        section = section_of(field)
        if section is not None and is_group(field):
            yield from list_settings(section, (*path, key))
        else:
            yield (*path, key), field


def read_value(settings: BaseModel, path: KeyPath) -> object:
    """Return what a setting holds."""
    value: Any = settings  # Any: the schema says what it is
    for step in path:
        names = {field.alias or name: name for name, field in type(value).model_fields.items()}
        value = getattr(value, names[str(step)])
    return value


def list_changed(old: BaseModel, new: BaseModel, when: Applies) -> tuple[str, ...]:
    """Return the keys of the settings that differ, of those that apply in this way."""
    return tuple(
        format_path(path)
        for path, field in list_settings()
        if find_application(field) is when and read_value(old, path) != read_value(new, path)
    )


def spelling_of(field: FieldInfo) -> str:
    """Return in words what a text in this field must look like."""
    return str(_extra(field, "spelling") or "another spelling")


def _extra(field: FieldInfo, key: str) -> object:
    return field.json_schema_extra.get(key) if isinstance(field.json_schema_extra, dict) else None
