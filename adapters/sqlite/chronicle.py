"""The lines of the chronicle, written inside the transaction that stores, changes or removes their exchange.

So nothing of an exchange can be left in the chronicle when it is gone, and what ``/undo`` brings back is in it again.
A line that a model worded stands in the row of the line that it rewords, and goes with it; after ``/undo`` it is the
rules' line again.
The port Chronicle reads the lines of a scope with who said them and when.
"""

import sqlite3
from functools import partial
from typing import Final

from adapters.sqlite.database import Database, Store, reading
from adapters.sqlite.rows.codec import Row, find_range, join_time
from adapters.sqlite.rows.derived import Owner, Room, Table
from adapters.sqlite.rows.exchanges import take_following
from bot.memory.chronicle import DigestLine, choose_lines, find_reworded
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.turn import Exchange

RULES: Final = 1
"""Grows with every change of how lines are chosen; then all of them are made again."""
_MADE: Final = "chronicle"
"""Name in ``meta``: the rules by which lines were made, and the last exchange id so far while they are made again."""
_DELETE: Final = "DELETE FROM digest_lines WHERE exchange = ?"
_INSERT: Final = "INSERT INTO digest_lines VALUES (?, ?, ?, ?, ?, ?)"
_REWORD: Final = "UPDATE digest_lines SET text = ?, written = 1 WHERE exchange = ? AND assistant = 0 AND line = ?"
_WRITTEN: Final = "SELECT text FROM digest_lines WHERE exchange = ? AND written = 1"


class ChronicleIndex:
    """The hook :class:`~adapters.sqlite.rows.exchanges.ExchangeIndex` for the chronicle."""

    def add(self, connection: sqlite3.Connection, scope_no: int, exchange_id: int, exchange: Exchange) -> None:
        """Write down the lines of an exchange; only what its author typed, and an answer that is not an echo."""
        answer = "" if exchange.echo else exchange.assistant_text
        for number, line in enumerate(choose_lines(exchange.user_text, answer)):
            connection.execute(_INSERT, (exchange_id, int(line.assistant), number, line.weight, 0, line.text))

    def remove(self, connection: sqlite3.Connection, scope_no: int, exchange_ids: tuple[int, ...]) -> None:
        connection.executemany(_DELETE, [(exchange_id,) for exchange_id in exchange_ids])

    def reword(self, connection: sqlite3.Connection, scope_no: int, was: Exchange, now: Exchange) -> None:
        self.remove(connection, scope_no, (was.id,))
        self.add(connection, scope_no, was.id, now)


def reword_line(connection: sqlite3.Connection, exchange: Exchange, text: str) -> None:
    """Put a model's line in the place of the one that it rewords; do nothing where there is none."""
    number = find_reworded(text, exchange.user_text)
    if number is not None:
        connection.execute(_REWORD, (text, exchange.id, number))


def make_missed(connection: sqlite3.Connection, limit: int) -> int:
    """Write down the next ``limit`` exchanges by the rules of this version; 0 when all of them are.

    For exchanges that were stored before there was a chronicle, or before its rules were changed.  It goes on where it
    was broken off.  Lines that a model worded stay where the rules still choose a line that they reword.
    """
    index, following = ChronicleIndex(), take_following(connection, _MADE, RULES, limit)
    for exchange in following:
        written = connection.execute(_WRITTEN, (exchange.id,)).fetchall()
        index.remove(connection, exchange.id >> 32, (exchange.id,))
        index.add(connection, exchange.id >> 32, exchange.id, exchange)
        for (text,) in written:
            reword_line(connection, exchange, text)
    return len(following)


_MOST: Final = 6_000
"""Lines that a question looks at, the newest: all of some 4,000 exchanges."""
_AT_ONCE: Final = 100
_LINES: Final = (
    "SELECT uid, digest_lines.exchange, digest_lines.line, assistant, session_id, said_at, said_offset, author_name, "
    "author_id, trust, answer_trust, text, weight FROM digest_lines JOIN exchanges ON id = digest_lines.exchange "
    "WHERE digest_lines.exchange BETWEEN ? AND ? AND replaced_by IS NULL "
    "ORDER BY digest_lines.exchange DESC, assistant DESC, line DESC LIMIT ?"
)


class SqliteChronicle(Store):
    """The port :class:`~bot.ports.memory_store.Chronicle`."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._made = False

    @reading
    def read_lines(self, connection: sqlite3.Connection, scope: Scope) -> tuple[DigestLine, ...]:
        rows = connection.execute(_LINES, (*find_range(connection, scope), _MOST)).fetchall()
        return tuple(map(_load_line, reversed(rows)))

    async def make_missed(self) -> int:
        """Write down exchanges that were stored before there was a chronicle; return how many."""
        made = 0 if self._made else await self.database.write_all(partial(make_missed, limit=_AT_ONCE))
        self._made = True
        return made


def _load_line(row: Row) -> DigestLine:
    uid, exchange, line, assistant, session, said_at, offset, author, author_id, trust, answer_trust, text, weight = row
    return DigestLine(
        exchange=uid,
        place=exchange << 8 | line,
        session=session,
        said_at=join_time(said_at, offset),
        author="" if assistant else author,
        author_id=0 if assistant else author_id,
        role="assistant" if assistant else "user",
        trust=min(Trust.BOT, Trust(answer_trust)) if assistant else Trust(trust),
        text=text,
        weight=weight,
    )


ROOM: Final = Room(
    "chronicle",
    (Table("digest_lines", ranged="exchange", owners={Owner.EXCHANGE: "exchange"}, remade=True),),
    file="chronicle",
    index=ChronicleIndex(),
)
