"""Chooses which memories a prompt shows, and quotes each by the sentences that count for the message.

Every memory has one probability that it helps (:mod:`bot.memory.helpfulness`), whatever its kind.  The block
ends where that falls under a threshold, not where the budget ends: the budget is a ceiling.  No sentence stands twice:
items, turns, entities and history are one pool, and two sentences are the same that have the same words in the same
order, whatever their case and signs.
Where a stage of retrieval fits what was found into a budget it is the same, extractive only: nothing twice, then the
sentences that count.  Every word that stays was said, so that dates and names cannot be invented.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Protocol

from bot.memory.concepts import list_concepts
from bot.memory.document import parse_document
from bot.memory.helpfulness import (
    HELP_FLOOR,
    OPENING,
    Candidate,
    get_answering,
    has_meaning,
    measure_beyond_words,
    rate_items,
    rate_memories,
)
from bot.memory.items import Channel, MemoryItem, Recalled
from language import negations
from language.sentences import begins_point, split_points, split_sentences
from language.tokens import CUT_MARK, count_tokens, shorten
from language.words import split_exactly

SURE: Final = 0.2
"""From this probability on a memory is quoted at length."""
_ROOM_SURE: Final = 72
_ROOM: Final = 40
"""Tokens of a memory's text: a third of the evidence of questions stands behind the tenth memory, where two short
quotations are worth more than one long one."""
_ROOM_BY_DAY: Final = 24
"""Where a little of much is shown, what a line of the chronicle has."""
_ROOM_OF_CHUNK: Final = 160
_ROOM_OF_DOCUMENT: Final = 240
"""A chunk of a document is cut to be shown whole."""
_HEAD, _JOINT = 14, 2
"""Tokens of the head of a line, about, and of what joins two of one head."""
_MANY: Final = 16
"""Memories from which on each has to reach the floor."""
_FIRST: Final = 6
_FIRST_SHARE: Final = 0.3
"""The first memories that a question finds are shown from this share of the floor on: a plain fact that is asked for in
other words looks little likelier than nothing, and stands there four times in five (docs/recall.md)."""
_ALIKE_ALONE: Final = 0.035
_ALIKE_AMONG: Final = 0.0235
"""Likeness beyond shared words that one of the first needs so that they may answer a question, found alone, and for
each time that there are e times as many: among many, more is alike by chance."""
_OPENING_RATE: Final = 0.03
"""How likely one of the first must answer, where they were read beside the question."""
_CLEARLY: Final = 0.03
"""By how much more alike one of them is where all of the first are shown."""
_TOLD_BY_WORDS: Final = 0.3
"""Probability to help from which on a memory need not be alike: of talks, whose questions repeat their words."""
_ALIKE: Final = frozenset({Channel.ENTITY, Channel.RELATION, Channel.ITEM})
"""Kinds that are made from what was said, in other words."""


class Told(Protocol):
    """An exchange that stands in the prompt's history word for word."""

    @property
    def uid(self) -> str:
        """Its name within the scope, as memories give it in ``exchange``."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts of it, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class SelectionLimits:
    """What is chosen at most.

    ``help_floor`` is the probability under which nothing is shown but pinned items and the first that a question finds;
    items below ``relevance_floor`` (0..1) are not looked at.  ``top_k_per_layer`` limits items by the name of their
    layer; a layer without an entry is not limited.  ``relevant_tokens`` is the ceiling of all that is no item.
    """

    relevance_floor: float = 0.15
    top_k_per_layer: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    help_floor: float = HELP_FLOOR
    relevant_tokens: int = 1000


@dataclass(frozen=True, slots=True)
class Selection:
    """The memories that a prompt is to show: items in their order, and others best first.

    ``left_out_items`` and ``left_out`` count what is likely to help and was left out for want of room: the prompt says
    so.
    """

    items: tuple[MemoryItem, ...] = ()
    relevant: tuple[Recalled, ...] = ()
    left_out_items: int = 0
    left_out: int = 0


_DEFAULTS: Final = SelectionLimits()


def select_memories(
    found_items: tuple[tuple[MemoryItem, float], ...],
    relevant: tuple[Recalled, ...],
    *,
    message: str = "",
    history: Iterable[Told],
    asking: float = 1.0,
    standing: Iterable[MemoryItem] = (),
    summary: str = "",
    broad: bool = False,
    by_day: bool = False,
    limits: SelectionLimits = _DEFAULTS,
) -> Selection:
    """Return what of ``found_items`` (with relevance 0..1) and ``relevant`` (best first) to show with ``message``.

    Pinned items come first and always, what stands in ``history``, in the ``summary`` of what came before it or among
    the ``standing`` items is not shown again.  ``asking`` is the share of the message that is a question or a request,
    0..1.  ``broad`` says that the message asks for what is spread over time, and that ``relevant`` is in the order that
    answers it: then the ceiling alone ends the block; ``by_day``, that a little of much is to be shown, day by day.
    """
    told = tuple(history)
    fixed = tuple(standing)
    shown = {item.id for item in fixed if item.id}
    pinned = tuple(item for item, _ in found_items if item.pinned and item.id not in shown)
    others = [(item, relevance) for item, relevance in found_items if not item.pinned and item.id not in shown]
    hidden = {exchange.uid for exchange in told}
    memories = rate_memories([memory for memory in relevant if memory.exchange not in hidden], asking)
    rated = rate_items([pair for pair in others if pair[1] >= limits.relevance_floor], relevant, hidden, asking)
    # Among few memories less is found by chance, and who asks is told what there is.
    few = min(1.0, max(len(relevant) / _MANY, 1.0 - asking))
    floor = limits.help_floor * few
    first = floor * (1 - (1 - _FIRST_SHARE) * asking)
    clear = _tell_clearness(memories[:_FIRST], len(memories)) if asking else 0.0
    first = 0.0 if clear >= _CLEARLY else first
    turns = enumerate(() if broad else memories)
    helpful = [one for place, one in turns if one.helps >= (first if place < _FIRST else floor)]
    helpful += [one for one in rated if one.helps >= floor]
    helpful.sort(key=lambda one: -one.helps)
    likely = sum(one.helps for one in helpful) >= OPENING * floor * few
    if not broad and (clear < 0 or not (likely or clear >= _CLEARLY)):
        return Selection(pinned)
    by_worth = sorted(memories, key=lambda one: -one.helps) if by_day else memories
    candidates = [*by_worth, *helpful] if broad else helpful
    texts = (text for exchange in told for text in exchange.texts)
    said = SaidAlready((*texts, summary, *(item.content for item in (*fixed, *pinned))))
    pool = _Pool(find_concepts(message), said, limits, pinned, by_day=by_day)
    for one in candidates:
        pool.offer(one)
    shown_memories = tuple(pool.relevant)
    if by_day:
        quoted = {memory.key: memory for memory in shown_memories}
        kept = [quoted[memory.key] for memory in relevant if memory.key in quoted]
        shown_memories = tuple(sorted(kept, key=lambda one: one.said_at.timestamp() if one.said_at else math.inf))
    return Selection((*pinned, *pool.items), shown_memories, 0, 0 if broad else pool.left_out)


def _tell_clearness(first: Sequence[Candidate], count: int) -> float:
    """Return by how much the first of ``count`` memories are likely, or alike enough, to answer; below 0 they are not.

    0 where nothing is known of that, and for what is likely to help all the same.
    """
    memories = [one.memory for one in first if isinstance(one.memory, Recalled)]
    read = [rate for memory in memories if (rate := get_answering(memory)) is not None]
    told = [measure_beyond_words(memory.signals) for memory in memories if has_meaning(memory.signals)]
    if read:
        clear = max(read) - _OPENING_RATE
    else:
        clear = max(told) - (_ALIKE_ALONE + _ALIKE_AMONG * math.log(count)) if told else 0.0
    return max(clear, 0.0) if any(one.helps >= _TOLD_BY_WORDS for one in first) else clear


class _Pool:
    """What is shown so far, and what it cost."""

    def __init__(
        self,
        wanted: frozenset[str],
        said: SaidAlready,
        limits: SelectionLimits,
        pinned: Iterable[MemoryItem],
        *,
        by_day: bool,
    ) -> None:
        self._wanted = wanted
        self._said = said
        self._limits = limits
        self._by_day = by_day
        self._heads: set[tuple[object, ...]] = set()
        self._room: Counter[str] = Counter(dict(limits.top_k_per_layer))
        for item in pinned:
            self._room[str(item.layer)] -= 1
        self._told: dict[str, list[frozenset[str]]] = {}
        """Concepts of what is shown, by its exchange; of all of it under ""."""
        self._spent = 0
        self.items: list[MemoryItem] = []
        self.relevant: list[Recalled] = []
        self.left_out = 0

    def offer(self, candidate: Candidate) -> None:
        """Show a memory unless it says nothing new or there is no room."""
        memory = candidate.memory
        if isinstance(memory, MemoryItem):
            self._offer_item(memory)
        else:
            self._offer_memory(memory, candidate.helps)

    def _offer_item(self, item: MemoryItem) -> None:
        layer = str(item.layer)
        if layer in self._limits.top_k_per_layer and self._room[layer] <= 0:
            return
        if self._is_told(item.content, item.provenance.exchange):
            return
        self._room[layer] -= 1
        self.items.append(item)
        self._note(item.content, item.provenance.exchange)

    def _offer_memory(self, memory: Recalled, helps: float) -> None:
        if memory.channel in _ALIKE and self._is_told(memory.text, ""):
            return
        if memory.channel is Channel.TURN and self._is_told(memory.text, memory.exchange):
            return
        if memory.channel is Channel.CHUNK and memory.place is None and parse_document(memory.text) is not None:
            text, cost = memory.text, min(count_tokens(memory.text), self._limits.relevant_tokens // 3)
        else:
            sure = _ROOM_BY_DAY if self._by_day else _ROOM_SURE if helps >= SURE else _ROOM
            room = {Channel.CHUNK: _ROOM_OF_CHUNK, Channel.DOCUMENT: _ROOM_OF_DOCUMENT}.get(memory.channel, sure)
            text = quote_text(memory.text, self._wanted, self._said, room)
            cost = count_tokens(text) + (_JOINT if self._stands_under(memory) else _HEAD)
        if not text:
            return
        if self._spent + cost > self._limits.relevant_tokens:
            self.left_out += 1
            return
        self._spent += cost
        self._heads.add(_find_head(memory))
        self.relevant.append(memory if text == memory.text else replace(memory, text=text))
        self._note(text, memory.exchange)

    def _stands_under(self, memory: Recalled) -> bool:
        """Return whether something with the same head is shown, which a memory joins where days are told."""
        return self._by_day and _find_head(memory) in self._heads

    def _is_told(self, text: str, exchange: str) -> bool:
        """Return whether every sentence stands there, or the same exchange is shown with all that it says."""
        if self._said.holds_all(text):
            return True
        concepts = find_concepts(text)
        return any(says_the_same(concepts, shown) for shown in self._told.get(exchange, ()))

    def _note(self, text: str, exchange: str) -> None:
        self._said.add(text)
        concepts = find_concepts(text)
        for place in {exchange, ""}:
            self._told.setdefault(place, []).append(concepts)


def _find_head(memory: Recalled) -> tuple[object, ...]:
    day = memory.said_at.date() if memory.said_at is not None else None
    return day, memory.role, memory.author_id, memory.channel


LEAST_WORDS: Final = 5
"""Shorter sentences recur in every talk and say nothing by themselves: "Thank you very much."."""
_COVERED: Final = 0.8
"""Share of a text's concepts from which another text says what it says."""
_WORDS: Final = re.compile(r"\w+")
_FIGURE: Final = re.compile(r"\d")
_LINE_MARK: Final = " / "
"""What a line end inside a memory is shown as."""


