"""Quotes a memory by the sentences that count for a message, verbatim, with a mark where some are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bot.memory.prompt.repeats import LEAST_WORDS, SaidAlready, normalise_sentence
from bot.memory.synonyms import list_concepts
from language.points import begins_point, split_points
from language.sentences import split_sentences
from language.tokens import CUT_MARK, count_tokens, shorten

CUT: Final = CUT_MARK.strip()
"""Marks where a passage was taken out of a longer text."""

LEFT_OUT: Final = "…"
"""Stands between two sentences of one message that were not said one after the other."""


def quote_text(text: str, wanted: frozenset[str], said: SaidAlready, room: int) -> str:
    """Return what of ``text`` to show within ``room`` tokens to a message with the concepts ``wanted``.

    The points of a list stay whole, each with its number.  Sentences that stand in the prompt already (``said``) are
    left out; a text that fits and says nothing twice is
    returned as it is.  Of a longer one the sentence that shares most with the message is shown, with the others that
    share something and its neighbours as far as they fit.  "" when there is nothing left to say.
    """
    lines = [line for piece in text.split(CUT) for line in piece.splitlines()]
    placed = [(piece, number) for number, line in enumerate(lines) for piece in _split_line(line, said, room)]
    sentences = [sentence for sentence, _ in placed]
    new = _drop_repeats(sentences, said)
    if len(new) == len(sentences) and count_tokens(text) <= room:
        return text
    if not any(len(normalise_sentence(sentences[place])) >= LEAST_WORDS for place in new):
        return ""
    chosen = _choose(sentences, new, lambda sentence: len(wanted.intersection(list_concepts(sentence))), room)
    if not chosen:
        begun = _cut_best(sentences, new, wanted, room)
        return "" if said.holds(begun) else begun  # two long sentences may begin alike
    return _join(placed, chosen, begun=text.startswith(CUT), cut=text.endswith(CUT))


def _split_line(line: str, said: SaidAlready, room: int) -> Iterator[str]:
    """Yield the sentences of a line; a point of a list that fits, heading or row stays whole if all of it is new."""
    for point in split_points(line):
        sentences = split_sentences(point)
        if begins_point(point) and count_tokens(point) < room and not any(map(said.holds, sentences)):
            yield point.strip()
        else:
            yield from sentences


def _drop_repeats(sentences: Sequence[str], said: SaidAlready) -> list[int]:
    """Return the places of the sentences that are new, each once."""
    new: list[int] = []
    own = SaidAlready()
    for place, sentence in enumerate(sentences):
        if not said.holds(sentence) and not own.holds(sentence):
            new.append(place)
        own.add(sentence)
    return new


def _choose(sentences: Sequence[str], new: Sequence[int], relevance: Callable[[str], int], room: int) -> list[int]:
    """Return the places to show: what shares most first, then what stands beside it, the later before the earlier."""
    scores = {place: relevance(sentences[place]) for place in new}
    order = sorted(new, key=lambda place: (-scores[place], place))
    chosen: list[int] = []
    for place in order:
        if chosen and not scores[place]:
            break
        if _cost(sentences, [*chosen, place]) <= room:
            chosen.append(place)
    allowed = set(new)
    grown = True
    while chosen and grown:
        grown = False
        for place in sorted({near for at in chosen for near in (at + 1, at - 1)} & allowed - set(chosen), reverse=True):
            if _cost(sentences, [*chosen, place]) <= room:
                chosen.append(place)
                grown = True
    return sorted(chosen)


def _cost(sentences: Sequence[str], places: Sequence[int]) -> int:
    return sum(count_tokens(sentences[place]) + 1 for place in places)


def _join(placed: Sequence[tuple[str, int]], chosen: Sequence[int], *, begun: bool, cut: bool) -> str:
    """Return the sentences in order, each with the number of its line; what was a line of its own stays one.

    ``begun`` and ``cut`` say that the text itself is a part of a longer one.
    """
    text, before, line = (LEFT_OUT if begun else ""), -1, 0
    for place in chosen:
        sentence, number = placed[place]
        if place != before + 1 and not text.endswith(LEFT_OUT):
            text = f"{text} {LEFT_OUT}".strip()
        text += ("\n" if number != line and before >= 0 else " " if text else "") + sentence
        before, line = place, number
    return f"{text} {LEFT_OUT}" if before != len(placed) - 1 or cut else text


def _cut_best(sentences: Sequence[str], new: Sequence[int], wanted: frozenset[str], room: int) -> str:
    """Return the beginning of the sentence that shares most, where none fits whole."""
    best = max(new, key=lambda place: (len(wanted.intersection(list_concepts(sentences[place]))), -place))
    return shorten(sentences[best], room)
