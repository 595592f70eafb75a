"""Finds the time zone that somebody means."""

import difflib
from functools import cache
from typing import Final
from zoneinfo import available_timezones

_SIMILAR: Final = 4


def find_zones(text: str) -> tuple[str, ...]:
    """Return the IANA names that ``text`` can mean: one if it is one or names its city, else a few that look similar.

    Reads the zones that this machine has, the first time: not to be called on the event loop.
    """
    wanted = _fold(text)
    names = _list_zones()
    if wanted in names:
        return (names[wanted],)
    cities = tuple(sorted(name for folded, name in names.items() if folded.rsplit("/", 1)[-1] == wanted))
    if cities:
        return cities
    near = difflib.get_close_matches(wanted, [*names, *(folded.rsplit("/", 1)[-1] for folded in names)], n=_SIMILAR)
    found = (name for each in near for folded, name in names.items() if each in (folded, folded.rsplit("/", 1)[-1]))
    return tuple(dict.fromkeys(found))[:_SIMILAR]


def is_zone(text: str, found: tuple[str, ...]) -> bool:
    """Return whether what was found for a text is what it says, and not something similar."""
    return len(found) == 1 and _fold(text) in (_fold(found[0]), _fold(found[0]).rsplit("/", 1)[-1])


@cache
def _list_zones() -> dict[str, str]:
    """Return the names of places, by their folded form; no aliases of single letters, no copies of other trees."""
    return {_fold(name): name for name in sorted(available_timezones()) if "/" in name or name == "UTC"}


def _fold(text: str) -> str:
    return "_".join(text.casefold().split())
