"""Cuts text into sentences, for languages with full stops.

Rules instead of a model: a wrong border costs little here, a dependency or a slow start costs every turn.
The points of lists are found as well: numbered, with bullets, headings and rows of tables, on lines of their own or in
one.  A point without its number is another statement ("the second of three"), and a number without its point is none.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from language.registry import alternatives, languages
from language.words import SMALL_LETTERS

_END: Final = re.compile(
    rf"[.!?…。！？\n](?:(?<=\n)\n*|(?<!\n)[\"'»”’)\]]*\s+(?=[\"'«“‘(\[]*[^\W_{SMALL_LETTERS}])|(?<=[。！？])(?=\S))"
)
"""Begins with the sign, although a border stands after it: so the engine skips to the signs (twice as fast)."""
_SMALL_END: Final = re.compile(rf"[.!?](?<![\d.…][.!?])\s+(?=[{SMALL_LETTERS}])")
"""The same where somebody writes without capitals."""
_LONGEST_ABBREVIATION: Final = 12
_LIST_NUMBER: Final = re.compile(r"[\s*_#>+•–-]{0,64}+\d{1,3}(?:\.\d{1,3}){0,3}\.")


@lru_cache(maxsize=1024)
def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text`` in order, stripped, verbatim; lines are never joined.

    Abbreviations ("Dr. Weber", "ул. Ленина"), initials, list numbers and ordinals ("3. Mai") do not end a sentence, nor
    does a riddle that its answer follows ("guess who got in? Simone!").  Who begins with a small letter, and no
    sentence with a capital, ends sentences before small letters.
    The points of a list begin one each, with their numbers or bullets, within a line, too.
    """
    return tuple(sentence for point in split_points(text) for sentence in _split_point(point))


def _split_point(text: str) -> tuple[str, ...]:
    abbreviation = _compile_abbreviation()
    found: list[str] = []
    start = 0
    borders = list(_END.finditer(text))
    if not borders and text.lstrip(" \t+\"'(«“")[:1].islower():
        borders = list(_SMALL_END.finditer(text))
    for border in borders:
        sign = border.start() + 1
        if "\n" not in border.group() and (
            abbreviation.search(text[max(start, sign - _LONGEST_ABBREVIATION) : sign].strip())
            or _is_number(text, start, sign)
            or is_ordinal(text, sign)
            or (text[sign - 1] == "?" and (asked := _compile_riddle().match(text, start)) and asked.end() == sign)
        ):
            continue
        if before := text[start : border.end()].strip():
            found.append(before)
        start = border.end()
    last = text[start:].strip()
    return (*found, last) if last else tuple(found)


def _is_number(text: str, start: int, end: int) -> bool:
    """Return whether a sentence would be nothing but the number of a list's entry."""
    return _LIST_NUMBER.fullmatch(text, start, end) is not None


@cache
def _compile_riddle() -> re.Pattern[str]:
    """Return the pattern of a question that nobody is to answer: what follows it does."""
    openers = alternatives(each.speech.openers for each in languages())
    riddles = alternatives(each.speech.riddles for each in languages())
    return re.compile(rf"\s{{0,8}}(?:{openers}\b[,\s]{{0,8}}){{0,3}}{riddles}[^?!.\n]{{0,80}}\?", re.IGNORECASE)


@cache
def _compile_abbreviation() -> re.Pattern[str]:
    known = alternatives(each.abbreviations for each in languages())
    return re.compile(rf"(?:^|[\s(«\"'])(?:{known}|[^\W\d_])\.$", re.IGNORECASE)


