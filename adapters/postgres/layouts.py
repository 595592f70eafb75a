"""Layouts of long chats as rows: whichever worker takes a chat over begins with what another has laid out.

The table is not logged: what a crash or a failover takes of it is laid out again; no log and no standby has its words.
Whatever changes which layout counts, an erase above all, deletes the others: a trigger, so that nobody can forget to.
A layout is written a few parts at a time, so that the chat, and all that this process writes, waits for none for long.
Each transaction waits for those that touch the scope, as erases do, and writes nothing once one was there: an erase
deletes all of it, and nothing comes after.
"""

import sqlite3
from collections.abc import Iterator
from functools import partial
from itertools import islice
from mmap import mmap
from typing import Final, cast

from adapters.postgres.connection import PostgresConnection
from adapters.sqlite.connection import transaction
from adapters.sqlite.database import Database, NamedLayout
from adapters.sqlite.turn_search.layouts import BLOCK, name_layout, read_generation
from bot.memory.scope import Scope

_AT_ONCE: Final = 4
"""Parts, of which each but the last is a block."""
_ADD: Final = "INSERT INTO layouts (scope_no, token, part, body) VALUES (?, ?, ?, ?)"
_COUNT: Final = "SELECT count(*) FROM layouts WHERE scope_no = ? AND token = ?"
_LAST: Final = "SELECT part, body FROM layouts WHERE scope_no = ? AND token = ? ORDER BY part DESC LIMIT 1"
_NEXT: Final = (
    "SELECT part, body FROM layouts WHERE scope_no = ? AND token = ? AND part >= ? AND part < ? ORDER BY part LIMIT ?"
)
_Part = tuple[int, bytes]
_MAKE: Final = """
CREATE UNLOGGED TABLE layouts (
    scope_no BIGINT NOT NULL,
    token TEXT COLLATE "C" NOT NULL,
    part BIGINT NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (scope_no, token, part)
);
ALTER TABLE layouts ALTER body SET STORAGE EXTERNAL, ALTER body SET STATISTICS 0, ENABLE ROW LEVEL SECURITY;
CREATE FUNCTION drop_layouts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM layouts WHERE scope_no = NEW.scope_no AND token <> NEW.layout; RETURN NULL;
END $$;
CREATE TRIGGER drop_layouts AFTER INSERT OR UPDATE ON recall_scopes FOR EACH ROW EXECUTE FUNCTION drop_layouts();
"""
"""Nobody but the owner sees any: it has no policy for who reads for one scope."""


def make_layouts(opened: PostgresConnection) -> None:
    """Make the table where it is not there."""
    with transaction(opened.as_sqlite()):
        if opened.execute("SELECT to_regclass('layouts')").fetchone() == (None,):
            opened.run(_MAKE)


class PostgresLayouts:
    """The protocol :class:`~adapters.sqlite.database.LayoutRows`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def store(self, scope: Scope, named: NamedLayout, body: mmap, end: bytes) -> bool:
        """Keep a layout, first the blocks that hold anything."""
        parts, count = _split(body, end), 0
        while some := [*islice(parts, _AT_ONCE)]:
            if not await self._database.write(partial(_add, named=named, parts=some), (scope.tag,)):
                return False
            count += len(some)
        return await self._database.write(partial(_publish, named=named, count=count), (scope.tag,))

    async def load(self, named: NamedLayout) -> tuple[mmap, bytes] | None:
        return await self._database.read(lambda opened: _load(cast("PostgresConnection", opened), named))


def _split(body: mmap, end: bytes) -> Iterator[_Part]:
    """Yield the blocks that hold anything, by their numbers, and the end behind them."""
    nothing = bytes(BLOCK)
    for number in range(len(body) // BLOCK):
        block = body[number * BLOCK : (number + 1) * BLOCK]
        if block != nothing:
            yield number, block
    yield len(body) // BLOCK, end


def _add(opened: sqlite3.Connection, named: NamedLayout, parts: list[_Part]) -> bool:
    if read_generation(opened, named.scope_no) != named.generation:
        return False
    opened.executemany(_ADD, [(named.scope_no, named.token, *part) for part in parts])
    return True


def _publish(opened: sqlite3.Connection, named: NamedLayout, count: int) -> bool:
    """Let it count, unless something was removed or another worker's has come first, which deletes some of this one."""
    found = opened.execute(_COUNT, (named.scope_no, named.token)).fetchone()
    return bool(found == (count,)) and name_layout(opened, named)


def _load(opened: PostgresConnection, named: NamedLayout) -> tuple[mmap, bytes] | None:
    key = named.scope_no, named.token
    last = opened.execute(_LAST, key, binary=True).fetchone()
    if last is None or not last[0]:
        return None
    body, wanted = mmap(-1, last[0] * BLOCK), 0
    while parts := opened.execute(_NEXT, (*key, wanted, last[0], _AT_ONCE), binary=True).fetchall():
        for number, block in parts:
            body[number * BLOCK : (number + 1) * BLOCK] = block
        wanted = parts[-1][0] + 1
    return body, last[1]
