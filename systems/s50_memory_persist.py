"""System 50: decide what of the exchange is remembered.

It plans and does not write: system 60 commits exchange, items, reply and outbox row in one transaction, because a
crash between two writes would lose or double one of them.
Secrets are masked here, before anything of the exchange reaches a disk.
Nothing is learned from what was forwarded or quoted: it is kept as what it is, and found as what its author said.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.memory.answering.follow_ups import asks_earlier
from bot.memory.items import MemoryItem, Origin, Part, Provenance, Trust, merge_forwarded
from bot.memory.learning.speech_acts import wants_reminder
from bot.memory.learning.statements import extract_items, tells
from bot.memory.secrets.redaction import Source, is_redacted, redact
from bot.messages import MessageKind
from bot.ports.system import OnError
from bot.turn import CalledTool, Exchange, ReplyKind, SaidIn, Turn

_UNTYPED: Final = frozenset({Origin.FILE, Origin.TOOL})


@dataclass(frozen=True, slots=True)
class MemoryPersist:
    """Plan the exchange and its items.

    Commands leave nothing behind, but for the result of a tool that one has called.  That, notices, and everything
    while ``remembering`` is off, are kept as history of the session and never learned from.  ``deriving`` says whether
    items are made of what is learned.
    """

    remembering: Callable[[], bool]
    deriving: Callable[[], bool]

    order: ClassVar[int] = 50
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with ``exchange`` and ``items`` planned."""
        reply = turn.reply
        if reply is not None and reply.called is not None:
            return replace(turn, exchange=_build_history(turn, reply.called))
        if reply is None or not turn.is_kept:
            return turn
        message = turn.message
        edited = message.kind is MessageKind.EDITED
        empty = not turn.text.strip() and not turn.pictures
        user = redact(turn.typed)
        assistant = redact(reply.text, Source.ANSWER, known=user.secrets)
        parts = tuple(
            replace(
                part,
                # What was passed on has been typed by somebody.
                text=redact(part.text, Source.DOCUMENT if part.origin in _UNTYPED else Source.TYPED).text,
            )
            for part in turn.parts
        )
        told_off = reply.kind is ReplyKind.COMMAND or (reply.kind is ReplyKind.NOTICE and not edited)
        learning = self.remembering() and not told_off
        if reply.kind is ReplyKind.RECALLED:
            forwarded = bool(parts and merge_forwarded(parts))
            told = tells(user.text) and not asks_earlier(user.text)  # "n before that"
            learning = learning and (forwarded or told or wants_reminder(user.text))
        exchange = Exchange(
            scope=turn.scope,
            uid=turn.uid,
            session_id=turn.session.id,
            author=message.author,
            user_text=user.text,
            assistant_text="" if edited and reply.kind in {ReplyKind.NOTICE, ReplyKind.COMMAND} else assistant.text,
            said_at=message.sent_at,
            skill=turn.skill.name if turn.skill else "",
            synthetic=turn.corrected or not learning or empty,
            echo=reply.kind in (ReplyKind.RECALLED, ReplyKind.NOTED),
            message_id=message.message_id,
            revises=turn.edited,
            parts=parts,
            answer_trust=min(Trust.BOT, turn.prompt_trust),
            messages=_list_messages(turn),
        )
        items = _items(turn, exchange) if learning and not turn.corrected and self.deriving() else ()
        masked = max(len(user.kinds), is_redacted(user.text)) + len(assistant.kinds)
        trace = turn.trace.measuring(items_planned=len(items), secrets_masked=masked)
        return replace(turn, exchange=exchange, items=items, trace=trace)


def _list_messages(turn: Turn) -> tuple[SaidIn, ...]:
    """Return what each message says, where there are several, or what was heard in the only one."""
    known = {each.message_id: each for each in turn.said}
    several = len(turn.accepted) > 1
    said = []
    for message in (entry.message for entry in turn.accepted if several or known):
        before = known.get(message.message_id, SaidIn(message.message_id))
        if message.file is not None and message.file.id != before.file:
            before = SaidIn(message.message_id)
        text = redact(message.text).text if several else ""
        said.append(replace(before, text=text, heard=redact(before.heard).text))
    return tuple(each for each in said if several or each.heard)


def _build_history(turn: Turn, called: CalledTool) -> Exchange:
    """Return what a called tool has brought as history: its words are data, and nothing is learned from them."""
    return Exchange(
        scope=turn.scope,
        uid=turn.uid,
        session_id=turn.session.id,
        author=turn.message.author,
        user_text="",
        assistant_text=redact(called.told, Source.ANSWER).text,
        said_at=turn.message.sent_at,
        synthetic=True,
        message_id=turn.message.message_id,
        parts=(Part(Origin.TOOL, redact(called.result, Source.DOCUMENT).text, called.tool, trust=Trust.TOOL),),
        answer_trust=Trust.TOOL,
    )


def _items(turn: Turn, exchange: Exchange) -> tuple[MemoryItem, ...]:
    """Extract items by rule, from what was typed."""
    author = exchange.author
    outside = any(run.tainted for run in turn.tool_runs)
    trust = Trust.TOOL if outside else author.trust
    provenance = Provenance(author.id, author.name, "chat", trust, exchange.said_at, exchange.uid)
    return extract_items(
        user_text=exchange.user_text,
        provenance=provenance,
        skill=exchange.skill,
    )
