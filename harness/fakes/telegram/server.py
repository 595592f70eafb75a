"""The Bot API over real HTTP: aiogram talks to it through a custom ``TelegramAPIServer``.

A webhook is called with each update until that is answered 2xx, one at a time for a chat.
"""

import asyncio
import re
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from harness.fakes.telegram.chats import Chats, Files, SentFile, Shown, user_json
from harness.fakes.telegram.description import judge
from harness.fakes.telegram.floods import Fault, Faults, Floods, Order, Refusal, Violation, ViolationsSeen
from harness.fakes.telegram.methods import Methods
from harness.fakes.telegram.updates import UpdateQueue
from harness.fakes.telegram.validation import checked_caption, refusal_of, units
from harness.processes import until

_Json = dict[str, Any]  # Any: JSON
TOKEN = "42:TEST-token-of-the-fake"
_BEFORE = {Fault.DROPPED, Fault.HANGS}
_ANONYMOUS: _Json = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
_CHANNEL_BOT: _Json = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}


class FakeTelegram:
    """One bot's Telegram.  Tests post what people write and read what the chats show; see the package.

    Leaving it raises :class:`ViolationsSeen` if the bot broke a rule, unless it is ``forgiving``.
    """

    def __init__(self, token: str = TOKEN, *, forgiving: bool = False) -> None:
        self.token = token
        self.me: _Json = {
            "id": int(token.split(":", maxsplit=1)[0]),
            "is_bot": True,
            "first_name": "Mneme",
            "username": "mneme_bot",
        }
        self.updates = UpdateQueue()
        self.chats = Chats(self.me)
        self.floods = Floods()
        self.faults = Faults()
        self.files = Files(self.faults)
        self.methods = Methods(self.me, self.updates, self.chats, self.floods, self.files)
        self.webhooks = WebhookCalls(self.methods, self.updates)
        self.calls: list[tuple[str, _Json]] = []
        self.violations: list[Violation] = []
        self.port = 0
        self._forgiving = forgiving
        self.judge = judge()
        self._queries = 0
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=2**26)
        application.add_routes(
            [
                web.route("*", "/bot{token}/{method}", self._answer),
                web.get("/file/bot{token}/{path:.+}", self._download),
            ]
        )
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.01)
        await self._runner.setup()
        await self._listen()
        self.webhooks.start()
        self._watching = asyncio.create_task(self.floods.watch_delays())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._watching.cancel()
        await self.webhooks.stop()
        if self._runner is not None:
            await self._runner.cleanup()
        if self.violations and not self._forgiving and error is None:
            raise ViolationsSeen(f"{len(self.violations)} against the Bot API, first {self.violations[:5]}")

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """Refuse connections for a while, and break those that are open."""
        assert self._runner is not None
        for site in list(self._runner.sites):
            await site.stop()
        if (server := self._runner.server) is not None:
            await server.shutdown(0.01)
        try:
            yield
        finally:
            await self._listen()

    async def says(
        self, text: str, *, user: int, chat: int | None = None, topic: int | None = None, **more: Any
    ) -> int:  # Any: JSON
        """Let a person write, and return the update's id; ``more`` are further fields of the message."""
        return await self.push({"message": self.message(text, user=user, chat=chat, topic=topic, **more)})

    async def sends(
        self,
        content: bytes,
        *,
        user: int,
        name: str = "",
        kind: str = "document",
        media_type: str = "",
        size: int | None = None,
        **more: Any,
    ) -> int:  # Any: JSON
        """Let a person send a file, with ``caption=`` if they write something to it."""
        file = self.files.attach(kind, content, name=name, media_type=media_type, size=size)
        return await self.says("", user=user, **(file | more))

    async def edits(self, text: str, *, user: int, message_id: int, chat: int | None = None, ago_s: int = 0) -> int:
        edited = int(time.time()) - ago_s
        message = self.message(text, user=user, chat=chat, message_id=message_id, edit_date=edited)
        return await self.push({"edited_message": message})

    async def says_as_chat(
        self, text: str, *, chat: int, sender_chat: int | None = None, **more: Any
    ) -> int:  # Any: JSON
        """Let somebody write in the name of the group itself (an anonymous admin), or of a channel."""
        if sender_chat is None:
            sender: _Json = {"sender_chat": self.chats.chat_json(chat), "from": _ANONYMOUS}
        else:
            named = {"id": sender_chat, "type": "channel", "title": f"Channel {sender_chat}"}
            sender = {"sender_chat": named, "from": _CHANNEL_BOT}
        return await self.says(text, user=_ANONYMOUS["id"], chat=chat, **(sender | more))

    async def presses(self, data: str, *, user: int, shown: Shown) -> int:
        """Let a person press a button under a message of the bot."""
        self._queries += 1
        query = {
            "id": str(self._queries),
            "from": user_json(user),
            "chat_instance": "1",
            "message": self.chats.as_json(shown),
            "data": data,
        }
        return await self.push({"callback_query": query})

    async def push(self, update: _Json) -> int:
        query = update.get("callback_query")
        if isinstance(query, dict) and "id" in query:
            self.methods.queries.add(str(query["id"]))
        return await self.updates.add(update)

    async def migrates(self, group: int) -> int:
        """Let a basic group become a supergroup; return the new id.  Both chats get their service message."""
        new = -(10**12) + group
        self.chats.basic.add(group)
        old_side = self.message("", user=_ANONYMOUS["id"], chat=group, migrate_to_chat_id=new)
        new_side = self.message("", user=_ANONYMOUS["id"], chat=new, migrate_from_chat_id=group)
        self.chats.migrated[group] = new
        await self.push({"message": old_side})
        await self.push({"message": new_side})
        return new

    def close_topic(self, chat: int, topic: int, *, opened: bool = False) -> None:
        if opened:
            self.chats.closed_topics.discard((chat, topic))
        else:
            self.chats.closed_topics.add((chat, topic))

    def expire_queries(self) -> None:
        """Let every press so far be too old to be answered."""
        self.methods.queries.clear()

    async def blocks(self, user: int) -> int:
        self.chats.blocked.add(user)
        return await self._membership(user, user, "member", "kicked")

    async def unblocks(self, user: int) -> int:
        self.chats.blocked.discard(user)
        return await self._membership(user, user, "kicked", "member")

    async def adds_bot(self, chat: int, *, user: int) -> int:
        self.chats.meet(chat)
        return await self._membership(chat, user, "left", "member")

    async def removes_bot(self, chat: int, *, user: int) -> int:
        self.chats.left.add(chat)
        return await self._membership(chat, user, "member", "kicked")

    async def _membership(self, chat: int, user: int, before: str, after: str) -> int:
        def member(status: str) -> _Json:
            return {"user": self.me, "status": status} | ({"until_date": 0} if status == "kicked" else {})

        changed = {
            "chat": self.chats.chat_json(chat),
            "from": user_json(user),
            "date": int(time.time()),
            "old_chat_member": member(before),
            "new_chat_member": member(after),
        }
        return await self.push({"my_chat_member": changed})

    def message(
        self, text: str, *, user: int, chat: int | None = None, topic: int | None = None, **more: Any
    ) -> _Json:  # Any: JSON
        """Return a message as JSON, with the entities that Telegram finds by itself: commands and mentions."""
        place = user if chat is None else chat
        self.chats.meet(place, topic)
        message: _Json = {
            "message_id": self.chats.next_message_id(),
            "date": int(time.time()),
            "chat": self.chats.chat_json(place),
            "from": user_json(user),
        }
        if text:
            message["text"] = text
            message["entities"] = _found(text)
        if topic is not None:
            message |= {"message_thread_id": topic, "is_topic_message": True}
        message |= more
        self.chats.heard(place, message["message_id"])
        return message

    def texts(self, chat: int) -> list[str]:
        """Return what a chat shows of the bot, oldest first."""
        return [shown.text for shown in self.chats.of(chat)]

    def fail(self, method: str, fault: Fault, times: int = 1, **more: Any) -> None:  # Any: fields of an Order
        self.faults.orders.append(Order(method, fault, times, **more))

    async def until(self, condition: Callable[[], object], *, seconds: float = 120.0) -> None:
        """Wait until something holds; raise ``TimeoutError`` if it does not in time."""
        await until(condition, seconds=seconds)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        if request.match_info["token"] != self.token:
            return _json(Refusal(401, "Unauthorized"))
        order = self.faults.next(method)
        if order is not None and order.fault is Fault.UNREAD:
            self.calls.append((method, {}))
            return await _unread(request, order)
        params, uploads = await self._params(method, request)
        self.calls.append((method, params))
        if order is not None and order.fault in _BEFORE:
            await asyncio.sleep(order.seconds if order.fault is Fault.HANGS else 0)
            return _dropped(request)
        if order is not None and order.fault is Fault.GATEWAY:
            return web.Response(status=502, text="<html>502 Bad Gateway</html>", content_type="text/html")
        try:
            _refuse(order)
            result = await self._called(method, params, uploads)
        except Refusal as refusal:
            return _json(refusal)
        if order is not None and order.fault is Fault.SLOW:
            await asyncio.sleep(order.seconds)
            order = None
        return _spoilt(request, order) or web.json_response({"ok": True, "result": result})

    async def _download(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != self.token:
            return _json(Refusal(401, "Unauthorized"))
        return await self.files.download(request, request.match_info["path"])

    async def _called(self, method: str, params: _Json, uploads: dict[str, SentFile]) -> Any:  # Any: JSON
        """Return the result of a call that keeps the rules."""
        try:
            self._check(method, params)
            return await self.methods.call(method, params, uploads)
        except Refusal as refusal:
            if refusal.violation:
                self.violations.append(Violation(method, refusal.description))
            raise

    def _check(self, method: str, params: _Json) -> None:
        if not self.judge.knows(method):
            raise Refusal(404, "Not Found: method not found", violation=True)
        if "caption" in params:
            checked_caption(params["caption"])
        if problems := self.judge.problems(method, params):
            raise refusal_of(problems, params)

    async def _params(self, method: str, request: web.Request) -> tuple[_Json, dict[str, SentFile]]:
        """Return the parameters of a form, a query or a JSON body, decoded as the method's JSON types, and files."""
        if request.content_type == "application/json":
            return dict(await request.json()), {}
        form, files = dict(request.query), {}
        for key, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                files[key] = SentFile(value.filename, value.file.read())
            else:
                form[key] = str(value)
        return self.judge.decoded(method, form), files

    async def _listen(self) -> None:
        assert self._runner is not None
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]


