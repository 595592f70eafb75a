"""The way out to Telegram: text plus entities, within the limits, with a clear word on what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramRetryAfter
from aiogram.types import InlineKeyboardMarkup

from adapters.telegram.draft import GrowingAnswer, UnseenAnswer
from adapters.telegram.failures import gone, translated, unchanged, unreadable
from adapters.telegram.markdown import Rendered, render
from adapters.telegram.pace import Pace, SendLimits
from adapters.telegram.session import before_the_request
from adapters.telegram.splitting import split
from adapters.telegram.surfaces import EditedMessage, Preview
from adapters.telegram.typing_action import Typing
from adapters.telegram.under_way import UnderWay
from adapters.telegram.wire import Wire, keyboard
from bot.errors import DeliveryUnknown, DraftGone, MnemeError
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
        self._clock = clock
        self._edit_interval_s = edit_interval_s
        self._wire = Wire(bot)
        self._pace = Pace(clock, limits or SendLimits())
        self._under_way = UnderWay()
        self._typing = Typing(bot)

    def parts(self, text: str) -> tuple[str, ...]:
        """Split Markdown into parts of at most 4096 UTF-16 units once shown; each is Markdown that stands alone."""
        return split(text)

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Deliver one part and return the message's id; see the port for errors.

        With ``draft_id`` the text is edited into that message.
        """
        self._typing.end(to)
        shown, keys = render(part), keyboard(buttons)
        if draft_id is None:
            with self._under_way.one():
                return await self._posted(to, shown, keys)
        await self._edit(to, draft_id, shown, keys)
        return draft_id

    async def send_marked(
        self,
        to: Address,
        part: str,
        mark: Callable[[], Awaitable[None]],
        *,
        draft_id: int | None = None,
        buttons: tuple[tuple[str, str], ...] = (),
    ) -> int:
        """Deliver one part, with ``mark`` awaited between the connection and the first byte of the request."""
        with before_the_request(mark):
            return await self.send(to, part, draft_id=draft_id, buttons=buttons)

    async def reserve(self, to: Address) -> None:
        """Return when it is this place's turn to send one message, which ``send`` does without waiting."""
        await self._pace.reserve(to.chat_id)
        await self._under_way.room()

    def reserve_now(self, to: Address) -> bool:
        """Take a place if nobody has to wait for it, nor for a connection."""
        return self._wire.connected and not self._under_way.full and self._pace.take(to.chat_id)

    async def draft(self, to: Address, message_id: int | None = None) -> Draft:
        """Show "typing…" and return a draft that becomes a message with its first frame."""
        self._typing.begin(to)
        if not self._streaming():
            return UnseenAnswer(message_id)
        interval_s = self._edit_interval_s if to.chat_id > 0 else max(_GROUP_INTERVAL_S, self._edit_interval_s)
        preview = self._previews and to.chat_id > 0 and message_id is None
        surface = Preview(self._wire, to) if preview else EditedMessage(self._wire, to, message_id)
        return GrowingAnswer(to, surface, self._pace, self._clock, interval_s=interval_s)

    async def remove_buttons(self, to: Address, message_id: int) -> None:
        """Take the buttons under a message away, in its turn like any message; what is refused stays as it is."""
        await self._pace.reserve(to.chat_id)
        try:
            await self._wire.remove_keyboard(to, message_id)
        except TelegramAPIError as error:
            if isinstance(error, TelegramRetryAfter):
                self._pace.pause(to.chat_id, float(error.retry_after))
            if not unchanged(error):
                structlog.get_logger().info("telegram.buttons_not_removed", error=type(error).__name__)

    async def close(self) -> None:
        """Stop the typing indicators; the client belongs to the door."""
        await self._typing.close()

    async def _posted(self, to: Address, shown: Rendered, keys: InlineKeyboardMarkup | None) -> int:
        """Post at once; what Telegram cannot parse is surely not there, and goes again without its formatting."""
        try:
            return await self._wire.post(to, shown, keys)
        except TelegramAPIError as error:
            if not (unreadable(error) and shown.entities):
                raise self._refused(to, error) from error
        self._pace.count(to.chat_id)
        return await self._posted(to, Rendered(shown.text), keys)

    async def _edit(self, to: Address, message_id: int, shown: Rendered, keys: InlineKeyboardMarkup | None) -> None:
        """Edit until it is certain: repeating an edit is harmless."""
        for _ in range(_TRIES - 1):
            try:
                return await self._edit_once(to, message_id, shown, keys)
            except DeliveryUnknown:
                await asyncio.sleep(_EDIT_AGAIN_S)
                await self._pace.reserve(to.chat_id)
        return await self._edit_once(to, message_id, shown, keys)

    async def _edit_once(
        self, to: Address, message_id: int, shown: Rendered, keys: InlineKeyboardMarkup | None
    ) -> None:
        try:
            return await self._wire.edit(to, message_id, shown, keys)
        except TelegramAPIError as error:
            if unchanged(error):
                return None
            if gone(error):
                raise DraftGone("the draft was deleted") from error
            if not (unreadable(error) and shown.entities):
                raise self._refused(to, error) from error
        self._pace.count(to.chat_id)
        return await self._edit_once(to, message_id, Rendered(shown.text), keys)

    def _refused(self, to: Address, error: TelegramAPIError) -> MnemeError:
        """Return what an error means for the message, and keep the pause that Telegram asks for."""
        if isinstance(error, TelegramRetryAfter):
            self._pace.pause(to.chat_id, float(error.retry_after))
        return translated(error)
