"""System 20: both memories at once, and the reply whatever they do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from bot.errors import MnemeError, StorageUnavailable
from bot.memory.chronicle import DigestLine
from bot.memory.items import Channel, Recalled
from bot.memory.scope import Scope
from bot.ports.memory_store import MemoryQuery
from bot.ports.preferences import PromptSection
from bot.ports.rag import RagAnswer
from bot.turn import Skill
from systems.s20_context_building import ContextLimits, RetrievalOptions
from tests.cases import each_row
from tests.systems.memory_fakes import Memories, Sections, building, exchange, fact, recalled, said


@dataclass
class Shelf(Memories):
    """Documents and a chronicle, in which nothing is found."""

    async def search(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Find nothing."""
        await self._do("documents")
        return ()

    async def read_lines(self, scope: Scope) -> tuple[DigestLine, ...]:
        """Read nothing."""
        await self._do("lines")
        return ()


async def test_the_prompt_has_its_parts_in_order() -> None:
    """Operator sections, skill and tools, which stay; then memory and relevant memory."""
    memories = Memories(
        known=((fact("Vera lives in Porto"), 0.9),), found=(recalled("My sister Vera lives in Porto."),)
    )
    preferences = Sections(
        (PromptSection("IDENTITY", "You are Mneme."),), (Skill("travel", "Plans a journey by train", "Ask for dates."),)
    )
    turn = await building(memories, preferences=preferences, tools=("clock",), chosen="travel")(
        said("Where does Vera live?")
    )

    heads = ("You are Mneme.", "# Active Skill: travel", "# Available Tools", "# Memory", "# Relevant Memory")
    prompt = turn.system_prompt + turn.context
    places = [prompt.index(head) for head in heads]
    assert places == sorted(places)


@each_row("broken", ["recall", "items", "rag", "history"])
async def test_a_dead_memory_costs_its_memories_and_not_the_reply(broken: str) -> None:
    """Whichever part fails, the others stand in the prompt, and the trace names the one that is missing."""
    memories = Memories(
        past=(exchange(1),),
        found=(recalled("Vera lives in Porto."),),
        answer=RagAnswer((recalled("Vera is a baker.", "e9", Channel.CHUNK),), chars=16),
        broken={broken: StorageUnavailable("disk I/O error")},
    )
    turn = await building(memories)(said("Who is Vera?"))

    assert turn.reply is None
    assert ("Porto" in turn.context) == (broken != "recall")
    assert ("baker" in turn.context) == (broken != "rag")
    assert any("unavailable" in note for note in turn.trace.notes) == (broken != "history")


async def test_a_note_of_long_term_memory_reaches_the_trace() -> None:
    """A server that answers 503 leaves its reason for /why."""
    memories = Memories(answer=RagAnswer(note="long-term memory unavailable: HTTP 503"))
    turn = await building(memories)(said("where does Vera live?"))

    assert turn.trace.notes == ("long-term memory unavailable: HTTP 503",)


async def test_nothing_is_waited_for_beyond_the_deadline() -> None:
    """A memory that hangs is left out after the deadline; the other one's memories stand.

    Without the deadline in ``_within`` this test does not end.
    """
    memories = Memories(found=(recalled("Vera lives in Porto."),), slow={"rag": 3600.0})
    turn = await building(memories, options=RetrievalOptions(deadline_s=0.5))(said("Where does Vera live?"))

    assert turn.trace.notes == ("long-term memory missed the deadline of 0.5 s",)
    assert "Porto" in turn.context


async def test_a_store_that_may_take_longer_is_waited_for_alone() -> None:
    """``store_deadline_s``: where memory is all there is to answer from, a late store is better than a wrong answer.

    Without it the turn answers that nobody ever told; long-term memory is waited for no longer than before.
    """
    memories = Memories(found=(recalled("Vera lives in Porto."),), slow={"recall": 0.4, "rag": 30.0})
    options = RetrievalOptions(deadline_s=0.1, store_deadline_s=30.0)
    turn = await building(memories, options=options)(said("Where does Vera live?"))

    assert turn.trace.notes == ("long-term memory missed the deadline of 0.1 s",)
    assert "Porto" in turn.context
    assert not turn.unread


@each_row(("slow", "broken"), [({"recall": 30.0}, {}), ({}, {"recall": StorageUnavailable("the disk is gone")})])
async def test_a_store_that_was_not_read_is_told(slow: dict[str, float], broken: dict[str, MnemeError]) -> None:
    """Late or broken: the turn and the prompt say that there may be more, or a model says that nobody ever told."""
    memories = Memories(answer=RagAnswer((recalled("Vera sings."),), chars=11), slow=slow, broken=broken)
    found = await building(memories, options=RetrievalOptions(deadline_s=0.1))(said("Where does Vera live?"))
    empty = Memories(slow=slow, broken=broken)
    nothing = await building(empty, options=RetrievalOptions(deadline_s=0.1))(said("Where does Vera live?"))
    whole = await building(Memories())(said("Where does Vera live?"))

    assert found.unread
    assert nothing.unread
    assert "could not be read to the end" in found.context
    assert "could not be read to the end" in nothing.context
    assert not whole.unread
    assert "could not be read" not in whole.context


