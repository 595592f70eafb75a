"""The language of a command's answer: the author's, unless the operator set one."""

from collections.abc import Callable
from dataclasses import replace

from bot.memory.items import Trust
from bot.messages import Address, ChatKind, InboundMessage
from bot.turn import PAGING_LASTS_S, NextSession, Reply, ReplyKind
from language.registry import choose_texts, get_user_texts
from language.texts import Texts

Voice = Callable[[InboundMessage], Texts]
"""Chooses the texts for whoever wrote the message."""


def texts_for_author(message: InboundMessage, default: str = "auto") -> Texts:
    """Return the texts for a message's author: in their language, with the operator's hints for the owner, in private.

    A group reads along: what the owner sets is not for it.
    """
    texts = choose_texts(message.language, default, message.text)
    private = message.author.trust is Trust.OWNER and message.chat_kind is ChatKind.DIRECT
    return texts if private else get_user_texts(texts.language)


def make_reply(
    *paragraphs: str,
    buttons: tuple[tuple[str, str], ...] = (),
    about: tuple[str, ...] = (),
    next_session: NextSession | None = None,
    in_place: bool = False,
) -> Reply:
    """Return a command's reply; empty paragraphs are left out.  ``about`` is what the buttons are about."""
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return Reply(text, ReplyKind.COMMAND, buttons, next_session, about=about, in_place=in_place)


def make_page(*paragraphs: str, buttons: tuple[tuple[str, str], ...] = ()) -> Reply:
    """Return a page of a listing, whose buttons turn it over."""
    return replace(make_reply(*paragraphs, buttons=buttons, in_place=True), buttons_last_s=PAGING_LASTS_S)


def build_voice(find_language: Callable[[Address], str]) -> Voice:
    """Return who is spoken to how: in the language of the chat, "auto" being the author's.

    Hints for the operator are the owner's.
    """
    return lambda message: texts_for_author(message, find_language(message.address))
