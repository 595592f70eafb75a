"""What a reply means by "that": the message that it replies to, or what that has told of memory.

It goes by the message's number, not by its words, which another message may share, and never by what was shown or told
last.  An answer means the one memory that it told; one to a statement means the statement.
"""

from dataclasses import dataclass, replace
from typing import Final

from bot.memory.concepts import list_concepts, tells
from bot.memory.items import Origin
from bot.memory.learning.correction import Statement, find_corrections
from bot.memory.learning.speech_acts import SpeechAct, classify_speech
from bot.memory.sanitise import flatten
from bot.memory.speakers import ANOTHERS, show_name
from bot.ports.documents import DocumentStore
from bot.ports.eraser import KeptText
from bot.ports.memory_store import MemoryEditor
from bot.ports.system import CommandCall
from bot.ports.turn_store import RepliedTo, TurnStore
from bot.turn import Exchange, Turn

_LINE: Final = 1_000
"""Characters of a message that a reply may hand on."""


@dataclass(frozen=True, slots=True)
class RepliedTexts:
    """Finds what is kept of what a message replies to; ``documents`` is ``None`` where there are none."""

    turns: TurnStore
    editor: MemoryEditor
    documents: DocumentStore | None

    async def find(self, call: CommandCall) -> tuple[tuple[KeptText, ...], bool]:
        """Return what "that" may mean, and whether it means all of that; () where nothing of it is kept."""
        message, number = call.message, call.message.replies_to
        if not number:
            return (), False
        replied = await self.turns.find_replied(call.scope, message.address, number)
        told = list_told(replied) if replied is not None else ()
        if told:
            return told, False
        said = (
            () if replied is None else (keep_exchange(replied.exchange), *await self._list_corrected(replied.exchange))
        )
        carried = await self.documents.find_carried(call.scope, message.address.key, number) if self.documents else ()
        return (*said, *(KeptText(f"file:{each.uid}", each.name, 0.0, certain=True) for each in carried)), True

    async def _list_corrected(self, said: Exchange) -> list[KeptText]:
        """Return the memories that hold as a message has put them right."""
        found = []
        for was in await self.editor.find_corrected(said.scope, said.uid):
            made, _ = find_corrections(said.user_text, (Statement(said.uid, was.before, last=True),))
            if made and made[0].statement == was.after:
                found.append(replace(keep_exchange(said), ref=f"item:{was.item_id}", text=was.after))
        return found


async def quote_replied(turns: TurnStore, turn: Turn) -> str:
    """Return what "this" means in a reply, on one line, "" in none: the author's words as they hold now, or another's.

    Those begin with :data:`ANOTHERS` and whoever wrote them.
    """
    quote = turn.message.quote
    if quote is None or any(part.origin is not Origin.QUOTED for part in turn.parts):
        return ""
    replied = await turns.find_replied(turn.scope, turn.address, quote.message_id) if quote.message_id else None
    said = replied.exchange if replied is not None and not replied.answer else None
    passed_on = said.forwarded if said is not None else None
    if said is not None and said.author.id == turn.message.author.id and passed_on is None:
        return flatten(said.user_text, _LINE)
    text, name = flatten(quote.text, _LINE), show_name(quote.author if passed_on is None else passed_on.author)
    return f"{ANOTHERS}{name}: {text}" if text and name else f"{ANOTHERS}{text}" if text else ""


def keep_exchange(said: Exchange) -> KeptText:
    """Return what an exchange says as what may be forgotten."""
    whose = said.author
    return KeptText(
        f"turn:{said.uid}", said.said, 0.0, certain=False, author_id=whose.id, author=whose.name, said_at=said.said_at
    )


def list_told(replied: RepliedTo) -> tuple[KeptText, ...]:
    """Return the memories that an answer has told; () for a message, and for the answer to a statement."""
    if not replied.answer or classify_speech(replied.exchange.user_text) is SpeechAct.STATEMENT:
        return ()
    answered = frozenset(list_concepts(replied.exchange.assistant_text))
    found: dict[str, KeptText] = {}
    for one in replied.trace.memories:
        ref = f"turn:{one.exchange}" if one.exchange else f"file:{one.place.uid}" if one.place else ""
        if ref and tells(answered, one.text):
            text, at = one.place.name if one.place else one.text, one.said_at
            told = KeptText(ref, text, 0.0, False, one.author_id, one.author, one.role, at)
            found.setdefault(ref, told)
    return tuple(found.values())
