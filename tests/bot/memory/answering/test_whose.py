"""Whose fact it is: what somebody else is like is not what I am like, and what nobody told is not known."""

from __future__ import annotations

from dataclasses import replace

from bot.memory.answering.evidence import Evidence
from bot.memory.answering.phrasing import format_lines, turn_to_listener
from bot.memory.answering.utterances import list_utterances
from bot.memory.helpfulness import ANSWERS, FULL, MEANING
from bot.memory.items import Channel, Recalled
from bot.memory.speakers import Reader
from tests.bot.memory.answering.test_answer import NOW, ask, said
from tests.bot.memory.phrases import EN_PHRASES
from tests.cases import each_row

TOM = (
    "My brother Tom is allergic to peanuts.",
    "Tom loves old French films.",
    "I'm vegetarian.",
    "I go to the gym on Mill Street every Tuesday.",
)
TOM_IN_GERMAN = (
    "Mein Bruder Tom ist gegen Erdnüsse allergisch.",
    "Tom liebt alte französische Filme.",
    "Meinen Kaffee trinke ich schwarz.",
)


@each_row(
    "question",
    [
        "What allergies do I have?",
        "Am I allergic to peanuts?",
        "What is Ann allergic to?",
        "Is Ann allergic to peanuts?",
        "is ann allergic to peanuts?",
        "What films do I like?",
        "what films does ann like?",
        "Is my brother vegetarian?",
        "Does my sister like French films?",
        "What's my favourite film?",
    ],
)
def test_nobody_is_given_what_is_told_of_somebody_else(question: str) -> None:
    """Neither as an answer nor as a guess."""
    answer = ask(question, said(*TOM))

    assert answer.text == EN_PHRASES.unknown


def test_what_is_told_under_a_name_is_no_answer_to_who_is_called_so() -> None:
    """The sentence that gives the name is."""
    answer = ask("What's my aunt's name?", said("My aunt is called Anna.", "Anna's birthday is on 5 May."))

    assert "birthday" not in answer.text


@each_row(
    ("question", "told", "answers"),
    [
        ("Who lives with us?", "We moved to Kiel in May.", False),
        ("Who lives with us?", "We live with Rosa.", True),
        ("Wer wohnt bei uns?", "Wir sind im Mai nach Kiel gezogen.", False),
        ("Кто живёт с нами?", "Мы переехали в Тулу.", False),
        ("Когда день рождения Ани?", "Аня родилась 3 мая.", True),
        ("Когда день рождения Оли?", "Олег родился 3 мая.", False),
    ],
)
def test_a_town_is_nobody_and_a_short_name_is_known_in_every_case(question: str, told: str, *, answers: bool) -> None:
    """Who lives somewhere is a person; and a name of three letters has endings, too."""
    assert (ask(question, said(told)).kind == "answer") is answers


@each_row(
    "question",
    ["Wogegen bin ich allergisch?", "Ist Anna gegen Erdnüsse allergisch?", "Wie trinkt Julia ihren Kaffee?"],
)
def test_nor_in_german(question: str) -> None:
    """Told of Tom, asked about me and about Anna."""
    assert ask(question, said(*TOM_IN_GERMAN)).used == ()


@each_row(
    ("question", "told"),
    [
        ("What is Tom allergic to?", "Your brother Tom is allergic to peanuts."),
        ("Is my brother allergic to something?", "Your brother Tom is allergic to peanuts."),
        ("Am I vegetarian?", "“I'm vegetarian.”"),
        ("what films does tom like?", "Tom loves old French films."),
    ],
)
def test_whoever_is_asked_about_is_answered(question: str, told: str) -> None:
    """The same facts, asked of those whom they are about."""
    assert told in ask(question, said(*TOM)).text


@each_row(
    ("told", "shown"),
    [
        ("My locker is number 40, Dad's age.", True),
        ("My dad has locker number 40.", False),
        ("My dear old dad has locker 40.", False),
    ],
)
def test_a_thing_of_mine_may_name_my_relatives(told: str, *, shown: bool) -> None:
    """It is mine all the same; a relative's is theirs."""
    alike = {"known": 0.2, "dense": 0.25 * FULL[MEANING], "sentence": 0.25}
    memories = tuple(replace(each, signals=alike) for each in said(told))

    assert bool(ask("Which cabinet do I have at the gym?", memories).used) is shown


def test_where_somebody_else_lives_is_not_where_i_live() -> None:
    """However near in meaning: they said "I", and the question is about me."""
    live = {"known": 0.9, "dense": 0.9}
    others = tuple(replace(each, signals=live) for each in said("I live at Elm Street 5.", author=8, name="Mallory"))

    assert ask("Where do I live?", others).used == ()


