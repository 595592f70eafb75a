"""The sentences of looking at memory in the chat in Russian."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.memory_view_texts import MemoryViewTexts

MEMORY_VIEWS: Final = MemoryViewTexts(
    kinds=MappingProxyType(
        {
            "decision": "Решения",
            "constraint": "Правила",
            "failure": "Проблемы",
            "fix": "Способы исправить",
            "preference": "Вкусы и привычки",
            "project_fact": "Факты",
            "task_state": "Задачи",
            "command_result": "Результаты",
        }
    ),
    times=MappingProxyType({"week": "Эта неделя", "month": "Этот месяц", "year": "Этот год", "older": "Раньше"}),
    by_kind="По виду",
    by_person="По людям",
    by_time="По времени",
    pinned="Закреплённые",
    history="Заменённые",
    home="Все воспоминания",
    back="‹ Назад",
    people_head="Кто это сказал и о ком или о чём это:",
    times_head="Когда это сказано:",
    kinds_head="По виду:",
    counted="{name} — {total}",
    said_by="Сказал(а): {name}",
    about="О теме: {name}",
    nobody="неизвестно кто",
    gone="Воспоминания {id} больше нет. Вот что есть сейчас:",
    none_here="Здесь больше ничего нет.",
    opened="Воспоминание {id} · {kind}",
    from_message="Из сообщения: {text}",
    cut="… и ещё знаков: {count}",
    replaced_head="Оно заменило:",
    replaced_by="Заменено на {id}: {text}",
    withdrawn="Отозвано: сообщение, где это было сказано, исправили.",
    used="Пригодилось в ответах: {count}",
    used_last="Пригодилось в ответах: {count}, последний раз {day}",
    never_used="В ответах ещё не пригодилось.",
    restated="Сказано ещё раз: {count}",
    edit="Исправить",
    pin="Закрепить",
    unpin="Открепить",
    forget="Забыть",
    cancel="Отмена",
    put_back="Вернуть как было",
    ask_edit=(
        "Следующее ваше сообщение, если оно придёт в ближайшие минуты ({minutes}), станет новым текстом "
        "воспоминания {id}. Сейчас в нём:"
    ),
    ask_edit_group=(
        "Ответьте на это сообщение новым текстом воспоминания {id}; на это есть минут: {minutes}. Сейчас в нём:"
    ),
    changed="Воспоминание {id} тем временем изменилось. Ничего не сделано; сейчас оно такое:",
    confirm_forget="Забыть воспоминание {id}? Вместе с ним уйдёт то, откуда оно взято:",
    answered="Мой ответ: {text}",
    learned="Из этого запомнено:",
    open_number="Открыть {number}",
    pressed="Выбрано: «{label}».",
)
