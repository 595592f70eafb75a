"""One ranking out of several searches: of both memories, and of the pieces of a long question, with variety.

Both memories are fused by score, not by rank: the store's score says how well a turn fits, long-term memory gives no
scores, only an order.  So being found there is a bonus on the store's scale, larger for the first: measured on labelled
conversations this lifts questions that need several turns by two points and costs the others nothing, where reciprocal
rank fusion costs seven points of recall (docs/recall.md).
Without a reranker chunks, entities and relations have no common score; fixed shares by query mode keep one kind from
crowding out the others.  Variety is maximal marginal relevance (Carbonell and Goldstein 1998).
One vector of a long text is near to everything and to nothing; its pieces are near to what each is about.
The best ten passages for "how did the move go" are ten of the day on which most was said about it.  So for a question
over time each further result of a session counts for less, and what the user told counts for more than what was
answered.  Sessions are told by time: results that lie further apart than a person pauses within a conversation.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from bot.memory.helpfulness import KNOWN
from bot.memory.items import Channel, Recalled
from bot.memory.learning.speech_acts import SpeechAct, classify_speech
from language.sentences import split_sentences
from language.tokens import count_tokens
from language.words import split_words

CHUNK_BONUS: Final = 0.6
_DERIVED_BONUS: Final = 0.3
"""Bonus of the first chunk and of the first derived result (entity, relation), in points of the store."""
_HALF: Final = 5.0
"""The rank at which a bonus is half of the first one's."""
_STRIDE: Final = 2
"""A document's chunk, which the store cannot hold, stands where the store's result of so many times its rank does."""


