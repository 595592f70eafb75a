"""What Telegram shows of the bot: its command menus by place and language, and its descriptions.

What was published is written down, so that a start which has nothing new to say says nothing, what an earlier version
or another owner had is taken away again, and a description that the operator gave @BotFather is left alone.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import orjson
import structlog
from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramNetworkError, TelegramRetryAfter
from aiogram.types import (
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    BotCommandScopeDefault,
    BotCommandScopeUnion,
)

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
        """All commands that we answer to."""
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
    language = entry.language or None
    if isinstance(entry.value, str):
        if entry.kind == "description":
            return await bot.set_my_description(entry.value, language_code=language)
        return await bot.set_my_short_description(entry.value, language_code=language)
    return await bot.set_my_commands(
        _make_commands(entry.value), scope=_make_scope(entry.place), language_code=language
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
    if kind == "description":
        return await bot.set_my_description("", language_code=language or None)
    if kind == "short":
        return await bot.set_my_short_description("", language_code=language or None)
    return await bot.delete_my_commands(scope=_make_scope(place), language_code=language or None)


def _make_scope(place: str) -> BotCommandScopeUnion:
    """https://core.telegram.org/bots/api#botcommandscope."""
    if place == "all_private_chats":
        return BotCommandScopeAllPrivateChats()
    if place == "all_group_chats":
        return BotCommandScopeAllGroupChats()
    if place.startswith("chat:"):
        return BotCommandScopeChat(chat_id=int(place.removeprefix("chat:")))
    return BotCommandScopeDefault()


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
    draft = path.with_suffix(".draft")
    try:
        draft.write_bytes(orjson.dumps({"bot": bot_id, "published": published}))
        draft.replace(path)
    except OSError as error:
        structlog.get_logger().warning("telegram.profile_not_recorded", cause=error.strerror)
