"""What /memory can show: its views by name, as the commands behind its buttons spell them, and their pages.

A view is spelled without words of people wherever that is possible (``by:7`` is whoever said memory 7), so that its
buttons can outlive an erase; a search alone holds its words.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.commands.formatting import escape, format_item, name_author, to_number
from bot.memory.items import ItemType, MemoryItem
from bot.memory.speakers import Who
from bot.ports.memory_browser import ItemFilter, Likeness, MemoryCounts, Share
from bot.ports.memory_store import ItemPage, Selector
from bot.ports.system import CommandCall
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
PREVIOUS, NEXT = "‹", "›"
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
    back = replace(view, name=ALL) if view.name == HOME and view.page > 1 else view
    return tuple((str(to_number(item.id)), f"/memory open {to_number(item.id)} {back.spelled}") for item in items)


def list_pages(view: MemoryView, pages: int) -> Buttons:
    """Return the buttons to the pages beside this one."""
    beside = ((PREVIOUS, view.page - 1), (NEXT, view.page + 1))
    name = ALL if view.name == HOME else view.name
    return tuple(
        (label, f"/memory show {MemoryView(name, number, view.words).spelled}")
        for label, number in beside
        if 0 < number <= pages
    )


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
