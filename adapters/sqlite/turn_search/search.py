"""The ports Recall and TextRater over SQLite: ranks what was said by words, meaning, speaker and time.

A question is read as the people of the chat mean it: its words, whom it is about, what kind of thing it asks for.
"""

import asyncio
import math
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final

import structlog

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import dump_list, join_time
from adapters.sqlite.rows.exchanges import list_replies, load_parts, read_before
from adapters.sqlite.turn_search.changes import (
    list_unread,
    queue_other_readers,
    read_changes,
    read_unread,
    store_changes,
)
from adapters.sqlite.turn_search.index import (
    UnembeddedUtterance,
    index_missed,
    list_unembedded,
    parse_forward,
    queue_other_models,
    read_unembedded,
    store_meanings,
)
from adapters.sqlite.turn_search.layouts import sweep_layouts
from adapters.sqlite.turn_search.passages import EmbeddedQuestion, OutsidePassages, PassageEmbedder, split_outside
from adapters.sqlite.turn_search.transcript_cache import LEAST_LAID_OUT, CachedTranscript, TranscriptCache
from bot.errors import EmbeddingUnavailable
from bot.memory.helpfulness import Weights
from bot.memory.items import Channel, Recalled, Trust
from bot.memory.learning.statements import states_fact
from bot.memory.overviews import find_overview
from bot.memory.ranking.outside_texts import rate_texts
from bot.memory.ranking.passages import cut_excerpt, find_focus, find_subject
from bot.memory.ranking.ranking import PartialScores, Ranked, RankingQuestion, rank, score_by_words
from bot.memory.ranking.transcript import Meaning, Transcript
from bot.memory.scope import Scope
from bot.ports.embedder import ChangeReader, Embedder
from bot.ports.memory_store import MemoryQuery, RatedText
from language.analyser import Analyser

_AT_ONCE: Final = 4
"""How many new utterances a question embeds itself, newest first; the others wait for :meth:`embed_missing`."""
_CATCH_UP: Final = 200
_NOTHING: Final[Mapping[str, float]] = MappingProxyType({})
_READ_AT_START: Final = 8
"""Long chats that are made ready before anybody asks."""
_PASSAGES_IN_MEMORY: Final = 250_000
"""Of all chats together, laid out for ranking: about 1.9 KB each."""
_REPLIED: Final = 8
"""Of what was found so many are told with what others replied to it."""
_IN_THREAD: Final = 5000
"""Passages beyond which ranking leaves the event loop."""
_BY_IDS: Final = (
    "SELECT id, uid, author_id, author_name, trust, said_at, said_offset, parts, answer_trust, user_text, "
    "assistant_text FROM exchanges WHERE id IN (SELECT value FROM json_each(?)) AND replaced_by IS NULL"
)


@dataclass(frozen=True, slots=True)
class _QuestionInProgress:
    """A question on its way through the model, in a chat of authors with these names."""

    names: tuple[str, ...]
    embedding: asyncio.Task[EmbeddedQuestion]


