"""Says what is due: looks at the table, advances each reminder with its message in one transaction, then sends.

The table alone says what comes when.  The wall clock is looked at every half minute and at the exact time of the next
reminder, so that neither a clock that jumps nor a machine that slept costs one.  What was planned is sent by the
protocol of every other reply: at most once, and offered where nobody knows whether it arrived.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import structlog

from adapters.sqlite.reminders import SqliteReminders
from bot.core.delivery import Ending, deliver
from bot.errors import StorageUnavailable
from bot.features.reminders.wording import make_said_reply, write_said
from bot.messages import Address
from bot.ports.messenger import ButtonMessenger, Delivery, Messenger
from bot.ports.reminders import Firing, Reminder, advance, count_missed, move_to_zone, rewind
from bot.runtime.app import App
from language.registry import choose_texts

_LONGEST_SLEEP_S: Final = 30.0
"""The wall clock may be set while we sleep."""
_AFTER_FAILURE_S: Final = 5.0
_AT_ONCE: Final = 50
_UNSENT: Final = 500
"""Messages under way: what is due beyond that waits in the table."""
_KEPT: Final = timedelta(days=30)
"""How long one that came is kept, to be put off or exported."""
_TIDY_EVERY: Final = timedelta(hours=1)


class ReminderClock:
    """Runs until it is cancelled; only reminders of the platforms of ``app``'s messengers are said.

    ``find_zone`` names the zone of a chat; ``woken`` is set when something was stored that may come before all else.
    """

    def __init__(
        self, app: App, agenda: SqliteReminders, find_zone: Callable[[Address], str], woken: asyncio.Event
    ) -> None:
        self._app, self._agenda, self._find_zone = app, agenda, find_zone
        self._messengers, self._clock = app.messengers, app.clock
        self._started = app.clock.now()
        self._tidied: datetime | None = None
        self._woken = woken
        self._zones: object = None
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Say what is due, for ever."""
        while True:
            self._woken.clear()
            try:
                await self.look()
                wait_s = await self._count_wait_s()
            except StorageUnavailable as error:
                structlog.get_logger().error("reminders wait for the disk", cause=str(error))
                wait_s = _AFTER_FAILURE_S
            try:
                async with asyncio.timeout(wait_s):
                    await self._woken.wait()
            except TimeoutError:
                continue

    async def look(self) -> None:
        """Say everything that is due now; what is sent may still be under way."""
        now = self._clock.now()
        if (zones := self._list_zones()) != self._zones:
            await self._move(now)
            self._zones = zones
        for reminder in await self._agenda.list_ahead(now, _AT_ONCE):
            await self._agenda.replace(rewind(reminder, now))
        while len(self._tasks) < _UNSENT:
            due = await self._agenda.list_due(tuple(self._messengers), now, _AT_ONCE)
            done = [await self._say(reminder, now) for reminder in due]
            if not any(done):
                break
        if self._tidied is None or not timedelta() <= now - self._tidied < _TIDY_EVERY:
            self._tidied = now
            await self._agenda.tidy(now - _KEPT)

    async def sent(self) -> None:
        """Wait until everything under way is sent or given up."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    async def close(self) -> None:
        """Stop sending; what was not sent stays planned."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _list_zones(self) -> object:
        """Return what is equal only while no chat's zone has changed."""
        chosen = tuple((address, settings.time_zone) for address, settings in self._app.chat_settings.list_chats())
        return self._app.settings.time_zone(), chosen

    async def _move(self, now: datetime) -> None:
        """Reckon in its chat's zone what is reckoned in another."""
        for address, reckoned in await self._agenda.list_zones():
            if (zone := self._find_zone(address)) == reckoned:
                continue
            while reminders := await self._agenda.list_by_zone(address, zone, _AT_ONCE):
                moved = [await self._agenda.replace(move_to_zone(each, zone, now)) for each in reminders]
                if not any(moved):
                    break

    async def _count_wait_s(self) -> float:
        first = await self._agenda.find_next_wake(tuple(self._messengers))
        if first is None:
            return _LONGEST_SLEEP_S
        ahead_s = (first - self._clock.now()).total_seconds()
        return min(max(ahead_s, 0.0 if len(self._tasks) < _UNSENT else 1.0), _LONGEST_SLEEP_S)

    async def _say(self, reminder: Reminder, now: datetime) -> bool:
        """Advance one reminder and start sending it; return whether anything about it changed."""
        rules, address = self._app.rules, self._app.chats.current(reminder.address)
        if self._app.chats.is_gone(address) or not await rules.is_admitted(reminder.address, reminder.asker_id):
            return await self._agenda.replace(replace(reminder, due_at=None, snoozed_to=None, waits_to=None))
        if (quiet_end := self._find_wait(reminder, address, now)) is not None:
            return await self._agenda.replace(replace(reminder, waits_to=quiet_end))
        after = advance(reminder, now)
        texts = choose_texts(reminder.language, rules.find_language(reminder.address))
        messenger = self._messengers[address.platform]
        missed = count_missed(reminder, after, now)
        text = write_said(reminder, after, now, missed, texts, running_since=self._started, mention=self._mention)
        reply = make_said_reply(text, after, texts)
        parts = messenger.parts(text)
        firing = Firing(reminder, after, reply, parts, bound=isinstance(messenger, ButtonMessenger))
        planned = await self._agenda.fire(firing, now)
        if planned:
            self._start(planned, messenger)
        return True

    def _mention(self, reminder: Reminder, name: str) -> str:
        """Name who asked, so that they are told of it in a group."""
        return self._app.find_abilities(reminder.address.platform).mention.format(name=name, id=reminder.asker_id)

    def _find_wait(self, reminder: Reminder, address: Address, now: datetime) -> datetime | None:
        """Return until when quiet hours put a reminder off: only one that nobody asked for at this very time."""
        passing = reminder.repetition is not None and reminder.repetition.passes
        snoozed = reminder.snoozed_to is not None and reminder.snoozed_to <= now
        return self._app.rules.find_quiet_end(address, now) if passing and not snoozed else None

    def _start(self, planned: tuple[Delivery, ...], messenger: Messenger) -> None:
        key = planned[0].address.key
        task = asyncio.create_task(self._send(planned, messenger, self._sending.get(key)), name=f"reminder {key}")
        self._sending[key] = task
        self._tasks.add(task)
        task.add_done_callback(lambda ended: self._forget(key, ended))

    def _forget(self, key: str, ended: asyncio.Task[None]) -> None:
        self._tasks.discard(ended)
        if self._sending.get(key) is ended:
            del self._sending[key]

    async def _send(
        self, planned: tuple[Delivery, ...], messenger: Messenger, before: asyncio.Task[None] | None
    ) -> None:
        if before is not None:
            await asyncio.wait({before})
        await self._app.answered(planned[0].address)  # what a restart found of the chat is out before
        for delivery in planned:
            try:
                ending = await deliver(self._app.deliveries, messenger, delivery)
            except StorageUnavailable as error:
                structlog.get_logger().error("reminder left to the next start", cause=str(error))
                return
            if ending is not Ending.SETTLED:
                self._app.unsettled(delivery, ending)
