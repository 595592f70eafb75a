"""Takes secrets out of a text before it is stored, indexed, logged or shown.

What never was stored cannot leak.  Precision matters as much as recall: a booking code or a PIN *hint* is what people
want remembered, so every rule asks for a checksum, an issuer's prefix, entropy beside a telling word, or a sentence
that tells a password.
Secrets are pasted from tables, cards and chats: with narrow or several blanks between the groups, with characters of
no width, in full-width figures (Unicode Standard Annex 15, NFKC).  The rules see one plain form; what is masked is what
was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Final

from bot.memory.secrets.configuration import find_configured_secrets
from bot.memory.secrets.financial import Finding, find_seed_phrases
from bot.memory.secrets.shapes import find_shaped_secrets
from bot.memory.secrets.words import MASK, find_told_secrets

_UNUSUAL: Final = re.compile(
    "[\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2010\u2011\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff\t\r\x0b\x0c]| {2}| \n|\n "
)
_BLANK: Final = " "


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in its plain spelling; ``places[n]`` is where its character ``n`` stands in what was written."""

    text: str
    places: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the written part that ``text[start:end]`` was made of."""
        return self.places[start], self.places[end - 1] + 1


def fold_spelling(text: str) -> FoldedText:
    """Return ``text`` in NFKC without characters of no width; blanks of every kind become one space, line ends stay."""
    if text.isascii() and text.isprintable() and "  " not in text:  # most messages
        return FoldedText(text, range(len(text)))
    if (text.isascii() or unicodedata.is_normalized("NFKC", text)) and _UNUSUAL.search(text) is None:
        return FoldedText(text, range(len(text)))
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if letters and unicodedata.combining(character):  # an accent of its own belongs to the letter before it
            joined = unicodedata.normalize("NFC", letters[-1] + character)
            letters[-1] = joined if len(joined) == 1 else letters[-1]
            continue
        for plain in _fold_character(character):
            if plain == _BLANK and letters and letters[-1] in " \n":
                continue
            if plain == "\n" and letters and letters[-1] == _BLANK:
                letters[-1], places[-1] = plain, place
                continue
            letters.append(plain)
            places.append(place)
    return FoldedText("".join(letters), places)


def _fold_character(character: str) -> str:
    if " " <= character <= "~" or character == "\n":
        return character
    if character in "\r\u2028\u2029\x0b\x0c":
        return "\n"
    if character.isspace() or character in "\u3164\uffa0\u115f\u1160":
        return _BLANK
    if unicodedata.category(character) in {"Cf", "Mn"} and unicodedata.combining(character) == 0:
        return ""  # no width: joiners, marks of direction, variation selectors, tags
    if character in "\u2010\u2011\u2012\u2212":
        return "-"
    return unicodedata.normalize("NFKC", character)


_RECENT: Final = 8
"""Texts kept with what was found in them: one turn asks several times about the same message."""


class Source(Enum):
    """Where a text comes from: what is masked by mistake cannot be had again, so not everywhere is guessed alike."""

    TYPED = "typed"
    """A person's words: a sentence may give a password away that is an ordinary word."""
    ANSWER = "answer"
    """An assistant's words, which speak of passwords and programs more often than they tell one."""
    DOCUMENT = "document"
    """What was written elsewhere: published formats, checksums, and values that stand beside their own name."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets; ``kinds`` names what was taken out, in order, each once ("API key", "password").

    ``secrets`` is what was taken out, for masking what repeats it.
    """

    text: str
    kinds: tuple[str, ...] = ()
    secrets: tuple[str, ...] = field(default=(), repr=False)


@lru_cache(maxsize=_RECENT)
def redact(text: str, source: Source = Source.TYPED, *, known: tuple[str, ...] = ()) -> Redacted:
    """Return ``text`` with every secret replaced by ``[redacted: kind]``; redacting twice changes nothing more.

    ``known`` are secrets that were told before: they go wherever they stand.
    """
    plain = fold_spelling(text)
    found = {
        *find_shaped_secrets(plain.text, guessing=source is not Source.DOCUMENT),
        *find_told_secrets(plain.text, guessing=source is Source.TYPED),
        *find_configured_secrets(plain.text, guessing=source is Source.TYPED),
        *find_seed_phrases(plain.text, guessing=source is Source.TYPED),
        *_find_known(plain.text, known),
    }
    if not found:
        return Redacted(text)
    findings = [Finding(*plain.span(one.start, one.end), one.kind) for one in found]
    pieces: list[str] = []
    kinds: dict[str, None] = {}
    secrets: dict[str, None] = {}
    end = 0
    for finding in _join_overlapping(sorted(findings, key=lambda f: (f.start, -f.end))):
        pieces += (text[end : finding.start], f"{MASK}{finding.kind}]")
        kinds[finding.kind] = None
        secrets[text[finding.start : finding.end]] = None
        end = finding.end
    return Redacted("".join((*pieces, text[end:])), tuple(kinds), tuple(secrets))


def is_redacted(text: str) -> bool:
    """Return whether something was taken out of ``text``."""
    return MASK in text


def _find_known(text: str, known: tuple[str, ...]) -> Iterator[Finding]:
    for secret in known:
        for match in re.finditer(rf"(?<![^\W_]){re.escape(fold_spelling(secret).text)}(?![^\W_])", text):
            yield Finding(*match.span(), "secret")


def _join_overlapping(findings: list[Finding]) -> list[Finding]:
    """Join findings that overlap; the first names the kind."""
    apart: list[Finding] = []
    for finding in findings:
        if apart and finding.start < apart[-1].end:
            last = apart.pop()
            finding = Finding(last.start, max(last.end, finding.end), last.kind)  # noqa: PLW2901  the joined one
        apart.append(finding)
    return apart
