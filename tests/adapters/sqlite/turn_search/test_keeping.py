"""The index stays exact with the store: erase, edit, restart, other models, missing rows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from adapters.sqlite.items import SqliteItems
from adapters.sqlite.turn_search import transcript_cache as shelf
from adapters.sqlite.turn_search.index import dump_meanings, list_unembedded
from bot.memory.learning.correction import Correction
from bot.memory.ranking.transcript import Meaning as Embedded
from bot.messages import Address
from harness.processes import until
from harness.samples import HeldClock
from tests.adapters.sqlite.turn_search.talk import ANNA, BORIS, HOME, START, WORK, Chat, Meaning, chat


async def test_an_erased_exchange_is_not_recalled(home: Chat) -> None:
    """Erasing also voids what is held in memory; mutation check: without the new generation this is red."""
    uid = await home.say("My PIN hint is the harpsichord.")
    await home.settle()
    before = await home.ask("harpsichord")

    await home.eraser.erase_exchanges(HOME, (uid,))
    after = await home.ask("harpsichord")

    assert before
    assert after == ()
    assert len(home.recall._cache.get(HOME).transcript) == 0


async def test_an_erased_scope_leaves_no_row(home: Chat) -> None:
    """No utterance, meaning or backlog row of an erased scope stays; the other scope's do."""
    await home.say("I play the harpsichord.")
    await home.say("I play chess.", scope=WORK)
    await home.settle()

    await home.eraser.erase_scope(HOME)
    counts = await home.database.read(
        lambda connection: [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - constant names
            for table in ("recall_utterances", "recall_meanings", "recall_backlog")
        ]
    )

    assert counts == [1, 1, 0]
    assert await home.ask("harpsichord") == ()
    assert await home.ask("chess", scope=WORK)


async def test_an_erased_utterance_gets_no_meaning_afterwards(home: Chat) -> None:
    """An embedding that finishes after the erase is thrown away; mutation check: inserting VALUES makes this red."""
    from adapters.sqlite.turn_search.index import list_unembedded, store_meanings  # noqa: PLC0415 - used here alone
    from adapters.sqlite.turn_search.layouts import read_generation  # noqa: PLC0415 - the same

    uid = await home.say("I play the harpsichord.")
    batch = await home.database.read(lambda connection: list_unembedded(connection, 10))
    meanings = home.recall._passages
    made = [
        (each.exchange, each.assistant, await meanings.embed_text(each.text, "", (), patient=True)) for each in batch
    ]
    scope_no = batch[0].exchange >> 32

    await home.eraser.erase_exchanges(HOME, (uid,))
    now = await home.database.read(lambda connection: {scope_no: read_generation(connection, scope_no)})
    await home.database.write(lambda connection: store_meanings(connection, "meaning-1", made, now))
    left = await home.database.read(
        lambda connection: connection.execute("SELECT count(*) FROM recall_meanings").fetchone()[0]
    )

    assert left == 0


async def test_an_erased_text_leaves_nothing_in_the_meaning_of_the_next(home: Chat) -> None:
    """What stood before an utterance is embedded with it, so that an erase has the next one embedded again, alone.

    Mutation check: without ``requeue_following`` this is red.
    """
    first = await home.say("I play the harpsichord.", author=BORIS)
    await home.say("It is loud.")
    await home.say("The roof leaks.", scope=WORK)
    await home.settle()
    before = await _meanings_of(home)

    await home.eraser.erase_exchanges(HOME, (first,))
    gone = await _meanings_of(home)
    await home.settle()
    after = await _meanings_of(home)

    assert (len(before), len(gone), len(after)) == (3, 1, 2)
    assert after[0] != before[1]
    assert after[0] == _vectors(await home.recall._passages.embed_text("It is loud.", "", ("Anna",), patient=True))


async def test_a_correction_has_only_those_texts_embedded_again_that_it_changes(home: Chat) -> None:
    """Answers that told the old value, what stood behind the message or a question that is gone, and no name anew."""
    vet = await home.say("My vet lives in Kiel.", "Kiel is windy.")
    await home.say("Vera is in Ghent.", "She likes it. Is it far from Kiel?")
    await home.say("Very far.", "Good to know. Kiel has a tower.")
    await home.say("Otto came home.", "Say hello.")
    by = await home.say("No, in Lund.")
    await home.settle()
    await home.database.write(lambda connection: connection.execute("DELETE FROM names_backlog"))

    right = Correction(vet, "My vet lives in Kiel.", "My vet lives in Lund.")
    await SqliteItems(home.database, home.embedder, HeldClock()).correct(
        HOME, right, by, START, ANNA, Address("telegram", 7, -1)
    )
    waiting = await home.database.read(lambda connection: list_unembedded(connection, 99))
    unread = await home.database.fetch("SELECT 1 FROM names_backlog")

    assert [(each.text, each.before) for each in waiting] == [
        ("Vera is in Ghent.", ""),
        ("She likes it.", "Vera is in Ghent."),
        ("Very far.", ""),
        ("Good to know.", "Very far."),
        ("My vet lives in Lund.", ""),
    ]
    assert len(unread) == 1


