"""Shows an answer while the model writes it: "typing…", and a draft that grows in the chat."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import structlog
from aiogram.exceptions import AiogramError, TelegramAPIError, TelegramBadRequest, TelegramRetryAfter
from aiogram.types import InlineKeyboardMarkup

from adapters.telegram.markdown import Rendered, render
from adapters.telegram.rate_limit import RateLimit
from adapters.telegram.requests import ApiCalls, make_keyboard
from adapters.telegram.session import UNCHANGED, is_unavailable, says, translate_error
from adapters.telegram.splitting import split
from bot.errors import LeaseLost, NotDelivered
from bot.messages import LOST_DRAFT, Address
from bot.ports.messenger import Mark
from bot.ports.when import Clock

_FRAME_S = 10.0
"""An edit that takes longer is given up; cut off sooner, it could still be carried out after the final text."""
_PAUSE_S = 10.0
"""No frames for so long after one failed."""
_FADED_S = 20.0
"""A preview is shown for half a minute and renewed before."""


class HiddenDraft:
    """Implements :class:`bot.ports.messenger.Draft` where nobody wants to watch: only the whole answer is shown."""

    def __init__(self, message_id: int | None) -> None:
        self.message_id = message_id

    async def update(self, text: str) -> bool:
        return False


class StreamedDraft:
    """Implements :class:`bot.ports.messenger.Draft`.

    Frames are dropped when they come too fast, show nothing new, or Telegram limits us; they never raise.
    """

    def __init__(
        self,
        to: Address,
        target: StreamTarget,
        rate_limit: RateLimit,
        clock: Clock,
        *,
        interval_s: float,
        shown: Callable[[int, Rendered], None],
        make_fallback: Callable[[], StreamTarget] | None = None,
    ) -> None:
        """``shown`` is told what a message shows; ``make_fallback`` gives a target where Telegram refuses this one."""
        self._to = to
        self._target = target
        self._rate_limit = rate_limit
        self._clock = clock
        self._interval_s = interval_s
        self._tell = shown
        self._make_fallback = make_fallback
        self._text = ""
        self._shown: Rendered | None = None
        self._shown_at = self._next_at = clock.monotonic()
        self._ended = False
        self._keyboard: InlineKeyboardMarkup | None = None

    @property
    def message_id(self) -> int | None:
        """The message being edited, ``None`` before the first frame and for previews; see the port."""
        return self._target.message_id

    def offer_stop(self, button: tuple[str, str]) -> None:
        """Show a button under the frames from now on; Telegram's own drafts have none."""
        self._keyboard = make_keyboard((button,))

    async def update(self, text: str) -> bool:
        """Show the text so far, or the end of it when it fills more than one message; see the port."""
        now = self._clock.monotonic()
        faded = self._target.fades and now - self._shown_at >= _FADED_S
        if self._ended or now < self._next_at or not text.strip() or (text == self._text and not faded):
            return False
        frame = render(split(text)[-1])
        if frame == self._shown and not faded:
            self._text = text
            return False
        if not self._rate_limit.take_frame(self._to.chat_id):
            return False
        self._next_at = now + self._interval_s
        try:
            await self._show(frame)
        except TimeoutError:
            self._pause_after_failure("slow")
            return False
        except TelegramAPIError as error:
            if not says(error, UNCHANGED):
                self._handle_refusal(error)
                return False
        self._text, self._shown, self._shown_at = text, frame, self._clock.monotonic()
        if self._target.message_id is not None and self._keyboard is None:  # else the last text takes the button away
            self._tell(self._target.message_id, frame)
        return True

    async def _show(self, frame: Rendered) -> None:
        """Draw a frame; one that makes a message is waited for as long as the connection does: its id is needed."""
        async with asyncio.timeout(_FRAME_S if self._target.settled else None):
            await self._target.show(frame, self._keyboard)

    def _handle_refusal(self, error: TelegramAPIError) -> None:
        if isinstance(error, TelegramRetryAfter):
            self._rate_limit.pause(self._to.chat_id, float(error.retry_after))
        elif self._make_fallback is not None and is_unavailable(error):
            self._target, self._make_fallback = self._make_fallback(), None
            return
        self._ended = isinstance(error, TelegramBadRequest)  # the message is gone
        self._pause_after_failure(type(error).__name__)

    def _pause_after_failure(self, why: str) -> None:
        self._next_at = self._clock.monotonic() + _PAUSE_S
        self._ended = self._ended or not self._target.settled
        structlog.get_logger().info("telegram.frame_dropped", why=why)


