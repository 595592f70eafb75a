"""Finds what an erase touches, and what else repeats it: answers, quotations, forwards, other turns' traces."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from adapters.sqlite.erasure.tombstones import Tombstone
from adapters.sqlite.rows.codec import (
    dump_list,
    dump_trace,
    find_range,
    find_scope,
    get_id_range,
    list_column,
    load_message,
    load_trace,
)
from adapters.sqlite.rows.documents import list_documents_named
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from bot.errors import Corrupt
from bot.memory.items import Channel, Origin, Part, Recalled
from bot.memory.learning.retraction import Echo, echo_of, repeats, without
from bot.memory.scope import Scope, ScopeKind, build_scope
from bot.ports.eraser import ErasureTarget
from bot.turn import Exchange

_UNATTRIBUTED: Final = frozenset({Channel.ENTITY, Channel.RELATION, Channel.CHUNK})


def read_last_numbers(connection: sqlite3.Connection, scope: Scope) -> tuple[int, int, int]:
    """Return the newest number of an exchange, of an item and of a document that a scope has given."""
    row = connection.execute(
        "SELECT exchange_seq, item_seq, coalesce(document_seq, 0) FROM scopes "
        "LEFT JOIN document_numbers ON scope_no = no WHERE tag = ?",
        (scope.tag,),
    ).fetchone()
    return (0, 0, 0) if row is None else (row[0], row[1], row[2])


def list_present(connection: sqlite3.Connection, scope_no: int, item_ids: tuple[int, ...]) -> tuple[int, ...]:
    """Return those of these items that a scope still has."""
    query = "SELECT id FROM items WHERE scope_no = ? AND id IN (SELECT value FROM json_each(?))"
    present = list_column(connection, query, scope_no, dump_list(item_ids))
    return tuple(item_id for item_id in item_ids if item_id in present)


def list_sources(connection: sqlite3.Connection, item_ids: tuple[int, ...]) -> tuple[str, ...]:
    """Return the names of all exchanges that said any of these items."""
    query = "SELECT exchange FROM item_sources WHERE item_id = ?"
    return tuple(dict.fromkeys(uid for item_id in item_ids for uid in list_column(connection, query, item_id)))


def is_erase_pending(connection: sqlite3.Connection, scope_no: int) -> bool:
    """Whether long-term memory has not confirmed every erase of this scope."""
    query = "SELECT 1 FROM outbox WHERE scope_no = ? AND erase = 1 AND dead = 0"
    return connection.execute(query, (scope_no,)).fetchone() is not None


_NAMED: Final = (
    "SELECT id, uid, source FROM exchanges WHERE scope_no = ? AND uid IN (SELECT value FROM json_each(?)) ORDER BY id"
)
_ALL_NAMED: Final = "SELECT id, uid, source FROM exchanges WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
_BEFORE_OR_BESIDE: Final = (
    "SELECT id FROM exchanges WHERE +scope_no = ?1 AND replaced_by IN (SELECT value FROM json_each(?2)) UNION "
    "SELECT other.id FROM exchanges AS this JOIN exchanges AS other ON other.place_no = this.place_no "
    "AND other.message_id = this.message_id AND other.message_id <> 0 "
    "WHERE this.id IN (SELECT value FROM json_each(?2)) AND +other.scope_no = ?1"
)
"""What exchanges replaced, and what else the same message has told: by an edit, or before one that was refused."""
_PUT_RIGHT: Final = (
    "SELECT replaced_by FROM exchanges WHERE id IN (SELECT value FROM json_each(?)) AND replaced_by IS NOT NULL"
)
"""What words have put in the place of versions of a message, which was edited since."""


def list_versions(connection: sqlite3.Connection, scope_no: int, uids: Sequence[str]) -> list[tuple[int, str, str]]:
    """Return id, uid and document of exchanges, with all that they replaced, and every version of the same message.

    What holds in the place of those that are named stays; that of other versions went with the edit.
    """
    named = connection.execute(_NAMED, (scope_no, dump_list(uids))).fetchall()
    found = {row[0] for row in named}
    asked, newest = found, found
    while newest:  # step by step: as one statement, neither database finds both ways by its indexes
        listed = dump_list(sorted(newest))
        right = connection.execute(_PUT_RIGHT, (dump_list(sorted(newest - asked)),)).fetchall()
        newest = {row[0] for row in (*connection.execute(_BEFORE_OR_BESIDE, (scope_no, listed)), *right)} - found
        found = found | newest
    if len(found) == len(named):
        return named
    rows = connection.execute(_ALL_NAMED, (dump_list(sorted(found)),)).fetchall()
    return [(row[0], row[1], row[2]) for row in rows]


def keep_own(connection: sqlite3.Connection, scope: Scope, named: ErasureTarget, author_id: int) -> ErasureTarget:
    """Return of what is named what this author said, and nothing that would take words of others along."""
    scope_no = find_scope(connection, scope)
    low, high = get_id_range(scope_no)

    def is_said(uids: Sequence[str]) -> bool:
        foreign = (
            "SELECT 1 FROM exchanges WHERE scope_no = ? AND uid IN (SELECT value FROM json_each(?)) AND author_id <> ?"
        )
        return connection.execute(foreign, (scope_no, dump_list(uids), author_id)).fetchone() is None

    own = "IN (SELECT value FROM json_each(?)) AND author_id = ?"
    noted = f"SELECT id FROM items WHERE id BETWEEN ? AND ? AND id {own}"  # noqa: S608 - our own text
    said = f"SELECT uid FROM exchanges WHERE scope_no = ? AND uid {own}"  # noqa: S608 - as above
    sent = f"SELECT uid FROM documents WHERE id BETWEEN ? AND ? AND uid {own}"  # noqa: S608 - as above
    items = list_column(connection, noted, low, high, dump_list(named.items), author_id)
    exchanges = list_column(connection, said, scope_no, dump_list(named.exchanges), author_id)
    files = list_column(connection, sent, low, high, dump_list(named.files), author_id)
    items = [item_id for item_id in items if is_said(list_sources(connection, (item_id,)))]
    return ErasureTarget(tuple(items), tuple(dict.fromkeys(exchanges)), files=tuple(files))


def list_older(connection: sqlite3.Connection, stone: Tombstone) -> tuple[tuple[str, ...], tuple[int, ...]] | None:
    """Return what a scope has up to a tombstone's numbers: exchanges and documents by uid, items by id.

    ``None`` when there is nothing newer.
    """
    low, high = find_range(connection, stone.scope)
    said, noted, filed = (low + number for number in stone.upto)
    (newer,) = connection.execute(
        "SELECT (SELECT count(*) FROM exchanges WHERE id > ? AND id <= ?) "
        "+ (SELECT count(*) FROM items WHERE id > ? AND id <= ?) "
        "+ (SELECT count(*) FROM documents WHERE id > ? AND id <= ?)",
        (said, high, noted, high, filed, high),
    ).fetchone()
    if not newer:
        return None
    named = (
        "SELECT uid FROM exchanges WHERE id BETWEEN ?1 AND ?2 UNION ALL SELECT uid FROM documents "
        "WHERE id BETWEEN ?1 AND ?3"
    )
    items = list_column(connection, "SELECT id FROM items WHERE id BETWEEN ? AND ?", low, noted)
    return tuple(list_column(connection, named, low, said, filed)), tuple(items)


def list_edited_since(connection: sqlite3.Connection, item_ids: Sequence[int], uids: Sequence[str]) -> set[int]:
    """Return those of these items that say something else by now, which stands in none of these exchanges."""
    query = (
        "SELECT id FROM items WHERE id IN (SELECT value FROM json_each(?)) AND source = 'edit' "
        "AND superseded_by IS NULL AND exchange NOT IN (SELECT value FROM json_each(?))"
    )
    return set(list_column(connection, query, dump_list(item_ids), dump_list(uids)))


def list_items(connection: sqlite3.Connection, scope_no: int, uids: Sequence[str]) -> list[int]:
    """Return the items, also superseded ones, that any of these exchanges said."""
    query = (
        "SELECT item_id FROM item_sources WHERE exchange IN (SELECT value FROM json_each(?)) "
        "AND item_id BETWEEN ? AND ? ORDER BY 1"
    )
    return list_column(connection, query, dump_list(uids), *get_id_range(scope_no))


def scrub_traces(connection: sqlite3.Connection, scope_no: int, uids: Sequence[str], item_ids: Sequence[int]) -> None:
    """Take memories out of other turns' traces: the erased ones, and graph texts that may hold a piece of them.

    ``uids`` are those of exchanges and of documents.
    """
    gone, keys = set(uids), {f"item:{item_id}" for item_id in item_ids}

    def kept(memory: Recalled) -> bool:
        if memory.channel in _UNATTRIBUTED and not memory.exchange:
            return False
        if memory.place is not None and memory.place.uid in gone:
            return False
        return memory.exchange not in gone and memory.key not in keys

    rows = connection.execute(
        "SELECT id, trace FROM traces WHERE id BETWEEN ? AND ?", get_id_range(scope_no)
    ).fetchall()
    for trace_id, payload in rows:
        trace = load_trace(payload)
        memories = tuple(memory for memory in trace.memories if kept(memory))
        if memories != trace.memories:
            connection.execute(
                "UPDATE traces SET trace = ? WHERE id = ?", (dump_trace(trace.using(memories)), trace_id)
            )


def restore_last_exchanges(connection: sqlite3.Connection, exchange_ids: Sequence[int]) -> None:
    """Let /why explain the newest turn that is left of the same scope and place."""
    for exchange_id in exchange_ids:
        connection.execute(
            "UPDATE places SET last_exchange = (SELECT max(id) FROM exchanges WHERE place_no = places.no "
            "AND id BETWEEN ? AND ?) WHERE last_exchange = ?",
            (*get_id_range(exchange_id >> 32), exchange_id),
        )


def forget_journal(connection: sqlite3.Connection, scope: Scope, scope_no: int) -> None:
    """Keep turns under way from bringing anything back, and drop the texts of messages of this scope set aside.

    A message that waits behind a running turn of its own place was written after it and is not touched: it may follow
    the very command that erases.
    """
    connection.execute(
        "INSERT INTO journal_erased SELECT id, ? FROM journal AS entry WHERE state = 0 AND NOT EXISTS ("
        "SELECT 1 FROM journal AS ahead WHERE ahead.state = 0 AND ahead.place = entry.place AND ahead.id < entry.id "
        "AND ahead.attempts > 0) ON CONFLICT DO NOTHING",
        (scope_no,),
    )
    rows = connection.execute(
        "SELECT id, payload, place IN (SELECT key FROM places WHERE no IN "
        "(SELECT DISTINCT place_no FROM exchanges WHERE scope_no = ?)) "
        "FROM journal WHERE state = 2 AND payload IS NOT NULL",
        (scope_no,),
    ).fetchall()
    for entry_id, payload, shared_place in rows:
        if shared_place or belongs_to_scope(payload, scope):
            connection.execute("UPDATE journal SET payload = NULL WHERE id = ?", (entry_id,))


def belongs_to_scope(payload: bytes, scope: Scope) -> bool:
    """Whether a message belongs to the scope under any of the rules that make scopes from ids."""
    try:
        message = load_message(payload)
    except Corrupt:
        return False
    address = message.address
    kinds = (ScopeKind.USER, ScopeKind.CHAT, ScopeKind.TOPIC)
    return scope in {
        build_scope(
            kind,
            platform=address.platform,
            user_id=message.author.id,
            chat_id=address.chat_id,
            topic_id=address.topic_id,
        )
        for kind in kinds
    }


_WORD: Final = re.compile(r"[^\W_]+")
_RUN: Final = 6
"""Words in a row that nobody writes by chance as a document has them."""
_BY_IDS: Final = select_exchanges("WHERE id IN (SELECT value FROM json_each(?))")
_CONTENTS: Final = "SELECT content FROM items WHERE id IN (SELECT value FROM json_each(?))"
_OTHERS: Final = select_exchanges(
    "WHERE id BETWEEN ? AND ? AND ((assistant_text <> '' AND id >= ?) OR parts <> '[]') "
    "AND id NOT IN (SELECT value FROM json_each(?))",
    "(SELECT trace FROM traces WHERE traces.id = exchanges.id)",
)
_ANSWERS: Final = (
    "SELECT id, user_text, assistant_text, (SELECT trace FROM traces WHERE traces.id = exchanges.id) FROM exchanges "
    "WHERE id BETWEEN ? AND ? AND assistant_text <> ''"
)


@dataclass(frozen=True, slots=True)
class QuotingExchanges:
    """Exchanges that repeat what is to be erased: in their answers, and in what came with them from somebody else.

    ``echo`` is what gives it away; ``near`` are the exchanges in which a name is enough for that.
    """

    echo: Echo = field(default_factory=lambda: echo_of(""))
    answers: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()
    near: frozenset[int] = frozenset()


def find_quoting_exchanges(
    connection: sqlite3.Connection, scope: Scope, scope_no: int, uids: tuple[str, ...], item_ids: tuple[int, ...]
) -> QuotingExchanges:
    """Return the exchanges that give away what is to be erased; ``uids`` may name documents, too.

    Of exchanges and items it is the later ones by their answers, and all by their parts.  Runs on a reader's thread: it
    looks through every later answer and every part of the scope.
    """
    quoting_files = _find_quoting_files(connection, scope_no, uids)
    rows = list_versions(connection, scope_no, uids)
    items = (*list_items(connection, scope_no, [row[1] for row in rows]), *item_ids)
    noted = list_column(connection, _CONTENTS, dump_list(items))
    ids = dump_list([row[0] for row in rows])
    erased = connection.execute(_BY_IDS, (ids,)).fetchall()
    if not erased and not noted:
        return QuotingExchanges(answers=quoting_files)
    gone = [load_exchange(scope, row) for row in erased]
    echo = echo_of("\n".join([*(text for one in gone for text in _own_texts(one)), *noted]))
    names, sessions = {one.uid for one in gone}, {one.session_id for one in gone}
    low, high = get_id_range(scope_no)
    first = min((one.id for one in gone), default=low)
    others = connection.execute(_OTHERS, (low, high, first, ids))
    answers, parts, near_ones = [], [], set()
    for *columns, trace in others:
        one = load_exchange(scope, tuple(columns))
        near = one.session_id in sessions or any(memory.exchange in names for memory in load_trace(trace).memories)
        near_ones |= {one.id} if near else set()
        if one.id >= first and repeats(one.assistant_text, one.said, echo, near=near):
            answers.append(one.id)
        if cut_parts(one, echo, near=near) != one.parts:
            parts.append(one.id)
    answers = list(dict.fromkeys((*answers, *quoting_files)))
    return QuotingExchanges(echo, tuple(answers), tuple(parts), frozenset(near_ones))


def cut_parts(exchange: Exchange, echo: Echo, *, near: bool) -> tuple[Part, ...]:
    """Return an exchange's parts without what gives away what is to be erased; a part of which nothing is left goes."""
    left = [
        replace(part, text=without(part.text, echo, near=near, quoted=part.origin is Origin.QUOTED))
        for part in exchange.parts
    ]
    return tuple(after for before, after in zip(exchange.parts, left, strict=True) if after.text or not before.text)


