"""Keeps the transcripts of recently asked scopes in memory, exact with the database.

A transcript is brought up to date before every question by reading what is newer than it; something removed voids it
whole.  A long chat is read in steps that outlive the question: who gives up waiting finds it there later.  Once read it
is laid out in a file (:mod:`~adapters.sqlite.turn_search.layouts`), from which it is mapped from then on, or in rows.
While a long chat is read anew because something was removed, the transcript before serves: texts are read from the
database, where what was removed is not.
Scopes that were not asked for longest are dropped when there are too many, or too many passages in all.
Two bounds, and entries that grow after they were stored, are why this is no cache of cachetools.
"""

import asyncio
import math
import secrets
import sqlite3
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import structlog

from adapters.sqlite.database import Database, NamedLayout
from adapters.sqlite.rows.codec import find_scope
from adapters.sqlite.turn_search.index import ANALYSIS, UtteranceKey, read_meanings, read_utterances
from adapters.sqlite.turn_search.layouts import (
    DAMAGED,
    FORMAT,
    MALFORMED,
    StoredLayout,
    compose,
    find_layout,
    get_layout_path,
    parse,
    publish_layout,
    read_generation,
    read_layout,
    write_draft,
)
from bot.errors import StorageUnavailable
from bot.memory.ranking.transcript import Meaning, Transcript, Utterance
from bot.memory.scope import Scope
from language.analyser import Analyser

_STEP: Final = 250
"""Exchanges read and laid out at once: the event loop is held up for some milliseconds."""

LEAST_LAID_OUT: Final = 5000
"""Passages from which on a chat is laid out in a file: below that reading it takes some tenths of a second."""
_GROWN: Final = 5
"""It is laid out again when more than this part of it, counted from the end, is not in the file."""
_MOST_PENDING: Final = 1000
"""Utterances that may wait for their meanings in a layout: while an import is embedded none is made."""

_Meanings = list[tuple[int, bool, tuple[Meaning, ...]]]


@dataclass(slots=True)
class CachedTranscript:
    """A scope's transcript, and what it was made from.

    Use it only inside ``lock``, after :meth:`TranscriptCache.refresh`.

    ``reading`` is the rest of a long chat on its way.  What was committed before ``read_at`` (monotonic) is here.
    ``laid_out`` passages are mapped from a file; ``begun`` says whether one was looked for.
    ``stale`` means that it holds something that was removed, until ``replacing`` has read it anew.
    """

    transcript: Transcript
    generation: int = 0
    newest: int = 0
    pending: dict[UtteranceKey, None] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    reading: asyncio.Task[None] | None = None
    read_at: float = -math.inf
    laid_out: int = 0
    begun: bool = False
    stale: bool = False
    replacing: asyncio.Task[None] | None = None


@dataclass(frozen=True, slots=True)
class _Update:
    read_at: float
    generation: int
    utterances: list[Utterance]
    meanings: _Meanings
    void: bool
    more: bool


