"""Tells the operator when something needs a hand, once per occurrence and never too often.

What is wrong is asked of the parts themselves, again and again: whoever has a trouble only has to say so when asked.
What was told is kept in a file, so that a restart does not tell it again.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import structlog

from bot.errors import MnemeError, NotDelivered
from bot.files import write_whole
from bot.ports.when import Clock
from language.catalogue import Message
from language.texts import Texts

_AGAIN: Final = timedelta(hours=24)
"""A trouble that lasts is told again after so long."""
_PACE: Final = timedelta(hours=1)
"""A trouble that comes and goes, or changes, is told at most so often."""
EVENTS: Final = frozenset({"damage"})
"""What has happened and does not end: nothing is said when a restart forgets it."""

Tell = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Told:
    """When a trouble was told last, in which words, and whether it is over since."""

    at: datetime
    what: str
    over: bool = False


@dataclass(slots=True, eq=False)
class OwnerAlerts:
    """Looks at ``troubles`` (by name: what is wrong now, "" when nothing is) and tells what is new through ``tell``.

    What is gone at the next look was no trouble.

    ``measured`` gives further troubles that have to be counted.  ``tell`` holds the ways to the operator; without one
    everything stays in the log.  While it is ``quiet`` everything waits; what is over by then was no trouble.
    """

    troubles: Mapping[str, Callable[[], str]]
    measured: Callable[[Texts], Awaitable[Mapping[str, str]]]
    tell: Mapping[str, Tell]
    texts: Callable[[], Texts]
    clock: Clock
    file: Path
    _: KW_ONLY
    quiet: Callable[[], bool] = lambda: False
    _told: dict[str, _Told] | None = field(init=False, default=None)
    _seen: frozenset[str] = field(init=False, default_factory=frozenset)

    async def look(self) -> None:
        """Tell what is new; never raises but on cancellation."""
        if self.quiet():
            return
        texts = self.texts()
        wrong = {name: what for name, trouble in self.troubles.items() if (what := trouble())}
        try:
            wrong |= {name: what for name, what in (await self.measured(texts)).items() if what}
        except MnemeError as error:  # a store that cannot be asked is a trouble of its own
            structlog.get_logger().warning("troubles not counted", cause=str(error))
        lasting, self._seen = self._seen & wrong.keys(), frozenset(wrong)
        told = self._read()
        before = dict(told)
        now = self.clock.now()
        for name, what in wrong.items():
            if (
                name in lasting
                and self._is_due(told.get(name), what, now)
                and await self._say(name, texts.operator.needs_a_hand, what)
            ):
                told[name] = _Told(now, what)
        for name, last in before.items():
            if name in wrong or last.over:
                continue
            if name in EVENTS or await self._say(name, texts.operator.solved, last.what):
                told[name] = _Told(last.at, last.what, over=True)
        if told != before:
            self._write(told)

    @staticmethod
    def _is_due(last: _Told | None, what: str, now: datetime) -> bool:
        if last is None or last.at > now:  # a clock that was set back must not silence us
            return True
        return now - last.at >= (_PACE if last.over or last.what != what else _AGAIN)

    async def _say(self, name: str, sentence: Message, what: str) -> bool:
        """Tell it through every way there is; ``False`` if it reached nobody and is to be tried again."""
        structlog.get_logger().warning("operator alert", trouble=name, what=what)
        reached = not self.tell
        for platform, tell in self.tell.items():
            try:
                await tell(sentence.format(what=what))
                reached = True
            except NotDelivered as error:
                structlog.get_logger().warning("operator not reached", platform=platform, cause=str(error))
            except MnemeError as error:  # it may have arrived: twice is worse than once too few
                structlog.get_logger().warning("operator perhaps not reached", platform=platform, cause=str(error))
                reached = True
        return reached

    def _read(self) -> dict[str, _Told]:
        if self._told is None:
            self._told = {}
            try:
                for name, (at, what, over) in json.loads(self.file.read_text(encoding="utf-8")).items():
                    self._told[str(name)] = _Told(datetime.fromisoformat(at), str(what), bool(over))
            except FileNotFoundError:
                pass
            except (OSError, ValueError, TypeError, AttributeError) as error:
                structlog.get_logger().warning("earlier alerts not read", cause=type(error).__name__)
        return self._told

    def _write(self, told: Mapping[str, _Told]) -> None:
        written = {name: (last.at.isoformat(), last.what, last.over) for name, last in told.items()}
        try:
            write_whole(self.file, json.dumps(written).encode())
        except OSError as error:
            structlog.get_logger().warning("alerts not noted", cause=error.strerror)
