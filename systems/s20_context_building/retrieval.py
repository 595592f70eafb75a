"""Asks both memories and makes one ranking of what they found, stage by stage.

What a stage's failure means stands where the stage is declared, in :meth:`Retrieval.stages`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import structlog

from bot.core.stages import Policy, Stage, run_stages
from bot.memory.chronicle.lines import DigestLine
from bot.memory.chronicle.relevance import rank_lines
from bot.memory.items import MemoryItem
from bot.memory.overviews import find_overview
from bot.memory.prompt.compression import compress, drop_near_duplicates
from bot.memory.ranking.fusion import (
    WindowMessage,
    diversify,
    fuse,
    fuse_ranks,
    limit_by_channel,
    render_window,
)
from bot.memory.ranking.ranking import is_known
from bot.memory.ranking.spreading import spread_over_sessions
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import redact
from bot.memory.synonyms import list_concepts
from bot.ports.chronicle import Chronicle
from bot.ports.compressor import Compressor
from bot.ports.document_store import DocumentSearch
from bot.ports.events import Publish, RetrievalCompleted
from bot.ports.memory_store import MemoryStore
from bot.ports.rag import QueryMode, RagAnswer, RagPort
from bot.ports.recall import MemoryQuery, Recall, TextRater
from bot.ports.reranker import Reranker
from bot.ports.understanding import Understanding
from systems.s20_context_building.limits import Fusion, RetrievalOptions
from systems.s20_context_building.longterm import ask_by_need, rate_documents
from systems.s20_context_building.retrieved import Retrieved
from systems.s20_context_building.topics import Topics, ask_topics, comparable

_WIDELY: Final = 150
"""Turns that are looked at for a question over time or over everything."""
_BESIDE, _BESIDE_ORDER = 12, 6
"""Of them those that stand beside the lines of the chronicle; an order is in the lines alone, as good as."""
_RERANKED = 50
"""Results that a reranker reads: it is slow, and what is further down is rarely worth its time."""
_RATING_SHARE = 0.8
"""Of the time that is left for long-term memory: documents that could not be rated in it stand by their rank."""
_EVERYTHING = 1000
"""Of several questions to long-term memory all results are kept: the limiter or the reranker chooses."""

_DEFAULTS = RetrievalOptions()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Both memories as one.

    ``recall``, ``items`` and ``rag`` are ``None`` where the configuration takes them off the read path; ``reading`` is
    asked anew each time whether long-term memory is on.  Without ``understanding``, ``reranker`` or ``compressor``
    their stage does what it can by rule.  ``publish`` is told what was found; ``rater`` rates documents like turns.
    """

    recall: Recall | None
    items: MemoryStore | None
    rag: RagPort | None
    mode: QueryMode = QueryMode.HYBRID
    options: RetrievalOptions = _DEFAULTS
    reading: Callable[[], bool] = lambda: True
    understanding: Understanding | None = None
    reranker: Reranker | None = None
    compressor: Compressor | None = None
    publish: Publish = lambda _: None
    rater: TextRater | None = None
    documents: DocumentSearch | None = None
    chronicle: Chronicle | None = None
    """Read for questions over time and over everything, ``None`` where the store is off the read path."""

    async def __call__(self, scope: Scope, query: MemoryQuery, window: Sequence[WindowMessage] = ()) -> Retrieved:
        """Return what is remembered; nothing raises but cancellation.  ``window`` is what was said just before."""
        overview = None if query.documents else find_overview(query.text)
        asked = Retrieved(scope, query, tuple(window), overview=overview)
        found = await run_stages(self.stages(), asked, lambda value, reason: value.noting(reason))
        found = replace(found, known=is_known(found.relevant, self.options.known_floor))
        self.publish(RetrievalCompleted(scope, query.text, found.relevant, found.notes))
        return found.counting(
            recalled=len(found.turns),
            items=len(found.items),
            rag_results=len(found.longterm),
            documents=len(found.documents),
            known=int(found.known),
        )

    def stages(self) -> tuple[Stage[Retrieved], ...]:
        """Return the stages in order, those that are switched off left out."""
        options = self.options
        stages = (
            # A question that nobody has read is asked as it is.
            self.understanding is not None
            and Stage("understanding", Policy.SKIP, self._understood, deadline_s=options.understanding_s),
            # Keeps whichever memory has answered by the deadline; bounds itself.
            Stage("reading", Policy.GRACEFUL, self._read),
            # A reranker that fails or is late leaves the ranking by score, limited by type.
            Stage("rerank", Policy.FALLBACK, self._reranked, fallback=self._fused, deadline_s=options.rerank_s)
            if self.reranker is not None
            else Stage("fusion", Policy.FAIL_FAST, _pure(self._fused)),
            options.distinct and Stage("near-duplicates", Policy.SKIP, _pure(_distinct)),
            options.diversity > 0 and Stage("diversity", Policy.SKIP, _pure(self._diversified)),
            # Questions over time or over everything: the chronicle first, and the rest by turns of the sessions.
            Stage("spreading", Policy.SKIP, _pure(_spread)),
            # A model that cannot say it shorter is replaced by leaving sentences out.
            options.compress
            and Stage(
                "compression",
                Policy.FALLBACK,
                self._condensed,
                fallback=self._extracted,
                deadline_s=options.compression_s,
            ),
        )
        return tuple(stage for stage in stages if isinstance(stage, Stage))

    async def _understood(self, asked: Retrieved) -> Retrieved:
        if self.understanding is None or not asked.query.text.strip():
            return asked
        understood = await self.understanding.understand(asked.query.text)
        return replace(asked, understood=understood).noting(understood.note)

    async def _read(self, asked: Retrieved) -> Retrieved:
        """Ask all memories at once, or documents alone; what misses the deadline is left out."""
        options, scope, query = self.options, asked.scope, asked.query
        everything = not query.documents
        room_s = options.rerank_s if self.reranker is not None else 0.0
        own: dict[str, asyncio.Task[Topics | tuple[tuple[MemoryItem, float], ...]]] = {}
        if self.recall is not None and everything:
            own["store"] = asyncio.create_task(self._store(self.recall, asked))
        if self.items is not None and everything:
            own["items"] = asyncio.create_task(self.items.items(scope, query))
        far: dict[str, asyncio.Task[Topics]] = {}
        filed: dict[str, asyncio.Task[Topics]] = {}
        if self.documents is not None and asked.overview is None:
            filed["documents"] = asyncio.create_task(self._documents(self.documents, asked))
        if self.rag is not None and self.reading() and everything:
            far["long-term memory"] = asyncio.create_task(self._longterm(self.rag, asked, own.get("store")))
        written: dict[str, asyncio.Task[tuple[DigestLine, ...]]] = {}
        if self.chronicle is not None and asked.overview is not None:
            written["chronicle"] = asyncio.create_task(self.chronicle.read_lines(scope))
        deadline_s = max(options.deadline_s - room_s, options.deadline_s / 4)
        patience_s = max(deadline_s, options.store_deadline_s)
        (results, missed), (others, notes), (kept_lines, late), (files, unfiled) = await asyncio.gather(
            within(patience_s, own), within(deadline_s, far), within(patience_s, written), within(patience_s, filed)
        )
        found, longterm, items = results.get("store"), others.get("long-term memory"), results.get("items", ())
        if isinstance(found, Topics):
            asked = _counted(replace(asked, turns=found.merged.found), "store", found).noting(found.note)
        if longterm is not None:
            kept = longterm.merged.found
            if isinstance(found, Topics) and found.merged.chunks > 1 and longterm.merged.chunks == 1:
                kept = comparable(kept)  # as the pieces are that the store was asked
            asked = _counted(replace(asked, longterm=kept), "rag", longterm).noting(longterm.note)
            asked = asked.counting(rag_chars=sum(len(memory.text) for memory in kept))
        if (said := files.get("documents")) is not None:
            asked = _counted(replace(asked, documents=said.merged.found), "document", said)
        unread = bool(missed or unfiled or late)
        asked = replace(asked, items=() if isinstance(items, Topics) else items, unread=unread)
        asked = replace(asked, lines=kept_lines.get("chronicle", ()))
        return asked.noting(*missed, *unfiled, *notes, *late)

    async def _store(self, recall: Recall, asked: Retrieved) -> Topics:
        async def ask(text: str, most: int) -> RagAnswer:
            return RagAnswer(await recall.recall(asked.scope, replace(asked.query, text=text, limit=most)))

        said = (message.text for message in asked.window)
        also = (*asked.understood.wordings, asked.understood.supposed, *said)
        topics, most = self.options.store_topics, asked.query.limit
        if asked.overview is not None:  # one subject, of which more than the best is wanted
            topics, most = None, max(most, _WIDELY)
        return await ask_topics(ask, asked.query.text, _texts(also), topics, most)

    async def _documents(self, documents: DocumentSearch, asked: Retrieved) -> Topics:
        async def ask(text: str, most: int) -> RagAnswer:
            return RagAnswer(await documents.search(asked.scope, replace(asked.query, text=text, limit=most)))

        also = (*asked.understood.wordings, asked.understood.supposed)
        return await ask_topics(ask, asked.query.text, _texts(also), self.options.store_topics, asked.query.limit)

    async def _longterm(self, rag: RagPort, asked: Retrieved, store: asyncio.Task[object] | None) -> Topics:
        mode, deadline_s = asked.understood.mode or self.mode, self.options.rag_deadline_s
        beside = None if self.options.exchanges else store

        async def ask(text: str, _most: int) -> RagAnswer:
            async def one(documents_only: bool) -> RagAnswer:  # noqa: FBT001 - one of two questions
                return await rag.query(asked.scope, text, mode, deadline_s=deadline_s, documents_only=documents_only)

            began = asyncio.get_running_loop().time()
            answer = await ask_by_need(one, beside, deadline_s / 2)
            if self.rater is None or self.recall is None:
                return answer
            about = replace(asked.query, text=text)
            left_s = _RATING_SHARE * (self.options.deadline_s - (asyncio.get_running_loop().time() - began))
            found = await rate_documents(
                self.rater, asked.scope, about, answer.found, mode.value, within_s=max(left_s, 0.0)
            )
            return replace(answer, found=found)

        query = asked.query
        now = WindowMessage(query.author_name, query.now, query.text)
        text = render_window((*asked.window, now)) if asked.window else query.text
        also = _texts((*asked.understood.wordings, asked.understood.supposed))
        return await ask_topics(ask, text, also, self.options.rag_topics, _EVERYTHING)

    def _fused(self, asked: Retrieved) -> Retrieved:
        """One ranking of both, what long-term memory found limited by type."""
        mode = (asked.understood.mode or self.mode).value
        top_k = self.options.top_k
        kept = limit_by_channel(asked.longterm, mode, top_k) if top_k else asked.longterm
        return self._joined(replace(asked, longterm=kept))

    def _joined(self, asked: Retrieved) -> Retrieved:
        join = fuse_ranks if self.options.fusion is Fusion.RANK else fuse
        return replace(asked, relevant=join(asked.turns, (*asked.documents, *asked.longterm)))

    async def _reranked(self, asked: Retrieved) -> Retrieved:
        """One ranking over all types by a model that reads question and result; a secret in the question stays here."""
        found = self._joined(asked).relevant
        if self.reranker is None or not found:
            return replace(asked, relevant=found)
        top_k = self.options.top_k or len(found)
        question = redact(asked.query.text).text
        ranked = await self.reranker.rerank(question, found[: max(_RERANKED, top_k)], top_k)
        return replace(asked, relevant=ranked).counting(reranked=len(ranked))

    def _diversified(self, asked: Retrieved) -> Retrieved:
        return replace(asked, relevant=diversify(asked.relevant, self.options.diversity))

    async def _condensed(self, asked: Retrieved) -> Retrieved:
        if self.compressor is None:
            return self._extracted(asked)
        short = await self.compressor.compress(asked.query.text, asked.relevant, self.options.budget_tokens)
        return replace(asked, relevant=short)

    def _extracted(self, asked: Retrieved) -> Retrieved:
        """Leave out near-duplicates, and of what does not fit the sentences that share least with the question."""
        wanted = frozenset(list_concepts(asked.query.text))

        def relevance(sentence: str) -> float:
            return len(wanted & frozenset(list_concepts(sentence))) / (len(wanted) or 1)

        return replace(asked, relevant=compress(asked.relevant, self.options.budget_tokens, relevance))


