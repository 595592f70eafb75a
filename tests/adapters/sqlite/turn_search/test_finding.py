"""Search of the local channel: what it finds, and how soon."""

from __future__ import annotations

import asyncio

from bot.memory.helpfulness import KNOWN
from bot.memory.items import Channel
from bot.memory.ranking.vectors import liken
from bot.ports.memory_store import MemoryQuery
from tests.adapters.sqlite.turn_search.talk import ANNA, BORIS, HOME, START, WORK, Chat


async def test_a_turn_is_found_the_moment_it_is_committed(home: Chat) -> None:
    """No background work stands between commit and recall: the turn is found by its words at once."""
    uid = await home.say("My booking code is 567-G0.")

    found = await home.ask("What was my booking code?")

    assert found[0].exchange == uid
    assert found[0].key == f"turn:{uid}:user"
    assert found[0].channel is Channel.TURN


async def test_found_turns_say_who_when_and_why(home: Chat) -> None:
    """Author, role, time, verbatim text and the signals that carried it come with every turn."""
    await home.say("My sister Vera lives in Porto.", "A lovely city!", author=ANNA)

    user, assistant = await home.ask("Where does my sister live?")

    assert (user.author, user.author_id, user.role) == ("Anna", 1, "user")
    assert user.text == "My sister Vera lives in Porto."
    assert user.said_at is not None
    assert {KNOWN, "speaker"} <= user.signals.keys()
    assert (assistant.author, assistant.role, assistant.text) == ("", "assistant", "A lovely city!")


async def test_meaning_finds_what_shares_no_word(home: Chat) -> None:
    """A question about a dog finds the puppy once it is embedded."""
    for text in ("I repaired the roof.", "We got a puppy.", "Tax letters came again.", "The train was late."):
        await home.say(text)
    await home.settle()

    found = await home.ask("hound?")

    assert found[0].text == "We got a puppy."


async def test_what_is_found_tells_what_it_means(home: Chat) -> None:
    """So that what was found can be compared, by the same model, without reading it again."""
    for text in ("We got a puppy.", "The dog is asleep.", "Tax letters came again."):
        await home.say(text)

    found = {one.text: one.vector for one in await home.ask("hound?") if one.role == "user"}
    dog, letters = liken(found["We got a puppy."], [found["The dog is asleep."], found["Tax letters came again."]])

    assert dog > letters


async def test_new_turns_are_embedded_by_the_question_that_needs_them(home: Chat) -> None:
    """Without any background worker the newest turns still have their meaning when asked."""
    await home.say("The train was late.")
    await home.say("We got a puppy.")

    found = await home.ask("hound?")

    assert found[0].text == "We got a puppy."


async def test_i_is_who_asks(home: Chat) -> None:
    """The word "my" means the asker's own turns when two people said the same kind of thing."""
    await home.say("My favourite colour is green.", author=ANNA)
    await home.say("My favourite colour is blue.", author=BORIS)

    for_anna = await home.ask("What is my favourite colour?", author=ANNA)
    for_boris = await home.ask("What is my favourite colour?", author=BORIS)

    assert "green" in for_anna[0].text
    assert "blue" in for_boris[0].text


async def test_a_named_author_is_who_is_meant(home: Chat) -> None:
    """A question that names an author prefers what that author said."""
    await home.say("I bought a bicycle.", author=ANNA)
    await home.say("I bought a bicycle, too.", author=BORIS)

    found = await home.ask("What did Boris buy, a bicycle?", author=ANNA)

    assert found[0].author == "Boris"


async def test_the_date_of_a_question_prefers_what_was_said_then(home: Chat) -> None:
    """Of two equal turns the one said in the month that is asked for comes first."""
    from datetime import UTC, datetime  # noqa: PLC0415 - used here alone

    await home.say("I went hiking.", at=datetime(2023, 6, 3, tzinfo=UTC))
    await home.say("I went hiking.", at=datetime(2023, 11, 3, tzinfo=UTC))

    found = await home.ask("Where did I go hiking in June 2023?")

    assert found[0].said_at is not None
    assert found[0].said_at.month == 6


