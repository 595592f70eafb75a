"""Takes messages in: journals them, tells commands from pressed buttons, ends running answers, queues the rest.

A message is journaled before anything else happens to it.  ``/stop`` acts the moment it comes in, because it must not
wait behind what it is to end.
"""

import itertools
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import structlog
from cachetools import LRUCache

from bot.commands.conversation import Halted, Stop
from bot.commands.router import parse
from bot.core.dispatch import Dispatcher, SplitMessages, is_by
from bot.core.live_draft import StopButtons
from bot.core.rights import Role, Whose, is_allowed
from bot.errors import ButtonRefused, Corrupt, StorageUnavailable
from bot.memory.items import Trust
from bot.memory.learning.speech_acts import asks_to_halt
from bot.messages import Accepted, Address, InboundMessage, MessageKind
from bot.ports import messenger as ways_out
from bot.ports.messenger import Messenger
from bot.ports.tickets import Buttons, PressRefusal
from bot.ports.turn_store import Journal
from bot.ports.when import Clock

_REMEMBERED_UPDATES: Final = 10_000
_REMEMBERED_STOPS: Final = 1_000
_MOST_COUNTED: Final = 1_000
"""More waiting messages than that are not counted one by one."""
_KEYBOARDS_AT_ONCE: Final = 20
"""Keyboards taken away per sweep: each costs a place in the limits of its chat."""

_UpdateKey = tuple[Address, int]


class Acceptance:
    """Accepts messages for ``dispatcher``; where the store is ``shared`` another worker may be who answers them."""

    def __init__(
        self,
        journal: Journal,
        buttons: Buttons,
        dispatcher: Dispatcher,
        clock: Clock,
        stops: StopButtons,
        *,
        shared: bool = False,
    ) -> None:
        self._stops = stops
        self._shared = shared
        self._journal = journal
        self._buttons = buttons
        self._dispatcher = dispatcher
        self._clock = clock
        # Below zero, and never used before: the names of exchanges that are stored late are made from them.
        self._ephemeral = itertools.count(-time.time_ns(), -1)
        self._pastes = SplitMessages()
        self._unjournaled: LRUCache[_UpdateKey, None] = LRUCache(_REMEMBERED_UPDATES)
        self._halted: LRUCache[_UpdateKey, Halted] = LRUCache(_REMEMBERED_STOPS)

    async def accept(self, message: InboundMessage) -> None:
        """Journal a message, then start its turn; returns when it is durable, not when it is answered.

        A pressed button is journaled as the command that it stands for; one that ends an answer under way has done so
        when this returns, and nothing is left of it.
        Raises :class:`~bot.errors.ButtonRefused` for one that nobody, or not its presser, may press; nothing was kept.
        """
        if message.kind is MessageKind.BUTTON and not (self._shared and self._stops.is_elsewhere(message)):
            if self._stops.press(message):
                return
            message = await resolve_button(self._buttons, message, self._clock.now(), shared=self._shared)
        elif self._is_told_to_stop(message):
            message = replace(message, text=f"/{Stop.name}")
        accepted = await self._journal_or_ignore(message)
        if accepted is not None and not accepted.elsewhere and not await self._has_ended(accepted):
            await self._pass_on(accepted)

    async def take(self, accepted: Accepted) -> None:
        """Take a message in that another worker has accepted for us."""
        message = accepted.message
        if self._is_told_to_stop(message):
            accepted = replace(accepted, message=replace(message, text=f"/{Stop.name}"))
        if not await self._has_ended(accepted):
            await self._pass_on(accepted)

    async def queue(self, accepted: Accepted) -> None:
        """Queue a message that was accepted before its place was ours; whatever it may have stopped runs no more."""
        if not await self._has_ended(accepted):
            self._dispatcher.submit(self.join(accepted))

    def join(self, accepted: Accepted) -> Accepted:
        """Name the paste that a message belongs to: who accepted it may not be who accepted what came before it."""
        if not self._shared:
            return accepted
        joined = self._pastes.join(accepted.message)
        self._pastes.remember(joined)
        return replace(accepted, message=joined)

    def _is_told_to_stop(self, message: InboundMessage) -> bool:
        return says_to_stop(message) and self._dispatcher.is_running(message.address, find_stopped(message))

    async def _has_ended(self, accepted: Accepted) -> bool:
        """Press a button that ends an answer, for whoever pressed it elsewhere; ``False`` for any other message."""
        message = accepted.message
        if message.kind is not MessageKind.BUTTON or not self._stops.is_one(message):
            return False
        with suppress(ButtonRefused):  # the answer is whole by now, as who pressed it sees
            self._stops.press(message)
        await self._journal.drop((accepted.id,))
        return True

    async def _pass_on(self, accepted: Accepted) -> None:
        if asks_to_stop(accepted.message):
            await self._stop(accepted)
            self._dispatcher.run_at_once(accepted)
            return
        self._dispatcher.submit(self.join(accepted))

    def take_halted(self, message: InboundMessage) -> Halted:
        """Return, once, what a message that asked to stop has done; nothing for one that a restart has found."""
        return self._halted.pop(_update_key(message), Halted())

    async def _journal_or_ignore(self, message: InboundMessage) -> Accepted | None:
        """Return the journaled message, ``None`` for one that was accepted before while the disk did not write.

        Raises :class:`~bot.errors.StorageUnavailable` where others would answer it, too: it is sent to us again.
        """
        try:
            return await self._journal.accept(message)
        except StorageUnavailable as error:
            if self._shared:
                raise
            # Our disk does not write.  Answering without remembering is better than silence; the user is told.
            structlog.get_logger().error("message not journaled", cause=str(error))
        key = _update_key(message)
        if key in self._unjournaled:
            return None
        self._unjournaled[key] = None
        return Accepted(next(self._ephemeral), message)

    async def _stop(self, accepted: Accepted) -> None:
        """End the running answer at once, then count or drop what waits; of what the author may end."""
        message = accepted.message
        ended = self._dispatcher.stop(message.address, find_stopped(message))
        parsed = parse(message.text)
        if parsed is not None and parsed[1].casefold() == Stop.ALL:
            done = Halted(ended, dropped=await self._drop(accepted))
        else:
            done = Halted(ended, waiting=len(await self._waiting(accepted)))
        going_on = not ended and self._dispatcher.is_running(message.address)
        self._halted[_update_key(message)] = replace(done, going_on=going_on)

    async def _waiting(self, accepted: Accepted) -> tuple[int, ...]:
        """Return the entries that wait in this chat for the author, of the queue and of the journal alone."""
        whose = find_stopped(accepted.message)
        queued = self._dispatcher.waiting(accepted.message.address, whose)
        after = self._dispatcher.find_spilled(accepted.message.address)
        if after is None:
            return queued
        try:
            rest = await self._journal.pending_at(accepted.message.address, after, _MOST_COUNTED)
        except (StorageUnavailable, Corrupt) as error:
            structlog.get_logger().warning("waiting messages not counted", cause=str(error))
            return queued
        older = (entry.id for entry in rest if entry.id < accepted.id and is_by(entry, whose))
        return (*queued, *(number for number in older if number not in queued))

    async def _drop(self, accepted: Accepted) -> int:
        waiting = await self._waiting(accepted)
        message = accepted.message
        dropped = {*waiting, *self._dispatcher.drop(message.address, accepted.id, find_stopped(message))}
        try:
            await self._journal.drop(tuple(entry for entry in dropped if entry > 0))
        except (StorageUnavailable, Corrupt) as error:
            structlog.get_logger().error("dropped messages stay in the journal", cause=str(error))
        return len(dropped)


