"""Names, written inside the transaction that stores, changes or removes their exchange.

So a name is gone with the last message that holds it, and what ``/undo`` brings back is named again.
Only what its author typed is read: what they passed on, and what the assistant answered, names whom others know.
Stored with an exchange are the names that rules find; those that the model tells take their place in the background.
The port Names counts them in one pass through a scope's mentions, which is kept until the scope changes.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from cachetools import LRUCache

from adapters.sqlite.database import Database, Store, reading
from adapters.sqlite.rows.codec import Row, dump_list, find_range, find_scope, get_id_range, join_time, split_time
from adapters.sqlite.rows.derived import Owner, Room, Table
from adapters.sqlite.rows.exchanges import load_exchange, read_before, select_exchanges, take_following
from adapters.sqlite.turn_search.changes import read_changes
from bot.memory.names import (
    Mention,
    NameKind,
    Tagged,
    find_mentions,
    gather_mentions,
    is_same_name,
    list_sentences,
    may_name,
    tell_names,
)
from bot.memory.scope import Scope
from bot.ports.embedder import StateReader
from bot.ports.memory_store import KnownName, NameLink, NamePage, OpenedName, Said
from bot.turn import Exchange
from language.analyser import Analyser

RULES: Final = 2
"""Grows with every change of what is a name; then all of them are found again."""
_MADE: Final = "names"
"""Name in ``meta``: the rules by which names were found, and the last exchange id so far while that is under way."""


_WAITING: Final = select_exchanges(
    "JOIN scopes ON scopes.no = scope_no WHERE id IN (SELECT exchange FROM names_backlog) AND replaced_by IS NULL "
    "ORDER BY id LIMIT ?",
    "scopes.tag",
)
"""In the order in which they are embedded: what the model has just read of a text tells its names, too.

