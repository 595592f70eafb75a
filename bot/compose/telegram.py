"""Joins the Telegram adapter to the application, by polling or by a webhook."""

from functools import partial
from typing import Final

from adapters.telegram.access import AllowLists, may_still_talk
from adapters.telegram.account import Profile, ProfilePublisher, TelegramGroupRoles, make_api_server, show_chat_menu
from adapters.telegram.messenger import TelegramFiles, TelegramMessenger
from adapters.telegram.polling import TelegramReceiver, WebhookReceiver
from adapters.telegram.rate_limit import RateLimit, SendLimits, leave_at_once
from bot.compose.pipeline import list_commands
from bot.messages import Address
from bot.runtime.app import App
from bot.runtime.channel import Abilities, Accept, Channel
from language import languages
from language.registry import choose_texts

ABILITIES: Final = Abilities(mention="[{name}](tg://user?id={id})")


def open_telegram(parts: App, accept: Accept, *, limits: SendLimits | None = None) -> Channel:
    """Return the configured bot as a channel; nothing is sent yet.

    The allow lists and what strangers get are asked anew for every message; token, API address and webhook hold until
    the next start.  ``limits`` are Telegram's own unless given.
    Raises :class:`~bot.errors.ConfigInvalid` for a malformed token.
    """
    live = parts.settings
    settings, settings_language = live.current.telegram, live.current.language

    number = settings.token.split(":", 1)[0]
    bot_id = int(number) if number.isdecimal() else 0

    def describe_bot() -> Profile:
        owner = live.current.telegram.owner_id
        chosen = "auto" if owner is None else parts.rules.find_language(Address("telegram", bot_id, owner))
        return make_profile(parts, settings_language, owner, chosen)

    publisher = ProfilePublisher(describe_bot, parts.places.data / "state" / "telegram-profile.json")
    leases = parts.leases
    # A worker's request may leave a quarter of a second after its slot: those of 1.25 s, and one at either end, are 30.
    rate_limit = RateLimit(
        parts.clock,
        limits or (SendLimits() if leases is None else SendLimits(overall=22)),
        restarted=True,
        shared=leases is not None,
        slot=leave_at_once if leases is None else partial(leases.take_slot, bot_id),
    )
    receiver = TelegramReceiver(
        settings.token,
        accept=accept,
        access=parts.access,
        lists=read_allow_lists(parts),
        pairing=lambda: live.current.telegram.pairing,
        answer_strangers=lambda: live.current.telegram.strangers == "answer",
        clock=parts.clock,
        chats=parts.chats,
        rate_limit=rate_limit,
        profile=publisher,
        texts=lambda language: choose_texts(language, live.current.language).service,
        api_server=make_api_server(settings.api_url),
    )
    messenger = TelegramMessenger(
        receiver.bot,
        clock=parts.clock,
        edit_interval_s=lambda: live.current.telegram.edit_interval_seconds,
        rate_limit=rate_limit,
        streaming=parts.rules.is_streaming,
        reactions=lambda: live.current.telegram.reactions,
        drafts=lambda: live.current.telegram.drafts,
        chats=parts.chats,
    )

    def find_owner() -> Address | None:
        owner = live.current.telegram.owner_id
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
        commands = list_commands(parts, choose_texts("", language)) if language else None
        await show_chat_menu(receiver.bot, parts.chats.current(address).chat_id, commands)

    receiving = (
        WebhookReceiver(
            receiver,
            url=settings.webhook_url,
            listen=settings.webhook_listen,
            leads=None if leases is None else lambda: leases.leads,
        )
        if settings.webhook_url
        else receiver
    )

    def find_trouble() -> str:
        waits = leases is not None and not leases.leads and not receiver.username  # another worker receives
        return "" if waits else receiver.trouble

    async def close() -> None:
        await messenger.close()
        await receiving.close()

    return Channel(
        "telegram",
        messenger,
        receiving.run,
        receiving.stop,
        close,
        ABILITIES,
        everywhere=bool(settings.webhook_url),
        files=TelegramFiles(receiver.bot),
        roles=TelegramGroupRoles(receiver.bot, parts.chats),
        show_menu=show_menu,
        tell_operator=tell_owner,
        operator_at=find_owner,
        trouble=find_trouble,
        remark=lambda: f"{receiver.set_aside} updates could not be read and were set aside" * bool(receiver.set_aside),
        admits=partial(may_still_talk, read_allow_lists(parts), parts.access),
        client=receiver,
    )


def read_allow_lists(app: App) -> AllowLists:
    """Return who may talk to the bot by the settings in force."""
    return AllowLists.read_from(lambda: app.settings.current.telegram, app.chats.home)


_PERSONAL: Final = frozenset({"start", "status", "export", "import", "sessions", "usage", "page"})
"""Commands that a group's menu leaves out: they are about one person, or about the server."""


def make_profile(app: App, language: str, owner: int | None, chosen: str = "auto") -> Profile:
    """Return the profile by language, with the commands of an ``app``.

    ``language`` is the operator's for everybody, "auto" is each reader's own.  The owner's chat lists what is
    for the owner alone, too, in the language ``chosen`` there.
    """
    texts = {code: choose_texts(code, language) for code in ("", *(each.code for each in languages()))}
    everywhere = {code: list_commands(app, each) for code, each in texts.items()}
    to_owner = {code: choose_texts(code, chosen) for code in texts}
    return Profile(
        everywhere=everywhere,
        groups={
            code: tuple(entry for entry in commands if entry[0] not in _PERSONAL)
            for code, commands in everywhere.items()
        },
        owners={
            code: (*list_commands(app, each), *each.chat.owner_commands.items()) for code, each in to_owner.items()
        },
        owner=owner,
        descriptions={code: each.chat.description for code, each in texts.items()},
        short_descriptions={code: each.chat.short_description for code, each in texts.items()},
    )
