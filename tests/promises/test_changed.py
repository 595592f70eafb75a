"""P17: what a model read as a change is one in every view, and goes with either message, in SQLite and PostgreSQL."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from harness.samples import WordEmbedder
from tests.postgres import PostgresServer

OLD, NEW = "The school play is on 12 August at 18:00.", "School play: 19 August at 18:00, the hall is being painted."
GYM, DEARER = "The gym costs me 40 euros.", "The gym asks 47 euros of me."
OTHER = "The school play is a comedy, on at 18:00."
VIEWS = ("What's coming up in August?", "What did I tell you today?", "What do you know about the school play?")
SPELT = "The school play is on 12 August at 18:00 in the hall."
TEACHER, GETHIN = "Priyanka is Maisie's piano teacher.", "Priyanka had her baby, Gethin does the piano now."
PAIRS = {(OLD, NEW): 0.99, (SPELT, NEW): 0.99, (GYM, DEARER): 0.99, (TEACHER, GETHIN): 0.7}


class Reading(WordEmbedder):
    """Says of two messages what the test says, and which it has read."""

    reader = "reader-1"

    def __init__(self) -> None:
        super().__init__()
        self.read: list[tuple[str, str]] = []

    async def rate_changes(
        self, question: str, earlier: str, later: Sequence[str], *, patient: bool = False
    ) -> tuple[float, ...]:
        """Return 0.01 for what was not said; a question is none of its own."""
        self.read += [(earlier, each) for each in later if patient]
        return tuple(PAIRS.get((earlier, each), 0.01) for each in later)


@pytest.fixture(params=["sqlite", "postgres"])
def storage(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """Settings of a store that is empty: Any is JSON."""
    if request.param == "sqlite":
        yield {}
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    server.run("CREATE DATABASE changed")
    yield {"storage": {"url": server.url.replace("/postgres?", "/changed?")}}
    server.run("DROP DATABASE changed WITH (FORCE)")


@asynccontextmanager
async def running(
    folder: Path, telegram: FakeTelegram, storage: dict[str, Any], reading: Reading | None = None
) -> AsyncIterator[TelegramChats]:
    """Run the application without a language model; a store may have been used before."""
    async with run_on_telegram(folder, telegram, others=storage, embedder=reading or Reading()) as talk:
        yield talk


async def settle(talk: TelegramChats) -> None:
    """Wait until nothing waits to be read."""
    waiting = 1
    while waiting:
        await talk.app.parts.housekeeping.catch_up()
        waiting = await count_rows(talk, "recall_unread")


async def look(talk: TelegramChats) -> list[str]:
    """Return what each view shows once everything was read."""
    await settle(talk)
    return [await talk.ask(each) for each in VIEWS]


async def count_rows(talk: TelegramChats, table: str = "recall_changes") -> int:
    """Return how many rows a table has."""
    database = talk.app.parts.housekeeping.database
    ((count,),) = await database.fetch(f"SELECT count(*) FROM {table}")  # noqa: S608 - our own tables
    return int(count)


async def test_every_view_follows_what_was_read_and_forgets_it_with_either(
    tmp_path: Path, storage: dict[str, Any]
) -> None:
    """No word of the later message says that it changes anything; views ask no model.

    Red where nothing is kept of what was read, and where what an undo brings back is not read again.
    """
    async with FakeTelegram() as telegram:
        async with running(tmp_path, telegram, storage) as talk:
            await talk.ask(OLD, message_id=901, date=int(time.time()) - 5)  # nothing changes what was said that second
            await talk.ask(NEW, message_id=902)
            changed = await look(talk)
        async with running(tmp_path, telegram, storage) as talk:
            again = await look(talk)
            rows = [await count_rows(talk)]
            await talk.ask("/forget", reply_to_message=telegram.message("?", user=ANNA, message_id=902))
            rows.append(await count_rows(talk))
            before = await look(talk)
            await talk.ask("/undo")
            back = await look(talk)
            rows.append(await count_rows(talk))
            await talk.ask("/forget", reply_to_message=telegram.message("?", user=ANNA, message_id=901))
            rows.append(await count_rows(talk))
            await talk.ask("/undo")
            restored = await look(talk)
            await telegram.edits(OTHER, user=ANNA, message_id=902)
            await talk.taken()
            edited = await look(talk)

    for shown in (changed, again, back, restored):
        assert ["19 August" in each for each in shown] == [True, True, True]
        assert ["12 August" in each.replace("Wednesday, 12 August", "") for each in shown] == [False, False, False]
    for shown in (before, edited):
        assert ["12 August" in each for each in shown] == [True, True, True]
    assert rows == [1, 0, 1, 0]


@pytest.mark.parametrize("way", ["edit", "command", "undo"])
async def test_an_edit_of_the_words_alone_leaves_what_has_changed_it(
    tmp_path: Path, storage: dict[str, Any], way: str
) -> None:
    """Who mends the first of two messages tells nothing anew; nor does who takes an edit of it back, whatever it said.

    Red where an edit is always said when it is made: the old value is told alone then.
    """
    async with FakeTelegram() as telegram, running(tmp_path, telegram, storage) as talk:
        await talk.ask(OLD, message_id=901, date=int(time.time()) - 5)
        await talk.ask(NEW, message_id=902, date=int(time.time()) - 4)
        number = re.findall(r"(\d+): “The school", await talk.ask("/memory"))[0]
        if way == "undo":
            await talk.ask(f"/memory edit {number} {OLD.replace('12', '13')}")
            await talk.ask("/undo")
        elif way == "command":
            await talk.ask(f"/memory edit {number} {SPELT}")
        else:
            await telegram.edits(SPELT, user=ANNA, message_id=901)
            await talk.taken()
        shown = await look(talk)

    assert ["19 August" in each for each in shown] == [True, True, True]
    assert ["12 August" in each for each in shown] == [False, False, False]


async def test_sums_count_what_was_read_as_changed_once(tmp_path: Path, storage: dict[str, Any]) -> None:
    """Red where sums go by words alone."""
    async with FakeTelegram() as telegram, running(tmp_path, telegram, storage) as talk:
        for place, text in enumerate((GYM, "The internet costs me 20 euros.", DEARER)):
            await talk.ask(text, date=int(time.time()) - 5 + place)
        await settle(talk)
        told = await talk.ask("How much do the gym and the internet cost me in all?")

    assert "67" in told


async def test_what_changed_it_is_told_of_who_is_asked_about_without_their_name(tmp_path: Path) -> None:
    """Red where only what names the subject is looked at: the old teacher stood alone."""
    async with FakeTelegram() as telegram, running(tmp_path, telegram, {}) as talk:
        await talk.ask(TEACHER, date=int(time.time()) - 5)
        await talk.ask(GETHIN)
        await settle(talk)
        told = await talk.ask("Who is Maisie's piano teacher?")

    assert -1 < told.find("Gethin") < told.find("Maisie's piano teacher")


async def test_what_asks_or_is_about_something_else_is_not_read(tmp_path: Path) -> None:
    """Each reading costs time, and the model sees changes in what is not about the same.  Red without the floor."""
    reading = Reading()
    async with FakeTelegram() as telegram, running(tmp_path, telegram, {}, reading) as talk:
        for text in (OLD, "When is the school play?", "Thanks!", "Nora rides a red Cube.", NEW):
            await talk.ask(text)
        await settle(talk)

    assert set(reading.read) == {(OLD, NEW)}


async def test_what_changed_it_is_offered_to_go_as_well(tmp_path: Path, storage: dict[str, Any]) -> None:
    """Who wants the old value forgotten seldom wants the new one kept: none goes unasked, and none stays unseen.

    Red where only what the words name is found: it is forgotten at once then.
    """
    async with FakeTelegram() as telegram, running(tmp_path, telegram, storage) as talk:
        for place, text in enumerate((GYM, DEARER)):
            await talk.ask(text, date=int(time.time()) - 5 + place)
        await settle(talk)
        offered = await talk.ask("Forget that the gym costs me 40 euros.")

    assert GYM in offered
    assert DEARER in offered
