"""Asks both memories and makes one ranking of what they found, stage by stage.

What a stage's failure means stands where the stage is declared, in :meth:`Retrieval.stages`.
The store holds every exchange and knows who spoke and when, so that long-term memory adds nothing to it
(docs/recall.md): it is asked for documents, and for exchanges only where the store gives no answer.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from bot.core.pipeline import Policy, Stage, run_stages
from bot.memory.answering.changes import MAY_CHANGE, join_rates, rate_change
from bot.memory.answering.document_sentences import list_nearest_in_documents
from bot.memory.answering.evidence import (
    Evidence,
    find_aliases,
    is_of_whom,
    lacks_form,
    measure_shared,
    names_only_another,
)
from bot.memory.answering.questions import (
    AnswerKind,
    analyse,
    holds_kind,
    list_references,
    measure_asking,
    names_directly,
    says_name,
    strip_again,
)
from bot.memory.answering.reckoning import asks_sum
from bot.memory.answering.recollection import recall_said
from bot.memory.answering.subjects import ABOUT, Subject, add_aliases, choose_about, find_subject
from bot.memory.answering.utterances import leans_back, list_utterances
from bot.memory.chronicle import DigestLine, rank_lines
from bot.memory.concepts import list_concepts
from bot.memory.helpfulness import (
    ANSWERING,
    ANSWERS,
    BESIDE,
    FLOOR,
    FULL,
    HELPS,
    MAY_ANSWER,
    MEANING,
    follows,
    get_answering,
    is_known,
    measure_meaning,
    order_by_answering,
    settle_among_few,
)
from bot.memory.items import Channel, MemoryItem, Recalled
from bot.memory.learning.speech_acts import is_question
from bot.memory.overviews import Overview, OverviewKind, find_overview
from bot.memory.prompt.selection import compress, drop_near_duplicates
from bot.memory.ranking.fusion import (
    STORE_TOPICS,
    MergedAnswers,
    TopicOptions,
    WindowMessage,
    diversify,
    fuse,
    fuse_ranks,
    limit_by_channel,
    render_window,
    spread_over_sessions,
)
from bot.memory.ranking.ranking import SEARCH_BUDGET, SearchBudget
from bot.memory.ranking.vectors import liken, map_later
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import redact
from bot.memory.speakers import Reader
from bot.ports.chat_model import Compressor, Understanding, Understood
from bot.ports.documents import DocumentSearch
from bot.ports.embedder import AnswerReader, ChangeReader, Reranker
from bot.ports.events import Publish, RetrievalCompleted
from bot.ports.memory_store import Chronicle, MemoryQuery, MemoryStore, Mentions, Recall, Said, TextRater
from bot.ports.rag import QueryMode, RagAnswer, RagPort
from language.sentences import split_sentences
from systems.s20_context_building.asking import ask_by_need, ask_topics, comparable, rate_documents, within

_WIDELY: Final = 150
"""Turns that are looked at for a question over time or over everything."""
_BESIDE: Final = 12
"""Of them those that stand beside the lines of the chronicle."""
_RERANKED = 50
"""Results that a reranker reads: it is slow, and what is further down is rarely worth its time."""
_RATING_SHARE = 0.8
"""Of the time that is left for long-term memory: documents that could not be rated in it stand by their rank."""
_EVERYTHING = 1000
"""Of several questions to long-term memory all results are kept: the limiter or the reranker chooses."""


class Fusion(StrEnum):
    """How the store and long-term memory become one ranking."""

    SCORE = "score"
    RANK = "rank"


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """How memories are read and chosen.  Times in seconds.

    ``deadline_s`` is for everything after the understanding of the question, which has ``understanding_s`` of its own;
    ``rag_deadline_s`` and ``rerank_s`` lie within it.  The store may take ``store_deadline_s`` if that is longer: where
    memory is all there is to answer from.  ``budget`` is how thoroughly the store is searched.
    ``store_topics`` and ``rag_topics`` are ``None`` where long messages are asked whole.  ``window`` counts the earlier
    messages that are asked with the current one.
    ``exchanges`` asks long-term memory for what was said even where the store answers.
    ``top_k`` bounds what long-term memory or a reranker may contribute, 0 for all.  ``diversity`` in 0..1 trades
    relevance for variety (maximal marginal relevance).  ``known_floor`` is the certainty below which memory does not
    know (:mod:`bot.memory.ranking.ranking`).  ``budget_tokens`` is what compression makes the memories fit into.
    ``by_sentence`` rates long messages by their sentences: where these are the answer, and no model reads them.
    """

    deadline_s: float = 1.0
    store_deadline_s: float = 0.0
    rag_deadline_s: float = 0.8
    understanding_s: float = 2.0
    rerank_s: float = 0.5
    results: int = 50
    budget: SearchBudget = SEARCH_BUDGET
    store_topics: TopicOptions | None = STORE_TOPICS
    rag_topics: TopicOptions | None = field(default_factory=TopicOptions)
    window: int = 0
    exchanges: bool = False
    fusion: Fusion = Fusion.SCORE
    top_k: int = 20
    distinct: bool = False
    diversity: float = 0.0
    compress: bool = False
    compression_s: float = 5.0
    budget_tokens: int = 1000
    known_floor: float = FLOOR
    by_sentence: bool = False


_DEFAULTS = RetrievalOptions()
_SEVERAL: Final = 3
"""Sentences from which on a message is looked at one by one."""
_MOST_SENTENCES: Final = 12
_MOST_SPLIT: Final = 2
_SPLIT_AMONG: Final = 5
"""Messages that are split, of so many that are found first: their sentences are embedded while somebody waits."""
_SPLITTING_S: Final = 0.5
_FEW: Final = 4
"""Messages among which the best one may answer that shares no word of a question: among more, something is alike."""
_MOST_RATED: Final = 6
_RATED_AT_ONCE, _RATED_AT_ONCE_ALONE = 2, 3
"""Messages that are read beside the question, and how many at once: no more are read where one of these is an answer.
Without a model, which is shown the others as well, what has changed it or goes with it may be among them."""
_SPREAD: Final = 12
"""Messages of which the first of each person are read before the second of any."""
_LEAST_SPLIT: Final = 0.01
_MOST_PARTS: Final = 6
_PAUSE: Final = re.compile(r"[,;:]\s+|\s[–—-]+\s")
"""Likelihood from which on the clauses of a message are read each by itself, how many of one, and what parts them.
Without a model no more messages are read where none of the first is as likely (docs/recall.md)."""
_MOST_COMPARED: Final = 2
"""Messages after an answer that are read beside it: most alike to the question, and by the map to the answer."""
_MOST_OLDER: Final = 2
"""Older answers that the likeliest is read beside: a question seldom has more."""
_RATING_S: Final = 0.5
_RATING_ALONE_S: Final = 5.0
"""Seconds for reading where no model answers: to wait, for the reader to be loaded as well, is better than a guess."""
_AS_IT_IS: Final = Understood()


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A question on its way from stage to stage, and at the end what is remembered about it.

    ``turns``, ``documents`` and ``longterm`` are what the store found in what was said and in documents, and what
    long-term memory found; ``relevant`` is all of it as one ranking;
    ``items`` the structured memories with their relevance.  ``notes`` say what failed, ``counts`` how much was read.
    """

    scope: Scope
    query: MemoryQuery
    window: tuple[WindowMessage, ...] = ()
    understood: Understood = _AS_IT_IS
    turns: tuple[Recalled, ...] = ()
    longterm: tuple[Recalled, ...] = ()
    documents: tuple[Recalled, ...] = ()
    items: tuple[tuple[MemoryItem, float], ...] = ()
    relevant: tuple[Recalled, ...] = ()
    notes: tuple[str, ...] = ()
    counts: MappingProxyType[str, int] = field(default_factory=lambda: MappingProxyType({}))
    known: bool = True
    """Whether the best of it is certain enough to be an answer."""
    unread: bool = False
    """Whether the own store was late or broken: what is not here may be remembered all the same."""
    overview: Overview | None = None
    """The question over time or over everything that the message asks, if it asks one."""
    lines: tuple[DigestLine, ...] = ()
    """The chronicle, where such a question is asked."""
    subject: Subject | None = None
    """Whom or what the message wants to know all about, if it does."""
    about: tuple[Recalled, ...] = ()
    """Everything in which the subject is meant, the newest first."""

    @property
    def wordings(self) -> tuple[str, ...]:
        """What the question may be asked as well: other wordings of it, and an answer that is supposed."""
        return tuple(text for text in (*self.understood.wordings, self.understood.supposed) if text.strip())

    @property
    def chronological(self) -> bool:
        """Whether what is asked for is an order of time."""
        return self.overview is not None and self.overview.chronological

    @property
    def by_day(self) -> bool:
        """Whether what is shown is told day by day, a little of much."""
        return self.overview is not None and not self.about

    def counting(self, **counts: int) -> Retrieved:
        """Return it with more counts."""
        return replace(self, counts=MappingProxyType({**self.counts, **counts}))

    def noting(self, *notes: str) -> Retrieved:
        """Return it with those of ``notes`` that say something."""
        return replace(self, notes=(*self.notes, *(note for note in notes if note)))


