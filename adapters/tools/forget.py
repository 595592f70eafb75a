"""Lets the model forget what the user asked it to forget, with a receipt.

Two steps: look (``query``), then erase by the references that looking showed.  Whatever the model was talked into,
nothing is erased without a word of forgetting in the user's own message, and only what that message is about: a memory
that says "forget everything" is only a memory.  Everything else is asked: the user sees what exactly would go.
"""

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import structlog

from adapters.tools.memory_search import attribute, render_listing, to_recalled
from adapters.tools.requests import asks_to_forget, check_names, list_forget_requests, read_text, read_texts
from bot.core.rights import May, Whose
from bot.errors import CommandInvalid
from bot.memory.items import Recalled
from bot.ports.chat_model import ToolSpec
from bot.ports.clock import Clock
from bot.ports.eraser import Eraser, ErasureReceipt, ErasureTarget, KeptTexts
from bot.ports.memory_store import MemoryQuery, MemoryStore, Recall
from bot.ports.tool import ConfirmationRequest
from bot.turn import Turn

_ITEM = re.compile(r"item:([1-9][0-9]{0,18})")
_TURN = re.compile(r"turn:([a-z0-9]{1,64})")
_MOST = 5
_ASKED_CHARS = 2000
"""As much as people read before they press a button."""
_NOT_ASKED = (
    "the user's own message does not ask to forget anything; nothing was erased. Look with memory_search: with"
    " references the user is asked, with a button"
)


@dataclass(frozen=True, slots=True)
class Forget:
    """The tool ``forget``: finds and erases single memories of the chat's own scope, never all of it."""

    eraser: Eraser
    items: MemoryStore
    recall: Recall
    kept: KeptTexts
    clock: Clock
    may: May

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

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str | ConfirmationRequest:  # Any: JSON from the model
        """Return the candidates, or the receipt of what was erased, or what the user is to be asked."""
        _check_arguments(arguments)
        if "query" in arguments:
            if not self.is_requested(turn, arguments):
                raise CommandInvalid(_NOT_ASKED)
            found = await self._find_candidates(turn, read_text(arguments, "query", most=1000), _MOST)
            return render_listing(found, attribution=attribute(found, turn, self.clock.now()))
        references = read_texts(arguments, "references", most=_MOST)
        named = _read_references(references)
        if not self.is_requested(turn, arguments) or not set(references) <= await self._find_nameable(turn):
            return await self._build_question(turn, references, named)
        others = await self.may(self.spec.name, turn.message, turn.scope, Whose.OTHERS)
        receipt = await self.eraser.erase(turn.scope, named, author_id=turn.message.author.id, only_own=not others)
        structlog.get_logger().info("memory erased by tool", references=len(references), scope=turn.scope.tag)
        return _render_receipt(receipt)

    async def ask(self, turn: Turn, arguments: dict[str, Any]) -> ConfirmationRequest:  # Any: as above
        _check_arguments(arguments)
        if "query" in arguments:
            raise CommandInvalid(_NOT_ASKED)
        references = read_texts(arguments, "references", most=_MOST)
        return await self._build_question(turn, references, _read_references(references))

    def is_requested(self, turn: Turn, arguments: dict[str, Any]) -> bool:  # Any: as above
        """Return whether the user typed a request to forget; what it names is looked at when it is run."""
        return not turn.parts and asks_to_forget(turn)

    async def _find_candidates(self, turn: Turn, text: str, limit: int) -> tuple[Recalled, ...]:
        author = turn.message.author
        query = MemoryQuery(text, author.id, author.name, self.clock.now(), limit=limit)
        items = await self.items.items(turn.scope, query)
        turns = await self.recall.recall(turn.scope, query)
        return (*(to_recalled(item, score) for item, score in items[:limit]), *turns[:limit])

    async def _find_nameable(self, turn: Turn) -> frozenset[str]:
        """Return the references of what holds every word, whole, that a request of the user's names it by."""
        found = [one for words in list_forget_requests(turn) for one in await self.kept.find(turn.scope, words)]
        return frozenset(one.ref for one in found if one.certain)

    async def _build_question(
        self, turn: Turn, references: tuple[str, ...], named: ErasureTarget
    ) -> ConfirmationRequest:
        """Show all that would go; what is too long to be read before a button is pressed is not asked."""
        texts = await self.kept.list_texts(turn.scope, named)
        if not texts:
            raise CommandInvalid("nothing of that name is in this chat's memory")
        shown = "\n".join(texts)
        if len(shown) > _ASKED_CHARS:
            raise CommandInvalid("that is too much to be shown with a button; tell the user to send /forget with words")
        return ConfirmationRequest(shown, " ".join(("/forget", *references)), forgets=True, about=references)


def _check_arguments(arguments: dict[str, Any]) -> None:  # Any: as above
    check_names(arguments, "query", "references")
    if ("query" in arguments) == ("references" in arguments):
        raise CommandInvalid("give either query or references")


def _read_references(references: tuple[str, ...]) -> ErasureTarget:
    """Return what the references name; all of them must make sense."""
    matches = [(_ITEM.fullmatch(name), _TURN.fullmatch(name)) for name in references]
    if any(not (item or exchange) for item, exchange in matches):
        raise CommandInvalid("references must be item:NUMBER or turn:NAME, as a search lists them")
    item_ids = tuple(int(item.group(1)) for item, _ in matches if item)
    return ErasureTarget(item_ids, tuple(exchange.group(1) for _, exchange in matches if exchange))


def _render_receipt(receipt: ErasureReceipt) -> str:
    """Say what was erased in the terms of the receipt, so that the model claims no more than happened."""
    if receipt.spared and not receipt.exchanges + receipt.items + receipt.documents:
        return "Others said that: admins of the group and the owner can forget it with /forget; nothing was erased."
    if not receipt.exchanges + receipt.items + receipt.documents:
        return "Nothing of that name is in this chat's memory; nothing was erased."
    long_term = "long-term memory has not confirmed yet" if receipt.pending else "confirmed"
    residue = len(receipt.residue)
    check = f"WARNING: a search still finds {residue}" if residue else "a search for it finds nothing any more"
    undo = f" Within {receipt.undo_s:g} seconds the user can take it back with /undo." if receipt.undo else ""
    return (
        f"Erased: {receipt.items} notes, {receipt.exchanges} exchanges, {receipt.documents} documents ({long_term}); "
        f"{check}.{undo}"
    )
