"""Journal payloads and traces as JSON: written once, read back as the same frozen data.

Traces are deflated, because they repeat the texts of every memory that a model was shown: 1.5 KB become 0.6 KB.

Everything that people wrote passes :func:`~bot.memory.sanitise.clean` here, because neither SQLite nor JSON can hold a
lone surrogate.

Numbers for scopes and for the rows that belong to them, and single values of the whole store by name.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import orjson

from bot.errors import Corrupt
from bot.files import InboundFile
from bot.memory.items import Channel, DocumentPlace, Recalled, Trust
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import Address, Author, ChatKind, InboundMessage, MessageKind, Quote
from bot.turn import Trace

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


Row = tuple[Any, ...]  # Any: column values
Json = dict[str, Any]  # Any: JSON, checked by the constructors it goes into
_FAST = 1
"""The level of zlib that costs least; the others make a trace a few percent smaller."""


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


def join_time(seconds: float, offset: int = 0) -> datetime:
    """Return the aware time that :func:`split_time` took apart; the beginning of 1970 for what can be no time."""
    try:
        return datetime.fromtimestamp(read_seconds(seconds), timezone(timedelta(minutes=offset)) if offset else UTC)
    except (ValueError, OverflowError):  # an offset of more than a day
        return datetime.fromtimestamp(0, UTC)


def clean_message(message: InboundMessage) -> InboundMessage:
    """Return the message as it can be stored."""
    quote = message.quote
    return replace(
        message,
        author=replace(message.author, name=clean(message.author.name)),
        text=clean(message.text),
        quote=None if quote is None else replace(quote, text=clean(quote.text), author=clean(quote.author)),
        forwarded_from=None if message.forwarded_from is None else clean(message.forwarded_from),
        attachment=None if message.attachment is None else clean(message.attachment),
        file_name=clean(message.file_name),
        file=None if message.file is None else _clean_file(message.file),
        group_id=None if message.group_id is None else clean(message.group_id),
        language=clean(message.language),
    )


def _clean_file(file: InboundFile) -> InboundFile:
    return replace(
        file, id=clean(file.id), kind=clean(file.kind), name=clean(file.name), media_type=clean(file.media_type)
    )


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


def load_message(payload: bytes) -> InboundMessage:
    """Return the message; raises :class:`~bot.errors.Corrupt` for a payload that is none."""
    try:
        fields: Json = orjson.loads(payload)
        fields["address"] = Address(**fields["address"])
        fields["author"] = Author(**{**fields["author"], "trust": Trust(fields["author"]["trust"])})
        fields["sent_at"] = datetime.fromisoformat(fields["sent_at"])
        fields["chat_kind"] = ChatKind(fields["chat_kind"])
        fields["kind"] = MessageKind(fields["kind"])
        fields["quote"] = Quote(**fields["quote"]) if fields["quote"] else None
        fields["file"] = InboundFile(**fields["file"]) if fields.get("file") else None
        fields["namesakes"] = tuple(fields.get("namesakes", ()))
        return InboundMessage(**fields)
    except (ValueError, TypeError, KeyError) as error:
        raise Corrupt("a journal entry cannot be read; it is kept for the operator") from error


def dump_trace(trace: Trace) -> bytes:
    """Return a trace as deflated JSON."""
    memories = [{**_dump_recalled(memory), "signals": dict(memory.signals.items())} for memory in trace.memories]
    written = orjson.dumps(
        {
            "memories": memories,
            "notes": [clean(note) for note in trace.notes],
            "durations_ms": dict(trace.durations_ms),
            "figures": dict(trace.figures),
        },
        option=orjson.OPT_SERIALIZE_NUMPY,
    )
    return zlib.compress(written, _FAST)


def load_trace(payload: bytes | None) -> Trace:
    """Return the trace, an empty one for ``None`` or for something unreadable: /why explains what it can.

    Traces of earlier versions are plain JSON.
    """
    if payload is None:
        return Trace()
    try:
        fields: Json = orjson.loads(payload if payload.startswith(b"{") else zlib.decompress(payload))
        return Trace(
            memories=tuple(_load_recalled(memory) for memory in fields["memories"]),
            notes=tuple(fields["notes"]),
            durations_ms=MappingProxyType(fields["durations_ms"]),
            figures=MappingProxyType(fields["figures"]),
        )
    except (ValueError, TypeError, KeyError, zlib.error):
        return Trace(notes=("the trace of this answer cannot be read",))


def _dump_recalled(memory: Recalled) -> Json:
    return {
        "key": clean(memory.key),
        "text": clean(memory.text),
        "channel": memory.channel.value,
        "score": memory.score,
        "author": clean(memory.author),
        "author_id": memory.author_id,
        "role": memory.role,
        "said_at": memory.said_at,
        "exchange": memory.exchange,
        "trust": int(memory.trust),
        "forwarder": clean(memory.forwarder),
        "forwarder_id": memory.forwarder_id,
        **({} if memory.place is None else {"place": _dump_place(memory.place)}),
    }


def _dump_place(place: DocumentPlace) -> Json:
    return {"uid": place.uid, "name": clean(place.name), "headings": place.headings, "page": place.page}


def _load_place(fields: Json | None) -> DocumentPlace | None:
    return None if fields is None else DocumentPlace(**{**fields, "headings": tuple(fields["headings"])})


def _load_recalled(fields: Json) -> Recalled:
    said_at = fields["said_at"]
    return Recalled(
        **{
            **fields,
            "channel": Channel(fields["channel"]),
            "said_at": datetime.fromisoformat(said_at) if said_at else None,
            "signals": MappingProxyType(fields["signals"]),
            "trust": Trust(fields.get("trust", Trust.FILE)),
            "place": _load_place(fields.get("place")),
        }
    )