_NUMBERED: Final = re.compile(r"(?<!\S)[*_]{0,3}(?P<number>\d{1,3})(?P<sign>[.)])[*_]{0,3}(?=\s+\S)")
_BULLET: Final = re.compile(r"(?<!\S)(?P<sign>[-*•‣▪–]|#{2,6})(?=\s+\S)")
_OWN_SIGNS: Final = frozenset({*"•‣▪", *("#" * depth for depth in range(2, 7))})
"""Signs that nothing but a list or a heading has."""
_ENDED: Final = tuple(".!?…:;*_`)]»”\"'")
"""What stands before a numbered point in one line: the end of a sentence, or of what is set in bold, quoted …"""
_SENTENCE_ENDS: Final = tuple(".!?…;")
_ORDINAL: Final = re.compile(r"(?<![\w.,])\d{1,2}\.$")
_BROKEN: Final = re.compile(r"[.!?…;]\s|\n")
"""Behind it a bullet is of another list, or a dash."""
_MARKED: Final = re.compile(r"\s*(?:[*_>]*\d{1,3}[.)]\s|[-*+•‣▪–]\s|#{1,6}\s|\|)")


def begins_point(text: str) -> bool:
    """Return whether ``text`` begins with the mark of a point, a heading or a row of a table."""
    return _MARKED.match(text) is not None


def split_points(text: str) -> tuple[str, ...]:
    """Return ``text`` cut before the points of lists that stand within a line, unstripped and without loss.

    Numbers make a list if they count from one, at least two, and the second stands where a sentence has ended, or has a
    bracket: "in room 1. Then" is none.  Dashes and stars are bullets behind the end of a sentence, or if several
    follow a colon.  Lines are not cut here: they end anyway.
    """
    starts = sorted({*_find_numbered(text), *_find_bullets(text)} - {0})
    return tuple(text[begin:end] for begin, end in zip((0, *starts), (*starts, len(text)), strict=True))


def _find_numbered(text: str) -> Iterator[int]:
    """Yield where the points of the numbered lists begin."""
    run: list[re.Match[str]] = []
    for mark in _NUMBERED.finditer(text):
        number = int(mark["number"])
        if mark["sign"] == "." and is_ordinal(text, mark.end("sign")):
            continue
        if number == 1:
            yield from _list_starts(run)
            run = [mark]
        elif run and _follows(mark, run[-1]):
            run.append(mark)
    yield from _list_starts(run)


def _follows(mark: re.Match[str], before: re.Match[str]) -> bool:
    """Return whether a numbered point comes next in the list of the one before."""
    return (
        int(mark["number"]) == int(before["number"]) + 1
        and mark["sign"] == before["sign"]
        and (mark["sign"] == ")" or _is_ended(mark.string, mark.start(), _ENDED))
    )


def _list_starts(run: list[re.Match[str]]) -> list[int]:
    return [mark.start() for mark in run] if len(run) > 1 else []


def _find_bullets(text: str) -> Iterator[int]:
    """Yield where the points with bullets begin; those behind a colon are as many as the line has of their sign."""
    before, listed, waiting = 0, "", -1
    for mark in _BULLET.finditer(text):
        sign, at = mark["sign"], mark.start()
        if _BROKEN.search(text, before, at):
            listed, waiting = "", -1
        before = at
        if sign in _OWN_SIGNS or _is_ended(text, at, _SENTENCE_ENDS):
            yield at
        elif sign == listed:
            if waiting >= 0:
                yield waiting
                waiting = -1
            yield at
        elif _is_ended(text, at, (":",)):
            listed, waiting = sign, at


def _is_ended(text: str, at: int, signs: tuple[str, ...]) -> bool:
    """Return whether nothing stands before ``at`` in its line, or one of ``signs`` does."""
    before = at
    while before and text[before - 1] in " \t\u00a0":
        before -= 1
    return before == 0 or text[before - 1] == "\n" or text.endswith(signs, 0, before)


def is_ordinal(text: str, end: int) -> bool:
    """Return whether the full stop before ``end`` belongs to an ordinal number and the word after it ("3. Mai")."""
    return (
        _ORDINAL.search(text[max(0, end - 4) : end]) is not None
        and _compile_after_ordinal().match(text, end) is not None
    )


@cache
def _compile_after_ordinal() -> re.Pattern[str]:
    return re.compile(rf"\s{{1,3}}{alternatives(each.after_ordinals for each in languages())}\b", re.IGNORECASE)
