"""Reads one row of a model's extraction, strictly: a row that is not exactly what was asked for is dropped."""

from __future__ import annotations

from dataclasses import dataclass

from bot.memory.items import ItemType, Layer
from bot.memory.sanitise import one_line

_QUOTE_CHARS, _CONTENT_CHARS, _TITLE_CHARS, _SUBJECT_CHARS, _TAG_CHARS, _TAGS = 2000, 600, 80, 80, 30, 6
_MOST_SURE = 0.9
"""A model's own certainty is not worth more than that."""
_WORKING_S = 14 * 24 * 3600
"""Seconds that a note of the working layer lives."""


@dataclass(frozen=True, slots=True)
class ItemFields:
    """A row as it was asked for.  ``exchange`` counts from 1; ``confidence`` and ``salience`` lie in 0..1."""

    exchange: int
    quote: str
    content: str
    title: str
    type: ItemType
    layer: Layer
    subject: str
    tags: tuple[str, ...]
    confidence: float
    salience: float

    @property
    def ttl_s(self) -> int | None:
        """The item's life in seconds, ``None`` for ever."""
        return _WORKING_S if self.layer is Layer.WORKING else None


def fields_of(row: object, exchanges: int) -> ItemFields | None:
    """Return the fields of a row about one of ``exchanges`` exchanges, ``None`` if anything is wrong with it."""
    if not isinstance(row, dict):
        return None
    number, tags = row.get("exchange"), row.get("tags", [])
    quote, content = _text(row.get("quote"), _QUOTE_CHARS), _text(row.get("content"), _CONTENT_CHARS)
    confidence, salience = _share(row.get("confidence", 0.7)), _share(row.get("salience", 0.5))
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= exchanges:
        return None
    if not (quote and content) or confidence is None or salience is None or not isinstance(tags, list):
        return None
    if row.get("type") not in set(ItemType) or row.get("layer") not in set(Layer):
        return None
    return ItemFields(
        exchange=number,
        quote=quote,
        content=content,
        title=_text(row.get("title"), _TITLE_CHARS) or one_line(content, _TITLE_CHARS),
        type=ItemType(row["type"]),
        layer=Layer(row["layer"]),
        subject=_key(_text(row.get("subject"), _SUBJECT_CHARS).casefold()),
        tags=tuple(dict.fromkeys(tag for one in tags[:_TAGS] if (tag := _text(one, _TAG_CHARS).casefold()))),
        confidence=min(confidence, _MOST_SURE),
        salience=salience,
    )


def _text(value: object, most: int) -> str:
    """Return a text on one line, "" for anything else and for one that is too long."""
    return one_line(value, most) if isinstance(value, str) and len(value) <= most else ""


def _key(subject: str) -> str:
    """Return a subject that names a property, "" for a mere topic: of a topic many things can hold at once."""
    thing, bar, what = (part.strip() for part in subject.partition("|"))
    return f"{thing}|{what}" if bar and thing and what else ""


def _share(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1 else None