def _spread(asked: Retrieved) -> Retrieved:
    """Put the lines of the chronicle that answer first, and spread what else was found over sessions."""
    if asked.overview is None:
        return asked
    query = asked.query
    lines = rank_lines(asked.lines, asked.overview, asked.turns, question=query.text, now=query.now)
    most = query.limit if not lines else _BESIDE_ORDER if asked.chronological else _BESIDE
    told = spread_over_sessions(asked.relevant)[: min(most, query.limit)]
    return replace(asked, relevant=(*lines, *told)).counting(digest=len(lines))


def _distinct(asked: Retrieved) -> Retrieved:
    return replace(asked, relevant=drop_near_duplicates(asked.relevant))


def _texts(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in texts if text.strip())


def _counted(asked: Retrieved, name: str, found: Topics) -> Retrieved:
    """Count what several questions gave: pieces asked, results, after merging per document, kept."""
    if found.merged.chunks == 1:
        return asked
    merged = found.merged
    counts = {"chunks": merged.chunks, "found": merged.results, "distinct": merged.distinct, "kept": len(merged.found)}
    return asked.counting(**{f"{name}_{what}": count for what, count in counts.items()})


def _pure(work: Callable[[Retrieved], Retrieved]) -> Callable[[Retrieved], Awaitable[Retrieved]]:
    """Return a stage's work from a function that waits for nothing."""

    async def done(asked: Retrieved) -> Retrieved:
        return work(asked)

    return done


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