@each_row("what", ["documents", "lines"])
@each_row("late", [True, False])
async def test_what_else_was_not_read_is_told(what: str, *, late: bool) -> None:
    """Documents and the chronicle are the own store, too: late or broken they do not count as read.

    Mutation check: red where either is left out of what was missed.
    """
    broken: dict[str, MnemeError] = {} if late else {what: StorageUnavailable("the disk is gone")}
    memories = Shelf(found=(recalled("Vera sings."),), slow={what: 30.0} if late else {}, broken=broken)
    part: dict[str, Any] = {"documents": memories} if what == "documents" else {"chronicle": memories}
    question = "Where does Vera live?" if what == "documents" else "In what order did we renovate the kitchen?"
    turn = await building(memories, options=RetrievalOptions(deadline_s=0.1), **part)(said(question))

    assert memories.asked.count(what) == 1
    assert turn.unread


async def test_memory_switched_off_acts_within_the_turn() -> None:
    """The switch is asked when the turn reads, not when the pipeline was built; off, nothing is asked at all.

    Without the question in ``_remember`` this test fails.
    """
    memories, on = Memories(found=(recalled("Vera lives in Porto."),)), [True]
    system = building(memories, remembering=lambda: on[0])
    on[0] = False
    turn = await system(said("Where does Vera live?"))

    assert memories.asked == ["history"]
    assert "Porto" not in turn.context


async def test_memories_that_nobody_would_look_at_are_not_searched() -> None:
    """Without a model a statement is acknowledged: the history stands, and no memory is asked."""
    memories = Memories(found=(recalled("Vera lives in Porto."),))
    system = building(memories, asking=lambda text: (text,) if text.endswith("?") else ())
    stated = await system(said("Vera has moved."))
    searched = tuple(memories.asked)
    asked = await system(said("Where does Vera live?"))

    assert searched == ("history",)
    assert "Porto" not in stated.context
    assert "Porto" in asked.context


async def test_long_term_memory_switched_off_leaves_the_store() -> None:
    """``rag.enabled`` false asks the store alone."""
    memories = Memories(found=(recalled("Vera lives in Porto."),))
    turn = await building(memories, reading=lambda: False)(said("Where does Vera live?"))

    assert "rag" not in memories.asked
    assert "Porto" in turn.context


async def test_long_term_memory_alone_is_enough() -> None:
    """With recall and items off the read path, what LightRAG found stands in the prompt."""
    memories = Memories(answer=RagAnswer((recalled("Vera lives in Porto.", "e9", Channel.CHUNK),), chars=20))
    turn = await building(memories, read_path=False)(said("Where does Vera live?"))

    assert "Porto" in turn.context
    assert turn.trace.figures["rag_chars"] == 20


async def test_what_stands_in_the_history_is_not_shown_again() -> None:
    """A turn of this session is in front of the model already."""
    memories = Memories(past=(exchange(1, "Vera lives in Porto."),), found=(recalled("Vera lives in Porto.", "e1"),))
    turn = await building(memories)(said("Where does Vera live?"))

    assert "Porto" not in turn.context
    assert [shown.uid for shown in turn.history] == ["e1"]


async def test_history_keeps_the_newest_exchanges_that_fit() -> None:
    """``prompt.historyTokens`` bounds the history; what is cut is the oldest."""
    past = tuple(exchange(number, "word " * 40, "answer " * 40) for number in range(6))
    turn = await building(Memories(past=past), limits=ContextLimits(history_tokens=300))(said("and now?"))

    assert [shown.uid for shown in turn.history] == ["e4", "e5"]


async def test_items_that_are_shown_count_as_used() -> None:
    """They are refreshed after the prompt is built, and nobody waits for that."""
    memories = Memories(known=((fact("Vera lives in Porto", 7), 0.9),), slow={"touch": 0.05})
    turn = await building(memories)(said("Where does Vera live?"))
    waited_for = list(memories.touched)
    async with asyncio.timeout(120):
        while not memories.touched:  # noqa: ASYNC110 - the stand-in has no event
            await asyncio.sleep(0.01)

    assert "Porto" in turn.context
    assert (waited_for, memories.touched) == ([], [7])


async def test_a_refresh_that_fails_is_nobodys_trouble() -> None:
    """A disk that does not write costs the refresh only."""
    memories = Memories(
        known=((fact("Vera lives in Porto", 7), 0.9),), broken={"touch": StorageUnavailable("disk full")}
    )
    turn = await building(memories)(said("Where does Vera live?"))
    await asyncio.sleep(0)

    assert "Porto" in turn.context


async def test_a_skill_stays_active_in_its_session() -> None:
    """The skill of the last exchange holds until another one fits better or it is switched off."""
    preferences = Sections(known=(Skill("travel", "Plans a journey by train", "Ask for dates."),))
    memories = Memories(past=(exchange(1, skill="travel"),))
    kept = await building(memories, preferences=preferences)(said("and then?"))
    off = await building(memories, preferences=preferences, chosen="off")(said("and then?"))

    assert kept.skill is not None
    assert off.skill is None
