"""What is left of a message when one of its statements no longer holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from language.sentences import split_sentences

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


def _cut(sentence: str, place: int, length: int) -> str:
    """Return what a sentence says beside a statement in it, "" if that is nothing by itself."""
    flat = " ".join(sentence.split())
    rest = f"{flat[:place]} {flat[place + length :]}".strip(" ,;.!")
    return rest if len(rest.split()) > _BARE_WORDS else ""


def _measure_share(sentence: str, statement: str, stem: Callable[[str], tuple[str, ...]]) -> float:
    wanted = set(stem(statement))
    return len(wanted & set(stem(sentence))) / len(wanted) if wanted else 0.0
