"""Reminders in words: what was understood, with its full date, time and zone; how one repeats; how one is said."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.commands.formatting import escape
from bot.features.reminders.requests import Outcome
from bot.memory.scope import Scope
from bot.memory.speakers import show_name
from bot.ports.reminders import ListedReminder, Reminder, Reminders
from bot.ports.when import Plan, Repetition, Unit, WhenProblem
from bot.turn import Reply, ReplyKind
from language.texts import Texts

_TEXT_SHOWN: Final = 1_000
_LAST_OF_SHORT: Final = 28
_LATE: Final = timedelta(seconds=90)
BUTTONS_LAST_S: Final = 3 * 86_400.0
"""How long the buttons under a reminder may be pressed."""
_WORKDAYS: Final = (0, 1, 2, 3, 4)
_UNITS: Final = {
    Unit.MINUTE: "minute",
    Unit.HOUR: "hour",
    Unit.DAY: "day",
    Unit.WEEK: "week",
    Unit.MONTH: "month",
    Unit.YEAR: "year",
}


def write_when(at: datetime, zone: str, texts: Texts) -> str:
    """Return "Tuesday, 24 November 2026, 09:00" in the zone."""
    return texts.moment(at, ZoneInfo(zone), weekday=True)


def write_text(text: str, texts: Texts) -> str:
    """Return a reminder's text as it is shown: never as markup."""
    return escape(text, _TEXT_SHOWN) or texts.reminders.untitled


def write_whose(reminder: Reminder, texts: Texts) -> str:
    """Return a reminder's text, in a group behind the name of who asked for it: it is nobody else's."""
    text = write_text(reminder.text, texts)
    return text if reminder.direct else f"{_write_asker(reminder)}: {text}"


def _write_asker(reminder: Reminder) -> str:
    name = show_name(reminder.asker_name, lambda name: escape(name, 60).replace("[", "(").replace("]", ")"))
    return name or str(reminder.asker_id)


def write_repetition(repetition: Repetition, start: datetime, texts: Texts) -> str:
    """Return "every Monday at 08:00, until 1 June 2027"."""
    words = texts.reminders
    name = _UNITS[repetition.unit]
    if repetition.unit is Unit.WEEK and repetition.every == 1 and repetition.weekdays == _WORKDAYS:
        name = "workdays"
    if repetition.unit is Unit.MONTH and repetition.every == 1 and repetition.day > _LAST_OF_SHORT + 2:
        name = "last"
    days = ", ".join(words.each_weekday[day] for day in repetition.weekdays)
    if repetition.nth:
        name = "nth"
        days = ", ".join(
            words.nth_weekday.format(nth=nth, weekday=day) for nth in repetition.nth for day in repetition.weekdays
        )
    month = texts.dates.months[repetition.month - 1] if repetition.month else ""
    date = words.day_and_month.format(day=repetition.day, month=month)
    said = words.repeats[name].format(count=repetition.every, days=days, day=repetition.day, date=date)
    if not repetition.passes:
        said = words.at.format(repeat=said, time=f"{start:%H:%M}")
    if repetition.until is not None:
        last = datetime.combine(repetition.until, start.time())
        said = words.until.format(repeat=said, date=texts.day(last))
    if repetition.times is not None:
        said = words.times.format(repeat=said, count=repetition.times)
    return said


def write_kept(outcome: Outcome, texts: Texts) -> str:
    """Return what a chat is told of a request: what was stored, or why nothing was."""
    words, zone = texts.reminders, outcome.zone.name
    text = write_text(outcome.text, texts)
    if outcome.full:
        return words.too_many.format(count=1000)
    if outcome.reminder is None:
        return _write_problem(outcome, text, texts)
    reminder = outcome.reminder
    due = reminder.due_at or reminder.snoozed_to or reminder.fired_due or reminder.start.astimezone()
    when = write_when(due, reminder.zone, texts)
    if reminder.repetition is not None:
        repeat = write_repetition(reminder.repetition, reminder.start, texts)
        lines = [words.kept_repeated.format(repeat=repeat, when=when, zone=zone, text=text)]
    else:
        lines = [words.kept.format(when=when, zone=zone, text=text)]
    if outcome.assumed:
        lines.append(words.assumed_time.format(time=f"{due.astimezone(ZoneInfo(reminder.zone)):%H:%M}"))
    if outcome.masked:
        kinds = ", ".join(texts.remember.kinds.get(kind, kind) for kind in outcome.masked)
        lines.append(texts.remember.masked.format(kinds=kinds))
    if outcome.first and not outcome.zone.known:
        lines.append(words.assumed_zone.format(zone=zone))
    return "\n".join(lines)


def _write_problem(outcome: Outcome, text: str, texts: Texts) -> str:
    words = texts.reminders
    match outcome.problem:
        case WhenProblem.AMBIGUOUS:
            return words.ambiguous.format(text=text)
        case WhenProblem.PAST if outcome.past is not None:
            past = outcome.past.replace(tzinfo=ZoneInfo(outcome.zone.name))
            return words.past.format(when=texts.moment(past, weekday=True), zone=outcome.zone.name)
        case WhenProblem.NEVER | WhenProblem.PAST:
            return words.never
        case WhenProblem.EVENT:
            return words.ask_when_event.format(text=text)
        case _:
            return words.ask_when.format(text=text)