def together(found: tuple[Retrieved, ...]) -> Retrieved:
    """Return what was found for several questions as one: the best of each before the second best of any."""
    if len(found) == 1:
        return found[0]
    ranks = itertools.zip_longest(*(one.relevant for one in found))
    relevant = {memory.key: memory for rank in ranks for memory in rank if memory is not None}
    items: dict[int, tuple[MemoryItem, float]] = {}
    for item, relevance in (pair for one in found for pair in one.items):
        if item.id not in items or relevance > items[item.id][1]:
            items[item.id] = (item, relevance)
    counts: Counter[str] = Counter()
    for one in found:
        counts.update(one.counts)
    return replace(
        found[0],
        relevant=tuple(relevant.values()),
        items=tuple(sorted(items.values(), key=lambda pair: -pair[1])),
        notes=tuple(dict.fromkeys(note for one in found for note in one.notes)),
        counts=MappingProxyType(dict(counts)),
        known=any(one.known for one in found),
        unread=any(one.unread for one in found),
    )


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Both memories as one.

    ``recall``, ``items`` and ``rag`` are ``None`` where the configuration takes them off the read path; ``reading`` is
    asked anew each time whether long-term memory is on.  Without ``understanding``, ``reranker`` or ``compressor``
    their stage does what it can by rule.  ``publish`` is told what was found; ``rater`` rates documents like turns,
    ``reader`` whether what was found answers, and ``changes`` whether that holds no more.
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
    reader: AnswerReader | None = None
    changes: ChangeReader | None = None
    documents: DocumentSearch | None = None
    mentions: Mentions | None = None
    """Asked for all that was said of a subject, ``None`` where the store is off the read path."""
    chronicle: Chronicle | None = None
    """Read for questions over time and over everything, ``None`` where the store is off the read path."""

    async def __call__(self, scope: Scope, query: MemoryQuery, window: Sequence[WindowMessage] = ()) -> Retrieved:
        """Return what is remembered; nothing raises but cancellation.  ``window`` is what was said just before."""
        overview = None if query.documents else find_overview(query.text)
        subject = None if query.documents else find_subject(query.text)
        plain = replace(query, text=strip_again(query.text))
        asked = Retrieved(scope, plain, tuple(window), overview=overview, subject=subject)
        found = await run_stages(self.stages(), asked, lambda value, reason: value.noting(reason))
        found = replace(found, query=query, known=is_known(found.relevant, self.options.known_floor))
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
            else Stage("fusion", Policy.FAIL_FAST, self._fused),
            options.distinct and Stage("near-duplicates", Policy.SKIP, _distinct),
            options.diversity > 0 and Stage("diversity", Policy.SKIP, self._diversified),
            # Questions over time or over everything: the chronicle first, and the rest by turns of the sessions.
            Stage("spreading", Policy.SKIP, _spread),
            # Questions for all about a subject: everything in which it is meant, before what only ranks well.
            Stage("subject", Policy.SKIP, _put_subject_first),
            options.by_sentence and Stage("sentences", Policy.SKIP, self._split, deadline_s=_SPLITTING_S),
            # A model that reads question and message together says whether one answers; else likeness decides.
            self.reader is not None
            and Stage(
                "answers", Policy.SKIP, self._rated, deadline_s=_RATING_ALONE_S if options.by_sentence else _RATING_S
            ),
            # A model that reads an answer and what was said since says whether it still holds; else rules decide.
            self.changes is not None
            and Stage(
                "changes", Policy.SKIP, self._compared, deadline_s=_RATING_ALONE_S if options.by_sentence else _RATING_S
            ),
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

    async def _split(self, asked: Retrieved) -> Retrieved:
        """Rate the sentences of long messages each by itself, the best of a message first.

        A message about eight things is like a question about one of them in none of its vectors.
        """
        if self.rater is None or asked.overview is not None or asked.about:
            return asked
        long = [memory for memory in asked.relevant[:_SPLIT_AMONG] if _is_long(memory)][:_MOST_SPLIT]
        pieces = [piece for memory in long for piece in _list_sentences(memory)]
        rated = await self.rater.rate(asked.scope, asked.query, [piece.text for piece in pieces]) if pieces else ()
        told = [replace(pieces[each.number], score=each.score, signals=each.signals) for each in rated]
        parts = {memory.key: _divide(memory, told) for memory in long}
        relevant = [part for memory in asked.relevant for part in parts.get(memory.key, (memory,))]
        return replace(asked, relevant=tuple(relevant)).counting(split=len(long))

    async def _rated(self, asked: Retrieved) -> Retrieved:
        """Say of the first messages found how likely each answers: what is about the same thing need not."""
        text = asked.query.text
        if self.reader is None or asked.overview is not None or asked.about:
            return asked
        # Without a language model nothing is searched that cannot ask.
        if not (self.options.by_sentence or measure_asking(text)):
            return asked
        said = [each for each in asked.relevant if _is_told(each)]
        at_once = _RATED_AT_ONCE_ALONE if self.options.by_sentence else _RATED_AT_ONCE
        first, rated = _choose_first(said, asked.query, at_once)[:_MOST_RATED], dict[str, float]()
        for start in range(0, len(first), at_once):
            some = first[start : start + at_once]
            alike = [_liken_alone(each) for each in some]
            rates = await self.reader.rate_answers(text, [_word(each, asked.query) for each in some], alike)
            rated |= {one.key: rate for one, rate in zip(some, rates, strict=True)}
            if max(rates) >= ANSWERING or (self.options.by_sentence and max(rates) < _LEAST_SPLIT):
                break
        # A language model reads the whole of what it is shown.
        if self.options.by_sentence and _LEAST_SPLIT <= max(rated.values(), default=0.0) < ANSWERING:
            read = [each for each in first if each.key in rated]
            rated |= await self._rate_clauses(self.reader, text, read, rated)
            rated |= _settle(asked.query, read, rated, len(said))
        if max(rated.values(), default=ANSWERING) < ANSWERING:
            analysed = analyse(text)
            rated |= {each.key: ANSWERING for each in first if names_directly(each.text, analysed)}
        return replace(asked, relevant=order_by_answering(asked.relevant, rated))

    async def _rate_clauses(
        self, reader: AnswerReader, text: str, first: Sequence[Recalled], rated: Mapping[str, float]
    ) -> dict[str, float]:
        """Say of messages none of which answers as a whole how likely the best of their clauses does.

        Who tells of three people in one breath is asked about one of them.  "Her birthday is in May" says nothing by
        itself, unless the question names nobody either, and no clause whether something is so.  Of what shares no word
        with the question some clause is always like it.
        """
        refers, asked = list_references(text), analyse(text)
        least = (_LEAST_SPLIT if measure_shared(asked, each.text, {}) else MAY_ANSWER for each in first)
        near = (each for each, rate in zip(first, least, strict=True) if rated[each.key] >= rate)
        likely, whether = sorted(near, key=lambda one: -rated[one.key]), asked.kind is AnswerKind.YES_NO
        rates = dict[str, float]()
        for each in likely[:_MOST_SPLIT]:
            sentences = split_sentences(each.text)
            clauses = sentences if whether else [part for sentence in sentences for part in _PAUSE.split(sentence)]
            parts = [clause for clause in clauses if " " in clause.strip() and (refers or not list_references(clause))]
            if parts != [each.text] and 0 < len(parts) <= _MOST_PARTS:
                rates[each.key] = max(rated[each.key], *await reader.rate_answers(text, parts))
        return rates

    async def _compared(self, asked: Retrieved) -> Retrieved:
        """Say of the likeliest answer and what the same person said after it whether the answer holds no more.

        Of those that are most alike to the question and the answer; of older answers whether this one is what holds in
        their place.  What a document says nearest to the question may hold no more by what who asks said since.
        """
        if self.changes is None:
            return asked
        told = [(get_answering(each) or 0.0, each) for each in asked.relevant if _is_told(each) and each.said_at]
        likely = sorted((one for one in told if one[0] > BESIDE), key=lambda one: -one[0])
        beside = _list_changing_documents(asked, [each for _, each in told])
        if likely:
            (_, answer), *others = likely
            whole = {each.exchange: each for each in asked.turns if _is_told(each)}
            later = {each.exchange: whole.get(each.exchange, each) for _, each in told if follows(each, answer)}
            mapped = [map_later(each.vector) for each in later.values()]
            likenesses = zip(liken(answer.vector, mapped), later.values(), strict=True)
            nearest = sorted(likenesses, key=lambda one: -one[0] - measure_meaning(one[1].signals))
            beside[answer.key] = answer, [each for _, each in nearest[:_MOST_COMPARED]]
            older = (each for _, each in others if follows(answer, each))
            beside |= {each.key: (each, [answer]) for each in itertools.islice(older, _MOST_OLDER)}
        changing, text = dict[str, tuple[Recalled, dict[str, float]]](), asked.query.text
        for key, (earlier, since) in beside.items():
            rates = await self.changes.rate_changes(text, earlier.text, [each.text for each in since]) if since else ()
            alike = liken(earlier.vector, [map_later(each.vector) for each in since])
            for each, rate, likeness in zip(since, rates, alike, strict=True):
                rated = changing.setdefault(each.exchange, (each, {}))[1]
                rated[key] = join_rates(rate, rate_change(each.changing, earlier, earlier.text), likeness)
        return replace(asked, relevant=_note_changes(asked.relevant, changing))

    async def _read(self, asked: Retrieved) -> Retrieved:
        """Ask all memories at once, or documents alone; what misses the deadline is left out."""
        options, query = self.options, asked.query
        everything = not query.documents
        own = self._ask_own(asked)
        far: dict[str, asyncio.Task[MergedAnswers]] = {}
        if self.rag is not None and self.reading() and everything:
            far["long-term memory"] = asyncio.create_task(self._longterm(self.rag, asked, own.get("store")))
        room_s = options.rerank_s if self.reranker is not None else 0.0
        deadline_s = max(options.deadline_s - room_s, options.deadline_s / 4)
        (results, unread), (others, missed) = await asyncio.gather(
            within(max(deadline_s, options.store_deadline_s), own), within(deadline_s, far)
        )
        found: MergedAnswers | None = results.get("store")
        longterm = others.get("long-term memory")
        filed: MergedAnswers | None = results.get("documents")
        if found is not None:
            asked = _counted(replace(asked, turns=found.found), "store", found).noting(found.note)
        if longterm is not None:
            kept = longterm.found
            if found is not None and found.chunks > 1 and longterm.chunks == 1:
                kept = comparable(kept)  # as the pieces are that the store was asked
            asked = _counted(replace(asked, longterm=kept), "rag", longterm).noting(longterm.note)
            asked = asked.counting(rag_chars=sum(len(memory.text) for memory in kept))
        if filed is not None:
            asked = _counted(replace(asked, documents=filed.found), "document", filed)
        asked = replace(
            asked,
            items=results.get("items", ()),
            lines=results.get("chronicle", ()),
            about=results.get("mentions", ()),
            unread=bool(unread),
        )
        return asked.noting(*unread, *missed)

    def _ask_own(self, asked: Retrieved) -> dict[str, asyncio.Task[Any]]:  # Any: what each memory gives
        """Begin to ask what this installation holds itself, by name."""
        scope, query = asked.scope, asked.query
        everything = not query.documents
        own: dict[str, asyncio.Task[Any]] = {}  # Any: as above
        if self.recall is not None and everything:
            own["store"] = asyncio.create_task(self._store(self.recall, asked))
        if self.items is not None and everything:
            own["items"] = asyncio.create_task(self.items.items(scope, query))
        if self.documents is not None and asked.overview is None:
            own["documents"] = asyncio.create_task(self._documents(self.documents, asked))
        if self.chronicle is not None and asked.overview is not None:
            own["chronicle"] = asyncio.create_task(self.chronicle.read_lines(scope))
        if self.mentions is not None and asked.subject is not None:
            own["mentions"] = asyncio.create_task(find_about(self.mentions, scope, asked.subject, query))
        return own

    async def _store(self, recall: Recall, asked: Retrieved) -> MergedAnswers:
        async def ask(text: str, most: int) -> RagAnswer:
            return RagAnswer(await recall.recall(asked.scope, replace(asked.query, text=text, limit=most)))

        topics, most = self.options.store_topics, asked.query.limit
        if asked.overview is not None:  # one subject, of which more than the best is wanted
            topics, most = None, max(most, _WIDELY)
        also = (*asked.wordings, *(message.text for message in asked.window if message.text.strip()))
        return await ask_topics(ask, asked.query.text, also, topics, most)

    async def _documents(self, documents: DocumentSearch, asked: Retrieved) -> MergedAnswers:
        async def ask(text: str, most: int) -> RagAnswer:
            return RagAnswer(await documents.search(asked.scope, replace(asked.query, text=text, limit=most)))

        return await ask_topics(ask, asked.query.text, asked.wordings, self.options.store_topics, asked.query.limit)

    async def _longterm(self, rag: RagPort, asked: Retrieved, store: asyncio.Task[object] | None) -> MergedAnswers:
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
        return await ask_topics(ask, text, asked.wordings, self.options.rag_topics, _EVERYTHING)

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
    told = spread_over_sessions(asked.relevant)[: min(_BESIDE if lines else query.limit, query.limit)]
    first = tuple(_add_answers(lines, asked.relevant)) if asked.overview.kind is OverviewKind.SUMMARY else lines
    shown = {memory.key for memory in first}
    rest = (memory for memory in told if memory.key not in shown)
    return replace(asked, relevant=(*first, *rest)).counting(digest=len(lines))


