"""Chosen skills over restarts."""

from __future__ import annotations

from pathlib import Path

from adapters.sqlite.conversations.turns import SqliteSkillMemory, SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from bot.features.skills.register import SkillChoices
from bot.messages import Address
from harness.samples import HERE

THERE = Address("telegram", 7, 43)


async def test_a_choice_survives_a_restart_and_ends_with_its_session(database: Database) -> None:
    """Off stays off; what was chosen in a session that has ended is forgotten.

    Kept in memory alone, the skill that was switched off came back after a restart.
    """
    memory, turns = SqliteSkillMemory(database), SqliteTurns(database)
    here, there = await turns.session(HERE), await turns.session(THERE)
    choices = SkillChoices(memory)
    await choices.choose(HERE, here, "devops")
    await choices.choose(HERE, here, "off")
    await choices.choose(THERE, there, "devops")
    ended = await turns.close(THERE)
    again = SkillChoices(memory)
    await again.restore()
    await again.choose(THERE, ended, "notes")
    rows = await database.read(lambda connection: connection.execute("SELECT count(*) FROM meta").fetchone())

    assert again.chosen(HERE, here) == "off"
    assert again.chosen(THERE, there) is None
    assert rows == (2,)


async def test_a_store_that_cannot_be_used_costs_the_choice_only(tmp_path: Path) -> None:
    """It holds while the process lives."""
    closed = Database(tmp_path / "closed.db", ROOMS)
    choices = SkillChoices(SqliteSkillMemory(closed))
    await closed.open()
    session = await SqliteTurns(closed).session(HERE)
    await closed.close()
    await choices.restore()
    await choices.choose(HERE, session, "off")

    assert choices.chosen(HERE, session) == "off"
