"""In which language a command answers: the author's, unless the operator set one."""

from __future__ import annotations

from collections.abc import Callable

from bot.texts.texts import Texts
from bot.turn import InboundMessage, Reply, ReplyKind

Voice = Callable[[InboundMessage], Texts]
"""Chooses the texts for whoever wrote the message."""


def said(
    *paragraphs: str,
    buttons: tuple[tuple[str, str], ...] = (),
    about: tuple[str, ...] = (),
    end_session: bool = False,
) -> Reply:
    """Return a command's reply; empty paragraphs are left out.  ``about`` is what the buttons are about."""
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return Reply(text, ReplyKind.COMMAND, buttons, end_session, about=about)
