"""One queue per chat: messages of a chat in order, chats in parallel, everything bounded.

Every message here is journaled already, so that forgetting one from the queue loses nothing: a chat that floods us
keeps only its first messages in memory and fetches the rest from the journal when it gets there.
A worker lives exactly as long as its chat has something to do.

Long pastes, which arrive as several messages: which of them are one.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

import structlog
from cachetools import LRUCache

from bot.messages import Accepted, Address, InboundMessage, MessageKind
from bot.retry import Backoff, Pauses
from bot.turn import StopSignal

_CUT_LENGTH: Final = 3_500
"""A client cuts at 4096 or at the last break before it; a shorter message was not cut."""
_WITHIN_S: Final = 1.0
"""Dates of messages have whole seconds; parts of one paste are at most one apart."""
_MOST_PARTS: Final = 50
"""200,000 characters: what goes on for longer is the next paste, so that nobody waits for one without an end."""
_REMEMBERED: Final = 1_000
PREFIX: Final = "paste:"
"""Of the ``group_id`` of a paste's parts."""


@dataclass(frozen=True, slots=True)
class _LastPart:
    group_id: str
    message_id: int
    sent_at: datetime
    number: int


class SplitMessages:
    """Gives the parts of a long paste one ``group_id``, named after its first message.

    Telegram's clients cut a paste at 4096 characters and send the parts as messages within a second.
    Only a message as long as a cut one can begin or continue a paste; the shorter rest ends it.
    """

    def __init__(self) -> None:
        self._open: LRUCache[tuple[str, int], _LastPart] = LRUCache(_REMEMBERED)

    def join(self, message: InboundMessage) -> InboundMessage:
        """Return the message with its ``group_id`` if it looks like a part of a paste; asked again, the same.

        What was joined before is joined anew: by who had not seen the parts before it.
        """
        before = self._open.get(_make_key(message))
        album = message.group_id is not None and not message.group_id.startswith(PREFIX)
        if message.kind is not MessageKind.TEXT or album or message.forwarded_from:
            return message
        follows = (
            before is not None
            and before.message_id < message.message_id
            and before.number < _MOST_PARTS
            and abs((message.sent_at - before.sent_at).total_seconds()) <= _WITHIN_S
            and not message.text.startswith("/")
        )
        group = before.group_id if before is not None and follows else message.group_id
        group = group or f"{PREFIX}{message.message_id}"
        return replace(message, group_id=group) if _is_long(message) or follows else message

    def remember(self, message: InboundMessage) -> None:
        """Remember a message that ``join`` returned and that was accepted: the next one may follow it."""
        before = self._open.pop(_make_key(message), None)
        if message.group_id is not None and message.group_id.startswith(PREFIX) and _is_long(message):
            number = before.number + 1 if before is not None and before.group_id == message.group_id else 1
            self._open[_make_key(message)] = _LastPart(message.group_id, message.message_id, message.sent_at, number)


def _make_key(message: InboundMessage) -> tuple[str, int]:
    return message.address.key, message.author.id


def _is_long(message: InboundMessage) -> bool:
    return len(message.text.encode("utf-16-le", "surrogatepass")) // 2 >= _CUT_LENGTH


Handle = Callable[[tuple[Accepted, ...], StopSignal], Awaitable[None]]
Refill = Callable[[Address, int], Awaitable[tuple[Accepted, ...]]]

_SUSPECT = 2
"""After this many attempts the message may be what crashes the process."""
_SUSPECT_WAIT_S = 60.0
"""Longest wait for another suspect: a message that crashes the process has done so within this time."""

_STOP_REPLY_WAIT_S = 2.0
"""Longest wait of the reply to a /stop for the answer that it ended, and of the next turn for that reply."""

_MOST_EDITS = 20
"""Edits of one message that replace each other before it is answered; after these the newest is answered."""
_REFILL = Backoff(0.5, 30.0)
"""Pauses before the journal is read again after it could not be."""


