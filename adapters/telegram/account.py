"""The bot's own account: is its token accepted, what Telegram shows of it, and who it says is admin of a group.

What was published (menus by place and language, descriptions) is written down, so that a start which has nothing new
to say says nothing, what an earlier version or another owner had is taken away again, and a description that the
operator gave @BotFather is left alone.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import orjson
import structlog
from aiogram import Bot
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import (
    AiogramError,
    TelegramAPIError,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramUnauthorizedError,
)
from aiogram.types import (
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    BotCommandScopeDefault,
    BotCommandScopeUnion,
    ChatMemberAdministrator,
    ChatMemberOwner,
    MenuButtonDefault,
    MenuButtonWebApp,
    User,
    WebAppInfo,
    WebhookInfo,
)
from aiogram.utils.token import TokenValidationError

from adapters.telegram.session import open_bot
from bot.errors import ConfigInvalid
from bot.files import write_whole
from bot.messages import Address
from bot.ports.chats import Chats


def make_bot(token: str, api_server: TelegramAPIServer | None) -> Bot:
    """Return a client.  Raises :class:`~bot.errors.ConfigInvalid` for what cannot be a token."""
    try:
        return open_bot(token, api_server)
    except TokenValidationError:
        raise ConfigInvalid(
            "TELEGRAM_TOKEN is not a bot token: expected NUMBER:LETTERS as @BotFather shows it"
        ) from None  # aiogram's text would not help, and a token must not come near a log


def make_api_server(url: str) -> TelegramAPIServer | None:
    """Return the Bot API server at an address, ``None`` (Telegram's own) without one."""
    return TelegramAPIServer.from_base(url) if url else None


async def fetch_account(bot: Bot) -> User:
    """Return the bot's own account.

    Raises :class:`~bot.errors.ConfigInvalid` when Telegram does not know the token, aiogram's errors for the rest.
    """
    try:
        return await bot.get_me()
    except (TelegramUnauthorizedError, TelegramNotFound) as error:
        raise make_token_error() from error


async def make_invitation_link(
    token: str, api_server: TelegramAPIServer | None, code: str, *, limit_s: float = 5.0
) -> str:
    """Return the link that sends a pairing code with one touch, "" when Telegram cannot be asked for our name."""
    bot = make_bot(token, api_server)
    try:
        async with asyncio.timeout(limit_s):
            me = await bot.get_me()
    except (TelegramAPIError, TimeoutError) as error:
        structlog.get_logger().info("telegram.name_unknown", error=type(error).__name__)
        return ""
    finally:
        await bot.session.close()
    return f"https://t.me/{me.username}?start={code}" if me.username else ""


def make_token_error() -> ConfigInvalid:
    """Return the error for a token that Telegram does not accept."""
    return ConfigInvalid(
        "Telegram does not accept TELEGRAM_TOKEN: it was revoked or mistyped; get the current one from @BotFather"
    )


async def check_health(
    token: str, api_server: TelegramAPIServer | None, *, webhook_url: str = "", limit_s: float = 10.0
) -> tuple[str, str]:
    """Return "ok", "degraded" or "down" and the reason, "" when ok; ``webhook_url`` is ours, "" for polling.

    Raises :class:`~bot.errors.ConfigInvalid` for a token that is none, or that Telegram does not accept.
    """
    bot = make_bot(token, api_server)
    try:
        async with asyncio.timeout(limit_s):
            await fetch_account(bot)
            webhook = await bot.get_webhook_info()
    except TimeoutError:
        return "down", "Telegram does not answer (telegram.apiUrl, network)"
    except TelegramAPIError as error:
        return "down", f"Telegram cannot be asked: {error.message}"
    finally:
        await bot.session.close()
    trouble = describe_webhook(webhook, webhook_url)
    return ("degraded", trouble) if trouble else ("ok", "")


def describe_webhook(webhook: WebhookInfo, ours: str) -> str:
    """Return what keeps messages from coming to our webhook, or to our polling if ``ours`` is ""; "" if nothing does.

    Of an address only the host is told: its path may be somebody's secret.
    """
    if webhook.url != ours:
        if not webhook.url:
            return "no webhook is set for this token: a start sets telegram.webhookUrl"
        host = urlsplit(webhook.url).hostname or "an unknown host"
        remedy = "replaces it by telegram.webhookUrl" if ours else "removes it"
        return f"a webhook at {host} is set for this token: whoever set it gets the messages, until a start {remedy}"
    if webhook.pending_update_count and webhook.last_error_message:
        return (
            f"Telegram cannot deliver to telegram.webhookUrl ({webhook.last_error_message}; "
            f"{webhook.pending_update_count} updates wait): look at the proxy and at telegram.webhookListen"
        )
    return ""


_LIMIT_S = 5.0


@dataclass(frozen=True, slots=True)
class TelegramGroupRoles:
    """The port :class:`~bot.ports.chats.GroupRoles`."""

    bot: Bot
    chats: Chats

    async def is_admin(self, address: Address, user_id: int) -> bool:
        """Return whether Telegram says so now; one who writes as the group itself is an anonymous admin of it."""
        chat_id = self.chats.current(address).chat_id
        if user_id in (chat_id, address.chat_id):
            return True
        try:
            async with asyncio.timeout(_LIMIT_S):
                member = await self.bot.get_chat_member(chat_id, user_id)
        except (AiogramError, TimeoutError) as error:
            structlog.get_logger().info("telegram.member_unknown", chat_id=chat_id, error=type(error).__name__)
            return False
        return isinstance(member, ChatMemberAdministrator | ChatMemberOwner)


async def set_menu_button(bot: Bot, text: str, url: str) -> None:
    """Let it open a Mini App; a failure costs the button only."""
    try:
        await bot.set_chat_menu_button(menu_button=MenuButtonWebApp(text=text, web_app=WebAppInfo(url=url)))
    except TelegramAPIError as error:
        structlog.get_logger().warning("telegram.menu_button_not_set", error=type(error).__name__)


async def reset_menu_button(bot: Bot) -> bool:
    """Let it list the commands again; return whether Telegram was told."""
    try:
        return await bot.set_chat_menu_button(menu_button=MenuButtonDefault())
    except TelegramAPIError as error:
        structlog.get_logger().warning("telegram.menu_button_not_reset", error=type(error).__name__)
        return False


_LONGEST_HELP: Final = 256
"""Characters of a command's line: https://core.telegram.org/bots/api#botcommand."""
_THEIRS: Final = "theirs"
"""Stands for a description that somebody else has set."""

Commands = Sequence[tuple[str, str]]
"""Pairs of command and description, as a menu shows them."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything by language, "" being everybody else's.

    ``owner`` is the chat of the owner, ``None`` without one.
    """

    everywhere: Mapping[str, Commands] = field(default_factory=dict)
    groups: Mapping[str, Commands] = field(default_factory=dict)
    owners: Mapping[str, Commands] = field(default_factory=dict)
    owner: int | None = None
    descriptions: Mapping[str, str] = field(default_factory=dict)
    short_descriptions: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """All commands that we answer to."""
        menus = (*self.everywhere.values(), *self.groups.values(), *self.owners.values())
        return frozenset(name for entries in menus for name, _ in entries)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One thing to publish: ``kind`` and ``place`` say what and where, ``value`` is the menu or the text."""

    kind: str
    place: str
    language: str
    value: str | Commands

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.place}/{self.language}"

    @property
    def mark(self) -> str:
        return hashlib.sha256(orjson.dumps(self.value)).hexdigest()[:16]


class ProfilePublisher:
    """Publishes a profile, asked anew each time.

    ``record`` is the file that says what was published, ``None`` keeps no record.
    Between two calls it waits for ``pause_s`` seconds: answers go first.
    """

    def __init__(self, profile: Callable[[], Profile], record: Path | None = None, *, pause_s: float = 0.1) -> None:
        self._profile = profile
        self._record = record
        self._pause_s = pause_s

    @property
    def names(self) -> frozenset[str]:
        return self._profile().names

    async def publish(self, bot: Bot) -> None:
        """Say what is new and take away what is stale; what fails costs the menu alone until the next start."""
        before = await asyncio.to_thread(_read_record, self._record, bot.id)
        wanted = {entry.key: entry for entry in _list_entries(self._profile())}
        ours = {entry.value for entry in wanted.values() if isinstance(entry.value, str)}
        now = dict(before)
        try:
            for key in before.keys() - wanted.keys():
                if await _attempt(key, _take_away(bot, key)):
                    del now[key]
            for key, entry in wanted.items():
                if before.get(key) in {entry.mark, _THEIRS}:
                    continue
                await asyncio.sleep(self._pause_s)
                if key not in before and await _is_theirs(bot, entry, ours):
                    now[key] = _THEIRS
                elif await _attempt(key, _show(bot, entry)):
                    now[key] = entry.mark
        except (TelegramNetworkError, TelegramRetryAfter) as error:
            structlog.get_logger().warning("telegram.profile_not_set", error=type(error).__name__)
        if now != before:
            await asyncio.to_thread(_write_record, self._record, bot.id, now)


def _list_entries(profile: Profile) -> Iterator[_Entry]:
    menus = {"default": profile.everywhere, "all_private_chats": profile.everywhere, "all_group_chats": profile.groups}
    if profile.owner is not None:
        menus[f"chat:{profile.owner}"] = profile.owners
    for place, menu in menus.items():
        for language, commands in menu.items():
            yield _Entry("commands", place, language, commands)
    for kind, texts in (("description", profile.descriptions), ("short", profile.short_descriptions)):
        for language, text in texts.items():
            yield _Entry(kind, "", language, text)


async def _attempt(key: str, call: Awaitable[bool]) -> bool:
    """Return whether a call went through; raises aiogram's errors of the network."""
    try:
        return await call
    except (TelegramNetworkError, TelegramRetryAfter):
        raise
    except TelegramAPIError as error:  # an owner who never wrote to the bot has no chat that a menu could stand in
        structlog.get_logger().info("telegram.menu_not_set", what=key, error=type(error).__name__)
        return False


async def _is_theirs(bot: Bot, entry: _Entry, ours: Collection[str]) -> bool:
    """Return whether a description stands there that is none of ours; a language without one shows everybody's."""
    if entry.kind == "commands":
        return False
    language = entry.language or None
    try:
        if entry.kind == "description":
            found = (await bot.get_my_description(language_code=language)).description
        else:
            found = (await bot.get_my_short_description(language_code=language)).short_description
    except (TelegramNetworkError, TelegramRetryAfter):
        raise
    except TelegramAPIError:
        return False
    return bool(found) and found not in ours


async def _show(bot: Bot, entry: _Entry) -> bool:
    if isinstance(entry.value, str):
        return await _set_text(bot, entry.kind, entry.language, entry.value)
    return await bot.set_my_commands(
        _make_commands(entry.value), scope=_make_scope(entry.place), language_code=entry.language or None
    )


def _make_commands(commands: Commands) -> list[BotCommand]:
    return [BotCommand(command=name, description=line[:_LONGEST_HELP]) for name, line in commands if line.strip()]


async def show_chat_menu(bot: Bot, chat_id: int, commands: Commands | None) -> None:
    """Give one chat a menu of its own, ``None`` takes it back; a failure costs the menu only."""
    scope = BotCommandScopeChat(chat_id=chat_id)
    try:
        if commands is None:
            await bot.delete_my_commands(scope=scope)
        else:
            await bot.set_my_commands(_make_commands(commands), scope=scope)
    except TelegramAPIError as error:
        structlog.get_logger().warning("telegram.menu_not_set", chat_id=chat_id, error=type(error).__name__)


async def _take_away(bot: Bot, key: str) -> bool:
    kind, place, language = key.split("/")
    if kind == "commands":
        return await bot.delete_my_commands(scope=_make_scope(place), language_code=language or None)
    return await _set_text(bot, kind, language, "")


async def _set_text(bot: Bot, kind: str, language: str, text: str) -> bool:
    set_it = bot.set_my_description if kind == "description" else bot.set_my_short_description
    return await set_it(text, language_code=language or None)


def _make_scope(place: str) -> BotCommandScopeUnion:
    """https://core.telegram.org/bots/api#botcommandscope."""
    if place.startswith("chat:"):
        return BotCommandScopeChat(chat_id=int(place.removeprefix("chat:")))
    if place == "all_private_chats":
        return BotCommandScopeAllPrivateChats()
    return BotCommandScopeAllGroupChats() if place == "all_group_chats" else BotCommandScopeDefault()


def _read_record(path: Path | None, bot_id: int) -> dict[str, str]:
    """Return what was published for this bot; nothing where that cannot be read: then all of it is said again."""
    if path is None:
        return {}
    try:
        found = orjson.loads(path.read_bytes())
        published = found["published"] if found["bot"] == bot_id else {}
        return {str(key): str(mark) for key, mark in published.items() if str(key).count("/") == 2}  # noqa: PLR2004 - kind, place, language
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_record(path: Path | None, bot_id: int, published: Mapping[str, str]) -> None:
    if path is None:
        return
    try:
        write_whole(path, orjson.dumps({"bot": bot_id, "published": published}))
    except OSError as error:
        structlog.get_logger().warning("telegram.profile_not_recorded", cause=error.strerror)
