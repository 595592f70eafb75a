"""Adds it to Mneme."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from tzlocal import get_localzone_name

from adapters.sqlite.reminders import SqliteReminders
from adapters.when.reader import LanguageWhenReader
from bot.core.delivery import Ending
from bot.features.reminders.clock import ReminderClock, ReminderHooks, ReminderRules
from bot.features.reminders.commands import ListReminders, Remind
from bot.features.reminders.requests import ReminderRequests, Zone
from bot.features.reminders.sentences import SentenceReminders
from bot.features.reminders.tool import Remind as RemindTool
from bot.features.reminders.tool import ReminderWords
from bot.features.reminders.wording import ReminderList, write_exactly, write_kept, write_line, write_text
from bot.messages import Address
from bot.ports.deliveries import Delivery
from bot.ports.reminders import ComingReminders, Reminder, ReminderAgenda, Reminders
from bot.ports.when import Plan
from bot.runtime.app import App
from bot.turn import Turn
from language.registry import choose_texts
from language.texts import Texts


async def register(app: App) -> None:
    """Add reminders to Mneme."""
    store, woken = SqliteReminders(app.database), asyncio.Event()

    def find_zone(address: Address) -> Zone:
        own = app.chat_settings.find(address).time_zone
        return Zone(own or app.settings.time_zone() or get_localzone_name() or "UTC", known=bool(own))

    requests = ReminderRequests(
        store, LanguageWhenReader(), lambda message: find_zone(message.address), app.clock, woken.set
    )
    remind = Remind(app.voice, requests, store, app.may)
    app.provide(Reminders, store)
    app.provide(ComingReminders, ReminderList(store))
    app.added.commands += [remind, ListReminders(remind)]
    app.added.menu += [remind.name, ListReminders.name]
    app.added.sentences.append(SentenceReminders(app.voice, requests, app.turns, lambda: app.model() is None).answer)
    tool = RemindTool(requests, store, _choose_words(app))
    app.added.tools.append(lambda _: (tool,))
    clock = _build_clock(app, store, woken, lambda address: find_zone(address).name)
    app.provide(ReminderClock, clock)
    app.provide(ReminderAgenda, store)
    app.added.jobs["reminders"] = clock
    app.added.at_close.append(clock.close)


def _choose_words(app: App) -> ReminderWords:
    def ask(turn: Turn, plan: Plan, text: str, zone: str) -> tuple[str, str, str]:
        texts = app.voice(turn.message)
        words = texts.reminders
        when = texts.moment(plan.local, weekday=True)
        question = words.ask_agreement.format(when=when, zone=zone, text=write_text(text, texts))
        return question, words.agree_button, f"/remind {write_exactly(plan, text)}"

    return ReminderWords(
        language=lambda turn: app.voice(turn.message).language,
        kept=lambda turn, outcome: write_kept(outcome, app.voice(turn.message)),
        line=lambda turn, reminder: write_line(reminder, app.voice(turn.message)),
        question=ask,
    )


def _build_clock(
    app: App, store: SqliteReminders, woken: asyncio.Event, zone: Callable[[Address], str]
) -> ReminderClock:
    def choose(reminder: Reminder) -> Texts:
        return choose_texts(reminder.language, app.rules.find_language(reminder.address))

    async def is_admitted(reminder: Reminder) -> bool:
        """Whether who asked may still talk to the bot: a name taken off the allow list is written to no more."""
        admits = app.admits.get(reminder.address.platform)
        return admits is None or await admits(reminder)

    def mention(reminder: Reminder, name: str) -> str:
        return app.find_abilities(reminder.address.platform).mention.format(name=name, id=reminder.asker_id)

    def find_quiet_end(address: Address, now: datetime) -> datetime | None:
        return app.rules.find_quiet_end(address, now)

    def list_zones() -> object:
        chosen = tuple((address, settings.time_zone) for address, settings in app.chat_settings.list_chats())
        return app.settings.time_zone(), chosen

    async def wait(address: Address) -> None:
        await app.answered(address)

    def take(delivery: Delivery, ending: Ending) -> None:
        app.unsettled(delivery, ending)

    return ReminderClock(
        store,
        app.deliveries,
        app.messengers,
        app.chats,
        app.clock,
        rules=ReminderRules(choose, zone, list_zones, find_quiet_end, is_admitted, mention),
        hooks=ReminderHooks(wait, take),
        woken=woken,
    )
