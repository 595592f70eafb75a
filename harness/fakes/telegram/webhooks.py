"""Calls of a webhook: each update is given until it is answered 2xx, one at a time for a chat."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout

from harness.fakes.telegram.methods import Methods
from harness.fakes.telegram.updates import UpdateQueue

_Json = dict[str, Any]  # Any: JSON
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
    """

    def __init__(self, methods: Methods, updates: UpdateQueue) -> None:
        self.proxy = ""
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
        """End all calls."""
        tasks = [*self._calls.values(), *([self._task] if self._task is not None else [])]
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
        webhook = self._methods.webhook
        secret = webhook.get("secret_token", "")
        address = self.proxy + (urlsplit(webhook["url"]).path or "/")
        self._updates.given.append(int(update["update_id"]))
        try:
            async with session.post(
                address, json=update, headers={_HEADER: secret} if secret else {}, allow_redirects=False
            ) as response:
                status, reason = response.status, response.reason
        except (ClientError, OSError, TimeoutError):
            status, reason = 0, ""
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


def _queue_of(update: _Json) -> str:
    """Return whose queue an update stands in: presses of buttons by their person, all else by the chat."""
    for kind, content in update.items():
        if isinstance(content, dict):
            if kind == "callback_query":
                return f"user {content.get('from', {}).get('id')}"
            return f"chat {content.get('chat', {}).get('id') if isinstance(content.get('chat'), dict) else ''}"
    return ""