async def test_a_short_text_before_is_embedded_along_and_a_long_one_is_not(home: Chat) -> None:
    """What an answer replies to belongs to its meaning; a long answer before it would drown it."""
    meanings = home.recall._passages

    alone = _vectors(await meanings.embed_text("It is loud.", "", (), patient=True))
    after_short = _vectors(await meanings.embed_text("It is loud.", "How is the harpsichord?", (), patient=True))
    after_long = _vectors(await meanings.embed_text("It is loud.", "One more word. " * 100, (), patient=True))

    assert after_short != alone
    assert after_long == alone


async def test_an_embedding_under_way_does_not_bring_an_erased_text_back(home: Chat) -> None:
    """A meaning made with a text that is erased before it is stored is thrown away and made again.

    Mutation check: without the comparison of generations this is red.
    """
    from adapters.sqlite.turn_search.index import list_unembedded, store_meanings  # noqa: PLC0415 - used here alone

    first = await home.say("I play the harpsichord.")
    await home.say("It is loud.")
    batch = await home.database.read(lambda connection: list_unembedded(connection, 10))
    meanings = home.recall._passages
    made = [
        (each.exchange, each.assistant, await meanings.embed_text(each.text, each.before, (), patient=True))
        for each in batch
    ]
    seen = {each.exchange >> 32: each.generation for each in batch}

    await home.eraser.erase_exchanges(HOME, (first,))
    await home.database.write(lambda connection: store_meanings(connection, meanings.model, made, seen))
    stored = await _meanings_of(home)
    waiting = await home.database.read(lambda connection: list_unembedded(connection, 10))

    assert stored == []
    assert [each.text for each in waiting] == ["It is loud."]


async def test_rows_of_an_older_format_are_made_again(home: Chat) -> None:
    """Passages and meanings that an older version wrote are never read: they come anew from the verbatim turns."""
    await home.say("We got a puppy.")
    await home.settle()
    await home.database.write(
        lambda connection: (
            connection.executescript(
                "UPDATE recall_utterances SET analysis = 0, passages = 'not how it is written today';"
                "UPDATE recall_meanings SET model = 'meaning-1', codes = x'00', sizes = x'0102', vectors = x'00';"
            ).rowcount
        )
    )

    home.recall._cache._held.clear()
    home.recall._caught_up = False
    await home.settle()
    found = await home.ask("hound?")

    assert found[0].text == "We got a puppy."


async def _meanings_of(home: Chat) -> list[bytes]:
    return await home.database.read(
        lambda connection: [
            row[0] for row in connection.execute("SELECT vectors FROM recall_meanings ORDER BY exchange, assistant")
        ]
    )


def _vectors(meanings: tuple[Embedded, ...]) -> bytes:
    return dump_meanings(meanings)[0]


async def test_a_restart_finds_the_same_in_the_same_order(tmp_path: Path) -> None:
    """What was laid out in memory is laid out again from the file, scores included."""
    async with chat(tmp_path) as first:
        for number in range(12):
            await first.say(f"Note {number}: the harpsichord moved to room {number}.", author=BORIS)
        await first.settle()
        before = await first.ask("Which room has the harpsichord?")
    async with chat(tmp_path) as second:
        after = await second.ask("Which room has the harpsichord?")

    assert [(memory.key, round(memory.score, 4)) for memory in before] == [
        (memory.key, round(memory.score, 4)) for memory in after
    ]


async def test_growing_gives_what_loading_gives(tmp_path: Path) -> None:
    """Questions between the turns change nothing about what is found later."""
    texts = [f"Day {number}: we cooked dish {number} with garlic." for number in range(10)]
    async with chat(tmp_path / "a") as grown:
        for text in texts:
            await grown.say(text)
            await grown.ask("garlic")
        await grown.settle()
        one = await grown.ask("Which dish with garlic?")
    async with chat(tmp_path / "b") as loaded:
        for text in texts:
            await loaded.say(text)
        await loaded.settle()
        other = await loaded.ask("Which dish with garlic?")

    assert [(memory.text, round(memory.score, 3)) for memory in one] == [
        (memory.text, round(memory.score, 3)) for memory in other
    ]


async def test_a_dead_embedder_costs_the_meaning_not_the_answer(home: Chat) -> None:
    """Words alone still find, and the backlog waits for the model."""
    home.embedder.down = True
    await home.say("I play the harpsichord.")
    found = await home.ask("harpsichord?")
    home.embedder.down = False

    assert found
    assert await home.recall.embed_missing() == 1


