"""Settings of what was installed beside Mneme."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.config.section import RESTART, TURN, Section, setting

_Names = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=100)], ...], Field(max_length=50)]


class PluginSettings(Section):
    """Code of others, found by entry points; only what is named here is loaded."""

    tools: _Names = setting(
        TURN, default=(), description="Tools for the model: entry points in the group `mneme.tools`."
    )
    subscribers: _Names = setting(
        RESTART,
        default=(),
        description="Listeners to events: entry points in the group `mneme.subscribers`; read at the start.",
    )
