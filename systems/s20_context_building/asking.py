"""Asks one memory: by the topics of a message, in time, and only as much of it as is needed.

What a message with several subjects is about as a whole finds what is a little about everything; a piece finds what is
about it.  So each piece is asked by itself, at once, and one ranking is made of the answers.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final, TypeVar

import structlog

from bot.errors import MnemeError
from bot.memory.helpfulness import KNOWN
from bot.memory.items import Channel, Recalled
from bot.memory.ranking.fusion import (
    LONGEST_SENTENCE,
    MergedAnswers,
    TopicOptions,
    count_unasked,
    limit_by_channel,
    merge_answers,
    split_topics,
)
from bot.memory.scope import Scope
from bot.ports.memory_store import MemoryQuery, TextRater
from bot.ports.rag import RagAnswer
from language.tokens import count_tokens

T = TypeVar("T")


async def within(deadline_s: float, asked: Mapping[str, asyncio.Task[T]]) -> tuple[dict[str, T], list[str]]:
    """Wait for all tasks at most ``deadline_s``; return results by name, and a note for each that gave none."""
    if not asked:
        return {}, []
    try:
        await asyncio.wait(asked.values(), timeout=deadline_s)
    finally:
        for task in asked.values():
            task.cancel()
    results: dict[str, T] = {}
    notes: list[str] = []
    for name, task in asked.items():
        if not task.done() or task.cancelled():
            notes.append(f"{name} missed the deadline of {deadline_s:g} s")
        elif (error := task.exception()) is not None:
            notes.append(f"{name} unavailable: {type(error).__name__}")
            structlog.get_logger().warning("memory read failed", channel=name, cause=type(error).__name__)
        else:
            results[name] = task.result()
    return results, notes


_RATED: Final = 40
"""Results of documents that are rated: twice what the limiter keeps by default."""


async def ask_by_need(
    ask: Callable[[bool], Awaitable[RagAnswer]], store: asyncio.Task[object] | None, patience_s: float
) -> RagAnswer:
    """Ask for documents only (``ask(True)``), and for everything where the store is off, fails or takes ``patience_s``.

    ``ask`` is given whether documents are enough.  What documents say is kept where everything cannot be had.
    """
    if store is None:
        return await ask(False)
    documents = asyncio.ensure_future(ask(True))
    try:
        await asyncio.wait({store}, timeout=patience_s)
        if store.done() and not store.cancelled() and store.exception() is None:
            return await documents
        whole = await ask(False)
        return whole if whole.found or not documents.done() else documents.result()
    finally:
        documents.cancel()


async def rate_documents(
    rater: TextRater, scope: Scope, query: MemoryQuery, found: tuple[Recalled, ...], mode: str, *, within_s: float
) -> tuple[Recalled, ...]:
    """Return ``found`` with what comes from documents rated like turns: each as its best passage, best first.

    What belongs to an exchange, and what is beyond the first :data:`_RATED`, follows as it is.  An entity or relation
    that says what a chunk's passage says is left out.  A store that fails, or takes ``within_s``, leaves all as it is.
    """
    outside = limit_by_channel(tuple(memory for memory in found if not memory.exchange), mode, _RATED)
    if not outside:
        return found
    try:
        async with asyncio.timeout(within_s):
            ratings = await rater.rate(scope, query, [memory.text for memory in outside])
    except (MnemeError, TimeoutError) as error:
        structlog.get_logger().warning("documents are not rated", cause=type(error).__name__)
        return found
    rated = [
        replace(outside[one.number], text=one.passage, score=one.score, signals=one.signals)
        for one in sorted(ratings, key=lambda one: -one.score)
    ]
    chunks = " ".join(memory.text.casefold() for memory in rated if memory.channel is Channel.CHUNK)
    kept = [memory for memory in rated if memory.channel is Channel.CHUNK or not _stands_in(memory.text, chunks)]
    known = {memory.key for memory in outside}
    return (*kept, *(memory for memory in found if memory.key not in known))


def _stands_in(text: str, chunks: str) -> bool:
    """Whether every line of a description is part of a chunk's passage."""
    return all(line.strip().casefold() in chunks for line in text.splitlines() if line.strip())


Ask = Callable[[str, int], Awaitable[RagAnswer]]
"""One question to one memory, and how many results of it are looked at."""

_LEAST_SURE: Final = 0.01


async def ask_topics(
    ask: Ask, text: str, also: tuple[str, ...], options: TopicOptions | None, limit: int
) -> MergedAnswers:
    """Ask ``text`` by topic and every text of ``also``, in parallel; a short text alone is asked as it is.

    The best answer to each topic of ``text`` comes first.  A piece that fails gives a note and costs only its results.
    """
    own = (split_topics(text, options) if options else ()) or (text,)
    others = tuple(piece for more in also for piece in (split_topics(more, options) if options else (more,)))
    unasked = _describe_unasked(text, options)
    if len(own) + len(others) == 1:
        answer = await ask(own[0], limit)
        return MergedAnswers(answer.found, 1, len(answer.found), len(answer.found), answer.note or unasked)
    options = options or TopicOptions()
    answers = await asyncio.gather(*(ask(piece, min(limit, options.per_chunk)) for piece in (*own, *others)))
    note = next((answer.note for answer in answers if answer.note), unasked)
    found = [comparable(answer.found) for answer in answers]
    return replace(merge_answers(found, options, limit, leading=len(own)), note=note)


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
