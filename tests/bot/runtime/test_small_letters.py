"""Who writes everything in small letters is understood sentence by sentence, as others are."""

from pathlib import Path

from bot.memory.answering.changes import asks_past
from harness.application import NO_RAG, run_console
from language.sentences import split_sentences
from tests.cases import each_row


@each_row(
    ("text", "parts"),
    [
        ("rent is 640 each, due on the 1st. wifi is jodies", ("rent is 640 each, due on the 1st.", "wifi is jodies")),
        ("termin ist am 4.12. um 8 uhr. bis dann", ("termin ist am 4.12. um 8 uhr.", "bis dann")),
        ("диспетчер оксана. логист вадим", ("диспетчер оксана.", "логист вадим")),
        ("its at 2 p.m. on monday... maybe", ("its at 2 p.m. on monday... maybe",)),
        ("std. lohn ist 13. mai bleibt frei", ("std. lohn ist 13. mai bleibt frei",)),
        ("Rent is due on the 1st. wifi is Jodie's", ("Rent is due on the 1st. wifi is Jodie's",)),
    ],
)
def test_sentences_in_small_letters(text: str, parts: tuple[str, ...]) -> None:
    """A sentence may begin small where the text does; an abbreviation, a date and three points end none."""
    assert split_sentences(text) == parts


@each_row(
    ("told", "asked", "answer", "other"),
    [
        ("my cat is called luna. my dog is called rex", "what is my dog called", "rex", "luna"),
        ("meine katze heißt luna. mein hund heißt rex", "wie heißt mein hund", "rex", "luna"),
        ("мою кошку зовут муся. мою собаку зовут рекс", "как зовут мою собаку", "рекс", "мус"),
    ],
)
async def test_only_the_sentence_that_answers_is_told(
    tmp_path: Path, told: str, asked: str, answer: str, other: str
) -> None:
    """Of two sentences of one message the one that was asked about."""
    async with run_console(tmp_path / asked, NO_RAG) as chat:
        await chat.say(told)
        await chat.say("/new")
        said = (await chat.say(asked)).partition("\n\n")[0].lower()

    assert answer in said
    assert other not in said


@each_row(
    ("told", "asked", "whole"),
    [
        (("spent 38 on diesel", "another 24 on lunch n 9.50 parking"), "what have i spent altogether", "71.50"),
        (("this week i spent 38 on gas, 112 on boots, 9.75 on a burrito",), "total?", "159.75"),
        (("heut 40 für sprit, 12 fürs parken",), "was hab ich da insgesamt ausgegeben", "52"),
        (("сегодня поднял 3200 за доставки и 540 чаевыми",), "сколько всего вышло", "3740"),
    ],
)
async def test_bare_amounts_are_added_up(tmp_path: Path, told: tuple[str, ...], asked: str, whole: str) -> None:
    """People leave out currencies, and tell of what they spent on in any order."""
    async with run_console(tmp_path / asked, NO_RAG) as chat:
        for each in told:
            await chat.say(each)
        said = (await chat.say(asked)).partition("\n\n")[0]

    assert whole in said.splitlines()[-1]


@each_row(
    ("told", "asked", "before", "value"),
    [
        (("my pay is 17 an hour", "my pay is now 18 an hour"), "what is my pay", "n before that", "17"),
        (("meine miete ist 700", "meine miete ist jetzt 750"), "wie hoch ist meine miete", "u vorher", "700"),
        (("моя ставка 450", "теперь моя ставка 500"), "какая у меня ставка", "а раньше скок было", "450"),
    ],
)
async def test_what_was_before_is_asked_and_nothing_taken_back(
    tmp_path: Path, told: tuple[str, ...], asked: str, before: str, value: str
) -> None:
    """However briefly it is asked, what holds now stays remembered."""
    async with run_console(tmp_path / asked, NO_RAG) as chat:
        for each in told:
            await chat.say(each)
        now = await chat.say(asked)
        earlier = (await chat.say(before)).partition("\n\n")[0]
        again = await chat.say(asked)

    assert value in earlier
    assert again.partition("\n\n")[0] == now.partition("\n\n")[0]


def test_german_was_is_no_english_past() -> None:
    """What nobody can tell to be English asks for what holds now."""
    assert not asks_past("was kriegt milan")
    assert asks_past("what was it")
    assert asks_past("wie war das")
