"""System 60: commit the turn, then send the answer.

The commit is one transaction (exchange, items, reply, outbox row, journal), so that a crash leaves either a message
that is answered again or an answer that is sent; never both, never neither.
A message whose fate is unknown is not sent again; its chat is offered to see it.
An edit is repeated until it is certain: it cannot double anything, and its place in the chat is taken already, so that
what takes long is repeated beside the conversation, while first sends are waited for in their order.
To a platform behind a network that lets it go at once, the first attempt is marked in the same transaction: one wait
for the disk instead of two between an answer and its reader, and no more outcomes unknown, as the request follows at
once.
"""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

import structlog

from bot.errors import DeliveryUnknown, DraftGone, NotDelivered, StorageUnavailable
from bot.ports.deliveries import Attempts, Deliveries, Delivery, Fate, Outcome
from bot.ports.messenger import Keyboards, Messenger, Paced
from bot.ports.system import OnError
from bot.ports.turns import TurnRecord, TurnStore
from bot.turn import LOST_DRAFT, MessageKind, Reply, ReplyKind, Turn

_PAUSES_S = (1.0, 2.0, 5.0, 15.0, 60.0, 120.0)
"""Seconds between attempts at a part that surely did not arrive, or an edit; the last one again and again."""
_SPLIT_AT_ONCE = 2_000
"""Characters whose Markdown is converted in a few milliseconds, whatever they are."""
_PATIENCE_S = 4.0
"""A chat waits no longer than this for the next attempt at an edit: its further answers may stand below it already."""


class Ending(StrEnum):
    """What became of a delivery when :func:`deliver` returned."""

    SETTLED = "settled"
    """Sent, refused, or begun by somebody else."""
    DOUBTFUL = "doubtful"
    """Its fate is unknown: its chat is to be offered to see it again."""
    LATER = "later"
    """An edit that needs more time: it is planned, and to be repeated beside the conversation."""


