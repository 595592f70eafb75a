"""Two sets of phrases to answer with; the product's own stand with its other texts."""

from __future__ import annotations

from typing import Final

from language.answer_phrases import AnswerPhrases

EN_PHRASES: Final = AnswerPhrases(
    greeting="Hello! Tell me things worth remembering, or ask me about what you told me.",
    thanks="You are welcome!",
    farewell="Goodbye! I will remember.",
    wellbeing="I am well, thank you.",
    introduction="I am Mneme, and I remember.",
    other_smalltalk="All right.",
    noted="Noted, I will remember: {text}",
    heard="I have read it.",
    secret_left_out="I left the secret out of my memory.",
    told="You told me on {date}: {text}",
    told_undated="You told me: {text}",
    said="{name} said on {date}: {text}",
    said_undated="{name} said: {text}",
    forwarded="Forwarded from {name} on {date}: {text}",
    forwarded_undated="Forwarded from {name}: {text}",
    forward_noted="I keep this as forwarded from {name}.",
    answered="I said on {date}: {text}",
    answered_undated="I said: {text}",
    found="From long-term memory: {text}",
    earlier="Before that, on {date}: {text}",
    earlier_undated="Before that: {text}",
    perhaps="Perhaps this helps: {line}",
    unknown="I don't know: nothing you told me answers that.",
    unread="I don't know yet: I could not read everything in time.",
    not_answered="{count} more were asked: please send them in another message.",
    how_to_forget="Write /forget and a word of it.",
    needs_model="I can only quote what you told me; this needs a language model.",
    no_model="No language model is configured; set llm.url (and LLM_API_KEY) to add one.",
    date="{day} {month} {year}",
    months=(
        *("January", "February", "March", "April", "May", "June", "July"),
        *("August", "September", "October", "November", "December"),
    ),
)

RU_PHRASES: Final = AnswerPhrases(
    greeting="Привет! Рассказывайте, что запомнить, или спрашивайте о том, что уже рассказали.",
    thanks="Пожалуйста!",
    farewell="До встречи! Я всё запомню.",
    wellbeing="Спасибо, хорошо.",
    introduction="Я Mneme, и я помню.",
    other_smalltalk="Хорошо.",
    noted="Запомню: {text}",
    heard="Я прочитал.",
    secret_left_out="Секрет я в память не записал.",
    told="{date} вы сказали: {text}",
    told_undated="Вы сказали: {text}",
    said="{date} {name} пишет: {text}",
    said_undated="{name} пишет: {text}",
    forwarded="Переслано от {name} {date}: {text}",
    forwarded_undated="Переслано от {name}: {text}",
    forward_noted="Сохраню как пересланное от {name}.",
    answered="{date} я сказал: {text}",
    answered_undated="Я сказал: {text}",
    found="Из долгой памяти: {text}",
    earlier="До этого, {date}: {text}",
    earlier_undated="До этого: {text}",
    perhaps="Может быть, поможет это: {line}",
    unknown="Не знаю: вы мне об этом не рассказывали.",
    unread="Пока не знаю: не успел прочесть всё.",
    not_answered="Ещё вопросов: {count}. Пришлите их, пожалуйста, отдельно.",
    how_to_forget="Напишите /forget и слово оттуда.",
    needs_model="Я могу только повторить сказанное; для этого нужна языковая модель.",
    no_model="Языковая модель не настроена; её добавляет настройка llm.url (и LLM_API_KEY).",
    date="{day} {month} {year} года",
    months=(
        *("января", "февраля", "марта", "апреля", "мая", "июня", "июля"),
        *("августа", "сентября", "октября", "ноября", "декабря"),
    ),
)
