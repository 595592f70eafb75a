"""The whole of ``runtime-config.json`` as one immutable value.

Every field has a default that is safe and works, so that an empty object is a complete configuration.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.config.behaviour import LogSettings, PromptSettings, RetentionSettings, SessionSettings
from bot.config.llm import LlmSettings
from bot.config.memory import MemorySettings
from bot.config.plugins import PluginSettings
from bot.config.rag import RagSettings
from bot.config.recall import RecallSettings
from bot.config.section import LIVE, TURN, Section, setting
from bot.config.telegram import TelegramSettings


class Settings(Section):
    """Everything that can be set."""

    rag: RagSettings = Field(default=RagSettings(), description=RagSettings.__doc__)
    memory: MemorySettings = Field(default=MemorySettings(), description=MemorySettings.__doc__)
    recall: RecallSettings = Field(default=RecallSettings(), description=RecallSettings.__doc__)
    telegram: TelegramSettings = Field(default=TelegramSettings(), description=TelegramSettings.__doc__)
    llm: LlmSettings = Field(default=LlmSettings(), description=LlmSettings.__doc__)
    session: SessionSettings = Field(default=SessionSettings(), description=SessionSettings.__doc__)
    prompt: PromptSettings = Field(default=PromptSettings(), description=PromptSettings.__doc__)
    plugins: PluginSettings = Field(default=PluginSettings(), description=PluginSettings.__doc__)
    retention: RetentionSettings = Field(default=RetentionSettings(), description=RetentionSettings.__doc__)
    log: LogSettings = Field(default=LogSettings(), description=LogSettings.__doc__)
    language: Annotated[str, Field(pattern=r"^(auto|[a-z]{2})$")] = setting(
        TURN,
        default="auto",
        spelling='"auto" or two letters such as "en"',
        description="Language of the bot's own words: `en`, `ru`, or `auto` for the author's, English when unknown.",
    )
    time_zone: Annotated[str, Field(max_length=60)] = setting(
        LIVE, default="", description="IANA name such as `Europe/Lisbon` for dates and days; empty means the machine's."
    )
