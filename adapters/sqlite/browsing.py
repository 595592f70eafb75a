"""Looking at what is kept, in two ways: the ports MemoryBrowser (by what memories share) and Timeline (by time).

Everything stays within the scope's range of ids, so that what a number means never depends on other chats; pages in
the order of time come from an index, so that their cost does not grow with what is kept.
"""

import sqlite3
from datetime import UTC, date, datetime, tzinfo
from typing import Any, Final

from adapters.sqlite.database import Database, Store, reading
from adapters.sqlite.rows.codec import (
    Row,
    dump_list,
    find_range,
    find_scope,
    get_id_range,
    join_time,
    load_trace,
    read_seconds,
    split_time,
)
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.items import load_item, load_items, select_items
from adapters.sqlite.search import build_match
from adapters.sqlite.turn_search.changes import read_changes
from bot.memory.items import ItemType
from bot.memory.learning.wishes import KEY, WISH
from bot.memory.scope import NUMBERS, Scope, to_number
from bot.ports.memory_store import (
    ItemFilter,
    ItemPage,
    Likeness,
    MemoryCounts,
    OpenedExchange,
    OpenedMemory,
    Place,
    ScopeSummary,
    Selector,
    Share,
    TimelinePage,
)
from bot.ports.when import Clock
from bot.turn import Exchange
from language.analyser import Analyser

_LIVE: Final = "superseded_by IS NULL AND (ttl_s IS NULL OR pinned = 1 OR updated_at + ttl_s >= :now)"
_TOPIC: Final = (
    "CASE WHEN instr(subject, '|') = 0 THEN '' "
    "ELSE substr(substr(subject, 1, instr(subject, '|') - 1), "
    "CASE WHEN substr(subject, 1, 1) BETWEEN '0' AND '9' THEN instr(subject, ':') + 1 ELSE 1 END) END"
)
"""What a subject key is about: "sister vera" of "42:sister vera|live" (see bot/memory/learning/statements.py)."""

_NO_TOPICS: Final = ("", "i", KEY.rstrip("|"))
"""Nothing, the author themself, and wishes, which have a view of their own."""
_MOST: Final = 12
"""Authors and topics that are counted by name: more than fit below a message are not looked through."""
_PAGE: Final = select_items(
    f"WHERE id BETWEEN :low AND :high AND CASE WHEN {_LIVE} THEN 1 ELSE 0 END = :live "  # noqa: S608 - made of constants alone
    "AND (:pinned = 0 OR pinned = 1) AND (:tag = '' OR instr(tags, :tag) > 0) "
    "AND (:kind = '' OR type = :kind) AND (:since IS NULL OR said_at >= :since) "
    "AND (:before IS NULL OR said_at < :before) "
    "AND (:author IS NULL OR (author_id = :author AND (author_id <> 0 OR author_name = :author_name))) "
    f"AND (:topic IS NULL OR {_TOPIC} = :topic) "
    "AND (:words = '' OR id IN "
    "(SELECT rowid FROM items_fts WHERE items_fts MATCH :words AND rowid BETWEEN :low AND :high)) "
    "ORDER BY id DESC LIMIT :size OFFSET :offset",
    "count(*) OVER ()",
)
_COUNTS: Final = (
    "SELECT coalesce(sum(live), 0), coalesce(sum(live * pinned), 0), "  # noqa: S608 - made of constants alone
    "coalesce(sum(CASE WHEN instr(tags, :tag) > 0 THEN live ELSE 0 END), 0), coalesce(sum(1 - live), 0) "
    f"FROM (SELECT CASE WHEN {_LIVE} THEN 1 ELSE 0 END AS live, pinned, tags FROM items "
    "WHERE id BETWEEN :low AND :high) AS counted"
)
_KINDS: Final = f"SELECT type, count(*) FROM items WHERE id BETWEEN :low AND :high AND {_LIVE} GROUP BY type"  # noqa: S608 - made of constants alone
_AUTHORS: Final = (
    f"SELECT max(id), count(*) FROM items WHERE id BETWEEN :low AND :high AND {_LIVE} "  # noqa: S608 - made of constants alone
    "GROUP BY author_id, CASE author_id WHEN 0 THEN author_name ELSE '' END ORDER BY 2 DESC, 1 DESC LIMIT :most"
)
_TOPICS: Final = (
    f"SELECT max(id), count(*) FROM items WHERE id BETWEEN :low AND :high AND {_LIVE} "  # noqa: S608 - made of constants alone
    f"AND {_TOPIC} NOT IN (SELECT value FROM json_each(:no_topics)) "
    f"GROUP BY {_TOPIC} ORDER BY 2 DESC, 1 DESC LIMIT :most"
)
_SINCE: Final = f"SELECT count(*) FROM items WHERE id BETWEEN :low AND :high AND {_LIVE} AND said_at >= :since"  # noqa: S608 - made of constants alone
_ONE: Final = select_items("WHERE id = ?", "uses", "restated", _TOPIC)
_SEVERAL: Final = select_items("WHERE id IN (SELECT value FROM json_each(?)) AND scope_no = ? ORDER BY id")
_SOURCE: Final = select_exchanges("WHERE scope_no = ? AND uid = ?")
_OF_SOURCE: Final = select_items(
    f"WHERE id BETWEEN :low AND :high AND {_LIVE} AND id IN (SELECT item_id FROM item_sources WHERE exchange = :uid) "  # noqa: S608 - made of constants alone
    "ORDER BY id"
)
_BITS: Final = 32


