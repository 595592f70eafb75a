"""The person a question is about, and texts without the names of those who talk.

In a chat the speaker of a turn is metadata: "What did Anna paint?" is answered by a turn *of* Anna that says "I".
An embedding model matches names instead of content, so names of authors are taken out of what is embedded, and a
question about an author is asked in the first person: the way its answer was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.memory.overviews import find_overview
from language import alternatives, languages
from language.analyser import list_possessives

ASSISTANT: Final = -1
"""The place of the assistant among the authors of a chat."""

_LEAST_NICKNAME: Final = 3
_INFLECTED: Final = 5
_PERSONS: Final = tuple(each.persons for each in languages())
_FIRST: Final = re.compile(rf"\b{alternatives(each.asker for each in _PERSONS)}\b")
_SECOND: Final = re.compile(rf"\b{alternatives(each.listener for each in _PERSONS)}\b", re.IGNORECASE)
_ANSWERED: Final = re.compile(alternatives(each.asks_what_was_answered for each in _PERSONS), re.IGNORECASE)
_TOLD: Final = re.compile(alternatives(each.asks_what_was_told for each in _PERSONS))
_YOU_DID: Final = re.compile(rf"^\W*{alternatives(each.asks_what_was_done for each in _PERSONS)}", re.IGNORECASE)
"""Who does it is asked for, though "my" stands in the question, too: "Which hotel did you find for my trip?"."""
_CONJOINED: Final = re.compile(rf"\b{alternatives(each.together for each in _PERSONS)}\b", re.IGNORECASE)
_DECLINED: Final = tuple(
    (re.compile(f"[{each.letters}]", re.IGNORECASE), each.letters, each.persons.name_vowels)
    for each in languages()
    if each.letters and each.persons.name_vowels
)
"""Languages that decline names: their letters as a pattern and as a class, and the letters that a name loses."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a question is about.

    ``only`` is the one author it names or means; ``first`` the first of several.  Both are places in the list of names
    that was given, or :data:`ASSISTANT`; ``None`` when nobody is meant.  ``named`` are all places mentioned, in order.
    """

    only: int | None = None
    first: int | None = None
    named: tuple[int, ...] = ()


def find_subject(question: str, names: tuple[str, ...], asker: int | None) -> Subject:
    """Return whom ``question`` is about.

    ``names`` are the names of the chat's authors, ``asker`` the place of who asks, ``None`` for somebody who never
    spoke here: then "I" means nobody.
    """
    found = sorted((match.start(), place) for place, name in enumerate(names) if (match := _search(name, question)))
    named = tuple(place for _, place in found)
    if len(named) > 1:
        return Subject(first=None if _CONJOINED.search(question) else named[0], named=named)
    if named:
        return Subject(only=named[0], named=named)
    if asker is None:
        return Subject()
    return Subject(only=_find_person(question, asker))


def _find_person(question: str, asker: int) -> int | None:
    """Return who "I" and "you" mean: a question for what the assistant said may well hold "me"."""
    if _ANSWERED.search(question) and not _TOLD.search(question):
        return ASSISTANT
    if _YOU_DID.search(question):
        return ASSISTANT
    if _FIRST.search(question):
        return asker
    return ASSISTANT if _SECOND.search(question) else None


def find_focus(question: str, fold: Callable[[str], str]) -> str | None:
    """Return what a question over time or over everything is about; ``None`` for another, and where nothing is left.

    The words that only ask ("in what order", "throughout our conversations") outweigh its subject, and are themselves
    found wherever somebody talks about talking.  ``fold`` gives "" for words without a subject.
    """
    overview = find_overview(question)
    if overview is None:
        return None
    return " ".join(word for word in overview.subject.split() if fold(word)) or None


def remove_names(text: str, names: Iterable[str]) -> str:
    """Return a passage without the names of the chat's authors, for embedding."""
    for pattern in filter(None, map(_compile_name, names)):
        text = pattern.sub("", text)
    return re.sub(r"\s{2,}", " ", text).strip()


def rewrite_in_first_person(question: str, names: Iterable[str]) -> str:
    """Return a question with the names of the chat's authors as "I" and "my": as the answer was said."""
    for pattern in filter(None, map(_compile_name, names)):
        question = pattern.sub(lambda match: "my" if match.group().endswith(list_possessives()) else "I", question)
    return question.strip()


def _search(name: str, text: str) -> re.Match[str] | None:
    pattern = _compile_name(name)
    return pattern.search(text) if pattern else None


@lru_cache(maxsize=4096)
def _compile_name(name: str) -> re.Pattern[str] | None:
    """Return what finds a name: its first word, its nicknames that are a prefix ("Mel"), its cases."""
    words = re.findall(r"[^\W\d_]{2,}", name)
    if not words or not words[0][0].isupper():
        return None
    first = words[0]
    owner = f"{alternatives(list_possessives())}?"
    forms = [re.escape(first) + owner]
    declined = next(((letters, vowels) for own, letters, vowels in _DECLINED if own.match(first)), None)
    if declined and len(first) >= _LEAST_NICKNAME:
        letters, vowels = declined
        forms = [rf"{re.escape(first.rstrip(vowels))}[{letters}]{{0,3}}"]
    elif len(first) >= _INFLECTED:
        forms += [re.escape(first[:size]) + owner for size in range(len(first) - 1, _LEAST_NICKNAME - 1, -1)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
