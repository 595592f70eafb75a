"""Questions to LightRAG: within a deadline, behind a circuit breaker, with a cache of answers.

A turn waits at most its deadline.  A server that does not answer is not asked by turns any more but probed in the
background, and what was just answered is not asked again.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import structlog
from cachetools import LRUCache

from adapters.rag.results import keywords, map_results, searchable
from adapters.rag.transport import ServerNames, ServerReply, Transport, refuse_status
from bot.errors import MemoryUnavailable
from bot.memory.document import source_pattern
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.ports.rag import QueryMode, RagAnswer
from bot.retry import Backoff, Pauses

_LONGEST_QUESTION: Final = 16_000
"""Characters; more than the longest piece that a long message is cut into.  What is over it is not asked, and noted."""
_NOT_TO_ITS_LIKING: Final = frozenset({400, 413, 422})
_STARTING: Final = "long-term memory is starting"


@dataclass(frozen=True, slots=True)
class QuerySize:
    """How much is asked for: entities and relations (``top_k``), chunks (``chunk_top_k``); LightRAG's ranges 1..1000.

    ``relations=False`` leaves relations out.  ``rerank`` needs a reranker in the server, which
    else logs a warning at every query.
    """

    top_k: int = 60
    chunk_top_k: int = 20
    relations: bool = True
    rerank: bool = False


class QueryRoute:
    """Implements ``RagPort.query``.

    ``names`` says whether the server keeps several chats in one workspace: then nothing without a proven origin is
    believed.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        size: Callable[[], QuerySize],
        names: ServerNames,
        cache: QueryCache,
        breaker: CircuitBreaker,
    ) -> None:
        self._transport, self._names, self._size = transport, names, size
        self._cache, self._breaker = cache, breaker
        self._probing: asyncio.Task[None] | None = None
        self._hurried = asyncio.Event()

    @property
    def asking(self) -> bool:
        """Whether a question would be sent now: there is an address and the breaker is closed."""
        return self._breaker.closed and self._transport.has_address

    def hurry(self) -> None:
        """Probe at once instead of after the breaker's pause."""
        self._hurried.set()

    async def close(self) -> None:
        if self._probing is not None:
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)

    async def ask(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        whole = clean(question).strip()
        question = whole[:_LONGEST_QUESTION]
        if not searchable(question) or deadline_s <= 0:
            return RagAnswer()
        size = self._size()
        key = self._cache.key(scope, mode, question, size, documents_only)
        if (known := self._answer_without_asking(key)) is not None:
            return known
        log = structlog.get_logger()
        try:
            asked = _body(question, mode, size) | (self._leave_out_exchanges(scope) if documents_only else {})
            answer = await self._send(scope, asked, size, deadline_s)
        except MemoryUnavailable as error:
            log.warning("rag query failed", cause=str(error), scope=scope.tag)
            if self._breaker.failed(str(error)):
                log.warning("rag queries paused", cause=str(error))
                self._hurried.clear()
                self._probing = asyncio.create_task(self._probe(scope, deadline_s))
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

    def _answer_without_asking(self, key: CacheKey) -> RagAnswer | None:
        if (cached := self._cache.get(key)) is not None:
            return cached
        if not self._transport.has_address:
            return RagAnswer(note=_STARTING)
        if not self._breaker.closed:
            return RagAnswer(note=f"{self._breaker.cause} (not asked again until it recovers)")
        return None

    def _leave_out_exchanges(self, scope: Scope) -> dict[str, object]:
        """Return what our own server calls leaving out a chat's exchanges; LightRAG's takes no notice of it."""
        return {"file_sources_unlike": self._names.document(source_pattern(scope.tag))}

    async def _send(self, scope: Scope, asked: Mapping[str, object], size: QuerySize, deadline_s: float) -> RagAnswer:
        reply = await self._transport.call("POST", "/query/data", scope, deadline_s=deadline_s, json=asked)
        if reply.status in _NOT_TO_ITS_LIKING:
            return RagAnswer(note=f"long-term memory refuses the question: HTTP {reply.status}")
        data = _data(reply)
        if not size.relations:
            data = {kind: entries for kind, entries in data.items() if kind != "relationships"}
        mapped = map_results(scope, data, self._names)
        if mapped.foreign:
            structlog.get_logger().error("rag query: foreign results dropped", scope=scope.tag, count=mapped.foreign)
        return RagAnswer(mapped.found, chars=sum(len(memory.text) for memory in mapped.found))

    async def _probe(self, scope: Scope, deadline_s: float) -> None:
        """Ask a harmless question in the background until it is answered in the time that a turn would give it."""
        while not self._breaker.closed:
            with suppress(TimeoutError):  # not wait_for: in Python 3.11 it can swallow a cancellation
                async with asyncio.timeout(self._breaker.pause_s()):
                    await self._hurried.wait()
            self._hurried.clear()
            asked = {"query": "probe", "mode": QueryMode.NAIVE.value, "chunk_top_k": 1, "enable_rerank": False}
            try:
                _data(await self._transport.call("POST", "/query/data", scope, deadline_s=deadline_s, json=asked))
            except MemoryUnavailable as error:
                self._breaker.cause = str(error)
                continue
            self._breaker.close()
            structlog.get_logger().info("rag queries resumed")


def _body(question: str, mode: QueryMode, size: QuerySize) -> dict[str, object]:
    """Return the body of a question; what holds nothing but function words is asked in ``naive`` mode."""
    words = keywords(question)
    body: dict[str, object] = {
        "query": question,
        "mode": (mode if words else QueryMode.NAIVE).value,
        "top_k": size.top_k,
        "chunk_top_k": size.chunk_top_k,
        "enable_rerank": size.rerank,
    }
    return body | {"ll_keywords": words.low, "hl_keywords": words.high} if words else body


def _data(reply: ServerReply) -> Mapping[str, object]:
    """Return the ``data`` of an answer; "nothing found" is a success with empty data.

    Raises :class:`~bot.errors.MemoryUnavailable` for everything else.
    """
    if reply.status == 200 and isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
        data = reply.body.get("data")
        if isinstance(data, dict) and reply.body.get("status") in {"success", "failure"}:
            return data
    raise refuse_status(reply)


_IN_A_ROW: Final = 5
_WINDOW: Final = 20
_PROBING: Final = Backoff(10.0, 120.0, jitter=0.2)


class CircuitBreaker:
    """Says whether a server may be asked; after M. Nygard, "Release It!", chapter 5.

    Open after 5 failures in a row or when half of the last 20 calls failed; closed again by a good probe.
    """

    def __init__(self, dice: random.Random | None = None) -> None:
        self._pauses = Pauses(_PROBING, dice)
        self._calls: deque[bool] = deque(maxlen=_WINDOW)
        self._in_a_row = 0
        self.cause = ""
        """Why the last call failed; "" while closed."""
        self.closed = True

    def succeeded(self) -> None:
        """Count a good call; one that began before the breaker opened does not close it."""
        self._calls.append(True)
        self._in_a_row = 0

    def failed(self, cause: str) -> bool:
        """Count a failed call; ``True`` when this one opened the breaker."""
        self._calls.append(False)
        self._in_a_row += 1
        if not self.closed:
            return False
        if self._in_a_row < _IN_A_ROW and 2 * self._calls.count(False) < _WINDOW:
            return False
        self.closed = False
        self.cause = cause
        self._pauses.reset()
        return True

    def pause_s(self) -> float:
        """Return how long to wait before the next probe: 10 s doubling to 120 s, less up to a fifth at random."""
        return self._pauses.next_s()

    def close(self) -> None:
        """A probe was answered: start again with a clean record."""
        self._calls.clear()
        self._in_a_row = 0
        self._pauses.reset()
        self.cause = ""
        self.closed = True


_MOST_EPOCHS: Final = 10_000


CacheKey = tuple[Scope, int, Hashable]
"""A scope, the epoch of its memory, and what was asked."""


class QueryCache:
    """At most ``size`` answers, each for ``ttl_s()`` seconds of ``monotonic``, 0 for none; the longest unused goes.

    Whatever a scope forgets or learns starts a new epoch of it; an answer that was asked for in an old one is never
    found again, also when it arrives late.
    """

    def __init__(self, size: int, ttl_s: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self._ttl_s = ttl_s
        self._monotonic = monotonic
        self._answers: LRUCache[CacheKey, tuple[float, RagAnswer]] = LRUCache(size)
        self._epochs: LRUCache[Scope, int] = LRUCache(_MOST_EPOCHS)
        self._newest = 0

    def key(self, scope: Scope, *asked: Hashable) -> CacheKey:
        """Return the key of a question asked now; take it before the question goes out."""
        return scope, self._epochs.get(scope, 0), asked

    def get(self, key: CacheKey) -> RagAnswer | None:
        """Return the answer if it is known and fresh."""
        entry = self._answers.get(key)
        if entry is None:
            return None
        if self._monotonic() - entry[0] >= self._ttl_s():
            del self._answers[key]
            return None
        return entry[1]

    def put(self, key: CacheKey, answer: RagAnswer) -> None:
        """Keep an answer, unless its epoch is over."""
        scope, epoch, _ = key
        if epoch == self._epochs.get(scope, 0) and self._ttl_s():
            self._answers[key] = (self._monotonic(), answer)

    def forget(self, scope: Scope) -> None:
        """Drop everything of a scope and start its next epoch."""
        self._newest += 1
        self._epochs[scope] = self._newest
        for key in [key for key in self._answers if key[0] == scope]:
            del self._answers[key]