@dataclass(slots=True)
class _Chat:
    """The queue of one chat while it has something to do."""

    queue: deque[Accepted] = field(default_factory=deque)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    stop: StopSignal | None = None
    asked_by: int = 0
    """Who wrote what is being answered."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Of the turn that runs; every turn has its own."""
    spilled_after: int | None = None
    """Entries after this id wait in the journal alone."""
    spilled_again: bool = False
    passed: dict[int | None, int] = field(default_factory=dict)
    """Up to which id entries of an author (``None``: of anybody) were dropped: the journal may still return them."""
    task: asyncio.Task[None] | None = None

    def answers(self, asker_id: int | None) -> bool:
        """Whether a turn runs that answers somebody, ``None`` for anybody."""
        return self.stop is not None and asker_id in (None, self.asked_by)

    def has_passed(self, entry: Accepted) -> bool:
        return entry.id <= max(self.passed.get(whose, 0) for whose in (None, entry.message.author.id))


class Dispatcher:
    """Runs ``handle`` for journaled messages.

    ``parallel`` turns run at once; a chat keeps at most ``queue_limit`` messages in memory and asks ``refill`` (the
    journal: entries of this place after an id, oldest first) for those beyond.
    Parts of one album or split paste that arrive within ``gather_s`` seconds of each other are handled together; of
    edits of one message that come within ``settle_s`` of each other only the newest is handled.
    A message that was cut off twice may be what crashes the process.  Such messages are handled one at a time, over
    all chats, so that a crash counts as an attempt of one of them only; each waits a minute at most.
    ``handle`` is expected to deal with its own errors; one that escapes is logged and the chat goes on.
    ``current`` returns where a place is now: what was begun before its chat moved is stopped from where that is.
    """

    def __init__(
        self,
        handle: Handle,
        refill: Refill,
        *,
        parallel: int = 64,
        queue_limit: int = 64,
        gather_s: float = 0.5,
        settle_s: float = 1.5,
        current: Callable[[Address], Address] = lambda address: address,
    ) -> None:
        self._handle = handle
        self._refill = refill
        self._slots = asyncio.Semaphore(parallel)
        self._suspect_lock = asyncio.Lock()
        self._queue_limit = queue_limit
        self._gather_s = gather_s
        self._settle_s = settle_s
        self._current = current
        self._chats: dict[Address, _Chat] = {}
        self._beside: dict[asyncio.Task[None], Address] = {}
        self._closing = False

    def submit(self, accepted: Accepted) -> None:
        """Queue a message; returns at once and never refuses."""
        if self._closing:
            return
        address = accepted.message.address
        chat = self._chats.get(address)
        if chat is None:
            chat = self._chats[address] = _Chat()
            chat.task = asyncio.create_task(self._work(address, chat), name=f"chat {address.key}")
            chat.task.add_done_callback(lambda _: self._leave(address, chat))
        if chat.spilled_after is not None:
            chat.spilled_again = True
            return
        if len(chat.queue) >= self._queue_limit and accepted.id > 0:
            chat.spilled_after = chat.queue[-1].id
            return
        chat.queue.append(accepted)
        chat.arrived.set()

    def run_at_once(self, accepted: Accepted) -> None:
        """Handle a message beside the queue of its chat, for commands about the answer that is being made.

        A turn that was asked to stop gets a moment to show what it has, so that its text stands above the reply.
        """
        if self._closing:
            return
        address = accepted.message.address
        task = asyncio.create_task(self._run_beside(accepted, self._list(address)), name=f"beside {address.key}")
        self._beside[task] = address
        task.add_done_callback(self._beside.pop)

    def waiting(self, address: Address, asker_id: int | None = None) -> tuple[int, ...]:
        """Return the entries in the queue of a place, or somebody's; more may wait in the journal: `find_spilled`."""
        return tuple(entry.id for chat in self._list(address) for entry in chat.queue if is_by(entry, asker_id))

    def find_spilled(self, address: Address) -> int | None:
        """Return the id after which the entries of a place wait in the journal alone, ``None`` if none do."""
        chat = self._chats.get(address)
        return None if chat is None else chat.spilled_after

    def drop(self, address: Address, before: int, asker_id: int | None = None) -> tuple[int, ...]:
        """Take all, or somebody's, out of a queue and return it; older entries of the journal are passed over."""
        dropped = self.waiting(address, asker_id)
        for chat in self._list(address):
            chat.queue = deque(entry for entry in chat.queue if not is_by(entry, asker_id))
            chat.passed[asker_id] = max(chat.passed.get(asker_id, 0), before)
        return dropped

    def forget(self, address: Address) -> None:
        """Empty the queue of a place, whose entries are read in the journal again once it is idle."""
        chat = self._chats.get(address)
        if chat is not None:
            chat.queue.clear()
            chat.spilled_after = None

    def list_busy(self) -> frozenset[Address]:
        """Return the places in which something is under way."""
        return frozenset((*self._chats, *self._beside.values()))

    def list_asking(self) -> tuple[tuple[Address, int], ...]:
        """Return the places in which a turn runs, with the id of whom it answers."""
        return tuple((place, chat.asked_by) for place, chat in self._chats.items() if chat.stop is not None)

    def stop(self, address: Address, asker_id: int | None = None) -> bool:
        """Ask the running turn of this place to end, if it answers ``asker_id``; ``False`` if no such is running."""
        running = [chat.stop for chat in self._list(address) if chat.stop is not None and chat.answers(asker_id)]
        for stop in running:
            stop.set()
        return bool(running)

    def is_running(self, address: Address, asker_id: int | None = None) -> bool:
        """Whether a turn of this place is being answered, or one of somebody's."""
        return any(chat.answers(asker_id) for chat in self._list(address))

    def _list(self, address: Address) -> tuple[_Chat, ...]:
        """Return what is under way in a place, also what was begun before its chat moved there."""
        return tuple(chat for place, chat in self._chats.items() if self._current(place) == address)

    async def idle(self, address: Address | None = None) -> None:
        """Wait until this place, or every place, has nothing left to do."""
        while tasks := [
            chat.task
            for place, chat in self._chats.items()
            if chat.task is not None and (address is None or place == address)
        ] + [task for task, place in self._beside.items() if address is None or place == address]:
            await asyncio.wait(tasks)

    async def close(self, grace_s: float) -> None:
        """Take nothing new, let running turns finish for ``grace_s`` seconds, then cancel them.

        What was cut off or still queued stays in the journal and is answered after the next start.
        """
        self._closing = True
        for chat in self._chats.values():
            chat.queue.clear()
            chat.spilled_after = None
        tasks = [*self._beside, *(chat.task for chat in self._chats.values() if chat.task is not None)]
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=grace_s)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _work(self, address: Address, chat: _Chat) -> None:
        try:
            while batch := await self._next(address, chat):
                chat.stop, chat.ended = StopSignal(), asyncio.Event()
                chat.asked_by = batch[0].message.author.id
                async with self._isolate_if_suspect(batch), self._slots:
                    await self._run(batch, chat.stop)
                stopped, chat.stop = chat.stop.is_set(), None
                chat.ended.set()
                if stopped and (beside := [task for task, place in self._beside.items() if place == address]):
                    await asyncio.wait(
                        beside, timeout=_STOP_REPLY_WAIT_S
                    )  # so that the reply to /stop stands above the next answer
        finally:
            self._leave(address, chat)

    @asynccontextmanager
    async def _isolate_if_suspect(self, batch: tuple[Accepted, ...]) -> AsyncIterator[None]:
        if all(entry.attempts < _SUSPECT for entry in batch):
            yield
            return
        try:
            async with asyncio.timeout(_SUSPECT_WAIT_S):
                await self._suspect_lock.acquire()
        except TimeoutError:
            yield
            return
        try:
            yield
        finally:
            self._suspect_lock.release()

    def _leave(self, address: Address, chat: _Chat) -> None:
        """Forget a chat; called twice, because a task that is cancelled before its first step runs no ``finally``."""
        if self._chats.get(address) is chat:
            del self._chats[address]

    async def _run_beside(self, accepted: Accepted, beside: tuple[_Chat, ...]) -> None:
        for ended in [chat.ended for chat in beside if chat.stop is not None and chat.stop.is_set()]:
            with suppress(TimeoutError):  # it is answered all the same
                async with asyncio.timeout(_STOP_REPLY_WAIT_S):
                    await ended.wait()
        await self._run((accepted,), StopSignal())

    async def _run(self, batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        try:
            await self._handle(batch, stop)
        except Exception:  # noqa: BLE001 - the outer edge of a chat: its other messages go on
            structlog.get_logger().exception("turn failed", entry=batch[0].id)

    async def _next(self, address: Address, chat: _Chat) -> tuple[Accepted, ...]:
        while not chat.queue and chat.spilled_after is not None:
            chat.spilled_again = False
            entries = await self._fetch(address, chat.spilled_after)
            fetched = entries[: self._queue_limit]
            chat.queue.extend(entry for entry in fetched if not chat.has_passed(entry))
            all_fetched = len(entries) <= self._queue_limit and not chat.spilled_again
            if all_fetched or self._closing:
                chat.spilled_after = None
            elif fetched:
                chat.spilled_after = fetched[-1].id
        if not chat.queue:
            return ()
        first = await self._await_newest_edit(chat, chat.queue.popleft())
        batch = [first]
        group = _name_group(first)
        while group is not None and await self._gather_parts(chat, self._gather_s):
            if _name_group(chat.queue[0]) != group:
                break
            batch.append(chat.queue.popleft())
        return tuple(batch)

    async def _await_newest_edit(self, chat: _Chat, entry: Accepted) -> Accepted:
        """Return the newest of several edits of one message that follow each other, in whatever order they came in.

        It closes the others with it.
        """
        waited = 0
        while entry.message.kind is MessageKind.EDITED and await self._gather_parts(chat, self._settle_s):
            later, waited = chat.queue[0], waited + 1
            same = (later.message.kind, later.message.message_id) == (entry.message.kind, entry.message.message_id)
            if not same or waited > _MOST_EDITS:
                break
            older, newer = sorted((entry, chat.queue.popleft()), key=lambda each: each.message.sent_at)
            entry = replace(newer, supersedes=(*entry.supersedes, older.id))
        return entry

    async def _fetch(self, address: Address, after: int) -> tuple[Accepted, ...]:
        """Fetch the next messages of a chat from the journal; nobody else does, so try until it can be read."""
        pauses = Pauses(_REFILL)
        while True:
            try:
                return await self._refill(address, after)
            except Exception:  # noqa: BLE001 - the outer edge of a chat: what waits in the journal must be read
                structlog.get_logger().exception("waiting messages not read", place=address.key)
            await asyncio.sleep(pauses.next_s())

    async def _gather_parts(self, chat: _Chat, seconds: float) -> bool:
        """Wait at most ``seconds`` for a further message; return whether one is queued."""
        if not chat.queue:
            chat.arrived.clear()
            try:
                async with asyncio.timeout(seconds):  # wait_for may swallow a cancellation in Python 3.11
                    await chat.arrived.wait()
            except TimeoutError:
                return False
        return bool(chat.queue)


def is_by(entry: Accepted, author_id: int | None) -> bool:
    """Return whether somebody, or with ``None`` anybody, wrote an entry."""
    return author_id in (None, entry.message.author.id)


def _name_group(entry: Accepted) -> str | None:
    """Return what a message is a part of; an edit is a turn of its own, beside the parts as they were."""
    return None if entry.message.kind is MessageKind.EDITED else entry.message.group_id
