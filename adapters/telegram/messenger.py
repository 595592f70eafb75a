"""Sends to Telegram: text plus entities, within the limits, with an exact report of the outcome.

Files of messages, fetched from Telegram: getFile gives a path for an hour, the path gives the bytes.

The address of a file holds the bot's token, so that no error of the client library is shown or kept as a cause.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Final, cast

import structlog
from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramBadRequest, TelegramMigrateToChat, TelegramRetryAfter
from aiogram.methods import GetFile
from aiogram.types import InlineKeyboardMarkup
from aiohttp import ClientError, ClientResponse, ClientTimeout, InvalidURL
from cachetools import LRUCache

from adapters.telegram.draft import EditedMessage, HiddenDraft, Preview, StreamedDraft, StreamTarget, TypingIndicator
from adapters.telegram.fields import LARGEST_FILE
from adapters.telegram.markdown import Rendered, count_units, render
from adapters.telegram.rate_limit import ConcurrencyLimit, RateLimit
from adapters.telegram.requests import ApiCalls, make_keyboard
from adapters.telegram.session import (
    GONE,
    NO_THREAD,
    TOO_LARGE_FILE,
    UNCHANGED,
    UNREADABLE,
    ApiSession,
    says,
    translate_error,
)
from adapters.telegram.splitting import split
from bot.errors import DraftGone, FileUnavailable, MnemeError, NotDelivered, StorageUnavailable
from bot.files import InboundFile, OutboundFile
from bot.messages import Address
from bot.ports.chats import Chats
from bot.ports.messenger import Draft, Mark
from bot.ports.when import Clock
from bot.retry import Backoff

_TOTAL_S: Final = 120.0
_STALLED_S: Final = 20.0
"""Without a byte for so long a download is given up."""
_PIECE: Final = 1 << 18
_ATTEMPTS: Final = 3
_BACKOFF: Final = Backoff(0.5, 5.0)


class TelegramFiles:
    """The port :class:`~bot.ports.messenger.FileSource`; what may pass is tried three times."""

    def __init__(self, bot: Bot, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._bot = bot
        self._sleep = sleep

    async def fetch(self, file: InboundFile, into: Path, *, limit: int) -> int:
        """Write the file to ``into`` and return its size; more than ``limit`` bytes, or than bots may have, are none.

        Raises :class:`~bot.errors.FileUnavailable`; then nothing is left at ``into``.
        """
        most = min(limit, LARGEST_FILE)
        if file.size is not None and file.size > most:
            raise make_too_large(most)
        attempt = 0
        while True:
            try:
                return await self._fetch(file.id, into, most)
            except BaseException as error:
                into.unlink(missing_ok=True)  # noqa: ASYNC240 - cancelled, nobody waits for a thread any more
                attempt += 1
                if not isinstance(error, FileUnavailable) or not error.temporary or attempt == _ATTEMPTS:
                    raise
            await self._sleep(_BACKOFF.pause_s(attempt - 1))

    async def _fetch(self, file_id: str, into: Path, most: int) -> int:
        path = await self._find_path(file_id, most)
        session = await cast("ApiSession", self._bot.session).create_session()
        limits = ClientTimeout(total=_TOTAL_S, sock_read=_STALLED_S)
        said = ""
        try:
            async with session.get(
                self._bot.session.api.file_url(self._bot.token, path), timeout=limits, allow_redirects=False
            ) as response:
                return await _receive(response, into, most)
        except (ClientError, InvalidURL, TimeoutError) as error:
            said = type(error).__name__  # its own text can hold the address
        except OSError as error:
            raise FileUnavailable(f"the file cannot be written: {error.strerror}", why="disk") from None
        raise FileUnavailable(f"the file was not received ({said})", why="unreachable", temporary=True)

    async def _find_path(self, file_id: str, most: int) -> str:
        try:
            found = await self._bot(GetFile(file_id=file_id))
        except TelegramAPIError as error:
            raise _translate(error, most) from None
        if found.file_size is not None and found.file_size > most:
            raise make_too_large(most)
        if not found.file_path or ".." in found.file_path or found.file_path.startswith("/"):
            raise FileUnavailable("Telegram gives no path for the file", why="unreachable")
        return found.file_path


async def _receive(response: ClientResponse, into: Path, most: int) -> int:
    if response.status == HTTPStatus.NOT_FOUND:
        raise FileUnavailable("the file's path is not valid any more", why="gone", temporary=True)  # the next one may
    if response.status != HTTPStatus.OK:
        raise FileUnavailable(
            f"Telegram answers HTTP {response.status} for the file", why="unreachable", temporary=True
        )
    size = 0
    target = await asyncio.to_thread(into.open, "wb")
    try:
        async for piece in response.content.iter_chunked(_PIECE):
            size += len(piece)
            if size > most:
                raise make_too_large(most)
            await asyncio.to_thread(target.write, piece)
    finally:
        await asyncio.to_thread(target.close)
    return size


def make_too_large(most: int) -> FileUnavailable:
    """Return the error for a file of more than ``most`` bytes."""
    return FileUnavailable(f"the file has more than {most // 1_000_000} MB", why="too_large")


def _translate(error: TelegramAPIError, most: int) -> FileUnavailable:
    if says(error, TOO_LARGE_FILE):
        return make_too_large(most)
    if isinstance(error, TelegramBadRequest):
        return FileUnavailable("Telegram does not have the file any more", why="gone")
    translated = translate_error(error)
    passing = not isinstance(translated, NotDelivered) or translated.retry_after_s is not None
    return FileUnavailable(f"the file cannot be asked for: {translated}", why="unreachable", temporary=passing)


_GROUP_INTERVAL_S = 4.0
"""Twenty messages a minute are all that a group gets."""
_FRAMES = 1_000
"""Newest frames that are known: an answer whose last frame was whole needs no other."""

_LARGEST_FILE = 50_000_000
_NOTED = "\N{WRITING HAND}"
"""Of https://core.telegram.org/bots/api#reactiontypeemoji: what a bot may set without asking."""
_CAPTION_UNITS = 1024
"""Of a file's caption, markup not counted: https://core.telegram.org/bots/api#senddocument."""
_CAPTION_SOURCE = 4 * _CAPTION_UNITS
"""Longest Markdown that is converted to see whether it is short enough."""