def _refuse(order: Order | None) -> None:
    if order is None:
        return
    if order.fault is Fault.LIMITED:
        raise Refusal(429, f"Too Many Requests: retry after {order.retry_after}", retry_after=order.retry_after)
    if order.fault is Fault.REFUSED:
        raise Refusal(400, order.description)
    if order.fault is Fault.FAILED:
        raise Refusal(order.code, "Internal Server Error")


def _spoilt(request: web.Request, order: Order | None) -> web.StreamResponse | None:
    if order is None:
        return None
    if order.fault is Fault.DROPPED_AFTER:
        return _dropped(request)
    if order.fault is Fault.GARBAGE:
        return web.Response(text="<html>bad gateway</html>", content_type="text/html")
    return _json(Refusal(order.code, "Internal Server Error"))


async def _unread(request: web.Request, order: Order) -> web.StreamResponse:
    """Answer without taking the body, and close."""
    response = _json(Refusal(order.code, "Service Unavailable"))
    response.force_close()
    await response.prepare(request)
    await response.write_eof()
    if request.transport is not None:
        request.transport.close()
    return response


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


_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_MOST_AT_ONCE = 40
_LOOK_S = 0.01
_AGAIN_S = 0.05
"""The real server waits for seconds, then for minutes."""
_TIMEOUT = ClientTimeout(total=10)
_TAKEN = range(200, 300)


