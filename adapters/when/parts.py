"""Finds the parts of a time in a sentence, which of them stand together, and what sounds like time besides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final

from adapters.when.calendar import find_zones
from adapters.when.patterns import Form, Kind, Patterns

_RANK: Final = {kind: place for place, kind in enumerate(Kind)}
_ENDS: Final = (Kind.UNTIL, Kind.TIMES, Kind.LASTING)
REPEATS: Final = frozenset(
    {
        Kind.EVERY,
        Kind.EVERY_NUMBER,
        Kind.EVERY_PART,
        Kind.EACH,
        Kind.EACH_DATE,
        Kind.RANGE,
        Kind.SECOND,
        Kind.WORKDAYS,
        Kind.WEEKENDS,
        Kind.OF_MONTH,
    }
)
_NEVER_ALONE: Final = frozenset({*_ENDS, Kind.MONTH, Kind.WITHOUT, Kind.ZONE, Kind.EARLIER})
_TIED: Final = 40
"""Characters beside a part in which words may stand that tie it to others."""
_WORD: Final = re.compile(r"[\w½¼¾]+(?:[-'’][\w]+)*")
_NUMBER: Final = re.compile(r"\d{1,4}|[½¼¾]")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a time and where it stands; ``zones`` are those that it names."""

    form: Form
    found: re.Match[str]
    zones: tuple[tzinfo, ...] = ()
    rivalled: bool = False
    """Whether the same words may say that it repeats: "через день" is in a day, or every other day."""

    @property
    def kind(self) -> Kind:
        """What it says."""
        return self.form.kind

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.found.start()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.found.end()


@dataclass(frozen=True, slots=True)
class Cluster:
    """Parts that are read together, in order."""

    parts: tuple[Part, ...]

    def has(self, *kinds: Kind) -> bool:
        """Whether a part of one of these kinds is there."""
        return any(part.kind in kinds for part in self.parts)

    @property
    def tells(self) -> bool:
        """Whether it says when: an end or a number of times alone does not, nor does a month."""
        return any(part.kind not in _NEVER_ALONE for part in self.parts)


def find_parts(
    text: str, patterns: Patterns, now: datetime, *, timer: bool = False, repeating: bool = False
) -> tuple[Part, ...]:
    """Return the parts of ``text`` that do not overlap: the longest first, then by kind.

    A ``timer`` has lengths, too: "for 10 minutes".  ``repeating`` says that more than one reminder is asked for: what
    may be a repetition then is one.  ``now`` is aware.
    """

    def rank(part: Part) -> tuple[int, bool, int, int]:
        return part.start - part.end, repeating and part.kind not in REPEATS, _RANK[part.kind], part.start

    found = [
        Part(form, match)
        for form in patterns.forms
        if timer or form.kind is not Kind.TIMER
        for match in form.pattern.finditer(text)
        if match.end() > match.start()
    ]
    if not any(part.kind in REPEATS for part in found):
        found = [part for part in found if part.kind not in (Kind.LASTING, Kind.WITHOUT)]
    found = [named for part in found if (named := _name_zone(part, text, found, patterns, now)) is not None]
    found.sort(key=rank)
    chosen: list[Part] = []
    for part in found:
        if all(part.end <= other.start or part.start >= other.end for other in chosen):
            rivals = [other for other in found if (other.start, other.end) == (part.start, part.end)]
            rivalled = not repeating and part.kind not in REPEATS and any(each.kind in REPEATS for each in rivals)
            chosen.append(replace(part, rivalled=rivalled))
    return tuple(sorted(chosen, key=lambda part: part.start))


def _name_zone(part: Part, text: str, found: Sequence[Part], patterns: Patterns, now: datetime) -> Part | None:
    """Return a part with the zones that it names; ``None`` for a name of none, or one that no time of day is before."""
    if part.kind is not Kind.ZONE:
        return part
    before = text[: part.start].rstrip(" (")
    if not any(other.kind in (Kind.CLOCK, Kind.PART, Kind.DAY_PART) and other.end == len(before) for other in found):
        return None
    name = str(part.form.value[0]) if part.form.value else part.found.groupdict().get("city") or part.found[0]
    zones = find_zones(name, patterns.code, now, iana=bool(part.form.value))
    return Part(part.form, part.found, zones) if zones else None


def group_parts(text: str, parts: Sequence[Part], patterns: Patterns) -> list[Cluster]:
    """Return the groups of parts between which nothing else is said, in order."""
    groups: list[list[Part]] = []
    for part in parts:
        if groups and patterns.fillers.fullmatch(text, groups[-1][-1].end, part.start):
            groups[-1].append(part)
        else:
            groups.append([part])
    return [Cluster(tuple(group)) for group in groups]


def _begin_of(text: str, part: Part, patterns: Patterns) -> int:
    """Return where the words begin that tie a part to what is before it: "the first one on" before "Monday"."""
    starts = (found.start() for found in _WORD.finditer(text, max(part.start - _TIED, 0), part.start))
    return next((at for at in starts if patterns.fillers.fullmatch(text, at, part.start)), part.start)


def _end_of(text: str, part: Part, patterns: Patterns) -> int:
    ends = (found.end() for found in _WORD.finditer(text, part.end, part.end + _TIED))
    tied = [at for at in ends if patterns.fillers.fullmatch(text, part.end, at)]
    return tied[-1] if tied else part.end


def list_unread(text: str, parts: Sequence[Part], patterns: Patterns) -> Iterator[str]:
    """Yield the words of ``text`` that sound like time and are in none of its parts.

    Names of days, months and parts of the day do so wherever they stand, a number of days, too; numbers, units and
    words like "before" beside a part.
    """
    yield from (part.found[0] for part in parts if part.rivalled)
    taken = [(_begin_of(text, part, patterns), _end_of(text, part, patterns)) for part in parts]

    def is_free(start: int, end: int) -> bool:
        return all(end <= begin or start >= stop for begin, stop in taken)

    repeats = any(part.kind in REPEATS for part in parts)
    for pattern in (patterns.sounds, patterns.long, *(() if repeats else (patterns.each_time,))):
        for found in pattern.finditer(text):
            if is_free(found.start(), found.end()):
                yield found[0]
    for found in _WORD.finditer(text):
        if not is_free(found.start(), found.end()):
            continue
        counts = _NUMBER.fullmatch(found[0]) or patterns.is_number(found[0])
        relates = patterns.relations.fullmatch(found[0])
        beside = taken if counts else [(part.start, part.end) for part in parts] if relates else []
        if patterns.is_misspelt(found[0]) or any(
            (not text[end : found.start()].strip(" ,") and end <= found.start())
            or (not text[found.end() : start].strip(" ,") and found.end() <= start)
            for start, end in beside
        ):
            yield found[0]
