"""Settings of Telegram; closed to everybody by default."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bot.config.section import LIVE, RESTART, Secret, Section, TelegramId, WebAddress, setting


class TelegramSettings(Section):
    """Telegram."""

    token: Secret = setting(
        RESTART, default="", description="Bot token; `TELEGRAM_TOKEN` overrides it. Empty: terminal chat."
    )
    allowed_users: tuple[TelegramId, ...] = setting(
        LIVE,
        default=(),
        description=(
            "Numeric user ids that may talk to the bot. Empty means nobody but paired users. The id of a group of "
            "`allowedChats` lets its anonymous admins in."
        ),
    )
    allowed_chats: tuple[TelegramId, ...] = setting(
        LIVE, default=(), description="Numeric ids of groups (negative) the bot works in. Pairing never grants a group."
    )
    owner_id: TelegramId | None = setting(
        LIVE,
        default=None,
        description="User id of the operator: always allowed, trusted most, told when something needs a hand.",
    )
    strangers: Literal["silent", "answer"] = setting(
        LIVE,
        default="silent",
        description="What others get: nothing, or one short refusal. Silence does not tell that somebody is there.",
    )
    open_groups: bool = setting(
        LIVE,
        default=False,
        description=(
            "`true` serves every member of a listed group; `false` only those who are allowed themselves, because "
            "whoever is added to a group later would get in."
        ),
    )
    pairing: bool = setting(
        LIVE, default=True, description="Let one-time codes (`mneme pair`) add users in direct chats."
    )
    pairing_code_minutes: Annotated[int, Field(ge=1, le=10_080)] = setting(
        LIVE,
        default=60,
        description="Minutes a pairing code is valid; long enough to send it, short enough to forget it.",
    )
    streaming: bool = setting(
        LIVE, default=True, description="Show the answer while it is written, by editing one message."
    )
    edit_interval_seconds: Annotated[float, Field(ge=0.3, le=60)] = setting(
        LIVE,
        default=1.0,
        description="Seconds between such edits; Telegram allows about one message a second in a chat.",
    )
    api_url: WebAddress = setting(
        RESTART, default="", description="A local Bot API server; empty means api.telegram.org."
    )
