"""One memory as one line: number, text, who, when, where from."""

from __future__ import annotations

from bot.commands.attribution import author_of
from bot.commands.item_numbers import number_of
from bot.commands.quoting import quoted
from bot.memory.items import MemoryItem
from bot.ports.commands import CommandCall
from bot.texts.texts import Texts


def item_line(item: MemoryItem, call: CommandCall, texts: Texts) -> str:
    """Return ``- 7: “text” — you, 7 February 2026 · from conversation · pinned``."""
    words, origin = texts.memory, item.provenance
    role = "assistant" if origin.author_id == 0 else "user"
    author = author_of(origin.author_id, origin.author_name, role, call, words) or words.unknown_author
    marks = [words.sources.get(origin.source, origin.source)]
    marks += [words.pinned_mark] if item.pinned else []
    marks += [words.superseded_mark.format(id=number_of(item.superseded_by))] if item.superseded_by else []
    day = texts.day(origin.said_at, call.now.tzinfo)
    return f"- {number_of(item.id)}: {quoted(item.content)} — {author}, {day} · {' · '.join(filter(None, marks))}"