IN, because SQLite walks through all exchanges to find the few that wait where both tables are joined.
"""
_WAIT: Final = "INSERT INTO names_backlog VALUES (?) ON CONFLICT DO NOTHING"
_STILL_WAITING: Final = select_exchanges(
    "JOIN scopes ON scopes.no = scope_no JOIN names_backlog ON exchange = id WHERE id = ? AND replaced_by IS NULL",
    "scopes.tag",
)


class NamesIndex:
    """The hook :class:`~adapters.sqlite.rows.exchanges.ExchangeIndex` for names."""

    def add(self, connection: sqlite3.Connection, scope_no: int, exchange_id: int, exchange: Exchange) -> None:
        _write(connection, exchange, exchange_id, find_mentions(exchange.user_text))
        connection.execute(_WAIT, (exchange_id,))

    def remove(self, connection: sqlite3.Connection, scope_no: int, exchange_ids: tuple[int, ...]) -> None:
        for exchange_id in exchange_ids:
            _drop_unheld(connection, _drop_mentions(connection, exchange_id))
            connection.execute("DELETE FROM names_backlog WHERE exchange = ?", (exchange_id,))

    def reword(self, connection: sqlite3.Connection, scope_no: int, was: Exchange, now: Exchange) -> None:
        if now.user_text != was.user_text:
            self.remove(connection, scope_no, (was.id,))
            self.add(connection, scope_no, was.id, now)


def make_missed(connection: sqlite3.Connection, limit: int) -> int:
    """Read the next ``limit`` exchanges by the rules of this version; 0 when all of them are.

    For exchanges that were stored before names were kept, or by other rules.  It goes on where it was broken off.
    """
    following = take_following(connection, _MADE, RULES, limit)
    for exchange in following:
        _note(connection, exchange, exchange.id, find_mentions(exchange.user_text))
        connection.execute(_WAIT, (exchange.id,))
    return len(following)


def _note(connection: sqlite3.Connection, exchange: Exchange, exchange_id: int, mentions: Iterable[Mention]) -> None:
    before = _drop_mentions(connection, exchange_id)
    _write(connection, exchange, exchange_id, mentions)
    _drop_unheld(connection, before)


def _write(connection: sqlite3.Connection, exchange: Exchange, exchange_id: int, mentions: Iterable[Mention]) -> None:
    seconds, _ = split_time(exchange.said_at)
    for mention in mentions:
        name_id = _ensure_name(connection, exchange_id >> _BITS, mention.key)
        told = (int(mention.kind), mention.sure, mention.own, mention.relation, mention.shown)
        values = (name_id, exchange_id, seconds, *told)
        connection.execute("INSERT INTO mentions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)


def _read_waiting(connection: sqlite3.Connection, limit: int) -> list[Exchange]:
    return [load_exchange(Scope(tag), tuple(row)) for *row, tag in connection.execute(_WAITING, (limit,))]


def _note_told(connection: sqlite3.Connection, told: Sequence[tuple[Exchange, tuple[Mention, ...]]]) -> None:
    """Write what the model told of exchanges that are still there and still say the same."""
    for exchange, mentions in told:
        row = connection.execute(_STILL_WAITING, (exchange.id,)).fetchone()
        if row is not None and load_exchange(exchange.scope, row[:-1]).user_text == exchange.user_text:
            _note(connection, exchange, exchange.id, mentions)
            connection.execute("DELETE FROM names_backlog WHERE exchange = ?", (exchange.id,))


def _drop_mentions(connection: sqlite3.Connection, exchange_id: int) -> list[int]:
    rows = connection.execute("SELECT name FROM mentions WHERE exchange = ?", (exchange_id,)).fetchall()
    names = [row[0] for row in rows]
    for name_id in names:
        connection.execute("DELETE FROM mentions WHERE name = ? AND exchange = ?", (name_id, exchange_id))
    return names


def _drop_unheld(connection: sqlite3.Connection, names: Sequence[int]) -> None:
    """Delete those of these names that nothing holds any more."""
    for name_id in names:
        connection.execute(
            "DELETE FROM names WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM mentions WHERE name = ?1)", (name_id,)
        )


def _ensure_name(connection: sqlite3.Connection, scope_no: int, key: str) -> int:
    low, high = get_id_range(scope_no)
    row = connection.execute("SELECT id FROM names WHERE key = ? AND id BETWEEN ? AND ?", (key, low, high)).fetchone()
    if row is None:
        row = connection.execute(
            "INSERT INTO names SELECT coalesce(max(id), ?1) + 1, ?3 FROM names WHERE id BETWEEN ?1 AND ?2 RETURNING id",
            (low, high, key),
        ).fetchone()
    return int(row[0])


_AT_ONCE: Final = 100
_SCOPES_KEPT: Final = 8
_OTHERS: Final = 24
_BITS: Final = 32
_COLUMNS: Final = (
    "name, count(*), min(said_at), max(said_at), max(kind), max(own), max(relation), "
    "substr(min((1000 + length(shown)) || shown), 5)"
)
"""Of the forms of a name the shortest is shown: cases make it longer."""
_NAMES: Final = (
    f"SELECT {_COLUMNS} FROM mentions WHERE name BETWEEN ? AND ? GROUP BY name "  # noqa: S608 - our own columns
    "HAVING max(sure) = 1 ORDER BY 2 DESC, 4 DESC, 1"
)
_SOME: Final = (
    f"SELECT {_COLUMNS} FROM mentions WHERE name IN (SELECT value FROM json_each(?)) "  # noqa: S608 - as above
    "GROUP BY name HAVING max(sure) = 1"
)
_LINKS: Final = (
    "SELECT one.name, other.name, count(*) FROM mentions AS one JOIN mentions AS other "
    "ON other.exchange = one.exchange AND other.name > one.name "
    "WHERE one.name IN (SELECT value FROM json_each(?1)) AND other.name IN (SELECT value FROM json_each(?1)) "
    "GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
)
_BESIDE: Final = (
    "SELECT other.name, count(*) FROM mentions AS one JOIN mentions AS other ON other.exchange = one.exchange "
    "WHERE one.name = ?1 AND other.name <> ?1 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?2"
)
_WHERE: Final = (
    "SELECT uid FROM mentions JOIN exchanges ON exchanges.id = exchange "
    "WHERE name = ? ORDER BY mentions.said_at DESC, exchange DESC LIMIT ? OFFSET ?"
)
_IN: Final = "SELECT name FROM mentions WHERE exchange = (SELECT id FROM exchanges WHERE scope_no = ? AND uid = ?)"


class SqliteNames(Store):
    """The port :class:`~bot.ports.memory_store.Names`; without a ``reader`` names are those that rules find."""

    def __init__(self, database: Database, reader: StateReader | None = None) -> None:
        super().__init__(database)
        self._reader = reader
        self._made = False
        self._counted: LRUCache[str, tuple[Row | None, list[Row]]] = LRUCache(_SCOPES_KEPT)
        """Names by scope, and how many exchanges were stored and how often some were erased until then."""

    async def list_names(self, scope: Scope, *, search: str = "", offset: int = 0, size: int = 50) -> NamePage:
        rows = await self._count(scope)
        if wanted := search.casefold().strip():
            rows = [row for row in rows if wanted in row[7].casefold()]
        return NamePage(tuple(map(_load, rows[offset : offset + size])), len(rows))

    @reading
    def list_links(self, connection: sqlite3.Connection, scope: Scope, ids: tuple[int, ...]) -> tuple[NameLink, ...]:
        scope_no = find_scope(connection, scope)
        own = [name_id for name_id in ids if name_id >> _BITS == scope_no]
        return tuple(NameLink(*row) for row in connection.execute(_LINKS, (dump_list(own),)))

    @reading
    def open_name(
        self, connection: sqlite3.Connection, scope: Scope, number: int, *, offset: int = 0, size: int = 20
    ) -> OpenedName | None:
        scope_no = find_scope(connection, scope)
        if number >> _BITS:
            return None
        name_id = scope_no << _BITS | number
        found = _read_some(connection, [name_id])
        if not found:
            return None
        beside = connection.execute(_BESIDE, (name_id, _OTHERS)).fetchall()
        known = {each.id: each for each in _read_some(connection, [row[0] for row in beside])}
        others = tuple((known[other], count) for other, count in beside if other in known)
        uids = [row[0] for row in connection.execute(_WHERE, (name_id, size + 1, offset))]
        return OpenedName(found[0], others, tuple(uids[:size]), len(uids) > size)

    @reading
    def named_in(self, connection: sqlite3.Connection, scope: Scope, uid: str) -> tuple[KnownName, ...]:
        rows = connection.execute(_IN, (find_scope(connection, scope), uid)).fetchall()
        return _read_some(connection, [row[0] for row in rows])

    def forget(self, _: Scope | None = None) -> None:
        """Drop what was counted: something was erased."""
        self._counted.clear()

    async def make_missed(self) -> int:
        """Find the names of exchanges that were stored before names were kept; return how many were read."""
        made = 0 if self._made else await self.database.write_all(partial(make_missed, limit=_AT_ONCE))
        self._made = True
        return made

    async def tell_missing(self, limit: int = 32) -> int:
        """Ask the model about up to ``limit`` exchanges and return how many; 0 means that none is left.

        Raises :class:`~bot.errors.EmbeddingUnavailable` or :class:`~bot.errors.StorageUnavailable`; the others wait.
        """
        if self._reader is None:
            return 0
        waiting = await self.database.read(partial(_read_waiting, limit=limit))
        told = [(each, await self._tell(self._reader, each.user_text)) for each in waiting]
        if told:
            touched = {exchange.scope.tag for exchange, _ in told}
            await self.database.write(partial(_note_told, told=told), tuple(touched))
            self.forget()
        return len(told)

    @staticmethod
    async def _tell(reader: StateReader, text: str) -> tuple[Mention, ...]:
        sentences = list_sentences(text)
        if not any(map(may_name, sentences)):
            return ()
        states, end = await reader.read_states(text), 0
        told: list[tuple[str, tuple[Tagged, ...]]] = []
        for sentence in sentences:
            start = text.find(sentence, end)
            end = max(end, start + len(sentence))
            own = states.cut(start, end) if start >= 0 else None
            if may_name(sentence):
                own = own or await reader.read_states(sentence)
                told.append((sentence, tell_names(sentence, own.pieces, own.spans)))
            else:
                told.append((sentence, ()))
        return gather_mentions(told)

    async def _count(self, scope: Scope) -> list[Row]:
        state = await self.database.fetch_one("SELECT exchange_seq, epoch FROM scopes WHERE tag = ?", (scope.tag,))
        known = self._counted.get(scope.tag)
        if known is not None and known[0] == state and self._made:
            return known[1]
        rows = await self.database.read(
            lambda connection: connection.execute(_NAMES, find_range(connection, scope)).fetchall()
        )
        self._counted[scope.tag] = (state, rows)
        return rows


def _read_some(connection: sqlite3.Connection, ids: Sequence[int]) -> tuple[KnownName, ...]:
    found = {row[0]: row for row in connection.execute(_SOME, (dump_list(ids),))}
    return tuple(_load(found[name_id]) for name_id in ids if name_id in found)


def _load(row: Row) -> KnownName:
    name_id, count, first, last, kind, own, relation, shown = row
    return KnownName(name_id, shown, NameKind(kind), count, join_time(first), join_time(last), relation, bool(own))


_MOST_SAID: Final = 400
"""Exchanges that are looked at, the newest."""
_CHAIN: Final = 3
"""Exchanges behind one that go on about the same person."""
_WITH_WORDS: Final = (
    "SELECT exchange FROM recall_utterances WHERE exchange BETWEEN ?1 AND ?2 AND assistant = 0 AND EXISTS "
    "(SELECT 1 FROM json_each(?3) WHERE instr(replace(passages, char(10), ' '), ' ' || value) > 0)"
)
_KEYS: Final = "SELECT id, key FROM names WHERE id BETWEEN ? AND ?"
_WITH_NAMES: Final = "SELECT exchange, shown FROM mentions WHERE name IN (SELECT value FROM json_each(?))"
_NEWEST: Final = select_exchanges(
    "WHERE id IN (SELECT value FROM json_each(?)) AND replaced_by IS NULL AND synthetic = 0 ORDER BY id DESC LIMIT ?"
)
_NEXT: Final = select_exchanges(
    "WHERE session_id = ? AND id > ? AND replaced_by IS NULL AND synthetic = 0 ORDER BY id LIMIT 1"
)


class SqliteMentions(Store):
    """The port :class:`~bot.ports.memory_store.Mentions`: all exchanges in which somebody or something is meant.

    By the words of the search index, which are stems, and by the names that were told in exchanges.  What was said
    right behind one of them comes along where it says nothing without it ("She is a goldsmith").
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._words = Analyser()

    @reading
    def find_said(self, connection: sqlite3.Connection, scope: Scope, words: tuple[str, ...]) -> tuple[Said, ...]:
        analyser = self._words
        within = find_range(connection, scope)
        names = [
            name_id
            for name_id, key in connection.execute(_KEYS, within)
            if any(is_same_name(part, word) for part in key.split() for word in words)
        ]
        named = connection.execute(_WITH_NAMES, (dump_list(names),)).fetchall()
        # The forms of a name in another script are words to look for, too.
        stems = dict.fromkeys(analyser.keys(" ".join((*words, *(shown for _, shown in named)))))
        found = {row[0] for row in connection.execute(_WITH_WORDS, (*within, dump_list(list(stems))))}
        found.update(exchange for exchange, _ in named)
        said: dict[int, Said] = {}
        for row in connection.execute(_NEWEST, (dump_list(sorted(found)), _MOST_SAID)).fetchall():
            exchange = load_exchange(scope, row)
            said[exchange.id] = Said(exchange, _read_before(connection, exchange))
            said.update((each.exchange.id, each) for each in _go_on(connection, scope, said[exchange.id]))
        read = read_changes(connection, said)
        return tuple(replace(said[each], changing=read.get(each, {})) for each in sorted(said, reverse=True))


def _go_on(connection: sqlite3.Connection, scope: Scope, said: Said) -> Iterator[Said]:
    """Yield what was said right behind and needs what was said before."""
    for _ in range(_CHAIN):
        row = connection.execute(_NEXT, (said.exchange.session_id, said.exchange.id)).fetchone()
        if row is None:
            return
        following = load_exchange(scope, row)
        said = Said(following, _read_before(connection, following))
        if not said.before:
            return
        yield said


def _read_before(connection: sqlite3.Connection, exchange: Exchange) -> str:
    at = exchange.said_at.timestamp()
    return read_before(connection, exchange.id, exchange.author.id, at, exchange.user_text)


ROOM: Final = Room(
    "names",
    (
        Table("mentions", ranged="exchange", owners={Owner.EXCHANGE: "exchange"}, remade=True),
        Table("names", ranged="id", remade=True),
        Table("names_backlog", ranged="exchange", owners={Owner.EXCHANGE: "exchange"}, remade=True),
    ),
    version=2,
    file="names",
    index=NamesIndex(),
)
