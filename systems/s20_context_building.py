"""System 20: put what we remember in front of the model.

Both memories are asked at once, under one deadline; whatever is late or broken costs the turn its memories and
leaves a note in the trace, never an error.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

import structlog

from bot.errors import MnemeError
from bot.memory.budget import newest_within, tokens
from bot.memory.items import Channel, MemoryItem, Recalled
from bot.memory.prompt.packing import Disclosure, pack
from bot.memory.prompt.rendering import render_prompt
from bot.memory.ranking.fusion import fuse
from bot.memory.skills import choose_skill
from bot.ports.clock import Clock
from bot.ports.memory import MemoryQuery, MemoryStore, Recall
from bot.ports.preferences import Preferences
from bot.ports.rag import QueryMode, RagAnswer, RagPort
from bot.ports.system import OnError
from bot.ports.turns import TurnStore
from bot.turn import Address, Exchange, Session, Turn


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """How much is read and shown.  Times in seconds, sizes in tokens."""

    deadline_s: float = 1.0
    rag_deadline_s: float = 0.8
    history_exchanges: int = 20
    history_tokens: int = 6000
    recall_results: int = 50
    relevance_floor: float = 0.15
    disclosure: str = "selective_detail"
    top_k_per_layer: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Items of each layer at most, by the layer's name; a layer without an entry is not limited."""
    soft_tokens: int = 600
    max_tokens: int = 1000
    relevant_tokens: int = 1000
    section_tokens: int = 2000
    skill_tokens: int = 2000


