"""Rows of exchanges, and the hook of the indexes that are kept exact with them."""

import sqlite3
from typing import Final, Protocol

import orjson

from adapters.sqlite.rows.codec import (
    Json,
    Row,
    get_id_range,
    insert_row,
    join_time,
    read_meta,
    split_time,
    take_exchange_id,
    write_meta,
)
from bot.memory.items import PASSED_ON, Origin, Part, Trust
from bot.memory.sanitise import flatten, is_quoted
from bot.memory.scope import Scope
from bot.memory.speakers import ANOTHERS, fold_name, list_shared, show_name
from bot.messages import Author
from bot.turn import Exchange, SaidIn

_COLUMNS: Final = (
    "id, uid, session_id, author_id, author_name, trust, user_text, assistant_text, said_at, said_offset, skill, "
    "synthetic, message_id, echo, parts, answer_trust, messages"
)
_AUTHORS: Final = (
    "SELECT DISTINCT author_id, author_name FROM (SELECT author_id, author_name FROM exchanges "
    "WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 5000) AS newest"
)

_PARTS: Final = 100
"""By how many the numbers of an album's messages, or of a split paste's, may differ at most."""
_TOLD: Final = (
    "SELECT exchanges.id, message_id, messages, replaced_by FROM places JOIN exchanges ON place_no = places.no "
    "WHERE key = ? AND message_id BETWEEN ? AND ? AND message_id <> 0 AND (message_id = ? OR messages <> '[]') "
    "ORDER BY exchanges.id DESC"
)


def select_exchanges(rest: str, *more: str) -> str:
    """Return a SELECT of what :func:`load_exchange` reads, then ``more`` columns: for constants, never for values."""
    return f"SELECT {', '.join((_COLUMNS, *more))} FROM exchanges {rest}"  # noqa: S608 - called with constants alone


def load_exchange(scope: Scope, row: Row) -> Exchange:
    """Return the exchange of a row of :func:`select_exchanges`: whose words its text is, its parts say."""
    typed, parts = load_parts(row[14], row[6])
    return Exchange(
        scope=scope,
        id=row[0],
        uid=row[1],
        session_id=row[2],
        author=Author(row[3], row[4], Trust(row[5])),
        user_text=typed,
        assistant_text=row[7],
        said_at=join_time(row[8], row[9]),
        skill=row[10],
        synthetic=bool(row[11]),
        message_id=row[12],
        echo=bool(row[13]),
        parts=parts,
        answer_trust=Trust(row[15]),
        messages=load_messages(row[16]),
    )


def dump_parts(exchange: Exchange) -> str:
    """Return the parts of a cleaned exchange as JSON; what of its row's text is another's is not repeated.

    "behind" is how many characters of that text its author typed, before what they pasted.
    """
    forwarded = exchange.forwarded
    parts = [part for part in exchange.parts if part.origin not in PASSED_ON]
    written = [{**_dump_part(part), "text": part.text} for part in parts]
    if forwarded is not None:
        pasted = forwarded.origin is Origin.PASTED
        own: Json = {"behind": len(exchange.user_text)} if pasted else {"text": forwarded.text}
        own = own if exchange.user_text else {}
        written.append({**_dump_part(forwarded), **own})
    return orjson.dumps(written).decode()


def load_parts(written: str, text: str) -> tuple[str, tuple[Part, ...]]:
    """Return what was typed and the parts of a row with ``text``; a damaged list makes all of it outside text."""
    if written == "[]":  # most rows, and a history has hundreds
        return text, ()
    try:
        fields: list[Json] = orjson.loads(written)
        parts = tuple(
            Part(
                Origin(each["origin"]),
                each["text"] if "text" in each else text[each.get("behind", 0) :].removeprefix("\n\n"),
                each["author"],
                each["author_id"],
                Trust(each["trust"]),
            )
            for each in fields
        )
        own = min((each.get("behind", 0) for each in fields if "text" not in each), default=len(text))
    except (ValueError, TypeError, KeyError, AttributeError):
        return "", (Part(Origin.FORWARDED, text, trust=Trust.TOOL),)
    return text[:own], parts


def dump_messages(messages: tuple[SaidIn, ...]) -> str:
    """Return what each message of an exchange says as JSON."""
    return orjson.dumps(messages).decode()


def load_messages(written: str) -> tuple[SaidIn, ...]:
    """Return what each message says; nothing where that is damaged: the exchange has all of it."""
    if written == "[]":  # most rows, as above
        return ()
    try:
        return tuple(SaidIn(**each) for each in orjson.loads(written))
    except (ValueError, TypeError):
        return ()


def _dump_part(part: Part) -> Json:
    return {"origin": part.origin.value, "author": part.author, "author_id": part.author_id, "trust": int(part.trust)}


