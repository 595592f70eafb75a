"""Service replies, on which nothing depends: refusals to strangers, acknowledged button presses, greetings.

They run beside the polling loop, few at a time, and may fail; nobody waits for them.  They keep the limits that the
answers keep, so that whoever presses buttons or knocks all the time holds up no answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import structlog
from aiogram import Bot
from aiogram.exceptions import AiogramError
from aiogram.types import LinkPreviewOptions

from adapters.telegram.transport.rate_limit import RateLimit, RateWindow, RateWindows
from adapters.telegram.transport.session import run_before_request
from bot.messages import Address, ChatKind, InboundMessage
from bot.ports.clock import Clock
from language.texts import ServiceTexts

_AT_ONCE = 32
_TO_STRANGERS = frozenset({"stranger"})
"""Answers that tell somebody we do not know that the bot is there; who sends a code or presses a button knows it."""
_HOUR_S = 3600.0


class ServiceReplies:
    """Sends service texts: to each reader each text once an hour, and ten in all within a minute."""

    def __init__(
        self,
        bot: Bot,
        clock: Clock,
        texts: Callable[[str], ServiceTexts],
        rate_limit: RateLimit,
        *,
        to_strangers: Callable[[], bool],
    ) -> None:
        self._bot = bot
        self._rate_limit = rate_limit
        self._cleared: set[int] = set()
        self._to_strangers = to_strangers
        self._clock = clock
        self._texts = texts
        self._refusals = RateWindows(1, _HOUR_S)
        self._wrong_codes = RateWindows(5, _HOUR_S)
        self._overall = RateWindow(10, 60.0)
        self._tasks: set[asyncio.Task[None]] = set()

    def refuse(self, message: InboundMessage, answer: str) -> None:
        """Answer a refused message with one short sentence, or not at all."""
        if not answer or (answer in _TO_STRANGERS and not self._to_strangers()):
            return
        reader = message.author.id if message.chat_kind is ChatKind.DIRECT else message.address.chat_id
        self.send(message.address, answer, message.language, reader)

    def send(self, to: Address, answer: str, language: str, about: int) -> None:
        """Send a text about an id, unless this chat got one within the hour."""
        now = self._clock.monotonic()
        chat = to.chat_id
        mine = (self._wrong_codes if answer == "wrong_code" else self._refusals).get(chat)
        if mine.compute_delay(now) or self._overall.compute_delay(now):
            return
        mine.take(now)
        self._overall.take(now)
        self._start(self._send(to, self._choose_text(answer, language).format(id=about)))

    def answer_button(self, query_id: str, answer: str, language: str) -> None:
        """Let the pressed button stop waiting; ``answer`` "" says nothing."""
        silent = not answer or (answer in _TO_STRANGERS and not self._to_strangers())
        text = None if silent else self._choose_text(answer, language)
        self._start(self._answer_query(query_id, text))

    def remove_buttons(self, chat_id: int, message_id: int) -> None:
        """Take away buttons that nobody may press any more, one message of a chat at a time; the rest stay."""
        if chat_id in self._cleared:
            return
        self._cleared.add(chat_id)
        task = self._start(self._clear_buttons(chat_id, message_id))
        if task is None:
            self._cleared.discard(chat_id)
        else:
            task.add_done_callback(lambda _: self._cleared.discard(chat_id))

    async def close(self) -> None:
        """Drop what is still under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _choose_text(self, answer: str, language: str) -> str:
        return str(asdict(self._texts(language))[answer])

    async def _send(self, to: Address, text: str) -> None:
        await self._rate_limit.reserve(to.chat_id)
        with self._await_departure(to.chat_id):
            await self._bot.send_message(
                to.chat_id,
                text,
                message_thread_id=to.topic_id,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
            )

    async def _answer_query(self, query_id: str, text: str | None) -> None:
        with run_before_request(self._rate_limit.depart):
            await self._bot.answer_callback_query(query_id, text=text)

    async def _clear_buttons(self, chat_id: int, message_id: int) -> None:
        await self._rate_limit.reserve(chat_id)
        with self._await_departure(chat_id):
            await self._bot.edit_message_reply_markup(chat_id=chat_id, message_id=message_id, reply_markup=None)

    @contextmanager
    def _await_departure(self, chat_id: int) -> Iterator[None]:
        async def depart() -> None:
            await self._rate_limit.depart(chat_id)

        try:
            with run_before_request(depart):
                yield
        finally:
            self._rate_limit.count_answer(chat_id)

    def _start(self, call: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:  # Any: nothing is sent to it
        if len(self._tasks) >= _AT_ONCE:
            call.close()
            return None
        task = asyncio.create_task(_run_quietly(call))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: call.close())  # one that is cancelled before it begins was never awaited
        return task


async def _run_quietly(call: Coroutine[Any, Any, None]) -> None:  # Any: as above
    try:
        await call
    except AiogramError as error:
        structlog.get_logger().info("telegram.service_reply_failed", error=type(error).__name__)
