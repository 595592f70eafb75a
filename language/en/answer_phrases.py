"""The words around a remembered answer in English."""

from __future__ import annotations

from typing import Final

from language.answer_phrases import AnswerPhrases

DAY: Final = "{day} {month} {year}"
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS: Final = (
    *("Monday", "Tuesday", "Wednesday", "Thursday"),
    *("Friday", "Saturday", "Sunday"),
)

ANSWER_PHRASES: Final = AnswerPhrases(
    greeting="Hello! Tell me something worth remembering, or ask me about what you told me.",
    thanks="You are welcome!",
    farewell="Goodbye! What you told me is safe with me.",
    wellbeing="I am well, thank you. Tell me how you are, and I will remember it.",
    introduction=(
        "I am Mneme, an assistant that remembers. Tell me things as they come, and ask me about them days or "
        "months later. All commands: /help"
    ),
    other_smalltalk="All right.",
    noted="Noted, I will remember: {text}",
    wish_noted="Noted as a standing wish, for the answers that a language model writes: {text}",
    heard="I have read it and will find it again when you ask.",
    secret_left_out="I left the secret out: passwords and keys do not belong in memory.",  # noqa: S106  a sentence about passwords
    told="You told me on {date}: {text}",
    told_undated="You told me: {text}",
    said="{name} said on {date}: {text}",
    said_undated="{name} said: {text}",
    forwarded="Forwarded from {name} on {date}: {text}",
    forwarded_undated="Forwarded from {name}: {text}",
    forward_noted="I keep this as forwarded from {name}, not as your own word.",
    shown="Shown to me on {date}: {text}",
    shown_undated="Shown to me: {text}",
    shown_noted="I keep this as something shown to me, not as your own word.",
    answered="I answered on {date}: {text}",
    answered_undated="I answered: {text}",
    found="In long-term memory I find: {text}",
    document="“{text}” — {place}",
    document_page="p. {page}",
    earlier="Before that, on {date}: {text}",
    earlier_undated="Before that: {text}",
    perhaps="Perhaps this helps: {line}",
    unknown="I don't know: nothing I was told here answers that.",
    unread="I don't know yet: I could not look through everything I was told in time. Please ask me again.",
    not_answered="{count} more were asked: please send them in another message.",
    how_to_forget="Nothing is forgotten yet. Write /forget and a word of it: I will show what I find and erase it.",
    needs_model="I can only repeat what I was told; this needs a language model.",
    in_order="In order of time:",
    gathered="What I find about that, by day:",
    decided="What was decided:",
    no_model=(
        "(No language model is configured, so I answer from memory alone. To add one: llm.url and llm.model in "
        "preferences/runtime-config.json, or LLM_URL, LLM_MODEL and LLM_API_KEY.)"
    ),
    another="Another person",
    another_source="another person",
    numbered="Person {id}",
    date=DAY,
    weekday_date="{weekday}, " + DAY,
    months=MONTHS,
    weekdays=WEEKDAYS,
)
