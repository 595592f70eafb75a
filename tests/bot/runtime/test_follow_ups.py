"""A question that goes on about what was asked before it is answered as it is meant."""

from __future__ import annotations

from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from bot.memory.answering.follow_ups import resolve_follow_up
from bot.memory.items import Trust
from bot.messages import Address, Author, ChatKind
from harness.application import GROUP, NO_RAG, PLATFORM, run_chats, run_console
from harness.samples import WordEmbedder
from tests.cases import each_row

TALKS = {
    "en": (
        ("My sister Vera lives in Lyon", "my brother Tom lives in Cork", "Vera is 34", "Tom is 29", "Carl is 71"),
        (
            ("where does my brother live?", "Cork"),
            ("and how old is he?", "29"),
            ("and my sister?", "34"),
            ("where does she live?", "Lyon"),
        ),
    ),
    "de": (
        ("Meine Schwester Vera wohnt in Lyon", "mein Bruder Tom wohnt in Kiel", "Vera ist 34", "Tom ist 29"),
        (
            ("wo wohnt mein Bruder?", "Kiel"),
            ("und wie alt ist er?", "29"),
            ("und meine Schwester?", "34"),
            ("wo wohnt sie?", "Lyon"),
        ),
    ),
    "ru": (
        ("Моя сестра Вера живёт в Твери", "мой брат Толя живёт в Туле", "Вере 34 года", "Толе 29 лет"),
        (
            ("где живёт мой брат?", "Туле"),
            ("а моя сестра?", "Твери"),
            ("сколько ей лет?", "34"),
        ),
    ),
}


@each_row("language", list(TALKS))
async def test_who_is_only_referred_to_is_known(tmp_path: Path, language: str) -> None:
    """The question goes on in the words of a person, and the answer is of whom they mean alone."""
    told, asked = TALKS[language]
    async with run_console(tmp_path / language, NO_RAG) as chat:
        for each in told:
            await chat.say(each)
        await chat.say("/new")
        others = {answer for _, answer in asked}
        for question, answer in asked:
            said = (await chat.say(question)).partition("\n\n")[0]
            assert answer in said, question
            assert not any(other in said for other in others - {answer}), question


async def test_what_another_member_asked_is_not_gone_on_about(tmp_path: Path) -> None:
    """In a group "he" is whom the asker spoke of, and nobody of whom others did."""
    group = Address(PLATFORM, 1, GROUP)
    async with run_chats(tmp_path, NO_RAG, WordEmbedder()) as bot:

        async def say(user: int, text: str) -> str:
            author = Author(user, f"Member {user}", Trust.USER)
            await bot.tell(0, text, address=group, author=author, chat_kind=ChatKind.GROUP)
            await bot.app.answered(group)
            return bot.messenger.sent[-1][1]

        for each in ("my brother Tom lives in Cork", "my uncle Rob lives in Bath", "where does my brother live?"):
            await say(1, each)
        await say(2, "where does Rob live?")
        answer = await say(1, "and where does he live?")

    assert "Cork" in answer
    assert "Bath" not in answer


@each_row(
    ("message", "before", "meant"),
    [
        ("what time is it?", "where does my brother live?", "what time is it?"),
        ("how much was it?", "when did I buy my bike?", "how much was bike?"),
        ("does he like fish?", "where does my sister live?", "does he like fish?"),
        ("Wissen Sie, wann der Müll kommt?", "wo wohnt meine Schwester?", "Wissen Sie, wann der Müll kommt?"),
        ("and milk", "put eggs on the list", "and milk"),
        ("and the shed key?", "where do I keep the spare key?", "where do I keep the shed key?"),
        ("und der Schleifer?", "wo liegt die Bohrmaschine", "wo liegt der Schleifer?"),
        ("а велик?", "где мои наушники?", "где велик?"),
        ("and the wheel", "how much was the kiln?", "how much was the wheel?"),
        ("а соли", "сколько сахару в рассол класть?", "сколько соли в рассол класть?"),
        ("und der Detlef", "wieviel Tauben hab ich", "wie viel Tauben hab der Detlef?"),
        ("and mine?", "How old is Pauline's cat?", "How old is mine cat?"),
        ("and thanks", "where is the drill?", "and thanks"),
        ("and it rained", "where is the drill?", "and it rained"),
        ("and the wheel?", "where does my brother live?", "and the wheel?"),
        ("and at Vera's?", "who was at Tom's on sunday?", "who was at Vera's on sunday?"),
        ("а у Веры?", "есть ли у Тома собака?", "есть ли у Веры собака?"),
        ("und wie heißt ihr Hund?", "Wann hat Vera Geburtstag?", "und wie heißt ihr Hund?"),
        ("Is Tom's cat ill? Who fed it?", "where does my brother live?", "Is Tom's cat ill? Who fed it?"),
    ],
)
def test_only_what_goes_on_is_completed(message: str, before: str, meant: str) -> None:
    """What says itself whom it means, and "it" that means nothing, stays as it is."""
    assert resolve_follow_up(message, [(before, "")]) == meant


