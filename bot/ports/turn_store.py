"""Conversations: the journal of accepted messages, the turns that answer them, and what is still to be learned."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.chronicle import WrittenLine
from bot.memory.items import MemoryItem
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, InboundMessage
from bot.turn import Exchange, IndexDocument, Reply, SaidIn, Session, Trace


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """All that a finished turn leaves behind; stored whole or not at all.

    ``parts`` is the reply as the messenger will send it, one string per message; the reply's file goes with the last of
    them, which may be empty then.  ``exchange`` is ``None`` when nothing
    is to be remembered (commands, memory switched off); ``document`` when nothing is to be
    indexed.  ``closes`` are the journal entries answered by this turn.  ``begins`` marks the first part as on its way
    in the same transaction: the caller sends it as soon as that is stored.
    ``asker_id`` is who may press the reply's buttons, 0 everybody in the place; ``None`` where buttons are typed.
    """

    closes: tuple[int, ...]
    scope: Scope
    address: Address
    reply: Reply
    parts: tuple[str, ...]
    exchange: Exchange | None
    items: tuple[MemoryItem, ...]
    document: IndexDocument | None
    trace: Trace
    draft_id: int | None
    begins: bool = False
    asker_id: int | None = None
    epoch: int | None = None
    """Of the scope when the turn began: where something was erased since, nothing of the answer is kept, because the
    model may have read it before."""
    heard: int | None = None
    """The scope's newest exchange then: of what was edited elsewhere since, the answer loses what holds no more."""


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What a commit made: the exchange's id in the store (``None`` without one) and one delivery id per part.

    ``begun`` says that the first of them is marked as on its way; never so when the turn had been stored before.
    ``buttons`` are label and data of the buttons to show, ``None`` where the reply's own are shown.
    """

    exchange_id: int | None
    deliveries: tuple[int, ...]
    begun: bool = False
    buttons: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """An answered turn as ``/why`` sees it."""

    exchange: str
    session_id: int
    question: str
    answer: str
    said_at: datetime
    trace: Trace
    forwarded_from: str | None = None
    """Who wrote ``question`` if the asker only passed it on ("" when nobody knows), ``None`` if they typed it."""
    newest_message: int = 0
    """The highest message id of what was answered in this place: an earlier message may have been edited since."""


@dataclass(frozen=True, slots=True)
class RepliedTo:
    """What a message replies to: that of an exchange, or the ``answer`` to it, made from what ``trace`` names."""

    exchange: Exchange
    answer: bool
    trace: Trace


class TurnStore(Protocol):
    """Writes finished turns; knows sessions and their history."""

    async def session(self, address: Address, scope: Scope | None = None) -> Session:
        """Return the open session of this place, opening one if there is none; with the epoch of ``scope``."""

    async def history(self, scope: Scope, session_id: int, limit: int, *, step: int = 1) -> tuple[Exchange, ...]:
        """Return the newest exchanges of a session, ``limit`` at most, oldest first; empty when there are none.

        Beyond ``limit`` as many multiples of ``step`` as needed are left out at the beginning, so that it stays where
        it is while ``step`` more are stored.
        """

    async def commit(self, record: TurnRecord) -> CommitResult:
        """Store the record in one transaction, fsynced when this returns; a cancelled call has committed or not.

        Committing entries that are closed already changes nothing and returns the first commit's result.
        Raises :class:`~bot.errors.StorageUnavailable`; then nothing was stored.
        """

    async def last(self, address: Address) -> AnsweredTurn | None:
        """Return the newest remembered turn of this place with its trace, ``None`` if there is none."""

    async def find_replied(self, scope: Scope, address: Address, message_id: int) -> RepliedTo | None:
        """Return whose message, or whose answer, has this number in this place, as it holds now.

        ``None`` for one of another scope, for one of which nothing is kept, and for a reply to no exchange.
        """

    async def list_messages(self, scope: Scope, address: Address, message_id: int) -> tuple[SaidIn, ...]:
        """Return what each message of the exchange says that a message of this place is a part of, in their order.

        Empty where the exchange has no other, where none was heard, and where nothing of it is kept.
        """

    async def list_authors(self, scope: Scope) -> tuple[tuple[int, str], ...]:
        """Return ids and names of who has spoken lately, each pair once; empty for a scope that is not known."""


@dataclass(frozen=True, slots=True)
class SessionListing:
    """A session of a place, as far as one scope took part in it.

    ``title`` is what somebody called it, "" if nobody did; ``openings`` are the first messages, for one to be made.
    """

    id: int
    started_at: datetime
    active_at: datetime
    exchanges: int
    title: str = ""
    summary: str = ""
    openings: tuple[str, ...] = ()
    current: bool = False


@dataclass(frozen=True, slots=True)
class SessionPage:
    """Some sessions, and how many there are in all."""

    sessions: tuple[SessionListing, ...]
    total: int


class Sessions(Protocol):
    """Lists and ends sessions, and keeps their summaries.

    They begin, and go on, with the commit of a reply that says so (:class:`~bot.turn.NextSession`).

    A session that ends is queued to be learned from in the same transaction (:mod:`bot.ports.turn_store`).
    """

    async def close(self, address: Address) -> Session:
        """End the open session of this place and return the new, empty one."""

    async def close_idle(self, before: datetime) -> tuple[tuple[Address, int], ...]:
        """End the open sessions whose newest exchange is older than ``before``; return place and session of each."""

    async def summarise(self, session: Session, summary: str, read: tuple[Exchange, ...]) -> bool:
        """Let ``summary`` stand for ``read``, and what is before, in what ``history`` returns; nothing is deleted.

        ``False``, and nothing is stored, where any of it, or the summary of ``session`` that it goes on from, was
        erased or edited while it was made.
        """

    async def list_sessions(self, address: Address, scope: Scope, *, limit: int, offset: int = 0) -> SessionPage:
        """Return sessions of a place in which something was said for a scope, the newest said first."""


class Journal(Protocol):
    """Remembers accepted messages until their turn is committed."""

    async def accept(self, message: InboundMessage) -> Accepted | None:
        """Store the message durably (fsynced when this returns) and return its entry, its first attempt counted.

        Counting that one here spares the disk a write in every turn; a crash before it costs the message an attempt.
        Returns ``None`` for a message that was accepted before, by ``(platform, bot_id, update_id)``, and for one that
        an edit with a higher ``update_id`` has overtaken: it says that no more.  Telegram keeps the order of a chat,
        but a proxy in front of a webhook need not.
        Raises :class:`~bot.errors.StorageUnavailable`; then nothing was accepted.
        """

    async def pending(self) -> tuple[Accepted, ...]:
        """Return the entries whose turn was never committed, oldest first: what a restart must answer."""

    async def pending_at(self, address: Address, after: int, limit: int) -> tuple[Accepted, ...]:
        """Return at most ``limit`` such entries of one place with an id above ``after``, oldest first."""

    async def begin(self, entry_id: int) -> int:
        """Count one more attempt at this entry, durably, and return how many there were, this one included."""

    async def drop(self, entry_ids: tuple[int, ...]) -> None:
        """Close entries without a turn, texts and all: their author does not want them answered any more."""

    async def abandon(self, entry_id: int, reason: str) -> None:
        """Set a poison entry aside: it is kept for the operator and never tried again."""


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session's exchanges of one scope, learned from up to the exchange id ``upto``; ``attempts`` counts failures."""

    session_id: int
    scope: Scope
    upto: int
    attempts: int


