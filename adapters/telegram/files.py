"""Files of messages, fetched from Telegram: getFile gives a path for an hour, the path gives the bytes.

The address of a file holds the bot's token, so that no error of the client library is shown or kept as a cause.
"""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Final, cast

from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramBadRequest
from aiogram.methods import GetFile
from aiohttp import ClientError, ClientResponse, ClientTimeout, InvalidURL

from adapters.telegram.fields import LARGEST_FILE
from adapters.telegram.session import TOO_LARGE_FILE, ApiSession, says, translate_error
from bot.errors import FileUnavailable, NotDelivered
from bot.files import InboundFile
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
    """Write the body to a file and return its size."""
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
