"""Asks one memory about a message with several subjects: each by itself, at once, and one ranking of the answers.

What a message is about as a whole finds what is a little about everything; a piece finds what is about it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from bot.memory.items import Recalled
from bot.memory.ranking.fusion import (
    LONGEST_SENTENCE,
    MergedAnswers,
    TopicOptions,
    count_unasked,
    merge_answers,
    split_topics,
)
from bot.memory.ranking.ranking import KNOWN
from bot.ports.rag import RagAnswer
from language.tokens import count_tokens

Ask = Callable[[str, int], Awaitable[RagAnswer]]
"""One question to one memory, and how many results of it are looked at."""

_LEAST_SURE: Final = 0.01


@dataclass(frozen=True, slots=True)
class Topics:
    """What one memory answered to all topics: one ranking, its counts for the trace, the first trouble."""

    merged: MergedAnswers
    note: str = ""


async def ask_topics(ask: Ask, text: str, also: tuple[str, ...], options: TopicOptions | None, limit: int) -> Topics:
    """Ask ``text`` by topic and every text of ``also``, in parallel; a short text alone is asked as it is.

    The best answer to each topic of ``text`` comes first.  A piece that fails gives a note and costs only its results.
    """
    own = (split_topics(text, options) if options else ()) or (text,)
    others = tuple(piece for more in also for piece in (split_topics(more, options) if options else (more,)))
    unasked = _describe_unasked(text, options)
    if len(own) + len(others) == 1:
        answer = await ask(own[0], limit)
        merged = MergedAnswers(answer.found, 1, len(answer.found), len(answer.found))
        return Topics(merged, answer.note or unasked)
    options = options or TopicOptions()
    answers = await asyncio.gather(*(ask(piece, min(limit, options.per_chunk)) for piece in (*own, *others)))
    note = next((answer.note for answer in answers if answer.note), unasked)
    found = [comparable(answer.found) for answer in answers]
    return Topics(merge_answers(found, options, limit, leading=len(own)), note)


def _describe_unasked(text: str, options: TopicOptions | None) -> str:
    """Return a note about what of a long message is not searched for, "" where all of it is."""
    if options is None:
        read = f"asked whole: the embedding model reads about {LONGEST_SENTENCE} of its {count_tokens(text)} tokens"
        return read if count_tokens(text) > LONGEST_SENTENCE else ""
    left, count = count_unasked(text, options)
    return f"of a long message the last {count - left} of {count} parts were searched for" if left else ""


def comparable(answer: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """Return results with scores that compare across questions: the best one's is how certain it is, as log odds.

    A ranking score grows with the number of words asked, so that a long piece would drown a short one.  What has no
    certainty (long-term memory: scores are ranks) compares as it is.
    """
    if not answer or KNOWN not in answer[0].signals:
        return answer
    sure = min(max(answer[0].signals[KNOWN], _LEAST_SURE), 1 - _LEAST_SURE)
    shift = math.log(sure / (1 - sure)) - answer[0].score
    return tuple(replace(memory, score=memory.score + shift) for memory in answer)
