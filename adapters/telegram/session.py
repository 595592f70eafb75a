"""The HTTP session to the Bot API: every error says whether the request can have arrived, none shows the token.

aiogram's own session folds all network errors into one type, and the URL of a request, which holds the bot token,
can stand in the text of an aiohttp error.  A body knows whether the last of it was handed over: without that no server
can act on it.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import PRODUCTION, TelegramAPIServer
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramEntityTooLarge,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramUnauthorizedError,
)
from aiogram.methods import TelegramMethod
from aiogram.methods.base import TelegramType
from aiogram.types import FSInputFile, InputFile
from aiohttp import ClientError, ClientSession, ClientTimeout, InvalidURL, TCPConnector, TraceConfig
from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import Payload

from bot.errors import DeliveryUnknown, MnemeError, NotDelivered

_TOTAL_S = 30.0
"""A call that takes longer is lost; long polls add their own waiting time."""
_CONNECT_S = 10.0
_KEPT_S = 15.0
"""aiohttp's own time for an idle connection; a longer one meets servers that close it while a request is on its way."""
_SERVER_ERRORS = HTTPStatus.INTERNAL_SERVER_ERROR
_SLOWEST = 50_000
"""Bytes a second on the slowest line that a file is still sent over."""

_BEFORE: ContextVar[Callable[[], Awaitable[None]] | None] = ContextVar("before the request", default=None)


class RequestNotSent(TelegramNetworkError):
    """The request surely did not reach Telegram: it never left this side as a whole."""


class ResponseLost(TelegramNetworkError):
    """The request may have reached Telegram, but no whole answer came back."""


class ApiSession(AiohttpSession):
    """aiogram's session with our time-outs and errors.

    Honours ``HTTPS_PROXY`` and ``NO_PROXY``, which is how Telegram is reached from where it is blocked.
    """

    def __init__(self, api: TelegramAPIServer) -> None:
        super().__init__(api=api, timeout=_TOTAL_S)
        self._ended = False
        self._idle: deque[float] = deque()

    @property
    def connected(self) -> bool:
        """Return whether a connection is open and idle, as far as this side knows."""
        while self._idle and self._idle[0] <= time.monotonic() - _KEPT_S:
            self._idle.popleft()
        return bool(self._idle)

    async def create_session(self) -> ClientSession:
        """Return the client session, opened on first use and never again after ``close``."""
        if self._session is None or self._session.closed:
            context: ssl.SSLContext = self._connector_init["ssl"]
            connector = TCPConnector(limit=100, ssl=context, keepalive_timeout=_KEPT_S)
            self._session = ClientSession(connector=connector, trust_env=True, trace_configs=[_trace_connections()])
        return self._session

    async def close(self) -> None:
        """Close the connections for good; TLS ones get a moment to say goodbye, as aiohttp's documentation asks."""
        self._ended = True
        if self._session is None or self._session.closed:
            return
        await self._session.close()
        if self.api.base.startswith("https:"):
            await asyncio.sleep(0.25)

    async def make_request(
        self,
        bot: Bot,
        method: TelegramMethod[TelegramType],
        timeout: int | None = None,  # noqa: ASYNC109 - aiogram's signature
    ) -> TelegramType:
        """Call one method of the Bot API.

        Raises :class:`RequestNotSent` or :class:`ResponseLost` for the network, aiogram's own errors for refusals.
        """
        if self._ended:
            raise RequestNotSent(method=method, message="the connection to Telegram is closed: we are stopping")
        session = await self.create_session()
        url = self.api.api_url(token=bot.token, method=method.__api_method__)
        try:
            body = await self._encode(bot, method)
        except OSError as error:
            raise RequestNotSent(method=method, message=_describe(error)) from None  # its text holds the path
        total_s = (timeout or self.timeout) + body.length / _SLOWEST
        limits = ClientTimeout(total=total_s, sock_connect=_CONNECT_S)
        if self.connected:
            self._idle.popleft()  # the connector takes the oldest, too
        try:
            async with session.post(url, data=body, timeout=limits) as response:
                answer = (await response.read()).decode("utf-8", "replace")
                status = response.status
        except TimeoutError:
            said = "no answer in time"
        except (ClientError, InvalidURL, OSError) as error:
            said = _describe(error)
        else:
            if body.whole:
                self._idle.append(time.monotonic())
            if body.whole or status < _SERVER_ERRORS:
                return self._read_result(bot, method, status, answer)
            said = f"HTTP {status} before the request was whole"
        # Not "from error": a traceback would print the vendor's text, and with it the URL and the token.
        failure = ResponseLost if body.whole else RequestNotSent
        raise failure(method=method, message=said)

    async def _encode(self, bot: Bot, method: TelegramMethod[TelegramType]) -> Body:
        """Return the body of a request.  Raises ``OSError`` for a file that is not there."""
        files: dict[str, InputFile] = {}
        values = {
            name: self.prepare_value(value, bot, files) for name, value in method.model_dump(warnings=False).items()
        }
        fields = {name: str(value) for name, value in values.items() if value}
        if not files:
            return Body((urlencode(fields).encode(),), "application/x-www-form-urlencoded")
        uploads = {
            name: (file.filename or name, Path(file.path))
            for name, file in files.items()
            if isinstance(file, FSInputFile)
        }
        return await asyncio.to_thread(make_form, fields, uploads)

    def _read_result(self, bot: Bot, method: TelegramMethod[TelegramType], status: int, body: str) -> TelegramType:
        """Return what an answer holds, or raise what it says; aiogram leaves some of the 4xx without a kind."""
        try:
            return cast("TelegramType", self.check_response(bot, method, status, body).result)
        except ClientDecodeError:
            said = f"not an answer of the Bot API, HTTP {status}"  # the error's own text holds the whole body
        except TelegramAPIError as error:
            if type(error) is TelegramAPIError and status == HTTPStatus.TOO_MANY_REQUESTS:
                raise TelegramRetryAfter(method=method, message=error.message, retry_after=1) from None
            if type(error) is TelegramAPIError and HTTPStatus.BAD_REQUEST <= status < _SERVER_ERRORS:
                raise TelegramBadRequest(method=method, message=error.message) from None
            raise
        raise ResponseLost(method=method, message=said)