class SqliteRecall:
    """Finds verbatim turns; exact per scope.

    ``scopes_in_memory`` bounds what is kept laid out for ranking.
    A question waits ``patience_s`` for its embedding, then its words must do: a model that is loading, or a busy
    machine, would else cost the turn all of what the store holds.
    """

    def __init__(
        self,
        db: Database,
        embedder: Embedder,
        *,
        scopes_in_memory: int = 1000,
        patience_s: float = 0.6,
    ) -> None:
        self._patience_s = patience_s
        self._db = db
        self._words = Analyser()
        self._questions = QuestionReader(self._words)
        self._weights = Weights()
        self._passages = PassageEmbedder(embedder, self._words)
        self._changes = embedder if isinstance(embedder, ChangeReader) else None
        self._cache = TranscriptCache(
            db,
            self._words,
            model=self._passages.model,
            dimension=embedder.dimension,
            scopes=scopes_in_memory,
            passages=_PASSAGES_IN_MEMORY,
        )
        self._outside = OutsidePassages(self._words, self._passages, budget_s=patience_s / 2)
        self._caught_up = False
        self._catching_up = asyncio.Lock()

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Return verbatim turns, best first, see :class:`~bot.ports.memory_store.Recall`.

        An embedder that is down or slow costs the meaning, not the answer.  Raises
        :class:`~bot.errors.StorageUnavailable`.
        """
        held = self._cache.get(scope)
        foreseen = self._begin_embedding(query.text, held.transcript)
        asked_at = time.monotonic()
        try:
            async with held.lock:
                await self._cache.refresh(scope, held, asked_at)
                if not held.transcript and not self._caught_up:  # the index may have been lost
                    await self._catch_up()
                    await self._cache.refresh(scope, held, time.monotonic())
                if not held.transcript:
                    return ()
                question = self._questions.read(held.transcript, query)
                small = len(held.transcript) <= _IN_THREAD
                begun = score_by_words(held.transcript, question, query.budget) if small else None
                right, asked = await self._embed_question(scope, query, held, foreseen)
                if right.text != query.text:
                    question = self._questions.read(held.transcript, right)
                ranked = await self._rank(held.transcript, with_meaning(question, asked), right, begun)
                rows = [found.row for found in ranked]
                places, vectors = held.transcript.locate(rows), held.transcript.read_vectors(rows)
        finally:
            foreseen.embedding.cancel()
        return await self._db.read(lambda connection: _read_recalled(connection, places, ranked, vectors))

    async def rate(self, scope: Scope, query: MemoryQuery, texts: Sequence[str]) -> tuple[RatedText, ...]:
        """Return how well texts answer that were not said here, see :class:`~bot.ports.memory_store.TextRater`.

        An embedder that is down leaves their words.
        """
        held = self._cache.get(scope)
        foreseen = self._begin_embedding(query.text, held.transcript)
        try:
            async with held.lock:
                await self._cache.refresh(scope, held, time.monotonic())
                transcript = held.transcript
                right, asked = await self._embed_question(scope, query, held, foreseen)
                question = with_meaning(self._questions.read(transcript, right), asked)
        finally:
            foreseen.embedding.cancel()
        try:
            passages = await self._outside.read(texts, transcript, question)
        except EmbeddingUnavailable as error:
            structlog.get_logger().warning("documents are rated by words alone", cause=type(error).__name__)
            question = replace(question, vector=None, words=(), states=None)
            passages = await self._outside.read(texts, transcript, question)
        rated = rate_texts(passages, transcript, question, self._weights)
        return tuple(
            RatedText(one.text, split_outside(texts[one.text])[one.passage], one.score, one.signals) for one in rated
        )

    def forget(self, _: Scope | None = None) -> None:
        """Drop what is kept of texts that are not stored here, because one of them may have been erased."""
        self._outside.meanings.clear()

    async def lay_out(self, scope: Scope) -> None:
        """Read what was said in a scope since it was last read, so that the next question need not.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        held = self._cache.get(scope)
        async with held.lock:
            await self._cache.refresh(scope, held, time.monotonic())
        if held.replacing is not None:
            await asyncio.shield(held.replacing)
            async with held.lock:
                await self._cache.refresh(scope, held, time.monotonic())
        async with held.lock:
            await self._cache.lay_out(scope, held)

    async def list_long(self) -> tuple[Scope, ...]:
        """Return the scopes that it takes seconds to read for the first time after a start, the longest first.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        longest = "SELECT tag FROM scopes WHERE exchange_seq >= ? ORDER BY exchange_seq DESC LIMIT ?"
        rows = await self._db.fetch(longest, (LEAST_LAID_OUT // 2, _READ_AT_START))
        return tuple(Scope(tag) for (tag,) in rows)

    async def embed_missing(self, limit: int = 32) -> int:
        """Embed up to ``limit`` waiting utterances and return how many; 0 means that none is left.

        Then read as many messages beside others of their author: what they have changed.
        Raises :class:`~bot.errors.EmbeddingUnavailable` or :class:`~bot.errors.StorageUnavailable`; the backlog stays.
        """
        await self._catch_up()
        batch = await self._db.read(lambda connection: list_unembedded(connection, limit))
        await self._embed(batch)
        unread = await self._db.read(lambda connection: list_unread(connection, self._passages.model, limit))
        if unread:
            reader = self._changes
            read = await read_unread(reader, unread) if reader is not None else []
            name = reader.reader if reader is not None else ""
            await self._db.write(partial(store_changes, reader=name, unread=unread, read=read))
        return max(len(batch), len(unread))

    async def prepare(self, scope: Scope, query: MemoryQuery) -> tuple[Transcript, RankingQuestion]:
        """Return what :func:`~bot.memory.ranking.ranking.rank` is given for this query: to fit weights and to explain.

        The transcript is shared; it must not be changed.
        """
        held = self._cache.get(scope)
        async with held.lock:
            await self._cache.refresh(scope, held, time.monotonic())
            foreseen = self._begin_embedding(query.text, held.transcript)
            right, asked = await self._embed_question(scope, query, held, foreseen)
            return held.transcript, with_meaning(self._questions.read(held.transcript, right), asked)

    async def _catch_up(self) -> None:
        """Index, once, what was stored while the index was not there or another model was."""
        async with self._catching_up:
            if self._caught_up:
                return
            after: int | None = 0
            while after is not None:
                after = await self._db.write(partial(index_missed, words=self._words, after=after, limit=_CATCH_UP))
            await self._db.write(lambda connection: queue_other_models(connection, self._passages.model))
            await self._db.write(lambda connection: queue_other_readers(connection, self._changes))
            await self._db.write(sweep_layouts)
            self._caught_up = True

    async def _embed(
        self, batch: list[UnembeddedUtterance], scope: Scope | None = None
    ) -> list[tuple[int, bool, tuple[Meaning, ...]]]:
        """Embed and store; a question to a ``scope`` waits for no disk and goes on while it takes nothing."""
        made = []
        for each in batch:
            found = await self._passages.embed_text(each.text, each.before, each.names, patient=scope is None)
            made.append((each.exchange, each.assistant, found))
        seen = {each.exchange >> 32: each.generation for each in batch}
        store = partial(store_meanings, model=self._passages.model, made=made, seen=seen)
        if made and scope is None:
            await self._db.write(store)
        elif made and scope is not None:
            self._db.write_along(store, touches=(scope.tag,)).add_done_callback(_report_not_stored)
        return made

    def _begin_embedding(self, text: str, transcript: Transcript) -> _QuestionInProgress:
        names = tuple(transcript.names)
        embedding = asyncio.create_task(self._passages.embed_question(text, names), name="embed a question")
        embedding.add_done_callback(_note_error)
        return _QuestionInProgress(names, embedding)

    async def _embed_question(
        self, scope: Scope, query: MemoryQuery, held: CachedTranscript, foreseen: _QuestionInProgress
    ) -> tuple[MemoryQuery, EmbeddedQuestion | None]:
        """Embed the question, and what was said since the last one; return it put right, too.

        A question with typos is embedded twice: only the model tells typos from words that nobody said here.
        """
        transcript = held.transcript
        newest = list(held.pending)[-_AT_ONCE:]
        try:
            async with asyncio.timeout(self._patience_s):
                if newest:
                    batch = await self._db.read(lambda connection: read_unembedded(connection, newest))
                    self._cache.attach(held, await self._embed(batch, scope))
                if foreseen.names == tuple(transcript.names):
                    asked = await foreseen.embedding
                else:
                    asked = await self._passages.embed_question(query.text, transcript.names)
                right = self._questions.correct(transcript, query, asked.whole)
                if right.text != query.text:
                    asked = await self._passages.embed_question(right.text, transcript.names)
                return right, asked
        except (EmbeddingUnavailable, TimeoutError) as error:
            structlog.get_logger().warning("recall goes on by words alone", cause=type(error).__name__)
            return self._questions.correct(transcript, query, frozenset()), None

    async def _rank(
        self, transcript: Transcript, question: RankingQuestion, query: MemoryQuery, begun: PartialScores | None
    ) -> tuple[Ranked, ...]:
        """Rank here, or in a thread when it takes long; the transcript stays locked until the thread is done."""
        arguments = (transcript, question, self._weights, query.limit, query.budget, begun)
        if len(transcript) <= _IN_THREAD:
            return rank(*arguments)
        running = asyncio.ensure_future(asyncio.to_thread(rank, *arguments))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            raise


def _note_error(embedding: asyncio.Task[EmbeddedQuestion]) -> None:
    if not embedding.cancelled():
        embedding.exception()


def _report_not_stored(storing: asyncio.Future[None]) -> None:
    """Say that meanings were not stored: they are made again from the backlog."""
    if not storing.cancelled() and (error := storing.exception()):
        structlog.get_logger().warning("meanings not stored", cause=str(error))


def _read_recalled(
    connection: sqlite3.Connection,
    places: list[tuple[int, bool, int]],
    ranked: tuple[Ranked, ...],
    vectors: list[bytes],
) -> tuple[Recalled, ...]:
    """Return the texts of what was found, of long ones the passage; what was erased meanwhile is left out."""
    both = _add_replies(connection, tuple(zip(places, ranked, vectors, strict=True)))
    wanted = sorted({exchange for (exchange, _, _), *_ in both})
    known = {row[0]: row[1:] for row in connection.execute(_BY_IDS, (dump_list(wanted),))}
    changing = read_changes(connection, known)
    answer: list[Recalled] = []
    for (exchange, assistant, piece), found, vector in both:
        row = known.get(exchange)
        if row is None:
            continue
        uid, author_id, name, own_trust, said_at, offset, parts, answer_trust, *texts = row
        if not texts[assistant]:
            continue
        role, trust, carrier = "user", own_trust, ("", 0)
        forwarded = parse_forward(parts, texts[0])
        if assistant:
            role, author_id, name, trust = "assistant", 0, "", answer_trust
        elif forwarded is not None:
            carrier = name, author_id
            role, author_id, name, trust = "forwarded", forwarded.author_id, forwarded.author, forwarded.trust
        one = Recalled(
            key=f"turn:{uid}:{role}",
            text=cut_excerpt(texts[assistant], piece),
            channel=Channel.TURN,
            score=found.score,
            author=name,
            author_id=author_id,
            role=role,
            said_at=join_time(said_at, offset),
            exchange=uid,
            signals=found.signals,
            trust=Trust(trust),
            forwarder=carrier[0],
            forwarder_id=carrier[1],
            before=read_before(connection, exchange, author_id, said_at, texts[0]) if role == "user" else "",
            changing=changing.get(exchange, _NOTHING) if role == "user" else _NOTHING,
            vector=vector,
        )
        typed = load_parts(parts, texts[0])[0].strip() if role == "forwarded" else ""
        whole = one.text == texts[0] and states_fact(typed)  # of a long one a passage is shown
        answer += _tell_apart(one, typed, forwarded.text, own_trust) if forwarded is not None and whole else (one,)
    return tuple(answer)


_Found = tuple[tuple[int, bool, int], Ranked, bytes]


def _add_replies(connection: sqlite3.Connection, found: tuple[_Found, ...]) -> tuple[_Found, ...]:
    """Return what was found, and behind each of the first messages what others said in reply to it."""
    told: dict[tuple[int, bool], _Found] = {}
    for rank_no, (place, ranked, vector) in enumerate(found):
        exchange, assistant, _ = place
        told.setdefault((exchange, assistant), (place, ranked, vector))
        for reply in list_replies(connection, exchange) if rank_no < _REPLIED and not assistant else ():
            told.setdefault((reply, False), ((reply, False, 0), ranked, vector))
    return tuple(told.values())


def _tell_apart(one: Recalled, typed: str, passed_on: str, own_trust: int) -> tuple[Recalled, ...]:
    """Return what somebody states beside what their message passes on, as theirs, and that."""
    own = replace(
        one,
        key=f"turn:{one.exchange}:user",
        text=typed.strip(),
        author=one.forwarder,
        author_id=one.forwarder_id,
        role="user",
        trust=Trust(own_trust),
        forwarder="",
        forwarder_id=0,
    )
    return own, replace(one, text=passed_on)


class QuestionReader:
    """Reads questions with the words of an analyser."""

    def __init__(self, words: Analyser) -> None:
        self._words = words

    def read(self, transcript: Transcript, query: MemoryQuery) -> RankingQuestion:
        """Return the question as the transcript knows its words."""
        fold, names = self._words.fold, transcript.names
        subject = find_subject(query.text, tuple(names), transcript.place(query.author_id))
        spoken = {fold(part) for place in subject.named for part in names[place].split()}
        focus = find_focus(query.text, fold)
        keys = tuple(dict.fromkeys(key for key in self._words.keys(focus or query.text) if key not in spoken))
        overview = find_overview(query.text)
        return RankingQuestion(query.text, keys, subject, query.now, overview=overview.kind if overview else None)

    def correct(self, transcript: Transcript, query: MemoryQuery, real: frozenset[str]) -> MemoryQuery:
        """Return the query without the typos that what was said here tells; ``real`` are words for sure."""
        postings, names = transcript.postings, {part.casefold() for name in transcript.names for part in name.split()}

        def known(word: str) -> bool:
            stem = self._words.fold(word)
            return not stem or stem in postings or word in real

        def worth(word: str) -> float:
            stem = self._words.fold(word)
            return math.inf if word in names else postings.frequency(stem) if stem else len(postings)

        return replace(query, text=transcript.spelling.correct_text(query.text, known, worth))


def with_meaning(question: RankingQuestion, asked: EmbeddedQuestion | None) -> RankingQuestion:
    """Return the question with its meaning, if it could be embedded."""
    if asked is None:
        return question
    return replace(question, vector=asked.vector, words=asked.words, states=asked.states)
