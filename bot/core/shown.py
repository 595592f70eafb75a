"""System 58: what a place was shown last, for "the first one" and "the last one" to mean something of it.

The commands of the buttons below a reply name what it shows, in its order.  They are held in memory alone: after a
restart, or once something was erased, such words name nothing.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import ClassVar, Final, TypeVar

from cachetools import LRUCache

from bot.memory.patterns import compile_bounded
from bot.memory.scope import Scope
from bot.ports.system import OnError
from bot.turn import BUTTONS_LAST_S, Turn
from language import languages

Shown = TypeVar("Shown", int, str, datetime)
_PLACES: Final = 1024
_SHOWS_ONE: Final = re.compile(r"/(?:list done|remind (?:show|cancel)|forget) ")
_NUMBERED: Final = re.compile(r"/(?:list done|remind (?:show|cancel|move)) (\d+)")
_FORGETS_ONE: Final = re.compile(r"/forget (\S+)")
_LASTS: Final = timedelta(seconds=BUTTONS_LAST_S)


@dataclass(slots=True)
class ShownLast:
    """Keeps what was shown last, by place."""

    order: ClassVar[int] = 58
    on_error: ClassVar[OnError] = OnError.SKIP

    _shown: LRUCache[str, tuple[datetime, int, tuple[str, ...]]] = field(default_factory=lambda: LRUCache(_PLACES))
    _replied: LRUCache[str, tuple[str, ...]] = field(default_factory=lambda: LRUCache(_PLACES))
    """What the newest reply of a place shows, by place."""

    async def __call__(self, turn: Turn) -> Turn:
        """Note what the reply shows: one without buttons shows nothing, and one that takes back is no choice."""
        commands = tuple(command for _, command in turn.reply.buttons) if turn.reply is not None else ()
        self._replied[turn.address.key] = commands
        if len(commands) > 1 or any(map(_SHOWS_ONE.match, commands)):
            self.note(turn, commands)
        return turn

    def note(self, turn: Turn, commands: tuple[str, ...]) -> None:
        """Let the commands that would be below a reply name what it shows."""
        self._shown[turn.address.key] = (turn.started_at, turn.message.author.id, commands)

    def list_just_shown(self, turn: Turn) -> tuple[str, ...]:
        """Return the commands of what the newest reply in the place showed its author, () for one that showed none."""
        asker, commands = self._list_shown(turn)
        same = commands == self._replied.get(turn.address.key)
        return commands if same and asker == turn.message.author.id else ()

    def drop(self, turn: Turn) -> None:
        """Let nothing be named by its place any more: what is made now is the last there is."""
        self._shown.pop(turn.address.key, None)

    def find_numbers(self, turn: Turn, named: re.Pattern[str]) -> tuple[int, ...]:
        """Return the numbers in commands of a kind, in their order, where what was shown last is of that kind.

        ``named`` matches such a command from its beginning, the number being its first group.
        """
        found = (named.match(command) for command in self._list_shown(turn)[1])
        return tuple(dict.fromkeys(int(match[1]) for match in found if match is not None))

    def find_forgettable(self, turn: Turn) -> tuple[str, ...]:
        """Return what ``/forget`` was offered to take, one by one, where the author was shown that last."""
        asker, commands = self._list_shown(turn)
        found = (_FORGETS_ONE.fullmatch(command) for command in commands if asker == turn.message.author.id)
        return tuple(match[1] for match in found if match is not None)

    def find_offered(self, turn: Turn) -> datetime | None:
        """Return when ``/forget`` was offered to take something, where the author was shown that last."""
        return self._shown[turn.address.key][0] if self.find_forgettable(turn) else None

    def _list_shown(self, turn: Turn) -> tuple[int, tuple[str, ...]]:
        """Return whom the place was shown something last, and the commands of it that may still be meant."""
        at, asker, commands = self._shown.get(turn.address.key, (turn.started_at, 0, ()))
        return asker, commands if turn.started_at - at <= _LASTS else ()

    def means(self, turn: Turn, text: str) -> bool:
        """Return whether a text names something by its place where several were shown."""
        return bool(self.find_numbers(turn, _NUMBERED) and split_places(text)[0])

    def forget(self, _: Scope) -> None:
        """Forget what was shown: commands may hold names of lists."""
        self._shown.clear()
        self._replied.clear()


@cache
def _compile_places() -> tuple[tuple[re.Pattern[str], int], ...]:
    ordinals = [pair for each in languages() for pair in each.schedule.nth.items()]
    return tuple((compile_bounded(rf"(?<!\w)(?:{word})(?!\w)", re.IGNORECASE), place) for word, place in ordinals)


def split_places(text: str) -> tuple[tuple[int, ...], str]:
    """Return the places in a row that a text names, 1 for the first and -1 for the last, and the text without them."""
    found = []
    for pattern, place in _compile_places():
        if pattern.search(text):
            found.append(place)
            text = pattern.sub(" ", text)
    return tuple(dict.fromkeys(found)), text


def choose(shown: tuple[Shown, ...], places: tuple[int, ...]) -> tuple[Shown, ...]:
    """Return what stands in these places, () where one of the places is none."""
    chosen = [shown[place - 1 if place > 0 else place] for place in places if abs(place) <= len(shown)]
    return tuple(chosen) if len(chosen) == len(places) else ()