def open_bot(token: str, api_server: TelegramAPIServer | None = None) -> Bot:
    """Return a client for this token; nothing is sent yet.  Raises ``TokenValidationError`` for a malformed token."""
    return Bot(token, session=ApiSession(api_server or PRODUCTION))


@contextmanager
def run_before_request(work: Callable[[], Awaitable[None]]) -> Iterator[None]:
    """Await ``work`` whenever a call in this context has got its connection, before it writes; an error ends it."""
    token = _BEFORE.set(work)
    try:
        yield
    finally:
        _BEFORE.reset(token)


def _trace_connections() -> TraceConfig:
    """Return what makes the connector tell that a request has got its connection, a new one or one used before."""

    async def connected(_session: ClientSession, _context: Any, _about: Any) -> None:  # Any: not looked at
        if (work := _BEFORE.get()) is not None:
            await work()

    config = TraceConfig()
    config.on_connection_create_end.append(connected)
    config.on_connection_reuseconn.append(connected)
    return config


def _describe(error: Exception) -> str:
    """Return kind and cause; the vendor's own text can hold the URL, and with a proxy its password."""
    cause = getattr(error, "os_error", error)
    detail = cause.strerror if isinstance(cause, OSError) and isinstance(cause.strerror, str) else ""
    return f"{type(error).__name__}: {detail}" if detail else type(error).__name__


_CONNECT_AGAIN_S = 5.0
_NEW_TOKEN_S = 60.0
"""A refused token is put right by the operator; the reply waits for that."""

UNREADABLE = ("can't parse entities", "entity_", "entities", "can't find end")
"""What Telegram says when it cannot make sense of the formatting; the plain text would pass."""
UNCHANGED = ("message is not modified",)
"""An edit changed nothing: the message says this already."""
NO_THREAD = ("message thread not found", "topic_deleted", "topic_id_invalid")
GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")
TOO_LARGE_FILE = ("file is too big",)
_NO_CHAT = ("chat not found",)


def translate_error(error: TelegramAPIError) -> MnemeError:
    """Return :class:`~bot.errors.NotDelivered` or :class:`~bot.errors.DeliveryUnknown`, without message texts.

    Sure are: a request that never left as a whole, and every answer 4xx.  After a whole request time-outs, lost
    connections, answers 5xx (a proxy's 502, 503 and 504 among them) and answers that cannot be read leave it open.
    """
    match error:
        case TelegramRetryAfter():
            return NotDelivered("Telegram limits our rate", retry_after_s=float(error.retry_after))
        case RequestNotSent():
            return NotDelivered(f"no connection to Telegram ({error.message})", retry_after_s=_CONNECT_AGAIN_S)
        case TelegramUnauthorizedError():
            return NotDelivered("Telegram does not accept TELEGRAM_TOKEN", retry_after_s=_NEW_TOKEN_S)
        case TelegramMigrateToChat():
            return NotDelivered(f"the group has moved to id {error.migrate_to_chat_id}: allow that id instead")
        case (
            TelegramBadRequest()
            | TelegramForbiddenError()
            | TelegramNotFound()
            | TelegramConflictError()
            | TelegramEntityTooLarge()
        ):
            return NotDelivered(f"Telegram refuses the message: {error.message}")
        case _:
            return DeliveryUnknown(f"no whole answer from Telegram: {error.message}")


