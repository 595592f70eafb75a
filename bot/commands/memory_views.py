"""What /memory can show: its views by name, as the commands behind its buttons spell them, and their pages.

A view is spelled without words of people wherever that is possible (``by:7`` is whoever said memory 7), so that its
buttons can outlive an erase; a search alone holds its words.

One memory opened: its words as they are, who said them when and where, its history, and what can be done with it.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.commands.formatting import escape, format_item, make_reply, name_author, quote, show_verbatim, turn_over
from bot.memory.items import ItemType, MemoryItem
from bot.memory.scope import to_number
from bot.memory.speakers import Who
from bot.ports.memory_store import (
    Corrected,
    ItemFilter,
    ItemPage,
    Likeness,
    MemoryCounts,
    OpenedExchange,
    OpenedMemory,
    Selector,
    Share,
)
from bot.ports.system import CommandCall
from bot.turn import Exchange, Reply, ReplyKind
from language.texts import Texts

PAGE: Final = 8
"""Memories of one page: as many as one row of small buttons opens."""
HOME: Final = "home"
ALL: Final = "all"
SEARCH: Final = "find"
WHY: Final = "why"
KINDS, PEOPLE, TIMES = "kinds", "people", "times"
PERIODS: Final = ("week", "month", "year", "older")
_SELECTORS: Final = {each.value: each for each in (Selector.WISHES, Selector.PINNED, Selector.HISTORY)}
_LIKE: Final = {"by": Likeness.AUTHOR, "about": Likeness.TOPIC}
_PLAIN: Final = (HOME, ALL, WHY, KINDS, PEOPLE, TIMES, *PERIODS, *_SELECTORS)
_SPELLED: Final = re.compile(
    rf"(?P<name>{'|'.join(_PLAIN)}|kind:(?:{'|'.join(ItemType)})|(?:by|about):[0-9]{{1,18}}|{SEARCH})"
    r"(?:\s+(?P<page>\d{1,6}))?(?:\s+(?P<words>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_LABEL: Final = 30
Buttons = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MemoryView:
    """One view of a memory: page ``page`` (from 1) of what ``name`` means; ``words`` are those of a search."""

    name: str = HOME
    page: int = 1
    words: str = ""

    @property
    def spelled(self) -> str:
        """The view as :func:`read_view` reads it."""
        return " ".join(filter(None, (self.name, str(self.page), self.words)))

    @property
    def selector(self) -> Selector:
        """Which of all memories it looks through."""
        return _SELECTORS.get(self.name, Selector.ALL)

    def build_filter(self, now: datetime) -> ItemFilter:
        """Return what a page of it shows; weeks begin on Monday, in the zone of ``now``."""
        kind, _, key = self.name.partition(":")
        since, before = _find_borders(self.name, now)
        return ItemFilter(
            self.selector,
            kind=ItemType(key) if kind == "kind" else None,
            like=(_LIKE[kind], int(key)) if kind in _LIKE else None,
            since=since,
            before=before,
            search=self.words if self.name == SEARCH else "",
        )


def read_view(spelled: str) -> MemoryView | None:
    """Return the view that is spelled so, the home view for "", ``None`` for anything else."""
    if not spelled.strip():
        return MemoryView()
    match = _SPELLED.fullmatch(spelled.strip())
    if match is None or (match["words"] and match["name"].lower() != SEARCH):
        return None
    return MemoryView(match["name"].lower(), max(int(match["page"] or 1), 1), " ".join((match["words"] or "").split()))


def list_borders(now: datetime) -> tuple[datetime, ...]:
    """Return when this week, this month and this year began where ``now`` is."""
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday()), day.replace(day=1), day.replace(month=1, day=1)


def _find_borders(period: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    if period not in PERIODS:
        return None, None
    borders = list_borders(now)
    return (None, borders[-1]) if period == PERIODS[-1] else (borders[PERIODS.index(period)], None)


def write_head(view: MemoryView, page: ItemPage, call: CommandCall, texts: Texts) -> str:
    """Return the heading of a page."""
    words, kind = texts.memory_views, view.name.partition(":")[0]
    if view.name in (HOME, ALL):
        return texts.memory.head.format(total=page.total)
    if view.name == SEARCH:
        return texts.memory.found.format(search=escape(view.words, 60), total=page.total)
    names = {
        "pinned": words.pinned,
        "history": words.history,
        "wishes": texts.memory.wishes.rstrip(":"),
        **{period: words.times[period] for period in PERIODS},
    }
    name = names.get(view.name, "")
    if kind == "kind":
        name = words.kinds[view.name.partition(":")[2]]
    elif kind == "by":
        name = words.said_by.format(name=name_sayer(page.items[0], call, texts))
    elif kind == "about":
        name = words.about.format(name=escape(page.items[0].title, _LABEL))
    return words.counted.format(name=name, total=page.total)


def write_nothing(view: MemoryView, texts: Texts) -> str:
    """Return what to say when a view has nothing to show."""
    if view.name == SEARCH:
        return texts.memory.none_found.format(search=escape(view.words, 60))
    by_name = {
        "wishes": texts.memory.no_wishes,
        "pinned": texts.memory.none_pinned,
        "history": texts.memory.none_in_history,
        HOME: texts.memory.empty,
        ALL: texts.memory.empty,
    }
    return by_name.get(view.name, texts.memory_views.none_here)


def name_sayer(item: MemoryItem, call: CommandCall, texts: Texts) -> str:
    """Return who said a memory, as its line tells it, or that nobody knows."""
    speaker = call.message.find_reader(call.scope).identify_item(item)
    return name_author(speaker, texts.memory) if speaker.who is not Who.NOBODY else texts.memory_views.nobody


def list_numbers(items: tuple[MemoryItem, ...], view: MemoryView) -> Buttons:
    """Return a button for each memory of a page: it opens by its number, so that it never opens another."""
    return _link(items, replace(view, name=ALL) if view.name == HOME and view.page > 1 else view)


def _link(items: Iterable[MemoryItem], back: MemoryView) -> Buttons:
    numbers = (to_number(item.id) for item in items)
    return tuple((str(number), f"/memory open {number} {back.spelled}") for number in numbers)


def list_pages(view: MemoryView, pages: int) -> Buttons:
    """Return the buttons to the pages beside this one."""
    shown = replace(view, name=ALL) if view.name == HOME else view
    return turn_over(view.page, pages, lambda page: f"/memory show {replace(shown, page=page).spelled}")


def list_ways(view: MemoryView, counts: MemoryCounts, texts: Texts) -> Buttons:
    """Return the buttons from the home view to the others, those left out that would show nothing new."""
    words = texts.memory_views
    ways = (
        (words.by_kind, KINDS, len(counts.kinds) > 1),
        (words.by_person, PEOPLE, len(counts.authors) + len(counts.topics) > 1),
        (words.by_time, TIMES, counts.total > 1),
        (words.pinned, Selector.PINNED, counts.pinned > 0),
        (words.history, Selector.HISTORY, counts.history > 0),
    )
    return tuple((label, f"/memory show {name} 1") for label, name, useful in ways if useful and view.name != name)


def list_kinds(counts: MemoryCounts, texts: Texts) -> tuple[str, Buttons]:
    """Return the kinds with how many there are, and a button for each."""
    named = tuple((texts.memory_views.kinds[kind], f"kind:{kind}", count) for kind, count in counts.kinds.items())
    return _write_counted(texts.memory_views.kinds_head, named, texts)


def list_people(counts: MemoryCounts, call: CommandCall, texts: Texts) -> tuple[str, Buttons]:
    """Return who said how much and whom or what the most is about, and a button for each."""
    words = texts.memory_views

    def row(share: Share, name: str, kind: str) -> tuple[str, str, int]:
        return name, f"{kind}:{to_number(share.newest.id)}", share.count

    named = (
        *(row(each, words.said_by.format(name=name_sayer(each.newest, call, texts)), "by") for each in counts.authors),
        *(row(each, words.about.format(name=escape(each.newest.title, _LABEL)), "about") for each in counts.topics),
    )
    return _write_counted(words.people_head, named, texts)


def list_periods(counts: MemoryCounts, texts: Texts) -> tuple[str, Buttons]:
    """Return how much was said in which time, and a button for each; a week counts for its month and year, too."""
    older = counts.total - (counts.since[-1] if counts.since else 0)
    named = tuple(
        (texts.memory_views.times[period], period, count)
        for period, count in zip(PERIODS, (*counts.since, older), strict=True)
        if count
    )
    return _write_counted(texts.memory_views.times_head, named, texts)


def write_kinds(counts: MemoryCounts, texts: Texts) -> str:
    """Return the kinds on one line, "" where there is only one."""
    words = texts.memory_views
    parts = (words.counted.format(name=words.kinds[kind], total=count) for kind, count in counts.kinds.items())
    return " · ".join(parts) if len(counts.kinds) > 1 else ""


def write_items(items: tuple[MemoryItem, ...], call: CommandCall, texts: Texts) -> str:
    """Return one line per memory."""
    return "\n".join(format_item(item, call, texts) for item in items)


def _write_counted(head: str, named: tuple[tuple[str, str, int], ...], texts: Texts) -> tuple[str, Buttons]:
    lines = (f"- {texts.memory_views.counted.format(name=name, total=count)}" for name, _, count in named)
    buttons = tuple((_unescape(f"{name} · {count}"), f"/memory show {view} 1") for name, view, count in named)
    return "\n".join((head, *lines)), buttons


def _unescape(text: str) -> str:
    """Return a label as it is read: nothing in it is markup."""
    return re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", text)


_SHOWN_WHOLE: Final = 2_500
"""Characters that fit one message of Telegram with all else that is told."""
_HISTORY_SHOWN: Final = 5


def show_memory(opened: OpenedMemory, view: MemoryView, call: CommandCall, texts: Texts, note: str = "") -> Reply:
    """Return a memory with its buttons; ``view`` is where it was opened from, ``note`` what has just been done."""
    item, words = opened.item, texts.memory_views
    number = to_number(item.id)
    head = words.opened.format(id=number, kind=words.kinds[item.type])
    facts = (head, texts.memory.pinned_mark if item.pinned else "")
    return make_reply(
        note,
        " · ".join(filter(None, facts)),
        show_whole(item.content, texts),
        _write_origin(opened, call, texts),
        _write_history(opened, texts),
        _write_use(opened, call, texts),
        buttons=(
            *(_list_changes(item, view, texts) if item.superseded_by is None else ()),
            (words.forget, f"/memory drop {number} {view.spelled}"),
            *_link(_list_near(opened), view),
            make_back(view, texts),
        ),
        about=(f"item:{number}",),
        in_place=True,
    )


def _list_changes(item: MemoryItem, view: MemoryView, texts: Texts) -> tuple[tuple[str, str], ...]:
    number, words = to_number(item.id), texts.memory_views
    act, label = ("unpin", words.unpin) if item.pinned else ("pin", words.pin)
    return (words.edit, f"/memory edit {number}"), (label, f"/memory {act} {number} {view.spelled}")


def show_exchange(said: OpenedExchange, view: MemoryView, call: CommandCall, texts: Texts) -> Reply:
    """Return what was once said and answered, with what was remembered of it."""
    exchange, words = said.exchange, texts.memory_views
    learned = "\n".join(f"- {to_number(item.id)}: {quote(item.content)}" for item in said.items)
    return make_reply(
        _write_sayer(exchange, call, texts),
        show_whole(exchange.said, texts),
        words.answered.format(text=quote(exchange.assistant_text)) if exchange.assistant_text.strip() else "",
        f"{words.learned}\n{learned}" if learned else "",
        buttons=(*_link(said.items, view), (words.forget, f"/forget turn:{exchange.uid}"), make_back(view, texts)),
        about=(f"turn:{exchange.uid}",),
        in_place=True,
    )


def make_back(view: MemoryView, texts: Texts) -> tuple[str, str]:
    """Return the button back to where a memory was opened from."""
    if view.name == "why":
        return texts.memory_views.back, "/why"
    return texts.memory_views.back, f"/memory show {view.spelled}"


def name_version(content: str) -> str:
    """Return what names the words of a memory as they are now, so that a late edit does not meet others."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def tell_corrected(corrected: Sequence[Corrected], texts: Texts) -> Reply:
    """Return what says that memories were put right, with buttons that put the old words back while the new stand."""
    lines = [
        texts.memory.corrected.format(text=show_verbatim(one.after), before=show_verbatim(one.before))
        for one in corrected
    ]
    numbers = [to_number(one.item_id) for one in corrected]
    buttons = tuple(
        (texts.memory_views.put_back, f"/memory edit {number}@{name_version(one.after)} {one.before}")
        for number, one in zip(numbers, corrected, strict=True)
    )
    return make_reply("\n\n".join(lines), buttons=buttons, about=tuple(f"item:{number}" for number in numbers))