def test_whom_the_answer_names_is_turned_to_in_small_letters() -> None:
    """Of the words of a question the one that the answer has is who was asked of."""
    before = ("what can't ron eat", "Your hubby ron cant have dairy, your son jake is veggie.")

    assert resolve_follow_up("and jake?", [before]) == "what can't jake eat?"


_GOES_ON = {
    "en": (
        (
            "Our landlord wants the rent by the 3rd because his daughter is getting married",
            "pottery class moved from tuesday to friday, still at 19:30",
        ),
        (
            ("when does the landlord want the rent", "3rd"),
            ("how come", "daughter"),
            ("when is pottery class", "friday"),
            ("was it always that day", "tuesday"),
            ("where do I live", ""),
        ),
    ),
    "de": (
        ("Jonas aus dem Lager, der ist da seit 2009, meinte die Kisten müssen bis Ende März raus",),
        (
            ("bis wann müssen die Kisten raus", "März"),
            ("wer hat das gesagt", "Jonas"),
            ("seit wann ist der da", "2009"),
        ),
    ),
    "ru": (
        ("Лена из бухгалтерии уезжает в Казань в марте, потому что муж нашёл там работу",),
        (("куда уезжает лена", "Казань"), ("а когда", "марте"), ("почему", "работу")),
    ),
}


@each_row("language", list(_GOES_ON))
async def test_what_is_left_out_is_what_was_asked_before(tmp_path: Path, model_dir: Path, language: str) -> None:
    """A question that names nothing is read with the words of the one before; one that asks anew is not."""
    told, asked = _GOES_ON[language]
    model = E5Embedder(model_dir, niceness=0)
    async with run_chats(tmp_path / language, NO_RAG, model) as bot:
        for each in told:
            await bot.say(0, each)
        answers = [(question, await bot.say(0, question), right) for question, right in asked]
    model.close()

    for question, answer, right in answers:
        assert right in answer if right else not any(each in answer for each in told), question


_JUST_ANSWERED = {
    "en": (
        (
            "the loft conversion quote is 14000 and they hold it until the 27th",
            "Farid starts his night shifts on tuesday",
            "my allotment key is number 18",
        ),
        (
            ("what's the loft conversion quote", "14000"),
            ("until when", "27th"),
            ("when does Bea marry", ""),
            ("where", ""),
        ),
    ),
    "de": (
        (
            "der schornsteinfeger heißt Cevdet und verlangt 62 euro",
            "die musikschule kostet ab mai 48 im monat",
            "Farid fängt dienstag mit der nachtschicht an",
        ),
        (("wie heißt der schornsteinfeger", "Cevdet"), ("was verlangt er", "62"), ("wie alt ist er", "")),
    ),
    "ru": (
        (
            "за ремонт лодки просят 9000 и вернут её до 27-го",
            "фарид выходит в ночную смену во вторник",
            "ключ от гаража номер 18",
        ),
        (
            ("сколько просят за ремонт лодки", "9000"),
            ("и до какого", "27-го"),
            ("кто начальник фарида", ""),
            ("а где", ""),
        ),
    ),
}


@each_row("language", list(_JUST_ANSWERED))
async def test_what_the_last_answer_told_goes_first(tmp_path: Path, model_dir: Path, language: str) -> None:
    """What names nothing is asked of that, and told from nothing else, whatever was told since."""
    told, asked = _JUST_ANSWERED[language]
    model = E5Embedder(model_dir, niceness=0)
    async with run_chats(tmp_path / language, NO_RAG, model) as bot:
        for each in told:
            await bot.say(0, each)
        await bot.app.embedding.embed()
        answers = [(question, (await bot.say(0, question)).partition("\n\n")[0], right) for question, right in asked]
    model.close()

    for question, answer, right in answers:
        assert right in answer, question
        assert right or not any(answer.lower().startswith(each[:12].lower()) for each in told), question


@each_row(
    ("told", "asked", "further", "answer"),
    [
        (
            ("our rabbit gets 320 grams a day", "the vet rang, the rabbit is too fat, only 260 from now on"),
            "what does the rabbit get",
            "how much was it before",
            "320",
        ),
        (
            ("unser Hase kriegt 320 gramm am tag", "der tierarzt hat angerufen, der Hase soll nur noch 260 kriegen"),
            "was kriegt der Hase zu fressen",
            "wieviel wars vorher",
            "320",
        ),
    ],
)
async def test_what_was_before_is_asked_for_briefly(
    tmp_path: Path, told: tuple[str, ...], asked: str, further: str, answer: str
) -> None:
    """What was before need not be what search finds first."""
    async with run_console(tmp_path / further.strip("?"), NO_RAG) as chat:
        for each in (*told, asked):
            await chat.say(each)
        said = (await chat.say(further)).partition("\n\n")[0]

    assert answer in said
