"""Asks long-term memory for what the store cannot know, and makes what it finds comparable with the store's turns.

The store holds every exchange and knows who spoke and when, so that long-term memory adds nothing to it
(docs/recall.md): it is asked for documents, and for exchanges only where the store gives no answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import structlog

from bot.errors import MnemeError
from bot.memory.items import Channel, Recalled
from bot.memory.ranking.fusion import limit_by_channel
from bot.memory.scope import Scope
from bot.ports.rag import RagAnswer
from bot.ports.recall import MemoryQuery, TextRater

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
