"""Tells where in a document something stands: "report.pdf › 3 Results › p. 41"."""

from collections.abc import Callable
from typing import Final

from bot.memory.items import DocumentPlace
from language.catalogue import Message

BORDER: Final = " › "
_MOST_HEADINGS: Final = 3
_LONGEST: Final = 60


def render_place(place: DocumentPlace, page: Message | str, escape: Callable[[str], str]) -> str:
    """Return name, innermost headings and page; ``page`` has ``{page}``, ``escape`` makes foreign words safe.

    A heading that only repeats the document's name is left out.
    """
    name = place.name.rpartition(".")[0] or place.name
    headings = [
        heading for heading in place.headings if heading.casefold() not in {place.name.casefold(), name.casefold()}
    ]
    parts = [_cut(place.name), *map(_cut, headings[-_MOST_HEADINGS:])]
    written = [escape(part) for part in parts if part]
    return BORDER.join([*written, *([page.format(page=place.page)] if place.page else [])])


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
