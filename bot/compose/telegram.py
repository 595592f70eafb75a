"""Joins the Telegram adapter to the application, by polling or by a webhook."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from adapters.telegram.account import Profile, ProfilePublisher, TelegramGroupRoles, make_api_server, show_chat_menu
from adapters.telegram.files import TelegramFiles
from adapters.telegram.messenger import TelegramMessenger
from adapters.telegram.polling import TelegramReceiver
from adapters.telegram.rate_limit import RateLimit, SendLimits
from adapters.telegram.webhook import WebhookReceiver
from bot.compose.pipeline import list_commands, list_menu
from bot.compose.telegram_profile import make_profile
from bot.messages import Address, InboundMessage
from bot.runtime.app import App
from language.registry import choose_texts
from language.texts import ServiceTexts


def open_telegram(
    parts: App, accept: Callable[[InboundMessage], Awaitable[None]], *, limits: SendLimits | None = None
) -> tuple[TelegramReceiver | WebhookReceiver, Callable[[], Awaitable[None]]]:
    """Return the configured bot's receiver and what closes its messenger, which is registered; nothing is sent yet.

    The allow lists and what strangers get are asked anew for every message; token, API address and webhook hold until
    the next start.  ``limits`` are Telegram's own unless given.
    Raises :class:`~bot.errors.ConfigInvalid` for a malformed token.
    """
    live = parts.settings
    settings, settings_language = live.current().telegram, live.current().language

    def owners() -> frozenset[int]:
        owner = live.current().telegram.owner_id
        return frozenset(() if owner is None else (owner,))

    def choose_service_texts(language: str) -> ServiceTexts:
        return choose_texts(language, live.current().language).service

    bot_id = int(settings.token.split(":", 1)[0]) if settings.token.split(":", 1)[0].isdecimal() else 0

    def describe_bot() -> Profile:
        owner = live.current().telegram.owner_id
        chosen = "auto" if owner is None else parts.rules.find_language(Address("telegram", bot_id, owner))
        return make_profile(list_menu(parts), settings_language, owner, chosen)

    publisher = ProfilePublisher(describe_bot, parts.places.data / "state" / "telegram-profile.json")
    rate_limit = RateLimit(parts.clock, limits or SendLimits(), restarted=True)
    receiver = TelegramReceiver(
        settings.token,
        accept=accept,
        access=parts.access,
        allowed=lambda: frozenset(live.current().telegram.allowed_users),
        allowed_chats=lambda: frozenset(live.current().telegram.allowed_chats),
        owners=owners,
        open_groups=lambda: live.current().telegram.open_groups,
        pairing=lambda: live.current().telegram.pairing,
        answer_strangers=lambda: live.current().telegram.strangers == "answer",
        clock=parts.clock,
        chats=parts.chats,
        rate_limit=rate_limit,
        profile=publisher,
        texts=choose_service_texts,
        api_server=make_api_server(settings.api_url),
    )
    messenger = TelegramMessenger(
        receiver.bot,
        clock=parts.clock,
        edit_interval_s=lambda: live.current().telegram.edit_interval_seconds,
        rate_limit=rate_limit,
        streaming=parts.rules.is_streaming,
        reactions=lambda: live.current().telegram.reactions,
        drafts=lambda: live.current().telegram.drafts,
        chats=parts.chats,
    )

    def find_owner() -> Address | None:
        owner = live.current().telegram.owner_id
        return None if owner is None else Address("telegram", receiver.bot_id, owner)

    async def tell_owner(text: str) -> None:
        to = find_owner()
        if to is None:
            return  # it stays in the log, and in what `mneme check` says
        await messenger.reserve(to)
        await messenger.send(to, text)

    async def show_menu(address: Address, language: str) -> None:
        if address == find_owner():
            await publisher.publish(receiver.bot)
            return
        commands = list_commands(list_menu(parts), choose_texts("", language)) if language else None
        await show_chat_menu(receiver.bot, parts.chats.current(address).chat_id, commands)

    parts.messengers["telegram"] = messenger
    parts.group_roles["telegram"] = TelegramGroupRoles(receiver.bot, parts.chats)
    parts.menus["telegram"] = show_menu
    parts.file_sources["telegram"] = TelegramFiles(receiver.bot)
    parts.tell_operator["telegram"] = tell_owner
    parts.operator_at["telegram"] = find_owner
    parts.troubles["telegram"] = lambda: receiver.trouble
    parts.remarks["telegram"] = lambda: (
        f"{receiver.set_aside} updates could not be read and were set aside" if receiver.set_aside else ""
    )
    if settings.webhook_url:
        return WebhookReceiver(receiver, url=settings.webhook_url, listen=settings.webhook_listen), messenger.close
    return receiver, messenger.close
