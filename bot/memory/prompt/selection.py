"""Chooses which memories a prompt shows, before anything is rendered.

Every memory has one probability that it helps (:mod:`bot.memory.helpfulness`), whatever its kind.  The block
ends where that falls under a threshold, not where the budget ends: the budget is a ceiling.  No sentence stands twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Protocol

from bot.memory.document import parse_document
from bot.memory.helpfulness import HELP_FLOOR, HELPS, OPENING, adjust_help, get_help
from bot.memory.items import Channel, MemoryItem, Recalled
from bot.memory.prompt.excerpts import quote_text
from bot.memory.prompt.repeats import SaidAlready, find_concepts, says_the_same
from language.tokens import count_tokens

SURE: Final = 0.2
"""From this probability on a memory is quoted at length."""
_ROOM_SURE: Final = 72
_ROOM: Final = 40
"""Tokens of a memory's text: a third of the evidence of questions stands behind the tenth memory, where two short
quotations are worth more than one long one."""
_ROOM_OF_CHUNK: Final = 160
_ROOM_OF_DOCUMENT: Final = 240
"""A chunk of a document is cut to be shown whole."""
_HEAD: Final = 14
"""Tokens of the head of a line, about."""
_ALIKE: Final = frozenset({Channel.ENTITY, Channel.RELATION, Channel.ITEM})
"""Kinds that are made from what was said, in other words."""


class Told(Protocol):
    """An exchange that stands in the prompt's history word for word."""

    @property
    def uid(self) -> str:
        """Its name within the scope, as memories give it in ``exchange``."""
        ...

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts of it, in the order in which they are shown."""
        ...


@dataclass(frozen=True, slots=True)
class SelectionLimits:
    """What is chosen at most.

    ``help_floor`` is the probability under which nothing is shown but pinned items; items below ``relevance_floor``
    (0..1) are not looked at.  ``top_k_per_layer`` limits items by the name of their layer; a layer without an entry is
    not limited.  ``relevant_tokens`` is the ceiling of all that is no item.
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
    chronological: bool = False,
    limits: SelectionLimits = _DEFAULTS,
) -> Selection:
    """Return what of ``found_items`` (with relevance 0..1) and ``relevant`` (best first) to show with ``message``.

    Pinned items come first and always, what stands in ``history``, in the ``summary`` of what came before it or among
    the ``standing`` items is not shown again.  ``asking`` is the share of the message that is a question or a request,
    0..1.  ``broad`` says that the message asks for what is spread over time, and that ``relevant`` is in the order that
    answers it: then the ceiling alone ends the block; ``chronological``, that it is to be shown in order of time.
    """
    told = tuple(history)
    fixed = tuple(standing)
    shown = {item.id for item in fixed if item.id}
    texts = (text for exchange in told for text in exchange.texts)
    said = SaidAlready((*texts, summary, *(item.content for item in fixed)))
    pinned = tuple(item for item, _ in found_items if item.pinned and item.id not in shown)
    for item in pinned:
        said.add(item.content)
    others = [(item, relevance) for item, relevance in found_items if not item.pinned and item.id not in shown]
    hidden = {exchange.uid for exchange in told}
    memories = _rate_memories([memory for memory in relevant if memory.exchange not in hidden], asking)
    rated = _rate_items([pair for pair in others if pair[1] >= limits.relevance_floor], relevant, hidden, asking)
    helpful = [one for one in (*([] if broad else memories), *rated) if one.helps >= limits.help_floor]
    helpful.sort(key=lambda one: -one.helps)
    if not broad and sum(one.helps for one in helpful) < OPENING * limits.help_floor:
        return Selection(pinned)
    candidates = [*memories, *helpful] if broad else helpful
    pool = _Pool(find_concepts(message), said, limits, pinned)
    for one in candidates:
        pool.offer(one)
    shown_memories = order_by_time(pool.relevant) if chronological else tuple(pool.relevant)
    return Selection((*pinned, *pool.items), shown_memories, 0, 0 if broad else pool.left_out)