Buttons = tuple[tuple[str, str], ...]


class TelegramMessenger:
    """Implements :class:`bot.ports.messenger.Messenger`."""

    def __init__(
        self,
        bot: Bot,
        *,
        clock: Clock,
        chats: Chats,
        rate_limit: RateLimit,
        edit_interval_s: Callable[[], float] = lambda: 1.2,
        previews: bool = True,
        streaming: Callable[[], bool] = lambda: True,
        drafts: Callable[[], bool] = lambda: True,
        reactions: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take the bot's client.

        ``edit_interval_s`` is the shortest time between two frames of a stream, asked for every answer.  With
        ``previews`` direct chats show Telegram's own drafts (Bot API 9.3) instead of a message that is edited, until
        they are refused for the first time.  ``rate_limit`` is shared by all that sends for this bot.
        ``streaming`` is asked for every answer: without it nothing is shown but "typing…" until the answer is whole.
        ``drafts`` is asked for every answer, too: without it a message is edited though previews are possible.
        ``reactions`` says whether what is only noted is acknowledged by one.
        ``chats`` knows where a group is that got another id, and is told when Telegram says so.
        """
        self._chats = chats
        self._previews = previews
        self._drafts = drafts
        self._reactions = reactions
        self._streaming = streaming
        self._clock = clock
        self._edit_interval_s = edit_interval_s
        self._rate_limit = rate_limit
        self._calls = ApiCalls(bot, self._rate_limit)
        self._concurrency = ConcurrencyLimit()
        self._typing = TypingIndicator(self._calls)
        self._frames: LRUCache[tuple[int, int], Rendered] = LRUCache(_FRAMES)

    def parts(self, text: str) -> tuple[str, ...]:
        """Split Markdown into parts of at most 4096 UTF-16 units once shown; each is Markdown that stands alone."""
        return split(text)

    async def send(self, to: Address, part: str, *, draft_id: int | None = None, buttons: Buttons = ()) -> int:
        return await self.send_marked(to, part, None, draft_id=draft_id, buttons=buttons)

    async def send_marked(
        self, to: Address, part: str, mark: Mark | None, *, draft_id: int | None = None, buttons: Buttons = ()
    ) -> int:
        to, shown, keys = self._begin(to, draft_id), render(part), make_keyboard(buttons)
        if draft_id is None:
            with self._concurrency.hold():
                return await self._post(to, shown, keys, mark)
        await self._edit(to, draft_id, shown, keys, mark)
        return draft_id

    def is_shown(self, to: Address, draft_id: int, part: str, buttons: Buttons = ()) -> bool:
        frame = self._frames.get((to.chat_id, draft_id))
        return frame is not None and not buttons and frame == render(part)

    @property
    def largest_file(self) -> int:
        """50 MB, counted in the smaller megabytes: https://core.telegram.org/bots/api#senddocument."""
        return _LARGEST_FILE

    def is_caption(self, part: str) -> bool:
        """Return whether a part fits below a file: 1024 UTF-16 units once it is shown."""
        return len(part) <= _CAPTION_SOURCE and count_units(render(part).text) <= _CAPTION_UNITS

    async def send_file(
        self, to: Address, file: OutboundFile, caption: str, mark: Mark, *, buttons: Buttons = ()
    ) -> int:
        if not os.access(file.path, os.R_OK):
            raise NotDelivered("the file is not there any more, or cannot be read")
        to, shown = self._begin(to, None), render(caption) if caption.strip() else Rendered("")
        with self._concurrency.hold():
            return await self._post(to, shown, make_keyboard(buttons), mark, file)

    async def can_reach(self, to: Address) -> bool:
        """Ask by showing "typing…", which goes away; a chat that refuses us for good is reached, too."""
        try:
            await self._calls.show_typing(self._chats.current(to))
        except TelegramAPIError as error:
            fate = self._explain_failure(to, error)
            return isinstance(fate, NotDelivered) and fate.retry_after_s is None
        return True

    async def reserve(self, to: Address) -> None:
        await self._rate_limit.reserve(to.chat_id)
        await self._concurrency.wait_for_room()

    def reserve_now(self, to: Address) -> bool:
        """Take a place if nobody has to wait for it, nor for a connection."""
        return self._calls.connected and not self._concurrency.full and self._rate_limit.take(to.chat_id)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> Draft:
        """Show "typing…" and return a draft: Telegram's own, or one that becomes a message with its first frame."""
        now = self._chats.current(to)
        self._typing.begin(now)
        if not self._streaming() or now != to:  # a draft in the one chat could not be finished from the other
            return HiddenDraft(message_id)
        own_s = self._edit_interval_s()
        interval_s = own_s if to.chat_id > 0 else max(_GROUP_INTERVAL_S, own_s)
        preview = self._previews and self._drafts() and to.chat_id > 0 and message_id is None

        def make_fallback() -> StreamTarget:
            structlog.get_logger().info("telegram.no_previews")
            self._previews = False
            return EditedMessage(self._calls, to, None, begins)

        def shown(frame_id: int, frame: Rendered) -> None:
            self._frames[to.chat_id, frame_id] = frame

        return StreamedDraft(
            to,
            Preview(self._calls, to) if preview else EditedMessage(self._calls, to, message_id, begins),
            self._rate_limit,
            self._clock,
            interval_s=interval_s,
            shown=shown,
            make_fallback=make_fallback if preview else None,
        )

    @property
    def acknowledges(self) -> bool:
        """Return whether ``telegram.reactions`` asks for reactions."""
        return self._reactions()

    async def acknowledge(self, to: Address, message_id: int) -> bool:
        """React to a message; a chat that forbids reactions, or has lost the message, shows none."""
        self._typing.end(to)
        to = self._chats.current(to)
        try:
            await self._calls.react(to, message_id, _NOTED)
        except TelegramAPIError as error:
            structlog.get_logger().info("telegram.reaction_not_shown", error=type(error).__name__)
            return False
        return True

    async def remove_buttons(self, to: Address, message_id: int) -> None:
        """Take the buttons under a message away, in its turn like any message; what is refused stays as it is."""
        await self._rate_limit.reserve(to.chat_id)
        try:
            await self._calls.remove_keyboard(to, message_id)
        except TelegramAPIError as error:
            if isinstance(error, TelegramRetryAfter):
                self._rate_limit.pause(to.chat_id, float(error.retry_after))
            if not says(error, UNCHANGED):
                structlog.get_logger().info("telegram.buttons_not_removed", error=type(error).__name__)

    async def close(self) -> None:
        """Stop the typing indicators; the client belongs to the receiver."""
        await self._typing.close()

    def _begin(self, to: Address, draft_id: int | None) -> Address:
        """End "typing…" and return where a place is now; a draft that stayed behind in the old chat is lost."""
        self._typing.end(to)
        if self._chats.is_gone(to):
            raise NotDelivered("the bot was removed from this chat, or blocked")
        now = self._chats.current(to)
        if now != to and draft_id is not None:
            raise DraftGone("the group got another id; the draft is in the old chat")
        self._typing.end(now)
        return now

    async def _note_move(self, to: Address, error: TelegramMigrateToChat) -> Address:
        try:
            await self._chats.record_move(to.bot_id, to.chat_id, error.migrate_to_chat_id)
        except StorageUnavailable as failure:
            structlog.get_logger().error("telegram.migration_not_stored", cause=str(failure))
        return replace(to, chat_id=error.migrate_to_chat_id, reply_to=None)

    async def _post(
        self,
        to: Address,
        shown: Rendered,
        keys: InlineKeyboardMarkup | None,
        mark: Mark | None,
        file: OutboundFile | None = None,
    ) -> int:
        """Post at once; what Telegram cannot parse is surely not there, and goes again without its formatting."""
        try:
            if file is not None:
                return await self._calls.post_file(to, file, shown, keys, mark=mark)
            return await self._calls.post(to, shown, keys, mark=mark)
        except TelegramMigrateToChat as error:
            to = await self._note_move(to, error)
        except TelegramAPIError as error:
            if to.topic_id is not None and to.chat_id > 0 and says(error, NO_THREAD):
                to = replace(to, topic_id=None)  # a person who deleted their topic reads the answer beside it
            elif says(error, UNREADABLE) and shown.entities:
                shown = Rendered(shown.text)
            else:
                raise self._explain_failure(to, error) from error
        self._rate_limit.count(to.chat_id)
        return await self._post(to, shown, keys, mark, file)

    async def _edit(
        self, to: Address, message_id: int, shown: Rendered, keys: InlineKeyboardMarkup | None, mark: Mark | None
    ) -> None:
        """Edit; the caller repeats it until it is certain."""
        self._frames.pop((to.chat_id, message_id), None)
        try:
            return await self._calls.edit(to, message_id, shown, keys, mark=mark)
        except TelegramMigrateToChat as error:
            await self._note_move(to, error)
            raise DraftGone("the group got another id; the draft is in the old chat") from error
        except TelegramAPIError as error:
            if says(error, UNCHANGED):
                return None
            if says(error, GONE):
                raise DraftGone("the draft was deleted") from error
            if not (says(error, UNREADABLE) and shown.entities):
                raise self._explain_failure(to, error) from error
        self._rate_limit.count(to.chat_id)
        return await self._edit(to, message_id, Rendered(shown.text), keys, mark)

    def _explain_failure(self, to: Address, error: TelegramAPIError) -> MnemeError:
        """Return what an error means for the message, and keep the pause that Telegram asks for."""
        if isinstance(error, TelegramRetryAfter):
            self._rate_limit.pause(to.chat_id, float(error.retry_after))
        return translate_error(error)
