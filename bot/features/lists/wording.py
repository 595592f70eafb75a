"""Lists in words: what was put there or is over, what is open, and the buttons that tick it off."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.commands.formatting import escape, name_author
from bot.features.lists.reading import SHOPPING
from bot.memory.scope import Scope
from bot.messages import InboundMessage
from bot.ports.lists import ItemState, ListItem
from bot.turn import PAGING_LASTS_S, Reply, ReplyKind
from language.texts import Texts

EVERY: Final = "*"
"""Stands for all lists in the command of a button."""
_BUTTONS: Final = 40
_LABEL: Final = 32
_ASKED: Final = 5
"""Items of which a question is told the state."""


def name_list(key: str, title: str, texts: Texts) -> str:
    """Return what a list is called."""
    return texts.lists.names.get(key) or escape(title or key)


def keep_open(items: Iterable[ListItem], key: str = EVERY) -> tuple[ListItem, ...]:
    """Return what is open, on all lists or on one."""
    return tuple(item for item in items if item.state is ItemState.OPEN and key in (EVERY, item.key))


def keep_closed(items: Iterable[ListItem], key: str = EVERY) -> tuple[ListItem, ...]:
    """Return what is done or was taken off, on all lists or on one."""
    return tuple(item for item in items if item.state is not ItemState.OPEN and key in (EVERY, item.key))


def find_title(key: str, items: Iterable[ListItem]) -> str:
    """Return what people call a list that is there, "" for one that is not."""
    return next((item.title for item in items if item.key == key), "")


def write_open(items: Sequence[ListItem], key: str, texts: Texts) -> Reply:
    """Return what is open on a list, or list by list, with a button that ticks each, and one for what is closed."""
    words, shown = texts.lists, keep_open(items, key)
    keys = dict.fromkeys(item.key for item in shown) or {key if key != EVERY else find_last_key(items): None}
    told = [_write_list(one, find_title(one, items), keep_open(items, one), texts) for one in keys]
    view = key if key == EVERY else f"={key}"
    buttons = [
        (words.tick_button.format(item=_shorten(item.text)), f"/list done {item.number} {view}")
        for item in shown[:_BUTTONS]
    ]
    if closed := keep_closed(items, key):
        buttons.append((words.closed_button.format(count=len(closed)), f"/list closed {view}"))
    return _make_view("\n\n".join(told), buttons)


def write_closed(items: Sequence[ListItem], key: str, texts: Texts) -> Reply:
    """Return what is closed, the newest first, each with a button that opens it again."""
    words, view = texts.lists, key if key == EVERY else f"={key}"
    closed = sorted(keep_closed(items, key), key=lambda item: item.closed is None or -item.closed.at.timestamp())
    keys = dict.fromkeys(item.key for item in closed) or {key if key != EVERY else find_last_key(items): None}
    told = []
    for one in keys:
        name = name_list(one, find_title(one, items), texts)
        lines = [f"- ✓ {escape(item.text)}" for item in closed if item.key == one]
        head = words.closed_head if lines else words.nothing_closed
        told.append("\n".join((head.format(list=name), *lines)))
    buttons = [
        (words.open_button.format(item=_shorten(item.text)), f"/list back {item.number} {view}")
        for item in closed[:_BUTTONS]
    ]
    return _make_view("\n\n".join(told), [*buttons, (words.back_button, f"/list open {view}")])


def find_last_key(items: Sequence[ListItem]) -> str:
    """Return the key of the list that was used last, of the one to buy from where there is none."""
    used = [(max(each.at for each in (item.added, item.closed) if each is not None), item.id, item) for item in items]
    return max(used)[2].key if used else SHOPPING


def write_changed(
    changed: Sequence[ListItem], items: Sequence[ListItem], texts: Texts, *, known: bool = False, reopened: bool = False
) -> str:
    """Return what was done to items, list by list.

    ``known``: they stood there before they were named; ``reopened``: they had been ticked.
    """
    words, lines = texts.lists, []
    for key, state in dict.fromkeys((item.key, item.state) for item in changed):
        mine = [item for item in changed if (item.key, item.state) == (key, state)]
        opened = words.known if known else words.opened if reopened else words.added
        told = {ItemState.DONE: words.done, ItemState.REMOVED: words.removed}.get(state, opened)
        name, left = name_list(key, mine[0].title, texts), len(keep_open(items, key))
        lines.append(told.format(list=name, items=", ".join(escape(item.text) for item in mine), count=left))
    return "\n".join(lines)


def write_state(asked: Sequence[ListItem], message: InboundMessage, scope: Scope, texts: Texts) -> Reply:
    """Return what became of items that somebody asks about: of one that was put there anew that it is open.

    What is open has a button that ticks it.
    """
    words, reader = texts.lists, message.find_reader(scope)
    newest = {(item.key, item.text.casefold()): item for item in asked}
    still = [item for item in newest.values() if item.state is ItemState.OPEN]
    lines, told_of = [], (still or list(newest.values()))[-_ASKED:]
    for item in told_of:
        deed = item.closed or item.added
        told = {ItemState.DONE: words.is_done, ItemState.REMOVED: words.is_removed}.get(item.state, words.is_open)
        author = name_author(reader.identify_part(deed.by, deed.name, "user"), texts.memory) if deed.by else ""
        lines.append(
            told.format(
                items=f"“{escape(item.text)}”",
                list=name_list(item.key, item.title, texts),
                name=author or words.somebody,
                when=texts.moment(deed.at, message.sent_at.tzinfo),
            )
        )
    buttons = [
        (words.tick_button.format(item=_shorten(item.text)), f"/list done {item.number} ={item.key}")
        for item in told_of
        if item.state is ItemState.OPEN
    ]
    return _make_view("\n".join(lines), buttons)


def make_which(unclear: Sequence[ListItem], texts: Texts, *, removed: bool) -> Reply:
    """Return the question which of some items is meant, with a button for each."""
    verb = "drop" if removed else "done"
    lines = "\n".join(f"- {escape(item.text)} ({name_list(item.key, item.title, texts)})" for item in unclear)
    buttons = tuple((_shorten(item.text), f"/list {verb} {item.number} ={item.key}") for item in unclear[:_BUTTONS])
    return Reply(f"{texts.lists.which}\n{lines}", ReplyKind.NOTED, buttons, buttons_last_s=PAGING_LASTS_S, for_all=True)


def _write_list(key: str, title: str, shown: Sequence[ListItem], texts: Texts) -> str:
    name = name_list(key, title, texts)
    if not shown:
        return texts.lists.nothing_open.format(list=name)
    return "\n".join(
        (texts.lists.head.format(list=name, count=len(shown)), *(f"- {escape(item.text)}" for item in shown))
    )


def _make_view(text: str, buttons: Iterable[tuple[str, str]]) -> Reply:
    return Reply(text, ReplyKind.COMMAND, tuple(buttons), buttons_last_s=PAGING_LASTS_S, for_all=True)


def _shorten(text: str) -> str:
    return text if len(text) <= _LABEL else f"{text[: _LABEL - 1].rstrip()}…"
