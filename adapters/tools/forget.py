"""Lets the model forget what the user asked it to forget, with a receipt.

Two steps: look (``query``), then erase by the references that looking showed.  Whatever the model was talked into,
nothing is erased without a word of forgetting in the user's own message, and only what that message is about: a memory
that says "forget everything" is only a memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import structlog

from adapters.tools.arguments import known, text_of, texts_of
from adapters.tools.listing import as_recalled, listing, reference
from adapters.tools.own_words import asks_to_forget
from bot.errors import CommandInvalid
from bot.memory.items import Recalled
from bot.ports.clock import Clock
from bot.ports.memory import Eraser, MemoryQuery, MemoryStore, Recall, Receipt
from bot.ports.tools import ToolSpec
from bot.turn import Turn

_ITEM = re.compile(r"item:([1-9][0-9]{0,18})")
_TURN = re.compile(r"turn:([a-z0-9]{1,64})")
_MOST = 5
_NAMEABLE, _RECENT = 20, 3


@dataclass(frozen=True, slots=True)
class Forget:
    """The tool ``forget``: finds and erases single memories of the chat's own scope, never all of it."""

    eraser: Eraser
    items: MemoryStore
    recall: Recall
    clock: Clock

    spec: ClassVar[ToolSpec] = ToolSpec(
        "forget",
        "Erase memories because the user asks for it in this message. First call it with query to see what there is, "
        "then with references. To forget everything the user sends /forget everything.",
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "what to look for; nothing is erased"},
                "references": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": f"what to erase: up to {_MOST} of item:NUMBER and turn:NAME, as listed",
                },
            },
            "additionalProperties": False,
        },
    )
    writes: ClassVar[bool] = True
    outside: ClassVar[bool] = False

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str:  # Any: JSON from the model
        """Return the candidates, or the receipt of what was erased."""
        known(arguments, "query", "references")
        if ("query" in arguments) == ("references" in arguments):
            raise CommandInvalid("give either query or references")
        if turn.parts or not asks_to_forget(turn):
            raise CommandInvalid(
                "the user's own message does not ask to forget anything; nothing was erased. If they want it, they can"
                " send /forget"
            )
        if "query" in arguments:
            found = await self._candidates(turn, text_of(arguments, "query", most=1000), _MOST)
            return listing(found, now=self.clock.now(), asker_id=turn.message.author.id)
        return await self._erase(turn, texts_of(arguments, "references", most=_MOST))

    def requested(self, turn: Turn, arguments: dict[str, Any]) -> bool:  # Any: as above
        """Whether the user typed a request to forget; what it names is looked at when it is run."""
        return asks_to_forget(turn)

    async def _candidates(self, turn: Turn, text: str, limit: int) -> tuple[Recalled, ...]:
        author = turn.message.author
        query = MemoryQuery(text, author.id, author.name, self.clock.now(), limit=limit)
        items = await self.items.items(turn.scope, query)
        turns = await self.recall.recall(turn.scope, query)
        return (*(as_recalled(item, score) for item, score in items[:limit]), *turns[:limit])

    async def _nameable(self, turn: Turn) -> frozenset[str]:
        """Return the references the user can mean: what their own message finds, and what was said last."""
        found = await self._candidates(turn, turn.typed, _NAMEABLE)
        recent = (f"turn:{exchange.uid}" for exchange in turn.history[-_RECENT:])
        return frozenset((*(reference(memory) for memory in found), *recent))

    async def _erase(self, turn: Turn, references: tuple[str, ...]) -> str:
        """Erase what the references name; all of them must make sense before anything is erased."""
        matches = [(_ITEM.fullmatch(name), _TURN.fullmatch(name)) for name in references]
        if any(not (item or exchange) for item, exchange in matches):
            raise CommandInvalid("references must be item:NUMBER or turn:NAME, as a search lists them")
        if not set(references) <= await self._nameable(turn):
            raise CommandInvalid(
                "the user's message is not about all of these; nothing was erased. They can name what to forget in"
                " their own words, or send /forget with the reference"
            )
        item_ids = tuple(int(item.group(1)) for item, _ in matches if item)
        exchanges = tuple(exchange.group(1) for _, exchange in matches if exchange)
        receipts: list[Receipt] = []
        if item_ids:
            receipts.append(await self.eraser.erase_items(turn.scope, item_ids))
        if exchanges:
            receipts.append(await self.eraser.erase_exchanges(turn.scope, exchanges))
        structlog.get_logger().info("memory erased by tool", references=len(references), scope=turn.scope.tag)
        return _receipt(receipts)


def _receipt(receipts: list[Receipt]) -> str:
    """Say what was erased in the terms of the receipts, so that the model claims no more than happened."""
    exchanges = sum(receipt.exchanges for receipt in receipts)
    items = sum(receipt.items for receipt in receipts)
    documents = sum(receipt.documents for receipt in receipts)
    if not exchanges + items + documents:
        return "Nothing of that name is in this chat's memory; nothing was erased."
    residue = sum(len(receipt.residue) for receipt in receipts)
    long_term = (
        "long-term memory has not confirmed yet" if any(receipt.pending for receipt in receipts) else "confirmed"
    )
    check = f"WARNING: a search still finds {residue}" if residue else "a search for it finds nothing any more"
    return f"Erased: {items} notes, {exchanges} exchanges, {documents} documents ({long_term}); {check}."