def fuse(turns: tuple[Recalled, ...], found: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """Return one ranking of both channels, best first, with scores on the store's scale.

    A result of long-term memory whose exchange the store found as well strengthens that turn and is not repeated: the
    turn's text is the verbatim one.  Exchanges that the store has not found stand below its last result.  What has a
    certainty is on the store's scale already.  Either side may be empty: the other is returned as it is.
    """
    rated = tuple(memory for memory in found if KNOWN in memory.signals)
    if rated and turns:
        joined = {memory.key: memory for memory in (*turns, *rated)}
        turns = tuple(sorted(joined.values(), key=lambda memory: -memory.score))
        found = tuple(memory for memory in found if KNOWN not in memory.signals)
    if not turns or not found:
        return turns or found
    entries = {turn.key: turn for turn in turns}
    order = sorted((turn.score for turn in turns), reverse=True)
    below = order[-1] - CHUNK_BONUS - _DERIVED_BONUS
    places = _index_turns(turns)
    ranks = dict.fromkeys((True, False), 0)
    credited: set[tuple[str, Channel]] = set()
    for memory in found:
        is_chunk = memory.channel is Channel.CHUNK
        key = places.get((memory.exchange, memory.role)) or places.get((memory.exchange, "")) or memory.key
        if (key, memory.channel) in credited:
            continue
        credited.add((key, memory.channel))
        rank = ranks[is_chunk]
        document = is_chunk and not memory.exchange
        entry = order[min(rank * _STRIDE, len(order) - 1)] if document else below
        bonus = (CHUNK_BONUS if is_chunk else _DERIVED_BONUS) * _HALF / (_HALF + rank)
        ranks[is_chunk] += 1
        entries[key] = _add_bonus(entries.get(key, replace(memory, score=entry)), memory.channel, bonus)
    return tuple(sorted(entries.values(), key=lambda memory: -memory.score))


def fuse_ranks(turns: tuple[Recalled, ...], found: tuple[Recalled, ...], k: float = 60.0) -> tuple[Recalled, ...]:
    """Return one ranking by reciprocal rank fusion (Cormack et al. 2009): the sum of 1 / (``k`` + rank) over both.

    As with :func:`fuse` a result of an exchange that the store found as well strengthens its turn.
    """
    if not turns or not found:
        return turns or found
    places = _index_turns(turns)
    entries = {turn.key: replace(turn, score=1 / (k + rank)) for rank, turn in enumerate(turns, 1)}
    credited: set[str] = set()
    for memory in found:
        key = places.get((memory.exchange, memory.role)) or places.get((memory.exchange, "")) or memory.key
        if key in credited:
            continue
        credited.add(key)
        share = 1 / (k + len(credited))
        entries[key] = _add_bonus(entries.get(key, replace(memory, score=0.0)), memory.channel, share)
    return tuple(sorted(entries.values(), key=lambda memory: -memory.score))


def _index_turns(turns: tuple[Recalled, ...]) -> dict[tuple[str, str], str]:
    """Return the key of each exchange's turn by role, and under "" that of its best ranked one."""
    places: dict[tuple[str, str], str] = {}
    for turn in turns:
        if turn.exchange:
            places[turn.exchange, turn.role] = turn.key
            places.setdefault((turn.exchange, ""), turn.key)
    return places


def _add_bonus(memory: Recalled, channel: Channel, bonus: float) -> Recalled:
    signals = MappingProxyType({**memory.signals, channel.value: round(bonus, 3)})
    return replace(memory, score=memory.score + bonus, signals=signals)


_KINDS: Final = (Channel.CHUNK, Channel.ENTITY, Channel.RELATION)
_EVEN: Final = (30, 30, 40)

CHANNEL_SHARES: Final[Mapping[str, tuple[int, int, int]]] = {
    "global": (30, 35, 35),
    "local": (60, 20, 20),
    "hybrid": _EVEN,
    "mix": _EVEN,
    "naive": (100, 0, 0),
}
"""Per cent of chunks, entities and relations, by the name of the query mode."""


def limit_by_channel(found: tuple[Recalled, ...], mode: str, top_k: int) -> tuple[Recalled, ...]:
    """Return at most ``top_k`` results, each kind within its share of the mode, order kept.

    Room that one kind leaves free goes to the others, best ranked first.  Results of other channels are not counted.
    An unknown mode has the shares of ``mix``.
    """
    room = dict(zip(_KINDS, _share_out(CHANNEL_SHARES.get(mode, _EVEN), top_k), strict=True))
    kept: set[str] = set()
    for memory in found:
        if room.get(memory.channel, 1) > 0:
            kept.add(memory.key)
            if memory.channel in room:
                room[memory.channel] -= 1
    left = sum(room.values())
    for memory in found:
        if left > 0 and memory.key not in kept:
            kept.add(memory.key)
            left -= 1
    return tuple(memory for memory in found if memory.key in kept)


def _share_out(shares: tuple[int, int, int], top_k: int) -> tuple[int, int, int]:
    """Return whole numbers in the proportion of ``shares`` that add up to ``top_k`` (largest remainders)."""
    exact = [top_k * share / 100 for share in shares]
    counts = [int(value) for value in exact]
    order = sorted(range(len(shares)), key=lambda place: counts[place] - exact[place])
    for place in order[: top_k - sum(counts)]:
        counts[place] += 1
    return counts[0], counts[1], counts[2]


_CONSIDERED: Final = 50
"""Results at the front that are put in a new order; the cost grows with their square."""


def diversify(found: tuple[Recalled, ...], strength: float) -> tuple[Recalled, ...]:
    """Return ``found`` in an order that weighs relevance against likeness to what comes before.

    ``strength`` 0 changes nothing, 1 looks at variety alone.  Relevance is the score scaled to 0..1 over the results
    considered, likeness the share of common words (Jaccard).
    """
    if strength <= 0 or len(found) < 2:  # noqa: PLR2004 - one result has one order
        return found
    rest, behind = list(found[:_CONSIDERED]), found[_CONSIDERED:]
    low, high = min(memory.score for memory in rest), max(memory.score for memory in rest)
    said = {memory.key: frozenset(split_words(memory.text)) for memory in rest}
    relevance = {memory.key: (memory.score - low) / ((high - low) or 1.0) for memory in rest}
    nearest = dict.fromkeys(said, 0.0)
    chosen: list[Recalled] = []
    while rest:
        best = max(rest, key=lambda memory: (1 - strength) * relevance[memory.key] - strength * nearest[memory.key])
        rest.remove(best)
        chosen.append(best)
        for memory in rest:
            one, other = said[memory.key], said[best.key]
            nearest[memory.key] = max(nearest[memory.key], len(one & other) / (len(one | other) or 1))
    return (*chosen, *behind)


_PARAGRAPH: Final = "\n\n"
LONGEST_SENTENCE: Final = 180
"""Tokens of a sentence that is asked whole: the local model reads 256 of its own, which may be smaller than ours."""
_TOLD_BEFORE: Final = 2
"""Times the length of a single question up to which one may have something before it."""
_ASKING: Final = frozenset({SpeechAct.QUESTION, SpeechAct.REQUEST})
_WORD: Final = re.compile(r"\s*+\S{1,64}|\s++")


class Merging(StrEnum):
    """The results that count as one document when pieces find it again."""

    EXCHANGE = "exchange"
    """All that belongs to one exchange."""
    RESULT = "result"
    """The very same result only."""


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """The way a long question is cut and its results are merged.  Sizes in tokens.

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
class WindowMessage:
    """One message of a conversation window."""

    author: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class MergedAnswers:
    """Results of all pieces as one ranking, with the counts for the trace; ``note`` is the first trouble."""

    found: tuple[Recalled, ...]
    chunks: int
    results: int
    distinct: int
    note: str = ""


def render_window(messages: Iterable[WindowMessage]) -> str:
    """Return a window of messages as Markdown: a heading, author and time, and the text of each."""
    parts = []
    for number, message in enumerate(messages, 1):
        head = f"## Message {number}\n\n{message.author}, {message.at.isoformat(' ', 'minutes')}"
        parts.append(f"{head}{_PARAGRAPH}{message.text.strip()}")
    return _PARAGRAPH.join(parts)


def split_topics(text: str, options: TopicOptions) -> tuple[str, ...]:
    """Return the questions to ask for ``text``: itself if it is one question, else chunks of whole paragraphs.

    A paragraph over the size is cut at sentences, a sentence that no embedding model reads whole at words.  Each chunk
    but the first begins with the end of the one before, up to ``overlap_tokens``.  Of more than ``most_chunks`` the
    newest, the last ones, are asked: :func:`count_unasked` says how many are not.
    """
    if _is_single(text, options):
        return (text.strip(),) if text.strip() else ()
    chunks = _cut_chunks(text, options)[-options.most_chunks :]
    return (text.strip(), *chunks) if options.whole and len(chunks) > 1 else tuple(chunks)


def count_unasked(text: str, options: TopicOptions) -> tuple[int, int]:
    """Return how many chunks of ``text`` :func:`split_topics` leaves out, and of how many."""
    if _is_single(text, options):
        return 0, 1
    count = len(_cut_chunks(text, options))
    return max(count - options.most_chunks, 0), count


def _is_single(text: str, options: TopicOptions) -> bool:
    """Return whether a text is short, or not much longer and asks once: what stands before a question is its topic."""
    size = count_tokens(text)
    if size <= options.single_tokens or size > min(_TOLD_BEFORE * options.single_tokens, LONGEST_SENTENCE):
        return size <= options.single_tokens
    return sum(classify_speech(sentence) in _ASKING for sentence in split_sentences(text)) == 1


def merge_answers(
    answers: Sequence[tuple[Recalled, ...]], options: TopicOptions, limit: int, *, leading: int | None = None
) -> MergedAnswers:
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
    return MergedAnswers(tuple(kept.values())[:limit], len(answers), len(taken), len(kept))


def _split_units(text: str, size: int) -> list[str]:
    units: list[str] = []
    for paragraph in text.split(_PARAGRAPH):
        if count_tokens(paragraph) <= size:
            units += [paragraph.strip()] if paragraph.strip() else []
        else:
            most = max(size, LONGEST_SENTENCE)
            units += [piece for sentence in split_sentences(paragraph) for piece in _cut_at_words(sentence, most)]
    return units


def _cut_chunks(text: str, options: TopicOptions) -> list[str]:
    return _pack_chunks(_split_units(text, options.chunk_tokens), options)


def _cut_at_words(sentence: str, most: int) -> list[str]:
    """Return a sentence as it is, or pieces of at most ``most`` tokens, whole words where they are no longer."""
    if count_tokens(sentence) <= most:
        return [sentence]
    pieces, held, spent = [], "", 0
    for word in _WORD.findall(sentence):
        cost = max(count_tokens(word), 1)
        if held and spent + cost > most:
            pieces.append(held.strip())
            held, spent = "", 0
        held, spent = held + word, spent + cost
    return [*pieces, held.strip()]


def _pack_chunks(units: list[str], options: TopicOptions) -> list[str]:
    chunks: list[list[str]] = []
    held: list[str] = []
    spent = 0
    for unit in units:
        cost = count_tokens(unit)
        if held and spent + cost > options.chunk_tokens:
            chunks.append(held)
            held = _take_tail(held, options.overlap_tokens)
            spent = sum(count_tokens(kept) for kept in held)
        held.append(unit)
        spent += cost
    return [_PARAGRAPH.join(chunk) for chunk in (*chunks, held) if chunk]


def _take_tail(units: list[str], size: int) -> list[str]:
    kept: list[str] = []
    for unit in reversed(units):
        if sum(count_tokens(one) for one in (*kept, unit)) > size:
            break
        kept.insert(0, unit)
    return kept


GAP_S: Final = 6 * 3600.0
"""Seconds between two messages of different sessions at least, where nothing else tells them apart."""
AGAIN: Final = 0.85
"""What the next result of a session counts, of what the one before it did."""
TOLD: Final = 0.1
"""Added to the relevance (0..1) of what a user said."""
_SPREAD_AMONG: Final = 120
"""Results at the front that are put in a new order; the cost grows with their square."""


def spread_over_sessions(found: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """Return ``found`` (best first) in an order that takes turns between sessions.

    Relevance is the score scaled to 0..1 over the results considered; results without a time stand for a session each.
    Scores are left as they are.
    """
    front, behind = found[:_SPREAD_AMONG], found[_SPREAD_AMONG:]
    if len(front) < 2:  # noqa: PLR2004 - one result has one order
        return found
    low, high = min(memory.score for memory in front), max(memory.score for memory in front)
    sessions = number_sessions(front)
    worth = [(memory.score - low) / ((high - low) or 1.0) + TOLD * (memory.role == "user") for memory in front]
    rest = sorted(range(len(front)), key=lambda place: -worth[place])
    taken: Counter[int] = Counter()
    order: list[Recalled] = []
    while rest:
        best = max(rest, key=lambda place: worth[place] * AGAIN ** taken[sessions[place]])
        rest.remove(best)
        taken[sessions[best]] += 1
        order.append(front[best])
    return (*order, *behind)


def number_sessions(found: Sequence[Recalled]) -> list[int]:
    """Return a number per result, equal for those that were said in one stretch of talk."""
    numbers = [-1 - place for place in range(len(found))]
    dated = [(memory.said_at.timestamp(), place) for place, memory in enumerate(found) if memory.said_at is not None]
    number, before = 0, None
    for at, place in sorted(dated):
        number += before is not None and at - before > GAP_S
        numbers[place], before = number, at
    return numbers
