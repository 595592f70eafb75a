"""The way out to Telegram: text plus entities, within the limits, with a clear word on what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramRetryAfter
from aiogram.types import InlineKeyboardMarkup

from adapters.telegram.draft import GrowingAnswer, UnseenAnswer
from adapters.telegram.failures import gone, translated, unchanged, unreadable
from adapters.telegram.markdown import Rendered, render
from adapters.telegram.pace import Pace, SendLimits
from adapters.telegram.splitting import split
from adapters.telegram.surfaces import EditedMessage, Preview
from adapters.telegram.typing_action import Typing
from adapters.telegram.wire import Wire, keyboard
from bot.errors import DeliveryUnknown
from bot.ports.clock import Clock
from bot.ports.messenger import Draft
from bot.turn import Address

_TRIES = 3
_EDIT_AGAIN_S = 1.0
_GROUP_INTERVAL_S = 4.0
"""Twenty messages a minute are all that a group gets."""


class TelegramMessenger:
    """Implements :class:`bot.ports.messenger.Messenger`."""

    def __init__(
        self,
        bot: Bot,
        *,
        clock: Clock,
        edit_interval_s: float = 1.2,
        limits: SendLimits | None = None,
        previews: bool = False,
        streaming: Callable[[], bool] = lambda: True,
    ) -> None:
        """Take the bot's client.

        ``edit_interval_s`` is the shortest time between two frames of a stream; with ``previews`` direct chats show
        Telegram's own drafts (Bot API 9.3) instead of a message that is edited.  ``streaming`` is asked for every
        answer: without it nothing is shown but "typing…" until the answer is whole.
        """
        self._previews = previews
        self._streaming = streaming
        self._limits = limits or SendLimits()
        self._clock = clock
        self._edit_interval_s = edit_interval_s
        self._wire = Wire(bot)
        self._pace = Pace(clock, self._limits)
        self._typing = Typing(bot)

    def parts(self, text: str) -> tuple[str, ...]:
        """Split Markdown into parts of at most 4096 UTF-16 units once shown; each is Markdown that stands alone."""
        return split(text)

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Deliver one part and return the message's id; see the port for errors.

        With ``draft_id`` the text is edited into that message; if it was deleted meanwhile, a new one is sent.
        """
        self._typing.end(to)
        shown, keys = render(part), keyboard(buttons)
        if draft_id is not None and await self._edited(to, draft_id, shown, keys):
            return draft_id
        return await self._posted(to, shown, keys)

    async def ready(self, to: Address) -> None:
        """Return when a message to this place would go out at once.

        Waiting here instead of in ``send`` keeps a kill during the wait from making the delivery's outcome unknown.
        """
        await self._pace.free(to.chat_id)

    async def draft(self, to: Address, message_id: int | None = None) -> Draft:
        """Show "typing…" and return a draft that becomes a message with its first frame."""
        self._typing.begin(to)
        if not self._streaming():
            return UnseenAnswer(message_id)
        interval_s = self._edit_interval_s if to.chat_id > 0 else max(_GROUP_INTERVAL_S, self._edit_interval_s)
        preview = self._previews and to.chat_id > 0 and message_id is None
        surface = Preview(self._wire, to) if preview else EditedMessage(self._wire, to, message_id)
        return GrowingAnswer(to, surface, self._pace, self._clock, interval_s=interval_s)

    async def close(self) -> None:
        """Stop the typing indicators; the client belongs to the door."""
        await self._typing.close()

    async def _posted(self, to: Address, shown: Rendered, keys: InlineKeyboardMarkup | None) -> int:
        for tried in range(1, _TRIES + 1):
            await self._pace.wait(to.chat_id)
            try:
                return await self._wire.post(to, shown, keys)
            except TelegramAPIError as error:
                if unreadable(error) and shown.entities:
                    shown = Rendered(shown.text)
                elif not self._waits(to, error) or tried == _TRIES:
                    raise translated(error) from error
        raise AssertionError  # the last try returns or raises

    async def _edited(self, to: Address, message_id: int, shown: Rendered, keys: InlineKeyboardMarkup | None) -> bool:
        """Edit until it is certain; repeating an edit is harmless.  ``False`` when the message is gone."""
        for tried in range(1, _TRIES + 1):
            await self._pace.wait(to.chat_id)
            try:
                await self._wire.edit(to, message_id, shown, keys)
            except TelegramAPIError as error:
                if unchanged(error):
                    return True
                if gone(error):
                    return False
                if unreadable(error) and shown.entities:
                    shown = Rendered(shown.text)
                    continue
                meaning = translated(error)
                if tried == _TRIES or not (isinstance(meaning, DeliveryUnknown) or self._waits(to, error)):
                    raise meaning from error
                if isinstance(meaning, DeliveryUnknown):
                    await asyncio.sleep(_EDIT_AGAIN_S)
            else:
                return True
        raise AssertionError  # the last try returns or raises

    def _waits(self, to: Address, error: TelegramAPIError) -> bool:
        """Whether Telegram only wants a pause that is short enough to wait out here."""
        if not isinstance(error, TelegramRetryAfter):
            return False
        self._pace.pause(to.chat_id, float(error.retry_after))
        return error.retry_after <= self._limits.patience_s
