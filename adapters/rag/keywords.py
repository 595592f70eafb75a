"""The words of a question that LightRAG should look for.

LightRAG asks a language model for them unless the client sends them, and its ``/query/data`` answers 500 when that
model finds none; so we always send our own, or use ``naive`` mode, which needs none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from language import languages, stop_words
from language.words import fold

_WORD: Final = re.compile(r"[^\W_]+(?:[-'’./@:+#&][^\W_]+)*")
_STOP: Final = stop_words().union(*(each.vocabulary.asking_words for each in languages()))
_WIDE: Final = re.compile(
    "[\u1100-\u11ff\u2e80-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffee"
    "\U00016fe0-\U00016fff\U0001aff0-\U0001b2ff\U00020000-\U0003fffd]"
)
_MOST_LOW: Final = 24
_MOST_HIGH: Final = 8
_LONGEST: Final = 120
_SHORTEST_QUERY: Final = 3
_SHORTEST_NAME: Final = 3


@dataclass(frozen=True, slots=True)
class Keywords:
    """``low``: names, codes and content words, for entities; ``high``: the question's phrases, for relations."""

    low: tuple[str, ...]
    high: tuple[str, ...]


def searchable(question: str) -> bool:
    """Whether LightRAG takes the question: at least three characters, where East Asian ones count as two."""
    question = question.strip()
    return len(question) + len(_WIDE.findall(question[:_SHORTEST_QUERY])) >= _SHORTEST_QUERY and bool(question)


def keywords(question: str) -> Keywords | None:
    """Return what to look for, ``None`` when the question holds nothing but function words.

    Low-level keywords come in this order: runs of capitalised words (names of several words), codes, the other content
    words; so that a cut hits the least telling.  A high-level keyword is a run of content words.
    Limits are LightRAG's: 64 per list, 512 characters each; ours are lower.
    """
    runs: list[list[str]] = [[]]
    previous_end = 0
    for match in _WORD.finditer(question):
        if not _is_gap(question[previous_end : match.start()]):
            runs.append([])
        previous_end = match.end()
        if _is_content(match.group(), starts=match.start() == len(question) - len(question.lstrip())):
            runs[-1].append(match.group()[:_LONGEST])
        else:
            runs.append([])
    runs = [run for run in runs if run]
    if not runs:
        return None
    words = [word for run in runs for word in run]
    names = [" ".join(name)[:_LONGEST] for run in runs for name in _names(run)]
    codes = [word for word in words if any(character.isdigit() for character in word)]
    phrases = [" ".join(words)[: 4 * _LONGEST], *(" ".join(run)[:_LONGEST] for run in runs if len(run) > 1)]
    return Keywords(_unique([*names, *codes, *words], _MOST_LOW), _unique(phrases, _MOST_HIGH))


def _is_gap(between: str) -> bool:
    return not between.strip()


def _is_content(word: str, *, starts: bool) -> bool:
    """A function word is one, unless it is written as a name ("Where does Will live?")."""
    if fold(word).replace("’", "'") in _STOP and (starts or len(word) < _SHORTEST_NAME or not word.istitle()):
        return False
    return len(word) > 1 or word.isdigit() or bool(_WIDE.match(word))


def _names(run: list[str]) -> list[list[str]]:
    names: list[list[str]] = [[]]
    for word in run:
        if word[0].isupper():
            names[-1].append(word)
        else:
            names.append([])
    return [name for name in names if len(name) > 1]


def _unique(words: list[str], most: int) -> tuple[str, ...]:
    return tuple({word.casefold(): word for word in reversed(words)}.values())[::-1][:most]
