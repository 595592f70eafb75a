"""What the bot says about reminders in English."""

from __future__ import annotations

from typing import Final

from language.reminder_texts import ReminderTexts

_ORDINALS: Final = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}

REMINDER_TEXTS: Final = ReminderTexts(
    kept="I will remind you on {when} ({zone}): {text}",
    kept_repeated="I will remind you {repeat} ({zone}), first on {when}: {text}",
    changed="The reminder is changed.",
    assumed_time="You named no time of day, so I took {time}.",
    assumed_zone=(
        "I took {zone} for your time zone. If that is wrong, set yours with /settings: reminders move with it."
    ),
    untitled="your reminder",
    ask_when="When shall I remind you: {text}? For example: tomorrow at 9.",
    ask_when_event="I do not know when that is. At what time shall I remind you: {text}?",
    ambiguous="Which time do you mean: {text}?",
    past="{when} is over ({zone}), so I have set no reminder. Name a time to come.",
    never="There is no such time, so I have set no reminder.",
    too_many="There are {count} reminders here already, and that is as many as there may be. Cancel some: /reminders",
    head="Reminders: {total}",
    none="There are no reminders. Say for example: remind me tomorrow at 9 to call Vera.",
    hint="Cancel one: /remind cancel NUMBER · another time: /remind move NUMBER WHEN",
    usage=(
        "/remind WHEN WHAT, for example: /remind tomorrow at 9 call Vera\n"
        "/remind every Monday at 8 put out the bins\n"
        "/remind cancel NUMBER · /remind move NUMBER WHEN · /remind snooze NUMBER WHEN\n"
        "/reminders lists them"
    ),
    missing="There is no reminder {number} here.",
    not_yours="Only the one who asked for this reminder can change it.",
    done="Done: {text}",
    cancelled="Cancelled: {text}",
    snoozed="I will remind you again on {when} ({zone}): {text}",
    next="Next: {when}",
    late_down="It was due on {when}. I was not running then.",
    late="It was due on {when}. I could not send it then.",
    missed="Missed besides: {count}",
    again="Once more:",
    done_button="✓ Done",
    minutes_button="10 min",
    hour_button="1 h",
    tomorrow_button="Tomorrow",
    cancel_button="✕ Cancel",
    back_button="‹ List",
    open_button="No. {number}",
    agree_button="Yes, remind me",
    ask_agreement="Shall I remind you? {when} ({zone}): {text}",
    repeats={
        "minutes": "every {count} minutes",
        "hour": "every hour",
        "hours": "every {count} hours",
        "day": "every day",
        "days": "every {count} days",
        "week": "{days}",
        "weeks": "every {count} weeks ({days})",
        "workdays": "every weekday (Monday to Friday)",
        "month": "on day {day} of every month",
        "months": "on day {day} of every {count} months",
        "nth": "on the {days} of every month",
        "nths": "on the {days} of every {count} months",
        "last": "on the last day of every month",
        "year": "every year on {date}",
        "years": "every {count} years on {date}",
    },
    at="{repeat} at {time}",
    until="{repeat}, until {date}",
    times="{repeat}, {count} times",
    each_weekday=(
        "every Monday",
        "every Tuesday",
        "every Wednesday",
        "every Thursday",
        "every Friday",
        "every Saturday",
        "every Sunday",
    ),
    nth_weekdays=tuple(
        {nth: f"{word} {day}" for nth, word in _ORDINALS.items()}
        for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    ),
    day_and_month="{day} {month}",
)
