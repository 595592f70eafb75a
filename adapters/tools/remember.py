"""Lets the model keep what the user asked it to keep, in the user's own words.

Verbatim, because what a model phrases may come from a poisoned memory as well as from the user: text that is not in
the user's message is refused, so that nothing else can become a trusted memory through this tool.
Unless the user typed a request to remember just that, they are asked, and see exactly what would be stored.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from adapters.tools.requests import asks_to_keep, check_names, looks_pasted, read_text, says_verbatim
from bot.errors import CommandInvalid
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.learning.statements import compute_fingerprint, extract_items
from bot.memory.sanitise import flatten, remove_hidden
from bot.memory.secrets.redaction import redact
from bot.ports.chat_model import ToolSpec
from bot.ports.clock import Clock
from bot.ports.memory_store import MemoryEditor
from bot.ports.tickets import PROPOSAL_LASTS_S, Asked, TicketKind, Tickets
from bot.ports.tool import ConfirmationRequest
from bot.turn import Turn

_TEXT_CHARS = 2000
_ASKED_CHARS = 1000
"""As much as people read before they press a button."""
_CONFIDENCE, _SALIENCE = 0.95, 0.8
"""Said on purpose: surer and more important than what a rule picks up in passing."""


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Remember:
    """The tool ``remember``: stores one item in the chat's own memory.

    ``agree`` is the name of the command that agrees to a proposal.
    ``remembering`` is asked anew at every call: switching memory off acts within the turn.
    """

    editor: MemoryEditor
    clock: Clock
    tickets: Tickets
    agree: str
    remembering: Callable[[], bool] = _always

    spec: ClassVar[ToolSpec] = ToolSpec(
        "remember",
        "Keep something for good because the user asked for it in this message. What users say is remembered anyway; "
        "this marks it as important. The text must be the user's own words from this message, word for word.",
        {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "the user's own words, verbatim"}},
            "required": ["text"],
            "additionalProperties": False,
        },
    )
    writes: ClassVar[bool] = True
    outside: ClassVar[bool] = False

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str | ConfirmationRequest:  # Any: JSON from the model
        """Store the text and return it as it was stored, byte for byte; ask where nobody asked for just that."""
        text = self._read_text(arguments)
        if not says_verbatim(turn, text):
            raise CommandInvalid("the text must be taken word for word from the user's message")
        if looks_pasted(turn) or not asks_to_keep(turn, text):
            return await self.ask(turn, arguments)
        redacted = redact(text)
        item_id = await self.editor.add(turn.scope, self._build_item(turn, redacted.text))
        masked = f" Secrets were left out: {', '.join(redacted.kinds)}." if redacted.kinds else ""
        return f"Stored as item:{item_id}, exactly so: {redacted.text}{masked}"

    def is_requested(self, turn: Turn, arguments: dict[str, Any]) -> bool:  # Any: as above
        """Return whether the user typed a request to remember exactly these words."""
        return asks_to_keep(turn, self._read_text(arguments)) and not looks_pasted(turn)

    async def ask(self, turn: Turn, arguments: dict[str, Any]) -> ConfirmationRequest:  # Any: as above
        """Propose the text, without secrets, to the user, who sees exactly what would be stored.

        It may be anybody's text; only the user's own words are trusted like the user.
        """
        text = redact(self._read_text(arguments, _ASKED_CHARS)).text
        author = turn.message.author
        trust = Trust.FILE if turn.tainted or looks_pasted(turn) or not says_verbatim(turn, text) else author.trust
        asked, content = Asked(turn.scope, turn.message.address, author.id), (text, str(int(min(trust, author.trust))))
        token = await self.tickets.issue(TicketKind.PROPOSAL, asked, content, self.clock.now(), PROPOSAL_LASTS_S)
        return ConfirmationRequest(text, f"/{self.agree} {token}")

    def _read_text(self, arguments: dict[str, Any], most: int = _TEXT_CHARS) -> str:  # Any: as above
        check_names(arguments, "text")
        if not self.remembering():
            raise CommandInvalid("memory is switched off; nothing was stored")
        return remove_hidden(read_text(arguments, "text", most=most)).strip()

    def _build_item(self, turn: Turn, text: str) -> MemoryItem:
        author, now = turn.message.author, self.clock.now()
        provenance = Provenance(author.id, author.name, "remember", author.trust, turn.message.sent_at, turn.uid)
        derived = extract_items(user_text=text, assistant_text="", provenance=provenance, skill="")
        plain = MemoryItem(
            Layer.SEMANTIC, ItemType.FACT, flatten(text, 60), text, provenance, compute_fingerprint(text)
        )
        item = derived[0] if len(derived) == 1 and derived[0].content == text else plain
        return replace(item, confidence=_CONFIDENCE, salience=_SALIENCE, ttl_s=None, created_at=now, updated_at=now)
