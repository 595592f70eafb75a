"""Rating of texts that nobody said: on the scale of what was said, by their best passage."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from adapters.sqlite.turn_search.passages import MOST_EMBEDDED
from bot.memory.helpfulness import KNOWN
from bot.ports.memory_store import MemoryQuery, RatedText
from tests.adapters.sqlite.turn_search.talk import ANNA, HOME, START, Chat, chat

_THINGS = ("walls", "doors", "stairs", "frames", "gates", "chairs", "tables", "shelves", "beams", "floors")
FILLING = " ".join(f"The {things} of this house were painted in a quiet colour long ago." for things in _THINGS)
MANUAL = f"[Section: Norvik > Guarantee]\n\n{FILLING} The boiler is repaired free of charge for 63 months. {FILLING}"


async def _rate(home: Chat, question: str, *texts: str) -> tuple[RatedText, ...]:
    query = MemoryQuery(question, ANNA.id, ANNA.name, START + timedelta(days=1))
    return await home.recall.rate(HOME, query, texts)


async def test_a_long_text_is_shown_by_the_passage_that_answers(home: Chat) -> None:
    """Not its 300 words: the passage with the fact, under its section; a text about something else comes after it."""
    await home.say("I like the cello.")

    found = await _rate(home, "How long is the boiler repaired free of charge?", FILLING, MANUAL)

    assert [one.number for one in found] == [1, 0]
    assert "63 months" in found[0].passage
    assert found[0].passage.startswith("[Section: Norvik > Guarantee]")
    assert len(found[0].passage.split()) < 110
    assert found[0].signals[KNOWN] > 0.5 > found[1].signals[KNOWN]


async def test_a_text_and_a_turn_that_say_the_same_are_alike(home: Chat) -> None:
    """Scores compare: the same sentence, said by nobody in particular, lies near the turn that says it."""
    fact = "The boiler stands in the scullery behind the green door."
    await home.say("The weather is fine.")
    await home.say(fact)
    await home.settle()
    question = "Where does the boiler stand?"

    (turn, *_), (rated,) = await home.ask(question), await _rate(home, question, fact)

    assert turn.text == fact
    assert abs(rated.signals[KNOWN] - turn.signals[KNOWN]) < 0.15
    assert abs(rated.score - turn.score) < 3


async def test_what_is_embedded_for_a_question_is_bounded_and_kept(tmp_path: Path) -> None:
    """Of a hundred passages some dozens are embedded; asked again, none; after an erase what was kept is gone."""
    texts = [f"{FILLING} Room {number} is empty." for number in range(60)]
    async with chat(tmp_path, patience_s=60) as home:
        asked = [home.embedder.asked]
        for given, forget in ((texts, False), (texts[:1], False), (texts[:1], True)):
            if forget:
                home.recall.forget()
            await _rate(home, "Which room is empty?", *given)
            asked.append(home.embedder.asked)
    first, again, after = (later - before for before, later in pairwise(asked))

    assert MOST_EMBEDDED < first <= MOST_EMBEDDED + 2  # the question besides
    assert again <= 2
    assert after > again


@pytest.mark.parametrize("down", [True, False])
async def test_words_must_do_where_nothing_can_be_embedded(home: Chat, *, down: bool) -> None:
    """An embedder that is down costs the meaning, not the answer; a text without words has no rating."""
    await home.say("I like the cello.")
    home.embedder.down = down

    found = await _rate(home, "How long is the boiler repaired free of charge?", "", MANUAL)

    assert [one.number for one in found] == [1]
    assert "63 months" in found[0].passage
