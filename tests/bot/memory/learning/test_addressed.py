"""Sentences said to the assistant: greetings, questions in disguise and requests teach nothing."""

from __future__ import annotations

from bot.memory.learning.speech_acts import (
    SpeechAct,
    classify_speech,
    strip_opening,
)
from bot.memory.learning.statements import find_facts, states_fact
from tests.bot.memory.answering.test_answer import ENGLISH, ask, said
from tests.cases import each_row


@each_row(
    ("greeted", "clause"),
    [
        ("hello there, I am Bob", "I am Bob"),
        ("hi all, my code is 5", "my code is 5"),
        ("hey Mneme my code is 5", "my code is 5"),
        ("Hello, Mneme, I live in Rome", "I live in Rome"),
        ("good morning everyone! I live in Rome", "I live in Rome"),
        ("Good evening dear Mr Weber — we moved to Bonn", "we moved to Bonn"),
        ("привет всем, я Боб", "я Боб"),
        ("Добрый вечер, у меня собака Рекс", "у меня собака Рекс"),
        ("Здравствуйте, Мнема, мой код 5", "мой код 5"),
        ("hallo zusammen, ich bin Bob", "ich bin Bob"),
        ("Guten Tag Frau Weber, ich wohne in Bonn", "ich wohne in Bonn"),
    ],
)
def test_a_greeting_is_no_part_of_what_is_said(greeted: str, clause: str) -> None:
    """Whomever it greets."""
    assert strip_opening(greeted) == clause


@each_row(
    "text",
    [
        "Good evening was nice and long",
        "Hello Kitty is my cat, she is old",
        "Hi from Rome, where I live",
        "Hey Vera moved to Porto, I stayed",
    ],
)
def test_what_is_said_of_a_greeting_or_after_it_stays(text: str) -> None:
    """A clause without a border after the greeting is not taken for a name."""
    assert strip_opening(text).endswith(" ".join(text.split()[2:]))


@each_row("text", ["Good morning Anna Smith!", "hello there", "Привет всем!", "Hallo zusammen!"])
def test_a_mere_greeting_says_nothing(text: str) -> None:
    """Names in it are no facts."""
    assert classify_speech(text) is SpeechAct.SMALLTALK
    assert not states_fact(text)


def test_the_acknowledgement_repeats_what_was_told() -> None:
    """Word for word, as /memory lists it."""
    assert ask("hello there, I am Bob").text == "Noted, I will remember: hello there, I am Bob"


@each_row(
    "text",
    [
        "I wonder whether Vera lives in Porto",
        "I was just wondering where my brother Max works.",
        "Can you tell me where my sister lives",
        "I'd like to know when my flight to Rome leaves",
        "I want to ask you who my dentist is.",
        "No idea when my flight to Rome leaves",
        "I have no clue where my passport is.",
        "Any idea what my code 567 was",
        "Мне интересно, где живёт моя сестра Вера.",
        "Интересно, живёт ли Вера в Порту",
        "Хотела бы узнать, когда мой рейс 815",
        "Понятия не имею, где мой паспорт.",
        "Ich frage mich, ob Vera in Porto wohnt.",
        "Ich möchte gern wissen, wann mein Flug LH 815 geht.",
        "Mich würde interessieren, wo Max wohnt.",
        "Keine Ahnung, wann mein Flug nach Rom geht.",
    ],
)
def test_a_question_in_disguise_is_a_question(text: str) -> None:
    """It is answered, and what it asks about is not learnt."""
    assert classify_speech(text) is SpeechAct.QUESTION
    assert find_facts(text) == ()
    assert not states_fact(text)


@each_row(
    "text",
    [
        "Remind me to call Vera on Friday",
        "Hey, remind me that my flight to Rome leaves at 9.",
        "Please translate my letter to Bosch into German",
        "I want you to book a flight to Rome on 3 May.",
        "I'd really appreciate it if you wrote to Anna",
        "Let's meet at 10",
        "Set an alarm for 7",
        "Make sure my report to Siemens is short",
        "Напомни мне купить молоко 5 мая",
        "Я хочу, чтобы ты перевёл моё письмо в Bosch",
        "Не могла бы ты написать Анне?",
        "Забронируйте мне столик на 19:00",
        "Erinnere mich daran, Mama um 7 anzurufen.",
        "Ich möchte, dass du meinen Brief an Bosch übersetzt",
        "Kannst du mir einen Tisch für 5 buchen",
        "Lass uns um 10 Uhr treffen",
    ],
)
def test_a_request_says_nothing_of_the_world(text: str) -> None:
    """No item, no fact, and nothing is acknowledged as remembered."""
    assert classify_speech(text) in {SpeechAct.REQUEST, SpeechAct.QUESTION}
    assert find_facts(text) == ()
    assert not states_fact(text)
    assert "remember: " not in ask(text).text


@each_row(
    "text",
    [
        "I want to learn Spanish",
        "I need to renew my passport",
        "Let's use Postgres",
        "Please don't use tabs",
        "Давай использовать Postgres",
        "Мне нужно продлить паспорт",
        "I love wonder bread",
    ],
)
def test_what_is_told_in_such_words_is_learnt_all_the_same(text: str) -> None:
    """Decisions, rules, one's own plans, and what is to be remembered by request."""
    assert [fact.sentence for fact in find_facts(text)] == [text]


@each_row(
    ("asked", "kept"),
    [
        ("I want you to know that I live in Rome", "I live in Rome"),
        ("Please remember that my code is 5", "my code is 5"),
        ("Could you remember that I prefer window seats?", "I prefer window seats"),
    ],
)
def test_what_is_to_be_kept_is_kept_without_the_request(asked: str, kept: str) -> None:
    """The words after it."""
    assert [fact.sentence for fact in find_facts(asked)] == [kept]


def test_a_question_in_disguise_is_answered() -> None:
    """From memory, like any other."""
    memories = said(*ENGLISH)

    assert "Porto" in ask("I wonder where my sister lives", memories).text
    assert "567-G0" in ask("I'd like to know what my booking code is.", memories).text


def test_what_a_reminder_was_asked_for_can_be_asked_for() -> None:
    """It makes no item, but it was said, and the chat was told to ask for it."""
    assert "dentist" in ask("When do I call the dentist?", said("Remind me to call the dentist on Friday.")).text
