"""WhenReader: tells when something is to happen from how people say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.ports.repetition import Repetition


@dataclass(frozen=True, slots=True)
class Plan:
    """A time that was understood: ``local`` is the naive wall-clock time of the first one in the reader's zone.

    ``passes`` says that it is a length of time from the message on, which no change of a clock or zone moves: then
    ``local`` is what the clock showed, and that length added.
    ``assumed`` says that no time of day was given, and a usual one was taken.
    """

    local: datetime
    passes: bool = False
    repetition: Repetition | None = None
    assumed: bool = False


class WhenProblem(StrEnum):
    """Why no single time was understood."""

    NO_TIME = "no_time"
    PAST = "past"
    AMBIGUOUS = "ambiguous"
    EVENT = "event"
    """It is set by an event of which nothing is known: "10 minutes before the train"."""
    NEVER = "never"
    """Its end lies before its beginning, or no calendar has such a day."""


@dataclass(frozen=True, slots=True)
class WhenReading:
    """What a sentence says: ``text`` is what is left of it without the request and the time.

    Either ``plan`` is set or ``problem``; ``options`` are the times that an ambiguous one may mean.  ``past`` is the
    time that is over, for :attr:`WhenProblem.PAST`.
    """

    text: str
    plan: Plan | None = None
    problem: WhenProblem | None = None
    options: tuple[Plan, ...] = ()
    past: datetime | None = None
    asked: bool = False
    """Whether the words of a request for a reminder were there."""
    vague: bool = False
    """Whether words of time were there that no time fits: "in spring"."""


class WhenReader(Protocol):
    """Reads times in the languages that are installed."""

    def may_ask(self, text: str) -> bool:
        """Return whether words that ask for a reminder stand in a text: most texts need no reading."""
        ...

    def read(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading:
        """Return what ``text`` says, seen from ``now``, which is aware and in the zone that times are meant in.

        ``languages`` are codes of those to be tried first: of the message, of its author's client.
        """
        ...

    def read_alone(self, text: str, now: datetime, languages: Sequence[str] = ()) -> WhenReading | None:
        """Return the same for a text that says nothing but a time, ``None`` for any other."""
        ...
