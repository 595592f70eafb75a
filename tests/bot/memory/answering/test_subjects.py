"""All that was told of somebody or something: by any name, by "she", without what holds no more."""

from __future__ import annotations

from datetime import timedelta

from bot.memory.answering.subjects import add_aliases, choose_about, find_subject
from bot.memory.items import Channel, Recalled
from bot.memory.speakers import Reader
from harness.samples import NOON
from tests.cases import each_row

READER = Reader(42, "Anna", alone=True)


def tell(*told: str) -> tuple[Recalled, ...]:
    """Return what Anna told day by day; what follows " | " stands behind what she said right before."""
    memories = []
    for day, said in enumerate(told):
        before, _, text = said.rpartition(" | ")
        at = NOON + timedelta(days=day)
        memories.append(
            Recalled(f"t{day}", text, Channel.TURN, 1.0, "Anna", 42, role="user", said_at=at, before=before)
        )
    return tuple(memories)


def choose(question: str, *told: str) -> list[str]:
    """Return what belongs into the answer, the newest first."""
    subject, said = find_subject(question), tell(*told)
    assert subject is not None
    return [memory.text for memory in choose_about(add_aliases(subject, said, READER), said, READER)]


@each_row(
    ("question", "told"),
    [
        ("What do you know about Vera?", ("My sister Vera paints.", "My sister has a dog.", "Tom has a cat.")),
        ("tell me about my sister", ("My sister Vera paints.", "Vera has a dog.", "Tom's sister has a cat.")),
        (
            "Was weißt du über Vera?",
            ("Meine Schwester Vera malt.", "Veras Hund ist alt.", "Toms Schwester hat Katzen."),
        ),
        ("Что ты знаешь о Вере?", ("Моя сестра Вера рисует.", "Я купила Вере собаку.", "У Игоря есть кошка.")),
        ("What do you know about Vera?", ("Моя сестра Вера рисует.", "Я купила Вере собаку.", "Tom has a cat.")),
        ("infos zu vera bitte", ("Meine Schwester Vera malt.", "Veras Hund ist alt.", "Tom hat Katzen.")),
        ("напомни что знаешь о вере", ("Моя сестра Вера рисует.", "Я купила Вере собаку.", "У Игоря есть кошка.")),
        ("notes on Vera", ("My sister Vera paints.", "Vera has a dog.", "Tom has a cat.")),
        ("who is Blessing?", ("The nurse is called Blessing.", "Blessing grows dahlias.", "Tom grows roses.")),
        ("tell me about the nurse", ("The nurse is called Blessing.", "Blessing grows dahlias.", "Tom grows roses.")),
        ("catch me up on the kitchen", ("The kitchen is old.", "The kitchen has a new tap.", "Tom has a cat.")),
        ("введи меня в курс дела с кухней", ("Кухня старая.", "Кухню ремонтируют.", "У Тома есть кот.")),
        (
            "what's still on my shopping list?",
            ("add milk to my shopping list", "Can you put eggs on the shopping list?", "The packing list is done."),
        ),
        (
            "Was steht auf der Einkaufsliste?",
            ("Schreib Milch auf die Einkaufsliste", "Setz Eier auf die Einkaufsliste.", "Die Gästeliste ist fertig."),
        ),
        (
            "что у меня в списке покупок",
            ("добавь молоко в список покупок", "Внеси яйца в список покупок.", "Список гостей готов."),
        ),
        ("введи в курс дела насчёт кухни", ("Кухня старая.", "Кухню ремонтируют.", "введи в курс по кухне")),
    ],
)
def test_a_subject_is_found_under_any_of_its_names(question: str, told: tuple[str, str, str]) -> None:
    """In every case and script; nobody else is."""
    assert sorted(choose(question, *told)) == sorted(told[:2])


def test_she_is_whoever_was_named_before() -> None:
    """In the same message and in the next one; somebody whom the message names itself is not."""
    told = (
        "My sister Vera paints. She lives in Porto.",
        "My sister Vera paints. | She has a dog.",
        "Tom lost his cat.",
    )

    assert choose("What do you know about my sister?", *told) == [
        "My sister Vera paints. She has a dog.",
        "My sister Vera paints. She lives in Porto.",
    ]


def test_what_holds_no_more_is_left_out() -> None:
    """The newest state is told, and what else was said beside the old one."""
    told = choose("What do you know about Vera?", "Vera has a boat. She is a goldsmith.", "Vera sold the boat.")

    assert told == ["Vera sold the boat.", "She is a goldsmith."]


def test_what_else_a_changed_sentence_told_is_kept() -> None:
    """Whoever sold one of two things has the other."""
    told = choose("What do you know about Vera?", "Vera has a canoe, and a dog called Otto.", "Vera sold her canoe.")

    assert told == ["Vera sold her canoe.", "Vera has a canoe, and a dog called Otto."]


@each_row(
    "question",
    [
        "What do you know about me?",
        "Where does Vera live?",
        "What did I tell you about last week?",
        "what do I have on thursdays?",
        "who is my boss",
        "who is coming on Sunday?",
        "who is Vera sharing a desk with?",
        "кто кормит кота без Веры?",
        "кто тренирует Веру?",
    ],
)
def test_other_questions_are_about_no_subject(question: str) -> None:
    """They have an answer of their own."""
    assert find_subject(question) is None