def _own_texts(exchange: Exchange) -> tuple[str, ...]:
    """Return the texts of an exchange that came with it: a quotation's stands elsewhere, and is forgotten there."""
    forwarded = exchange.forwarded
    return (exchange.user_text, forwarded.text if forwarded is not None else "")


def _find_quoting_files(connection: sqlite3.Connection, scope_no: int, uids: Sequence[str]) -> tuple[int, ...]:
    """Return the exchanges whose answers quote a document that is to be erased: a run of its words."""
    # Names and codes alone stand elsewhere, too; they count in an answer that was made of the very passage.
    documents = dict(list_documents_named(connection, scope_no, uids))
    runs: set[int] = set()
    for document in documents:
        for text in list_column(connection, "SELECT text FROM document_chunks WHERE document = ?", document):
            runs.update(_list_runs(text))
    if not documents:
        return ()
    answers = connection.execute(_ANSWERS, get_id_range(scope_no))
    gone = set(documents.values())
    return tuple(
        exchange
        for exchange, said, answer, trace in answers
        if not runs.isdisjoint(_list_runs(answer)) or _tells_passage(answer, said, trace, gone)
    )


def _tells_passage(answer: str, said: str, trace: bytes | None, gone: set[str]) -> bool:
    """Return whether an answer was made of a passage of these documents, and gives it away."""
    read = [one for one in load_trace(trace).memories if one.place and one.place.uid in gone]
    return bool(read) and repeats(answer, said, echo_of("\n".join(one.text for one in read)), near=True)


def _list_runs(text: str) -> set[int]:
    words = _WORD.findall(text.casefold())
    return {hash(tuple(words[start : start + _RUN])) for start in range(len(words) - _RUN + 1)}
