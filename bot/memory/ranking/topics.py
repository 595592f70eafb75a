"""Questions about several things: cut a long message or a window of the conversation, ask per piece, merge.

One vector of a long text is near to everything and to nothing; its pieces are near to what each is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.memory.items import Recalled
from bot.memory.ranking.ranking import KNOWN
from language.sentences import sentences
from language.tokens import tokens

_PARAGRAPH: Final = "\n\n"


class Merging(StrEnum):
    """What counts as the same document when pieces find it again."""

    EXCHANGE = "exchange"
    """All that belongs to one exchange."""
    RESULT = "result"
    """The very same result only."""


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """How a long question is cut and its results are merged.  Sizes in tokens.

    ``single_tokens``: up to this length a question is asked whole.  ``whole`` asks the whole text besides its pieces.
    ``least_score`` is the smallest that counts, ``None`` for any: certainty (0..1) where it is known, else the score.
    """

    single_tokens: int = 200
    chunk_tokens: int = 1800
    overlap_tokens: int = 150
    most_chunks: int = 8
    per_chunk: int = 5
    per_document: int = 1
    merging: Merging = Merging.EXCHANGE
    least_score: float | None = None
    whole: bool = False


STORE_TOPICS: Final = TopicOptions(
    single_tokens=30, chunk_tokens=24, overlap_tokens=0, most_chunks=12, per_chunk=30, per_document=2
)
"""For the store, whose turns are short: a sentence or two is a topic."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message of a conversation window."""

    author: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Merged:
    """Results of all pieces as one ranking, with the counts for the trace."""

    found: tuple[Recalled, ...]
    chunks: int
    results: int
    distinct: int


def consolidated(messages: Iterable[Spoken]) -> str:
    """Return a window of messages as Markdown: a heading, author and time, and the text of each."""
    parts = []
    for number, message in enumerate(messages, 1):
        head = f"## Message {number}\n\n{message.author}, {message.at.isoformat(' ', 'minutes')}"
        parts.append(f"{head}{_PARAGRAPH}{message.text.strip()}")
    return _PARAGRAPH.join(parts)


def pieces(text: str, options: TopicOptions) -> tuple[str, ...]:
    """Return the questions to ask for ``text``: itself if it is short, else chunks of whole paragraphs.

    A paragraph over the size is cut at sentences.  Each chunk but the first begins with the end of the one before, up
    to ``overlap_tokens``.  Of more than ``most_chunks`` the newest, the last ones, are asked.
    """
    if tokens(text) <= options.single_tokens:
        return (text.strip(),) if text.strip() else ()
    chunks = _packed(_units(text, options.chunk_tokens), options)[-options.most_chunks :]
    return (text.strip(), *chunks) if options.whole and len(chunks) > 1 else tuple(chunks)


def merged(
    answers: Sequence[tuple[Recalled, ...]], options: TopicOptions, limit: int, *, leading: int | None = None
) -> Merged:
    """Return at most ``limit`` results of all pieces, ``per_document`` of each document.

    The best of each of the first ``leading`` pieces (all by default) comes first, so that no topic is crowded out; then
    the others by score.
    """
    taken = [memory for answer in answers for memory in answer[: options.per_chunk if len(answers) > 1 else None]]
    least = options.least_score
    wanted = [memory for memory in taken if least is None or memory.signals.get(KNOWN, memory.score) >= least]
    heads = {answer[0].key for answer in answers[:leading] if answer}
    wanted.sort(key=lambda memory: (memory.key not in heads, -memory.score))
    kept: dict[str, Recalled] = {}
    counts: dict[str, int] = {}
    for memory in wanted:
        document = memory.exchange if options.merging is Merging.EXCHANGE and memory.exchange else memory.key
        if memory.key in kept or (len(answers) > 1 and counts.get(document, 0) >= options.per_document):
            continue
        kept[memory.key] = memory
        counts[document] = counts.get(document, 0) + 1
    return Merged(tuple(kept.values())[:limit], len(answers), len(taken), len(kept))


def _units(text: str, size: int) -> list[str]:
    units: list[str] = []
    for paragraph in text.split(_PARAGRAPH):
        if tokens(paragraph) <= size:
            units += [paragraph.strip()] if paragraph.strip() else []
        else:
            units += sentences(paragraph)
    return units


def _packed(units: list[str], options: TopicOptions) -> list[str]:
    chunks: list[list[str]] = []
    held: list[str] = []
    spent = 0
    for unit in units:
        cost = tokens(unit)
        if held and spent + cost > options.chunk_tokens:
            chunks.append(held)
            held = _tail(held, options.overlap_tokens)
            spent = sum(tokens(kept) for kept in held)
        held.append(unit)
        spent += cost
    return [_PARAGRAPH.join(chunk) for chunk in (*chunks, held) if chunk]


def _tail(units: list[str], size: int) -> list[str]:
    kept: list[str] = []
    for unit in reversed(units):
        if sum(tokens(one) for one in (*kept, unit)) > size:
            break
        kept.insert(0, unit)
    return kept
