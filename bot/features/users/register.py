"""Adds it to Mneme."""

from __future__ import annotations

from datetime import timedelta

from adapters.sqlite.conversations.chats import SqliteUsers
from bot.config.schema import TelegramSettings
from bot.errors import ConfigInvalid
from bot.features.users.command import Admission, Invitation, Users
from bot.runtime.app import App


async def register(app: App) -> None:
    """Add /users to Mneme."""

    async def invite() -> Invitation:
        # aiogram takes a second to import, and the terminal does without
        from adapters.telegram.access import make_pairing_code  # noqa: PLC0415
        from adapters.telegram.account import make_api_server, make_invitation_link  # noqa: PLC0415

        settings = app.settings.current().telegram
        code, minutes = make_pairing_code(), settings.pairing_code_minutes
        await app.access.issue(read_bot_id(settings.token), code, app.clock.now() + timedelta(minutes=minutes))
        return Invitation(
            code, minutes, await make_invitation_link(settings.token, make_api_server(settings.api_url), code)
        )

    def admission() -> Admission:
        settings = app.settings.current().telegram
        return Admission(
            bot_id=read_bot_id(settings.token) if settings.token else None,
            listed=list_allowed(settings),
            owner=settings.owner_id,
            invite=invite if settings.pairing else None,
        )

    app.added.commands.append(Users(app.voice, app.access, SqliteUsers(app.database), admission))


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
