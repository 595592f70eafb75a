"""What a growing answer is shown on: a message that is edited, or Telegram's own short-lived preview."""

from __future__ import annotations

import random
from typing import Protocol

from aiogram.exceptions import TelegramAPIError

from adapters.telegram.outbound.markdown import Rendered
from adapters.telegram.outbound.requests import Wire
from adapters.telegram.transport.failures import translated
from bot.errors import NotDelivered
from bot.ports.messenger import Mark
from bot.turn import LOST_DRAFT, Address

_DRAFT_IDS = 2**31


class Surface(Protocol):
    """Shows frames.  ``message_id`` is the message they are shown in, ``None`` if there is none (yet)."""

    @property
    def message_id(self) -> int | None:
        """The message to edit the final text into."""
        ...

    @property
    def settled(self) -> bool:
        """Whether another frame after a failed one can do no harm."""
        ...

    @property
    def fades(self) -> bool:
        """Whether a frame is gone after half a minute."""
        ...

    async def show(self, frame: Rendered) -> None:
        """Show a frame.  Raises aiogram's errors."""
        ...


class EditedMessage:
    """One message, sent with the first frame and edited with every other.

    When the fate of the first is unknown the next would stand beside it as a second message.
    """

    fades = False

    def __init__(self, wire: Wire, to: Address, message_id: int | None, begins: Mark | None = None) -> None:
        """``begins`` is awaited before the first byte of the first frame."""
        self._wire = wire
        self._to = to
        self._message_id = message_id
        self._begins = begins

    @property
    def message_id(self) -> int | None:
        """The message, ``None`` before the first frame, :data:`~bot.turn.LOST_DRAFT` if that may be there."""
        return self._message_id

    @property
    def settled(self) -> bool:
        """Edits can be repeated, a first frame cannot."""
        return self._message_id not in {None, LOST_DRAFT}

    async def show(self, frame: Rendered) -> None:
        """Send or edit."""
        if self._message_id is None:
            await self._begin(frame)
        else:
            await self._wire.edit(self._to, self._message_id, frame)

    async def _begin(self, frame: Rendered) -> None:
        async def mark() -> None:
            if self._begins is not None:
                await self._begins()
            self._message_id = LOST_DRAFT

        try:
            self._message_id = await self._wire.post(self._to, frame, mark=mark)
        except TelegramAPIError as error:
            if isinstance(translated(error), NotDelivered):
                self._message_id = None
            raise


class Preview:
    """https://core.telegram.org/bots/api#sendmessagedraft: gone after half a minute or with the final message.

    It leaves nothing behind, whatever happens; only direct chats have it.
    """

    message_id: int | None = None
    settled = True
    fades = True

    def __init__(self, wire: Wire, to: Address) -> None:
        self._wire = wire
        self._to = to
        self._draft_id = random.randrange(1, _DRAFT_IDS)

    async def show(self, frame: Rendered) -> None:
        """Replace the frame before."""
        await self._wire.preview(self._to, self._draft_id, frame)
