"""System 60: commit the turn, then send the answer.

The commit is one transaction (exchange, items, reply, outbox row, journal), so that a crash leaves either a message
that is answered again or an answer that is sent; never both, never neither.
How parts are sent stands in :mod:`bot.core.delivery`.  First sends are waited for in their order; an edit that takes
long is repeated beside the conversation.
To a platform behind a network that lets it go at once, the first attempt is marked in the same transaction: one wait
for the disk instead of two between an answer and its reader, and no more outcomes unknown, as the request follows at
once.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import structlog

from bot.core.delivery import PATIENCE_S, Ending, ReplyLayout, UnwrittenAttempts, deliver
from bot.errors import StorageUnavailable
from bot.files import OutboundFile
from bot.messages import LOST_DRAFT, MessageKind
from bot.ports.messenger import (
    Attempts,
    ButtonMessenger,
    Deliveries,
    Delivery,
    DeliveryOutcome,
    Fate,
    Messenger,
    RateLimitedMessenger,
    ReactingMessenger,
)
from bot.ports.system import OnError
from bot.ports.turn_store import TurnRecord, TurnStore
from bot.turn import Reply, ReplyKind, Turn


@dataclass(frozen=True, slots=True)
class ResponseRouting:
    """Store what the turn leaves behind and deliver its reply where the message came from.

    ``committed`` is told after each commit (it wakes the indexer).  ``unsaved`` takes the record of a turn that could
    not be stored, to store it when the disk works again, and returns the sentence that says so, "" when it was said
    before; for an acknowledgement it stands in its place, because nothing was remembered.
    ``layout`` makes messages of a reply.  ``unsettled`` takes what is not settled when a chat goes on: edits to repeat,
    and replies of unknown fate.
    """

    turns: TurnStore
    deliveries: Deliveries
    messengers: Mapping[str, Messenger]
    committed: Callable[[Turn], None]
    unsaved: Callable[[TurnRecord, Turn], str]
    unsettled: Callable[[Delivery, Ending], None]
    layout: ReplyLayout

    order: ClassVar[int] = 60
    on_error: ClassVar[OnError] = OnError.FAIL

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn unchanged, answered."""
        reply = turn.reply
        if reply is None:
            raise ValueError("a turn reached routing without a reply")
        messenger = self.messengers[turn.address.platform]
        pressed = turn.message.message_id if turn.message.kind is MessageKind.BUTTON else None
        if reply.in_place and turn.draft_id is None:
            turn = replace(turn, draft_id=pressed)
        laid_out, parts = await self.layout(turn, reply, messenger)
        bound = isinstance(messenger, ButtonMessenger)
        shown = _shown(messenger, turn, parts[0], reply if len(parts) == 1 else None)
        free = turn.draft_id != LOST_DRAFT and not shown and (laid_out.file is None or len(parts) > 1)
        signing = _is_sign_enough(turn, laid_out, messenger)
        begins = (
            free and not signing and isinstance(messenger, RateLimitedMessenger) and messenger.reserve_now(turn.address)
        )
        try:
            committed = await self.turns.commit(_record(turn, laid_out, parts, begins=begins, bound=bound))
        except StorageUnavailable as error:
            structlog.get_logger().error("turn not stored", cause=str(error), entry=turn.accepted[0].id)
            # A button that is not stored means nothing when it is pressed.
            await self._send_unstored(turn, replace(reply, buttons=()) if bound else reply, messenger)
            return turn
        self.committed(turn)
        buttons = reply.buttons if committed.buttons is None else committed.buttons
        planned = _planned(turn, committed.deliveries, parts, buttons, laid_out.file)
        if turn.draft_id == LOST_DRAFT:
            # Its first words may stand in the chat: sent anew, the answer would be there twice.
            for delivery in planned:
                self.unsettled(delivery, Ending.DOUBTFUL)
        elif not (signing and await self._acknowledge(turn, planned, messenger)):
            await self._send(turn, self.deliveries, planned, begun=committed.begun)
        if pressed is not None and not reply.in_place and isinstance(messenger, ButtonMessenger):
            await messenger.remove_buttons(turn.address, pressed)
        return turn

    async def _acknowledge(self, turn: Turn, planned: tuple[Delivery, ...], messenger: Messenger) -> bool:
        """Put a sign on the message in place of the reply, which stays planned until the sign is there."""
        if not isinstance(messenger, ReactingMessenger):
            return False
        if not await messenger.acknowledge(turn.address, turn.message.message_id):
            return False
        for delivery in planned:
            await self.deliveries.finish(delivery.id, DeliveryOutcome(Fate.SENT))
        return True

    async def _send_unstored(self, turn: Turn, reply: Reply, messenger: Messenger) -> None:
        """Answer although nothing can be written; the record waits in memory for the disk to come back."""
        notice = self.unsaved(_record(turn, reply, ()), turn)
        text = "\n\n".join(said for said in (reply.text if reply.kind is not ReplyKind.NOTED else "", notice) if said)
        seen = turn if turn.draft_id != LOST_DRAFT else replace(turn, draft_id=None)
        reply, parts = await self.layout(seen, replace(reply, text=text), messenger)
        ids = tuple(range(len(parts)))
        await self._send(turn, UnwrittenAttempts(), _planned(seen, ids, parts, reply.buttons, reply.file))

    async def _send(
        self, turn: Turn, attempts: Attempts, planned: tuple[Delivery, ...], *, begun: bool = False
    ) -> None:
        for delivery in planned:
            messenger = self.messengers[delivery.address.platform]
            written = attempts is self.deliveries
            patience_s = PATIENCE_S if written else math.inf  # nobody could take up later what is not written down
            ending = await deliver(
                attempts,
                messenger,
                delivery,
                begun=begun,
                patience_s=patience_s,
                say_refused=lambda one: turn.texts.files.refused.format(name=one.file.name if one.file else ""),
            )
            if written and ending is not Ending.SETTLED:
                self.unsettled(delivery, ending)
            begun = False


