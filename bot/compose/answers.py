"""Answers without a language model, and the tool loop's sentences, from the texts of a language."""

from __future__ import annotations

from collections.abc import Callable

from bot.commands.formatting import escaped, verbatim
from bot.commands.language import Voice
from bot.memory.answering.answer import Retrieval, answer_from, list_searches
from bot.memory.answering.reminders import wants_reminder
from bot.memory.parts import forwarded_of
from bot.memory.ranking.answerability import FLOOR, is_known
from bot.ports.chat_model import ChatModel
from bot.ports.clock import Clock
from bot.turn import Reply, ReplyKind, Turn
from language.texts import Texts
from systems.s30_tool_loop import LoopTexts

_KINDS = {"acknowledged": ReplyKind.NOTED}


def searched(text: str, model: ChatModel | None) -> tuple[str, ...]:
    """Return what to search memory for to answer a message, each by itself; empty if nobody would look at it.

    A model is shown what is found for the message as it is.  Without one each of several questions is searched for,
    and a statement is acknowledged, whatever is remembered.
    """
    return (text,) if model is not None else list_searches(text)


def remembered(
    voice: Voice, clock: Clock, *, alone: bool, floor: float = FLOOR, direct: bool = False
) -> Callable[[Turn], Turn]:
    """Return the system-30 answer of an assistant without a model: what memory says, and what it says of itself.

    ``alone`` says that no model is configured, as opposed to one that has failed; only then a model is recommended.
    ``floor`` is the certainty below which memory does not know; ``direct`` lists what was found.
    """

    def answer(turn: Turn) -> Turn:
        author = turn.message.author
        forwarded = forwarded_of(turn.parts)
        if forwarded is not None and not turn.typed.strip():
            noted = voice(turn.message).answers.forward_noted.format(name=escaped(forwarded.author) or "?")
            return turn.with_(reply=Reply(noted, ReplyKind.NOTED), trace=turn.trace.using(()))
        found = answer_from(
            turn.analysed,
            turn.relevant,
            asker_id=author.id,
            asker_name=author.name,
            now=clock.now(),
            phrases=voice(turn.message).answers,
            first=not turn.history,
            alone=alone,
            known=is_known(turn.relevant, floor),
            unread=turn.unread,
            direct=direct,
            apart={
                each.question: Retrieval(each.relevant, is_known(each.relevant, floor), each.unread)
                for each in turn.readings
            },
        )
        reply = Reply(found.text, _KINDS.get(found.kind, ReplyKind.RECALLED))
        return turn.with_(reply=reply, trace=turn.trace.using(found.used))

    return answer


def loop_texts(texts: Texts, turn: Turn, *, remembering: bool) -> LoopTexts:
    """Return the tool loop's sentences in a language, for a turn; ``remembering`` says whether it will be kept."""
    words = texts.loop
    return LoopTexts(
        stopped=words.stopped,
        out_of_time=words.out_of_time,
        out_of_calls=words.out_of_calls,
        failed=words.failed,
        broke_off=words.broke_off,
        empty=words.empty,
        cut_short=words.cut_short,
        ask=lambda text: words.ask.format(text=verbatim(text)),
        agree=words.agree,
        ask_forget=lambda text: words.ask_forget.format(text=verbatim(text)),
        agree_forget=words.agree_forget,
        cannot=_cannot(texts, turn, remembering=remembering),
    )


def _cannot(texts: Texts, turn: Turn, *, remembering: bool) -> str:
    """Return what the author is told of an attachment that nobody looked at and of a reminder that will not come."""
    notice = texts.notice
    attached = dict.fromkeys(part.message.attachment for part in turn.accepted if part.message.attachment)
    lines = [notice.unread.format(what=notice.attachments.get(name, notice.attachment_other)) for name in attached]
    if wants_reminder(turn.analysed):
        lines.append(f"{notice.no_reminders} {notice.kept_instead}" if remembering else notice.no_reminders)
    return "\n".join(lines)
