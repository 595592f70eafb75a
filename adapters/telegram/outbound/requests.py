"""Calls of the Bot API that show a rendered text: post it, edit it into a message, or preview it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from aiogram import Bot
from aiogram.types import (
    FSInputFile,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
)

from adapters.telegram.outbound.markdown import Entity, Rendered
from adapters.telegram.transport.rate_limit import RateLimit
from adapters.telegram.transport.session import ApiSession, run_before_request
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
        """Send a new message and return its id."""
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
        """Send a file and return the message's id."""
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
        """Put the text into a message sent before."""
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
        """Take the buttons under a message away."""
        with self._await_departure(to):
            await self.bot.edit_message_reply_markup(chat_id=to.chat_id, message_id=message_id, reply_markup=None)

    async def react(self, to: Address, message_id: int, emoji: str) -> None:
        """Put a reaction on a message, in place of the one before."""
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
        """Show "typing…" for some seconds."""
        with run_before_request(self.rate_limit.depart):
            await self.bot.send_chat_action(to.chat_id, "typing", message_thread_id=to.topic_id)

    @contextmanager
    def _await_departure(self, to: Address, mark: Mark | None = None) -> Iterator[None]:
        """Hold a call until its moment, and count it from its answer on."""

        async def depart() -> None:
            if mark is not None:
                await mark()
            await self.rate_limit.depart(to.chat_id)

        try:
            with run_before_request(depart):
                yield
        finally:
            self.rate_limit.count_answer(to.chat_id)


def _make_reply_parameters(to: Address) -> ReplyParameters | None:
    """Return the message that is answered; an answer to one that was deleted meanwhile stands alone.

    Under a post of a channel this is what brings the answer into the thread of its comments.
    """
    if to.reply_to is None:
        return None
    return ReplyParameters(message_id=to.reply_to, allow_sending_without_reply=True)


def _make_entities(entities: tuple[Entity, ...]) -> list[MessageEntity] | None:
    return [
        MessageEntity(
            type=entity.type, offset=entity.offset, length=entity.length, url=entity.url, language=entity.language
        )
        for entity in entities
    ] or None
