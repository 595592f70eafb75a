"""Skill memory: the choice made by ``/skill``, kept over a restart."""

from __future__ import annotations

from typing import Protocol


class SkillMemory(Protocol):
    """Keeps one choice per running session."""

    async def keep(self, session_id: int, name: str) -> None:
        """Keep the choice of a session, in place of an earlier one.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...

    async def list_kept(self) -> tuple[tuple[str, int, str], ...]:
        """Return the key of the place, the session and the skill, for every session that has not ended.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...