async def test_a_misspelt_word_still_finds(home: Chat) -> None:
    """One wrong letter in the telling word of a question does not lose the turn."""
    home.embedder.strange.add("harpsicord")
    for text in ("The train was late.", "I play the harpsichord.", "We repaired the roof."):
        await home.say(text)

    found = await home.ask("harpsicord?")

    assert "harpsichord" in found[0].text


async def test_a_misspelt_word_means_what_it_was_meant_to(home: Chat) -> None:
    """A typo is put right before the question is embedded, with a word that somebody wrote here.

    Mutation check: with the question embedded as it was written this is red.
    """
    home.embedder.strange.add("phsyicians")
    await home.say("I know three physicians.")

    (_, misspelt), (_, meant) = [
        await home.recall.prepare(HOME, MemoryQuery(f"Which {word}?", ANNA.id, ANNA.name, START, 1))
        for word in ("phsyicians", "physicians")
    ]

    assert misspelt.text == meant.text
    assert misspelt.vector is not None
    assert misspelt.vector.tolist() == (meant.vector.tolist() if meant.vector is not None else None)
    assert misspelt.words == meant.words


async def test_a_misspelt_name_is_who_is_meant(home: Chat) -> None:
    """An author whose name nobody has written is known all the same."""
    home.embedder.strange.add("brois")
    for author in (BORIS, ANNA):
        await home.say("My favourite colour is hard to tell.", author=author)

    found = await home.ask("What is Brois's favourite colour?")

    assert found[0].author == "Boris"


async def test_a_word_that_nobody_said_is_no_typo(home: Chat) -> None:
    """What the model knows as a word stays, however near it is to what was said; without a model it is put right."""
    await home.say("We painted the stage.")
    query = MemoryQuery("Which state?", ANNA.id, ANNA.name, START, 1)

    _, known = await home.recall.prepare(HOME, query)
    home.embedder.down = True
    _, guessed = await home.recall.prepare(HOME, query)

    assert known.text == "Which state?"
    assert guessed.text == "Which stage?"


async def test_russian_is_found_through_its_inflections(home: Chat) -> None:
    """Russian questions find Russian turns by stems."""
    await home.say("Мы переезжаем летом в Гамбург.")
    await home.say("Сосед отдал мне старый велосипед.")

    found = await home.ask("Кто отдал велосипеды?")

    assert "велосипед" in found[0].text


async def test_only_the_passage_of_a_long_message_is_shown(home: Chat) -> None:
    """Of a long answer the passage that matches comes back, marked as a part."""
    filler = " ".join(f"Sentence number {number} talks about nothing in particular at all." for number in range(60))
    await home.say("Any idea?", f"{filler} The harpsichord stands in the attic. {filler}")

    found = await home.ask("Where is the harpsichord?")
    long = next(memory for memory in found if memory.role == "assistant")

    assert "harpsichord" in long.text
    assert long.text.startswith("[…]")
    assert len(long.text.split()) < 120


async def test_another_chat_is_never_searched(home: Chat) -> None:
    """A scope's question finds nothing of another scope; mutation check: without the upper bound of ids this is red."""
    await home.say("I have a parrot.")
    await home.say("The canary is 4711.", scope=WORK)
    await home.settle()

    at_home = await home.ask("What is the canary?")
    at_work = await home.ask("What is the canary?", scope=WORK)

    assert [memory.text for memory in at_home] == ["I have a parrot."]
    assert [memory.text for memory in at_work] == ["The canary is 4711."]


async def test_nothing_stored_is_nothing_found(home: Chat) -> None:
    """A scope that was never used gives an empty answer."""
    assert await home.ask("Anything?") == ()


async def test_a_slow_embedder_costs_the_meaning_and_not_the_answer(home: Chat) -> None:
    """A model that is still loading is waited for less than a turn's deadline; then words alone find.

    Without the time-out in ``_embed_question`` this test hangs for a minute.
    """
    await home.say("My harpsichord stands in the attic.")
    home.embedder.slow = True

    async with asyncio.timeout(50):
        (found, *_) = await home.ask("Where is the harpsichord?")

    assert found.text == "My harpsichord stands in the attic."
