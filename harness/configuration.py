"""The tables of docs/configuration.md, written from the schema: ``python -m harness.configuration``."""

import json
from collections.abc import Iterator
from typing import Any, Final

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bot.config.fields import find_application, is_group, list_fields, section_of
from bot.config.folders import PROJECT
from bot.config.schema import Settings
from bot.config.section import Applies

PAGE: Final = PROJECT / "docs" / "configuration.md"
_FIRST: Final = "## At the top"
"""Where the tables begin: what stands before is written by hand."""


def reference() -> str:
    parts = [_table("At the top", "", Settings)]
    parts += [_table(f"`{path}`: {title}", path, model) for title, path, model in _sections(Settings, "")]
    return PAGE.read_text("utf-8").partition(_FIRST)[0] + "\n".join(parts)


def _sections(model: type[BaseModel], path: str) -> Iterator[tuple[str, str, type[BaseModel]]]:
    for key, field in list_fields(model).items():
        section = section_of(field)
        if section is not None:
            listed = "" if is_group(field) else "[]"
            full = f"{path}.{key}{listed}".removeprefix(".")
            yield (section.__doc__ or "").strip().rstrip(".").split("\n")[0], full, section
            yield from _sections(section, full)


def _applies(field: FieldInfo) -> str:
    when = find_application(field)
    return f"**{when}**" if when is Applies.RESTART else str(when)


def _table(title: str, path: str, model: type[BaseModel]) -> str:
    lines = [f"## {title}", "", "| key | value | default | meaning | applies |", "|---|---|---|---|---|"]
    schemas = model.model_json_schema()["properties"]
    for key, field in list_fields(model).items():
        if not is_group(field):
            meaning = (field.description or "").replace("|", "\\|")
            name = f"{path}.{key}".removeprefix(".")
            lines.append(f"| `{name}` | {_kind(schemas[key])} | {_default(field)} | {meaning} | {_applies(field)} |")
    return "\n".join((*lines, ""))


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "(required)"
    return f"`{json.dumps(field.get_default(), ensure_ascii=False)}`"


def _kind(schema: dict[str, Any]) -> str:  # Any: JSON schema
    """Say in a few words what may stand there, from pydantic's JSON schema of the field."""
    return " or ".join(_one(option) for option in schema.get("anyOf", [schema]))


def _one(schema: dict[str, Any]) -> str:  # Any: JSON schema
    if "enum" in schema:
        return " \\| ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "")
    if kind == "array":
        inner = schema["items"]
        return f"list of {'objects' if '$ref' in inner else 'ids'}"
    if kind in ("integer", "number"):
        low, high = schema.get("minimum"), schema.get("maximum")
        word = "whole number" if kind == "integer" else "number"
        return f"{word} {low:,} … {high:,}" if low is not None and high is not None else word
    return {"boolean": "true \\| false", "null": "null", "string": "text"}.get(str(kind), str(kind))


if __name__ == "__main__":
    PAGE.write_text(reference(), "utf-8")
