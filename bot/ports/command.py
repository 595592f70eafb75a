"""Slash commands."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.scope import Scope
from bot.messages import Author, InboundMessage
from bot.turn import Reply, Session


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A command as it was written: ``/forget  booking code`` has the argument ``booking code``."""

    name: str
    argument: str
    message: InboundMessage
    scope: Scope
    session: Session
    now: datetime

    @property
    def author(self) -> Author:
        """Who wrote it."""
        return self.message.author


class Command(Protocol):
    """One command in one file."""

    @property
    def name(self) -> str:
        """The word after the slash."""

    async def run(self, call: CommandCall) -> Reply:
        """Do it and return what to say.

        Raises :class:`~bot.errors.CommandInvalid` with a sentence for the user.
        """
