"""System 20 asks long-term memory for documents alone where the store answers, and rates them like turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from bot.errors import MnemeError, StorageUnavailable
from bot.memory.helpfulness import KNOWN
from bot.memory.items import Channel, Recalled
from bot.memory.scope import Scope
from bot.ports.memory_store import MemoryQuery, RatedText
from bot.ports.rag import QueryMode, RagAnswer
from systems.s20_context_building import RetrievalOptions
from tests.cases import each_row
from tests.systems.memory_fakes import Memories, building, recalled, said

CHUNK = Recalled("chunk:manual", "Much filling. The guarantee ends after 63 months. More filling.", Channel.CHUNK, 1.0)
SENTENCE = Recalled("entity:guarantee", "The guarantee ends after 63 months.", Channel.ENTITY, 0.9)
RELATION = Recalled("relation:a|b", "Ines looks after the cellar.", Channel.RELATION, 0.8)


@dataclass
class Library(Memories):
    """Remembers whether documents alone were asked for; what was said comes only with everything."""

    documents: tuple[Recalled, ...] = ()
    spoken: tuple[Recalled, ...] = ()
    wanted: list[bool] = field(default_factory=list)

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        self.wanted.append(documents_only)
        return RagAnswer(self.documents if documents_only else (*self.documents, *self.spoken))

    async def rate(self, scope: Scope, query: MemoryQuery, texts: Sequence[str]) -> tuple[RatedText, ...]:
        await self._do("rate")
        sure = MappingProxyType({KNOWN: 0.9})
        return tuple(
            RatedText(number, text.split("filling. ")[-1].split(" More")[0], 5.0 - number, sure)
            for number, text in enumerate(texts)
        )


def _turn(score: float) -> Recalled:
    return replace(recalled("The cellar is damp.", "x1"), score=score, signals=MappingProxyType({KNOWN: 0.8}))


@pytest.mark.parametrize(
    ("slow", "broken", "exchanges", "read_path", "wanted"),
    [
        pytest.param({}, {}, False, True, [True], id="the store answers"),
        pytest.param({}, {}, True, True, [False], id="asked for what was said as well"),
        pytest.param({}, {"recall": StorageUnavailable("no disk")}, False, True, [True, False], id="the store fails"),
        pytest.param({"recall": 5.0}, {}, False, True, [True, False], id="the store hangs"),
        pytest.param({}, {}, False, False, [False], id="the store is off"),
    ],
)
async def test_exchanges_are_asked_for_where_the_store_gives_no_answer(
    slow: dict[str, float],
    broken: dict[str, StorageUnavailable],
    *,
    exchanges: bool,
    read_path: bool,
    wanted: list[bool],
) -> None:
    """Either memory alone is enough: what was said is found in long-term memory when it cannot be found in the store.

    Mutation check: without the second question the two cases of a store that gives no answer are red.
    """
    spoken = recalled("Vera plays the cello.", "x7", Channel.CHUNK)
    memories = Library(found=(_turn(3.0),), slow=slow, broken=dict(broken), spoken=(spoken,))
    options = RetrievalOptions(deadline_s=1.0, rag_deadline_s=0.5, exchanges=exchanges)

    turn = await building(memories, options=options, read_path=read_path)(said("What does Vera play, and where?"))

    assert memories.wanted == wanted
    assert ("x7" in {memory.exchange for memory in turn.relevant}) is (wanted[-1] is False)


async def test_documents_stand_where_their_rating_puts_them() -> None:
    """By their passage, above or below turns; a description that says what a passage says is not said twice."""
    memories = Library(found=(_turn(4.5),), documents=(CHUNK, SENTENCE, RELATION))

    turn = await building(memories, rater=memories)(said("When does the guarantee end?"))

    assert [memory.text for memory in turn.relevant] == [
        "The guarantee ends after 63 months.",
        "The cellar is damp.",
        "Ines looks after the cellar.",
    ]
    assert turn.relevant[0].signals[KNOWN] == 0.9


@each_row("trouble", ["fails", "hangs"])
async def test_a_store_that_cannot_rate_leaves_documents_as_they_were_found(trouble: str) -> None:
    """They stand by their rank, whole; one that hangs costs no more than the turn's deadline."""
    broken: dict[str, MnemeError] = {"rate": StorageUnavailable("no disk")} if trouble == "fails" else {}
    slow = {"rate": 60.0} if trouble == "hangs" else {}
    memories = Library(found=(_turn(4.5),), documents=(CHUNK,), broken=broken, slow=slow)

    options = RetrievalOptions(deadline_s=1.0, rag_deadline_s=0.8)
    turn = await building(memories, options=options, rater=memories)(said("When does the guarantee end?"))

    assert CHUNK.text in {memory.text for memory in turn.relevant}
