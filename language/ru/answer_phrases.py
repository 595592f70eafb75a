"""The words around a remembered answer in Russian."""

from __future__ import annotations

from typing import Final

from language.answer_phrases import AnswerPhrases

DAY: Final = "{day} {month} {year}"
MONTHS: Final = (
    *("января", "февраля", "марта", "апреля", "мая", "июня"),
    *("июля", "августа", "сентября", "октября", "ноября", "декабря"),
)
ON_WEEKDAYS: Final = (
    *("в понедельник", "во вторник", "в среду", "в четверг"),
    *("в пятницу", "в субботу", "в воскресенье"),
)

ANSWER_PHRASES: Final = AnswerPhrases(
    greeting="Здравствуйте! Расскажите что-нибудь, что стоит запомнить, или спросите о том, что уже рассказали.",
    thanks="Пожалуйста!",
    farewell="До встречи! Всё, что вы рассказали, останется со мной.",
    wellbeing="Спасибо, хорошо. Расскажите, как у вас, и я запомню.",
    introduction=(
        "Я Mneme, помощник с памятью. Рассказывайте что угодно и спрашивайте об этом хоть через месяцы. "
        "Все команды: /help"
    ),
    other_smalltalk="Хорошо.",
    noted="Запомню: {text}",
    wish_noted="Записал как постоянное пожелание — для ответов, которые пишет языковая модель: {text}",
    heard="Я это прочитал и найду, когда спросите.",
    secret_left_out="Секрет я пропустил: паролям и ключам не место в памяти.",  # noqa: S106  a sentence about passwords
    told="Вы рассказали {date}: {text}",
    told_undated="Вы рассказали: {text}",
    said="{name}, {date}: {text}",
    said_undated="{name}: {text}",
    forwarded="Переслано от {name} {date}: {text}",
    forwarded_undated="Переслано от {name}: {text}",
    forward_noted="Сохраню это как пересланное от {name}, а не как ваши слова.",
    shown="Показано мне {date}: {text}",
    shown_undated="Показано мне: {text}",
    shown_noted="Сохраню это как показанное мне, а не как ваши слова.",
    answered="Я ответил {date}: {text}",
    answered_undated="Я ответил: {text}",
    found="В долговременной памяти есть: {text}",
    document="«{text}» — {place}",
    document_page="стр. {page}",
    earlier="До этого, {date}: {text}",
    earlier_undated="До этого: {text}",
    perhaps="Может быть, поможет это: {line}",
    unknown="Не знаю: ничего из того, что мне здесь рассказали, на это не отвечает.",
    unread="Пока не знаю: я не успел просмотреть всё, что мне рассказали. Спросите, пожалуйста, ещё раз.",
    not_answered="Ещё вопросов: {count}. Пришлите их, пожалуйста, отдельно.",
    how_to_forget="Пока ничего не забыто. Напишите /forget и слово оттуда: я покажу, что нашёл, и сотру.",
    needs_model="Я могу только повторить то, что мне рассказали; для этого нужна языковая модель.",
    in_order="По порядку времени:",
    gathered="Что я об этом нахожу, по дням:",
    decided="Что было решено:",
    no_model=(
        "(Языковая модель не настроена, я отвечаю только из памяти. Чтобы её добавить: llm.url и llm.model в "
        "preferences/runtime-config.json или LLM_URL, LLM_MODEL и LLM_API_KEY.)"
    ),
    another="Другой человек",
    another_source="другого человека",
    numbered="Участник {id}",
    date=DAY + " года",
    weekday_date="{weekday}, " + DAY + " года",
    months=MONTHS,
    weekdays=ON_WEEKDAYS,
)