def says(error: TelegramAPIError, texts: tuple[str, ...]) -> bool:
    """Return whether Telegram refuses a request with one of these texts."""
    return isinstance(error, TelegramBadRequest) and any(text in error.message.lower() for text in texts)


def is_unavailable(error: TelegramAPIError) -> bool:
    """Return whether Telegram, or the server in between, does not know or allow this kind of call here."""
    return isinstance(error, (TelegramBadRequest, TelegramNotFound)) and not says(
        error, (*UNREADABLE, *UNCHANGED, *_NO_CHAT)
    )


UPDATE_KINDS = ("message", "edited_message", "callback_query", "my_chat_member")
"""The kinds of updates that Telegram is asked for; all others would be ignored anyway."""


class GetRawUpdates(TelegramMethod[list[Any]]):  # Any: an update's JSON, looked at one by one later
    """https://core.telegram.org/bots/api#getupdates, with each update as the JSON object it came as.

    Not parsed by aiogram: one update that cannot be read must not hide the others of its batch.
    """

    __returning__ = list[Any]  # Any: as above
    __api_method__ = "getUpdates"

    offset: int | None = None
    timeout: int | None = None
    limit: int | None = None
    allowed_updates: list[str] | None = None


def replace_unsendable(text: str) -> str:
    """Return the text with a space for every NUL and U+FFFD for every lone surrogate.

    Both are one UTF-16 unit, like what they replace: entity offsets stay right.
    Neither can be stored or sent on: encoders and databases fail on them.
    """
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", " ").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_PIECE = 16_384
"""Bytes that are handed over at once; the last piece goes when all before it has left us."""
_FILE_PIECE = 262_144
"""The same of a file: a large one would else wait for its line thousands of times."""
_LOOK_S = 0.005
"""Between looks whether a piece has left: only a body longer than a piece on a slow line ever waits."""


class Body(Payload):
    """Bytes and files, one after another; files are read while they are sent."""

    _autoclose = True  # files are opened by the writing alone

    def __init__(self, contents: tuple[bytes | Path, ...], content_type: str) -> None:
        """Raise ``OSError`` for a file that is not there."""
        super().__init__(contents, content_type=content_type)
        self._contents = contents
        self._size = sum(len(each) if isinstance(each, bytes) else each.stat().st_size for each in contents)
        self.whole = False

    @property
    def length(self) -> int:
        return self._size or 0

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Raise: a body with files is no text."""
        raise TypeError("a body is written, not read")

    async def write(self, writer: AbstractStreamWriter) -> None:
        await self.write_with_length(writer, None)

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        """Write all of it, each piece when the one before has left us."""
        begun = False
        async with aclosing(self._read()) as pieces:  # a file that is sent no further is closed at once
            async for piece in pieces:
                while begun and writer.transport is not None and writer.transport.get_write_buffer_size():  # noqa: ASYNC110 - asyncio tells of no such event
                    await asyncio.sleep(_LOOK_S)
                await writer.write(piece)
                begun = True
        self.whole = True

    async def _read(self) -> AsyncGenerator[bytes, None]:
        for content in self._contents:
            if isinstance(content, bytes):
                for start in range(0, len(content), _PIECE):
                    yield content[start : start + _PIECE]
                continue
            with await asyncio.to_thread(content.open, "rb") as file:
                while piece := await asyncio.to_thread(file.read, _FILE_PIECE):
                    yield piece


def make_form(fields: Mapping[str, str], files: Mapping[str, tuple[str, Path]]) -> Body:
    """Return a multipart form (RFC 7578) of text fields and of files, each a name and a path.

    Names stand as UTF-8, as browsers write them (https://html.spec.whatwg.org/#multipart-form-data).
    Raises ``OSError`` for a file that is not there.
    """
    boundary = secrets.token_hex(16)
    contents: list[bytes | Path] = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for field, (name, path) in files.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{_quote(name)}"\r\n'
        contents += [f"{head}Content-Type: application/octet-stream\r\n\r\n".encode(), path, b"\r\n"]
    contents.append(f"--{boundary}--\r\n".encode())
    return Body(tuple(contents), f"multipart/form-data; boundary={boundary}")


def _quote(name: str) -> str:
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