def find_exchange(connection: sqlite3.Connection, scope_no: int, uid: str) -> int | None:
    """Return an exchange's id by its name within the scope."""
    row = connection.execute("SELECT id FROM exchanges WHERE scope_no = ? AND uid = ?", (scope_no, uid)).fetchone()
    return None if row is None else int(row[0])


_BEFORE: Final = (
    "SELECT coalesce(now.user_text, old.user_text), old.author_id, old.said_at, old.id FROM exchanges AS old "
    "LEFT JOIN exchanges AS now ON now.id = old.replaced_by WHERE old.session_id = (SELECT session_id FROM exchanges "
    "WHERE id = ?1) AND old.id < ?1 AND old.synthetic = 0 AND old.said_at <= ?3 AND (old.replaced_by IS NULL OR "
    "now.id > ?1 AND now.id <> ?2 AND now.replaced_by IS NULL) ORDER BY old.id DESC LIMIT 1"
)
"""What was edited stands in its place as it is now, but for earlier versions of what is asked about."""
_FIRST: Final = (
    "SELECT id, said_at FROM exchanges WHERE replaced_by = ?1 AND id < ?1 AND author_id = ?2 ORDER BY id LIMIT 1"
)
_REPLY: Final = "SELECT author_id, author_name, parts FROM exchanges WHERE id = ?"
_LATELY: Final = (
    "SELECT author_id, author_name, user_text, assistant_text FROM exchanges WHERE id < ?1 AND id > ?1 - 100 AND "
    "session_id = (SELECT session_id FROM exchanges WHERE id = ?1) ORDER BY id DESC"
)
_REPLIES: Final = (
    "SELECT said.user_text, reply.id, reply.user_text, reply.parts FROM exchanges AS said JOIN exchanges AS reply "
    "ON reply.id > said.id AND reply.id < said.id + 100 AND reply.session_id = said.session_id WHERE said.id = ? "
    "AND reply.author_id <> said.author_id AND reply.replaced_by IS NULL AND reply.synthetic = 0 "
    "AND reply.parts LIKE '%\"quoted\"%' ORDER BY reply.id"
)
"""Replies are looked for among the next hundred messages."""
_MOST_QUOTED: Final = 240
"""Characters of a message that are told with a reply to it."""
_SOON_S: Final = 3600.0
"""Seconds within which somebody goes on about what they said before."""
_BACK: Final = 3
"""Messages that may each need the one before."""


def read_before(connection: sqlite3.Connection, number: int, author_id: int, said_at: float, text: str) -> str:
    """Return what the author of an exchange said right before it, where its text says nothing without that; else ""."""
    from bot.memory.answering.utterances import (  # noqa: PLC0415 - brings numpy, which no command line needs
        end_sentence,
        leans_back,
    )

    told, own = list[str](), number
    if leans_back(text) and (quoted := _read_quoted(connection, number)) is not None:
        return quoted
    while leans_back(text) and (first := connection.execute(_FIRST, (number, author_id)).fetchone()) is not None:
        number, said_at = first  # it was put in the place of that
    while leans_back(text):
        row = connection.execute(_BEFORE, (number, own, said_at)).fetchone() if len(told) < _BACK else None
        if row is None or row[1] != author_id or said_at - row[2] > _SOON_S:
            return ""
        if not leans_back(text, row[0]):
            break
        text, _, said_at, number = row
        told.append(text)
    return " ".join(map(end_sentence, reversed(told)))


def _read_quoted(connection: sqlite3.Connection, number: int) -> str | None:
    """Return what an exchange replies to, another's with whose it is; ``None`` for no reply to anybody but us."""
    *who, written = connection.execute(_REPLY, (number,)).fetchone() or (0, "", "[]")
    quoted = next((part for part in load_parts(written, "")[1] if part.origin is Origin.QUOTED), None)
    if quoted is None:
        return None
    lately = connection.execute(_LATELY, (number,)).fetchall()
    of = next((row for row in lately if is_quoted(quoted.text, row[2])), None)
    if of is not None and list(of[:2]) == who:
        return str(of[2])
    if of is None and any(is_quoted(quoted.text, answer) for *_, answer in lately):
        return None
    name = show_name(quoted.author if of is None else of[1])
    if of is not None and fold_name(of[1]) in list_shared((tuple(who), *(row[:2] for row in lately))):
        name = f"{name} #{of[0]}"
    return f"{ANOTHERS}{name}: {flatten(quoted.text, _MOST_QUOTED)}"


def list_replies(connection: sqlite3.Connection, number: int) -> list[int]:
    """Return the exchanges that reply to what another said in an exchange and say nothing without that, by id."""
    from bot.memory.answering.utterances import leans_back  # noqa: PLC0415 - as above

    found = []
    for said, reply, text, written in connection.execute(_REPLIES, (number,)):
        quoted = (part.text for part in load_parts(written, "")[1] if part.origin is Origin.QUOTED)
        if any(is_quoted(each, said) for each in quoted) and leans_back(text, said):
            found.append(reply)
    return found