async def test_another_model_embeds_again_and_never_mixes(tmp_path: Path) -> None:
    """Vectors of another model, also of another length, are made again and not compared meanwhile."""
    async with chat(tmp_path) as first:
        await first.say("We got a puppy.")
        await first.settle()
    async with chat(tmp_path, Meaning(128, "meaning-2")) as second:
        await second.settle()
        found = await second.ask("hound?")
        models = await second.database.read(
            lambda connection: connection.execute("SELECT DISTINCT model FROM recall_meanings").fetchall()
        )

    assert found[0].text == "We got a puppy."
    assert models == [(second.recall._passages.model,)]
    assert models[0][0].startswith("meaning-2")


async def test_exchanges_that_the_index_missed_are_indexed(home: Chat) -> None:
    """Rows lost from the index come back from the verbatim turns."""
    await home.say("I play the harpsichord.")
    await home.database.write(lambda connection: connection.execute("DELETE FROM recall_utterances").rowcount)
    await home.database.write(lambda connection: connection.execute("DELETE FROM recall_backlog").rowcount)

    await home.settle()

    assert await home.ask("harpsichord")


async def test_scopes_beyond_the_bound_are_dropped_and_read_again(tmp_path: Path) -> None:
    """Memory holds a bounded number of scopes; a dropped one answers as before."""
    async with chat(tmp_path, scopes=1) as small:
        await small.say("I play the harpsichord.")
        await small.say("I play chess.", scope=WORK)
        first = await small.ask("harpsichord")
        await small.ask("chess", scope=WORK)
        held = len(small.recall._cache._held)
        again = await small.ask("harpsichord")

    assert held == 1
    assert [memory.key for memory in first] == [memory.key for memory in again]


async def test_questions_at_once_see_one_transcript(home: Chat) -> None:
    """Concurrent questions and turns of one scope double nothing."""
    for number in range(8):
        await home.say(f"Fact {number} about the harpsichord.")

    saying = asyncio.create_task(home.say("And chess."))
    answers = await asyncio.gather(*(home.ask("harpsichord") for _ in range(6)))
    await saying

    assert all(len({memory.key for memory in found}) == len(found) for found in answers)
    assert len(await home.ask("harpsichord")) == 9


async def test_odd_texts_are_stored_and_found(home: Chat) -> None:
    """Lone surrogates, NUL, emoji, white space and very long words break nothing."""
    for text in ("\ud800 harpsichord", "nul \x00 harpsichord", "🎹" * 4096, " \n\t ", "x" * 100_000):
        await home.say(text)
    await home.settle()

    assert len(await home.ask("harpsichord \ud800")) >= 2


async def test_a_long_chat_read_in_steps_is_found_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart everything said is found, whatever the steps cut; half an exchange is never skipped."""
    monkeypatch.setattr(shelf, "_STEP", 2)
    async with chat(tmp_path) as first:
        for number in range(9):
            await first.say(f"The harpsichord has key number {number}.", "I see." if number % 3 else "")
        await first.settle()
        whole = await first.ask("harpsichord", limit=30)
    async with chat(tmp_path) as second:
        found = await second.ask("harpsichord", limit=30)

    assert [(one.key, one.score) for one in found] == [(one.key, one.score) for one in whole]
    assert len([one for one in found if one.role == "user"]) == 9


async def test_a_question_that_gives_up_leaves_a_long_chat_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading goes on without who asked: a chat that takes longer than a turn's deadline is there after a while.

    Mutation check: with the rest awaited without ``shield`` the transcript stays as short as at the deadline.
    """
    monkeypatch.setattr(shelf, "_STEP", 2)
    async with chat(tmp_path) as first:
        for number in range(30):
            await first.say(f"The harpsichord has key number {number}.")
        await first.settle()
    async with chat(tmp_path) as home:
        held = home.recall._cache.get(HOME)
        asking = asyncio.create_task(home.ask("harpsichord"))
        while held.reading is None:  # noqa: ASYNC110 - within these steps there is no event to wait for
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        at_the_deadline = len(held.transcript)
        await until(lambda: held.reading is None)

        assert at_the_deadline < 30
        assert len(held.transcript) == 30
        assert await home.ask("harpsichord")


async def test_an_erase_while_a_long_chat_is_read_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is removed between two steps is not recalled, though a step had read it."""
    monkeypatch.setattr(shelf, "_STEP", 2)
    async with chat(tmp_path) as home:
        gone = await home.say("My PIN hint is the harpsichord.")
        for number in range(20):
            await home.say(f"The roof leaks at place {number}.")
        held = home.recall._cache.get(HOME)
        more = await home.recall._cache._read_step(HOME, held)
        read = len(held.transcript)
        await home.eraser.erase_exchanges(HOME, (gone,))
        found = await home.ask("harpsichord roof", limit=40)

    assert more
    assert read
    assert len(found) == 20
    assert not [one for one in found if "harpsichord" in one.text]
