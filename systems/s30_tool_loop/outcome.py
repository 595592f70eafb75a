"""From the end of the loop to the reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.errors import MnemeError
from bot.memory.sanitise import clean
from bot.ports.tools import Question
from bot.turn import Reply, ReplyKind, Turn
from systems.s30_tool_loop.limits import ToolLoopLimits
from systems.s30_tool_loop.progress import Ending, Progress
from systems.s30_tool_loop.texts import LoopTexts


def reply_of(ending: Ending, progress: Progress, texts: LoopTexts, limits: ToolLoopLimits) -> Reply:
    """Return the reply of a loop that ended without an error."""
    text = clean(progress.text()).strip()
    match ending:
        case Ending.ANSWERED if text:
            return Reply(text)
        case Ending.CUT_SHORT if text:
            return Reply(f"{text}\n\n{texts.cut_short}")
        case Ending.STOPPED:
            return _unfinished(text, texts.stopped)
        case Ending.OUT_OF_TIME:
            return _unfinished(text, texts.out_of_time.format(seconds=f"{limits.wall_s:g}"))
        case Ending.OUT_OF_CALLS:
            return _unfinished(text, texts.out_of_calls)
        case _:
            return _unfinished("", texts.empty)


def failed(
    turn: Turn, error: MnemeError, progress: Progress, texts: LoopTexts, remembered: Callable[[Turn], Turn]
) -> Turn:
    """Return the turn answered although the model failed: what it said so far, or else what memory knows."""
    if text := clean(progress.text()).strip():
        return turn.with_(reply=_unfinished(text, texts.broke_off.format(reason=error)))
    notice = texts.failed.format(reason=error)
    known = remembered(turn)
    if known.reply is not None and known.trace.memories and turn.relevant:
        return known.with_(reply=_unfinished(known.reply.text, notice))
    return turn.with_(reply=_unfinished("", notice))


def asking(turn: Turn, questions: Sequence[Question], texts: LoopTexts) -> Turn:
    """Return the turn with the tools' questions below its reply, each with its button."""
    if turn.reply is None or not questions:
        return turn
    asked = ((texts.ask_forget if one.forgets else texts.ask)(one.text) for one in questions)
    text = "\n\n".join((turn.reply.text, *asked))
    numbers = ("",) if len(questions) == 1 else tuple(f" {number}" for number in range(1, len(questions) + 1))
    buttons = tuple(
        (f"{texts.agree_forget if one.forgets else texts.agree}{number}", one.command)
        for one, number in zip(questions, numbers, strict=True)
    )
    about = tuple(dict.fromkeys((*turn.reply.about, *(name for one in questions for name in one.about))))
    return turn.with_(reply=replace(turn.reply, text=text, buttons=(*turn.reply.buttons, *buttons), about=about))


def _unfinished(text: str, notice: str) -> Reply:
    """Return a reply that is no finished answer.

    Its kind is RECALLED and not NOTICE: nothing of it is learned or indexed, but a fact that the user stated in the
    message is, because a failing model must not cost a memory.
    """
    return Reply(f"{text}\n\n{notice}" if text else notice, ReplyKind.RECALLED)


def admitting(turn: Turn, texts: LoopTexts) -> Turn:
    """Return the turn with a reply that says what cannot be done yet, whatever else it says."""
    reply = turn.reply
    if reply is None or not texts.cannot:
        return turn
    return turn.with_(reply=replace(reply, text=f"{reply.text}\n\n{texts.cannot}"))