class SqliteMemoryBrowser(Store):
    """The port :class:`~bot.ports.memory_store.MemoryBrowser`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock
        self._words = Analyser()

    @reading
    def browse(
        self, connection: sqlite3.Connection, scope: Scope, chosen: ItemFilter, *, offset: int = 0, size: int = 10
    ) -> ItemPage:
        words = build_match(self._words.stem_question(chosen.search), "AND") if chosen.search.strip() else ""
        now = split_time(self._clock.now())[0]
        scope_no = find_scope(connection, scope)
        author, author_name, topic = None, "", None
        if chosen.like is not None:
            row = _find(connection, scope_no, chosen.like[1])
            if row is None:
                return ItemPage((), 0)
            origin = load_item(row[:-3]).provenance
            if chosen.like[0] is Likeness.AUTHOR:
                author, author_name = origin.author_id, origin.author_name
            else:
                topic = row[-1]
        low, high = get_id_range(scope_no)
        values = {
            "low": low,
            "high": high,
            "now": now,
            "live": chosen.selector is not Selector.HISTORY,
            "pinned": chosen.selector is Selector.PINNED,
            "tag": f'"{WISH}"' if chosen.selector is Selector.WISHES else "",
            "kind": chosen.kind or "",
            "since": None if chosen.since is None else split_time(chosen.since)[0],
            "before": None if chosen.before is None else split_time(chosen.before)[0],
            "author": author,
            "author_name": author_name,
            "topic": topic,
            "words": words,
        }
        rows = connection.execute(_PAGE, {**values, "size": max(0, size), "offset": max(0, offset)}).fetchall()
        counted = rows or connection.execute(_PAGE, {**values, "size": 1, "offset": 0}).fetchall()
        return ItemPage(tuple(load_items(row[:-1] for row in rows)), counted[0][-1] if counted else 0)

    @reading
    def count(self, connection: sqlite3.Connection, scope: Scope, since: tuple[datetime, ...] = ()) -> MemoryCounts:
        now = split_time(self._clock.now())[0]
        low, high = find_range(connection, scope)
        values: dict[str, Any] = {"low": low, "high": high, "now": now}  # Any: values of columns
        total, pinned, wishes, history = connection.execute(_COUNTS, {**values, "tag": f'"{WISH}"'}).fetchone()
        kinds = {kind: count for kind, count in connection.execute(_KINDS, values) if kind in set(ItemType)}
        named = {**values, "most": _MOST, "no_topics": dump_list(_NO_TOPICS)}
        return MemoryCounts(
            total,
            wishes,
            pinned,
            history,
            {ItemType(kind): count for kind, count in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))},
            _name(connection, connection.execute(_AUTHORS, named).fetchall()),
            _name(connection, connection.execute(_TOPICS, named).fetchall()),
            tuple(
                connection.execute(_SINCE, {**values, "since": split_time(border)[0]}).fetchone()[0] for border in since
            ),
        )

    @reading
    def open(self, connection: sqlite3.Connection, scope: Scope, number: int) -> OpenedMemory | None:
        scope_no = find_scope(connection, scope)
        row = _find(connection, scope_no, number)
        if row is None:
            return None
        item = load_item(row[:-3])
        referred = connection.execute(_SEVERAL, (dump_list(item.references), scope_no)).fetchall()
        successor = connection.execute(_SEVERAL, (dump_list([item.superseded_by or 0]), scope_no)).fetchall()
        said = connection.execute(_SOURCE, (scope_no, item.provenance.exchange)).fetchone()
        return OpenedMemory(
            item,
            uses=row[-3],
            restated=row[-2],
            replaced=tuple(each for each in load_items(referred) if each.superseded_by is not None),
            replaced_by=next(iter(load_items(successor)), None),
            source=None if said is None else load_exchange(scope, said),
        )

    @reading
    def find_said(self, connection: sqlite3.Connection, scope: Scope, uid: str) -> OpenedExchange | None:
        now = split_time(self._clock.now())[0]
        scope_no = find_scope(connection, scope)
        row = connection.execute(_SOURCE, (scope_no, uid)).fetchone()
        if row is None:
            return None
        low, high = get_id_range(scope_no)
        items = connection.execute(_OF_SOURCE, {"low": low, "high": high, "now": now, "uid": uid}).fetchall()
        return OpenedExchange(load_exchange(scope, row), tuple(load_items(items)))


def _name(connection: sqlite3.Connection, rows: list[tuple[int, int]]) -> tuple[Share, ...]:
    """Return each group with its newest item; one that cannot be read is left out with its group."""
    found = ((connection.execute(_ONE, (item_id,)).fetchone(), count) for item_id, count in rows)
    return tuple(Share(item, count) for row, count in found if row is not None for item in load_items([row[:-3]]))


def _find(connection: sqlite3.Connection, scope_no: int, number: int) -> Row | None:
    low, high = get_id_range(scope_no)
    item_id = number if number >> _BITS else low | number
    row: Row | None = connection.execute(_ONE, (item_id,)).fetchone() if low <= item_id <= high else None
    return row


_END: Final = (1e18, NUMBERS)
_SAID_PAGE: Final = select_exchanges(
    "WHERE scope_no = ? AND replaced_by IS NULL AND (said_at, id) < (?, ?) ORDER BY said_at DESC, id DESC LIMIT ?"
)
_NAMED: Final = select_exchanges(
    "WHERE scope_no = ? AND uid IN (SELECT value FROM json_each(?)) AND replaced_by IS NULL ORDER BY said_at, id"
)
_LEARNED: Final = select_items(
    "WHERE id IN (SELECT item_id FROM item_sources WHERE exchange = ? AND item_id BETWEEN ? AND ?) ORDER BY id"
)
_BEFORE: Final = (
    "SELECT max(said_at) FROM exchanges INDEXED BY exchanges_said "
    "WHERE scope_no = ? AND replaced_by IS NULL AND said_at < ?"
)
_BETWEEN: Final = (
    "SELECT count(*) FROM exchanges INDEXED BY exchanges_said "
    "WHERE scope_no = ? AND replaced_by IS NULL AND said_at >= ? AND said_at < ?"
)
_SCOPES: Final = (
    "SELECT tag, (SELECT count(*) FROM exchanges WHERE scope_no = scopes.no AND replaced_by IS NULL), "
    "(SELECT count(*) FROM items WHERE scope_no = scopes.no AND superseded_by IS NULL), no FROM scopes"
)
_NEWEST: Final = (
    "SELECT author_name, said_at, said_offset FROM exchanges INDEXED BY exchanges_said "
    "WHERE scope_no = ? AND replaced_by IS NULL ORDER BY said_at DESC, id DESC LIMIT 1"
)


class SqliteTimeline(Store):
    """The port :class:`~bot.ports.memory_store.Timeline`."""

    @reading
    def list_scopes(self, connection: sqlite3.Connection) -> tuple[ScopeSummary, ...]:
        found = []
        for tag, exchanges, items, number in connection.execute(_SCOPES).fetchall():
            if not exchanges and not items:
                continue
            newest = connection.execute(_NEWEST, (number,)).fetchone()
            name, at = ("", None) if newest is None else (newest[0], join_time(newest[1], newest[2]))
            found.append(ScopeSummary(Scope(tag), exchanges, items, name, at))
        return tuple(sorted(found, key=lambda each: each.newest.timestamp() if each.newest else 0.0, reverse=True))

    @reading
    def read(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        *,
        before: Place | None = None,
        until: datetime | None = None,
        size: int = 50,
    ) -> TimelinePage:
        border = before or (_END if until is None else (split_time(until)[0], 0))
        scope_no = find_scope(connection, scope)
        seconds, number = border
        last = get_id_range(scope_no)[0] | to_number(number)
        rows = connection.execute(_SAID_PAGE, (scope_no, seconds, last, size + 1)).fetchall()
        shown = tuple(load_exchange(scope, row) for row in rows[:size])
        read = read_changes(connection, (each.id for each in shown))
        changing = {each.uid: read[each.id] for each in shown if each.id in read}
        if len(rows) <= size or not shown:
            return TimelinePage(shown, changing=changing)
        oldest = rows[size - 1]
        return TimelinePage(shown, (oldest[8], to_number(oldest[0])), changing)

    @reading
    def count_months(
        self, connection: sqlite3.Connection, scope: Scope, zone: tzinfo | None
    ) -> tuple[tuple[date, int], ...]:
        """Count between the borders of months by the index alone."""
        scope_no = find_scope(connection, scope)
        found = []
        border = _begin(date.max.replace(month=1, day=1), zone)
        while (newest := connection.execute(_BEFORE, (scope_no, border)).fetchone()[0]) is not None:
            if read_seconds(newest) != newest:
                break  # before all calendars: a damaged time, and all others are older
            month = join_time(newest).astimezone(zone or UTC).replace(day=1).date()
            border = _begin(month, zone)
            following = date(month.year + month.month // 12, month.month % 12 + 1, 1)
            (count,) = connection.execute(_BETWEEN, (scope_no, border, _begin(following, zone))).fetchone()
            found.append((month, count))
        return tuple(found)

    @reading
    def open(self, connection: sqlite3.Connection, scope: Scope, uid: str) -> OpenedExchange | None:
        scope_no = find_scope(connection, scope)
        row = connection.execute(_SOURCE, (scope_no, uid)).fetchone()
        if row is None:
            return None
        exchange = load_exchange(scope, row)
        items = load_items(connection.execute(_LEARNED, (uid, *get_id_range(scope_no))).fetchall())
        kept = connection.execute("SELECT trace FROM traces WHERE id = ?", (exchange.id,)).fetchone()
        return OpenedExchange(exchange, tuple(items), None if kept is None else load_trace(kept[0]))

    @reading
    def find(self, connection: sqlite3.Connection, scope: Scope, uids: tuple[str, ...]) -> tuple[Exchange, ...]:
        rows = connection.execute(_NAMED, (find_scope(connection, scope), dump_list(uids))).fetchall()
        return tuple(load_exchange(scope, row) for row in rows)


def _begin(month: date, zone: tzinfo | None) -> float:
    return datetime(month.year, month.month, 1, tzinfo=zone or UTC).timestamp()
