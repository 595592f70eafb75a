"""Finds what has ended or changed since it was told: "I sold the Volvo" behind "I have a red Volvo".

Nobody says that it corrects anything, so both are told: the change first, what was before it as that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.memory.answering.evidence import Aliases, Evidence, RecalledUtterance, list_statements
from bot.memory.patterns import compile_bounded
from bot.memory.synonyms import PEOPLE, STOP_WORDS, find_concept, is_alike
from language import alternatives, detect_languages, languages
from language.words import fold, split_words

_LANGUAGES: Final = languages()
_NO_THINGS: Final = STOP_WORDS.union(*(each.learning.articles for each in _LANGUAGES))
"""Words that name nothing, those among them that mean something in another language."""
_REMEMBERED: Final = 4096
"""Texts of which it is known whether they tell a change: the same memories are found again and again."""
_LEAST_SHARED: Final = 2
"""Concepts that two sentences have in common, of which one is about the speaker and the other about somebody else."""
_SUBJECT: Final = 5
"""Words of a sentence among which it is looked for who does something."""


def _compile(sources: Sequence[str]) -> re.Pattern[str]:
    # Of small letters: five times as fast as looking for either case.
    return compile_bounded(rf"(?<!\w){alternatives(sources)}(?!\w)")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A :class:`~language.changes.Change`, compiled."""

    ends: re.Pattern[str]
    of: re.Pattern[str] | None
    personal: bool
    own: bool


_KINDS: Final = tuple(
    _Kind(_compile((change.ends,)), _compile((change.of,)) if change.of else None, change.personal, change.own)
    for each in _LANGUAGES
    for change in each.changes.kinds
)
_ANY: Final = _compile(tuple(change.ends for each in _LANGUAGES for change in each.changes.kinds))
_PAST: Final = {each.code: _compile((each.changes.past,)) for each in _LANGUAGES if each.changes.past}
"""By language: "was" asks for the past in English and for a thing in German."""
_SPEAKER: Final = _compile(tuple(each.changes.speaker for each in _LANGUAGES))
_ABSENT: Final = _compile(tuple(each.changes.absent for each in _LANGUAGES))


def find_changes(
    asked: str, chosen: Sequence[Evidence], spoken: Sequence[RecalledUtterance], known: Aliases
) -> dict[int, Evidence]:
    """Return, by the place in ``chosen`` of what somebody told, the last thing of theirs that ended or changed it.

    A question for what was before is answered by that, and one that names the change by the change.
    """
    if not chosen or _asks_past(asked) or _tells_change(asked):
        return {}
    told = [piece for piece in chosen if piece.source.role == "user"]
    oldest = min((piece.age for piece in told), default=math.inf)
    newer = [said for said in spoken if said.role == "user" and said.said_at and said.said_at.timestamp() > oldest]
    ended = [piece for said in newer for piece in _list_changes(said)]
    found: dict[int, Evidence] = {}
    for place, piece in enumerate(chosen if ended else ()):
        if piece.source.role != "user":
            continue
        later = [
            each
            for each in ended
            if each.text != piece.text and each.follows(piece) and _changes(each.text, piece.text, known)
        ]
        if later:
            found[place] = max(later, key=lambda each: each.age)
    return found


def _asks_past(asked: str) -> bool:
    past = _PAST.get(detect_languages(asked)[0].code)
    return past is not None and past.search(asked.lower()) is not None


@lru_cache(maxsize=_REMEMBERED)
def _tells_change(text: str) -> bool:
    return _ANY.search(text.lower()) is not None


def _list_changes(said: RecalledUtterance) -> Iterator[Evidence]:
    if _tells_change(said.text):
        for text in list_statements(said):
            if _tells_change(text) and not _ABSENT.search(text.lower()):
                yield Evidence(text, said)


def _changes(later: str, earlier: str, known: Aliases) -> bool:
    """Return whether a sentence ends what another one says."""
    new, old = later.lower(), earlier.lower()
    kinds = [kind for kind in _KINDS if kind.ends.search(new) and (kind.of is None or kind.of.search(old))]
    shared = _list_shared(later, earlier, known)
    return any(_fits(kind, later, earlier, shared, known) for kind in kinds)


def _fits(kind: _Kind, later: str, earlier: str, shared: frozenset[str], known: Aliases) -> bool:
    speaks = [_speaks_of_self(text) for text in (later, earlier)]
    if kind.own and all(speaks):
        return True
    if kind.personal and not all(speaks):
        # "I lent Josh my tent" is ended by what Josh did with the tent.
        named = not speaks[0] and _find_subject(later) in _widen(earlier, known)
        if not named or (any(speaks) and len(shared) < _LEAST_SHARED):
            return False
    # What ends anything at all must name the thing: two sentences about one person are not yet about one matter.
    things = shared if kind.of is not None or kind.personal else shared - PEOPLE
    return bool(things)


def _speaks_of_self(text: str) -> bool:
    return _SPEAKER.search(" ".join(fold(text).split()[:_SUBJECT])) is not None


def _find_subject(text: str) -> str:
    return next((find_concept(word) for word in split_words(text) if word not in _NO_THINGS), "")


def _widen(text: str, known: Aliases) -> frozenset[str]:
    concepts = (find_concept(word) for word in split_words(text) if word not in _NO_THINGS)
    return frozenset(name for each in concepts for name in (each, *known.get(each, ())))


def _list_shared(later: str, earlier: str, known: Aliases) -> frozenset[str]:
    """Return the concepts that both sentences have, by any name, the words of change and of state aside."""
    phrases = (split_words(found[0]) for kind in _KINDS for found in kind.ends.finditer(later.lower()))
    # Between "paid" and "back" stands what it is about.
    words = {find_concept(word) for phrase in phrases for word in (*phrase[:1], *phrase[-1:])}
    there = _widen(earlier, known)
    return frozenset(
        one for one in _widen(later, known) - words if one in there or any(is_alike(one, other) for other in there)
    )
