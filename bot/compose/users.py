"""`mneme users`: who was let in by a pairing code."""

from __future__ import annotations

import json

from rich.console import Console

from adapters.sqlite.conversations.access import SqliteAccess
from adapters.sqlite.database import Database
from bot.compose.building import live_settings
from bot.config.folders import Folders
from bot.errors import ConfigInvalid


async def run_users(places: Folders, *, revoke: int | None, as_json: bool) -> int:
    """Print the paired users, or take a pairing back; return the exit code: 1 if there was none to take.

    A running Mneme asks for every message who is paired, so that it acts at once.
    """
    token = live_settings(places).current().telegram.token
    if not token:
        raise ConfigInvalid("there is no Telegram bot: set TELEGRAM_TOKEN in .env or the environment")
    bot_id = int(token.split(":", 1)[0])
    database = Database(places.database)
    await database.open()
    try:
        access = SqliteAccess(database)
        gone = await access.unpair(bot_id, revoke) if revoke is not None else True
        users = await access.paired(bot_id)
    finally:
        await database.close()
    console = Console(soft_wrap=True)
    if as_json:
        console.print_json(json.dumps({"paired": list(users)}))
    elif revoke is not None:
        console.print(f"{revoke} {'is not paired any more' if gone else 'was not paired'}", highlight=False)
    else:
        console.print("\n".join(map(str, users)) or "nobody is paired; mneme pair prints a code", highlight=False)
    return 0 if gone else 1
