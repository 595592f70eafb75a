"""The tool loop's sentences for a turn, in the language of whoever wrote its message."""

from __future__ import annotations

from bot.commands.formatting import show_verbatim
from bot.turn import Turn
from language.texts import Texts
from systems.s30_tool_loop import ToolLoopTexts


def build_loop_texts(texts: Texts, turn: Turn) -> ToolLoopTexts:
    """Return the tool loop's sentences in a language, for a turn."""
    words = texts.loop
    return ToolLoopTexts(
        stopped=words.stopped,
        out_of_time=words.out_of_time,
        out_of_calls=words.out_of_calls,
        failed=words.failed,
        broke_off=words.broke_off,
        empty=words.empty,
        cut_short=words.cut_short,
        ask=lambda text: words.ask.format(text=show_verbatim(text)),
        agree=words.agree,
        ask_forget=lambda text: words.ask_forget.format(text=show_verbatim(text)),
        agree_forget=words.agree_forget,
        ask_call=lambda text: texts.calls.ask.format(text=show_verbatim(text)),
        agree_call=texts.calls.agree,
        ask_fetch=lambda text: texts.web.ask_fetch.format(url=show_verbatim(text)),
        agree_fetch=texts.web.agree_fetch,
        cannot=_cannot(texts, turn),
        unseen=texts.media.not_seen,
    )


def _cannot(texts: Texts, turn: Turn) -> str:
    """Return what the author is told of the files that came along, and of those that nobody looked at."""
    notice = texts.notice
    attached = turn.unknown_attachments
    lines = [*turn.receipts]
    lines += [notice.unread.format(what=notice.attachments.get(name, notice.attachment_other)) for name in attached]
    return "\n".join(lines)