def _add_answers(lines: tuple[Recalled, ...], found: tuple[Recalled, ...]) -> Iterator[Recalled]:
    """Yield lines, each with what was answered there, as far as that was found: a summary is of both sides' words."""
    answers = {memory.exchange: memory for memory in reversed(found) if memory.role == "assistant"}
    for line in lines:
        yield line
        if (answer := answers.get(line.exchange)) is not None:
            yield replace(answer, signals=MappingProxyType({**answer.signals, HELPS: line.signals[HELPS]}))


async def find_about(mentions: Mentions, scope: Scope, subject: Subject, query: MemoryQuery) -> tuple[Recalled, ...]:
    """Return everything in which a subject is meant, under any of its names, the newest first."""
    reader = Reader(query.author_id, query.author_name)

    async def find(wanted: Subject) -> tuple[Recalled, ...]:
        return tuple(map(_recall, await mentions.find_said(scope, wanted.list_words())))

    found = await find(subject)
    named = add_aliases(subject, found, reader)
    if named != subject:
        found = await find(named)
        named = add_aliases(subject, found, reader)
    return choose_about(named, found, reader)


def _recall(said: Said) -> Recalled:
    told = said.exchange
    return recall_said(
        told.uid,
        told.user_text,
        told.author.id,
        told.author.name,
        told.said_at,
        trust=told.author.trust,
        before=said.before,
        signal=ABOUT,
        changing=said.changing,
    )