@dataclass(frozen=True, slots=True)
class Learned:
    """What a model made of some exchanges; each item and each line of the chronicle names the one it rests on."""

    items: tuple[MemoryItem, ...] = ()
    lines: tuple[WrittenLine, ...] = ()


class LearningQueue(Protocol):
    """A durable queue; a session enters it with the transaction that ends it."""

    async def due(self, now: datetime, limit: int) -> tuple[EndedSession, ...]:
        """Return the sessions whose time has come, longest waiting first."""

    async def exchanges(self, session: EndedSession, limit: int) -> tuple[Exchange, ...]:
        """Return the next ``limit`` exchanges to learn from, oldest first; empty at the end.

        Compacted ones are among them; not history-only ones, nor those that an edit replaced.
        """

    async def save_learned(
        self, session: EndedSession, read: tuple[Exchange, ...], learned: Learned, at: datetime
    ) -> EndedSession:
        """Store what was learned from ``read`` and return the session as it is now, in one transaction.

        A line takes the place of the line of its exchange that it rewords; it is passed over where there is none, and
        where it names none of ``read``.  If one of them was erased, changed or replaced meanwhile nothing is stored,
        and the session is returned as it was.
        """

    async def postpone(self, session: EndedSession, at: datetime, reason: str) -> None:
        """Count a failure and wait until ``at``."""

    async def finish(self, session: EndedSession) -> None:
        """Forget a session that was learned from to its end."""
