"""System 60: commit the turn, then send the answer.

The commit is one transaction (exchange, items, reply, outbox row, journal), so that a crash leaves either a message
that is answered again or an answer that is sent; never both, never neither.
A message whose fate is unknown is not sent again.
To a door behind a network that lets it go at once, the first attempt is marked in the same transaction: one wait for
the disk instead of two between an answer and its reader, and no more outcomes unknown, as the request follows at once.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import structlog

from bot.errors import DeliveryUnknown, DraftGone, NotDelivered, StorageUnavailable
from bot.ports.deliveries import Attempts, Deliveries
from bot.ports.messenger import Keyboards, Messenger, Paced
from bot.ports.system import OnError
from bot.ports.turns import TurnRecord, TurnStore
from bot.turn import Address, MessageKind, Reply, ReplyKind, Turn

_PAUSES_S = (1.0, 2.0, 5.0, 15.0, 60.0, 120.0)
"""Seconds between attempts at a part that surely did not arrive; the last one again and again."""


@dataclass(frozen=True, slots=True)
class ResponseRouting:
    """Store what the turn leaves behind and deliver its reply where the message came from.

    ``committed`` is told after each commit (it wakes the indexer).  ``unsaved`` takes the record of a turn that could
    not be stored, to store it when the disk works again, and returns the sentence that says so, "" when it was said
    before; for an acknowledgement it stands in its place, because nothing was remembered.
    """

    turns: TurnStore
    deliveries: Deliveries
    messengers: Mapping[str, Messenger]
    committed: Callable[[Turn], None]
    unsaved: Callable[[TurnRecord, Turn], str]

    order: ClassVar[int] = 60
    on_error: ClassVar[OnError] = OnError.FAIL

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn unchanged, answered."""
        reply = turn.reply
        if reply is None:
            raise ValueError("a turn reached routing without a reply")
        messenger = self.messengers[turn.address.door]
        parts = messenger.parts(reply.text)
        begins = isinstance(messenger, Paced) and messenger.reserve_now(turn.address)
        pressed = turn.message.message_id if turn.message.kind is MessageKind.BUTTON else None
        if reply.in_place and turn.draft_id is None:
            turn = turn.with_(draft_id=pressed)
        bound = isinstance(messenger, Keyboards)
        try:
            committed = await self.turns.commit(_record(turn, reply, parts, begins=begins, bound=bound))
        except StorageUnavailable as error:
            structlog.get_logger().error("turn not stored", cause=str(error), entry=turn.accepted[0].id)
            # A button that is not stored means nothing when it is pressed.
            await self._send_unstored(turn, replace(reply, buttons=()) if bound else reply, messenger)
            return turn
        self.committed(turn)
        buttons = reply.buttons if committed.buttons is None else committed.buttons
        await self._send(self.deliveries, committed.deliveries, parts, turn, buttons, begun=committed.begun)
        if pressed is not None and not reply.in_place and isinstance(messenger, Keyboards):
            await messenger.remove_buttons(turn.address, pressed)
        return turn

    async def _send_unstored(self, turn: Turn, reply: Reply, messenger: Messenger) -> None:
        """Answer although nothing can be written; the record waits in memory for the disk to come back."""
        notice = self.unsaved(_record(turn, reply, ()), turn)
        text = "\n\n".join(said for said in (reply.text if reply.kind is not ReplyKind.NOTED else "", notice) if said)
        parts = messenger.parts(text)
        await self._send(_Unwritten(), tuple(range(len(parts))), parts, turn, reply.buttons)

    async def _send(
        self,
        attempts: Attempts,
        ids: tuple[int, ...],
        parts: tuple[str, ...],
        turn: Turn,
        buttons: tuple[tuple[str, str], ...],
        *,
        begun: bool = False,
    ) -> None:
        """Send the parts in order: the first into the draft, the last one with the buttons."""
        draft_id = turn.draft_id
        for delivery_id, part in zip(ids, parts, strict=False):
            await deliver(
                attempts,
                self.messengers[turn.address.door],
                delivery_id,
                turn.address,
                part,
                draft_id=draft_id,
                buttons=buttons if part is parts[-1] else (),
                begun=begun,
            )
            draft_id, begun = None, False


class _Unwritten:
    """Stands for the log of attempts where nothing can be written: a turn then knows of its own attempts alone."""

    async def sending(self, delivery_id: int) -> bool:  # noqa: ARG002 - the port's argument
        return True

    async def finish(self, delivery_id: int, message_id: int | None) -> None: ...

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None: ...


async def deliver(
    attempts: Attempts,
    messenger: Messenger,
    delivery_id: int,
    address: Address,
    part: str,
    *,
    draft_id: int | None = None,
    buttons: tuple[tuple[str, str], ...] = (),
    begun: bool = False,
) -> None:
    """Send one planned part at most once and record what became of it.

    ``begun`` says that the first attempt is marked already, and its place in the limits taken.

    A part that surely did not arrive is tried again with growing pauses until it does, within the turn, so that the
    order of a chat's answers holds; cut off in between, it stays planned and is sent after the next start.
    All waiting, for the limits and for a connection, comes before the mark: between the mark and the request a kill
    would leave an unknown outcome.
    """
    log = structlog.get_logger()
    for pause_s in itertools.chain(_PAUSES_S, itertools.repeat(_PAUSES_S[-1])):
        mark, begun = _Mark(attempts, delivery_id, made=begun), False
        try:
            message_id = await _attempt(messenger, mark, address, part, draft_id, buttons)
        except _BegunBefore:
            return
        except DeliveryUnknown as error:
            log.warning("reply outcome unknown, not sent again", delivery=delivery_id, cause=str(error))
            await attempts.finish(delivery_id, None)
            return
        except DraftGone as error:
            log.info("draft gone, sent anew", delivery=delivery_id)
            draft_id = None
            await attempts.postpone(delivery_id, str(error), draft_gone=True)
        except NotDelivered as error:
            log.warning("reply not delivered", delivery=delivery_id, cause=str(error))
            if error.retry_after_s is None:
                await attempts.finish(delivery_id, None)
                return
            await attempts.postpone(delivery_id, str(error))
            await asyncio.sleep(max(pause_s, error.retry_after_s))
        else:
            await attempts.finish(delivery_id, message_id)
            return


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


async def _attempt(
    messenger: Messenger,
    mark: _Mark,
    address: Address,
    part: str,
    draft_id: int | None,
    buttons: tuple[tuple[str, str], ...],
) -> int:
    """Send, marked as late as the door allows."""
    if isinstance(messenger, Paced) and not mark.made:
        await messenger.reserve(address)
        return await messenger.send_marked(address, part, mark, draft_id=draft_id, buttons=buttons)
    await mark()
    return await messenger.send(address, part, draft_id=draft_id, buttons=buttons)


def _record(
    turn: Turn, reply: Reply, parts: tuple[str, ...], *, begins: bool = False, bound: bool = False
) -> TurnRecord:
    return TurnRecord(
        closes=tuple(entry.id for entry in turn.accepted if entry.id > 0),
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
