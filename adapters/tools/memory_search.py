"""Lets the model look again, with its own words, when what stands in the prompt is not enough."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import structlog

from adapters.tools.arguments import check_names, read_integer, read_text
from adapters.tools.listing import attribute, render_listing, to_recalled
from bot.errors import MnemeError
from bot.memory.items import Recalled
from bot.memory.ranking.fusion import fuse
from bot.ports.clock import Clock
from bot.ports.document_store import DocumentSearch
from bot.ports.memory_store import MemoryStore
from bot.ports.rag import QueryMode, RagPort
from bot.ports.recall import MemoryQuery, Recall
from bot.ports.tool import ToolResult, ToolSpec
from bot.turn import Turn

_MOST = 20
_QUERY_CHARS = 1000


@dataclass(frozen=True, slots=True)
class MemorySearch:
    """The tool ``memory_search``: all memories of the chat at once, within one deadline of ``deadline_s`` seconds.

    ``remembering`` and ``reading`` are asked anew at every call: switching memory, or long-term memory alone, off acts
    within the turn.  A part that is off by configuration is ``None``.
    """

    recall: Recall | None
    items: MemoryStore | None
    rag: RagPort | None
    clock: Clock
    remembering: Callable[[], bool]
    reading: Callable[[], bool]
    mode: QueryMode = QueryMode.HYBRID
    documents: DocumentSearch | None = None
    deadline_s: float = 3.0

    spec: ClassVar[ToolSpec] = ToolSpec(
        "memory_search",
        "Search everything remembered in this chat, across all sessions. Use it when the memories in the prompt do not "
        "answer the question. Search for names and content words, not for whole questions.",
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "what to look for"},
                "limit": {"type": "integer", "description": f"how many results, 1 to {_MOST}; 8 by default"},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
    )
    writes: ClassVar[bool] = False
    outside: ClassVar[bool] = False

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str | ToolResult:  # Any: JSON from the model
        """Return what was found as a fenced list; a part that failed is said, not raised."""
        check_names(arguments, "query", "limit")
        text = read_text(arguments, "query", most=_QUERY_CHARS)
        limit = read_integer(arguments, "limit", default=8, least=1, most=_MOST)
        if not self.remembering():
            return "Memory is switched off."
        author = turn.message.author
        query = MemoryQuery(text, author.id, author.name, self.clock.now(), limit=limit)
        parts = await asyncio.gather(
            self._run_within("notes", lambda: self._search_items(turn, query)),
            self._run_within("conversations", lambda: self._search_turns(turn, query)),
            self._run_within("documents", lambda: self._search_documents(turn, query)),
            self._run_within("long-term memory", lambda: self._search_rag(turn, query)),
        )
        (items, _), (turns, _), (filed, _), (longterm, _) = parts
        found = _merge(items, fuse(turns, (*filed, *longterm)), limit)
        structlog.get_logger().info("memory searched", found=len(found), entry=turn.accepted[0].id)
        return ToolResult(
            render_listing(
                found,
                attribution=attribute(found, turn, query.now),
                notes=tuple(note for _, note in parts if note),
            ),
            found,
        )

    async def _search_items(self, turn: Turn, query: MemoryQuery) -> tuple[tuple[Recalled, ...], str]:
        if self.items is None:
            return (), ""
        return tuple(to_recalled(item, score) for item, score in await self.items.items(turn.scope, query)), ""

    async def _search_turns(self, turn: Turn, query: MemoryQuery) -> tuple[tuple[Recalled, ...], str]:
        return (await self.recall.recall(turn.scope, query), "") if self.recall is not None else ((), "")

    async def _search_documents(self, turn: Turn, query: MemoryQuery) -> tuple[tuple[Recalled, ...], str]:
        return (await self.documents.search(turn.scope, query), "") if self.documents is not None else ((), "")

    async def _search_rag(self, turn: Turn, query: MemoryQuery) -> tuple[tuple[Recalled, ...], str]:
        if self.rag is None or not self.reading():
            return (), ""
        answer = await self.rag.query(turn.scope, query.text, self.mode, deadline_s=self.deadline_s)
        return answer.found, answer.note

    async def _run_within(
        self, name: str, part: Callable[[], Awaitable[tuple[tuple[Recalled, ...], str]]]
    ) -> tuple[tuple[Recalled, ...], str]:
        try:
            async with asyncio.timeout(self.deadline_s):
                return await part()
        except TimeoutError:
            return (), f"{name} did not answer in time"
        except MnemeError as error:
            return (), f"{name} unavailable: {type(error).__name__}"


def _merge(items: tuple[Recalled, ...], said: tuple[Recalled, ...], limit: int) -> tuple[Recalled, ...]:
    """Take notes and what was said in turn, best first, each text once."""
    longest = max(len(items), len(said))
    merged: dict[str, Recalled] = {}
    for memory in (part[rank] for rank in range(longest) for part in (items, said) if rank < len(part)):
        merged.setdefault(memory.text, memory)
    return tuple(merged.values())[:limit]
