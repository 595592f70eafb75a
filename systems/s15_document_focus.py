"""System 15: find out which documents a message is about.

``/ask NAME question`` names one, a reply to the message that brought a document, or to its receipt, points at it, and
a question beside a file that was just read is about that (system 10 has said so).  Then these documents alone answer.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.memory.answering.questions import expects_answer
from bot.messages import MessageKind
from bot.ports.documents import DocumentStore, StoredDocument
from bot.ports.system import OnError
from bot.turn import Turn

_ASKED = "[The message is about documents: what memory shows for it is from these alone. Name document and section.]"


@dataclass(frozen=True, slots=True)
class DocumentFocus:
    """Set what a turn is about, and take the command's words out of its text.

    ``find_named`` returns the document that an ``/ask`` names and the question, ``None`` for any other message.
    """

    store: DocumentStore
    find_named: Callable[[Turn], Awaitable[tuple[StoredDocument, str] | None]]
    remembering: Callable[[], bool]

    order: ClassVar[int] = 15
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with its focus."""
        if turn.reply is not None or not turn.text.strip() or not self.remembering():
            return turn
        named = await self.find_named(turn)
        if named is not None:
            document, question = named
            text = question if expects_answer(question) else f"{question.rstrip('.!')}?"
            return _asked_of(replace(turn, text=text), (document,))
        if turn.focus:
            return _asked_of(turn, ())
        return _asked_of(turn, await self._find_replied(turn))

    async def _find_replied(self, turn: Turn) -> tuple[StoredDocument, ...]:
        quote = turn.message.quote
        if quote is None or quote.message_id is None or turn.message.kind is MessageKind.BUTTON:
            return ()
        return await self.store.find_carried(turn.scope, turn.address.key, quote.message_id)


def _asked_of(turn: Turn, documents: tuple[StoredDocument, ...]) -> Turn:
    focus = tuple(dict.fromkeys((*turn.focus, *(document.uid for document in documents))))
    return replace(turn, focus=focus, told=(*turn.told, _ASKED)) if focus else turn
