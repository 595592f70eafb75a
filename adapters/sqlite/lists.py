"""The port Lists over SQLite: a row for each thing put on a list, until it is long done, or forgotten."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from adapters.sqlite.database import Store, reading, writing
from adapters.sqlite.rows.codec import (
    Row,
    dump_list,
    ensure_scope,
    find_range,
    get_id_range,
    insert_row,
    join_time,
    repair_numbers,
    split_time,
    take_id,
)
from adapters.sqlite.rows.derived import ALL_ROWS, Room, Rooms, Table, look_up_untold
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.lists import Deed, ItemState, ListItem, TakenBack
from bot.ports.reminders import name_message
from bot.turn import Exchange
from language.words import fold

MOST: Final = 1_000
"""Open items of one scope."""
CLOSED: Final = 200
"""Closed items that are kept of a scope, the newest: to say who got the bread, and to open them again."""
_SAME_S: Final = 0.001
_COLUMNS: Final = (
    "id, list, title, text, state, added_by, added_name, added_at, exchange, origin, closed_by, closed_name, "
    "closed_at, closed_exchange, closed_origin"
)
LIST_ITEMS: Final = f"SELECT {_COLUMNS} FROM list_items WHERE id BETWEEN ? AND ? ORDER BY id"  # noqa: S608 - our own text
"""Reads the items of a range of ids for :func:`load_item`."""
_BY_IDS: Final = (
    f"SELECT {_COLUMNS} FROM list_items WHERE id BETWEEN ? AND ? "  # noqa: S608 - our own text
    "AND id IN (SELECT value FROM json_each(?)) ORDER BY id"
)
_STALE: Final = (
    "DELETE FROM list_items WHERE scope_no = ?1 AND state <> 0 AND id NOT IN "
    "(SELECT id FROM list_items WHERE scope_no = ?1 AND state <> 0 ORDER BY closed_at DESC, id DESC LIMIT ?2)"
)
_LOOKED_AT: Final = "trim(title || ' ' || text), added_by, added_name, added_at"
_OPEN: Final = "state = 0, closed_by = 0, closed_name = '', closed_at = NULL, closed_exchange = '', closed_origin = ''"


class SqliteLists(Store):
    """The port over one table."""

    @reading
    def read(self, connection: sqlite3.Connection, scope: Scope) -> tuple[ListItem, ...]:
        return tuple(map(load_item, connection.execute(LIST_ITEMS, find_range(connection, scope)).fetchall()))

    @writing
    def add(self, connection: sqlite3.Connection, scope: Scope, items: Sequence[ListItem]) -> tuple[ListItem, ...]:
        scope_no = ensure_scope(connection, scope)
        standing = [load_item(row) for row in connection.execute(LIST_ITEMS, get_id_range(scope_no)).fetchall()]
        room = MOST - sum(each.state is ItemState.OPEN for each in standing)
        kept = []
        for item in items:
            there = next((each for each in standing if _is_same(each, item)), None)
            if there is not None and there.added.origin == item.added.origin:
                statement = "UPDATE list_items SET exchange = ? WHERE id = ?"
                connection.execute(statement, (item.added.exchange, there.id))
            if there is None and room > 0:
                there, room = _insert(connection, scope_no, item), room - 1
                standing.append(there)
            kept += [there] if there is not None and there not in kept else []
        return tuple(kept)

    @writing
    def mark(
        self, connection: sqlite3.Connection, scope: Scope, ids: Sequence[int], state: ItemState, deed: Deed
    ) -> tuple[ListItem, ...]:
        low, high = find_range(connection, scope)
        rows = connection.execute(_BY_IDS, (low, high, dump_list(ids))).fetchall()
        ours = {deed.origin} - {""}
        items = map(load_item, rows)
        found = [one for one in items if one.state is not state or (one.closed and one.closed.origin in ours)]
        listed = [item.id for item in found]
        if state is ItemState.OPEN:
            _open_again(connection, listed)
            return tuple(replace(item, state=state, closed=None) for item in found)
        _close(connection, low >> 32, listed, state, deed)
        return tuple(replace(item, state=state, closed=deed) for item in found)

    @writing
    def take_back(
        self, connection: sqlite3.Connection, scope: Scope, exchange: str, deed: Deed, *, only_opens: bool = False
    ) -> TakenBack:
        low, high = find_range(connection, scope)
        items = [load_item(row) for row in connection.execute(LIST_ITEMS, (low, high)).fetchall()]
        took = () if only_opens else items
        added = tuple(one for one in took if exchange and one.added.exchange == exchange and one.closed is None)
        closed = tuple(one for one in items if exchange and one.closed is not None and one.closed.exchange == exchange)
        _close(connection, low >> 32, [one.id for one in added], ItemState.REMOVED, deed)
        _open_again(connection, [one.id for one in closed])
        return TakenBack(
            tuple(replace(one, state=ItemState.REMOVED, closed=deed) for one in added),
            tuple(replace(one, state=ItemState.OPEN, closed=None) for one in closed),
        )

    async def list_in_use(self) -> frozenset[str]:
        rows = await self.database.fetch("SELECT tag FROM list_numbers JOIN scopes ON no = scope_no")
        return frozenset(tag for (tag,) in rows)


def load_item(row: Row) -> ListItem:
    """Return the item of a row."""
    id_, key, title, text, state, by, name, at, exchange, origin = row[:10]
    closed_by, closed_name, closed_at, closed_exchange, closed_origin = row[10:]
    closed = None
    if closed_at is not None:
        closed = Deed(closed_by, closed_name, join_time(closed_at), closed_exchange, closed_origin)
    known = ItemState(state) if state in (0, 1, 2) else ItemState.DONE  # damaged
    return ListItem(key, title, text, Deed(by, name, join_time(at), exchange, origin), known, closed, id_)


def _is_same(there: ListItem, item: ListItem) -> bool:
    """Whether the same message has put it there, or it stands there still."""
    if there.added.origin and there.added.origin == item.added.origin:
        return True
    return there.state is ItemState.OPEN and there.key == item.key and fold(there.text) == fold(clean(item.text))


def restore_item(connection: sqlite3.Connection, scope_no: int, item: ListItem) -> bool:
    """Bring an item of an export back as it stood, and return whether that is new.

    What was put there at the same time is the same item, whatever has become of it since; what is open there already
    stays as it is.
    """
    standing = [load_item(row) for row in connection.execute(LIST_ITEMS, get_id_range(scope_no)).fetchall()]
    alike = [each for each in standing if each.key == item.key and fold(each.text) == fold(clean(item.text))]
    still_open = item.state is ItemState.OPEN
    for each in alike:
        both_open = still_open and each.state is ItemState.OPEN
        if both_open or abs((each.added.at - item.added.at).total_seconds()) < _SAME_S:
            return False
    if still_open and sum(each.state is ItemState.OPEN for each in standing) >= MOST:
        return False
    _insert(connection, scope_no, item)
    connection.execute(_STALE, (scope_no, CLOSED))
    return True


def _insert(connection: sqlite3.Connection, scope_no: int, item: ListItem) -> ListItem:
    added, closed, id_ = item.added, item.closed, take_id(connection, "list_numbers", scope_no)
    columns = {
        "id": id_,
        "scope_no": scope_no,
        "list": clean(item.key),
        "title": clean(item.title),
        "text": clean(item.text),
        "state": int(item.state),
        "added_by": added.by,
        "added_name": clean(added.name),
        "added_at": split_time(added.at)[0],
        "exchange": added.exchange,
        "origin": clean(added.origin),
        "closed_by": closed.by if closed is not None else 0,
        "closed_name": clean(closed.name) if closed is not None else "",
        "closed_at": split_time(closed.at)[0] if closed is not None else None,
        "closed_exchange": closed.exchange if closed is not None else "",
        "closed_origin": closed.origin if closed is not None else "",
    }
    insert_row(connection, "list_items", columns)
    return replace(item, id=id_)


def _delete(connection: sqlite3.Connection, ids: Sequence[int]) -> int:
    statement = "DELETE FROM list_items WHERE id IN (SELECT value FROM json_each(?))"
    return connection.execute(statement, (dump_list(ids),)).rowcount


def _close(connection: sqlite3.Connection, scope_no: int, ids: Sequence[int], state: ItemState, deed: Deed) -> None:
    """Tick items off or take them off, and drop what was closed longest ago."""
    at = split_time(deed.at)[0]
    connection.execute(
        "UPDATE list_items SET state = ?, closed_by = ?, closed_name = ?, closed_at = ?, closed_exchange = ?, "
        "closed_origin = ? WHERE id IN (SELECT value FROM json_each(?))",
        (int(state), deed.by, clean(deed.name), at, deed.exchange, deed.origin, dump_list(ids)),
    )
    connection.execute(_STALE, (scope_no, CLOSED))


def _open_again(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    statement = f"UPDATE list_items SET {_OPEN} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - our own text
    connection.execute(statement, (dump_list(ids),))


def _forget(connection: sqlite3.Connection, scope_no: int, uids: Sequence[str]) -> None:
    """Delete what exchanges have put on lists, and who they say closed something; it stays closed."""
    named = dump_list(uids)
    connection.execute(
        "DELETE FROM list_items WHERE scope_no = ? AND exchange <> '' AND exchange IN (SELECT value FROM json_each(?))",
        (scope_no, named),
    )
    connection.execute(
        "UPDATE list_items SET closed_by = 0, closed_name = '', closed_exchange = '', closed_origin = '' "
        "WHERE scope_no = ? AND closed_exchange <> '' AND closed_exchange IN (SELECT value FROM json_each(?))",
        (scope_no, named),
    )


def _revise(connection: sqlite3.Connection, _: Rooms, scope_no: int, at: Address, said: Exchange) -> None:
    """Take off what an edited message put on a list before and does not name now, and open what it closed."""
    name = name_message(at, said.message_id)
    connection.execute(
        "DELETE FROM list_items WHERE scope_no = ? AND origin >= ? AND origin < ? AND exchange NOT IN ('', ?)",
        (scope_no, f"{name}:", f"{name};", said.uid),
    )
    connection.execute(
        f"UPDATE list_items SET {_OPEN} WHERE scope_no = ? AND closed_exchange <> '' AND closed_exchange <> ? "  # noqa: S608 - our own text
        "AND closed_origin = ?",
        (scope_no, said.uid, name),
    )


def _drop(connection: sqlite3.Connection, scope_no: int, key: str) -> int:
    return _delete(connection, [int(key)]) if key.isdecimal() and int(key) >> 32 == scope_no else 0


ROOM: Final = Room(
    "lists",
    (
        Table("list_numbers", why="numbers that are never given again"),
        Table("list_items", ranged="id", shown="list entries", held=ALL_ROWS, restored=True, spare=ALL_ROWS),
    ),
    file="lists",
    forget=_forget,
    revise=_revise,
    look=partial(look_up_untold, room="lists", table="list_items", columns=_LOOKED_AT),
    drop=_drop,
    repair=partial(repair_numbers, numbers="list_numbers", rows="list_items"),
)
