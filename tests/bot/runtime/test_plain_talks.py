"""What people ask in plain talks is answered by what they told of that, and of whom, without a model."""

from __future__ import annotations

from harness.application import RunningChats
from language.registry import choose_texts
from tests.cases import each_row

OTHERS = {
    "en": ("the bins go out on Tuesdays", "I had soup for lunch", "our street is being dug up", "the tap drips again"),
    "de": ("die Tonne kommt dienstags raus", "mittags gab es Suppe", "die Straße wird aufgerissen", "der Hahn tropft"),
    "ru": ("мусор вывозят по вторникам", "на обед был суп", "у нас копают улицу", "кран опять капает"),
}
RAMBLES = {
    "en": (
        "what a week, the lift was out, Priya's recital took hours, it was icy, and the new conductor is Halloran",
        "who is the new conductor",
        "Halloran",
    ),
    "de": (
        "so eine Woche, der Lift war kaputt, Priyas Vorspiel dauerte ewig, und der neue Dirigent heißt Halloran",
        "wie heißt der neue Dirigent",
        "Halloran",
    ),
    "ru": (
        "ну и неделя, лифт сломался, потом концерт Прии шёл три часа, в зале холод, и новый дирижёр у них Галоян",
        "кто новый дирижёр",
        "Галоян",
    ),
}
WHETHER = {
    "en": ("Priya just rang, she has a cold", "does Priya play football on Sundays"),
    "de": ("Priya hat gerade angerufen, sie ist erkältet", "spielt Priya sonntags Fußball?"),
    "ru": ("Прия только что звонила, она простудилась", "играет ли Прия по воскресеньям в футбол"),
}
CHATTING = {
    "en": ("the plumber wants 340 for the boiler", "oh well how much was the plumber lol", "340"),
    "de": ("der Hausmeister heißt Krummbiegel", "na und wie hieß jetz der Hausmeister", "Krummbiegel"),
    "ru": ("код от подъезда 45к12", "ну и какой там код", "45к12"),
}


def is_known(answer: str, language: str) -> bool:
    """Return whether an answer says neither that nothing is known nor that it is not known for certain."""
    phrases = choose_texts("", language).answers
    return not answer.startswith((phrases.unknown, phrases.perhaps.opening().strip()))


@each_row("language", list(RAMBLES))
async def test_one_clause_of_many_answers_though_little_else_is_near(chats: RunningChats, language: str) -> None:
    """Seen to fail where a message is not read by its clauses when what is found behind it tells nothing."""
    told, asked, name = RAMBLES[language]
    chat = list(RAMBLES).index(language)
    for each in (told, *OTHERS[language]):
        await chats.say(chat, each, language=language)
    await chats.app.embedding.embed()
    answer = await chats.say(chat, asked, language=language)

    assert name in answer
    assert is_known(answer, language)


@each_row("language", list(WHETHER))
async def test_who_is_told_of_does_not_all_that_may_be_asked(chats: RunningChats, language: str) -> None:
    """A message that shares no more than the name with a question whether something is so is no answer for sure."""
    told, asked = WHETHER[language]
    chat = list(WHETHER).index(language)
    for each in (told, *OTHERS[language]):
        await chats.say(chat, each, language=language)
    await chats.app.embedding.embed()

    assert not is_known(await chats.say(chat, asked, language=language), language)


@each_row("language", list(CHATTING))
async def test_a_question_asked_in_passing_is_answered(chats: RunningChats, language: str) -> None:
    """It has the form of one and the tone of small talk, which is answered as that where memory has nothing."""
    told, asked, value = CHATTING[language]
    chat = list(CHATTING).index(language)
    await chats.say(chat, told, language=language)
    await chats.app.embedding.embed()

    assert value in await chats.say(chat, asked, language=language)


async def test_what_is_told_of_one_is_no_answer_for_another(chats: RunningChats) -> None:
    """Who is written in small letters is known for somebody by the message that shows the capital."""
    for each in ("I share a flat with Rafferty and a guy called Bilal", "sunniva is allergic to cashews, badly"):
        await chats.say(1, each, language="en")
    await chats.app.embedding.embed()
    other = await chats.say(1, "what is bilal allergic to", language="en")
    answer = await chats.say(1, "what is sunniva allergic to", language="en")

    assert not is_known(other, "en")
    assert "cashews" in answer
    assert is_known(answer, "en")


async def test_she_is_no_brother_and_nobody_in_whose_town_others_live(chats: RunningChats) -> None:
    """Of several relatives in one message "her" is one that it may be; "in Shipley" nobody is."""
    await chats.say(1, "my niece Saoirse turns 30 on 4 May, her brother Fintan lives in Shipley", language="en")
    await chats.app.embedding.embed()
    answer = await chats.say(1, "and when is her birthday?", language="en")

    assert "4 May" in answer
    assert is_known(answer, "en")