def _is_sign_enough(turn: Turn, reply: Reply, messenger: Messenger) -> bool:
    """Whether the reply says no more than that a message was noted, and the operator wants a sign on it instead."""
    if not (isinstance(messenger, ReactingMessenger) and messenger.acknowledges):
        return False
    bare = not (reply.buttons or reply.file or turn.receipts or turn.unknown_attachments)
    return reply.kind is ReplyKind.NOTED and bare and turn.draft_id is None


def _shown(messenger: Messenger, turn: Turn, part: str, reply: Reply | None) -> bool:
    """Whether the draft shows the first part already; ``reply`` if its buttons belong under it."""
    if turn.draft_id is None or not isinstance(messenger, RateLimitedMessenger):
        return False
    return messenger.is_shown(turn.address, turn.draft_id, part, reply.buttons if reply is not None else ())


def _planned(
    turn: Turn,
    ids: tuple[int, ...],
    parts: tuple[str, ...],
    buttons: tuple[tuple[str, str], ...],
    file: OutboundFile | None,
) -> tuple[Delivery, ...]:
    """Return the parts to send: the first goes into the draft, the last one has the buttons and the file."""
    last = len(parts) - 1
    return tuple(
        Delivery(
            delivery_id,
            turn.address,
            part,
            draft_id=turn.draft_id if number == 0 and (file is None or last > 0) else None,
            buttons=buttons if number == last else (),
            file=file if number == last else None,
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
        reply=reply,
        parts=parts,
        exchange=turn.exchange,
        items=turn.items,
        document=turn.document,
        trace=turn.trace,
        draft_id=turn.draft_id,
        begins=begins,
        asker_id=(0 if reply.for_all else turn.message.author.id) if bound else None,
        epoch=turn.session.epoch,
        heard=turn.session.heard,
    )