def _put_subject_first(asked: Retrieved) -> Retrieved:
    if not asked.about:
        return asked
    known = {memory.key for memory in asked.about}
    rest = (each for each in asked.relevant if each.key not in known and each.channel is not Channel.DIGEST)
    return replace(asked, relevant=(*asked.about, *rest)).counting(about=len(asked.about))


def _is_long(memory: Recalled) -> bool:
    """Whether a message tells several things: one by one they are more like a question than all of them together."""
    return memory.channel is Channel.TURN and memory.role == "user" and len(split_sentences(memory.text)) >= _SEVERAL


def _divide(memory: Recalled, rated: Sequence[Recalled]) -> tuple[Recalled, ...]:
    """Return a message as those of its sentences that were rated, and as what is left of it."""
    own = [each for each in rated if each.exchange == memory.exchange]
    known = {each.text for each in own}
    left = " ".join(sentence for sentence in split_sentences(memory.text) if sentence not in known)
    return (*own, replace(memory, text=left)) if left else tuple(own)


def _list_sentences(memory: Recalled) -> list[Recalled]:
    """Return the sentences of a message as messages, with the one before where they say nothing without it."""
    sentences = split_sentences(memory.text)[:_MOST_SENTENCES]
    return [
        replace(
            memory,
            key=f"{memory.key}:{number}",
            text=sentence,
            before=before if before and leans_back(sentence, before) else "",
        )
        for number, (before, sentence) in enumerate(zip((memory.before, *sentences), sentences, strict=False))
    ]


