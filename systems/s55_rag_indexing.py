"""System 55: hand the exchange to long-term memory.

The hand-over is a row of the outbox, written by system 60 together with the exchange: nothing is waited for here and
nothing can be lost between the two.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import structlog

from bot.memory.learning.speech_acts import find_skip_reason
from bot.memory.learning.statements import states_fact
from bot.ports.system import OnError
from bot.turn import IndexDocument, Turn


@dataclass(frozen=True, slots=True)
class RagIndexing:
    """Plan the exchange's document, unless there is nothing in it worth finding again.

    ``writing`` is asked anew in every turn: switching long-term memory off acts at once; what is said meanwhile is
    noted as deferred and handed over when it is on again.
    ``min_length`` counts the characters of both texts together.  ``refused`` is what a chat is told, once, whose
    documents the server does not take; "" otherwise.
    """

    min_length: int
    writing: Callable[[], bool]
    refused: Callable[[Turn], str] = lambda _: ""

    order: ClassVar[int] = 55
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with ``document`` planned, or with a note why not."""
        exchange = turn.exchange
        if exchange is None:
            return turn
        said = exchange.said
        reason = find_skip_reason(
            said,
            exchange.assistant_text,
            min_length=self.min_length,
            states_fact=states_fact(said),
            synthetic=exchange.synthetic,
        )
        log = structlog.get_logger()
        if reason is not None:
            log.info("rag index: trivial exchange skipped", reason=reason, entry=turn.accepted[0].id)
            return replace(turn, trace=turn.trace.measuring(indexed_chars=0))
        document = IndexDocument.from_exchange(exchange, frozenset(turn.message.namesakes))
        if not self.writing():
            log.info("rag index: deferred until rag.enabled is true", source=document.source)
            deferred = replace(document, deferred=True)
            return replace(turn, document=deferred, trace=turn.trace.measuring(indexed_chars=0))
        log.info("rag index: planned", chars=len(document.text), source=document.source)
        if turn.reply is not None and (notice := self.refused(turn)):
            turn = replace(turn, reply=replace(turn.reply, text=f"{turn.reply.text}\n\n{notice}".strip()))
        return replace(turn, document=document, trace=turn.trace.measuring(indexed_chars=len(document.text)))
