"""Receives updates by polling: an update is confirmed to Telegram only after it was accepted.

aiogram's own polling confirms a batch before its handlers are done and loses what a kill interrupts, so the loop is
ours: ``getUpdates`` with an offset that moves past an update once ``accept`` returned for it.

Receives updates by webhook: Telegram calls us, and hears 200 only after the update was accepted.

For bots behind a reverse proxy with a public HTTPS address.  Anybody can find that address, so every call must carry
the secret that only Telegram was told.  https://core.telegram.org/bots/api#setwebhook

Any of several workers takes calls; the one that leads sees to the webhook.  So their secret is one that each of them
can make of the token.
"""

import asyncio
import hmac
import json
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import structlog
from aiogram import Bot
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import (
    TelegramAPIError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramRetryAfter,
    TelegramUnauthorizedError,
)
from aiogram.methods import SetWebhook
from aiohttp import web

from adapters.telegram.access import AccessControl, AllowLists, Pairing
from adapters.telegram.account import (
    Profile,
    ProfilePublisher,
    describe_webhook,
    fetch_account,
    make_bot,
    make_token_error,
)
from adapters.telegram.fields import get_int
from adapters.telegram.intake import ChatEvents, Intake, ServiceReplies
from adapters.telegram.rate_limit import RateLimit
from adapters.telegram.requests import ApiCalls
from adapters.telegram.session import UPDATE_KINDS, GetRawUpdates, ResponseLost
from adapters.telegram.updates import BotIdentity
from bot.errors import ConfigInvalid, StorageUnavailable
from bot.messages import InboundMessage
from bot.ports.chats import Access, Chats
from bot.ports.when import Clock
from bot.retry import Backoff, Pauses
from language.registry import choose_texts
from language.texts import ServiceTexts

_LONG_S = 0.5
"""A poll that took so long has waited for news; one that is shorter and brings none would be a loop without a pause."""
_RECONNECTING = Backoff(1.0, 30.0, jitter=0.25)
_EMPTY_POLLS = Backoff(0.05, 1.0, jitter=0.25)
_NOT_STARTED = "not started"


class Connection:
    """One bot's account and the state of its connection, until ``stop``.

    ``username`` is the bot's name without the @, "" before ``start``; ``trouble`` is a sentence for the operator
    while something is wrong, "" while all is well.
    """

    def __init__(self, bot: Bot, profile: ProfilePublisher, pauses: Pauses) -> None:
        self.bot = bot
        self.username = ""
        self.trouble = _NOT_STARTED
        self._profile = profile
        self._publishing: asyncio.Task[None] | None = None
        self._pauses = pauses
        self._stopping = asyncio.Event()

    @property
    def bot_id(self) -> int:
        """The bot's numeric id, which stands in its token."""
        return self.bot.id

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    async def start(self) -> None:
        """Learn who we are and show the menu; waits for the network as long as it takes.

        Raises :class:`~bot.errors.ConfigInvalid` when Telegram refuses the token.
        """
        if not self.username:
            await self.repeat(self._introduce)

    async def repeat(self, call: Callable[[], Awaitable[object]]) -> None:
        """Make a call to Telegram until it goes through, until ``stop`` at most.

        Raises :class:`~bot.errors.ConfigInvalid` if waiting cannot help.
        """
        while not self.stopping:
            try:
                await call()
            except TelegramAPIError as error:
                await self.wait_after(error)
            else:
                self.note_success()
                return

    async def _introduce(self) -> None:
        me = await fetch_account(self.bot)
        self.username = me.username or str(me.id)
        self._publishing = asyncio.create_task(self._profile.publish(self.bot), name="telegram profile")
        structlog.get_logger().info("telegram.started", bot_id=me.id, username=self.username)

    async def end_publishing(self) -> None:
        """Stop showing our profile; what is missing is shown after the next start."""
        if self._publishing is None:
            return
        self._publishing.cancel()
        (outcome,) = await asyncio.gather(self._publishing, return_exceptions=True)
        if isinstance(outcome, Exception):
            structlog.get_logger().error("telegram.profile_failed", cause=type(outcome).__name__)

    def stop(self) -> None:
        """End every wait: an update that is being taken is finished, a waiting poll is dropped."""
        self._stopping.set()

    async def close(self) -> None:
        """Close the connections to Telegram; call it once nothing is sent any more."""
        await self.bot.session.close()

    async def wait_after(self, error: Exception) -> None:
        """Say once what is wrong, then pause, longer each time, until ``stop`` at most.

        Raises :class:`~bot.errors.ConfigInvalid` if waiting cannot help.
        """
        if isinstance(error, TelegramUnauthorizedError):
            raise make_token_error() from error
        pause = self._pauses.next_s()
        if isinstance(error, TelegramRetryAfter):
            pause = max(pause, float(error.retry_after))
        self.note_trouble(describe_trouble(error))
        await self.pause(pause)

    async def pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return

    def note_trouble(self, trouble: str) -> None:
        """Keep what is wrong for the operator, and log it once."""
        if trouble != self.trouble:
            structlog.get_logger().warning("telegram.trouble", trouble=trouble)
        self.trouble = trouble

    def note_success(self) -> None:
        """Forget the trouble: a call went through."""
        if self.trouble not in {"", _NOT_STARTED}:
            structlog.get_logger().info("telegram.well_again")
        self.trouble = ""
        self._pauses.reset()


