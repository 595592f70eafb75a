"""What a growing answer is shown on: a message that is edited, or Telegram's own short-lived preview."""

from __future__ import annotations

import random
from typing import Protocol

from adapters.telegram.markdown import Rendered
from adapters.telegram.wire import Wire
from bot.turn import Address

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

    async def show(self, frame: Rendered) -> None:
        """Show a frame.  Raises aiogram's errors."""
        ...


class EditedMessage:
    """One message, sent with the first frame and edited with every other.

    When the fate of the first is unknown the next would stand beside it as a second message.
    """

    def __init__(self, wire: Wire, to: Address, message_id: int | None) -> None:
        self._wire = wire
        self._to = to
        self._message_id = message_id

    @property
    def message_id(self) -> int | None:
        """The message, ``None`` before the first frame."""
        return self._message_id

    @property
    def settled(self) -> bool:
        """Edits can be repeated, a first frame cannot."""
        return self._message_id is not None

    async def show(self, frame: Rendered) -> None:
        """Send or edit."""
        if self._message_id is None:
            self._message_id = await self._wire.post(self._to, frame)
        else:
            await self._wire.edit(self._to, self._message_id, frame)


class Preview:
    """https://core.telegram.org/bots/api#sendmessagedraft: gone after half a minute or with the final message.

    It leaves nothing behind, whatever happens; only direct chats have it.
    """

    message_id: int | None = None
    settled = True

    def __init__(self, wire: Wire, to: Address) -> None:
        self._wire = wire
        self._to = to
        self._draft_id = random.randrange(1, _DRAFT_IDS)

    async def show(self, frame: Rendered) -> None:
        """Replace the frame before."""
        await self._wire.preview(self._to, self._draft_id, frame)