@dataclass(frozen=True, slots=True)
class ResponseRouting:
    """Store what the turn leaves behind and deliver its reply where the message came from.

    ``committed`` is told after each commit (it wakes the indexer).  ``unsaved`` takes the record of a turn that could
    not be stored, to store it when the disk works again, and returns the sentence that says so, "" when it was said
    before; for an acknowledgement it stands in its place, because nothing was remembered.
    ``afterwards`` takes what is not settled when a chat goes on: edits to repeat, and replies of unknown fate.
    """

    turns: TurnStore
    deliveries: Deliveries
    messengers: Mapping[str, Messenger]
    committed: Callable[[Turn], None]
    unsaved: Callable[[TurnRecord, Turn], str]
    afterwards: Callable[[Delivery, Ending], None]

    order: ClassVar[int] = 60
    on_error: ClassVar[OnError] = OnError.FAIL

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn unchanged, answered."""
        reply = turn.reply
        if reply is None:
            raise ValueError("a turn reached routing without a reply")
        messenger = self.messengers[turn.address.platform]
        parts = await _split(messenger, reply.text)
        pressed = turn.message.message_id if turn.message.kind is MessageKind.BUTTON else None
        if reply.in_place and turn.draft_id is None:
            turn = turn.with_(draft_id=pressed)
        bound = isinstance(messenger, Keyboards)
        free = turn.draft_id != LOST_DRAFT and not _shown(messenger, turn, parts[0], reply if len(parts) == 1 else None)
        begins = free and isinstance(messenger, Paced) and messenger.reserve_now(turn.address)
        try:
            committed = await self.turns.commit(_record(turn, reply, parts, begins=begins, bound=bound))
        except StorageUnavailable as error:
            structlog.get_logger().error("turn not stored", cause=str(error), entry=turn.accepted[0].id)
            # A button that is not stored means nothing when it is pressed.
            await self._send_unstored(turn, replace(reply, buttons=()) if bound else reply, messenger)
            return turn
        self.committed(turn)
        buttons = reply.buttons if committed.buttons is None else committed.buttons
        planned = _planned(turn, committed.deliveries, parts, buttons)
        if turn.draft_id == LOST_DRAFT:
            # Its first words may stand in the chat: sent anew, the answer would be there twice.
            for delivery in planned:
                self.afterwards(delivery, Ending.DOUBTFUL)
        else:
            await self._send(self.deliveries, planned, begun=committed.begun)
        if pressed is not None and not reply.in_place and isinstance(messenger, Keyboards):
            await messenger.remove_buttons(turn.address, pressed)
        return turn

    async def _send_unstored(self, turn: Turn, reply: Reply, messenger: Messenger) -> None:
        """Answer although nothing can be written; the record waits in memory for the disk to come back."""
        notice = self.unsaved(_record(turn, reply, ()), turn)
        text = "\n\n".join(said for said in (reply.text if reply.kind is not ReplyKind.NOTED else "", notice) if said)
        parts = await _split(messenger, text)
        seen = turn if turn.draft_id != LOST_DRAFT else turn.with_(draft_id=None)
        await self._send(_Unwritten(), _planned(seen, tuple(range(len(parts))), parts, reply.buttons))

    async def _send(self, attempts: Attempts, planned: tuple[Delivery, ...], *, begun: bool = False) -> None:
        """Send the parts in order."""
        for delivery in planned:
            messenger = self.messengers[delivery.address.platform]
            written = attempts is self.deliveries
            patience_s = _PATIENCE_S if written else math.inf  # nobody could take up later what is not written down
            ending = await deliver(attempts, messenger, delivery, begun=begun, patience_s=patience_s)
            if written and ending is not Ending.SETTLED:
                self.afterwards(delivery, ending)
            begun = False


async def _split(messenger: Messenger, text: str) -> tuple[str, ...]:
    """Split an answer, a long one beside the event loop: its Markdown may take a third of a second to convert."""
    if len(text) <= _SPLIT_AT_ONCE:
        return messenger.parts(text)
    return await asyncio.to_thread(messenger.parts, text)


class _Unwritten:
    """Stands for the log of attempts where nothing can be written: a turn then knows of its own attempts alone."""

    async def sending(self, delivery_id: int) -> bool:  # noqa: ARG002 - the port's argument
        return True

    async def finish(self, delivery_id: int, outcome: Outcome) -> None: ...

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None: ...


async def deliver(
    attempts: Attempts,
    messenger: Messenger,
    delivery: Delivery,
    *,
    begun: bool = False,
    patience_s: float = _PATIENCE_S,
    anew: bool = True,
) -> Ending:
    """Send one planned part at most once and record what became of it.

    ``begun`` says that the first attempt is marked already, and its place in the limits taken.

    A part that surely did not arrive is tried again with growing pauses until it does, within the turn, so that the
    order of a chat's answers holds; cut off in between, it stays planned and is sent after the next start.
    An edit whose next attempt is more than ``patience_s`` seconds away is left planned.  Where its draft is gone it is
    sent ``anew``, or is in doubt: when later answers may stand below, it would stand out of order.
    All waiting, for the limits and for a connection, comes before the mark: between the mark and the request a kill
    would leave an unknown outcome.
    """
    log = structlog.get_logger()
    for pause_s in itertools.chain(_PAUSES_S, itertools.repeat(_PAUSES_S[-1])):
        mark, begun = _Mark(attempts, delivery.id, made=begun), False
        try:
            message_id = await _attempt(messenger, mark, delivery)
        except _BegunBefore:
            return Ending.SETTLED
        except DraftGone as error:
            log.info("draft gone", delivery=delivery.id)
            if not anew:
                await attempts.finish(delivery.id, Outcome(Fate.UNKNOWN, reason=str(error)))
                return Ending.DOUBTFUL
            delivery = replace(delivery, draft_id=None)
            await attempts.postpone(delivery.id, str(error), draft_gone=True)
            continue
        except (NotDelivered, DeliveryUnknown) as error:
            log.warning("reply not delivered", delivery=delivery.id, kind=type(error).__name__, cause=str(error))
            if (ending := await _given_up(attempts, delivery, error)) is not None:
                return ending
            await attempts.postpone(delivery.id, str(error))
            pause_s = max(pause_s, error.retry_after_s or 0.0) if isinstance(error, NotDelivered) else pause_s  # noqa: PLW2901 - the longer
            if delivery.draft_id is not None and pause_s > patience_s:
                return Ending.LATER
            await asyncio.sleep(pause_s)
        else:
            await attempts.finish(delivery.id, Outcome(Fate.SENT, message_id))
            return Ending.SETTLED
    raise AssertionError("the pauses never end")


async def _given_up(attempts: Attempts, delivery: Delivery, error: NotDelivered | DeliveryUnknown) -> Ending | None:
    """Settle what is not to be tried again; ``None`` if it is."""
    if isinstance(error, NotDelivered):
        if error.retry_after_s is not None:
            return None
        await attempts.finish(delivery.id, Outcome(Fate.REFUSED, reason=str(error)))
        return Ending.SETTLED
    if delivery.draft_id is not None:
        return None
    await attempts.finish(delivery.id, Outcome(Fate.UNKNOWN, reason=str(error)))
    return Ending.DOUBTFUL


class _BegunBefore(Exception):
    """An attempt at this part was made before: another one could double it."""


@dataclass(slots=True)
class _Mark:
    """Marks an attempt, once."""

    attempts: Attempts
    delivery_id: int
    made: bool

    async def __call__(self) -> None:
        """Return when the attempt is marked durably; raises :class:`_BegunBefore`."""
        if self.made:
            return
        if not await self.attempts.sending(self.delivery_id):
            raise _BegunBefore
        self.made = True


async def _attempt(messenger: Messenger, mark: _Mark, delivery: Delivery) -> int:
    """Send, marked as late as the messenger allows."""
    to, part, draft_id, buttons = delivery.address, delivery.text, delivery.draft_id, delivery.buttons
    if isinstance(messenger, Paced) and not mark.made:
        if draft_id is not None and messenger.shows(to, draft_id, part, buttons):
            return draft_id
        await messenger.reserve(to)
        return await messenger.send_marked(to, part, mark, draft_id=draft_id, buttons=buttons)
    await mark()
    return await messenger.send(to, part, draft_id=draft_id, buttons=buttons)


def _shown(messenger: Messenger, turn: Turn, part: str, reply: Reply | None) -> bool:
    """Whether the draft shows the first part already; ``reply`` if its buttons belong under it."""
    if turn.draft_id is None or not isinstance(messenger, Paced):
        return False
    return messenger.shows(turn.address, turn.draft_id, part, reply.buttons if reply is not None else ())


def _planned(
    turn: Turn, ids: tuple[int, ...], parts: tuple[str, ...], buttons: tuple[tuple[str, str], ...]
) -> tuple[Delivery, ...]:
    """Return the parts to send: the first goes into the draft, the last one has the buttons."""
    last = len(parts) - 1
    return tuple(
        Delivery(
            delivery_id,
            turn.address,
            part,
            draft_id=turn.draft_id if number == 0 else None,
            buttons=buttons if number == last else (),
        )
        for number, (delivery_id, part) in enumerate(zip(ids, parts, strict=False))
    )


def _record(
    turn: Turn, reply: Reply, parts: tuple[str, ...], *, begins: bool = False, bound: bool = False
) -> TurnRecord:
    return TurnRecord(
        closes=tuple(id_ for entry in turn.accepted for id_ in (entry.id, *entry.supersedes) if id_ > 0),
        scope=turn.scope,
        address=turn.address,
        session=turn.session,
        reply=reply,
        parts=parts,
        exchange=turn.exchange,
        items=turn.items,
        document=turn.document,
        trace=turn.trace,
        usage=turn.usage,
        draft_id=turn.draft_id,
        begins=begins,
        asker_id=turn.message.author.id if bound else None,
    )
