"""Layouts of long chats as rows that every worker has: the same answers, and nothing that any of them has erased."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from adapters.postgres.connection import WALLED
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.codec import find_scope
from adapters.sqlite.turn_search import transcript_cache
from bot.memory.items import Recalled
from tests.adapters.sqlite.turn_search.talk import ANNA, BORIS, HOME, Chat, chat
from tests.postgres import PostgresServer, open_postgres

Join = Callable[[], Awaitable[Chat]]
_TOPICS = ("cello", "garden", "boiler", "ferry", "harpsichord")
_ASKED = ("Who plays the harpsichord?", "What is in the gardn?", "ferry", "Which boiler does Boris have?")


@pytest.fixture(autouse=True)
def _short_chats_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript_cache, "LEAST_LAID_OUT", 20)


@pytest.fixture
async def join(postgres_server: PostgresServer, tmp_path: Path) -> AsyncIterator[Join]:
    """Lets one more machine open the same empty database."""
    from adapters.postgres.database import PostgresDatabase  # noqa: PLC0415 - not without its driver

    async with open_postgres(postgres_server, tmp_path), AsyncExitStack() as opened:

        async def open_one() -> Chat:
            one = PostgresDatabase(postgres_server.url, tmp_path / "mneme.db", ROOMS)
            return await opened.enter_async_context(chat(tmp_path, database=one))

        yield open_one


async def _talk(home: Chat, begin: int, end: int) -> None:
    home.said = begin  # the other counts on, as the store takes each name once
    for number in range(begin, end):
        topic = _TOPICS[number % len(_TOPICS)]
        text = f"Number {number} of the {topic} is word{number}, number {number}."
        await home.say(text, "Noted: " + topic if number % 3 else "", author=ANNA if number % 2 else BORIS)
    await home.settle()


async def _ask(home: Chat) -> list[tuple[Recalled, ...]]:
    return [await home.ask(question, limit=50) for question in _ASKED]


async def _list_parts(home: Chat) -> list[bytes]:
    return [body for (body,) in await home.database.fetch("SELECT body FROM layouts ORDER BY scope_no, token, part")]


async def test_who_takes_a_chat_over_begins_with_its_layout(join: Join, tmp_path: Path) -> None:
    """The answers are those of the rows, also when the chat has grown since and was laid out again by the other."""
    one, two, three = await join(), await join(), await join()
    await _talk(one, 0, 30)
    read = await _ask(one)
    await one.recall.lay_out(HOME)
    mapped, other = await _ask(one), await _ask(two)
    held = two.recall._cache.get(HOME)
    begun, there = held.laid_out, len(held.transcript)
    await _talk(two, 30, 60)
    await two.recall.lay_out(HOME)
    grown = [await _ask(each) for each in (one, two, three)]
    await three.database.change("DELETE FROM layouts")

    assert read[0]
    assert read == mapped == other
    assert begun == there > 30
    assert three.recall._cache.get(HOME).laid_out > there
    assert grown[0] == grown[1] == grown[2] != read
    assert await _ask(await join()) == grown[0]
    assert not (tmp_path / "layouts").exists()


@pytest.mark.parametrize("whole", [False, True])
async def test_what_one_erases_is_in_no_layout_of_another(join: Join, *, whole: bool) -> None:
    """With an exchange, or with all of the chat, every part goes in the same transaction."""
    one, two = await join(), await join()
    await _talk(one, 0, 30)
    uid = await one.say("My secret word is zanzibarine.")
    await one.settle()
    await one.recall.lay_out(HOME)
    before = await _list_parts(one)
    await (two.eraser.erase_scope(HOME) if whole else two.eraser.erase_exchanges(HOME, (uid,)))
    after = await _list_parts(one)
    await one.recall.lay_out(HOME)
    found = await one.ask("zanzibarine")

    assert any(b"zanzibarin" in part for part in before)
    assert after == []
    assert not any("zanzibarine" in each.text for each in found)
    assert not any(b"zanzibarin" in part for part in await _list_parts(one))


@pytest.mark.parametrize("late", [0, 1])
async def test_an_erase_between_two_parts_wins(join: Join, monkeypatch: pytest.MonkeyPatch, late: int) -> None:
    """Nothing of a layout is written after an erase, whichever part it was at.

    Mutation check: without the comparison of generations before each part the first case leaves its rows.
    """
    from adapters.postgres import layouts as rows  # noqa: PLC0415 - not without its driver

    one, two = await join(), await join()
    await _talk(one, 0, 30)
    uid = await one.say("My secret word is zanzibarine.")
    await one.settle()
    write, writes = one.database.write, 0

    async def write_late(work: Callable[..., object], touches: tuple[str, ...] = ()) -> object:
        nonlocal writes
        if touches == (HOME.tag,):
            writes += 1
            if writes == late + 1:
                await two.eraser.erase_exchanges(HOME, (uid,))
        return await write(work, touches)

    monkeypatch.setattr(one.database, "write", write_late)
    monkeypatch.setattr(rows, "_AT_ONCE", 64)
    await one.recall.lay_out(HOME)

    assert writes == late + 1
    assert await _list_parts(one) == []
    assert not any("zanzibarine" in each.text for each in await one.ask("zanzibarine"))


async def test_of_two_that_are_written_at_once_one_counts(join: Join) -> None:
    """Whole, and alone; who comes second gives up where the first has deleted some of its parts."""
    one, two = await join(), await join()
    await _talk(one, 0, 30)
    expected = await _ask(one)
    await _ask(two)
    await asyncio.gather(one.recall.lay_out(HOME), two.recall.lay_out(HOME))
    named = await one.database.fetch("SELECT DISTINCT token FROM layouts")
    kept = await one.database.fetch("SELECT layout FROM recall_scopes")
    third = await join()

    assert len(named) == 1
    assert named == kept
    assert await _ask(third) == expected
    assert third.recall._cache.get(HOME).laid_out > 0


async def test_a_part_that_is_not_what_was_written_is_found(join: Join) -> None:
    """The chat is read from its rows then, and laid out again."""
    one = await join()
    await _talk(one, 0, 30)
    expected = await _ask(one)
    await one.recall.lay_out(HOME)
    await one.database.change("UPDATE layouts SET body = set_byte(body, 999, get_byte(body, 999) # 16) WHERE part = 0")
    two = await join()
    damaged = await _ask(two)
    began = two.recall._cache.get(HOME).laid_out
    await two.recall.lay_out(HOME)

    assert damaged == expected
    assert began == 0
    assert two.recall._cache.get(HOME).laid_out > 0


async def test_parts_that_nobody_names_are_swept(join: Join) -> None:
    """Those of a worker that ended in the middle go with the next one's first look."""
    one = await join()
    await _talk(one, 0, 30)
    await one.recall.lay_out(HOME)
    await one.database.change("INSERT INTO layouts SELECT scope_no, 'left', part, body FROM layouts")
    await one.database.change("INSERT INTO layouts VALUES (77, 'gone', 0, 'x')")
    two = await join()
    await two.settle()

    assert await one.database.fetch("SELECT DISTINCT token FROM layouts") == await one.database.fetch(
        "SELECT layout FROM recall_scopes"
    )


async def test_layouts_are_behind_the_second_wall(join: Join) -> None:
    """A reading that has asked for a scope sees no layout at all, also where the role may read every table."""
    one = await join()
    await _talk(one, 0, 30)
    await one.recall.lay_out(HOME)
    await one.database.change(f"GRANT SELECT ON layouts TO {WALLED}")

    def look(connection: sqlite3.Connection) -> int:
        find_scope(connection, HOME)
        return int(connection.execute("SELECT count(*) FROM layouts").fetchone()[0])

    assert await _list_parts(one)
    assert await one.database.read(look) == 0


async def test_nothing_else_has_what_is_in_them(join: Join) -> None:
    """What is made again when it is missing is in no write-ahead log, so on no standby, and in no statistics."""
    one = await join()
    await _talk(one, 0, 30)
    await one.recall.lay_out(HOME)
    await one.database.change("ANALYZE layouts")

    assert await one.database.fetch_one("SELECT relpersistence FROM pg_class WHERE relname = 'layouts'") == ("u",)
    assert (
        await one.database.fetch("SELECT attname FROM pg_stats WHERE tablename = 'layouts' AND attname = 'body'") == []
    )
