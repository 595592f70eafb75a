"""Long questions by topic: each piece is asked on its own, and the answers become one ranking."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, replace
from typing import Final

import structlog

from bot.memory.items import Recalled
from bot.memory.ranking.certainty import KNOWN
from bot.memory.ranking.topics import TopicOptions, merged, pieces
from bot.memory.scope import Scope
from bot.ports.memory import MemoryQuery, Recall

LOCAL: Final = TopicOptions(
    single_tokens=30, chunk_tokens=24, overlap_tokens=0, most_chunks=12, per_chunk=20, per_document=2, whole=True
)
"""For short questions about turns: a sentence or two is a topic (three questions in one message: +13 recall@10)."""

_LEAST_SURE: Final = 0.01


@dataclass(frozen=True, slots=True)
class TopicRecall:
    """The port :class:`~bot.ports.memory.Recall` around another one; a short question passes through unchanged."""

    inner: Recall
    options: TopicOptions = LOCAL

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Return verbatim turns for all topics of a question; errors are those of the inner one."""
        asked = pieces(query.text, self.options)
        if len(asked) < 2:  # noqa: PLR2004 - one piece is the question itself
            return await self.inner.recall(scope, query)
        answers = await asyncio.gather(*(self.inner.recall(scope, replace(query, text=text)) for text in asked))
        result = merged([_comparable(answer) for answer in answers], self.options, query.limit)
        structlog.get_logger().info(
            "recall by topics",
            chunks=result.chunks,
            results=result.results,
            distinct=result.distinct,
            final=len(result.found),
        )
        return result.found


def _comparable(answer: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """Return results with scores that compare across questions: the best one's is how certain it is, as log odds.

    A ranking score grows with the number of words asked, so that a long piece would drown a short one.
    """
    if not answer:
        return ()
    sure = min(max(answer[0].signals.get(KNOWN, 0.5), _LEAST_SURE), 1 - _LEAST_SURE)
    shift = math.log(sure / (1 - sure)) - answer[0].score
    return tuple(replace(memory, score=memory.score + shift) for memory in answer)
