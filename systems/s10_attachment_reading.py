"""System 10: read what came with a message, before anything is asked of memory.

Each file goes to the first handler of its kind that takes it: what it says is kept, or becomes the message's words,
before the systems after this one look at the turn.
Where nothing was typed, what was read is the answer; a model is not asked to say that a file has come.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.core.pipeline import tell_unsupported
from bot.files import InboundFile
from bot.messages import MessageKind
from bot.ports.system import AttachmentHandler, OnError
from bot.turn import Reply, ReplyKind, Turn


async def _answer_nothing(_: Turn) -> Reply | None:
    return None


@dataclass(frozen=True, slots=True)
class AttachmentReading:
    """Have every file of a turn read by ``handlers``, in the order of both.

    ``spoken`` answers what was spoken if it needs no other system: a request for a reminder.
    ``words_are_answered`` says that somebody answers what an attachment says in words (a poll, a place): a model.
    """

    handlers: tuple[AttachmentHandler, ...]
    words_are_answered: bool = False
    spoken: Callable[[Turn], Awaitable[Reply | None]] = _answer_nothing

    order: ClassVar[int] = 10
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with its files read; with a reply where there is nothing else to answer."""
        typed = turn.text
        for file in turn.files:
            turn = await self._read(turn, file)
        if turn.text.strip() or turn.pictures:
            return turn if turn.text == typed else replace(turn, reply=await self.spoken(turn))
        if turn.receipts:
            return replace(turn, reply=Reply("\n\n".join(turn.receipts), ReplyKind.NOTED))
        told = turn.told_attachments and not self.words_are_answered
        if turn.message.kind in {MessageKind.UNSUPPORTED, MessageKind.EDITED} and (turn.unknown_attachments or told):
            return replace(turn, reply=Reply(tell_unsupported(turn), ReplyKind.NOTICE))
        return turn

    async def _read(self, turn: Turn, file: InboundFile) -> Turn:
        for handler in self.handlers:
            if file.kind in handler.kinds and file.id not in turn.handled_files:
                turn = await handler.handle(turn, file)
        return turn