_DRAFT_IDS = 2**31


class EditedMessage:
    """Shows frames in one message, sent with the first frame and edited with every other.

    When the fate of the first is unknown the next would stand beside it as a second message.
    """

    fades = False

    def __init__(self, calls: ApiCalls, to: Address, message_id: int | None, begins: Mark | None = None) -> None:
        """``begins`` is awaited before the first byte of the first frame."""
        self._calls = calls
        self._to = to
        self._message_id = message_id
        self._begins = begins

    @property
    def message_id(self) -> int | None:
        """The message, ``None`` before the first frame, :data:`~bot.messages.LOST_DRAFT` if that may be there."""
        return self._message_id

    @property
    def settled(self) -> bool:
        """Edits can be repeated, a first frame cannot."""
        return self._message_id not in {None, LOST_DRAFT}

    async def show(self, frame: Rendered, keyboard: InlineKeyboardMarkup | None = None) -> None:
        if self._message_id is None:
            await self._begin(frame, keyboard)
        else:
            await self._calls.edit(self._to, self._message_id, frame, keyboard)

    async def _begin(self, frame: Rendered, keyboard: InlineKeyboardMarkup | None) -> None:
        async def mark() -> None:
            if self._begins is not None:
                await self._begins()
            self._message_id = LOST_DRAFT

        try:
            self._message_id = await self._calls.post(self._to, frame, keyboard, mark=mark)
        except TelegramAPIError as error:
            if isinstance(translate_error(error), NotDelivered):
                self._message_id = None
            raise


class Preview:
    """Shows frames in Telegram's own preview: gone after half a minute or with the final message.

    It leaves nothing behind, whatever happens; only direct chats have it.
    https://core.telegram.org/bots/api#sendmessagedraft
    """

    message_id: int | None = None
    settled = True
    fades = True

    def __init__(self, calls: ApiCalls, to: Address) -> None:
        self._calls = calls
        self._to = to
        self._draft_id = random.randrange(1, _DRAFT_IDS)

    async def show(self, frame: Rendered, keyboard: InlineKeyboardMarkup | None = None) -> None:
        await self._calls.preview(self._to, self._draft_id, frame)


StreamTarget = EditedMessage | Preview
"""What shows frames; ``settled`` says that another frame after a failed one can do no harm, ``fades`` that frames are
gone after half a minute."""

_REPEAT_S = 4.5
"""Telegram shows it for five seconds: https://core.telegram.org/bots/api#sendchataction."""
_LONGEST_S = 180.0
"""A turn that never answers must not type for ever."""


class TypingIndicator:
    """Shows "typing…" under the bot's name, once per chat or topic.

    It ends when something is sent there, or after three minutes.
    Where many messages go out it is left out, as it counts like one of them.
    """

    def __init__(self, calls: ApiCalls) -> None:
        self._calls = calls
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def begin(self, to: Address) -> None:
        """Show it until ``end``; begun twice it goes on."""
        if to.key in self._tasks:
            return
        task = asyncio.create_task(self._type(to))
        self._tasks[to.key] = task
        task.add_done_callback(lambda ended: self._forget(to.key, ended))

    def end(self, to: Address) -> None:
        task = self._tasks.pop(to.key, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, key: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]

    async def _type(self, to: Address) -> None:
        for _ in range(int(_LONGEST_S / _REPEAT_S)):
            try:
                if self._calls.rate_limit.take_typing():
                    await self._calls.show_typing(to)
            except (AiogramError, LeaseLost):
                return  # blocked, limited, offline: the indicator is not worth a second try
            await asyncio.sleep(_REPEAT_S)
