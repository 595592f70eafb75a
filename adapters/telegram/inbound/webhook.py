"""The way in by webhook: Telegram calls us, and hears 200 only after the update was accepted.

For bots behind a reverse proxy with a public HTTPS address.  Anybody can find that address, so every call must carry
the secret that only Telegram was told.
"""

from __future__ import annotations

import hmac
import json
import re
from typing import Any

import structlog
from aiogram.exceptions import TelegramAPIError
from aiohttp import web

from adapters.telegram.inbound.fields import number
from adapters.telegram.inbound.intake import Intake
from adapters.telegram.inbound.polling import TelegramReceiver
from adapters.telegram.transport.raw_updates import WANTED
from bot.errors import ConfigInvalid, StorageUnavailable

_SECRET = re.compile(r"[A-Za-z0-9_-]{16,256}")
"""Telegram's alphabet and greatest length; the least length is ours."""
_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_LARGEST = 2**20
_LAST_CALLS_S = 10.0


class WebhookReceiver:
    """Takes a :class:`TelegramReceiver`'s updates over HTTP instead of polling for them."""

    def __init__(
        self,
        receiver: TelegramReceiver,
        *,
        url: str,
        secret: str,
        host: str = "127.0.0.1",
        port: int = 8080,
        path: str = "/telegram",
        connections: int = 1,
    ) -> None:
        """``url`` is the public address that ends at ``path`` here, ``connections`` how many calls may come at once.

        One at a time keeps the order of a chat's messages.  Raises :class:`~bot.errors.ConfigInvalid` for a secret that
        is missing, short or made of other characters than Telegram allows.
        """
        if not _SECRET.fullmatch(secret):
            raise ConfigInvalid(
                "the webhook secret must be 16 to 256 letters, digits, _ or -; without it anybody could pose as anybody"
            )
        self.port = port
        self._receiver = receiver
        self._url = url
        self._secret = secret
        self._host = host
        self._path = path
        self._connections = connections

    async def run(self) -> None:
        """Serve until ``stop`` or cancellation; what is being taken is finished first.

        The webhook stays set: Telegram keeps what comes meanwhile and calls again.
        Raises :class:`~bot.errors.ConfigInvalid` when Telegram refuses the token.
        """
        await self._receiver.start()
        intake = self._receiver.intake()

        async def answer(request: web.Request) -> web.Response:
            return await self._answer(request, intake)

        application = web.Application(client_max_size=_LARGEST)
        application.add_routes([web.post(self._path, answer)])
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=_LAST_CALLS_S)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self.port).start()
            self.port = runner.addresses[0][1]
            await self._register()
            await self._receiver.connection.stopped()
        finally:
            await runner.cleanup()
            await self._receiver.hush()

    def stop(self) -> None:
        """Let ``run`` return."""
        self._receiver.stop()

    async def _register(self) -> None:
        while not self._receiver.connection.stopping:
            try:
                await self._receiver.bot.set_webhook(
                    self._url,
                    secret_token=self._secret,
                    max_connections=self._connections,
                    allowed_updates=list(WANTED),
                    drop_pending_updates=False,
                )
            except TelegramAPIError as error:
                await self._receiver.connection.wait_after(error)
            else:
                structlog.get_logger().info("telegram.webhook_set", port=self.port)
                return

    async def _answer(self, request: web.Request, intake: Intake) -> web.Response:
        """Answer 200 for an update that was taken or set aside, 503 for one to be given again.

        What carries the secret comes from Telegram, which repeats a call until it hears 200 and holds back all that
        follows: a body that cannot be read is counted, and that is all that will ever become of it.
        """
        given = request.headers.get(_HEADER, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, self._secret.encode()):
            return web.Response(status=401)
        try:
            update = _update(await request.read())
        except web.HTTPRequestEntityTooLarge:
            update = None
        if update is None:
            intake.leave({}, "not an update")
            return web.Response()
        try:
            await intake.take(update)
        except StorageUnavailable as error:
            structlog.get_logger().warning("telegram.update_postponed", error=type(error).__name__)
            return web.Response(status=503, headers={"Retry-After": "5"})
        return web.Response()


def _update(body: bytes) -> dict[str, Any] | None:  # Any: an update's JSON
    try:
        update = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return update if isinstance(update, dict) and number(update, "update_id") is not None else None