def ask_what_holds(uid: str, sentence: str, texts: Texts) -> Reply:
    """Return the question what holds instead of a sentence that was told, with a button that opens where it was said.

    The next message may answer it in a word: it is read as a correction.
    """
    text = texts.memory.what_holds.format(text=quote(sentence))
    return Reply(text, ReplyKind.NOTED, ((texts.memory.look, f"/memory said {uid}"),))


def show_whole(text: str, texts: Texts) -> str:
    """Return a text as it is, byte for byte; of a very long one the beginning, and how much is left out."""
    if len(text) <= _SHOWN_WHOLE:
        return show_verbatim(text)
    return "\n".join(
        (show_verbatim(text[:_SHOWN_WHOLE]), texts.memory_views.cut.format(count=len(text) - _SHOWN_WHOLE))
    )


def _write_origin(opened: OpenedMemory, call: CommandCall, texts: Texts) -> str:
    origin, words = opened.item.provenance, texts.memory
    parts = (
        name_sayer(opened.item, call, texts),
        texts.moment(origin.said_at, call.now.tzinfo),
        words.sources.get(origin.source, origin.source),
    )
    lines = [f"— {' · '.join(filter(None, parts))}"]
    if opened.source is not None and opened.source.said.strip() not in ("", opened.item.content.strip()):
        lines.append(texts.memory_views.from_message.format(text=quote(opened.source.said)))
    return "\n".join(lines)