def _choose_first(said: Sequence[Recalled], query: MemoryQuery, at_once: int) -> tuple[Recalled, ...]:
    """Return what was said with the best that whose it is said themselves among the first that are read ``at_once``.

    However often others say something of it, that is read: in a group nobody speaks for another.
    """
    asked = analyse(query.text)
    if len({each.author_id for each in said}) == 1:
        return tuple(said)
    # However often one says it, another's word is read.
    before = [sum(one.author_id == each.author_id for one in said[:rank]) for rank, each in enumerate(said[:_SPREAD])]
    said = [each for _, each in sorted(zip(before, said, strict=False), key=lambda one: one[0])] + list(said[_SPREAD:])
    first = said[:at_once]
    spoken = list_utterances(tuple(said), Reader(query.author_id, query.author_name))
    own = next((each.memory for each in spoken if is_of_whom(asked, each)), None)
    if own is None or own in first:
        return tuple(said)
    return (*first[:-1], own, *(each for each in said if each not in (*first[:-1], own)))


def _settle(query: MemoryQuery, first: Sequence[Recalled], rated: Mapping[str, float], among: int) -> dict[str, float]:
    """Return the best of the rates as that of an answer, where few were told, and it has what the question asks for.

    Whether something is so any message seems to answer that is about the same.
    """
    best = max(first, key=lambda each: rated[each.key], default=None)
    if best is None or (settled := settle_among_few(rated[best.key], among)) == rated[best.key]:
        return {}
    asked = analyse(query.text)
    nobody = asked.kind is AnswerKind.PERSON and not holds_kind(asked, best.text)
    if nobody or (asked.called and not says_name(best.text)) or lacks_form(asked, best.text):
        return {}
    spoken = list_utterances(tuple(first), Reader(query.author_id, query.author_name))
    known = find_aliases(spoken)
    strange = among > _FEW and not asks_sum(query.text) and not measure_shared(asked, best.text, known)
    if strange or asked.kind is AnswerKind.YES_NO:
        return {}
    read = [Evidence(said.text, said) for said in spoken if said.memory.key == best.key]
    if any(names_only_another(asked, piece, known) for piece in read):
        return {}
    return {best.key: settled}


