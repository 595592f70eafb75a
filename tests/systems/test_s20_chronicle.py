"""System 20 and questions over time and over everything: the chronicle is read for them, and for them alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta

from bot.errors import StorageUnavailable
from bot.memory.chronicle import DigestLine
from bot.memory.helpfulness import HELPS
from bot.memory.items import Channel, Trust
from bot.memory.scope import Scope
from systems.s20_context_building import RetrievalOptions
from tests.cases import each_row
from tests.systems.memory_fakes import WHEN, Memories, building, recalled, said

ORDER = "In what order did we renovate the kitchen?"


@dataclass
class Chronicle:
    """A chronicle that fails if it is to."""

    lines: tuple[DigestLine, ...] = ()
    error: StorageUnavailable | None = None
    asked: list[Scope] = field(default_factory=list)

    async def read_lines(self, scope: Scope) -> tuple[DigestLine, ...]:
        self.asked.append(scope)
        if self.error is not None:
            raise self.error
        return self.lines


def line(text: str, number: int) -> DigestLine:
    """A line of its own session, older by its number of days."""
    at = WHEN - timedelta(days=number)
    return DigestLine(f"d{number}", 100 - number, number, at, "Anna", 42, "user", Trust.USER, text, 0.7)


async def test_the_chronicle_is_read_for_such_a_question_and_stands_first() -> None:
    chronicle = Chronicle((line("I sold the old kitchen.", 9), line("I chose tiles for the kitchen.", 5)))
    memories = Memories(found=(recalled("The kitchen is done.", "e7"),))
    turn = await building(memories, chronicle=chronicle)(said(ORDER))

    assert len(chronicle.asked) == 1
    assert [memory.channel for memory in turn.relevant] == [Channel.DIGEST, Channel.DIGEST, Channel.TURN]
    assert turn.context.index("I sold the old kitchen.") < turn.context.index("I chose tiles for the kitchen.")
    assert turn.trace.figures["digest"] == 2


async def test_a_summary_tells_what_was_answered_beside_what_was_said() -> None:
    """Only where that was found; an order is of what its author said."""
    chronicle = Chronicle((line("I sold the old kitchen.", 9), line("I chose tiles for the kitchen.", 5)))
    answer = replace(
        recalled("Grey tiles hide stains in a kitchen.", "d5"),
        key="turn:d5:assistant",
        role="assistant",
        author="",
        author_id=0,
        said_at=WHEN - timedelta(days=5),
    )
    asking = building(Memories(found=(answer,)), chronicle=chronicle)
    summary, order = await asking(said("Summarise what I told you about the kitchen.")), await asking(said(ORDER))

    assert [memory.key for memory in summary.relevant] == ["digest:d9:91", "digest:d5:95", "turn:d5:assistant"]
    assert summary.relevant[2].signals[HELPS] == summary.relevant[1].signals[HELPS]
    assert HELPS not in order.relevant[2].signals


@each_row("asked", ["Where does Vera live?", "I sold the old kitchen.", "Summarise this text: kitchens."])
async def test_it_is_not_read_for_anything_else(asked: str) -> None:
    chronicle = Chronicle((line("I sold the old kitchen.", 9),))
    turn = await building(Memories(found=(recalled("Vera lives here."),)), chronicle=chronicle)(said(asked))

    assert chronicle.asked == []
    assert [memory.channel for memory in turn.relevant] == [Channel.TURN]


async def test_a_chronicle_that_fails_costs_its_lines_alone() -> None:
    chronicle = Chronicle(error=StorageUnavailable("disk"))
    turn = await building(Memories(found=(recalled("The kitchen is done."),)), chronicle=chronicle)(said(ORDER))

    assert [memory.text for memory in turn.relevant] == ["The kitchen is done."]
    assert any("chronicle unavailable" in note for note in turn.trace.notes)


async def test_turns_are_spread_over_sessions_and_more_of_them_are_looked_at() -> None:
    talk = tuple(replace(recalled(f"tile {n}", f"e{n}"), key=f"t{n}", score=10 - n / 10) for n in range(8))
    old = replace(recalled("we sold it", "e9"), key="old", score=8.0, said_at=WHEN - timedelta(days=40))
    least = replace(recalled("who knows", "e10"), key="least", score=0.0, said_at=WHEN - timedelta(days=80))
    memories = Memories(found=(*talk, old, least))
    turn = await building(memories, options=RetrievalOptions(results=5))(said(ORDER))

    assert len(turn.relevant) == 5
    assert "old" in [memory.key for memory in turn.relevant]
