"""Reminders: who asks for one, and who asks for what is remembered."""

from __future__ import annotations

from bot.memory.learning.speech_acts import wants_reminder
from tests.cases import each_row


@each_row(
    "text",
    [
        "Remind me to call mum.",
        "Hey, can you please remind me tomorrow about the dentist?",
        "Could you remind me at 5 pm to leave",
        "Nice. Set a timer for ten minutes",
        "please set me an alarm for 7",
        "Don't let me forget to water the plants",
        "wake me up at six",
        "remind me about the meeting on friday",
        "Напомни мне позвонить маме",
        "напомни, пожалуйста, завтра про врача",
        "Поставь будильник на семь",
        "можешь напомнить мне через час выключить духовку?",
        "Не дай мне забыть полить цветы",
        "Erinnere mich daran, Mama anzurufen",
        "Kannst du mich bitte morgen an den Termin erinnern?",
        "Stell mir einen Wecker auf sieben",
    ],
)
def test_an_errand_or_a_time_makes_a_reminder(text: str) -> None:
    """English, Russian and German."""
    assert wants_reminder(text)


@each_row(
    "text",
    [
        "",
        "Remind me where Vera lives",
        "Remind me what I said about Porto",
        "remind me of Vera's birthday",
        "You reminded me of my sister",
        "She asked me to remind her about lunch",
        "My alarm did not ring",
        "I set the table",
        "Напомни, где живёт Вера",
        "напомни мне адрес Веры",
        "Напомни, что я говорил о Порту",
        "Он напомнил мне о встрече",
        "Erinnere mich, wo Vera wohnt",
        "Ich kann mich nicht erinnern",
        "Ich erinnere mich an Porto",
    ],
)
def test_a_question_about_what_is_remembered_is_none(text: str) -> None:
    """Nor is talk about reminders."""
    assert not wants_reminder(text)
