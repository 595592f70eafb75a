"""One step of every turn, the readers of files that one of them hands on to, and slash commands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Protocol

from bot.files import InboundFile
from bot.memory.scope import Scope
from bot.messages import Author, InboundMessage
from bot.turn import Reply, Session, Turn
from language.texts import Texts


class OnError(StrEnum):
    """What a system's failure means for the turn."""

    SKIP = "skip"
    """Go on with the turn as it was before the system."""
    APOLOGISE = "apologise"
    """Go on with a notice as the reply."""
    FAIL = "fail"
    """Give the turn up; it is tried again from the journal."""


class System(Protocol):
    """One step of every turn; ``order`` is its place, ``on_error`` its policy."""

    order: ClassVar[int]
    on_error: ClassVar[OnError]

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with this system's contribution."""


class AttachmentHandler(Protocol):
    """Reads files of some kinds, by what the message shows them as ("document", "photo", "voice" …)."""

    kinds: frozenset[str]

    async def handle(self, turn: Turn, file: InboundFile) -> Turn:
        """Return the turn with what the file says, or why it could not be read.

        Adds the file's id to ``handled_files`` when all is said about it, and what is said to ``receipts`` (for the
        author) and ``told`` (for the model); the same turn as it was leaves the file to the next handler of its kind.
        Sets no reply: that is made once all files are read.  What the file says is data, whoever sent it.
        Raises no error of the file's or of those who fetch and read it; :class:`~bot.errors.StorageUnavailable` may
        come through.
        """


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A command as it was written: ``/forget  booking code`` has the argument ``booking code``."""

    name: str
    argument: str
    message: InboundMessage
    scope: Scope
    session: Session
    now: datetime

    @classmethod
    def by(cls, turn: Turn, name: str, argument: str = "") -> CommandCall:
        """Return the command that a turn is as good as."""
        return cls(name, argument, turn.message, turn.scope, turn.session, turn.started_at)

    @property
    def author(self) -> Author:
        """Who wrote it."""
        return self.message.author

    @property
    def texts(self) -> Texts:
        """What they are told."""
        return self.message.texts


class Command(Protocol):
    """One command in one file."""

    @property
    def name(self) -> str:
        """The word after the slash."""

    async def run(self, call: CommandCall) -> Reply:
        """Do it and return what to say.

        Raises :class:`~bot.errors.CommandInvalid` with a sentence for the user.
        """


class TakeBack(Protocol):
    """Takes back what the message of an exchange, by its uid, has done to something of a feature's."""

    async def __call__(self, call: CommandCall, exchange: str, *, only_back: bool) -> Reply | None:
        """Do it and say what that was; ``None`` where it had done nothing to it.

        ``only_back``: what it has ended comes back, what it has made stays.
        """
