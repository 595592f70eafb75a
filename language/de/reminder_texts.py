"""What the bot says about reminders in German."""

from __future__ import annotations

from typing import Final

from language.reminder_texts import ReminderTexts

_ORDINALS: Final = {1: "ersten", 2: "zweiten", 3: "dritten", 4: "vierten", 5: "fünften", -1: "letzten"}

REMINDER_TEXTS: Final = ReminderTexts(
    kept="Ich erinnere dich am {when} ({zone}): {text}",
    kept_repeated="Ich erinnere dich {repeat} ({zone}), zuerst am {when}: {text}",
    changed="Die Erinnerung ist geändert.",
    assumed_time="Du hast keine Uhrzeit genannt, darum habe ich {time} genommen.",
    assumed_zone=(
        "Ich habe {zone} als deine Zeitzone angenommen. Stimmt das nicht, dann stelle deine mit /settings ein: "
        "Erinnerungen ziehen mit um."
    ),
    untitled="deine Erinnerung",
    ask_when="Wann soll ich dich erinnern: {text}? Zum Beispiel: morgen um 9.",
    ask_when_event="Ich weiß nicht, wann das ist. Um wie viel Uhr soll ich dich erinnern: {text}?",
    ambiguous="Welche Zeit meinst du: {text}?",
    past="{when} ist vorbei ({zone}), darum habe ich keine Erinnerung angelegt. Nenne eine Zeit, die noch kommt.",
    never="Diese Zeit gibt es nicht, darum habe ich keine Erinnerung angelegt.",
    too_many="Hier gibt es schon {count} Erinnerungen, mehr dürfen es nicht sein. Sage welche ab: /reminders",
    head="Erinnerungen: {total}",
    none="Es gibt keine Erinnerungen. Sage zum Beispiel: Erinnere mich morgen um 9 daran, Vera anzurufen.",
    hint="Absagen: /remind cancel NUMMER · andere Zeit: /remind move NUMMER WANN",
    usage=(
        "/remind WANN WAS, zum Beispiel: /remind morgen um 9 Vera anrufen\n"
        "/remind jeden Montag um 8 Mülltonne rausstellen\n"
        "/remind cancel NUMMER · /remind move NUMMER WANN · /remind snooze NUMMER WANN\n"
        "/reminders zeigt sie alle"
    ),
    missing="Eine Erinnerung {number} gibt es hier nicht.",
    not_yours="Nur wer um diese Erinnerung gebeten hat, kann sie ändern.",
    done="Erledigt: {text}",
    cancelled="Abgesagt: {text}",
    snoozed="Ich erinnere dich noch einmal am {when} ({zone}): {text}",
    next="Das nächste Mal: {when}",
    late_down="Das war am {when} fällig. Da lief ich nicht.",
    late="Das war am {when} fällig. Da konnte ich es nicht senden.",
    missed="Außerdem verpasst: {count}",
    again="Noch einmal:",
    done_button="✓ Erledigt",
    minutes_button="10 Min.",
    hour_button="1 Std.",
    tomorrow_button="Morgen",
    cancel_button="✕ Absagen",
    back_button="‹ Liste",
    open_button="Nr. {number}",
    agree_button="Ja, erinnere mich",
    ask_agreement="Soll ich dich erinnern? {when} ({zone}): {text}",
    repeats={
        "minutes": "alle {count} Minuten",
        "hour": "jede Stunde",
        "hours": "alle {count} Stunden",
        "day": "jeden Tag",
        "days": "alle {count} Tage",
        "week": "immer {days}",
        "weeks": "alle {count} Wochen ({days})",
        "workdays": "werktags (montags bis freitags)",
        "month": "am {day}. jedes Monats",
        "months": "alle {count} Monate am {day}.",
        "nth": "am {days} jedes Monats",
        "nths": "alle {count} Monate am {days}",
        "last": "am letzten Tag jedes Monats",
        "year": "jedes Jahr am {date}",
        "years": "alle {count} Jahre am {date}",
    },
    at="{repeat} um {time}",
    until="{repeat}, bis zum {date}",
    times="{repeat}, {count}-mal",
    each_weekday=("montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags", "sonntags"),
    nth_weekdays=tuple(
        {nth: f"{word} {day}" for nth, word in _ORDINALS.items()}
        for day in ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
    ),
    day_and_month="{day}. {month}",
)
