"""Settings of the Telegram door; closed by default."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bot.config.section import Secret, Section, TelegramId, WebAddress


class TelegramSettings(Section):
    """Telegram."""

    token: Secret = Field(default="", description="Bot token; `TELEGRAM_TOKEN` overrides it. Empty: terminal chat.")
    allowed_users: tuple[TelegramId, ...] = Field(
        default=(),
        description=(
            "Numeric user ids that may talk to the bot. Empty means nobody but paired users. The id of a group of "
            "`allowedChats` lets its anonymous admins in."
        ),
    )
    allowed_chats: tuple[TelegramId, ...] = Field(
        default=(), description="Numeric ids of groups (negative) the bot works in. Pairing never grants a group."
    )
    owner_id: TelegramId | None = Field(
        default=None,
        description="User id of the operator: always allowed, trusted most, told when something needs a hand.",
    )
    strangers: Literal["silent", "answer"] = Field(
        default="silent",
        description="What others get: nothing, or one short refusal. Silence does not tell that somebody is there.",
    )
    open_groups: bool = Field(
        default=False,
        description=(
            "`true` serves every member of a listed group; `false` only those who are allowed themselves, because "
            "whoever is added to a group later would get in."
        ),
    )
    pairing: bool = Field(default=True, description="Let one-time codes (`mneme pair`) add users in direct chats.")
    pairing_code_minutes: Annotated[int, Field(ge=1, le=10_080)] = Field(
        default=60, description="Minutes a pairing code is valid; long enough to send it, short enough to forget it."
    )
    streaming: bool = Field(default=True, description="Show the answer while it is written, by editing one message.")
    edit_interval_seconds: Annotated[float, Field(ge=0.3, le=60)] = Field(
        default=1.0, description="Seconds between such edits; Telegram allows about one message a second in a chat."
    )
    api_url: WebAddress = Field(default="", description="A local Bot API server; empty means api.telegram.org.")
