"""Receives updates by webhook: Telegram calls us, and hears 200 only after the update was accepted.

For bots behind a reverse proxy with a public HTTPS address.  Anybody can find that address, so every call must carry
the secret that only Telegram was told.  https://core.telegram.org/bots/api#setwebhook

Any of several workers takes calls; the one that leads sees to the webhook.  So their secret is one that each of them
can make of the token.
"""

import hmac
import json
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import structlog
from aiogram.exceptions import TelegramAPIError
from aiohttp import web

from adapters.telegram.account import describe_webhook
from adapters.telegram.fields import get_int
from adapters.telegram.intake import Intake
from adapters.telegram.polling import TelegramReceiver, describe_trouble
from adapters.telegram.session import UPDATE_KINDS
from bot.errors import ConfigInvalid, StorageUnavailable

_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_SECRET_BYTES = 32
_CONNECTIONS = 40
"""Calls that Telegram may make at once, its own default; it makes one at a time for each chat, which keeps the order of
a chat's messages."""
_BODY_BYTES = 2**20
"""Telegram's updates are some KiB: a message of 4096 characters, quoted in another, with entities."""
_LAST_CALLS_S = 10.0
_RETRY_AFTER_S = 5
_LOOK_S = 60.0
_LEADER_S = 1.0
"""Between looks of a worker whether it is the one that sees to the webhook by now."""


class WebhookReceiver:
    """Takes a :class:`TelegramReceiver`'s updates over HTTP instead of polling for them."""

    def __init__(
        self,
        receiver: TelegramReceiver,
        *,
        url: str,
        listen: str,
        leads: Callable[[], bool] | None = None,
        look_s: float = _LOOK_S,
    ) -> None:
        """Take the receiver whose intake gets the updates; nothing is opened or sent before ``run``.

        ``url`` is the public address, ``listen`` the host and port where the reverse proxy finds us, ``look_s`` how
        often Telegram is asked whether the webhook is still set and can be reached.  ``leads`` tells one of several
        workers whether it is the one to ask; on one machine they may listen on the same port.
        """
        self._receiver = receiver
        self._url = url
        self._listen = listen
        self._look_s = look_s
        self._leads = leads
        self._secret = secrets.token_urlsafe(_SECRET_BYTES) if leads is None else make_secret(receiver.bot.token, url)

    async def run(self) -> None:
        """Serve until ``stop`` or cancellation; calls that are being answered are finished first.

        The webhook stays set: Telegram keeps what comes meanwhile and calls again.
        Raises :class:`~bot.errors.ConfigInvalid` when Telegram refuses the token, or where we cannot listen.
        """
        try:
            await self._receiver.start()
            await self._serve(self._receiver.make_intake())
        finally:
            await self._receiver.drop_service_replies()

    def stop(self) -> None:
        self._receiver.stop()

    async def close(self) -> None:
        await self._receiver.close()

    async def _serve(self, intake: Intake) -> None:
        async def answer(request: web.Request) -> web.Response:
            return await self._answer(request, intake)

        application = web.Application(client_max_size=_BODY_BYTES)
        application.add_routes(
            [web.get("/readyz", _answer_ready), web.post("/{path:.*}", answer)]  # a proxy may keep or cut the path
        )
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=_LAST_CALLS_S)
        await runner.setup()
        try:
            await self._open(runner)
            registered = False
            while not self._receiver.stopping:
                if registered:
                    await self._look()
                elif self._leads is None or self._leads():
                    await self._receiver.repeat(self._register)
                    registered = True
                await self._receiver.pause(self._look_s if registered else _LEADER_S)
        finally:
            await runner.cleanup()

    async def _open(self, runner: web.AppRunner) -> None:
        host, _, port = self._listen.rpartition(":")
        try:
            site = web.TCPSite(runner, host.strip("[]"), int(port), reuse_port=self._leads is not None or None)
            await site.start()
        except OSError as error:
            # asyncio puts the address into the text of a system's error; one of the resolver has a number below zero.
            reason = os.strerror(error.errno) if error.errno is not None and error.errno > 0 else error.strerror
            raise ConfigInvalid(
                f"telegram.webhookListen: cannot listen on {self._listen} ({reason}); name a free port of this machine"
            ) from error

    async def _register(self) -> None:
        await self._receiver.bot.set_webhook(
            self._url,
            secret_token=self._secret,
            max_connections=_CONNECTIONS,
            allowed_updates=list(UPDATE_KINDS),
            drop_pending_updates=False,
        )
        structlog.get_logger().info("telegram.webhook_set", listen=self._listen)

    async def _look(self) -> None:
        """Ask Telegram whether calls reach us; set the webhook again where somebody removed it to poll."""
        try:
            info = await self._receiver.bot.get_webhook_info()
            if not info.url:
                await self._register()
        except TelegramAPIError as error:
            await self._receiver.wait_after(error)
            return
        trouble = describe_webhook(info, self._url) if info.url else ""
        if trouble:
            self._receiver.note_trouble(trouble)
        else:
            self._receiver.note_success()

    async def _answer(self, request: web.Request, intake: Intake) -> web.Response:
        """Answer 200 for an update that was taken or set aside, 503 for one to be given again.

        What carries the secret comes from Telegram, which repeats a call until it hears 200 and holds back all that
        follows in its chat: a body that cannot be read is counted, and that is all that will ever become of it.
        """
        given = request.headers.get(_HEADER, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, self._secret.encode()):
            return web.Response(status=401)
        try:
            update = _read_update(await request.read())
        except web.HTTPRequestEntityTooLarge:
            update = None
        if update is None:
            intake.set_aside_update({}, "not an update")
            return web.Response()
        try:
            await intake.take(update)
        except StorageUnavailable as error:
            self._receiver.note_trouble(describe_trouble(error))
            return web.Response(status=503, headers={"Retry-After": str(_RETRY_AFTER_S)})
        self._receiver.note_success()
        return web.Response()


def make_secret(token: str, url: str) -> str:
    """Return a secret that tells nothing of the token, the same for all who have it."""
    return urlsafe_b64encode(hmac.digest(token.encode(), f"webhook {url}".encode(), "sha256")).decode().rstrip("=")


async def _answer_ready(_request: web.Request) -> web.Response:
    """Tell a proxy that calls are taken here."""
    return web.Response(text="ready\n")


def _read_update(body: bytes) -> dict[str, Any] | None:  # Any: an update's JSON
    """Return an update as JSON, ``None`` for what is none or has no id."""
    try:
        update = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return update if isinstance(update, dict) and get_int(update, "update_id") is not None else None
