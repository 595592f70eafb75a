"""Work between turns: closing idle sessions, learning from them, compacting long ones, tidying up.

None of it is needed for an answer, so all of it may fail, wait or be cut off: every job finds out from the database
what is left to do.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

import structlog

from bot.errors import ContextTooLong, MnemeError, ModelUnavailable
from bot.memory.learning.speech_acts import SpeechAct, classify_speech
from bot.memory.sanitise import flatten
from bot.memory.scope import Scope
from bot.ports.turn_store import EndedSession, Learned, LearningQueue, SessionListing, Sessions, TurnStore
from bot.ports.when import Clock
from bot.retry import Backoff
from bot.turn import Exchange, Session, charged_to
from language.sentences import split_sentences
from language.tokens import count_newest_within, count_tokens

_SESSION_EXCHANGES = 500
_BATCH = 40
"""Exchanges that are read at once: what a model is told about its task is paid for once for all of them."""
_SESSIONS_AT_ONCE = 20
_BACKOFF = Backoff(60.0, 6 * 3600.0)
"""Pauses before a session that could not be learned from is tried again."""
_COMPACTABLE = 4
"""Exchanges below which a session is not worth compacting."""


class Extraction(Protocol):
    """Learns items and lines of the chronicle from several exchanges at once (one model call)."""

    async def learn_from(self, exchanges: tuple[Exchange, ...]) -> Learned:
        """Return what is worth remembering; empty when nothing is."""


class Summary(Protocol):
    """Condenses a conversation (one model call)."""

    async def summarise(self, exchanges: tuple[Exchange, ...], previous: str) -> str:
        """Return the summary of ``previous`` and the exchanges together."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """How many exchanges a summary took the place of, how many stay, and the summary, "" where nothing was done."""

    exchanges: int
    staying: int
    summary: str = ""


@dataclass(frozen=True, slots=True)
class SessionKeeping:
    """Ends idle sessions, learns from those that ended, compacts long ones.

    ``idle_minutes`` 0 never ends a session.  Without a model (``extraction`` and ``summary`` are ``None``) the rules of
    the write path have learned already, and history is only cut by its token budget; nothing is dropped.
    """

    turns: TurnStore
    sessions: Sessions
    queue: LearningQueue
    promote: Callable[[Scope], Awaitable[int]]
    extraction: Extraction | None
    summary: Summary | None
    clock: Clock
    idle_minutes: int
    compact_after_tokens: int

    async def close_idle(self) -> None:
        """End sessions that have been silent too long; they are learned from like those that ``/new`` ended."""
        if self.idle_minutes == 0:
            return
        before = self.clock.now() - timedelta(minutes=self.idle_minutes)
        for address, session_id in await self.sessions.close_idle(before):
            structlog.get_logger().info("session closed", session=session_id, place=address.key, reason="idle")

    async def learn(self) -> None:
        """Learn from the sessions that have ended; one whose model is down is tried again later, for ever."""
        for session in await self.queue.due(self.clock.now(), _SESSIONS_AT_ONCE):
            try:
                await self._learn_from(session)
            except MnemeError as error:
                pause_s = _BACKOFF.pause_s(session.attempts)
                structlog.get_logger().warning(
                    "learning from a session failed", session=session.session_id, cause=str(error), retry_s=pause_s
                )
                at = self.clock.now() + timedelta(seconds=pause_s)
                await self.queue.postpone(session, at, type(error).__name__)

    async def _learn_from(self, session: EndedSession) -> None:
        """Learn in batches, each stored together with how far it goes, and promote what has proved itself."""
        items, lines, size = 0, 0, _BATCH
        while self.extraction is not None and (read := await self.queue.exchanges(session, size)):
            try:
                with charged_to(session.scope):
                    learned = await self.extraction.learn_from(read)
            except ContextTooLong:
                if size > 1:
                    size = max(1, size // 2)
                    continue
                structlog.get_logger().warning("an exchange is too long to learn from", session=session.session_id)
                learned = Learned()
            stored = await self.queue.save_learned(session, read, learned, self.clock.now())
            if stored.upto > session.upto:
                items, lines = items + len(learned.items), lines + len(learned.lines)
            session = stored
        promoted = await self.promote(session.scope)
        await self.queue.finish(session)
        structlog.get_logger().info(
            "session learned from", session=session.session_id, learned=items, lines=lines, promoted=promoted
        )

    async def compact(self, scope: Scope, session: Session) -> bool:
        """Turn the older part of a long history into a summary, by one call; return whether that was due.

        What stays fills a quarter of ``compact_after_tokens`` at most, so that it is long until the next time.
        Raises the model's errors; then everything is kept as it was, and the caller waits before it tries again.
        """
        if self.summary is None:
            return False
        history, sizes = await self._measure(scope, session)
        if sum(sizes) <= self.compact_after_tokens or len(history) < _COMPACTABLE:
            return False
        await self._summarise(self.summary, scope, session, history[: _count_older(sizes, self.compact_after_tokens)])
        return True

    async def condense(self, scope: Scope, session: Session) -> Condensed:
        """Do the same however short the history is, because somebody asked; a few exchanges are left as they are.

        Raises the model's errors, with everything kept as it was.  Without a model nothing is done.
        """
        history, sizes = await self._measure(scope, session)
        if self.summary is None or len(history) < _COMPACTABLE:
            return Condensed(0, len(history))
        older = history[: _count_older(sizes, min(sum(sizes), self.compact_after_tokens))]
        summary = await self._summarise(self.summary, scope, session, older)
        gone = len(older) if summary else 0
        return Condensed(gone, len(history) - gone, summary)

    async def _measure(self, scope: Scope, session: Session) -> tuple[tuple[Exchange, ...], list[int]]:
        history = await self.turns.history(scope, session.id, _SESSION_EXCHANGES)
        return history, [sum(map(count_tokens, exchange.texts)) for exchange in history]

    async def _summarise(self, model: Summary, scope: Scope, session: Session, older: tuple[Exchange, ...]) -> str:
        """Return the summary, "" where something of it was forgotten or edited while it was made."""
        with charged_to(scope):
            summary = await model.summarise(older, session.summary)
        if not summary.strip():
            raise ModelUnavailable("the language model gave an empty summary")
        if not await self.sessions.summarise(session, summary, older):
            structlog.get_logger().info("summary outdated", session=session.id, exchanges=len(older))
            return ""
        structlog.get_logger().info("session compacted", session=session.id, exchanges=len(older))
        return summary


def _count_older(sizes: list[int], limit: int) -> int:
    """Return how many exchanges to summarise: all but the newest that fill a quarter of the limit."""
    # No more than one call can read; at least one goes and one stays.
    stay = count_newest_within(sizes, limit // 4)
    older = sizes[: len(sizes) - max(stay, 1)]
    read = count_newest_within(older[::-1], limit)
    return max(read, 1)


_LONGEST: Final = 48
"""Characters: a line on a phone."""
_LOOKED_AT: Final = 400


def make_title(session: SessionListing) -> str:
    """Return the given title, else how the summary begins, else the first message that is more than a greeting.

    "" for a session in which nothing was written.
    """
    if session.title:
        return session.title
    if session.summary:
        return _shorten(session.summary)
    told = [text for text in session.openings if classify_speech(text[:_LOOKED_AT]) is not SpeechAct.SMALLTALK]
    return _shorten((told or list(session.openings) or [""])[0])


def _shorten(text: str) -> str:
    sentences = split_sentences(flatten(text, _LOOKED_AT))
    first = sentences[0].rstrip(".!… ") if sentences else ""
    if len(first) <= _LONGEST:
        return first
    return f"{first[:_LONGEST].rsplit(' ', 1)[0].rstrip(',;: ')}…"
