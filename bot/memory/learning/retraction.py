"""What is left when a statement no longer holds: of its message, and of the answers that repeat it.

An assistant quotes its memory: "You told me that my sister Vera lives in Porto".  When the original is erased, that
answer would bring it back.  It is better to blank an answer too many than one too few: the person's own words stay.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from bot.memory.learning.rewording import PREPOSITIONS
from bot.memory.patterns import compile_bounded
from language import alternatives, languages
from language.sentences import split_sentences
from language.words import fold, split_words

_BARE_WORDS: Final = 4
"""Words around a statement that say nothing without it: "please remember that"."""
_LEAST_SHARED: Final = 0.6
"""Of a statement's words, where it is told in words of its own: as many a sentence must have to be the one meant."""


def remove_statement(text: str, statement: str, stem: Callable[[str], tuple[str, ...]]) -> str:
    """Return ``text`` without the sentences, or the part of one, that say ``statement``; as it is if none does.

    Where nobody says it word for word, as where a language model worded it, the sentence goes that shares most of its
    words with it, if it shares enough of them.
    """
    wanted = " ".join(statement.split()).strip(" .!").casefold()
    sentences = split_sentences(text)
    if not wanted or not sentences:
        return text
    places = [" ".join(each.split()).casefold().find(wanted) for each in sentences]
    if max(places) < 0:
        shares = [_measure_share(each, statement, stem) for each in sentences]
        best = max(range(len(sentences)), key=shares.__getitem__)
        gone = {best: ""} if shares[best] >= _LEAST_SHARED else {}
    else:
        gone = {
            number: _cut(sentences[number], place, len(wanted)) for number, place in enumerate(places) if place >= 0
        }
    left, start = "", 0
    for number, sentence in enumerate(sentences):
        at = text.find(sentence, start)
        if at < 0 or number not in gone:
            continue
        left += text[start:at].rstrip(" ") + (f" {gone[number]}" if gone[number] else "")
        start = at + len(sentence)
    return (left + text[start:]).strip() if start else text


_JOINS: Final = alternatives({re.escape(word) for each in languages() for word in each.questions.joins})
_BETWEEN: Final = compile_bounded(rf"[,;]\s+(?:{_JOINS}\s+)?|\s+(?:[–—-]|{_JOINS})\s+", re.IGNORECASE)
_PERSONS: Final = frozenset[str]().union(*(each.questions.he | each.questions.she for each in languages()))
_SUBJECTS: Final = _PERSONS.union(*(each.learning.articles | each.questions.first_person for each in languages()))
_MOST_CLAUSES: Final = 8
_LEAST_REST: Final = 3
"""Words that still tell something."""


def list_rests(text: str) -> tuple[tuple[str, str], ...]:
    """Return each clause of a message with what stays without it, as far as that stands by itself.

    What goes on about a clause goes with it: "due in May" behind "Lena is pregnant".  Nobody can tell who "she" is
    where the first clause, which named her, is gone.
    """
    clauses, start = list[tuple[int, int, bool]](), 0
    for sentence in split_sentences(text):
        start = text.index(sentence, start)
        end = start + len(sentence.rstrip(" .!…"))
        borders = [(each.start(), each.end()) for each in _BETWEEN.finditer(text, start, end)]
        begins, ends = (start, *(after for _, after in borders)), (*(before for before, _ in borders), end)
        clauses += [(begin, stop, begin == start) for begin, stop in zip(begins, ends, strict=True)]
        start += len(sentence)
    if len(clauses) > _MOST_CLAUSES:
        return ()
    rests = []
    for number, (begin, _, opens) in enumerate(clauses):
        last = number
        while last + 1 < len(clauses) and not _stands_alone(text, clauses[last + 1]):
            last += 1
        behind = clauses[last + 1] if last + 1 < len(clauses) else None
        if behind is not None and number == 0 and not _PERSONS.isdisjoint(split_words(text[slice(*behind[:2])])):
            continue
        if opens:  # up to the next clause
            rest = f"{text[:begin]}{text[behind[0] :] if behind is not None else ''}"
        else:
            rest = f"{text[: clauses[number - 1][1]]}{text[clauses[last][1] :]}"
        rest = rest.strip()
        if len(rest.split()) >= _LEAST_REST:
            rest = rest[:1].upper() + rest[1:] if text[:1].isupper() else rest
            rests.append((text[begin : clauses[last][1]], rest))
    return tuple(rests)


def _begin(text: str, start: int) -> str:
    return fold("".join(text[start:].split(maxsplit=1)[:1]).strip(" ,.;:!"))


def _stands_alone(text: str, clause: tuple[int, int, bool]) -> bool:
    """Return whether a clause tells of somebody or something of its own: it names them, or begins a sentence."""
    start, _, opens = clause
    word = _begin(text, start)
    return opens or text[start].isupper() or word in _SUBJECTS or PREPOSITIONS.fullmatch(word) is not None


