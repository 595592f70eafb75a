"""Names in the file: kept exact with their exchanges, counted, joined; nothing of them left after an erase."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.names import SqliteNames, make_missed
from adapters.sqlite.rooms import ROOMS
from bot.memory.scope import Scope
from harness.samples import NOON, SCOPE, HeldClock, exchange, turn
from tests.adapters.sqlite.old_stores import UNINDEXED
from tests.adapters.sqlite.test_erased_bytes import grep

OTHER = Scope("tu43")
SAID = ("My sister Vera lives in Porto.", "I met Vera and Otto in Ghent.", "Then Otto called Vera.")


async def tell(database: Database, *texts: str, scope: Scope = SCOPE, indexed: bool = True) -> None:
    """Store exchanges a day apart."""
    database.rooms = ROOMS if indexed else UNINDEXED
    turns = SqliteTurns(database)
    for number, text in enumerate(texts):
        said = exchange(f"e{number}", text, scope=scope, said_at=NOON + timedelta(days=number))
        await turns.commit(turn(said, scope=scope))


def eraser(database: Database, folder: Path, undo_s: float = 0.0) -> SqliteEraser:
    """Forgets, for good unless time is given."""
    return SqliteEraser(database, HeldClock(), folder, undo_s=lambda: undo_s)


async def test_names_are_counted_and_joined(database: Database) -> None:
    """The most named first, with who they are and from when to when; another scope's stay apart."""
    await tell(database, *SAID)
    await tell(database, "I met Vera and Boris.", scope=OTHER)
    names = SqliteNames(database)
    page = await names.list_names(SCOPE)
    by_name = {name.shown: name for name in page.names}
    links = await names.list_links(SCOPE, tuple(name.id for name in page.names))
    foreign = await names.list_names(OTHER)

    assert [(name.shown, name.count) for name in page.names[:2]] == [("Vera", 3), ("Otto", 2)]
    assert by_name["Vera"].relation == "sister"
    assert (by_name["Vera"].last - by_name["Vera"].first).days == 2
    assert (links[0].one, links[0].other, links[0].count) == (by_name["Vera"].id, by_name["Otto"].id, 2)
    assert {name.shown for name in foreign.names} == {"Vera", "Boris"}
    assert await names.list_links(SCOPE, tuple(name.id for name in foreign.names)) == ()


async def test_a_name_opens_with_its_sources(database: Database) -> None:
    """Newest first, page by page; a number of another scope is nothing."""
    await tell(database, *SAID)
    names = SqliteNames(database)
    vera = (await names.list_names(SCOPE, search="VER")).names[0]
    opened = await names.open_name(SCOPE, vera.id & 0xFFFFFFFF, size=2)
    rest = await names.open_name(SCOPE, vera.id & 0xFFFFFFFF, offset=2, size=2)

    assert opened is not None
    assert rest is not None
    assert (opened.exchanges, opened.more) == (("e2", "e1"), True)
    assert (rest.exchanges, rest.more) == (("e0",), False)
    assert (opened.others[0][0].shown, opened.others[0][1]) == ("Otto", 2)
    assert await names.open_name(OTHER, 1) is None
    assert await names.open_name(SCOPE, vera.id) is None


async def test_what_was_stored_before_names_were_kept_is_read(database: Database) -> None:
    """Broken off, it goes on where it was; made again, every name keeps its number."""
    await tell(database, *SAID, indexed=False)
    names = SqliteNames(database)
    first = await database.write(partial(make_missed, limit=2))
    rest = await names.make_missed()
    before = await names.list_names(SCOPE)
    await database.write(lambda connection: connection.execute("DELETE FROM meta WHERE key = 'names'"))
    await SqliteNames(database).make_missed()

    assert (first, rest) == (2, 1)
    assert before.total == 4
    assert await SqliteNames(database).list_names(SCOPE) == before


async def test_no_byte_of_an_erased_name_is_left(database: Database, tmp_path: Path) -> None:
    """A name goes with the last message that holds it, and stays while another does.

    Seen to fail with ``NamesIndex.remove`` doing nothing.
    """
    await tell(database, "I met Zanzibarina and Vera.", "I met Vera again.")
    names = SqliteNames(database)
    await names.list_names(SCOPE)
    await eraser(database, tmp_path / "items").erase_exchanges(SCOPE, ("e0",))
    left = await names.list_names(SCOPE)
    await database.vacuum()

    assert [(name.shown, name.count) for name in left.names] == [("Vera", 1)]
    assert grep(database.path.parent, "anzibarin") == []


async def test_a_forgotten_scope_names_nobody(database: Database, tmp_path: Path) -> None:
    """Nor does it while an erase can be taken back; taken back, everybody is there again."""
    await tell(database, *SAID)
    names, forgetting = SqliteNames(database), eraser(database, tmp_path / "items", undo_s=60)
    before = await names.list_names(SCOPE)
    done = await forgetting.erase_exchanges(SCOPE, ("e0", "e1", "e2"))
    gone = await names.list_names(SCOPE)
    await forgetting.undo(SCOPE, 0, done.undo)
    back = await names.list_names(SCOPE)
    await forgetting.erase_scope(SCOPE)

    assert gone.total == 0
    assert [(name.shown, name.count) for name in back.names] == [(name.shown, name.count) for name in before.names]
    assert (await names.list_names(SCOPE)).total == 0
    assert await database.read(lambda connection: connection.execute("SELECT count(*) FROM names").fetchone()) == (0,)