def _write_history(opened: OpenedMemory, texts: Texts) -> str:
    words, item = texts.memory_views, opened.item
    older = [f"- {to_number(each.id)}: {quote(each.content)}" for each in opened.replaced[-_HISTORY_SHOWN:]]
    lines = [words.replaced_head, *older] if older else []
    if opened.replaced_by is not None:
        newer = opened.replaced_by
        lines.append(words.replaced_by.format(id=to_number(newer.id), text=quote(newer.content)))
    elif item.superseded_by is not None:
        lines.append(words.withdrawn)
    return "\n".join(lines)


def _list_near(opened: OpenedMemory) -> tuple[MemoryItem, ...]:
    return (*opened.replaced[-_HISTORY_SHOWN:], *((opened.replaced_by,) if opened.replaced_by else ()))


def _write_use(opened: OpenedMemory, call: CommandCall, texts: Texts) -> str:
    words, at = texts.memory_views, opened.item.accessed_at
    lines = [words.never_used]
    if opened.uses:
        last = words.used_last if at is not None else words.used
        lines = [last.format(count=opened.uses, day=texts.day(at, call.now.tzinfo) if at is not None else "")]
    lines += [words.restated.format(count=opened.restated)] if opened.restated else []
    return "\n".join(lines)


def _write_sayer(exchange: Exchange, call: CommandCall, texts: Texts) -> str:
    reader, forwarded = call.message.find_reader(call.scope), exchange.forwarded
    if exchange.user_text or forwarded is None:
        speaker = reader.identify_author(exchange.author.id, exchange.author.name, "user")
    else:
        speaker = reader.identify_part(forwarded.author_id, forwarded.author, "forwarded")
    return ", ".join(
        filter(None, (name_author(speaker, texts.memory), texts.moment(exchange.said_at, call.now.tzinfo)))
    )


NO_VIEW: Final = MemoryView(HOME)
"""Where a memory is opened from when nothing says where."""
