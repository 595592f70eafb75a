"""Imports that were asked for, in the chat or in the terminal: kept until they are done, whatever ends meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from bot.memory.scope import Scope
from bot.messages import Address, Author


class JobState(IntEnum):
    """How far an import is."""

    SHOWN = 0
    """What is in the file was shown; nobody has said yet that it be imported."""
    WAITING = 1
    DONE = 2
    REFUSED = 3
    CANCELLED = 4


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """How a file is taken: ``own`` are its authors who are ``user``, ``dates`` the order of day and month, if told.

    ``believed`` says that an export of Mneme comes back as it is: the operator's own choice, or this installation's own
    export of the same memory.
    """

    user: Author
    own: tuple[str, ...] = ()
    dates: str = ""
    believed: bool = False


@dataclass(frozen=True, slots=True)
class ImportJob:
    """An import.  ``asker_id`` says how it goes on; ``address`` is where its end is told, ``None`` for nowhere.

    ``done`` counts what this run has gone through of ``total``; ``added`` and ``forgotten`` hold over restarts.
    ``message_id`` shows the progress: ``None`` before there is one, 0 while nobody knows whether there is.
    """

    token: str
    scope: Scope
    asker_id: int
    name: str
    request: ImportRequest
    total: int
    address: Address | None = None
    state: JobState = JobState.SHOWN
    message_id: int | None = None
    done: int = 0
    added: int = 0
    forgotten: int = 0
    reason: str = ""
    language: str = ""


class ImportJobs(Protocol):
    """Keeps imports; every change is durable when the call returns."""

    async def add(self, job: ImportJob) -> None:
        """Keep a new import."""
        ...

    async def find(self, token: str) -> ImportJob | None:
        """Return an import, ``None`` if there is none, or its memory was erased."""
        ...

    async def find_open(self, scope: Scope) -> ImportJob | None:
        """Return the newest import of a memory that was shown or waits."""
        ...

    async def find_last(self, scope: Scope) -> ImportJob | None:
        """Return the import of a memory that was asked for last, however it stands."""
        ...

    async def next(self) -> ImportJob | None:
        """Return the oldest import that waits, begun anew: what it has gone through is counted from 0."""
        ...

    async def begin(self, token: str, request: ImportRequest, total: int) -> bool:
        """Let an import that was shown be done; ``False`` if it is not there, or was begun or ended before."""
        ...

    async def end(self, token: str, state: JobState, reason: str = "") -> bool:
        """Note how an open import ended; ``False`` if it had ended before."""
        ...

    async def show(self, token: str, message_id: int) -> None:
        """Note the message that shows the progress."""
        ...
