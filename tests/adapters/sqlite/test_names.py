"""Names in the file: kept exact with their exchanges, counted, joined; nothing of them left after an erase."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from adapters.sqlite import names as module
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.names import SqliteNames, make_missed
from adapters.sqlite.rooms import ROOMS
from bot.memory.names import Tagged, find_words
from bot.memory.scope import Scope
from bot.ports.embedder import WordStates
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


class Reader:
    """Reads nothing of a text; ``meanwhile`` something else happens."""

    def __init__(self, meanwhile: Callable[[], Awaitable[object]] | None = None) -> None:
        self._meanwhile = meanwhile

    async def read_states(self, text: str) -> WordStates:
        """Return no states."""
        if self._meanwhile is not None:
            await self._meanwhile()
        return WordStates(np.zeros((0, 384), np.float32), np.zeros((0, 2), np.int64))


def tell_harbours(sentence: str, *_: object) -> tuple[Tagged, ...]:
    """A network that knows towns with a harbour alone."""
    words = [
        (low, high) for low, high in find_words(sentence) if sentence[low:high] in {"Porto", "Ghent", "Zanzibarina"}
    ]
    return tuple(Tagged(low, high, "location") for low, high in words)


@pytest.fixture
def harbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network is that one."""
    monkeypatch.setattr(module, "tell_names", tell_harbours)


@pytest.mark.usefixtures("harbours")
async def test_what_the_model_tells_takes_the_place_of_what_rules_found(database: Database) -> None:
    """Once; a listing that was counted before is counted again."""
    await tell(database, *SAID)
    names = SqliteNames(database, Reader())
    before = await names.list_names(SCOPE)
    told = [await names.tell_missing(limit=2), await names.tell_missing(), await names.tell_missing()]
    after = await names.list_names(SCOPE)

    assert before.total == 4
    assert told == [2, 1, 0]
    assert {(name.shown, name.kind.name) for name in after.names} == {("Porto", "PLACE"), ("Ghent", "PLACE")}


@pytest.mark.one_file
@pytest.mark.usefixtures("harbours")
async def test_who_waits_is_found_without_walking_through_all_that_was_said(database: Database) -> None:
    """With nobody waiting it takes SQLite as few steps among a hundred exchanges as among three."""
    names, steps = SqliteNames(database, Reader()), list[int]()
    for told in (SAID, [f"{text} That was {number}." for number in range(33) for text in SAID]):
        await tell(database, *told)
        while await names.tell_missing():
            pass
        steps.append(await database.read(count_steps))

    assert steps[0] == steps[1]


def count_steps(connection: sqlite3.Connection) -> int:
    """Return how many steps of SQLite's machine it takes to read who waits."""
    counted = itertools.count()
    module._read_waiting(connection, 32)  # the first statement of a connection reads the schema
    connection.set_progress_handler(lambda: next(counted) < 0, 1)
    module._read_waiting(connection, 32)
    connection.set_progress_handler(None, 0)
    return next(counted)


class Window:
    """A model that reads the first 35 letters of a text, a piece per word."""

    def __init__(self) -> None:
        self.read: list[str] = []

    async def read_states(self, text: str) -> WordStates:
        """Return the number of each piece as its state."""
        self.read.append(text)
        spans = [span for span in find_words(text) if span[1] <= 35]
        pieces = np.arange(len(spans), dtype=np.float32)[:, None]
        return WordStates(pieces, np.array(spans, np.int64).reshape(-1, 2))


async def test_a_message_is_read_once_for_all_its_sentences(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each gets its own pieces, counted from where it begins; what lies beyond the model's window is read alone."""
    told: dict[str, tuple[list[float], list[int]]] = {}

    def keep(sentence: str, pieces: np.ndarray, spans: np.ndarray) -> tuple[Tagged, ...]:
        told[sentence] = (pieces[:, 0].tolist(), spans[0].tolist())
        return ()

    monkeypatch.setattr(module, "tell_names", keep)
    await tell(database, "Ada is in Rome. Max is in Bonn. Eva is in Oslo by now.")
    model = Window()
    await SqliteNames(database, model).tell_missing()

    assert model.read == ["Ada is in Rome. Max is in Bonn. Eva is in Oslo by now.", "Eva is in Oslo by now."]
    assert told["Ada is in Rome."] == ([0.0, 1.0, 2.0, 3.0, 4.0], [0, 3])
    assert told["Max is in Bonn."] == ([5.0, 6.0, 7.0, 8.0, 9.0], [0, 3])
    assert told["Eva is in Oslo by now."] == ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0, 3])


@pytest.mark.usefixtures("harbours")
async def test_an_old_store_is_read_by_the_model_too(database: Database) -> None:
    """What was stored before there was a network waits for it like what is new."""
    await tell(database, *SAID, indexed=False)
    names = SqliteNames(database, Reader())
    await names.make_missed()
    told = await names.tell_missing()

    assert told == len(SAID)
    assert {name.shown for name in (await names.list_names(SCOPE)).names} == {"Porto", "Ghent"}


@pytest.mark.usefixtures("harbours")
async def test_what_is_erased_while_the_model_reads_it_leaves_no_name(database: Database, tmp_path: Path) -> None:
    """Nor does it wait any more.  Seen to fail where what was told is written without a look at what is still there."""
    await tell(database, "I met Zanzibarina.")

    async def erase() -> None:
        await eraser(database, tmp_path / "items").erase_exchanges(SCOPE, ("e0",))

    names = SqliteNames(database, Reader(erase))
    await names.tell_missing()
    waiting = await database.read(lambda opened: opened.execute("SELECT count(*) FROM names_backlog").fetchone())
    left = await names.list_names(SCOPE)
    await database.vacuum()

    assert waiting == (0,)
    assert left.total == 0
    assert grep(database.path.parent, "anzibarin") == []
