"""Reminders: what is to be said at a time, how it goes on from one time to the next, and where it is kept."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from bot.memory.scope import Scope, to_number
from bot.messages import Address
from bot.ports.when import Plan, Repetition, count_between, find_next, localise
from bot.turn import Reply
from language.texts import Texts


@dataclass(frozen=True, slots=True)
class Reminder:
    """One reminder.  ``id`` is 0 until stored; people see its lower half, a number of its scope that is never reused.

    ``due_at`` is when it comes next (aware), ``None`` once it came and does not repeat.  ``start`` is the naive
    wall-clock time in ``zone`` that its repetition is counted from (of one that counts passing time, in UTC).
    ``snoozed_to`` is when it comes once more beside that, ``waits_to`` how long quiet hours put it off.
    ``fired_at`` is when it was said last, ``fired_due`` when that was due.
    """

    scope: Scope
    address: Address
    asker_id: int
    asker_name: str
    text: str
    due_at: datetime | None
    start: datetime
    zone: str
    passes: bool = False
    repetition: Repetition | None = None
    language: str = ""
    direct: bool = True
    exchange: str = ""
    """The exchange that asked for it, by its name; it goes with that. "" for one that a command asked for."""
    origin: str = ""
    """Names the message that asked for it: the same message, run again or edited, makes no second one."""
    made_at: datetime | None = None
    snoozed_to: datetime | None = None
    waits_to: datetime | None = None
    fired_at: datetime | None = None
    fired_due: datetime | None = None
    id: int = 0
    version: int = 0
    """Grows with every change: whoever changes it names the one that they saw."""

    @property
    def number(self) -> int:
        """What people call it."""
        return to_number(self.id)

    @property
    def open(self) -> bool:
        """Whether it will come (again)."""
        return self.due_at is not None or self.snoozed_to is not None

    @property
    def wake_at(self) -> datetime | None:
        """When it is to be looked at next."""
        if self.waits_to is not None:
            return self.waits_to
        times = [at for at in (self.due_at, self.snoozed_to) if at is not None]
        return min(times, default=None)

    def find_between(self, since: datetime, until: datetime) -> datetime | None:
        """Return when it comes first from ``since`` on and before ``until``, ``None`` where it does not."""
        times = [at for at in (self.due_at, self.snoozed_to) if at is not None and since <= at < until]
        if self.repetition is not None and self.due_at is not None and self.due_at < since:
            found = find_next(self.repetition, self.start, self.zone, since - timedelta(seconds=1))
            times += [found[0]] if found is not None and found[0] < until else []
        return min(times, default=None)


@dataclass(frozen=True, slots=True)
class ReminderPage:
    """Some of a chat's open reminders, the next to come first, and how many there are."""

    reminders: tuple[Reminder, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Firing:
    """A reminder that is said: as it was seen, as it is afterwards, and the message in the parts that its door sends.

    ``bound``: buttons are pressed, and mean something to who asked alone; else they are commands to be typed.
    """

    seen: Reminder
    after: Reminder
    reply: Reply
    parts: tuple[str, ...]
    bound: bool


class Reminders(Protocol):
    """A chat's reminders.  All of it raises :class:`~bot.errors.StorageUnavailable`; then nothing was changed."""

    async def keep(self, reminder: Reminder) -> Reminder | None:
        """Store a new one and return it with its id; one of the same origin takes the place of what that had made.

        ``None`` when the chat has as many as it may.
        """

    async def find(self, scope: Scope, address: Address, number: int) -> Reminder | None:
        """Return a reminder of a scope that was asked for in this chat, by its number."""

    async def page(self, scope: Scope, address: Address, *, offset: int = 0, size: int = 10) -> ReminderPage:
        """Return open ones of a scope in this chat (in a topic: of this topic)."""

    async def find_asked(self, scope: Scope, exchange: str, asker_id: int) -> Reminder | None:
        """Return the newest reminder that somebody asked for by an exchange of that name, ``None`` without one.

        Others may have named the exchange in a command of theirs.
        """

    async def replace(self, reminder: Reminder) -> bool:
        """Store a changed one; ``False`` if it was changed or erased since it was read."""

    async def remove(self, reminder: Reminder) -> bool:
        """Forget it; ``False`` if it is gone already."""

    async def list_scope(self, scope: Scope, *, limit: int = 100) -> tuple[Reminder, ...]:
        """Return the first reminders of a scope, of all its chats, in the order in which they were made."""


def name_message(at: Address, message_id: int) -> str:
    """Return how the origins of all reminders begin that a message asked for, before a colon and their numbers."""
    return f"{at.platform}:{at.bot_id}:{at.chat_id}:{message_id}"


def apply_plan(reminder: Reminder, plan: Plan, zone: str, said_at: datetime) -> Reminder:
    """Return the reminder coming as planned; ``said_at`` is the aware time that a length of time is counted from."""
    local_then = said_at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    due = said_at + (plan.local - local_then) if plan.passes else localise(plan.local, zone)
    passes = plan.passes or (plan.repetition is not None and plan.repetition.passes)
    start = due.astimezone(UTC).replace(tzinfo=None) if passes else plan.local
    return replace(
        reminder,
        due_at=due,
        start=start,
        zone=zone,
        passes=passes,
        repetition=plan.repetition,
        snoozed_to=None,
        waits_to=None,
    )


def advance(reminder: Reminder, now: datetime) -> Reminder:
    """Return the reminder as it is once it was said at ``now``: a repeating one is said once, however often it was due.

    The next time lies after ``now``, and so after the time that was due; :func:`rewind` keeps it so when the clock is
    set back.
    """
    snoozed = None if reminder.snoozed_to is not None and reminder.snoozed_to <= now else reminder.snoozed_to
    after = replace(reminder, snoozed_to=snoozed, waits_to=None, fired_at=now)
    due = reminder.due_at
    if due is None or due > now:
        return after
    after = replace(after, fired_due=due, due_at=None)
    if reminder.repetition is None:
        return after
    here = find_next(reminder.repetition, reminder.start, reminder.zone, due - timedelta(seconds=1))
    if here is None:
        return after
    _, start, repetition = here
    coming = find_next(repetition, start, reminder.zone, now)
    return replace(after, start=start, repetition=repetition, due_at=None if coming is None else coming[0])


def count_missed(before: Reminder, after: Reminder, now: datetime) -> int:
    """Return how many times a repetition was due besides the one that is said."""
    if after.repetition is None or before.due_at is None or before.due_at > now:
        return 0
    return max(count_between(after.repetition, after.start, after.zone, now) - 1, 0)


def rewind(reminder: Reminder, now: datetime) -> Reminder:
    """Return a reminder that was said at a time which has not come yet, coming after the last time that was due.

    The clock was set back: what was said is not said again, and what the clock had skipped is still to come.
    """
    if reminder.repetition is None or reminder.fired_due is None:
        return replace(reminder, fired_at=now)
    coming = find_next(reminder.repetition, reminder.start, reminder.zone, max(reminder.fired_due, now))
    due = coming[0] if coming is not None else reminder.due_at
    return replace(reminder, due_at=due, fired_at=now)


def move_to_zone(reminder: Reminder, zone: str, now: datetime) -> Reminder:
    """Return the reminder in another zone: a time of the wall clock is the same time of the wall clock there."""
    if reminder.passes or reminder.due_at is None:
        return replace(reminder, zone=zone)
    if reminder.repetition is None:
        return replace(reminder, zone=zone, due_at=localise(reminder.start, zone))
    after = now if reminder.fired_due is None else max(now, reminder.fired_due)
    coming = find_next(reminder.repetition, reminder.start, zone, after)
    return replace(reminder, zone=zone, due_at=None if coming is None else coming[0])


@dataclass(frozen=True, slots=True)
class ListedReminder:
    """A reminder that will come, in words; ``repeats`` is "" for one that comes once.

    ``text`` is what a chat is shown of it, in a group behind who asked for it.
    """

    reminder: Reminder
    when: str
    repeats: str
    text: str


class ComingReminders(Protocol):
    """Reminders in words."""

    async def list_coming(self, scope: Scope, texts: Texts) -> tuple[ListedReminder, ...]:
        """Return those of a scope that will come, the next one first."""
