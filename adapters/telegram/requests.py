"""Calls of the Bot API that show a rendered text and its buttons: post it, edit it into a message, preview it.

Buttons are laid out by the width of their labels alone, so that the same ones make the same keyboard, whoever sends
them when.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Final

import structlog
from aiogram import Bot
from aiogram.types import (
    FSInputFile,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
)

from adapters.telegram.markdown import Entity, Rendered
from adapters.telegram.rate_limit import RateLimit
from adapters.telegram.session import ApiSession, run_before_request
from bot.files import OutboundFile
from bot.messages import Address
from bot.ports.messenger import Mark


@dataclass(frozen=True, slots=True)
class ApiCalls:
    """The calls that show something in a chat.  They raise aiogram's errors.

    Each leaves when ``rate_limit`` lets it; ``mark``, where given, is awaited before that.

    Link previews are off: a preview is fetched as soon as the message is shown, so a link made by the model could
    carry data out of the chat without anybody touching it.
    """

    bot: Bot
    rate_limit: RateLimit

    @property
    def connected(self) -> bool:
        """Return whether a call would find an open connection."""
        return isinstance(self.bot.session, ApiSession) and self.bot.session.connected

    async def post(
        self, to: Address, shown: Rendered, keyboard: InlineKeyboardMarkup | None = None, *, mark: Mark | None = None
    ) -> int:
        with self._await_departure(to, mark):
            message = await self.bot.send_message(
                to.chat_id,
                shown.text,
                message_thread_id=to.topic_id,
                entities=_make_entities(shown.entities),
                parse_mode=None,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                reply_markup=keyboard,
                reply_parameters=_make_reply_parameters(to),
            )
        return message.message_id

    async def post_file(
        self,
        to: Address,
        file: OutboundFile,
        caption: Rendered,
        keyboard: InlineKeyboardMarkup | None = None,
        *,
        mark: Mark | None = None,
    ) -> int:
        with self._await_departure(to, mark):
            message = await self.bot.send_document(
                to.chat_id,
                FSInputFile(file.path, filename=file.name),
                message_thread_id=to.topic_id,
                caption=caption.text or None,
                caption_entities=_make_entities(caption.entities),
                parse_mode=None,
                disable_content_type_detection=True,
                reply_markup=keyboard,
                reply_parameters=_make_reply_parameters(to),
            )
        return message.message_id

    async def edit(
        self,
        to: Address,
        message_id: int,
        shown: Rendered,
        keyboard: InlineKeyboardMarkup | None = None,
        *,
        mark: Mark | None = None,
    ) -> None:
        with self._await_departure(to, mark):
            await self.bot.edit_message_text(
                text=shown.text,
                chat_id=to.chat_id,
                message_id=message_id,
                entities=_make_entities(shown.entities),
                parse_mode=None,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                reply_markup=keyboard,
            )

    async def remove_keyboard(self, to: Address, message_id: int) -> None:
        with self._await_departure(to):
            await self.bot.edit_message_reply_markup(chat_id=to.chat_id, message_id=message_id, reply_markup=None)

    async def answer_press(self, query_id: str, text: str | None) -> None:
        """Let a pressed button stop waiting, with or without a word."""
        with run_before_request(self.rate_limit.depart):
            await self.bot.answer_callback_query(query_id, text=text)

    async def react(self, to: Address, message_id: int, emoji: str) -> None:
        with run_before_request(self.rate_limit.depart):
            await self.bot.set_message_reaction(to.chat_id, message_id, reaction=[ReactionTypeEmoji(emoji=emoji)])

    async def preview(self, to: Address, draft_id: int, shown: Rendered) -> None:
        """Show a text that goes away by itself."""
        with self._await_departure(to):
            await self.bot.send_message_draft(
                to.chat_id,
                draft_id,
                message_thread_id=to.topic_id,
                text=shown.text,
                entities=_make_entities(shown.entities),
                parse_mode=None,
            )

    async def show_typing(self, to: Address) -> None:
        with run_before_request(self.rate_limit.depart):
            await self.bot.send_chat_action(to.chat_id, "typing", message_thread_id=to.topic_id)

    @contextmanager
    def _await_departure(self, to: Address, mark: Mark | None = None) -> Iterator[None]:
        """Hold a call until its moment, and count it from its answer on."""
        try:
            with run_before_request(lambda: self.rate_limit.depart(to.chat_id, mark)):
                yield
        finally:
            self.rate_limit.count_answer(to.chat_id)


def _make_reply_parameters(to: Address) -> ReplyParameters | None:
    """Return the message that is answered; an answer to one that was deleted meanwhile stands alone."""
    if to.reply_to is None:
        return None
    return ReplyParameters(message_id=to.reply_to, allow_sending_without_reply=True)


def _make_entities(entities: tuple[Entity, ...]) -> list[MessageEntity] | None:
    return [MessageEntity(**asdict(entity)) for entity in entities] or None


_CALLBACK_BYTES: Final = 64
"""https://core.telegram.org/bots/api#inlinekeyboardbutton."""
_MOST: Final = 100
"""Buttons under one message; Telegram refuses a message with more."""
_ROOM: Final = ((4, 8), (6, 4), (10, 3), (18, 2))
"""Widths of the widest label of a row, in letters, and how many buttons a phone shows beside each other then."""


def make_keyboard(buttons: tuple[tuple[str, str], ...]) -> InlineKeyboardMarkup | None:
    """Return the keyboard of pairs of label and data, ``None`` without any.

    A button that Telegram would refuse, for its data or because there are more than a hundred, is left out: the text
    still goes.
    """
    usable = [(label, data) for label, data in buttons if label.strip() and 1 <= len(data.encode()) <= _CALLBACK_BYTES]
    if len(usable[:_MOST]) < len(buttons):
        structlog.get_logger().error("telegram.buttons_dropped", count=len(buttons) - len(usable[:_MOST]))
    rows = [
        [InlineKeyboardButton(text=label, callback_data=data) for label, data in row]
        for row in _lay_out(usable[:_MOST])
    ]
    return InlineKeyboardMarkup(inline_keyboard=rows) if rows else None


def _lay_out(buttons: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield rows in order, each as full as its widest label allows."""
    row: list[tuple[str, str]] = []
    widest = 0
    for button in buttons:
        width = sum(map(_measure, button[0].strip()))
        if row and len(row) >= _count_fitting(max(widest, width)):
            yield row
            row, widest = [], 0
        row.append(button)
        widest = max(widest, width)
    if row:
        yield row


def _count_fitting(width: int) -> int:
    return next((count for most, count in _ROOM if width <= most), 1)


def _measure(sign: str) -> int:
    """Return how many letters a character is as wide as: 2 for pictures and East Asian signs, 0 for combining ones."""
    if unicodedata.combining(sign) or unicodedata.category(sign) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
