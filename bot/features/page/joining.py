"""Joins /page."""

from __future__ import annotations

from bot.commands.language import Voice
from bot.features.page.command import PageCommand
from bot.runtime.container import Container


def build_page_command(parts: Container, voice: Voice) -> PageCommand:
    """Return the command of these parts."""
    return PageCommand(
        voice,
        lambda: parts.pages.get(""),
        lambda platform: platform in parts.pages,
        lambda: parts.settings.current().page.link_minutes,
    )