class TranscriptCache:
    """Transcripts by scope, least recently asked first."""

    def __init__(
        self, database: Database, words: Analyser, *, model: str, dimension: int, scopes: int, passages: int
    ) -> None:
        self._database = database
        self._words = words
        self._model = model
        self._dimension = dimension
        self._scopes = scopes
        self._passages = passages
        self._made_by = f"{FORMAT} {ANALYSIS} {model} {dimension}"
        self._held: OrderedDict[Scope, CachedTranscript] = OrderedDict()
        self._total = 0

    def get(self, scope: Scope) -> CachedTranscript:
        """Return what is held of a scope, an empty transcript at first."""
        held = self._held.get(scope)
        if held is None:
            held = self._held[scope] = CachedTranscript(Transcript(self._dimension))
        self._held.move_to_end(scope)
        while len(self._held) > 1 and (len(self._held) > self._scopes or self._total > self._passages):
            _, dropped = self._held.popitem(last=False)
            self._total -= len(dropped.transcript)
        return held

    async def refresh(self, scope: Scope, held: CachedTranscript, asked_at: float) -> None:
        """Bring a transcript up to everything committed before ``asked_at`` (monotonic); call inside its lock.

        Questions of one message share a reading.
        Cancelled, it leaves what was read where it is, and the rest of a long chat goes on being read.
        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        if held.read_at >= asked_at:
            return
        if not held.begun:
            await self._map_layout(scope, held)
            held.begun = True
        more = held.reading is not None or await self._read_step(scope, held)
        while more:
            if held.reading is None:
                held.reading = asyncio.create_task(self._read_rest(scope, held))
            await asyncio.shield(held.reading)
            more = await self._read_step(scope, held)
        if held.stale and held.replacing is None:
            held.replacing = asyncio.create_task(self._replace(scope, held))

    async def _read_rest(self, scope: Scope, held: CachedTranscript) -> None:
        try:
            while await self._read_step(scope, held):
                pass
        except StorageUnavailable as error:
            structlog.get_logger().warning("a chat was read in part", cause=str(error))
        finally:
            held.reading = None

    async def _replace(self, scope: Scope, held: CachedTranscript) -> None:
        """Read a stale transcript anew beside it."""
        try:
            fresh = CachedTranscript(Transcript(self._dimension), stale=True)
            while fresh.stale:  # something was removed while it was read
                fresh = CachedTranscript(Transcript(self._dimension))
                while await self._read_step(scope, fresh):
                    pass
            async with held.lock:
                self._take(scope, held, fresh)
        except StorageUnavailable as error:
            structlog.get_logger().warning("a chat is read anew later", cause=str(error))
        finally:
            held.replacing = None

    def _take(self, scope: Scope, held: CachedTranscript, fresh: CachedTranscript) -> None:
        """Go on with another transcript of a scope, which the next refresh brings up to date."""
        if self._held.get(scope) is held:
            self._total += len(fresh.transcript) - len(held.transcript)
        held.transcript, held.generation = fresh.transcript, fresh.generation
        held.newest, held.pending, held.laid_out = fresh.newest, fresh.pending, fresh.laid_out
        held.stale, held.read_at = False, -math.inf

    async def _read_step(self, scope: Scope, held: CachedTranscript) -> bool:
        """Add what comes next; return whether there is more."""
        size = len(held.transcript)
        seen, newest, pending = held.generation, held.newest, list(held.pending)
        long = size >= LEAST_LAID_OUT
        news = await self._database.read(
            lambda connection: self._read_update(connection, scope, seen, newest, pending, keep=long)
        )
        if news.void and news.generation and long:
            held.generation, held.stale, held.laid_out = news.generation, True, 0
            return True
        if news.void:
            held.transcript = Transcript(self._dimension)
            held.pending.clear()
            held.newest = held.laid_out = 0
        held.generation = news.generation
        if news.utterances:
            held.transcript.add(*news.utterances)
        for utterance in news.utterances:
            held.pending[utterance.exchange, utterance.assistant] = None
            held.newest = utterance.exchange
        if self._held.get(scope) is held:
            self._total += len(held.transcript) - size
        if news.meanings:
            self.attach(held, news.meanings)
        if not news.more:
            held.read_at = news.read_at
        return news.more

    @staticmethod
    def attach(held: CachedTranscript, meanings: _Meanings) -> None:
        """Add meanings to a transcript; those it has, or of utterances it does not hold, change nothing."""
        held.transcript.embed(meanings)
        for exchange, assistant, _ in meanings:
            held.pending.pop((exchange, assistant), None)

    async def lay_out(self, scope: Scope, held: CachedTranscript) -> None:
        """Lay out a long chat if it has grown, and use that from now on; call inside the transcript's lock.

        A disk that takes no more costs the file, nothing else.
        """
        size = len(held.transcript)
        if (
            held.stale
            or size < LEAST_LAID_OUT
            or _GROWN * (size - held.laid_out) <= size
            or len(held.pending) > _MOST_PENDING
        ):
            return
        token, newest = secrets.token_hex(8), held.newest
        build, generation = held.transcript.freeze(), held.generation
        scope_no = await self._database.read(lambda connection: find_scope(connection, scope))
        if scope_no < 0:
            return
        layout = await asyncio.to_thread(build)
        stored = StoredLayout(layout, newest, token, self._made_by)
        kept = await self._keep(scope, NamedLayout(scope_no, generation, token), stored)
        if kept is not None:
            self._thaw(scope, held, generation, kept)

    async def _keep(self, scope: Scope, named: NamedLayout, stored: StoredLayout) -> StoredLayout | None:
        """Return it as it is kept, ``None`` where it is not."""
        if (rows := self._database.layouts) is not None:
            body, end = await asyncio.to_thread(compose, stored)
            kept = await rows.store(scope, named, body, end)
            return await asyncio.to_thread(parse, body, end, named.token, self._made_by) if kept else None
        path = get_layout_path(self._database.path, named.scope_no)
        try:
            await asyncio.to_thread(write_draft, path, stored)
            if not await self._database.write(partial(publish_layout, named=named, path=path)):
                return None
        except OSError as error:
            structlog.get_logger().warning("layout of a chat not written", cause=error.strerror)
            return None
        return await self._read_layout(named)

    async def _map_layout(self, scope: Scope, held: CachedTranscript) -> None:
        """Begin with what is laid out, if it is of this chat as it stands."""
        named = await self._database.read(lambda connection: find_layout(connection, scope))
        stored = None if named is None else await self._read_layout(named)
        if named is not None and stored is not None:
            self._thaw(scope, held, named.generation, stored)

    def _thaw(self, scope: Scope, held: CachedTranscript, generation: int, stored: StoredLayout) -> None:
        transcript = Transcript(self._dimension)
        transcript.thaw(stored.layout)
        pending = dict.fromkeys(transcript.list_unembedded())
        thawed = CachedTranscript(transcript, generation, stored.newest, pending, laid_out=len(transcript))
        self._take(scope, held, thawed)

    async def _read_layout(self, named: NamedLayout) -> StoredLayout | None:
        if (rows := self._database.layouts) is None:
            path = get_layout_path(self._database.path, named.scope_no)
            return await asyncio.to_thread(read_layout, path, named.token, self._made_by)
        found = await rows.load(named)
        try:
            return None if found is None else await asyncio.to_thread(parse, *found, named.token, self._made_by)
        except MALFORMED as error:
            structlog.get_logger().warning(DAMAGED, cause=type(error).__name__)
            return None

    def _read_update(
        self,
        connection: sqlite3.Connection,
        scope: Scope,
        seen: int,
        newest: int,
        pending: list[UtteranceKey],
        *,
        keep: bool,
    ) -> _Update:
        """Return what is new; where something was removed all there is, or nothing if the transcript is to be kept."""
        read_at = time.monotonic()
        scope_no = find_scope(connection, scope)
        generation = read_generation(connection, scope_no)
        void = generation != seen
        if void and keep:
            return _Update(read_at, generation, [], [], void=True, more=True)
        utterances, more = read_utterances(connection, self._words, scope_no, 0 if void else newest, _STEP)
        wanted = [utterance.exchange for utterance in utterances]
        wanted += [] if void or more else [exchange for exchange, _ in pending]
        found = read_meanings(connection, self._model, min(wanted), max(wanted)) if wanted else []
        return _Update(read_at, generation, utterances, found, void, more)
