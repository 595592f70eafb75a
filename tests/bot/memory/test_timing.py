"""Which questions are about time, in three languages."""

from __future__ import annotations

from bot.memory.overviews import asks_about_time
from tests.cases import each_row


@each_row(
    "message",
    [
        "When did I sell the car?",
        "How long have I known Vera?",
        "What did we do last week?",
        "Was the exam before the move?",
        "What happened on Tuesday?",
        "Where was I in March?",
        "In what order did we visit the three towns?",
        "Wann habe ich das Auto verkauft?",
        "Was haben wir letzte Woche gemacht?",
        "War die Prüfung vor dem Umzug?",
        "Seit wann kenne ich Vera?",
        "Когда я продал машину?",
        "Что мы делали на прошлой неделе?",
        "Экзамен был до переезда или после?",
        "Как давно я знаю Веру?",
    ],
)
def test_questions_about_time(message: str) -> None:
    """They ask when, compare times or name one."""
    assert asks_about_time(message)


@each_row(
    "message",
    [
        "Where does Vera live?",
        "What is my sister's name?",
        "Which colour do I like?",
        "Wo wohnt Vera?",
        "Wie heißt meine Schwester?",
        "Где живёт Вера?",
        "Как зовут мою сестру?",
        "",
    ],
)
def test_other_questions(message: str) -> None:
    """Their dates stay short."""
    assert not asks_about_time(message)