def _list_changing_documents(asked: Retrieved, told: Sequence[Recalled]) -> dict[str, tuple[Recalled, list[Recalled]]]:
    """Return, by its key, what the first document found says that is nearest, and what who asks said after it came."""
    filed = next((each for each in asked.relevant if each.place is not None), None)
    if filed is None or filed.said_at is None:
        return {}
    own = (each for each in told if each.author_id == asked.query.author_id)
    since = [each for each in own if each.said_at is not None and each.said_at >= filed.said_at]
    nearest = list_nearest_in_documents((filed,), analyse(asked.query.text), most=1)
    text = next((piece.text for piece in nearest), filed.text)
    return {filed.key: (replace(filed, text=text, vector=b""), since[:_MOST_OLDER])}


def _note_changes(
    found: Sequence[Recalled], changing: Mapping[str, tuple[Recalled, Mapping[str, float]]]
) -> tuple[Recalled, ...]:
    """Return what was found with what each message, by its exchange, was read to have changed.

    One that was divided is noted at its sentence that answers, else as a whole in the place of all.
    """
    best = dict[str, Recalled]()
    for each in filter(_is_told, found):
        one = best.setdefault(each.exchange, each)
        if (get_answering(each) or 0.0) > (get_answering(one) or 0.0):
            best[each.exchange] = each
    noted = list[Recalled]()
    for each in found:
        whole, rates = changing.get(each.exchange, (each, {})) if _is_told(each) else (each, {})
        answers = (best.get(each.exchange, each).signals.get(ANSWERS) or 0.0) >= ANSWERING
        if each == best.get(each.exchange) and rates:
            text = each.text if answers or max(rates.values()) < MAY_CHANGE else whole.text
            noted.append(replace(each, text=text, changing={**each.changing, **rates}))
        elif not rates or answers or max(rates.values()) < MAY_CHANGE:
            noted.append(each)
    return tuple(noted)