@dataclass(frozen=True, slots=True)
class ContextBuilding:
    """Load the history, the skill and both memories, and build the system prompt.

    ``recall`` and ``items`` are ``None`` when the configuration takes them off the read path; ``remembering`` is asked
    anew in every turn, so that switching memory off acts at once.  ``reading`` says the same of long-term memory.
    ``chosen_skill`` returns what was chosen by command in a session, ``None`` if nothing was.
    """

    turns: TurnStore
    recall: Recall | None
    items: MemoryStore | None
    rag: RagPort
    preferences: Preferences
    tools: tuple[tuple[str, str], ...]
    mode: QueryMode
    limits: ContextLimits
    clock: Clock
    chosen_skill: Callable[[Address, Session], str | None]
    remembering: Callable[[], bool]
    reading: Callable[[], bool]
    _refreshing: set[asyncio.Task[None]] = field(default_factory=set, init=False, compare=False)

    order: ClassVar[int] = 20
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with history, memories, skill and system prompt."""
        if turn.reply is not None:
            return turn
        history, (turn, items, relevant) = await asyncio.gather(self._history(turn), self._remember(turn))
        turn = turn.with_(history=history)
        skills = self.preferences.skills()
        sticky = self.chosen_skill(turn.address, turn.session)
        if sticky is None:
            sticky = next((exchange.skill for exchange in reversed(turn.history) if exchange.skill), "")
        skill = choose_skill(turn.text, skills, sticky)
        turn, shown = self._render(turn.with_(skill=skill, relevant=relevant), items)
        refreshing = asyncio.create_task(self._refresh(turn, shown), name="refresh items")
        self._refreshing.add(refreshing)
        refreshing.add_done_callback(self._refreshing.discard)
        return turn

    async def _refresh(self, turn: Turn, shown: tuple[MemoryItem, ...]) -> None:
        """Let the items that are shown count as used; nobody waits for it."""
        if self.items is None or not shown:
            return
        try:
            await self.items.touch(turn.scope, tuple(item.id for item in shown), self.clock.now())
        except MnemeError as error:
            structlog.get_logger().warning("items not refreshed", cause=type(error).__name__)

    async def _history(self, turn: Turn) -> tuple[Exchange, ...]:
        """Return the newest exchanges of the session that fit into their budget, oldest first."""
        try:
            history = await self.turns.history(turn.scope, turn.session.id, self.limits.history_exchanges)
        except MnemeError as error:
            structlog.get_logger().warning("history unavailable", cause=type(error).__name__)
            return ()
        costs = [tokens(exchange.user_text) + tokens(exchange.assistant_text) for exchange in history]
        return history[len(history) - newest_within(costs, self.limits.history_tokens) :]

    async def _remember(self, turn: Turn) -> tuple[Turn, tuple[tuple[MemoryItem, float], ...], tuple[Recalled, ...]]:
        """Ask both memories at once; what misses the deadline is left out."""
        query = MemoryQuery(
            text=turn.text,
            author_id=turn.message.author.id,
            author_name=turn.message.author.name,
            now=self.clock.now(),
            limit=self.limits.recall_results,
        )
        asked: dict[str, asyncio.Task[Any]] = {}
        remembering = self.remembering() and bool(turn.text.strip())
        if remembering and self.recall is not None:
            asked["store"] = asyncio.ensure_future(self.recall.recall(turn.scope, query))
        if remembering and self.items is not None:
            asked["items"] = asyncio.ensure_future(self.items.items(turn.scope, query))
        if remembering and self.reading():
            deadline = self.limits.rag_deadline_s
            asked["long-term memory"] = asyncio.ensure_future(
                self.rag.query(turn.scope, turn.text, self.mode, deadline_s=deadline)
            )
        results, notes = await _within(self.limits.deadline_s, asked)
        answer: RagAnswer = results.get("long-term memory", RagAnswer())
        found: tuple[Recalled, ...] = results.get("store", ())
        items: tuple[tuple[MemoryItem, float], ...] = results.get("items", ())
        relevant = fuse(found, answer.found)
        trace = turn.trace
        for note in (*notes, answer.note):
            trace = trace.noting(note) if note else trace
        trace = trace.measuring(
            recalled=len(found), items=len(items), rag_results=len(answer.found), rag_chars=answer.chars
        )
        return turn.with_(trace=trace), items, relevant

    def _render(self, turn: Turn, items: tuple[tuple[MemoryItem, float], ...]) -> tuple[Turn, tuple[MemoryItem, ...]]:
        """Return the turn with its system prompt, and the items that stand in it."""
        limits = self.limits
        in_history = {exchange.uid for exchange in turn.history}
        packed = pack(
            items,
            disclosure=Disclosure(limits.disclosure),
            top_k_per_layer=limits.top_k_per_layer,
            floor=limits.relevance_floor,
            soft_tokens=limits.soft_tokens,
            max_tokens=limits.max_tokens,
        )
        relevant = tuple(memory for memory in turn.relevant if memory.exchange not in in_history)
        rendered = render_prompt(
            tuple((section.name, section.text) for section in self.preferences.sections()),
            packed,
            (*_summary(turn), *relevant),
            (turn.skill.name, turn.skill.body) if turn.skill else None,
            self.tools,
            fence=secrets.token_hex(8),
            now=self.clock.now(),
            relevant_tokens=limits.relevant_tokens,
            section_tokens=limits.section_tokens,
            skill_tokens=limits.skill_tokens,
        )
        trace = turn.trace.measuring(prompt_chars=len(rendered.text), memories=len(rendered.used))
        for name in rendered.trimmed:
            trace = trace.noting(f"prompt section shortened to its budget: {name}")
        return turn.with_(system_prompt=rendered.text, trace=trace.using(rendered.used)), packed.items


def _summary(turn: Turn) -> tuple[Recalled, ...]:
    """Return the summary that stands for the older part of this conversation: data, like every memory."""
    session = turn.session
    if not session.summary:
        return ()
    text = f"Earlier in this conversation: {session.summary}"
    return (Recalled(f"summary:{session.id}", text, Channel.ITEM, 1.0, "summary", said_at=session.started_at),)


async def _within(deadline_s: float, asked: dict[str, asyncio.Task[Any]]) -> tuple[dict[str, Any], list[str]]:
    """Wait for all tasks at most ``deadline_s``; return results by name, and a note for each that gave none."""
    if not asked:
        return {}, []
    try:
        await asyncio.wait(asked.values(), timeout=deadline_s)
    finally:
        for task in asked.values():
            task.cancel()
    results: dict[str, Any] = {}
    notes: list[str] = []
    for name, task in asked.items():
        if not task.done() or task.cancelled():
            notes.append(f"{name} missed the deadline of {deadline_s:g} s")
        elif (error := task.exception()) is not None:
            notes.append(f"{name} unavailable: {type(error).__name__}")
            structlog.get_logger().warning("memory read failed", channel=name, cause=type(error).__name__)
        else:
            results[name] = task.result()
    return results, notes