def insert_exchange(
    connection: sqlite3.Connection,
    scope_no: int,
    place_no: int,
    exchange: Exchange,
    source: str,
    newest: int | None = None,
) -> int:
    """Store a cleaned exchange and return its id; ``source`` names its document, "" without one.

    ``newest`` is as in :func:`take_exchange_id`.
    """
    exchange_id = take_exchange_id(connection, scope_no, newest)
    said_at, offset = split_time(exchange.said_at)
    columns = {
        "id": exchange_id,
        "scope_no": scope_no,
        "uid": exchange.uid,
        "session_id": exchange.session_id,
        "place_no": place_no,
        "message_id": exchange.message_id,
        "author_id": exchange.author.id,
        "author_name": exchange.author.name,
        "trust": int(exchange.author.trust),
        "user_text": exchange.said,
        "assistant_text": exchange.assistant_text,
        "said_at": said_at,
        "said_offset": offset,
        "skill": exchange.skill,
        "synthetic": exchange.synthetic,
        "echo": exchange.echo,
        "source": source,
        "parts": dump_parts(exchange),
        "answer_trust": int(exchange.answer_trust),
        "messages": dump_messages(exchange.messages),
    }
    insert_row(connection, "exchanges", columns)
    return exchange_id


def list_revised(
    connection: sqlite3.Connection, scope_no: int, place_no: int, message_id: int
) -> list[tuple[int, str, str]]:
    """Return id, uid and document of the current versions of a message."""
    low, high = get_id_range(scope_no)
    return connection.execute(
        "SELECT id, uid, source FROM exchanges WHERE place_no = ? AND message_id = ? AND id BETWEEN ? AND ? "
        "AND replaced_by IS NULL ORDER BY id",
        (place_no, message_id, low, high),
    ).fetchall()


def list_told(
    connection: sqlite3.Connection, key: str, message_id: int
) -> tuple[tuple[int, tuple[SaidIn, ...], bool], ...]:
    """Return the exchanges of a place that a message is a part of, the newest first.

    Of each its id, what each of its messages says, and whether no edit has put another in its place.
    """
    rows = connection.execute(_TOLD, (key, max(1, message_id - _PARTS), message_id + _PARTS, message_id)).fetchall()
    read = [(number, first, load_messages(written), replaced is None) for number, first, written, replaced in rows]
    return tuple(
        (number, said, current)
        for number, first, said, current in read
        if first == message_id or any(each.message_id == message_id for each in said)
    )


_FOLLOWING: Final = select_exchanges(
    "JOIN scopes ON scopes.no = scope_no WHERE id > ? AND synthetic = 0 AND replaced_by IS NULL ORDER BY id LIMIT ?",
    "scopes.tag",
)


def take_following(connection: sqlite3.Connection, name: str, rules: int, limit: int) -> list[Exchange]:
    """Return the next exchanges that what is kept under ``name`` was not made of by these ``rules``; [] at the end.

    For exchanges that were stored before it was kept, or by other rules.  It goes on where it was broken off.
    """
    version, _, upto = (read_meta(connection, name) or "").partition(" ")
    after = upto if version == str(rules) else "0"
    if after == _ALL:
        return []
    rows = connection.execute(_FOLLOWING, (int(after) if after.isdecimal() else 0, limit)).fetchall()
    write_meta(connection, name, f"{rules} {rows[-1][0] if rows else _ALL}")
    return [load_exchange(Scope(tag), tuple(columns)) for *columns, tag in rows]


_ALL: Final = "all"


def list_authors(connection: sqlite3.Connection, scope_no: int) -> tuple[tuple[int, str], ...]:
    """Return ids and names of the authors of a scope's newest exchanges: 4 ms in a group."""
    return tuple(connection.execute(_AUTHORS, get_id_range(scope_no)).fetchall())


class ExchangeIndex(Protocol):
    """An index over exchanges, such as the search over verbatim turns.

    Called on the writer's thread, inside the transaction that adds or removes the exchanges.

    Whatever it writes is committed or rolled back with them.  It must use nothing but ``connection`` and may be called
    again for the same exchange when a transaction is repeated.
    """

    def add(self, connection: sqlite3.Connection, scope_no: int, exchange_id: int, exchange: Exchange) -> None:
        """Index an exchange that was stored in this transaction; ``exchange_id`` is ``scope_no << 32 | seq``.

        Not called for synthetic exchanges: they are history, nothing to be found.
        """

    def remove(self, connection: sqlite3.Connection, scope_no: int, exchange_ids: tuple[int, ...]) -> None:
        """Forget exchanges that are erased or were replaced by an edit; ids that were never added are harmless."""

    def reword(self, connection: sqlite3.Connection, scope_no: int, was: Exchange, now: Exchange) -> None:
        """Index an exchange whose texts have changed; what is made of texts that are the same may stay as it is.

        Not called for synthetic exchanges.
        """
