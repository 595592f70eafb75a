"""Cuts a message into passages: the unit that is scored.

A chat turn is one passage; a long answer is several, so that it competes with short turns on equal terms instead of
matching every question a little (LongMemEval, Wu et al. 2024, finds the same for session-sized keys).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.memory.ranking.timewords import says_when
from language import alternatives, languages
from language.sentences import sentences
from language.words import CAPITALS

PASSAGE_WORDS = 90
"""A passage closes before it grows beyond this many words; measured: 60 to 120 differ by less than noise."""

SHOWN_WORDS = 150
"""Messages up to this many words are shown whole."""

CUT = "[…]"


def passages(text: str, limit: int = PASSAGE_WORDS) -> tuple[str, ...]:
    """Return ``text`` as passages of whole sentences, each verbatim apart from white space between sentences.

    A sentence longer than ``limit`` words is cut into pieces of ``limit`` words.  An empty text gives one empty
    passage.
    """
    if len(text.split()) <= limit:
        return (text.strip(),)
    found: list[str] = []
    held: list[str] = []
    count = 0
    for piece in _pieces(text, limit):
        size = len(piece.split())
        if held and count + size > limit:
            found.append(" ".join(held))
            held, count = [], 0
        held.append(piece)
        count += size
    return (*found, " ".join(held)) if held else tuple(found)


def excerpt(text: str, piece: int) -> str:
    """Return what of a found message is worth showing: all of a short one, else its ``piece``-th passage, marked."""
    pieces = passages(text)
    if len(text.split()) <= SHOWN_WORDS or piece >= len(pieces):
        return text
    before, after = CUT if piece else "", CUT if piece + 1 < len(pieces) else ""
    return f"{before} {pieces[piece]} {after}".strip()


def _pieces(text: str, limit: int) -> list[str]:
    pieces: list[str] = []
    for sentence in sentences(text):
        words = sentence.split()
        if len(words) <= limit:
            pieces.append(sentence)
        else:
            pieces += [" ".join(words[start : start + limit]) for start in range(0, len(words), limit)]
    return pieces


# What a passage looks like, and what a question asks for: cheap marks that say whether the one can answer the other.
#
# A question that starts with "when" is answered by a passage with a time expression, "how many" by one with a number,
# "where" and "who" by one with a name, "why" by one with a reason; a passage that is itself a question rarely answers.
# Patterns of small letters are given small letters: ignoring case takes ``re`` three times as long.
# What somebody has done so far ("how many", "which … has") is told piece by piece, each when it was news.

ASKS, ENDS_ASKING, TIME, VAGUE_TIME, NUMBER, NAME, REASON, FIRST_PERSON, NEWS = (1 << bit for bit in range(9))

_LANGUAGES: Final = languages()
_NUMBER: Final = re.compile(rf"\b(?:\d+|{alternatives(each.cues.number for each in _LANGUAGES)})\b")
_NAME: Final = re.compile(rf"(?<=[^\W\d_,][ ])[{CAPITALS}][^\W\d_]{{2,}}|[\"“«][^\"“”«»]{{1,80}}[\"”»]")
_REASON: Final = re.compile(rf"\b{alternatives(each.cues.reason for each in _LANGUAGES)}\b")
_FIRST: Final = re.compile(rf"\b{alternatives(each.persons.speakers for each in _LANGUAGES)}\b")
_NEWS: Final = re.compile(rf"\b{alternatives(each.cues.news for each in _LANGUAGES)}\b")

_ASKED: Final = tuple(each.interrogatives for each in _LANGUAGES)
_WHEN: Final = re.compile(rf"^\W*{alternatives(each.when for each in _ASKED)}\b")
_HOW_MANY: Final = re.compile(rf"\b{alternatives(each.how_many for each in _ASKED)}\b")
_NAMED: Final = re.compile(rf"\b{alternatives(each.named for each in _ASKED)}\b")
_WHY: Final = re.compile(rf"\b{alternatives(each.why for each in _ASKED)}\b")
_SEVERAL: Final = re.compile(
    rf"\b{alternatives(each.several for each in _ASKED)}\b|^\W*{alternatives(each.several_begin for each in _ASKED)}\b"
)


def cues(text: str) -> int:
    """Return the marks of a passage as bits."""
    said = text.strip()
    small = said.lower()
    exactly, roughly = says_when(said)
    marks = (
        (ASKS, "?" in said),
        (ENDS_ASKING, said.endswith("?")),
        (TIME, exactly),
        (VAGUE_TIME, roughly),
        (NUMBER, bool(_NUMBER.search(small))),
        (NAME, bool(_NAME.search(said))),
        (REASON, bool(_REASON.search(small))),
        (FIRST_PERSON, bool(_FIRST.search(said))),
        (NEWS, bool(_NEWS.search(small))),
    )
    return sum(bit for bit, present in marks if present)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kind of passage a question wants."""

    time: bool
    number: bool
    name: bool
    reason: bool
    several: bool


@lru_cache(maxsize=4)
def wanted(question: str) -> Wanted:
    """Return what a question asks for, by its interrogatives."""
    small = question.lower()
    return Wanted(
        time=bool(_WHEN.search(small)),
        number=bool(_HOW_MANY.search(small)),
        name=bool(_NAMED.search(small)),
        reason=bool(_WHY.search(small)),
        several=bool(_SEVERAL.search(small)),
    )
