"""The port Mentions: finds all exchanges in which somebody or something is meant, not those that rank best.

By the words of the search index, which are stems, and by the names that were told in exchanges.
What was said right behind one of them comes along where it says nothing without it ("She is a goldsmith").
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import dump_list
from adapters.sqlite.rows.exchanges import load_exchange, read_before, select_exchanges
from adapters.sqlite.rows.scopes import find_scope, get_id_range
from bot.memory.names import is_same_name
from bot.memory.scope import Scope
from bot.ports.memory_store import Said
from bot.turn import Exchange
from language.analyser import Analyser

_MOST: Final = 400
"""Exchanges that are looked at, the newest."""
_CHAIN: Final = 3
"""Exchanges behind one that go on about the same person."""
_WITH_WORDS: Final = (
    "SELECT exchange FROM recall_utterances WHERE exchange BETWEEN ?1 AND ?2 AND assistant = 0 AND EXISTS "
    "(SELECT 1 FROM json_each(?3) WHERE instr(replace(passages, char(10), ' '), ' ' || value) > 0)"
)
_NAMES: Final = "SELECT id, key FROM names WHERE id BETWEEN ? AND ?"
_WITH_NAMES: Final = "SELECT exchange, shown FROM mentions WHERE name IN (SELECT value FROM json_each(?))"
_NEWEST: Final = select_exchanges(
    "WHERE id IN (SELECT value FROM json_each(?)) AND replaced_by IS NULL AND synthetic = 0 ORDER BY id DESC LIMIT ?"
)
_NEXT: Final = select_exchanges(
    "WHERE session_id = ? AND id > ? AND replaced_by IS NULL AND synthetic = 0 ORDER BY id LIMIT 1"
)


class SqliteMentions:
    """The port :class:`~bot.ports.memory_store.Mentions`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._words = Analyser()

    async def find_said(self, scope: Scope, words: tuple[str, ...]) -> tuple[Said, ...]:
        return await self._database.read(partial(_find, scope=scope, words=words, analyser=self._words))


def _find(connection: sqlite3.Connection, scope: Scope, words: tuple[str, ...], analyser: Analyser) -> tuple[Said, ...]:
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return ()
    within = get_id_range(scope_no)
    names = [
        name_id
        for name_id, key in connection.execute(_NAMES, within)
        if any(is_same_name(part, word) for part in key.split() for word in words)
    ]
    named = connection.execute(_WITH_NAMES, (dump_list(names),)).fetchall()
    # The forms of a name in another script are words to look for, too.
    stems = dict.fromkeys(analyser.keys(" ".join((*words, *(shown for _, shown in named)))))
    found = {row[0] for row in connection.execute(_WITH_WORDS, (*within, dump_list(list(stems))))}
    found.update(exchange for exchange, _ in named)
    said: dict[int, Said] = {}
    for row in connection.execute(_NEWEST, (dump_list(sorted(found)), _MOST)).fetchall():
        exchange = load_exchange(scope, row)
        said[exchange.id] = Said(exchange, _read_before(connection, exchange))
        said.update((each.exchange.id, each) for each in _go_on(connection, scope, said[exchange.id]))
    return tuple(said[number] for number in sorted(said, reverse=True))


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
