"""The part of an export that people read: the conversation by month, what is remembered by kind, wishes apart.

Nothing is read back from it.  Texts are set as quotations, so that no text can pass for a heading of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby

from bot.memory.items import ItemType, Origin, Part
from bot.memory.learning.wishes import WISH
from bot.ports.archive import ArchivedDocument, ArchivedItem, ArchivedTurn


def render_months(turns: Iterable[ArchivedTurn]) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield each month of UTC ("2026-02") with the pieces of its page, of turns in the order of their dates."""
    for month, of_month in groupby(turns, key=lambda turn: f"{turn.said_at.astimezone(UTC):%Y-%m}"):
        yield month, _render_month(month, of_month)


def _render_month(month: str, turns: Iterable[ArchivedTurn]) -> Iterator[str]:
    yield f"# Conversation, {month}\n"
    for day, of_day in groupby(turns, key=lambda turn: turn.said_at.date()):
        yield f"\n## {day:%Y-%m-%d}\n"
        for turn in of_day:
            yield "".join(_render_turn(turn))


def _render_turn(turn: ArchivedTurn) -> Iterator[str]:
    at = f"{turn.said_at:%H:%M}"
    for part in turn.parts:
        if part.text.strip():
            yield f"\n{at} {_name(turn.author_name, turn.author_id)} {_describe(part)}:\n\n{_quote(part.text)}\n"
    if turn.text.strip():
        yield f"\n{at} {_name(turn.author_name, turn.author_id)}:\n\n{_quote(turn.text)}\n"
    if turn.answer.strip():
        yield f"\n{at} assistant:\n\n{_quote(turn.answer)}\n"


def _describe(part: Part) -> str:
    who = f" by {_inline(part.author)}" if part.author else ""
    how = {
        Origin.FORWARDED: "passed on, written",
        Origin.PASTED: "pasted, written",
        Origin.QUOTED: "answered what was written",
        Origin.FILE: "sent a file",
        Origin.TOOL: "had from a tool",
    }[part.origin]
    return f"{how}{who}"


def render_items(items: Iterable[ArchivedItem], kind: ItemType) -> Iterator[str]:
    """Yield the pieces of the page of one kind: what holds, and what was replaced as struck out."""
    for number, record in enumerate(items):
        if number == 0:
            yield f"# {kind.value.replace('_', ' ').capitalize()}\n\n"
        yield _render_item(record)


def _render_item(record: ArchivedItem) -> str:
    item, origin = record.item, record.item.provenance
    told = ", ".join(
        filter(
            None,
            (
                f"{_name(origin.author_name, origin.author_id)}, {origin.said_at:%Y-%m-%d}",
                origin.source,
                "pinned" if item.pinned else "",
                _describe_end(item.superseded_by),
            ),
        )
    )
    text = _inline(item.content)
    return f"- #{item.id & 0xFFFFFFFF} {text if item.superseded_by is None else f'~~{text}~~'} ({told})\n"


def _describe_end(superseded_by: int | None) -> str:
    if superseded_by is None:
        return ""
    return f"replaced by #{superseded_by & 0xFFFFFFFF}" if superseded_by else "withdrawn"


def is_wish(record: ArchivedItem) -> bool:
    """Return whether a memory is a standing wish that holds."""
    return WISH in record.item.tags and record.item.superseded_by is None


def render_wishes(items: Iterable[ArchivedItem]) -> Iterator[str]:
    """Yield the pieces of the page of wishes; nothing if there are none."""
    for number, record in enumerate(items):
        if number == 0:
            yield "# Wishes\n\n"
        yield _render_item(record)


def render_document(document: ArchivedDocument) -> Iterator[str]:
    """Yield the pieces of the page of a document: its name, then its sections as quotations."""
    brought = f"{_name(document.author_name, document.author_id)}, {document.added_at:%Y-%m-%d}"
    yield f"# {_inline(document.name)}\n\n{_inline(document.title)} ({brought})\n"
    before: tuple[str, ...] = ()
    for chunk in document.chunks:
        if chunk.headings and chunk.headings != before:
            yield f"\n## {_inline(' > '.join(chunk.headings))}\n"
        before = chunk.headings
        yield f"\n{_quote(chunk.text)}\n"


def render_readme(scope: str, made_at: datetime, counts: dict[str, int], left_out: dict[str, str]) -> str:
    """Return the page that says what stands where."""
    lines = [
        f"# A memory of Mneme: {scope}",
        "",
        f"Exported {made_at:%Y-%m-%d %H:%M %Z}.",
        "`data/*.jsonl` are for programs: one JSON object a line, docs/export.md of Mneme names every field.",
        "`conversation/` and `memories/` say the same for people.",
        "`mneme import` reads this file back.",
        "",
        *(f"- {name}: {count}" for name, count in counts.items()),
        "",
        "Not in it:",
        "",
        *(f"- {what}: {why}" for what, why in left_out.items()),
        "",
    ]
    return "\n".join(lines)


def _quote(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.strip().splitlines())


def _inline(text: str) -> str:
    return " ".join(text.split())


def _name(name: str, number: int) -> str:
    return f"**{_inline(name).replace('*', '') or number}**"
