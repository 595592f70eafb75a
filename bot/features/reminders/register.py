"""Adds it to Mneme."""

import asyncio

from tzlocal import get_localzone_name

from adapters.sqlite.reminders import SqliteReminders
from adapters.when.reader import LanguageWhenReader
from bot.features.reminders.answers import ReminderOffer, ReminderState
from bot.features.reminders.changes import ReminderOrders
from bot.features.reminders.clock import ReminderClock, ReminderRules
from bot.features.reminders.commands import ListReminders, Remind
from bot.features.reminders.requests import ReminderRequests, Zone
from bot.features.reminders.sentences import SentenceReminders
from bot.features.reminders.tool import Remind as RemindTool
from bot.features.reminders.wording import ReminderList
from bot.messages import Address
from bot.ports.reminders import ComingReminders, ReminderAgenda, Reminders
from bot.runtime.app import App


async def register(app: App) -> None:
    """Add reminders to Mneme."""
    store, woken = SqliteReminders(app.database), asyncio.Event()

    def find_zone(address: Address) -> Zone:
        own = app.chat_settings.find(address).time_zone
        return Zone(own or app.settings.time_zone() or get_localzone_name() or "UTC", known=bool(own))

    requests = ReminderRequests(
        store, app.tickets, LanguageWhenReader(), lambda message: find_zone(message.address), app.clock, woken.set
    )
    remind = Remind(app.voice, requests, store, app.may)
    app.provide(Reminders, store)
    app.provide(ComingReminders, ReminderList(store))
    orders = ReminderOrders(remind)
    app.added.commands += [remind, ListReminders(remind)]
    app.added.menu += [remind.name, ListReminders.name]
    app.added.sentences.append(
        SentenceReminders(app.voice, requests, app.turns, lambda: app.model() is None, orders, app.shown).answer
    )
    app.added.taking_back.append(orders.take_back)
    app.added.systems += [lambda: ReminderState(app.voice, store), lambda: ReminderOffer(orders)]
    tool = RemindTool(requests, store, app.voice)
    app.added.tools.append(lambda _: (tool,))
    rules = ReminderRules(app, lambda address: find_zone(address).name)
    clock = ReminderClock(store, app.deliveries, app.messengers, app.chats, app.clock, rules=rules, woken=woken)
    app.provide(ReminderClock, clock)

    async def look() -> None:
        woken.set()

    app.added.refresh.append(look)
    app.provide(ReminderAgenda, store)
    app.added.sole_jobs["reminders"] = clock
    app.added.at_close.append(clock.close)
