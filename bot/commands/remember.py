"""/remember: keep exactly this; /keep: the button under a text that was proposed."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Final

from bot.commands.formatting import Voice, escape, make_reply, show_verbatim, to_number
from bot.errors import CommandInvalid
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.learning.statements import compute_fingerprint, extract_items
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import redact
from bot.messages import Author
from bot.ports.memory_store import MemoryEditor
from bot.ports.system import CommandCall
from bot.ports.tickets import Asked, TicketKind, Tickets
from bot.turn import Reply
from language.command_texts import RememberTexts

LONGEST: Final = 4000
"""Characters of one memory; a longer text is a document."""
_TITLE: Final = 80
_MASK: Final = re.compile(r"\[[^]]*]?")
_CONFIDENCE: Final = 0.95
_SALIENCE: Final = 0.8
"""Asked for in so many words: surer and weightier than what was picked up in passing."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Stores the argument, or the message that is replied to, as one item; what is shown is what is stored."""

    texts: Voice
    editor: MemoryEditor
    remembering: Callable[[], bool]

    name: ClassVar[str] = "remember"

    async def run(self, call: CommandCall) -> Reply:
        """Store it and show it."""
        texts = self.texts(call.message).remember
        if not self.remembering():
            raise CommandInvalid(texts.off)
        told, trust = _told(call, texts)
        redacted = redact(told)
        kinds = ", ".join(texts.kinds.get(kind, kind) for kind in redacted.kinds)
        if kinds and not says_more(redacted.text):
            raise CommandInvalid(texts.nothing_left.format(kinds=kinds))
        item = item_of(redacted.text, replace(call.author, trust=trust), call.message.sent_at, call.now)
        item_id = await self.editor.add(call.scope, item, call.message.address, call.message.message_id)
        masked = texts.masked.format(kinds=kinds) if kinds else ""
        return make_reply(texts.done.format(id=to_number(item_id), text=show_verbatim(item.content)), masked)


def _told(call: CommandCall, texts: RememberTexts) -> tuple[str, Trust]:
    """Return the text to keep and how far it may be believed: a quotation is somebody else's word."""
    text, trust = clean(call.argument).strip(), call.author.trust
    quote = call.message.quote
    if not text and quote is not None:
        text, trust = clean(quote.text).strip(), min(trust, Trust.FILE)
        text = texts.quoted.format(author=quote.author, text=text) if text and quote.author else text
    if not text:
        raise CommandInvalid(texts.usage)
    if len(text) > LONGEST:
        raise CommandInvalid(texts.too_long.format(length=len(text), limit=LONGEST))
    return text, trust


def says_more(text: str) -> bool:
    """Return whether something is left beside the masks."""
    return any(map(str.isalnum, _MASK.sub("", text)))


def item_of(text: str, author: Author, said_at: datetime, now: datetime) -> MemoryItem:
    """Make one item of the whole text, with the kind and subject that the rules see in it."""
    provenance = Provenance(author.id, author.name, "remember", author.trust, said_at)
    seen = extract_items(user_text=text, assistant_text="", provenance=provenance, skill="")
    if len(seen) == 1 and seen[0].content == text:
        item = seen[0]
    else:
        layer, kind = (seen[0].layer, seen[0].type) if len(seen) == 1 else (Layer.SEMANTIC, ItemType.FACT)
        item = MemoryItem(layer, kind, escape(text, _TITLE), text, provenance, compute_fingerprint(text))
    return replace(
        item, confidence=_CONFIDENCE, salience=_SALIENCE, ttl_s=None, created_at=now, updated_at=now, accessed_at=now
    )


@dataclass(frozen=True, slots=True)
class Keep:
    """Stores a proposed text as it was shown; in no menu, because only a button knows its argument."""

    texts: Voice
    editor: MemoryEditor
    tickets: Tickets
    remembering: Callable[[], bool]

    name: ClassVar[str] = "keep"

    async def run(self, call: CommandCall) -> Reply:
        """Store it and show it."""
        texts = self.texts(call.message).remember
        if not self.remembering():
            raise CommandInvalid(texts.off)
        asked = Asked(call.scope, call.message.address, call.author.id)
        used = await self.tickets.use(TicketKind.PROPOSAL, asked, call.message.update_id, call.now, call.argument)
        if used is None:
            raise CommandInvalid(texts.too_late)
        text, trust = used.content
        author = replace(call.author, trust=min(Trust(int(trust)), call.author.trust))
        item = item_of(text, author, call.message.sent_at, call.now)
        item_id = await self.editor.add(call.scope, item, call.message.address)
        return make_reply(texts.done.format(id=to_number(item_id), text=show_verbatim(item.content)))
