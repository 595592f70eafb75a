"""What the schema knows, asked by key path: for unknown keys, hints and masking."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bot.config.diagnostics import Complaint, Path, shown
from bot.config.scanner import Scanned
from bot.config.schema import Settings
from bot.config.section import Applies


def children(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return a section's fields by the key they have in the file."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def section_of(field: FieldInfo) -> type[BaseModel] | None:
    """Return the section a field holds, alone or as the element of a list; ``None`` for a plain value."""
    for kind in (field.annotation, *get_args(field.annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def field_at(path: Path) -> FieldInfo | None:
    """Return the field at a key path, ``None`` where the schema has none."""
    model: type[BaseModel] | None = Settings
    field: FieldInfo | None = None
    for step in path:
        if isinstance(step, int):
            continue
        field = children(model).get(step) if model else None
        if field is None:
            return None
        model = section_of(field)
    return field


def is_secret(field: FieldInfo) -> bool:
    """Whether the field's value may never be shown."""
    return bool(_extra(field, "secret"))


def applies(field: FieldInfo) -> Applies:
    """Return when a change of the field acts.  Raises ``ValueError`` for a field that does not say so."""
    return Applies(str(_extra(field, "applies")))


def is_group(field: FieldInfo) -> bool:
    """Whether the field is a section of its own; a list of sections is none."""
    return isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)


def leaves(model: type[BaseModel] = Settings, path: Path = ()) -> Iterator[tuple[Path, FieldInfo]]:
    """Yield every setting that has a value of its own, with its key path; a list counts as one value."""
    for key, field in children(model).items():
        section = section_of(field)
        if section is not None and is_group(field):
            yield from leaves(section, (*path, key))
        else:
            yield (*path, key), field


def value_at(settings: BaseModel, path: Path) -> object:
    """Return what a setting holds."""
    value: Any = settings  # Any: the schema says what it is
    for step in path:
        names = {field.alias or name: name for name, field in type(value).model_fields.items()}
        value = getattr(value, names[str(step)])
    return value


def changed(old: BaseModel, new: BaseModel, when: Applies) -> tuple[str, ...]:
    """Return the keys of the settings that differ, of those that apply in this way."""
    return tuple(
        shown(path) for path, field in leaves() if applies(field) is when and value_at(old, path) != value_at(new, path)
    )


def spelling_of(field: FieldInfo) -> str:
    """Return in words what a text in this field must look like."""
    return str(_extra(field, "spelling") or "another spelling")


def _extra(field: FieldInfo, key: str) -> object:
    return field.json_schema_extra.get(key) if isinstance(field.json_schema_extra, dict) else None


def unknown_keys(scanned: Scanned) -> Iterator[Complaint]:
    """Yield a complaint for every key the schema does not have, with the nearest one that it has.

    The value is not shown: a misspelt ``apikey`` holds a secret.
    """
    for path, section in _objects(scanned.value, Settings, ()):
        for key in _keys_at(scanned.value, path):
            if key not in children(section):
                hint = _hint(path, key, children(section))
                where = (*path, key)
                yield Complaint(scanned.place(where), where, "unknown key", "a known key", "another", hint)


def _hint(path: Path, key: str, siblings: Collection[str]) -> str:
    """Look among the neighbours first, then everywhere, then point to the documentation."""
    plain = key.lower().replace("_", "").replace("-", "")
    everywhere = [known for known in _all_paths(Settings, ()) if len(known) > 1]
    if key in [shown(known) for known in everywhere]:
        return "write one object inside the other instead of a dot"
    near = difflib.get_close_matches(plain, [name.lower() for name in siblings], n=1, cutoff=0.6)
    if near:
        return f'did you mean "{next(name for name in siblings if name.lower() == near[0])}"?'
    far = difflib.get_close_matches(plain, {str(known[-1]).lower() for known in everywhere}, n=1, cutoff=0.75)
    if far:
        places = [shown(known) for known in everywhere if str(known[-1]).lower() == far[0]]
        return f"did you mean {' or '.join(places[:3])}?"
    return f"the keys {f'of {shown(path)}' if path else 'at the top'} are in docs/configuration.md"


def _all_paths(model: type[BaseModel], path: Path) -> Iterator[Path]:
    for key, field in children(model).items():
        yield (*path, key)
        section = section_of(field)
        if section:
            yield from _all_paths(section, (*path, key))


def _objects(value: Any, model: type[BaseModel], path: Path) -> Iterator[tuple[Path, type[BaseModel]]]:  # Any: JSON
    """Yield the path of every object that the schema calls a section."""
    if not isinstance(value, dict):
        return
    yield path, model
    for key, field in children(model).items():
        section = section_of(field)
        if section is None or key not in value:
            continue
        if isinstance(value[key], list):
            for index, element in enumerate(value[key]):
                yield from _objects(element, section, (*path, key, index))
        else:
            yield from _objects(value[key], section, (*path, key))


def _keys_at(value: Any, path: Path) -> tuple[str, ...]:  # Any: JSON
    for step in path:
        value = value[step]
    return tuple(value)
