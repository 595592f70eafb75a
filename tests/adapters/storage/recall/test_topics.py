"""A message about several things finds something for each."""

from __future__ import annotations

from adapters.storage.recall.topics import TopicRecall
from bot.ports.memory import MemoryQuery
from tests.adapters.storage.recall.talk import HOME, START, Chat


async def test_each_topic_of_a_long_message_is_found(home: Chat) -> None:
    """Of two unrelated paragraphs neither drowns the other."""
    for number in range(30):
        await home.say(f"The garden needs water, seeds and patience in week {number}.")
    await home.say("My harpsichord stands in the attic.")
    garden = "How is the garden doing, does it need water or seeds or patience this week? " * 3

    query = MemoryQuery(f"{garden}\n\nWhere is the harpsichord, by the way, I forgot it?", 1, "Anna", START, 10)
    found = await TopicRecall(home.recall).recall(HOME, query)

    assert any("harpsichord" in memory.text for memory in found[:10])
    assert any("garden" in memory.text for memory in found[:10])


async def test_a_short_question_passes_through(home: Chat) -> None:
    """Nothing changes for a question of one topic."""
    await home.say("My harpsichord stands in the attic.")
    query = MemoryQuery("Where is the harpsichord?", 1, "Anna", START, 10)

    assert await TopicRecall(home.recall).recall(HOME, query) == await home.recall.recall(HOME, query)