class WebhookCalls:
    """Gives the updates that wait to the webhook that is set, over real HTTP.

    A webhook's address is https and public; ``proxy`` is where the reverse proxy in front of the bot passes calls on
    to, so that they end there.  Without one nobody is reached.
    ``answers`` lists the status of each call, 0 for one without an answer; of the next ``deaf`` answers none arrives.
    Each update is given to ``others`` as well, all at once; the first that takes it answers for all.
    """

    def __init__(self, methods: Methods, updates: UpdateQueue) -> None:
        self.proxy = ""
        self.others: list[str] = []
        self._late: set[asyncio.Task[tuple[int, str]]] = set()
        self.deaf = 0
        self.answers: list[int] = []
        self._methods = methods
        self._updates = updates
        self._calls: dict[str, asyncio.Task[None]] = {}
        self._task: asyncio.Task[None] | None = None

    def put_proxy(self) -> str:
        """Put a proxy in front of a free port of this machine, and return the port's address as host:port."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            listen = f"127.0.0.1:{free.getsockname()[1]}"
        self.proxy = f"http://{listen}"
        return listen

    def start(self) -> None:
        """Begin to call whatever webhook is set."""
        self._task = asyncio.create_task(self._run(), name="webhook calls")

    async def stop(self) -> None:
        tasks = [*self._late, *self._calls.values(), *([self._task] if self._task is not None else [])]
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _run(self) -> None:
        async with ClientSession(timeout=_TIMEOUT) as session:
            while True:
                self._calls = {key: task for key, task in self._calls.items() if not task.done()}
                # A test that sets the address by hand and names no proxy is about something else.
                if self._methods.webhook and self.proxy:
                    for update in self._updates.waiting:
                        key = _queue_of(update)
                        if key not in self._calls and len(self._calls) < self._at_once():
                            self._calls[key] = asyncio.create_task(self._call(session, update))
                await asyncio.sleep(_LOOK_S)

    def _at_once(self) -> int:
        return int(self._methods.webhook.get("max_connections", _MOST_AT_ONCE))

    async def _call(self, session: ClientSession, update: _Json) -> None:
        self._updates.given.append(int(update["update_id"]))
        calls = [asyncio.create_task(self._give(session, proxy, update)) for proxy in (self.proxy, *self.others)]
        for call in calls:
            self._late.add(call)
            call.add_done_callback(self._late.discard)
        status, reason = 0, ""
        for answer in asyncio.as_completed(calls):
            status, reason = await answer
            if status in _TAKEN:
                break
        if status and self.deaf:
            self.deaf -= 1
            status = 0
        self.answers.append(status)
        if status in _TAKEN:
            self._updates.confirm(int(update["update_id"]))
            return
        said = f"Wrong response from the webhook: {status} {reason}" if status else "Connection refused"
        self._methods.webhook_error = {"last_error_date": int(time.time()), "last_error_message": said}
        await asyncio.sleep(_AGAIN_S)

    async def _give(self, session: ClientSession, proxy: str, update: _Json) -> tuple[int, str]:
        """Return the status of a call at one address, and its reason; 0 where nobody answers."""
        webhook = self._methods.webhook
        secret = webhook.get("secret_token", "")
        headers = {_HEADER: secret} if secret else {}
        address = proxy + (urlsplit(webhook["url"]).path or "/")
        try:
            async with session.post(address, json=update, headers=headers, allow_redirects=False) as response:
                return response.status, response.reason or ""
        except (ClientError, OSError, TimeoutError):
            return 0, ""


def _queue_of(update: _Json) -> str:
    """Return whose queue an update stands in: presses of buttons by their person, all else by the chat."""
    for kind, content in update.items():
        if isinstance(content, dict):
            if kind == "callback_query":
                return f"user {content.get('from', {}).get('id')}"
            return f"chat {content.get('chat', {}).get('id') if isinstance(content.get('chat'), dict) else ''}"
    return ""