def _cut(sentence: str, place: int, length: int) -> str:
    """Return what a sentence says beside a statement in it, "" if that is nothing by itself."""
    flat = " ".join(sentence.split())
    rest = f"{flat[:place]} {flat[place + length :]}".strip(" ,;.!")
    return rest if len(rest.split()) > _BARE_WORDS else ""


def _measure_share(sentence: str, statement: str, stem: Callable[[str], tuple[str, ...]]) -> float:
    wanted = set(stem(statement))
    return len(wanted & set(stem(sentence))) / len(wanted) if wanted else 0.0


_WORD: Final = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PARTS: Final = re.compile(r"[^\W_]+")
_RUN: Final = 3
_TELLING: Final = 4
_LONG_NUMBER: Final = 5


@dataclass(frozen=True, slots=True)
class Echo:
    """Marks of a text that give it away: runs of three words, its names and codes, and whatever is cut out of it."""

    runs: frozenset[tuple[str, ...]]
    marks: frozenset[str]
    words: str = ""
    """All of them in order, between spaces."""


def echo_of(text: str, told: Collection[str] | None = None) -> Echo:
    """Return what to look for.  Marks are words with a digit and words with a capital inside a sentence.

    With ``told``, the words of the text that hold no longer, a run or a mark without any of them gives nothing away.
    """
    words = _words(text)
    marks = {
        word.casefold()
        for match, word in ((match, match.group()) for match in _WORD.finditer(text))
        if any(letter.isdigit() for letter in word) or (word[0].isupper() and not _starts_sentence(text, match.start()))
    }
    gone = None if told is None else {word.casefold() for word in told}
    runs = {run for run in _runs(words) if gone is None or not gone.isdisjoint(_PARTS.findall(" ".join(run)))}
    marks = {mark for mark in marks if len(mark) > 1 and (gone is None or not gone.isdisjoint(_PARTS.findall(mark)))}
    return Echo(frozenset(runs), frozenset(marks), _joined(words))


def repeats(answer: str, question: str, echo: Echo, *, near: bool) -> bool:
    """Return whether ``answer`` gives away what is to be forgotten.

    A shared run counts when it holds a telling word that the question itself did not bring along.  ``near`` says that
    the answer was made from it or follows it in the same session: then one of its names or codes is enough, otherwise
    only a code is.
    """
    brought = set(_words(question))
    words = _words(answer)
    for run in _runs(words):
        if run in echo.runs and any(len(word) >= _TELLING and word not in brought for word in run):
            return True
    told = (set(words) & echo.marks) - brought
    return bool(told) if near else any(len(mark) >= _TELLING and _is_code(mark) for mark in told)


def without(text: str, echo: Echo, *, near: bool, quoted: bool) -> str:
    """Return somebody else's text without the sentences that give away what is to be forgotten.

    ``near`` is as for :func:`repeats`.  ``quoted`` says that the text was cut out of an earlier one: then also a
    fragment of a word or two counts, where elsewhere it has to hold a name or a code.
    """

    def gives_away(sentence: str) -> bool:
        words = _words(sentence)
        if repeats(sentence, "", echo, near=near):
            return True
        if not words or len(words) >= _RUN or _joined(words) not in echo.words:
            return False
        return not echo.marks.isdisjoint(words) or (quoted and any(len(word) >= _TELLING for word in words))

    left = _drop_sentences(text, gives_away)
    # What goes over the end of a line or a sentence is found in the whole only.
    return "" if repeats(left, "", echo, near=near) else left


def cut_quotation(text: str, echo: Echo, told: Collection[str]) -> str:
    """Return a quotation without its sentences that hold one of the words ``told`` and stand in what was replaced.

    What somebody else said of the same name stays: a quotation has the words in the order of the original.
    """

    def is_replaced(sentence: str) -> bool:
        stands = _joined(_words(sentence)) in echo.words or repeats(sentence, "", echo, near=False)
        return stands and any(word in sentence for word in told)

    return _drop_sentences(text, is_replaced)


def _drop_sentences(text: str, goes: Callable[[str], bool]) -> str:
    lines = []
    for line in text.split("\n"):
        said = split_sentences(line)
        kept = [sentence for sentence in said if not goes(sentence)]
        if len(kept) == len(said):
            lines.append(line)
        elif kept:
            lines.append(" ".join(kept))
    return "\n".join(lines)


def _joined(words: list[str]) -> str:
    return f" {' '.join(words)} "


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)]


def _is_code(word: str) -> bool:
    """Return whether nobody says this word by chance: letters and digits mixed, or five digits and more."""
    digits = sum(letter.isdigit() for letter in word)
    return digits > 0 and (digits < len(word.replace("-", "")) or digits >= _LONG_NUMBER)


def _starts_sentence(text: str, position: int) -> bool:
    before = text[:position].rstrip(" \t\"'«»„“”(")
    return not before or before[-1] in ".!?…:\n"
