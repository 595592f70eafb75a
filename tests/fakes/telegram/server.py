"""The Bot API over real HTTP: aiogram talks to it through a custom ``TelegramAPIServer``."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.fakes.telegram.chats import Chats, Shown, chat_json, user_json
from tests.fakes.telegram.control import control_routes
from tests.fakes.telegram.floods import Fault, Faults, Floods, Order
from tests.fakes.telegram.methods import Methods
from tests.fakes.telegram.refusal import Refusal
from tests.fakes.telegram.updates import UpdateQueue
from tests.fakes.telegram.validation import units

_Json = dict[str, Any]  # Any: JSON
TOKEN = "42:TEST-token-of-the-fake"
_BEFORE = {Fault.DROPPED, Fault.HANGS}


class FakeTelegram:
    """One bot's Telegram.  Tests post what people write and read what the chats show.

    async with FakeTelegram() as telegram:
        await telegram.says("hello", user=7)
        await telegram.until(lambda: telegram.texts(7))
    """

    def __init__(self, token: str = TOKEN, *, username: str = "mneme_bot", port: int = 0) -> None:
        self.token = token
        self.me: _Json = {
            "id": int(token.split(":", maxsplit=1)[0]),
            "is_bot": True,
            "first_name": "Mneme",
            "username": username,
        }
        self.updates = UpdateQueue()
        self.chats = Chats(self.me)
        self.floods = Floods()
        self.faults = Faults()
        self.methods = Methods(self.me, self.updates, self.chats, self.floods)
        self.calls: list[tuple[str, _Json]] = []
        self.port = port
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """The server's base address."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=2**20)
        application.add_routes([web.route("*", "/bot{token}/{method}", self._answer), *control_routes(self)])
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.01)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def says(
        self, text: str, *, user: int, chat: int | None = None, topic: int | None = None, **more: Any
    ) -> int:  # Any: JSON
        """Let a person write, and return the update's id; ``more`` are further fields of the message."""
        return await self.push({"message": self.message(text, user=user, chat=chat, topic=topic, **more)})

    async def edits(self, text: str, *, user: int, message_id: int, chat: int | None = None) -> int:
        """Let a person edit a message."""
        message = self.message(text, user=user, chat=chat, message_id=message_id, edit_date=int(time.time()))
        return await self.push({"edited_message": message})

    async def presses(self, data: str, *, user: int, shown: Shown) -> int:
        """Let a person press a button under a message of the bot."""
        query = {
            "id": str(len(self.calls) + 1),
            "from": user_json(user),
            "chat_instance": "1",
            "message": self.chats.as_json(shown),
            "data": data,
        }
        return await self.push({"callback_query": query})

    async def push(self, update: _Json) -> int:
        """Append any update and return its id."""
        return await self.updates.add(update)

    def message(
        self, text: str, *, user: int, chat: int | None = None, topic: int | None = None, **more: Any
    ) -> _Json:  # Any: JSON
        """Return a message as JSON, with the entities that Telegram finds by itself: commands and mentions."""
        place = user if chat is None else chat
        self.chats.meet(place, topic)
        message: _Json = {
            "message_id": self.chats.next_message_id(),
            "date": int(time.time()),
            "chat": chat_json(place),
            "from": user_json(user),
        }
        if text:
            message["text"] = text
            message["entities"] = _found(text)
        if topic is not None:
            message |= {"message_thread_id": topic, "is_topic_message": True}
        return message | more

    def texts(self, chat: int) -> list[str]:
        """Return what a chat shows of the bot, oldest first."""
        return [shown.text for shown in self.chats.of(chat)]

    def fail(self, method: str, fault: Fault, times: int = 1, **more: Any) -> None:  # Any: fields of an Order
        """Let the next calls of a method fail."""
        self.faults.orders.append(Order(method, fault, times, **more))

    async def until(self, condition: Callable[[], object], *, seconds: float = 5.0) -> None:
        """Wait until something holds; raise ``TimeoutError`` if it does not in time."""
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110 - a test may wait for anything, not all of it has an event
                await asyncio.sleep(0.005)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        if request.match_info["token"] != self.token:
            return _json(Refusal(401, "Unauthorized"))
        params = await _params(request)
        self.calls.append((method, params))
        order = self.faults.next(method)
        if order is not None and order.fault in _BEFORE:
            await asyncio.sleep(order.seconds if order.fault is Fault.HANGS else 0)
            return _dropped(request)
        try:
            _refuse(order)
            result = await self.methods.call(method, params)
        except Refusal as refusal:
            return _json(refusal)
        return _spoilt(request, order) or web.json_response({"ok": True, "result": result})


async def _params(request: web.Request) -> _Json:
    """Return the parameters of a form, a query or a JSON body, decoded as the method's JSON types."""
    if request.content_type == "application/json":
        return dict(await request.json())
    fields = dict(request.query) | {key: str(value) for key, value in (await request.post()).items()}
    return {key: value if key in {"text", "description"} else _decoded(value) for key, value in fields.items()}


def _decoded(value: str) -> Any:  # Any: JSON
    try:
        return json.loads(value)
    except ValueError:
        return value


def _refuse(order: Order | None) -> None:
    if order is None:
        return
    if order.fault is Fault.LIMITED:
        raise Refusal(429, f"Too Many Requests: retry after {order.retry_after}", retry_after=order.retry_after)
    if order.fault is Fault.REFUSED:
        raise Refusal(400, order.description)
    if order.fault is Fault.FAILED:
        raise Refusal(500, "Internal Server Error")


def _spoilt(request: web.Request, order: Order | None) -> web.StreamResponse | None:
    if order is None:
        return None
    if order.fault is Fault.DROPPED_AFTER:
        return _dropped(request)
    if order.fault is Fault.GARBAGE:
        return web.Response(text="<html>bad gateway</html>", content_type="text/html")
    return _json(Refusal(500, "Internal Server Error"))


def _dropped(request: web.Request) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


def _json(refusal: Refusal) -> web.Response:
    return web.json_response(refusal.body(), status=refusal.code)


def _found(text: str) -> list[_Json]:
    entities = []
    for kind, pattern in (("bot_command", r"(?<!\S)/\w+(?:@\w+)?"), ("mention", r"(?<![\w/])@\w{4,}")):
        for match in re.finditer(pattern, text):
            offset = units(text[: match.start()])
            entities.append({"type": kind, "offset": offset, "length": units(match[0])})
    return sorted(entities, key=lambda entity: int(entity["offset"]))
