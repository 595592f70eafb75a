"""Reminders: what is to be said at a time, kept until it was said, done with or forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.deliveries import Delivery
from bot.ports.repetition import Repetition
from bot.turn import Reply


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
        return self.id & 0xFFFFFFFF

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


@dataclass(frozen=True, slots=True)
class ReminderPage:
    """Some of a chat's open reminders, the next to come first, and how many there are."""

    reminders: tuple[Reminder, ...]
    total: int


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A reminder that somebody was asked the time of."""

    text: str
    exchange: str = ""


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
        ...

    async def find(self, scope: Scope, address: Address, number: int) -> Reminder | None:
        """Return a reminder of a scope that was asked for in this chat, by its number."""
        ...

    async def page(self, scope: Scope, address: Address, *, offset: int = 0, size: int = 10) -> ReminderPage:
        """Return open ones of a scope in this chat (in a topic: of this topic)."""
        ...

    async def find_asked(self, scope: Scope, exchange: str) -> Reminder | None:
        """Return the newest reminder that an exchange has asked for, by its name; ``None`` if it asked for none."""
        ...

    async def replace(self, reminder: Reminder) -> bool:
        """Store a changed one; ``False`` if it was changed or erased since it was read."""
        ...

    async def remove(self, reminder: Reminder) -> bool:
        """Forget it; ``False`` if it is gone already."""
        ...

    async def ask(self, scope: Scope, address: Address, asker_id: int, question: OpenQuestion, now: datetime) -> None:
        """Note that somebody was asked when; one question each, the newest."""
        ...

    async def take_question(self, address: Address, asker_id: int, now: datetime) -> OpenQuestion | None:
        """Return what somebody was asked lately, without forgetting it."""
        ...

    async def drop_question(self, address: Address, asker_id: int) -> None:
        """Forget what somebody was asked: it is answered, or they talk of something else."""
        ...

    async def list_scope(self, scope: Scope, *, after: int = 0, limit: int = 100) -> tuple[Reminder, ...]:
        """Return a scope's reminders of every chat with ids above ``after``, in their order: for exports."""
        ...


class ReminderAgenda(Protocol):
    """What is to be said when; errors as for :class:`Reminders`."""

    async def find_next_wake(self, platforms: Sequence[str]) -> datetime | None:
        """Return when the next reminder of these platforms is due, ``None`` without any."""
        ...

    async def list_due(self, platforms: Sequence[str], now: datetime, limit: int) -> tuple[Reminder, ...]:
        """Return reminders that are due, the longest due first."""
        ...

    async def list_ahead(self, now: datetime, limit: int) -> tuple[Reminder, ...]:
        """Return repeating reminders that were said at a time which has not come yet: the clock was set back."""
        ...

    async def list_zones(self) -> tuple[tuple[Address, str], ...]:
        """Return the places that have open reminders, with each zone that some of them are reckoned in."""
        ...

    async def list_by_zone(self, address: Address, zone: str, limit: int) -> tuple[Reminder, ...]:
        """Return open reminders of a chat that are reckoned in another zone than this."""
        ...

    async def fire(self, firing: Firing, now: datetime) -> tuple[Delivery, ...]:
        """Advance a reminder and plan its message, in one transaction; () if it was changed or erased meanwhile.

        What is returned is to be sent by :func:`~bot.core.delivery.deliver`; after a crash the restart finds it.
        """
        ...

    async def replace(self, reminder: Reminder) -> bool:
        """As :meth:`Reminders.replace`."""
        ...

    async def tidy(self, before: datetime) -> int:
        """Forget those that were said before then and will not come again; return how many."""
        ...
