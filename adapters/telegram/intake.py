"""Takes one update in: chat events are noted, messages are let in or refused, split messages are marked as one.

The caller confirms an update to Telegram only after ``take`` returned.  What is said about a message that goes no
further (refusals, acknowledged button presses, greetings) is sent on the side, and nothing depends on it.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime
from typing import Any

import structlog
from aiogram.exceptions import AiogramError
from cachetools import LRUCache

from adapters.telegram.access import AccessControl, AllowLists, Denied
from adapters.telegram.fields import NOTHING, Json, get_int, get_object, get_text, is_true
from adapters.telegram.markdown import Rendered
from adapters.telegram.rate_limit import RateWindow, RateWindows
from adapters.telegram.requests import ApiCalls
from adapters.telegram.updates import NOT_ADDRESSED, PLATFORM, BotIdentity, Ignored, read_button_id, read_update
from bot.core.dispatch import PREFIX, SplitMessages
from bot.errors import ButtonRefused, LeaseLost, StorageUnavailable
from bot.messages import Address, ChatKind, InboundMessage
from bot.ports.chats import Chats
from bot.ports.when import Clock
from language.texts import ServiceTexts


class AddressedAlbums:
    """Reads updates, with the other parts of an album in a group: its caption, and so our name, stands below one alone.

    What came before that part is not known to be meant for us, nor what comes after a restart.
    """

    def __init__(self) -> None:
        self._seen: LRUCache[tuple[str, int, str], None] = LRUCache(_REMEMBERED)

    def complete(self, raw: Json, us: BotIdentity, now: datetime) -> InboundMessage | Ignored:
        """Return the message in an update, or the reason to leave it alone."""
        message = read_update(raw, us, now)
        if not (isinstance(message, Ignored) and message.reason == NOT_ADDRESSED):
            return message
        part = read_update(raw, us, now, addressed=True)
        return part if isinstance(part, InboundMessage) and _name_album(part) in self._seen else message

    def remember(self, message: InboundMessage) -> None:
        if message.group_id is not None and not message.group_id.startswith(PREFIX):
            self._seen[_name_album(message)] = None


def _name_album(message: InboundMessage) -> tuple[str, int, str]:
    return message.address.key, message.author.id, message.group_id or ""


_REMEMBERED = 1_000


@dataclass(slots=True, eq=False)
class Intake:
    """Takes updates one by one.

    What cannot be read, or breaks what reads it, would do so again: it is set aside at once, counted by ``set_aside``
    and logged without its text, so that nobody waits for it.
    """

    us: BotIdentity
    _: KW_ONLY
    accept: Callable[[InboundMessage], Awaitable[None]]
    access_control: AccessControl
    events: ChatEvents
    service_replies: ServiceReplies
    clock: Clock
    set_aside: Callable[[], None]
    _split_messages: SplitMessages = field(init=False, default_factory=SplitMessages)
    _albums: AddressedAlbums = field(init=False, default_factory=AddressedAlbums)

    async def take(self, raw: dict[str, Any]) -> None:  # Any: an update's JSON
        """Bring one update to where it belongs; when this returns it may be confirmed.

        Raises :class:`~bot.errors.StorageUnavailable`, which may pass: then it may not be confirmed, and the same
        update is to be given again.
        """
        try:
            await self._take(raw)
        except StorageUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - worker edge: whatever one update does, the next must come in
            # Its text can hold the message: the kind and the place of the error have to do.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            self.set_aside_update(raw, f"{type(error).__name__} at {frame.name}:{frame.lineno}")

    async def _take(self, raw: Json) -> None:
        if await self.events.take(raw, self.us.bot_id):
            return
        message = await self._read(raw)
        button = read_button_id(raw)
        if isinstance(message, Ignored):
            if message.unreadable:
                self.set_aside_update(raw, message.reason)
            structlog.get_logger().debug("telegram.ignored", update_id=raw.get("update_id"), reason=message.reason)
            if button is not None:
                self.service_replies.answer_button(button, "", "")
            return
        admitted = await self.access_control.admit(message)
        if isinstance(admitted, Denied):
            structlog.get_logger().info(
                "telegram.refused", user_id=message.author.id, chat_id=message.address.chat_id, why=admitted.why
            )
            if button is not None:
                self.service_replies.answer_button(button, "button_refused", message.language)
            else:
                self.service_replies.refuse(message, admitted.answer)
            return
        await self.events.note_message(admitted)
        joined = self._split_messages.join(admitted)
        try:
            await self.accept(joined)
        except ButtonRefused as refusal:
            self._refuse_press(message, button, refusal)
            return
        self._split_messages.remember(joined)
        self._albums.remember(joined)
        if button is not None:
            self.service_replies.answer_button(button, "", message.language)

    async def _read(self, raw: Json) -> InboundMessage | Ignored:
        """Return the message in an update, or the reason to leave it alone."""
        message = self._albums.complete(raw, self.us, self.clock.now())
        if not isinstance(message, Ignored) or message.reason != NOT_ADDRESSED or "edited_message" not in raw:
            return message
        edited = read_update(raw, self.us, self.clock.now(), addressed=True)
        if isinstance(edited, InboundMessage) and await self.events.chats.has_said(edited.address, edited.message_id):
            return edited
        return message

    def _refuse_press(self, message: InboundMessage, button: str | None, refusal: ButtonRefused) -> None:
        structlog.get_logger().info("telegram.button_refused", user_id=message.author.id, why=refusal.why)
        if button is not None:
            self.service_replies.answer_button(button, refusal.why, message.language)
        if refusal.spent:
            self.service_replies.remove_buttons(message.address, message.message_id)

    def set_aside_update(self, raw: Json, why: str) -> None:
        """Set an update aside: count it, and log its id and the reason."""
        self.set_aside()
        structlog.get_logger().error("telegram.update_set_aside", update_id=raw.get("update_id"), why=why)


_THERE = frozenset({"member", "administrator", "creator"})
_NOT_THERE = frozenset({"left", "kicked"})


@dataclass(frozen=True, slots=True)
class ChatEvents:
    """Handles updates about chats that nobody wrote: a new id of a group, the bot added, removed or blocked.

    The bot greets only where somebody on the allow lists has added it; nothing is kept about others.
    """

    lists: AllowLists
    chats: Chats
    service_replies: ServiceReplies

    async def take(self, update: Json, bot_id: int) -> bool:
        """Return whether an update told of a chat alone; ``False`` leaves it to others.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        message = get_object(update, "message")
        if message is not None and (ids := _read_migration(message)) is not None:
            await self._handle_move(bot_id, *ids)
            return True
        if update.get("my_chat_member") is None:
            return False
        await self._handle_membership(get_object(update, "my_chat_member") or NOTHING, bot_id)
        return True

    async def note_message(self, message: InboundMessage) -> None:
        """Note that somebody who was let in writes from a chat: it can be answered.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        if self.chats.is_gone(message.address):
            await self.chats.record_arrival(message.address.bot_id, message.address.chat_id)

    async def _handle_move(self, bot_id: int, old_id: int, new_id: int) -> None:
        if self.lists.has_group(bot_id, old_id) or await self.chats.has_met(bot_id, old_id):
            await self.chats.record_move(bot_id, old_id, new_id)
            structlog.get_logger().warning("telegram.group_moved", old_id=old_id, new_id=new_id)

    async def _handle_membership(self, event: Json, bot_id: int) -> None:
        chat, user = get_object(event, "chat") or NOTHING, get_object(event, "from") or NOTHING
        chat_id, user_id = get_int(chat, "id"), get_int(user, "id")
        before, after = (
            _can_write(get_object(event, name) or NOTHING) for name in ("old_chat_member", "new_chat_member")
        )
        if chat_id is None or after is None or get_text(chat, "type") == "channel":
            return
        if not after:
            if self.lists.has_group(bot_id, chat_id) or await self.chats.has_met(bot_id, chat_id):
                await self.chats.record_departure(bot_id, chat_id)
                structlog.get_logger().info("telegram.removed_from_chat", chat_id=chat_id)
            return
        await self.chats.record_arrival(bot_id, chat_id)
        if chat_id < 0 and not before and user_id is not None and self.lists.has_person(bot_id, user_id):
            greeting = "group_served" if self.lists.has_group(bot_id, chat_id) else "group_joined"
            to = Address(PLATFORM, bot_id, chat_id)
            self.service_replies.send(to, greeting, get_text(user, "language_code"), chat_id)


def _read_migration(message: Json) -> tuple[int, int] | None:
    """Return the old and the new id of a group that became a supergroup; both chats tell of it."""
    chat_id = get_int(get_object(message, "chat") or NOTHING, "id")
    to, came_from = get_int(message, "migrate_to_chat_id"), get_int(message, "migrate_from_chat_id")
    if chat_id is None or chat_id >= 0:
        return None
    if to is not None and to < 0:
        return chat_id, to
    return (came_from, chat_id) if came_from is not None and came_from < 0 else None


def _can_write(member: Json) -> bool | None:
    """Return whether a membership means that the bot can write, ``None`` for one of a kind we do not know."""
    status = get_text(member, "status")
    if status == "restricted":
        return is_true(member, "is_member")
    return True if status in _THERE else False if status in _NOT_THERE else None


_AT_ONCE = 32
_TO_STRANGERS = frozenset({"stranger"})
"""Answers that tell somebody we do not know that the bot is there; who sends a code or presses a button knows it."""
_HOUR_S = 3600.0


@dataclass(slots=True, eq=False)
class ServiceReplies:
    """Sends service texts: to each reader each text once an hour, and ten in all within a minute."""

    calls: ApiCalls
    clock: Clock
    texts: Callable[[str], ServiceTexts]
    _: KW_ONLY
    to_strangers: Callable[[], bool]
    _clearing: set[int] = field(init=False, default_factory=set)
    _refusals: RateWindows = field(init=False, default_factory=lambda: RateWindows(1, _HOUR_S))
    _wrong_codes: RateWindows = field(init=False, default_factory=lambda: RateWindows(5, _HOUR_S))
    _overall: RateWindow = field(init=False, default_factory=lambda: RateWindow(10, 60.0))
    _tasks: set[asyncio.Task[None]] = field(init=False, default_factory=set)

    def refuse(self, message: InboundMessage, answer: str) -> None:
        """Answer a refused message with one short sentence, or not at all."""
        if self._may_say(answer):
            reader = message.author.id if message.chat_kind is ChatKind.DIRECT else message.address.chat_id
            self.send(message.address, answer, message.language, reader)

    def send(self, to: Address, answer: str, language: str, about: int) -> None:
        """Send a text about an id, unless this chat got one within the hour."""
        now = self.clock.monotonic()
        chat = to.chat_id
        mine = (self._wrong_codes if answer == "wrong_code" else self._refusals).get(chat)
        if mine.compute_delay(now) or self._overall.compute_delay(now):
            return
        mine.take(now)
        self._overall.take(now)
        self._start(self._send(to, self._choose_text(answer, language, about)))

    def answer_button(self, query_id: str, answer: str, language: str) -> None:
        """Let the pressed button stop waiting; ``answer`` "" says nothing."""
        text = self._choose_text(answer, language) if self._may_say(answer) else None
        self._start(self.calls.answer_press(query_id, text))

    def remove_buttons(self, to: Address, message_id: int) -> None:
        """Take away buttons that nobody may press any more, one message of a chat at a time; the rest stay."""
        if to.chat_id not in self._clearing and (task := self._start(self._clear_buttons(to, message_id))) is not None:
            self._clearing.add(to.chat_id)
            task.add_done_callback(lambda _: self._clearing.discard(to.chat_id))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _may_say(self, answer: str) -> bool:
        return bool(answer) and (answer not in _TO_STRANGERS or self.to_strangers())

    def _choose_text(self, answer: str, language: str, about: int = 0) -> str:
        return str(getattr(self.texts(language), answer).format(id=about))

    async def _send(self, to: Address, text: str) -> None:
        await self.calls.rate_limit.reserve(to.chat_id)
        await self.calls.post(replace(to, reply_to=None), Rendered(text))

    async def _clear_buttons(self, to: Address, message_id: int) -> None:
        await self.calls.rate_limit.reserve(to.chat_id)
        await self.calls.remove_keyboard(to, message_id)

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
    except (AiogramError, LeaseLost) as error:
        structlog.get_logger().info("telegram.service_reply_failed", error=type(error).__name__)