def normalise_sentence(sentence: str) -> tuple[str, ...]:
    """Return the words of a sentence in order, in small letters."""
    return tuple(_WORDS.findall(sentence.casefold()))


class SaidAlready:
    """The sentences that stand in a prompt so far, and the beginnings of those that were cut.

    A long history is not split into sentences for the few that are asked for: only a text is that has their words.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._sentences: set[tuple[str, ...]] = set()
        self._begun: set[tuple[str, ...]] = set()
        self._unsplit = [(f" {' '.join(normalise_sentence(text))} ", text) for text in texts]
        self._words = "\n".join(words for words, _ in self._unsplit)

    def holds(self, sentence: str) -> bool:
        """Return whether a sentence stands there; one too short to tell never does."""
        return any(map(self._holds_words, _list_telling(sentence)))

    def holds_all(self, text: str) -> bool:
        """Return whether all that ``text`` tells stands there; ``False`` for a text too short to tell anything."""
        telling = tuple(_list_telling(text))
        return bool(telling) and all(map(self._holds_words, telling))

    def add(self, text: str) -> None:
        """Take note of a text that is shown."""
        telling = tuple(_list_telling(text))
        self._sentences.update(telling)
        if telling and text.endswith((CUT, LEFT_OUT)):
            self._begun.add(telling[-1])

    def _holds_words(self, words: tuple[str, ...]) -> bool:
        asked = f" {' '.join(words)} "
        if words not in self._sentences and asked in self._words:
            for text in [text for said, text in self._unsplit if asked in said]:
                self.add(text)
            self._unsplit = [(said, text) for said, text in self._unsplit if asked not in said]
        return words in self._sentences or any(words[: len(begun)] == begun for begun in self._begun)


def _list_telling(text: str) -> Iterator[tuple[str, ...]]:
    """Yield what counts as a sentence of ``text``, as it is shown and as it was said."""
    for line in (text, text.replace(_LINE_MARK, "\n")) if _LINE_MARK in text else (text,):
        for sentence in split_sentences(line):
            words = normalise_sentence(sentence)
            if len(words) >= LEAST_WORDS:
                yield words


def says_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether a text with the concepts ``other`` says what one with the concepts ``one`` says.

    A number that is missing makes another statement of it.
    """
    missing = one - other
    return bool(one) and len(missing) <= (1 - _COVERED) * len(one) and not any(map(_FIGURE.search, missing))