def describe_trouble(error: Exception) -> str:
    """Return a sentence for the operator, without message texts."""
    match error:
        case TelegramBadRequest() if isinstance(error.method, SetWebhook):
            return f"Telegram does not take telegram.webhookUrl: {error.message}"
        case TelegramConflictError() if "webhook" in error.message:
            return "a webhook was set for this token while we poll (HTTP 409): remove it or restart"
        case TelegramConflictError():
            return (
                "another instance polls with this token (HTTP 409): stop it, or give this one its own bot; "
                "until then messages reach either of them"
            )
        case TelegramRetryAfter():
            return "Telegram asks for a pause"
        case TelegramAPIError():
            return error.message
        case _:
            return f"messages cannot be stored, Telegram keeps them: {error}"


class TelegramReceiver(Connection):
    """Polls one bot's updates until stopped or cancelled."""

    def __init__(
        self,
        token: str,
        *,
        accept: Callable[[InboundMessage], Awaitable[None]],
        access: Access,
        lists: AllowLists,
        clock: Clock,
        chats: Chats,
        rate_limit: RateLimit,
        pairing: Callable[[], bool] = lambda: True,
        answer_strangers: Callable[[], bool] = lambda: True,
        profile: ProfilePublisher | None = None,
        texts: Callable[[str], ServiceTexts] = lambda language: choose_texts(language).service,
        api_server: TelegramAPIServer | None = None,
        poll_s: int = 30,
        backoff: Backoff = _RECONNECTING,
    ) -> None:
        """Take the parts; nothing is sent before ``start`` or ``run``.

        ``lists`` say who is let in, ``pairing`` whether codes are redeemed, ``answer_strangers`` whether people we do
        not know are told that they are not let in.  ``rate_limit`` is the messenger's:
        the limits are one bot's.  ``profile`` is shown of the bot, ``texts`` gives the service texts for an IETF
        language tag, ``poll_s`` is the length of a long poll.
        Raises :class:`~bot.errors.ConfigInvalid` for a malformed token.
        """
        super().__init__(make_bot(token, api_server), profile or ProfilePublisher(Profile), Pauses(backoff))
        self._accept = accept
        self._clock = clock
        self._access_control = AccessControl(lists, access, Pairing(access, clock, open_=pairing))
        self._service_replies = ServiceReplies(
            ApiCalls(self.bot, rate_limit), clock, texts, to_strangers=answer_strangers
        )
        self._events = ChatEvents(lists, chats, self._service_replies)
        self._poll_s = poll_s
        self._floor = Pauses(_EMPTY_POLLS)
        self.set_aside = 0
        """How many updates could not be read since the start, or broke what read them."""

    async def run(self) -> None:
        """Poll until ``stop`` or cancellation; network errors, conflicts and a full disk are waited out.

        Raises :class:`~bot.errors.ConfigInvalid` when Telegram refuses the token.
        """
        try:
            await self.start()
            await self.repeat(partial(self.bot.delete_webhook, drop_pending_updates=False))
            await self._poll(self.make_intake())
        finally:
            await self.drop_service_replies()

    def make_intake(self) -> Intake:
        """Return what takes updates one by one; call it after ``start``."""
        return Intake(
            BotIdentity(self.bot_id, self.username, self._profile.names),
            accept=self._accept,
            access_control=self._access_control,
            events=self._events,
            service_replies=self._service_replies,
            clock=self._clock,
            set_aside=self._count_set_aside,
        )

    async def drop_service_replies(self) -> None:
        """Drop refusals, button answers and the profile that are still under way."""
        await self._service_replies.close()
        await self.end_publishing()

    def _count_set_aside(self) -> None:
        self.set_aside += 1

    async def _poll(self, intake: Intake) -> None:
        offset: int | None = None
        newest: int | None = None
        while not self.stopping:
            asked_at = self._clock.monotonic()
            try:
                batch = await self._await_unless_stopping(self._fetch_updates(offset))
                # An empty answer to an offset says that all before it is confirmed.  Update ids start anew at random
                # after a quiet week, so an old offset must not be kept: it could hide them.
                offset = offset if batch else None
                for raw in batch:
                    await intake.take(raw)
                    offset = int(raw["update_id"]) + 1
                    self.note_success()  # what one update waited for is not the next one's
                    if self.stopping:
                        break
            except (TelegramAPIError, StorageUnavailable) as error:
                await self.wait_after(error)
                continue
            self.note_success()
            if (batch and offset != newest) or self._clock.monotonic() - asked_at >= _LONG_S:
                self._floor.reset()
            else:
                await self.pause(self._floor.next_s())
            newest = offset

    async def _fetch_updates(self, offset: int | None) -> list[dict[str, Any]]:  # Any: updates as JSON
        """Return updates that have an id; what has none could never be confirmed and is counted, no more."""
        poll = GetRawUpdates(offset=offset, timeout=self._poll_s, allowed_updates=list(UPDATE_KINDS))
        answer: list[Any] = await self.bot(poll, request_timeout=self._poll_s + 10)  # Any: JSON, looked at here
        updates = [entry for entry in answer if isinstance(entry, dict) and get_int(entry, "update_id") is not None]
        if answer and not updates:
            raise ResponseLost(method=poll, message="updates without ids: something between us and Telegram answers")
        for _ in range(len(answer) - len(updates)):
            self._count_set_aside()
        return updates

    async def _await_unless_stopping(
        self,
        call: Awaitable[list[dict[str, Any]]],  # Any: as above
    ) -> list[dict[str, Any]]:
        """Return the call's result, or nothing at all once we are stopping."""
        polling = asyncio.ensure_future(call)
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait((polling, stopping), return_when=asyncio.FIRST_COMPLETED)
            return polling.result() if polling.done() else []
        finally:
            for task in (polling, stopping):
                task.cancel()
            await asyncio.gather(polling, stopping, return_exceptions=True)


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
        """Answer 200 for an update that was taken or set aside, 503 for one to be given again."""
        # Telegram repeats a call until it hears 200 and holds back all that follows: what cannot be read is counted.
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
