"""Answers who comes to something by all that was said of it in a row: "Ann is coming", "Ben too", "Cy can't".

Only the first of such messages names what it is about; those right behind it that name somebody, add or deny go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.memory.answering.evidence import Aliases, Evidence, RecalledUtterance, build_matcher, list_statements
from bot.memory.answering.questions import FIRST_PERSON, QuestionAnalysis, names_someone
from bot.memory.concepts import list_concepts
from bot.memory.learning.rewording import ADDS, holds_value
from language import negations
from language.words import split_words

_SOON_S: Final = 3600.0
"""Seconds within which the next one goes on."""
_MOST: Final = 8
_SHORT: Final = 80
"""Characters of a message that only goes on."""
_BARE: Final = 4
"""Words of one that neither shows a name nor adds or denies: in small letters nobody shows one."""


def list_attending(
    asked: QuestionAnalysis, spoken: Sequence[RecalledUtterance], known: Aliases
) -> tuple[Evidence, ...]:
    """Return what the asker said last in a row of who comes, oldest first; empty where one message at most tells it.

    A day alone is no event: on it many things happen.
    """
    if all(map(holds_value, asked.gathering)):
        return ()
    mine = sorted((said for said in spoken if said.mine and said.said_at), key=_measure_age)
    row: list[RecalledUtterance] = []
    goes_on = False
    for said in mine:
        goes_on = goes_on and _measure_age(said) - _measure_age(row[-1]) <= _SOON_S
        if _names_it(said, asked, known):
            row = [*row, said] if goes_on else [said]
            goes_on = True
        elif goes_on and _goes_on(said, asked):
            row.append(said)
        else:
            goes_on = False
    told = tuple(Evidence(" ".join(said.text.split()), said) for said in row[:_MOST])
    return told if len(told) > 1 else ()


def _names_it(said: RecalledUtterance, asked: QuestionAnalysis, known: Aliases) -> bool:
    """Return whether a statement shares half of what is said of the event in a question for who comes."""
    has = build_matcher(list_concepts(said.text), known)
    shared = sum(has(term) for term in asked.gathering)
    return 2 * shared >= len(asked.gathering) and any(True for _ in list_statements(said))


def _goes_on(said: RecalledUtterance, asked: QuestionAnalysis) -> bool:
    """Return whether a short message may be about those who come: names somebody, adds, denies, or says hardly more."""
    if len(said.text) > _SHORT or not any(True for _ in list_statements(said)):
        return False
    words = split_words(said.text)
    if len(words) <= _BARE and FIRST_PERSON.isdisjoint(words):
        return True
    return bool(names_someone(said.text, asked) or ADDS.search(said.text) or negations().search(said.text.lower()))


def _measure_age(said: RecalledUtterance) -> float:
    return said.said_at.timestamp() if said.said_at else 0.0
