"""JSON: one section per key of an object or per fifty entries of a list; lines of JSON likewise."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from adapters.documents.source import Source
from adapters.documents.text import decode
from bot.ports.documents import DocumentSection

_ENTRIES: Final = 50


def read(source: Source) -> Iterator[DocumentSection]:
    """Yield the sections; what is no valid JSON, or nested beyond measure, is read as the text that it is."""
    text = decode(source.file.read())
    if source.kind == "jsonl":
        yield from _list_entries(line for line in text.splitlines() if line.strip())
        return
    try:
        yield from _list_values(json.loads(text))
    except (ValueError, RecursionError):
        yield DocumentSection((), text)


def _list_values(value: Any) -> Iterator[DocumentSection]:  # Any: JSON
    if isinstance(value, dict):
        rendered = {str(key): _render(each) for key, each in value.items()}
        yield from (DocumentSection((key[:200],), text) for key, text in rendered.items())
    elif isinstance(value, list):
        yield from _list_entries(list(map(_render, value)))
    else:
        yield DocumentSection((), _render(value))


def _list_entries(entries: Iterable[str]) -> Iterator[DocumentSection]:
    rest, begun = iter(entries), 1
    while batch := list(islice(rest, _ENTRIES)):
        yield DocumentSection((f"{begun}-{begun + len(batch) - 1}",), "\n".join(batch))
        begun += len(batch)


def _render(value: Any) -> str:  # Any: JSON
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
