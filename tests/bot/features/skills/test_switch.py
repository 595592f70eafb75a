"""/skill."""

from __future__ import annotations

from pathlib import Path

from adapters.sqlite.conversations.turns import SqliteSkillMemory
from bot.features.skills.register import SkillChoices, SkillSwitch
from bot.messages import Address
from bot.ports.preferences import PromptSection
from bot.turn import Session, Skill
from tests.bot.commands.chat import ANNA, START, Chat


class Shelf:
    """Preferences with given skills and no sections."""

    held: tuple[Skill, ...] = ()

    def sections(self) -> tuple[PromptSection, ...]:
        """Return nothing."""
        return ()

    def skills(self) -> tuple[Skill, ...]:
        """Return the skills."""
        return self.held

    def problems(self) -> tuple[str, ...]:
        """Return nothing."""
        return ()


async def test_a_skill_is_switched_for_the_running_session_only(tmp_path: Path) -> None:
    """The choice belongs to the place and its session; names are matched whatever their case."""
    chat = Chat(tmp_path)
    await chat.database.open()
    choices, shelf = SkillChoices(SqliteSkillMemory(chat.database)), Shelf()
    chat.router = chat.build_router(SkillSwitch(shelf, choices))
    shelf.held = (Skill("DevOps", "Deploys with Docker.", "…"), Skill("cook", "Recipes.", "…"))
    here, session = Address("telegram", 1, ANNA.id), await chat.turns.session(Address("telegram", 1, ANNA.id))

    on = await chat.ask("/skill devops")
    chosen = choices.chosen(here, session)
    listing = await chat.ask("/skill")
    off = await chat.ask("/skill off")

    assert "DevOps is on" in on
    assert chosen == "DevOps"
    assert "- DevOps (active) – Deploys with Docker." in listing
    assert "No skill is active" in off
    assert choices.chosen(here, session) == "off"
    assert choices.chosen(here, Session(session.id + 1, START)) is None
    assert choices.chosen(Address("telegram", 1, 99), session) is None
    assert "There is no skill nope" in await chat.ask("/skill nope")
    await chat.database.close()
