"""Preferences: prompt sections and skills that the operator writes in files, and the skill chosen for a session."""

from dataclasses import dataclass
from typing import Protocol

from bot.turn import Skill


@dataclass(frozen=True, slots=True)
class PromptSection:
    """One ``prompts/NAME.md``: ``name`` is the file's stem, ``text`` its body."""

    name: str
    text: str


class Preferences(Protocol):
    """The newest readable version of the operator's files."""

    def sections(self) -> tuple[PromptSection, ...]:
        """Return the prompt sections: IDENTITY and RULES first, the others by name."""

    def skills(self) -> tuple[Skill, ...]:
        """Return the skills by name; a broken file is left out and reported once."""

    def problems(self) -> tuple[str, ...]:
        """Return one line per file that is left out now, after looking again."""
