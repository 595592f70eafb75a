"""What a message says that answers what was shown to choose from, and nothing else: "1 and 2", "yes, all", "no".

Every word must be one of an answer: what says anything more chooses nothing.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.core.shown import split_places
from bot.memory.patterns import compile_bounded
from language import alternatives, languages
from language.words import fold, split_words

_LONGEST: Final = 60
"""Characters of an answer."""
_NUMBERS: Final = re.compile(r"(?<![\w.,:#-])#?(\d{1,2})\.?(?![\w:-]|[.,]\d)")


@dataclass(frozen=True, slots=True)
class Choice:
    """``places`` in what was shown, 1 for the first and -1 for the last; or ``every`` one, or ``none`` of them.

    One without any of it agrees, or is in doubt, and does not say to what.
    """

    places: tuple[int, ...] = ()
    every: bool = False
    none: bool = False
    agrees: bool = False


def read_choice(text: str) -> Choice | None:
    """Return what an answer chooses, ``None`` for a text that says anything else."""
    if len(text) > _LONGEST or "?" in text:
        return None
    found, rest = {}, fold(text)
    for name, pattern in _compile_answers().items():
        found[name], rest = pattern.search(rest) is not None, pattern.sub(" ", rest)
    places, left = split_places(rest)
    left = _compile_ones().sub(" ", left) if places else left
    places += tuple(int(each) for each in _NUMBERS.findall(left))
    left = _NUMBERS.sub(" ", left)
    for pattern, number in () if places else _compile_numbers():
        places, left = (*places, number) if pattern.search(left) else places, pattern.sub(" ", left)
    said = places or any(found.values())
    if not said or not _list_beside().issuperset(split_words(left)):
        return None
    kinds = [bool(places), found["every"], found["declines"]]
    if sum(kinds) > 1:
        return Choice()
    return Choice(places, found["every"], found["declines"], found["agrees"])


@cache
def _compile_answers() -> dict[str, re.Pattern[str]]:
    forms = {
        "declines": [each.small_talk.declines for each in languages()],
        "agrees": [each.small_talk.agrees for each in languages()],
        "every": [each.small_talk.every for each in languages()],
    }
    return {name: compile_bounded(rf"(?<!\w){alternatives(form)}(?!\w)", re.IGNORECASE) for name, form in forms.items()}


@cache
def _compile_ones() -> re.Pattern[str]:
    ones = [each.small_talk.ones for each in languages() if each.small_talk.ones]
    return compile_bounded(rf"(?<!\w){alternatives(ones)}(?!\w)", re.IGNORECASE)


@cache
def _compile_numbers() -> tuple[tuple[re.Pattern[str], int], ...]:
    numbers = [pair for each in languages() for pair in each.schedule.numbers.items()]
    return tuple((compile_bounded(rf"(?<!\w)(?:{word})(?!\w)", re.IGNORECASE), number) for word, number in numbers)


@cache
def _list_beside() -> frozenset[str]:
    return frozenset[str]().union(*(each.small_talk.beside | each.small_talk.thanks for each in languages()))
