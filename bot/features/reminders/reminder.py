"""Reminders as they go on: made of a plan, advanced when they are said, put off, moved to another zone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ports.reminders import Reminder
from bot.ports.repetition import count_between, find_next, localise
from bot.ports.when import Plan


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
