"""Memories as commands show them: people's own words as they are, never as markup; small numbers; author and day."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.memory.items import MemoryItem
from bot.memory.sanitise import escape_markup, spell_hidden
from bot.memory.scope import Scope, to_number
from bot.memory.speakers import Speaker, call_speaker
from bot.ports.memory_store import MemoryEditor, Selector
from bot.ports.system import CommandCall
from bot.turn import PAGING_LASTS_S, NextSession, Reply, ReplyKind
from language.command_texts import MemoryTexts
from language.texts import Texts


def make_reply(
    *paragraphs: str,
    buttons: tuple[tuple[str, str], ...] = (),
    about: tuple[str, ...] = (),
    next_session: NextSession | None = None,
    in_place: bool = False,
) -> Reply:
    """Return a command's reply; empty paragraphs are left out.  ``about`` is what the buttons are about."""
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return Reply(text, ReplyKind.COMMAND, buttons, next_session, about=about, in_place=in_place)


def make_page(*paragraphs: str, buttons: tuple[tuple[str, str], ...] = ()) -> Reply:
    """Return a page of a listing, whose buttons turn it over."""
    return replace(make_reply(*paragraphs, buttons=buttons, in_place=True), buttons_last_s=PAGING_LASTS_S)


def turn_over(number: int, pages: int, write: Callable[[int], str]) -> tuple[tuple[str, str], ...]:
    """Return the buttons to the pages before and behind one; ``write`` returns the command that shows a page."""
    beside = (("‹", number - 1), ("›", number + 1))
    return tuple((label, write(other)) for label, other in beside if 0 < other <= pages)


_SPACES: Final = re.compile(r"\s+")
_INVISIBLE: Final = re.compile("[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_TICKS: Final = re.compile("`{3,}")
_SHOWN: Final = 240
_BITS: Final = 32
_NAME_SHOWN = 60


def escape(text: str, limit: int = _SHOWN) -> str:
    """Return ``text`` on one line, at most ``limit`` characters, with what would be Markdown escaped.

    Only what would really change the look is escaped, so that codes and names stay readable where Markdown is shown as
    plain text.
    """
    line = _INVISIBLE.sub("", _SPACES.sub(" ", text)).strip()
    if len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return escape_markup(line)


def quote(text: str, limit: int = _SHOWN) -> str:
    """Return ``text`` as :func:`escape` does, in quotation marks."""
    return f"“{escape(text, limit)}”"


def show_verbatim(text: str) -> str:
    """Return ``text`` so that every byte of it is seen: quoted if it is one plain line, else as a code block.

    What is not printed is spelt: what is agreed to holds nothing that nobody has seen.
    """
    text = spell_hidden(text)
    if "\n" not in text and escape(text, len(text) + 1) == text:
        return f"“{text}”"
    fence = "`" * max(3, *(len(run) + 1 for run in _TICKS.findall(text)), 0)
    return f"\n{fence}\n{text}\n{fence}"


def fold(*lines: str) -> str:
    """Return Markdown lines as one quotation: sources, or a long text of somebody's.

    Telegram folds a quotation of more than four lines or 300 characters, to be opened by a touch; other doors show it
    whole.  A line may have line breaks, lists and emphasis of its own, but no quotation; "" is a gap.
    """
    return "\n".join(f"> {line}".rstrip() for text in lines for line in (text.split("\n")))


async def find_id(editor: MemoryEditor, scope: Scope, number: int) -> int:
    """Return the id of the scope's item with this number (a whole id is taken as it is).

    The upper half is any item's of the same scope; a scope without items has nothing that could be meant.
    """
    if number >> _BITS:
        return number
    for selector in (Selector.ALL, Selector.HISTORY):
        page = await editor.page(scope, selector, size=1)
        for item in page.items:
            return item.id >> _BITS << _BITS | number
    return number


def name_author(speaker: Speaker, texts: MemoryTexts, namesakes: frozenset[str] = frozenset()) -> str:
    """Return whose something is as a command says it: the name short, and never as markup."""
    return call_speaker(speaker, texts, namesakes, lambda name: escape(name, _NAME_SHOWN))


def format_item(item: MemoryItem, call: CommandCall, texts: Texts) -> str:
    """Return ``- 7: “text” — you, 7 February 2026 · from conversation · pinned``."""
    words, origin = texts.memory, item.provenance
    author = name_author(call.message.find_reader(call.scope).identify_item(item), words)
    marks = [words.sources.get(origin.source, origin.source)]
    marks += [words.pinned_mark] if item.pinned else []
    marks += [words.superseded_mark.format(id=to_number(item.superseded_by))] if item.superseded_by else []
    day = texts.day(origin.said_at, call.now.tzinfo)
    return f"- {to_number(item.id)}: {quote(item.content)} — {author}, {day} · {' · '.join(filter(None, marks))}"


def count(number: int) -> str:
    """Return a number with its thousands apart, by a thin gap that all three languages read."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