def make_kept_reply(outcome: Outcome, texts: Texts, kind: ReplyKind) -> Reply:
    """Return the reply to a request; an ambiguous one has a button for each time that may be meant."""
    reply = Reply(write_kept(outcome, texts), kind)
    if outcome.problem is not WhenProblem.AMBIGUOUS:
        return reply
    return replace(reply, buttons=make_time_buttons(outcome.options, outcome.text, outcome.exchange, texts))


def make_waiting_reply(outcome: Outcome, texts: Texts) -> Reply:
    """Return what is said of a reminder that still wants its time, with a button for each that it may be."""
    buttons = make_time_buttons(outcome.options, outcome.text, outcome.exchange, texts)
    times = f" ({' / '.join(label for label, _ in buttons)})" if buttons else ""
    told = texts.reminders.waiting.format(text=write_text(outcome.text, texts))
    return Reply(f"{told}{times}", ReplyKind.COMMAND, buttons)


def make_time_buttons(plans: Sequence[Plan], text: str, exchange: str, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return a button for each plan, which sets the reminder as if the message of the exchange had asked for it."""

    def label(plan: Plan) -> str:
        if plan.repetition is not None:
            return write_repetition(plan.repetition, plan.local, texts)
        return texts.moment(plan.local, weekday=True)

    return tuple((label(plan), f"/remind {write_exactly(plan, text, exchange)}") for plan in plans)


def write_exactly(plan: Plan, text: str, exchange: str = "") -> str:
    """Return a plan as the command takes it, whatever the language: ``2026-11-24T09:00 FREQ=… from=… text``."""
    rule = f"{plan.repetition.dump()} " if plan.repetition is not None else ""
    source = f"from={exchange} " if exchange else ""
    return f"{plan.local:%Y-%m-%dT%H:%M} {rule}{source}{text}".rstrip()


def write_line(reminder: Reminder, texts: Texts) -> str:
    """Return a reminder as a listing shows it: ``3. when · how it repeats: text``, in a group with who asked."""
    due = reminder.wake_at or reminder.fired_due
    when = write_when(due, reminder.zone, texts) if due is not None else ""
    repeat = write_repetition(reminder.repetition, reminder.start, texts) if reminder.repetition is not None else ""
    told = " · ".join(filter(None, (when, repeat)))
    return f"{reminder.number}. {told}: {write_whose(reminder, texts)}"


def write_said(
    before: Reminder,
    after: Reminder,
    now: datetime,
    missed: int,
    texts: Texts,
    *,
    running_since: datetime,
    mention: Callable[[Reminder, str], str],
) -> str:
    """Return what is sent when a reminder is due; in a group it names who asked for it, by ``mention``."""
    words = texts.reminders
    text = write_text(before.text, texts)
    if not before.direct:
        text = f"{mention(before, _write_asker(before))}: {text}"
    lines = [f"⏰ {text}"]
    due = before.due_at if before.due_at is not None and before.due_at <= now else before.snoozed_to
    if due is not None and due + _LATE < now and before.waits_to is None:
        late = words.late_down if due < running_since else words.late
        lines.append(late.format(when=write_when(due, before.zone, texts)))
        lines += [words.missed.format(count=missed)] if missed else []
    if after.repetition is not None and after.due_at is not None and before.due_at != after.due_at:
        lines.append(words.next.format(when=write_when(after.due_at, after.zone, texts)))
    return "\n".join(lines)


def make_said_reply(text: str, reminder: Reminder, texts: Texts) -> Reply:
    """Return the message of a reminder with its buttons."""
    words, number = texts.reminders, reminder.number
    buttons = [(words.done_button, f"/remind done {number}"), *list_snoozes(number, texts)]
    if reminder.repetition is not None and reminder.due_at is not None:
        buttons.append((words.cancel_button, f"/remind cancel {number}"))
    return Reply(text, ReplyKind.NOTICE, tuple(buttons), buttons_last_s=BUTTONS_LAST_S)


def list_snoozes(number: int, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return the buttons that put a reminder off."""
    words = texts.reminders
    return (
        (words.minutes_button, f"/remind snooze {number} 10m"),
        (words.hour_button, f"/remind snooze {number} 1h"),
        (words.tomorrow_button, f"/remind snooze {number} 1d"),
    )


@dataclass(frozen=True, slots=True)
class ReminderList:
    """The port :class:`~bot.ports.reminders.ComingReminders`."""

    store: Reminders

    async def list_coming(self, scope: Scope, texts: Texts) -> tuple[ListedReminder, ...]:
        """Return those of a scope that will come, the next one first."""
        kept = await self.store.list_scope(scope, limit=1000)
        coming = sorted((at, each.id, each) for each in kept if (at := each.wake_at) is not None)
        return tuple(
            ListedReminder(
                each,
                write_when(at, each.zone, texts),
                write_repetition(each.repetition, each.start, texts) if each.repetition else "",
                write_whose(each, texts),
            )
            for at, _, each in coming
        )
