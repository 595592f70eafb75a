"""docs/configuration.md, written from the schema: ``python -m harness.configuration > docs/configuration.md``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bot.config.fields import find_application, is_group, list_fields, section_of
from bot.config.schema import FEATURE_SECTIONS, Settings
from bot.config.section import Applies

_HEAD = """\
# Configuration

<!-- Written by `python -m harness.configuration`, and kept current by a test: change the schema in bot/config. -->

Everything is set in `preferences/runtime-config.json`.
A change applies while Mneme runs, without losing a message, and the last column says when.
At once: in an answer that is being given, too.
Next message: an answer that is being given keeps what it began with.
**Restart**: the value is read at the start alone.
A change that needs a restart is told in the log ("takes effect at the next start") and by `mneme check`.
Every setting has a default, so that `{}` is a complete file, and so is none at all.
A file that was there and has vanished changes nothing, over restarts too; write `{}` for the defaults.
No more than 1 MB is read, and nothing but a file: a pipe or a device in its place is told.
The file is strict JSON: no comments, no trailing commas, every key once, no unknown keys.
A mistake changes nothing: the last good settings stay in force, also over restarts.
The log and `mneme check` say where it is (file, line, column), what was expected and what was there.
Mneme never writes to the file.

Secrets are better kept out of it, in the environment or in `.env`:

| variable | stands for |
|---|---|
| `TELEGRAM_TOKEN` | `telegram.token` |
| `LLM_URL`, `LLM_MODEL`, `LLM_API_KEY` | `llm.url`, `llm.model`, `llm.apiKey` |
| `OPENAI_API_KEY` | `llm.apiKey`, only if that is empty and `llm.url` is at api.openai.com |
| `RAG_API_KEY` | `rag.apiKey` |
| `RERANK_API_KEY` | `rag.rerank.apiKey` |
| `DATABASE_URL` | `storage.url` |
"""
_FOOT = """
A variable that is set overrides the file; one that is empty counts as not set.
Variables and `.env` are read at the start.
LightRAG's `CHUNK_SIZE`, `CHUNK_OVERLAP_SIZE` and `COSINE_THRESHOLD` are read for the server that Mneme starts, see
[memory-server.md](memory-server.md); other variables of LightRAG are named at the start and by `mneme check`.
"""


def reference() -> str:
    """Return the whole page."""
    named = [(name, f"{each.key}.{key}") for each in FEATURE_SECTIONS for name, key in each.variables.items()]
    parts = [_HEAD + "".join(f"| `{name}` | `{key}` |\n" for name, key in named) + _FOOT]
    parts.append(_table("At the top", "", Settings))
    parts += [_table(f"`{path}`: {title}", path, model) for title, path, model in _sections(Settings, "")]
    return "\n".join(parts)


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
    sys.stdout.write(reference())
