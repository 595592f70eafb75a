"""What the bot says about reminders in Russian."""

from __future__ import annotations

from typing import Final

from language.reminder_texts import ReminderTexts

_ORDINALS: Final = {
    1: ("первый", "первую", "первое"),
    2: ("второй", "вторую", "второе"),
    3: ("третий", "третью", "третье"),
    4: ("четвёртый", "четвёртую", "четвёртое"),
    5: ("пятый", "пятую", "пятое"),
    -1: ("последний", "последнюю", "последнее"),
}
"""Masculine, feminine, neuter."""

REMINDER_TEXTS: Final = ReminderTexts(
    kept="Напомню: {when} ({zone}): {text}",
    kept_repeated="Буду напоминать {repeat} ({zone}), впервые: {when}: {text}",
    changed="Напоминание изменено.",
    assumed_time="Время дня вы не назвали, поэтому взято {time}.",
    assumed_zone=(
        "Часовой пояс взят такой: {zone}. Если он не ваш, укажите свой в /settings: "
        "напоминания передвинутся вместе с ним."
    ),
    untitled="ваше напоминание",
    ask_when="Когда напомнить: {text}? Например: завтра в 9.",
    ask_when_event="Не знаю, когда это будет. В какое время напомнить: {text}?",
    ambiguous="Какое время вы имеете в виду: {text}?",
    past="{when} уже прошло ({zone}), поэтому напоминания нет. Назовите время, которое ещё наступит.",
    never="Такого времени не бывает, поэтому напоминания нет.",
    too_many="Напоминаний здесь уже {count}, больше нельзя. Отмените лишние: /reminders",
    head="Напоминаний: {total}",
    none="Напоминаний нет. Скажите, например: напомни завтра в 9 позвонить Вере.",
    hint="Отменить: /remind cancel НОМЕР · другое время: /remind move НОМЕР КОГДА",
    usage=(
        "/remind КОГДА ЧТО, например: /remind завтра в 9 позвонить Вере\n"
        "/remind каждый понедельник в 8 вынести мусор\n"
        "/remind cancel НОМЕР · /remind move НОМЕР КОГДА · /remind snooze НОМЕР КОГДА\n"
        "/reminders показывает все"
    ),
    missing="Напоминания {number} здесь нет.",
    not_yours="Изменить это напоминание может только тот, кто о нём попросил.",
    done="Готово: {text}",
    cancelled="Отменено: {text}",
    snoozed="Напомню ещё раз: {when} ({zone}): {text}",
    next="Следующий раз: {when}",
    late_down="Это нужно было сказать {when}. Тогда я не работал.",
    late="Это нужно было сказать {when}. Тогда не удалось отправить.",
    missed="Кроме того, пропущено: {count}",
    again="Ещё раз:",
    done_button="✓ Готово",
    minutes_button="10 мин",
    hour_button="1 ч",
    tomorrow_button="Завтра",
    cancel_button="✕ Отменить",
    back_button="‹ Список",
    open_button="№ {number}",
    agree_button="Да, напомни",
    ask_agreement="Напомнить? {when} ({zone}): {text}",
    repeats={
        "minutes": "раз в {count} мин",
        "hour": "каждый час",
        "hours": "раз в {count} ч",
        "day": "каждый день",
        "days": "раз в {count} дн.",
        "week": "{days}",
        "weeks": "раз в {count} нед. ({days})",
        "workdays": "по будням (с понедельника по пятницу)",
        "month": "{day}-го числа каждого месяца",
        "months": "{day}-го числа раз в {count} мес.",
        "nth": "каждый месяц в {days}",
        "nths": "раз в {count} мес. в {days}",
        "last": "в последний день каждого месяца",
        "year": "каждый год {date}",
        "years": "раз в {count} г. {date}",
    },
    at="{repeat} в {time}",
    until="{repeat}, до {date}",
    times="{repeat}, раз: {count}",
    each_weekday=(
        "по понедельникам",
        "по вторникам",
        "по средам",
        "по четвергам",
        "по пятницам",
        "по субботам",
        "по воскресеньям",
    ),
    nth_weekdays=tuple(
        {nth: f"{words[gender]} {day}" for nth, words in _ORDINALS.items()}
        for day, gender in (
            ("понедельник", 0),
            ("вторник", 0),
            ("среду", 1),
            ("четверг", 0),
            ("пятницу", 1),
            ("субботу", 1),
            ("воскресенье", 2),
        )
    ),
    day_and_month="{day} {month}",
)
