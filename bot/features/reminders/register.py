"""Reminders: adds their commands and jobs, and systems 46 and 47, to Mneme.

System 46: say how a reminder is set now where an answer without a model quotes the words that asked for it.

"Remind me to ring the council at 10" stays what was said when it was moved to 11, or called off.

System 47: offer a reminder, or to move one, where somebody tells a time and orders nothing.

"Weekly meeting at 9:15" and "they moved the meeting to Friday" are learned like anything that is told; what is only
likely to be meant for a reminder is set or moved at a press, not by that.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from tzlocal import get_localzone_name

from adapters.sqlite.reminders import SqliteReminders
from adapters.when.reader import LanguageWhenReader
from bot.features.reminders.clock import ReminderClock
from bot.features.reminders.commands import ListReminders, Remind, RemindTool
from bot.features.reminders.requests import EventTimes, ReminderRequests, Zone
from bot.features.reminders.sentences import ReminderOrders, SentenceReminders
from bot.features.reminders.wording import ReminderList, write_line
from bot.memory.items import Recalled
from bot.memory.learning.kinds import LIKELY, SentenceKind, decide_kind
from bot.memory.learning.speech_acts import list_own_sentences, wants_reminder
from bot.messages import Address, MessageKind
from bot.ports.reminders import ComingReminders, Reminders
from bot.ports.system import OnError
from bot.runtime.app import App
from bot.turn import ReplyKind, Turn

_MOST: Final = 3


@dataclass(frozen=True, slots=True)
class ReminderState:
    """Add a line for each of the asker's own messages that is quoted and asked for a reminder."""

    store: Reminders

    order: ClassVar[int] = 46
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with those lines; one that quotes none reads nothing."""
        reply, asker = turn.reply, turn.message.author.id
        if reply is None or reply.kind is not ReplyKind.RECALLED:
            return turn
        quoted = [each for each in turn.trace.memories if each.author_id == asker and wants_reminder(each.text)]
        lines = [await self._tell(turn, each) for each in quoted[:_MOST] if each.exchange]
        if not lines:
            return turn
        hint = f"\n\n{turn.texts.answers.no_model}"
        answer = reply.text.removesuffix(hint)
        told = "\n".join((answer, *dict.fromkeys(lines)))
        return replace(turn, reply=replace(reply, text=told if answer == reply.text else f"{told}{hint}"))

    async def _tell(self, turn: Turn, asked: Recalled) -> str:
        texts = turn.texts
        reminder = await self.store.find_asked(turn.scope, asked.exchange, asked.author_id)
        if reminder is None or not reminder.open:
            return texts.reminders.not_set
        return texts.reminders.is_set.format(line=write_line(reminder, texts))


_ANSWERS: Final = frozenset({ReplyKind.ANSWER, ReplyKind.NOTED, ReplyKind.RECALLED})


@dataclass(frozen=True, slots=True)
class ReminderOffer:
    """Add the offer to the reply; a message whose kind was not read, or is another, reads nothing."""

    orders: ReminderOrders
    sentences: SentenceReminders

    order: ClassVar[int] = 47
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with the reminder in its reply that the message may mean, if it means exactly one."""
        reply = turn.reply
        if reply is None or reply.kind not in _ANSWERS or not turn.is_own or turn.message.kind is MessageKind.EDITED:
            return turn
        said = list_own_sentences(turn.analysed)
        told = [each for each in said if decide_kind(each, LIKELY) is SentenceKind.CORRECTION]
        ordered = len(said) == 1 and wants_reminder(said[0])  # what asks for one was answered
        if len(said) == 1 and not ordered and decide_kind(said[0], LIKELY) is SentenceKind.REMINDER:
            offer = await self.orders.offer_new(turn, said[0])
        else:
            offer = None if ordered else await self.sentences.offer(turn)
            offer = offer or (await self.orders.offer_move(turn, told[0]) if len(told) == 1 else None)
        if offer is None:
            return turn
        changed = replace(reply, text=f"{reply.text}\n\n{offer.text}", buttons=(*reply.buttons, *offer.buttons))
        return replace(turn, reply=changed)


async def register(app: App) -> None:
    """Add reminders to Mneme."""
    store, woken = SqliteReminders(app.database), asyncio.Event()

    def find_zone(address: Address) -> Zone:
        own = app.chat_settings.find(address).time_zone
        return Zone(own or app.settings.time_zone() or get_localzone_name() or "UTC", known=bool(own))

    requests = ReminderRequests(
        store, app.tickets, LanguageWhenReader(), lambda message: find_zone(message.address), app.clock, woken.set
    )
    remind = Remind(requests, store, app.may)
    app.provide(Reminders, store)
    app.provide(ComingReminders, ReminderList(store))
    orders = ReminderOrders(remind)
    app.added.commands += [remind, ListReminders(remind)]
    app.added.menu += [remind.name, ListReminders.name]
    events = EventTimes(app.timeline, requests)
    sentences = SentenceReminders(requests, app.turns, orders, app.shown, events)
    app.added.sentences.append(sentences.answer)
    app.added.taking_back.append(orders.take_back)
    app.added.systems += [lambda: ReminderState(store), lambda: ReminderOffer(orders, sentences)]
    tool = RemindTool(requests, store)
    app.added.tools.append(lambda _: (tool,))
    clock = ReminderClock(app, store, lambda address: find_zone(address).name, woken)
    app.provide(ReminderClock, clock)

    async def look() -> None:
        woken.set()

    app.added.refresh.append(look)
    app.provide(SqliteReminders, store)
    app.added.sole_jobs["reminders"] = clock
    app.added.at_close.append(clock.close)
