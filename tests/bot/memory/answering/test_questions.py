"""Several questions in one message: told apart, answered one by one, those unknown by name."""

from __future__ import annotations

from bot.memory.answering.answer import Retrieval, answer_from, list_searches
from bot.memory.answering.questions import MOST, analyse, holds_kind, split_questions
from tests.bot.memory.answering.test_answer import ANNA, ENGLISH, NOW, RUSSIAN, ask, said
from tests.bot.memory.phrases import EN_PHRASES
from tests.cases import each_row


@each_row(
    ("message", "asked"),
    [
        ("Where does Vera live? When is my dentist?", ("Where does Vera live?", "When is my dentist?")),
        ("Where does Vera live and when is my dentist?", ("Where does Vera live?", "when is my dentist?")),
        (
            "What is my name, where do I live and how old am I?",
            ("What is my name?", "where do I live?", "how old am I?"),
        ),
        ("Is Vera in Porto and is Max in Rome?", ("Is Vera in Porto?", "is Max in Rome?")),
        ("where is vera and where is max", ("where is vera?", "where is max")),
        (
            "Do you know where Vera lives and when my dentist is?",
            ("Do you know where Vera lives?", "when my dentist is?"),
        ),
        ("Где живёт Вера и когда у меня врач?", ("Где живёт Вера?", "когда у меня врач?")),
        ("Где Вера, сколько ей лет и как зовут мою собаку?", ("Где Вера?", "сколько ей лет?", "как зовут мою собаку?")),
        (
            "Wo wohnt Vera, wann ist mein Termin und wie heißt mein Hund?",
            ("Wo wohnt Vera?", "wann ist mein Termin?", "wie heißt mein Hund?"),
        ),
        ("I moved to Rome. Where do I live and who am I?", ("Where do I live?", "who am I?")),
        ("Why? Where does Vera live?", ("Where does Vera live?",)),
    ],
)
def test_questions_are_told_apart(message: str, asked: tuple[str, ...]) -> None:
    """By sentence, and at a joint where both sides ask; without their marks, too."""
    assert tuple(question.text for question in split_questions(message)) == asked


@each_row(
    ("asked", "told", "answers"),
    [
        ("What's my neighbour's name?", "My neighbour plays the alphorn every Sunday.", False),
        ("What's my neighbour's name?", "My neighbour Olaf plays the alphorn.", True),
        ("What is our boat called?", "Our boat is called Albatross.", True),
        ("What is my sister's name?", "Vera is my sister.", True),
        ("What's the dog called?", "our dog is rex", True),
        ("Wie heißt mein Nachbar?", "Mein Nachbar spielt jeden Sonntag Alphorn.", False),
        ("Wie heißt unser Kater?", "Unser Kater Moritz schläft immer.", True),
        ("Как зовут моего мужа?", "Мой муж работает в банке в Казани.", False),
        ("Как зовут мою собаку?", "Моя собака Лайка любит гулять.", True),
    ],
)
def test_who_asks_for_a_name_is_told_one(asked: str, told: str, *, answers: bool) -> None:
    """A sentence about somebody tells no name unless it says one, beside them or by "called"."""
    assert holds_kind(analyse(asked), told) is answers


@each_row(
    ("asked", "told"),
    [
        ("When does the tutor come?", "The tutor comes at four."),
        ("Wann kommt der Tutor?", "Der Tutor kommt um vier."),
        ("Во сколько приходит репетитор?", "Репетитор приходит к шести."),
    ],
)
def test_who_asks_when_is_told_a_time_in_words(asked: str, told: str) -> None:
    """An hour needs no digits."""
    assert holds_kind(analyse(asked), told)


@each_row(
    "message",
    [
        "Where do Vera and Max live?",
        "Where and when is my dentist?",
        "When I was in Rome, where did I stay?",
        "Did Vera marry Max and was happy?",
        "Do I like tea and have a dog?",
        "Где дом, где живёт Вера?",
        "Как зовут мою собаку и кота?",
        "Wo ist das Haus, wo Vera wohnt?",
    ],
)
def test_one_question_stays_one(message: str) -> None:
    """Names, verbs and clauses that are joined within a question are no questions of their own."""
    assert [question.text for question in split_questions(message)] == [message]


def test_a_question_about_her_is_about_whom_the_one_before_named() -> None:
    """It is searched for, and read, with the name."""
    assert list_searches("Where does Vera live and what is her code?") == (
        "Where does Vera live?",
        "what is her code Vera?",
    )


@each_row(
    ("message", "memories", "russian", "answers"),
    [
        (
            "Where does my sister live and what is my booking code?",
            ENGLISH,
            False,
            ("1. Where does my sister live?", "Vera lives in Porto", "2. What is my booking code?", "567-G0"),
        ),
        (
            "What is my dog's name? What is my blood type? When does our flight leave?",
            ENGLISH,
            False,
            ("1. ", "Rex", "2. What is my blood type?\nI don't know", "3. ", "9:40"),
        ),
        (
            "Где живёт моя сестра и какой у меня код бронирования?",
            RUSSIAN,
            True,
            ("1. Где живёт моя сестра?", "в Порту", "2. Какой у меня код бронирования?", "567-G0"),
        ),
    ],
)
def test_each_question_has_its_answer(
    message: str,
    memories: tuple[str, ...],
    russian: bool,  # noqa: FBT001 - a parameter of the test
    answers: tuple[str, ...],
) -> None:
    """In order, below its own words, and what is not known says so by itself.

    Mutation checked: before, the questions were read as one, and the answer was "I don't know".
    """
    text = ask(message, said(*memories), russian=russian).text
    places = [text.find(answer) for answer in answers]

    assert -1 not in places
    assert places == sorted(places)


def test_each_is_answered_from_what_was_found_for_it() -> None:
    """Even if what was found for another would have been doubted."""
    vera, code = said("My sister Vera lives in Porto.", "My booking code is 567-G0.")
    answer = answer_from(
        "Where does my sister live and what is my booking code?",
        (),
        asker_id=ANNA,
        asker_name="Anna",
        now=NOW,
        phrases=EN_PHRASES,
        apart={"Where does my sister live?": Retrieval((vera,)), "what is my booking code?": Retrieval((code,))},
    )

    assert answer.used == (vera, code)
    assert answer.kind == "answer"


def test_what_is_stated_beside_questions_is_acknowledged() -> None:
    """And may answer them."""
    text = ask("My cat is called Tom. What is my cat's name and what is my blood type?").text

    assert text.startswith("Noted, I will remember: My cat is called Tom.")
    assert "1. What is my cat's name?\nYour cat is called Tom. (You told me today.)" in text
    assert "2. What is my blood type?\nI don't know" in text


def test_only_so_many_questions_are_answered() -> None:
    """The others are counted, not passed over."""
    names = [f"Where does Person{chr(65 + n)} live?" for n in range(MOST + 3)]
    text = ask(" ".join(names)).text

    assert f"{MOST}. " in text
    assert f"{MOST + 1}. " not in text
    assert text.endswith("3 more were asked: please send them in another message.")
    assert len(list_searches(" ".join(names))) == MOST
