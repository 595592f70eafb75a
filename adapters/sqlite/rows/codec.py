"""Journal payloads and traces as JSON: written once, read back as the same frozen data.

Traces are deflated, because they repeat the texts of every memory that a model was shown: 1.5 KB become 0.6 KB.

Everything that people wrote passes :func:`~bot.memory.sanitise.clean` here, because neither SQLite nor JSON can hold a
lone surrogate.

Numbers for scopes and for the rows that belong to them, and single values of the whole store by name.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeVar, cast

import orjson
from pydantic import TypeAdapter

from bot.errors import Corrupt
from bot.memory.items import Recalled
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import InboundMessage
from bot.turn import Trace

T = TypeVar("T")

_BITS: Final = 32


def get_id_range(scope_no: int) -> tuple[int, int]:
    """Return the first and last possible id of a scope's rows, both inclusive."""
    return scope_no << _BITS, (scope_no + 1 << _BITS) - 1


def list_scope_tags(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the tags of all scopes, in the order of their first use."""
    return tuple(list_column(connection, "SELECT tag FROM scopes ORDER BY no"))


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
    """A scope's number, how often something of it was erased, and the number of its newest exchange.

    ``there`` is the id of the exchange that was asked about, ``None`` if it is not stored.
    """

    no: int
    epoch: int
    newest: int
    there: int | None


_SCOPE: Final = (
    "SELECT no, epoch, exchange_seq, (SELECT id FROM exchanges WHERE scope_no = no AND uid = ?) "
    "FROM scopes WHERE tag = ?"
)


def ask_scope(connection: sqlite3.Connection, scope: Scope, uid: str) -> sqlite3.Cursor:
    """Ask for what :func:`take_scope` returns, so that it comes together with what else is asked before."""
    return connection.execute(_SCOPE, (uid, scope.tag))


def take_scope(connection: sqlite3.Connection, scope: Scope, asked: sqlite3.Cursor) -> ScopeRow:
    """Return what was asked for, giving the scope its number the first time."""
    row = asked.fetchone()
    return ScopeRow(*row) if row is not None else ScopeRow(ensure_scope(connection, scope), 0, 0, None)


def take_exchange_id(connection: sqlite3.Connection, scope_no: int, newest: int | None = None) -> int:
    """Return an id that no exchange of this scope ever had, not even an erased one.

    ``newest`` is the number of the newest one where this transaction has read it: then nothing is waited for.
    """
    if newest is not None:
        connection.execute("UPDATE scopes SET exchange_seq = ? WHERE no = ?", (newest + 1, scope_no))
        return scope_no << _BITS | newest + 1
    return _take_next(connection, "exchange_seq", scope_no)


def take_item_id(connection: sqlite3.Connection, scope_no: int) -> int:
    """Return an id that no item of this scope ever had."""
    return _take_next(connection, "item_seq", scope_no)


def _take_next(connection: sqlite3.Connection, counter: str, scope_no: int) -> int:
    statement = f"UPDATE scopes SET {counter} = {counter} + 1 WHERE no = ? RETURNING {counter}"  # noqa: S608 - our own text
    return scope_no << _BITS | int(connection.execute(statement, (scope_no,)).fetchone()[0])


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


Row = tuple[Any, ...]  # Any: column values
Json = dict[str, Any]  # Any: JSON, checked by the constructors it goes into
_FAST = 1
"""The level of zlib that costs least; the others make a trace a few percent smaller."""
_TOLD: Final = tuple(each.name for each in fields(Recalled) if each.name not in {"before", "changing", "vector"})


def utc_now() -> datetime:
    """Return the aware current time; nothing is ordered by it."""
    return datetime.now(UTC)


def split_time(at: datetime) -> tuple[float, int]:
    """Return seconds since 1970 (UTC) and the offset in minutes that the clock showed; naive times count as UTC."""
    aware = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    offset = aware.utcoffset() or timedelta()
    return aware.timestamp(), int(offset.total_seconds() // 60)


_FIRST = datetime(2, 1, 1, tzinfo=UTC).timestamp()
_LAST = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
"""Beyond these a time cannot be told in every zone, nor the month before or after it."""


def read_seconds(seconds: float) -> float:
    """Return stored seconds since 1970; 0 for what can be no time: one damaged bit makes a year of 10**200."""
    return seconds if _FIRST <= seconds < _LAST else 0.0


@lru_cache(maxsize=1024)
def join_time(seconds: float, offset: int = 0) -> datetime:
    """Return the aware time that :func:`split_time` took apart; the beginning of 1970 for what can be no time."""
    try:
        return datetime.fromtimestamp(read_seconds(seconds), timezone(timedelta(minutes=offset)) if offset else UTC)
    except (ValueError, OverflowError):  # an offset of more than a day
        return datetime.fromtimestamp(0, UTC)


def clean_texts(value: T) -> T:
    """Return a message, an exchange or a memory as it can be stored: every text of it, and of its parts, cleaned."""
    kept: Any = value  # Any: a text, a tuple or a frozen dataclass, which keeps its type
    if type(kept) is str:
        kept = clean(kept)
    elif type(kept) is tuple:
        kept = tuple([clean_texts(each) for each in kept])
    elif is_dataclass(kept):
        texts = {each.name: getattr(kept, each.name) for each in fields(kept)}
        changed = {name: cleaned for name, text in texts.items() if (cleaned := clean_texts(text)) is not text}
        kept = replace(cast("Any", kept), **changed) if changed else kept
    return cast("T", kept)


def dump_list(values: Iterable[int] | Iterable[str]) -> str:
    """Return a list as a statement takes it: ``IN (SELECT value FROM json_each(?))``."""
    return orjson.dumps(list(values)).decode()


def list_column(connection: sqlite3.Connection, query: str, *values: object) -> list[Any]:  # Any: a column's values
    """Return what the one column of a query holds, row by row."""
    return [value for (value,) in connection.execute(query, values).fetchall()]


def insert_row(connection: sqlite3.Connection, table: str, columns: Mapping[str, object]) -> None:
    """Store a row of a table: values by column."""
    names = ", ".join(columns)
    marks = ", ".join(f":{name}" for name in columns)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", columns)  # noqa: S608 - our own names


def dump_message(message: InboundMessage) -> bytes:
    """Return a cleaned message as JSON."""
    return orjson.dumps(message)


@cache
def _shape(kind: type[Any]) -> TypeAdapter[Any]:  # Any: InboundMessage or Trace
    """Return what reads JSON as a dataclass; made at the first use, in some milliseconds."""
    return TypeAdapter(kind)


def load_message(payload: bytes) -> InboundMessage:
    """Return the message; raises :class:`~bot.errors.Corrupt` for a payload that is none."""
    try:
        message: InboundMessage = _shape(InboundMessage).validate_json(payload)
    except ValueError as error:
        raise Corrupt("a journal entry cannot be read; it is kept for the operator") from error
    return message


def dump_trace(trace: Trace) -> bytes:
    """Return a trace as deflated JSON: of its memories what explains them."""
    told = {
        "memories": [{name: clean_texts(getattr(one, name)) for name in _TOLD} for one in trace.memories],
        "notes": clean_texts(trace.notes),
        "durations_ms": trace.durations_ms,
        "figures": trace.figures,
    }
    return zlib.compress(orjson.dumps(told, default=dict, option=orjson.OPT_SERIALIZE_NUMPY), _FAST)


def load_trace(payload: bytes | None) -> Trace:
    """Return the trace, an empty one for ``None`` or for something unreadable: /why explains what it can."""
    if payload is None:
        return Trace()
    try:
        trace: Trace = _shape(Trace).validate_json(zlib.decompress(payload))
    except (ValueError, zlib.error):
        return Trace(notes=("the trace of this answer cannot be read",))
    return trace
