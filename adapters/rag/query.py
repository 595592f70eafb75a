"""Asks LightRAG, and knows when not to.

A turn waits at most its deadline, a dead server is left alone by the breaker and probed in the background, and what was
just answered is not asked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import structlog

from adapters.rag.breaker import Breaker
from adapters.rag.cache import CacheKey, QueryCache
from adapters.rag.keywords import keywords, searchable
from adapters.rag.names import Names
from adapters.rag.results import results
from adapters.rag.wire import Reply, Wire, refused
from bot.errors import MemoryUnavailable
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.rag import QueryMode, RagAnswer

_LONGEST_QUESTION: Final = 16_000
"""Characters; more than the longest piece that a long message is cut into.  What is over it is not asked, and noted."""
_NOT_TO_ITS_LIKING: Final = frozenset({400, 413, 422})
_STARTING: Final = "long-term memory is starting"


@dataclass(frozen=True, slots=True)
class Tuning:
    """How much is asked for: entities and relations (``top_k``), chunks (``chunk_top_k``); LightRAG's ranges 1..1000.

    ``relations=False`` leaves relations out.  ``rerank`` needs a reranker in the server, which
    else logs a warning at every query.
    """

    top_k: int = 60
    chunk_top_k: int = 20
    relations: bool = True
    rerank: bool = False


class Questions:
    """Implements ``RagPort.query``.

    ``has_address`` says whether the server has an address yet; ``names`` whether it keeps several chats in one
    workspace: then nothing without a proven origin is believed.
    """

    def __init__(
        self,
        wire: Wire,
        *,
        has_address: Callable[[], bool],
        tuning: Callable[[], Tuning],
        names: Names,
        cache: QueryCache,
        breaker: Breaker,
    ) -> None:
        self._wire = wire
        self._has_address = has_address
        self._tuning = tuning
        self._names = names
        self._cache = cache
        self._breaker = breaker
        self._prober: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    @property
    def asking(self) -> bool:
        """Whether a question would be sent now: there is an address and the breaker is closed."""
        return self._breaker.closed and self._has_address()

    def hurry(self) -> None:
        """Probe at once instead of after the breaker's pause."""
        self._hurry.set()

    async def close(self) -> None:
        """End the probing."""
        if self._prober is not None:
            self._prober.cancel()
            await asyncio.gather(self._prober, return_exceptions=True)

    async def ask(self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float) -> RagAnswer:
        """Return what is known, within ``deadline_s`` seconds in total; see :class:`~bot.ports.rag.RagPort`."""
        whole = clean(question).strip()
        question = whole[:_LONGEST_QUESTION]
        if not searchable(question) or deadline_s <= 0:
            return RagAnswer()
        tuning = self._tuning()
        key = self._cache.key(scope, mode, question, tuning)
        if (known := self._without_asking(key)) is not None:
            return known
        log = structlog.get_logger()
        try:
            answer = await self._sent(scope, question, mode, tuning, deadline_s)
        except MemoryUnavailable as error:
            log.warning("rag query failed", cause=str(error), scope=scope.tag)
            if self._breaker.failed(str(error)):
                log.warning("rag queries paused", cause=str(error))
                self._hurry.clear()
                self._prober = asyncio.create_task(self._probe(scope, deadline_s))
            return RagAnswer(note=str(error))
        self._breaker.succeeded()
        if answer.note:
            log.warning("rag query failed", cause=answer.note, scope=scope.tag)
            return answer
        if len(question) < len(whole):
            answer = replace(answer, note=f"asked of long-term memory: {len(question)} of {len(whole)} characters")
        self._cache.put(key, answer)
        event = f"rag query: {answer.chars} characters retrieved"
        log.info(event, scope=scope.tag, chars=answer.chars, found=len(answer.found))
        return answer

    def _without_asking(self, key: CacheKey) -> RagAnswer | None:
        if (cached := self._cache.get(key)) is not None:
            return cached
        if not self._has_address():
            return RagAnswer(note=_STARTING)
        if not self._breaker.closed:
            return RagAnswer(note=f"{self._breaker.cause} (not asked again until it recovers)")
        return None

    async def _sent(self, scope: Scope, question: str, mode: QueryMode, tuning: Tuning, deadline_s: float) -> RagAnswer:
        words = keywords(question)
        asked: dict[str, object] = {
            "query": question,
            "mode": (mode if words else QueryMode.NAIVE).value,
            "top_k": tuning.top_k,
            "chunk_top_k": tuning.chunk_top_k,
            "enable_rerank": tuning.rerank,
        }
        if words:
            asked |= {"ll_keywords": words.low, "hl_keywords": words.high}
        reply = await self._wire.call("POST", "/query/data", scope, deadline_s=deadline_s, json=asked)
        if reply.status in _NOT_TO_ITS_LIKING:
            return RagAnswer(note=f"long-term memory refuses the question: HTTP {reply.status}")
        data = _data(reply)
        if not tuning.relations:
            data = {kind: entries for kind, entries in data.items() if kind != "relationships"}
        mapped = results(scope, data, self._names)
        if mapped.foreign:
            structlog.get_logger().error("rag query: foreign results dropped", scope=scope.tag, count=mapped.foreign)
        return RagAnswer(mapped.found, chars=sum(len(memory.text) for memory in mapped.found))

    async def _probe(self, scope: Scope, deadline_s: float) -> None:
        """Ask a harmless question in the background until it is answered in the time that a turn would give it."""
        while not self._breaker.closed:
            with suppress(TimeoutError):  # not wait_for: in Python 3.11 it can swallow a cancellation
                async with asyncio.timeout(self._breaker.pause_s()):
                    await self._hurry.wait()
            self._hurry.clear()
            asked = {"query": "probe", "mode": QueryMode.NAIVE.value, "chunk_top_k": 1, "enable_rerank": False}
            try:
                _data(await self._wire.call("POST", "/query/data", scope, deadline_s=deadline_s, json=asked))
            except MemoryUnavailable as error:
                self._breaker.cause = str(error)
                continue
            self._breaker.close()
            structlog.get_logger().info("rag queries resumed")


def _data(reply: Reply) -> Mapping[str, object]:
    """Return the ``data`` of an answer; "nothing found" is a success with empty data.

    Raises :class:`~bot.errors.MemoryUnavailable` for everything else.
    """
    if reply.status == 200 and isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
        data = reply.body.get("data")
        if isinstance(data, dict) and reply.body.get("status") in {"success", "failure"}:
            return data
    raise refused(reply)
