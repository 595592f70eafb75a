"""Adds it to Mneme."""

from __future__ import annotations

from adapters.sqlite.conversations.turns import SqliteSkillMemory
from bot.features.skills.command import SkillChoices, SkillSwitch
from bot.ports.skill_memory import SkillMemory
from bot.runtime.app import App


async def register(app: App) -> None:
    """Add the choice of skills to Mneme."""
    memory = SqliteSkillMemory(app.database)
    choices = SkillChoices(memory)
    app.provide(SkillMemory, memory)
    app.chosen_skill = choices.chosen
    app.added.at_start.append(choices.restore)
    app.added.commands.append(SkillSwitch(app.voice, app.preferences, choices))
    app.added.menu.append(SkillSwitch.name)