def find_stopped(message: InboundMessage) -> int | None:
    """Return whose answers and waiting messages the author may end, ``None`` for anybody's.

    What the table of rights says without its platform: nothing waits for that.
    """
    role = Role.OWNER if message.author.trust is Trust.OWNER else Role.STRANGER
    return None if is_allowed(Stop.name, Whose.OTHERS, role) else message.author.id


def asks_to_stop(message: InboundMessage) -> bool:
    """Return whether a message asks to stop now: a forwarded command is somebody else's, an edited one is old."""
    parsed = parse(message.text)
    own = message.forwarded_from is None and message.kind is not MessageKind.EDITED
    return own and parsed is not None and parsed[0] == Stop.name


def says_to_stop(message: InboundMessage) -> bool:
    """Return whether somebody typed a word that ends an answer under way, and would be ordinary at any other time."""
    typed = message.kind is MessageKind.TEXT and message.forwarded_from is None and message.quote is None
    return typed and not message.text.startswith("/") and asks_to_halt(message.text)


async def resolve_button(
    buttons: Buttons, message: InboundMessage, now: datetime, *, shared: bool = False
) -> InboundMessage:
    """Return a pressed button as the command that it stands for.

    Raises :class:`~bot.errors.ButtonRefused`; while the store cannot be reached, too, because nobody knows then whose
    the button is.  Where it is ``shared`` that raises :class:`~bot.errors.StorageUnavailable`, as for any message: the
    press is given to us again, and counts even if it was stored.
    """
    try:
        pressed = await buttons.press(message, now)
    except StorageUnavailable as error:
        if shared:
            raise
        structlog.get_logger().error("button not looked up", cause=str(error))
        pressed = PressRefusal.NOT_NOW
    if isinstance(pressed, PressRefusal):
        raise ButtonRefused(pressed.value, spent=pressed in (PressRefusal.EXPIRED, PressRefusal.CHANGED))
    return pressed


@dataclass(frozen=True, slots=True)
class Keyboards:
    """Takes away keyboards that have expired unused."""

    buttons: Buttons
    messengers: Mapping[str, Messenger]
    clock: Clock

    async def sweep(self) -> None:
        """Take some away; the next call takes the next ones."""
        now = self.clock.now()
        expired = await self.buttons.list_expired(now, _KEYBOARDS_AT_ONCE)
        for keyboard in expired:
            messenger = self.messengers.get(keyboard.address.platform)
            if isinstance(messenger, ways_out.ButtonMessenger):
                await messenger.remove_buttons(keyboard.address, keyboard.message_id)
        await self.buttons.drop(expired, now)


def _update_key(message: InboundMessage) -> _UpdateKey:
    return message.address, message.update_id