@each_row(
    ("question", "told"),
    [
        ("What is Anna's locker number?", "My locker number is 4."),
        ("Welche Nummer hat der Spind von Anna?", "Mein Spind hat die Nummer 4."),
        ("Какой номер шкафчика у Анны?", "Мой шкафчик номер 4."),
    ],
)
def test_what_somebody_calls_theirs_is_not_the_one_of_whom_a_question_names(question: str, told: str) -> None:
    """However surely a model that read both takes it for an answer; asked for by their own name, it is one."""
    memories = tuple(replace(each, signals={ANSWERS: 0.97}) for each in said(told, author=8, name="Mallory"))

    assert ask(question, memories).kind != "answer"
    assert ask("What is Mallory's locker number?", memories).kind == "answer"


def test_what_was_before_stands_behind_whoever_said_it_or_names_them() -> None:
    """Behind another's line it would be theirs.  Red where it stood at the end of the answer, whoever came before."""
    bob = said("The key is under the mat.", "The key is in the bin.", author=7, name="Bob")
    eve = said("The key is under the pot.", author=8, name="Eve")
    now, before, hers = (Evidence(each.text, each) for each in list_utterances((*bob, *eve), Reader(42, "Anna")))

    told = format_lines((now, hers, before), NOW, EN_PHRASES, replaced=(before,)).splitlines()
    alone = format_lines((hers, before), NOW, EN_PHRASES, replaced=(before,)).splitlines()

    assert [line.partition(" ")[0] for line in told] == ["Bob", "Before", "Eve"]
    assert [line.partition(" ")[0] for line in alone] == ["Eve", "Bob"]


def test_what_is_mine_i_know_best() -> None:
    """What a member of a group says of my sister later is told behind what I said, and as theirs."""
    mine = said("Wind and rain.", "My sister is called Vera.")[1:]
    theirs = said("Vera is called Mallory now, the sister.", author=8, name="Mallory")
    lines = ask("What is my sister called?", (*theirs, *mine)).text.splitlines()

    assert any("Your sister is called Vera" in line for line in lines[:2])
    assert not any("Mallory now" in line for line in lines[:1])


def test_a_question_about_nobody_is_answered_by_what_is_told_of_somebody() -> None:
    """The date of the report is not the boss's alone; a taste is somebody's."""
    told = said("My boss Ingrid wants the report by Thursday.", *TOM)

    assert "Thursday" in ask("when is the report due", told).text
    assert "Tom" not in ask("what is ann allergic to", told).text


def test_what_a_doctor_prescribed_is_told_of_oneself() -> None:
    """Where it names what is asked for; what the doctor is, or where, is theirs."""
    told = said("The doctor put up the iron to 5 mg.", "The doctor lives in Kiel.")

    assert "5 mg" in ask("how much is my iron", told).text
    assert "Kiel" not in ask("where do I live", told).text


def test_a_relative_at_the_end_of_a_sentence_is_not_whom_it_is_about() -> None:
    """Nor does a number need its space."""
    told = said("The hint for the blue safe is nans street.", "The best time for the 10k is 52 minutes.")

    assert "nans" in ask("what hint do I have for the blue safe", told).text
    assert "52" in ask("what is my best time for the 10 k", told).text


def test_an_allergy_that_one_shares_is_ones_own() -> None:
    """A sentence about both is about either."""
    answer = ask("What am I allergic to?", said("My brother and I are allergic to cats."))

    assert "cats" in answer.text


def test_the_nearest_of_what_was_found_is_not_recited() -> None:
    """A memory that the search is not sure of, and that shares nothing with the question, is not shown."""
    unsure = tuple(
        Recalled(f"turn:{n}:user", text, Channel.TURN, 1.0, "Anna", 42, role="user", signals={"known": 0.05})
        for n, text in enumerate(TOM)
    )

    assert ask("What's the weather tomorrow?", unsure).text == EN_PHRASES.unknown


@each_row(
    ("said_so", "told_back"),
    [
        ("My sister Vera lives in Lisbon.", "Your sister Vera lives in Lisbon."),
        ("The dog of my sister is called Rex", "The dog of your sister is called Rex"),
        ("The gate code is 4711.", "The gate code is 4711."),
        ("Our cat is called Momo.", "Your cat is called Momo."),
        ("I live in Graz.", None),
        ("My sister told me a secret.", None),
        ("Your sister is nice.", None),
        ("Tom said: my car is broken.", None),
        ("Meine Schwester wohnt in Lissabon.", "Deine Schwester wohnt in Lissabon."),
        ("Mein Reisepass läuft im März ab.", "Dein Reisepass läuft im März ab."),
        ("Unsere Katze heißt Momo.", None),
        ("У моего брата аллергия.", "У вашего брата аллергия."),
        ("Моя сестра живёт в Порту.", "Ваша сестра живёт в Порту."),
        ("Я живу в Граце.", None),
    ],
)
def test_words_are_turned_where_that_is_certain(said_so: str, told_back: str | None) -> None:
    """Possessives alone: everything else of the first person is quoted as it was said."""
    assert turn_to_listener(said_so) == told_back
