"""Parts of a message: what its author typed, and what came along with it or in its place.

Only typed words are their author's own.  A forward, a quotation, a file's name and what a tool brought are somebody
else's, however they came in, and they stay so wherever they are kept, shown or learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.memory.items import Trust


class Origin(StrEnum):
    """How a text that its author did not type came into a message."""

    FORWARDED = "forwarded"
    QUOTED = "quoted"
    FILE = "file"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Part:
    """A text that the author of its message did not write: ``author`` did, "" and 0 where nobody knows who.

    A part of a tool has the tool's name for its author and holds no text: results are not kept.
    """

    origin: Origin
    text: str
    author: str = ""
    author_id: int = 0
    trust: Trust = Trust.FILE


def forwarded_of(parts: Sequence[Part]) -> Part | None:
    """Return what was forwarded, as one part; ``None`` when nothing was."""
    found = [part for part in parts if part.origin is Origin.FORWARDED]
    if len(found) < 2:  # noqa: PLR2004  one is itself
        return found[0] if found else None
    names = ", ".join(dict.fromkeys(part.author for part in found if part.author))
    ids = {part.author_id for part in found}
    return Part(
        Origin.FORWARDED,
        "\n".join(part.text for part in found),
        names,
        ids.pop() if len(ids) == 1 else 0,
        min(part.trust for part in found),
    )


def trust_of_all(parts: Sequence[Part], own: Trust) -> Trust:
    """Return how far a text made of ``parts`` and of a text of trust ``own`` may be believed: the minimum."""
    return min((own, *(part.trust for part in parts)))
