"""Cuts a message into passages: the unit that is scored.

A chat turn is one passage; a long answer is several, so that it competes with short turns on equal terms instead of
matching every question a little (LongMemEval, Wu et al. 2024, finds the same for session-sized keys).
"""

from __future__ import annotations

from language.sentences import sentences

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