def _is_told(memory: Recalled) -> bool:
    return memory.channel is Channel.TURN and memory.role != "assistant"


def _word(memory: Recalled, query: MemoryQuery) -> str:
    """Return a message as it is read beside a question: with what it leans on, and who said it, unless who asks did.

    What it asks itself it does not tell.
    """
    told = " ".join(each for each in split_sentences(memory.text) if not is_question(each)) or memory.text
    text = f"{memory.before} {told}" if memory.before else told
    own = memory.author_id == query.author_id or not memory.author
    return text if own else f"{memory.author}: {text}"


def _liken_alone(memory: Recalled) -> float | None:
    """Return how alike a message and the question are, ``None`` for one that is read with what it leans on.

    And where nothing was embedded; what is left out of its signals as a trifle is none.
    """
    embedded = any(name.startswith(("late", "sentence", MEANING)) for name in memory.signals)
    return memory.signals.get(MEANING, 0.0) / FULL[MEANING] if embedded and not memory.before else None


def _distinct(asked: Retrieved) -> Retrieved:
    return replace(asked, relevant=drop_near_duplicates(asked.relevant))


def _counted(asked: Retrieved, name: str, merged: MergedAnswers) -> Retrieved:
    """Count what several questions gave: pieces asked, results, after merging per document, kept."""
    if merged.chunks == 1:
        return asked
    counts = {"chunks": merged.chunks, "found": merged.results, "distinct": merged.distinct, "kept": len(merged.found)}
    return asked.counting(**{f"{name}_{what}": count for what, count in counts.items()})