def find_concepts(text: str) -> frozenset[str]:
    """Return the concepts of a text, and its numbers."""
    words = _WORDS.findall(text.casefold())
    return frozenset((*list_concepts(text), *(word for word in words if _FIGURE.search(word))))


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
    chosen = _choose(sentences, new, lambda sentence: _count_shared(sentence, wanted), room)
    if not chosen:
        begun = _cut_best(sentences, new, wanted, room)
        return "" if said.holds(begun) else begun  # two long sentences may begin alike
    return _join(placed, chosen, begun=text.startswith(CUT), cut=text.endswith(CUT))


def _count_shared(sentence: str, wanted: frozenset[str]) -> int:
    """Return how many of the concepts a sentence has; of a heading, which says nothing of them, none."""
    telling = len(normalise_sentence(sentence)) >= LEAST_WORDS
    return len(wanted.intersection(list_concepts(sentence))) if telling else 0


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


GAP: Final = " […] "

Relevance = Callable[[str], float]
"""Score of a sentence for the question at hand, higher is better, 0 for none."""


def drop_near_duplicates(found: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """Return memories without those that say the same as a better ranked one by the same author.

    The same words may stand in another order, but for numbers, and for all of a text that denies something: what
    differs in an amount, a day, a name or a "not" is another statement.
    """
    first = {(memory.author_id, memory.author, _reduce(memory.text)): memory for memory in reversed(found)}
    return tuple(each for each in found if first[each.author_id, each.author, _reduce(each.text)] is each)


def _reduce(text: str) -> tuple[str, ...]:
    """Return what is equal for texts that say the same."""
    words = split_exactly(text)
    if negations().search(text):
        return words
    return (*sorted(words), *(word for word in words if not word.isalpha()))


def compress(
    found: tuple[Recalled, ...], budget: int, relevance: Relevance, *, head_tokens: int = 24
) -> tuple[Recalled, ...]:
    """Return memories that fit into ``budget`` tokens, best first, ``head_tokens`` charged for each one's heading.

    Near-duplicates go first.  A memory that does not fit whole keeps its most relevant sentences, in their order; one
    without a relevant sentence that fits is left out.
    """
    kept: list[Recalled] = []
    left = budget
    for memory in drop_near_duplicates(found):
        room = left - head_tokens
        text = memory.text if count_tokens(memory.text) <= room else _extract(memory.text, room, relevance)
        if text:
            kept.append(memory if text == memory.text else replace(memory, text=text))
            left -= count_tokens(text) + head_tokens
    return tuple(kept)


def _extract(text: str, room: int, relevance: Relevance) -> str:
    said = split_sentences(text)
    order = sorted(range(len(said)), key=lambda place: (-relevance(said[place]), place))
    chosen: list[int] = []
    for place in order:
        if relevance(said[place]) <= 0:
            break
        if count_tokens(_join_kept(said, [*chosen, place])) <= room:
            chosen.append(place)
    return _join_kept(said, chosen) if chosen else ""


def _join_kept(said: tuple[str, ...], chosen: list[int]) -> str:
    """Return sentences in order, with a mark where some are left out."""
    parts: list[str] = []
    before = -1
    for place in sorted(chosen):
        parts += [GAP if place != before + 1 else " ", said[place]]
        before = place
    parts += [GAP] if before != len(said) - 1 else []
    return "".join(parts).strip()
