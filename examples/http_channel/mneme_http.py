"""Mneme over plain HTTP: messages by POST, answers as server-sent events.

    POST /messages   {"id": "1", "text": "..."}     202 once it is on disk; the same id again is the same message
    GET  /events     text/event-stream              {"id", "text", "buttons"}; events of kind "draft" while one grows

Both with ``Authorization: Bearer TOKEN``.  https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import json
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.errors import ConfigInvalid, NotDelivered
from bot.messages import Address, Author, InboundMessage
from bot.ports.messenger import Mark
from bot.runtime.app import App
from bot.runtime.channel import Abilities, Accept, Channel

_PLATFORM = "http"
_BODY_BYTES = 64 * 1024
_AGAIN_S = 30.0
"""Pause before an answer is offered again that nobody listened for."""


async def open_http(app: App, accept: Accept) -> Channel:
    """Return the channel.  Raises :class:`~bot.errors.ConfigInvalid` without tokens: it is closed by default."""
    people = _read_people(os.environ.get("MNEME_HTTP_TOKENS", ""))
    listen = os.environ.get("MNEME_HTTP_LISTEN", "127.0.0.1:8788")
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal():
        raise ConfigInvalid(f"MNEME_HTTP_LISTEN is {listen!r}: expected host:port, such as 127.0.0.1:8788")
    messenger = HttpMessenger()
    server = HttpServer(app, accept, people, messenger)
    stopped = asyncio.Event()

    async def receive() -> None:
        runner = web.AppRunner(server.build(), access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, int(port)).start()
            await stopped.wait()
        except OSError as error:
            raise ConfigInvalid(f"cannot listen on {listen} ({error.strerror}): set MNEME_HTTP_LISTEN") from error
        finally:
            messenger.hang_up()
            await runner.cleanup()

    return Channel(_PLATFORM, messenger, receive, stopped.set, abilities=Abilities(edits=True))


def _read_people(given: str) -> Mapping[str, str]:
    """Return the names by their tokens."""
    pairs = [pair.partition("=") for pair in given.split(",") if pair.strip()]
    people = {token.strip(): name.strip() for name, _, token in pairs if name.strip() and token.strip()}
    if not people or len(people) != len(pairs):
        raise ConfigInvalid('set MNEME_HTTP_TOKENS to "name=token,name=token": nobody may talk over HTTP without one')
    return people


def _number(text: str) -> int:
    """Return a text as an id of 63 bits, always the same."""
    return int.from_bytes(hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:8]) >> 1


@dataclass(slots=True)
class HttpMessenger:
    """Implements :class:`~bot.ports.messenger.Messenger`: whoever listens to a chat hears what is sent there."""

    _listening: dict[int, set[asyncio.Queue[str | None]]] = field(default_factory=lambda: defaultdict(set))
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def parts(self, text: str) -> tuple[str, ...]:
        """An event may be of any length."""
        return (text,)

    async def can_reach(self, to: Address) -> bool:
        """Whether somebody listens."""
        return bool(self._listening.get(to.chat_id))

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Send an event to everybody who listens; one with the id of an earlier message takes its place."""
        if not await self.can_reach(to):
            raise NotDelivered("nobody listens to this chat", retry_after_s=_AGAIN_S)
        number = draft_id or next(self._ids)
        self._tell(to.chat_id, {"id": number, "text": part, "buttons": [list(each) for each in buttons]})
        return number

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> HttpDraft:
        """Show an answer while it grows; it has no id, as nothing of it stays."""
        return HttpDraft(self, to.chat_id)

    def listen(self, chat: int) -> asyncio.Queue[str | None]:
        """Return what is told to a chat from now on; ``None`` ends it."""
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._listening[chat].add(queue)
        return queue

    def leave(self, chat: int, queue: asyncio.Queue[str | None]) -> None:
        """Hear no more."""
        self._listening[chat].discard(queue)

    def hang_up(self) -> None:
        """End every stream."""
        for queues in self._listening.values():
            for queue in queues:
                queue.put_nowait(None)

    def _tell(self, chat: int, event: dict[str, Any], kind: str = "message") -> None:  # Any: JSON
        text = f"event: {kind}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"
        for queue in self._listening.get(chat, ()):
            queue.put_nowait(text)


@dataclass(frozen=True, slots=True)
class HttpDraft:
    """Implements :class:`~bot.ports.messenger.Draft`."""

    messenger: HttpMessenger
    chat: int
    message_id: None = None

    async def update(self, text: str) -> bool:
        """Show the text so far."""
        self.messenger._tell(self.chat, {"text": text}, "draft")  # noqa: SLF001 - the other half of one thing
        return True


@dataclass(frozen=True, slots=True)
class HttpServer:
    """The two routes; ``people`` are the names by their tokens."""

    app: App
    accept: Accept
    people: Mapping[str, str]
    messenger: HttpMessenger

    def build(self) -> web.Application:
        """Return the application."""
        server = web.Application(client_max_size=_BODY_BYTES)
        server.add_routes([web.post("/messages", self.take), web.get("/events", self.stream)])
        return server

    async def take(self, request: web.Request) -> web.Response:
        """Take a message in."""
        name = self._find_name(request)
        try:
            body = await request.json()
            number, text = str(body["id"]), body["text"]
        except (ValueError, KeyError, TypeError):
            text = None
        if not isinstance(text, str) or not text.strip():
            return web.json_response({"error": 'send {"id": "...", "text": "..."}'}, status=400)
        person, update = _number(name), _number(f"{name}\0{number}")
        await self.accept(
            InboundMessage(
                Address(_PLATFORM, 0, person),
                update_id=update,
                message_id=update >> 32,
                author=Author(person, name),
                text=text,
                sent_at=self.app.clock.now(),
                language=request.headers.get("Accept-Language", "")[:2],
            )
        )
        return web.json_response({}, status=202)

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Stream what is sent to a person's chat until either side ends it."""
        chat = _number(self._find_name(request))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await response.prepare(request)
        queue = self.messenger.listen(chat)
        try:
            while (event := await queue.get()) is not None:
                await response.write(event.encode())
        except ConnectionResetError:
            return response
        finally:
            self.messenger.leave(chat, queue)
        return response

    def _find_name(self, request: web.Request) -> str:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ").encode(errors="surrogateescape")
        found = [name for token, name in self.people.items() if hmac.compare_digest(token.encode(), given)]
        if not found:
            raise web.HTTPUnauthorized(text='{"error": "unknown token"}', content_type="application/json")
        return found[0]
