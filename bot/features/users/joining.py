"""Joins /users and `mneme users`: who may talk to the bot, and how somebody is let in."""

from __future__ import annotations

import json
from datetime import UTC, timedelta

from rich.console import Console
from rich.table import Table

from adapters.clock import SystemClock
from adapters.sqlite.conversations.chats import SqliteAccess, SqliteUsers
from adapters.sqlite.database import Database
from bot.commands.language import Voice
from bot.compose.building import load_live_settings
from bot.config.folders import Folders
from bot.config.schema import TelegramSettings
from bot.errors import ConfigInvalid
from bot.features.users.command import Admission, Invitation, Users
from bot.runtime.container import Container


def build_users_command(parts: Container, voice: Voice) -> Users:
    """Return the command of these parts."""

    async def invite() -> Invitation:
        # aiogram takes a second to import, and the terminal does without
        from adapters.telegram.access import make_pairing_code  # noqa: PLC0415
        from adapters.telegram.account import make_api_server, make_invitation_link  # noqa: PLC0415

        settings = parts.settings.current().telegram
        code, minutes = make_pairing_code(), settings.pairing_code_minutes
        await parts.access.issue(read_bot_id(settings.token), code, parts.clock.now() + timedelta(minutes=minutes))
        return Invitation(
            code, minutes, await make_invitation_link(settings.token, make_api_server(settings.api_url), code)
        )

    def admission() -> Admission:
        settings = parts.settings.current().telegram
        return Admission(
            bot_id=read_bot_id(settings.token) if settings.token else None,
            listed=list_allowed(settings),
            owner=settings.owner_id,
            invite=invite if settings.pairing else None,
        )

    return Users(voice, parts.access, parts.users, admission)


def list_allowed(settings: TelegramSettings) -> tuple[int, ...]:
    """Return the ids that the configuration lets in, the owner's among them."""
    owner = () if settings.owner_id is None else (settings.owner_id,)
    return tuple(dict.fromkeys((*owner, *settings.allowed_users)))


def read_bot_id(token: str) -> int:
    """Return the bot's id, which its token begins with.  Raises :class:`~bot.errors.ConfigInvalid`."""
    number = token.split(":", 1)[0]
    if not (number.isascii() and number.isdecimal()):
        raise ConfigInvalid("TELEGRAM_TOKEN is not a bot token: expected NUMBER:LETTERS as @BotFather shows it")
    return int(number)


async def run_users(places: Folders, *, revoke: int | None, as_json: bool) -> int:
    """Print who may talk to the bot, or take a pairing back; return the exit code: 1 if there was none to take.

    A running Mneme asks for every message who is paired, so that it acts at once.
    """
    settings = load_live_settings(places).current().telegram
    if not settings.token:
        raise ConfigInvalid("there is no Telegram bot: set TELEGRAM_TOKEN in .env or the environment")
    bot_id, today = read_bot_id(settings.token), SystemClock().now().astimezone(UTC).date()
    allowed = tuple(user for user in list_allowed(settings) if user > 0)
    database = Database(places.database)
    await database.open()
    try:
        gone = await SqliteAccess(database).unpair(bot_id, revoke) if revoke is not None else True
        users = await SqliteUsers(database).describe(bot_id, allowed, today.replace(day=1), today)
    finally:
        await database.close()
    console = Console(soft_wrap=True)
    if as_json:
        rows = [
            {
                "id": user.id,
                "name": user.name,
                "pairedAt": user.paired_at.isoformat() if user.paired_at else None,
                "lastSeen": user.last_seen.isoformat() if user.last_seen else None,
                "messages": user.messages,
                "tokensThisMonth": user.tokens,
            }
            for user in users
        ]
        console.print_json(json.dumps({"paired": [each["id"] for each in rows if each["pairedAt"]], "users": rows}))
    elif revoke is not None:
        console.print(f"{revoke} {'is not paired any more' if gone else 'was not paired'}", highlight=False)
    elif users:
        table = Table("id", "name", "let in by", "last seen", "messages", "tokens this month", box=None)
        for user in users:
            by = f"code, {user.paired_at:%Y-%m-%d}" if user.paired_at else "configuration"
            seen = f"{user.last_seen:%Y-%m-%d %H:%M} UTC" if user.last_seen else "-"
            table.add_row(str(user.id), user.name, by, seen, f"{user.messages:,}", f"{user.tokens:,}")
        console.print(table)
    else:
        console.print("nobody is let in; mneme pair prints a code", highlight=False)
    return 0 if gone else 1