def list_helpful(
    found_items: Iterable[tuple[MemoryItem, float]], relevant: tuple[Recalled, ...], *, floor: float = HELP_FLOOR
) -> list[tuple[MemoryItem | Recalled, float]]:
    """Return what of a question's finds may help at all, the likeliest first, each with its probability.

    For who looks at what was found; what a prompt shows of it :func:`select_memories` chooses.
    """
    rated = [*_rate_memories(relevant, 1.0), *_rate_items(found_items, relevant, set(), 1.0)]
    helpful = [(one.memory, one.helps) for one in rated if one.helps >= floor]
    return sorted(helpful, key=lambda pair: -pair[1])


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An item or another memory, and how likely it helps."""

    memory: MemoryItem | Recalled
    helps: float


def _rate_memories(relevant: Iterable[Recalled], asking: float) -> list[_Candidate]:
    rated = []
    unjudged = 0
    for memory in relevant:
        helps = get_help(memory.signals, unjudged)
        unjudged += HELPS not in memory.signals
        rated.append(_Candidate(memory, adjust_help(helps, asking)))
    return rated


def _rate_items(
    items: Iterable[tuple[MemoryItem, float]], relevant: Iterable[Recalled], hidden: set[str], asking: float
) -> list[_Candidate]:
    """Return items with their probabilities: that of what was said in the exchange that an item comes from.

    An item of no exchange that was ranked is as likely to help as its relevance lets expect.
    """
    best: dict[str, float] = {}
    for memory in relevant:
        if memory.exchange and HELPS in memory.signals:
            best[memory.exchange] = max(best.get(memory.exchange, 0.0), memory.signals[HELPS])
    ranked = bool(best)
    rated = []
    for item, relevance in items:
        source = item.provenance.exchange
        if source in hidden:
            continue
        helps = best.get(source, 0.0) if ranked and source else _rate_relevance(relevance)
        rated.append(_Candidate(item, adjust_help(helps, asking)))
    return rated


def _rate_relevance(relevance: float) -> float:
    """Return how likely an item of this relevance helps: its square, as few labelled items there are of the lower."""
    return min(max(relevance, 0.0), 0.99) ** 2 * 0.5


def order_by_time(memories: Iterable[Recalled]) -> tuple[Recalled, ...]:
    """Return memories in the order in which they were said, those without a time last."""
    return tuple(sorted(memories, key=lambda memory: memory.said_at.timestamp() if memory.said_at else math.inf))


class _Pool:
    """What is shown so far, and what it cost."""

    def __init__(
        self, wanted: frozenset[str], said: SaidAlready, limits: SelectionLimits, pinned: Iterable[MemoryItem]
    ) -> None:
        self._wanted = wanted
        self._said = said
        self._limits = limits
        self._room: Counter[str] = Counter(dict(limits.top_k_per_layer))
        for item in pinned:
            self._room[str(item.layer)] -= 1
        self._told: dict[str, list[frozenset[str]]] = {}
        """Concepts of what is shown, by its exchange; of all of it under ""."""
        self._spent = 0
        self.items: list[MemoryItem] = []
        self.relevant: list[Recalled] = []
        self.left_out = 0

    def offer(self, candidate: _Candidate) -> None:
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
            sure = _ROOM_SURE if helps >= SURE else _ROOM
            room = {Channel.CHUNK: _ROOM_OF_CHUNK, Channel.DOCUMENT: _ROOM_OF_DOCUMENT}.get(memory.channel, sure)
            text = quote_text(memory.text, self._wanted, self._said, room)
            cost = count_tokens(text) + _HEAD
        if not text:
            return
        if self._spent + cost > self._limits.relevant_tokens:
            self.left_out += 1
            return
        self._spent += cost
        self.relevant.append(memory if text == memory.text else replace(memory, text=text))
        self._note(text, memory.exchange)

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
