"""``mneme users``: who may talk to the bot, and taking a pairing back."""

import json
from datetime import UTC

from rich.console import Console
from rich.table import Table

from adapters.sqlite.conversations.chats import SqliteAccess, SqliteUsers
from bot.config.folders import Folders
from bot.errors import ConfigInvalid
from bot.features.users.register import list_allowed, read_bot_id
from bot.runtime.chat_rules import SystemClock
from bot.runtime.installation import choose_store, load_live_settings


async def run_users(places: Folders, *, revoke: int | None, as_json: bool) -> int:
    """Print who may talk to the bot, or take a pairing back; return the exit code: 1 if there was none to take.

    A running Mneme asks for every message who is paired, so that it acts at once.
    """
    everything = load_live_settings(places).current
    settings = everything.telegram
    if not settings.token:
        raise ConfigInvalid("there is no Telegram bot: set TELEGRAM_TOKEN in .env or the environment")
    bot_id, today = read_bot_id(settings.token), SystemClock().now().astimezone(UTC).date()
    allowed = tuple(user for user in list_allowed(settings) if user > 0)
    async with choose_store(places, everything) as database:
        gone = await SqliteAccess(database).unpair(bot_id, revoke) if revoke is not None else True
        users = await SqliteUsers(database).describe(bot_id, allowed, today.replace(day=1), today)
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
