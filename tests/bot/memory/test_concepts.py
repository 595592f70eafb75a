"""Typing errors: a question is known for one, what is meant is found, and a statement stays a statement."""

from __future__ import annotations

from bot.memory.concepts import is_slip, mend_opening, mend_words
from bot.memory.learning.speech_acts import is_question
from tests.cases import each_row

QUESTIONS = (
    "wher is my gym",
    "whre does my sister live",
    "waht is the gate code",
    "whta time is my flight",
    "hwo old is my brother",
    "whos fixing the heating",
    "whats my sisters name",
    "wheres my passport",
    "wich train do i take",
    "howw much did the bike cost",
    "how mcuh is the rent",
    "whne does mia arrive",
    "waht did i say about the roof",
    "whch doctor do we have",
    "wehre did we park",
    "woh is ingrid",
    "whsoe car is that",
    "wo whont meine schwester",
    "wsa ist der code",
    "wnn ist der termin",
    "wie vile tage bleibe ich",
    "wleche farbe hat die küche",
    "welhce schuhgröße hat mia",
    "wnan läuft mein pass ab",
    "waurm ist der ofen aus",
    "wei heißt mein bruder",
    "weer repariert die heizung",
    "wohre kommt tom",
    "гед мой ключ",
    "кгода приедет мама",
    "гдде паспорт",
    "скольок стоит билет",
    "чтто я говорил про ремонт",
    "котда отпуск",
    "пчоему отключили воду",
    "какй код от калитки",
    "октуда этот рецепт",
    "соклько лет вере",
)
STATEMENTS = (
    "my gym is on mill street",
    "were moving to graz in may",
    "ware is sold by weight here",
    "wheat is cheap this year",
    "witch hazel helps against itching",
    "howard is my boss",
    "the heating is fixed",
    "dose of vitamin d every day",
    "isa is my cousin",
    "whole milk is better",
    "whale watching was great",
    "wine is in the cellar",
    "wood is stacked behind the house",
    "then the train was late",
    "there is a spare key",
    "that is my bike",
    "hat is on the shelf",
    "whey is left over",
    "whitby is a nice town",
    "Wher is where it hurts.",
    "wasser ist im keller",
    "warm ist es heute in graz",
    "wien ist meine lieblingsstadt",
    "wein steht im keller",
    "wand ist feucht im bad",
    "wir fahren morgen",
    "wesen der sache ist klar",
    "wilma ist meine tante",
    "er kommt am freitag",
    "ann wohnt in köln",
    "hannes hat den schlüssel",
    "wolle habe ich gekauft",
    "кода от калитки я не знаю",
    "кофе я пью без сахара",
    "кот спит на диване",
    "когти у кота острые",
    "тогда мы и решили",
    "чай я люблю зелёный",
    "годы идут",
    "какао я не пью",
    "зачёт в среду",
    "столько денег ушло",
    "wiese mähen wir samstag",
    "hafen ist gesperrt",
    "cloud backup is paid",
    "кота зовут барсик",
    "комод стоит в углу",
)


def test_misspelt_questions_are_questions() -> None:
    """Without a mark at their end, in three languages."""
    assert [each for each in QUESTIONS if not is_question(each)] == []


def test_statements_that_look_alike_stay_statements() -> None:
    """Words that are a letter away from a question word and mean something else."""
    assert [(each, mend_opening(each)) for each in STATEMENTS if is_question(each)] == []


@each_row(
    ("question", "said", "meant"),
    [
        ("where is my dentsit", "my dentist is dr okafor", "where is my dentist"),
        ("Where is my gymm?", "the gym is on mill street", "Where is my gym?"),
        ("wo ist mein Fitnesstudio", "ich gehe ins fitnessstudio", "wo ist mein Fitnessstudio"),
        ("где мой спорзал", "по вторникам спортзал", "где мой спортзал"),
        ("Where does Ingird live?", "ingrid lives in graz", "Where does Ingrid live?"),
        ("Where does Marina live?", "maria lives in graz", "Where does Marina live?"),
        ("Where does Ann live?", "anna lives in graz", "Where does Ann live?"),
        ("Is Tim allergic?", "tom is allergic", "Is Tim allergic?"),
        ("where is the boot", "the boat is in the harbour", "where is the boot"),
        ("Wie trinkt Julia Kaffee?", "ich trinke kaffee schwarz", "Wie trinkt Julia Kaffee?"),
        ("where is the cat", "the car is in the garage", "where is the cat"),
        ("Where does Anna live?", "my granny lives in graz", "Where does Anna live?"),
        ("In which room is Anna251?", "Anna251 sits in room 753", "In which room is Anna251?"),
    ],
)
def test_words_are_put_right_and_names_left_alone(question: str, said: str, meant: str) -> None:
    """Towards what is remembered, where one thing can be meant; Marina is not Maria."""
    assert mend_words(question, said.split()) == meant


def test_of_two_that_may_be_meant_neither_is() -> None:
    """A guess between two would answer the wrong one."""
    assert mend_words("how are the brds", ("birds", "brads")) == "how are the brds"


@each_row(
    ("typed", "meant", "slips"),
    [
        ("wher", "where", True),
        ("vear", "vera", True),
        ("vela", "vera", False),
        ("hat", "what", False),
        ("a", "an", False),
    ],
)
def test_a_slip_is_one_letter_and_rarely_the_first(typed: str, meant: str, slips: bool) -> None:  # noqa: FBT001
    """In short words another letter makes another word."""
    assert is_slip(typed, meant) == slips
