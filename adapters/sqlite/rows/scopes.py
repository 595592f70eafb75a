"""Numbers for scopes and for the rows that belong to them, and single values of the whole store by name."""

import sqlite3
from typing import Final, NamedTuple

from bot.memory.scope import Scope

_BITS: Final = 32


def get_id_range(scope_no: int) -> tuple[int, int]:
    """Return the first and last possible id of a scope's rows, both inclusive."""
    return scope_no << _BITS, (scope_no + 1 << _BITS) - 1


def list_scope_tags(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the tags of all scopes, in the order of their first use."""
    return tuple(tag for (tag,) in connection.execute("SELECT tag FROM scopes ORDER BY no"))


def find_scope(connection: sqlite3.Connection, scope: Scope) -> int:
    """Return a scope's number; while nothing of it was stored one below 0, which no row has."""
    row = connection.execute("SELECT no FROM scopes WHERE tag = ?", (scope.tag,)).fetchone()
    if row is None:
        return -1
    if (keep_within := getattr(connection, "keep_within", None)) is not None:  # the second wall: PostgreSQL has one
        keep_within(row[0])
    return int(row[0])


def find_range(connection: sqlite3.Connection, scope: Scope) -> tuple[int, int]:
    """Return the first and last possible id of a scope's rows, of which there are none while nothing was stored."""
    return get_id_range(find_scope(connection, scope))


def ensure_scope(connection: sqlite3.Connection, scope: Scope) -> int:
    """Return a scope's number, giving it one the first time."""
    found = find_scope(connection, scope)
    if found >= 0:
        return found
    (number,) = connection.execute("INSERT INTO scopes (tag) VALUES (?) RETURNING no", (scope.tag,)).fetchone()
    return int(number)


class ScopeRow(NamedTuple):
    """A scope's number, how often something of it was erased, and the number of its newest exchange."""

    no: int
    epoch: int
    newest: int


def ask_scope(connection: sqlite3.Connection, scope: Scope) -> sqlite3.Cursor:
    """Ask for what :func:`take_scope` returns, so that it comes together with what else is asked before."""
    return connection.execute("SELECT no, epoch, exchange_seq FROM scopes WHERE tag = ?", (scope.tag,))


def take_scope(connection: sqlite3.Connection, scope: Scope, asked: sqlite3.Cursor) -> ScopeRow:
    """Return what was asked for, giving the scope its number the first time."""
    row = asked.fetchone()
    return ScopeRow(*row) if row is not None else ScopeRow(ensure_scope(connection, scope), 0, 0)


def take_exchange_id(connection: sqlite3.Connection, scope_no: int) -> int:
    """Return an id that no exchange of this scope ever had, not even an erased one."""
    row = connection.execute(
        "UPDATE scopes SET exchange_seq = exchange_seq + 1 WHERE no = ? RETURNING exchange_seq", (scope_no,)
    ).fetchone()
    return scope_no << _BITS | int(row[0])


def take_item_id(connection: sqlite3.Connection, scope_no: int) -> int:
    """Return an id that no item of this scope ever had."""
    row = connection.execute(
        "UPDATE scopes SET item_seq = item_seq + 1 WHERE no = ? RETURNING item_seq", (scope_no,)
    ).fetchone()
    return scope_no << _BITS | int(row[0])


def take_id(connection: sqlite3.Connection, numbers: str, scope_no: int) -> int:
    """Return an id that no row of this scope ever had, by the last one that a table ``numbers`` holds for each."""
    (number,) = connection.execute(
        f"INSERT INTO {numbers} VALUES (?, 1) ON CONFLICT (scope_no) DO UPDATE "  # noqa: S608 - our own text
        f"SET last = {numbers}.last + 1 RETURNING last",
        (scope_no,),
    ).fetchone()
    return scope_no << _BITS | int(number)


def repair_numbers(connection: sqlite3.Connection, numbers: str, rows: str) -> None:
    """Let such a table hold no less than the ids of the ``rows`` that it numbers."""
    connection.execute(
        f"INSERT INTO {numbers} SELECT scope_no, max(id & 4294967295) FROM {rows} GROUP BY scope_no "  # noqa: S608 - our own text
        f"ON CONFLICT (scope_no) DO UPDATE SET last = max({numbers}.last, excluded.last)"
    )


CLEAN_DUE: Final = "clean"
"""The mark of a file that holds bytes of what was erased."""
MOVING: Final = "moving"
"""The mark of a store into which another is being moved: it is not whole yet."""
REBUILD_DUE: Final = "rebuild"
"""The mark of a recovered file whose search indexes are still to be derived again."""


def read_meta(connection: sqlite3.Connection, key: str) -> str | None:
    """Return the value under a name, ``None`` if there is none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def write_meta(connection: sqlite3.Connection, key: str, value: str = "due") -> None:
    """Store a value under a name, in place of an earlier one."""
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )


def delete_meta(connection: sqlite3.Connection, key: str) -> None:
    """Forget a name and its value."""
    connection.execute("DELETE FROM meta WHERE key = ?", (key,))
