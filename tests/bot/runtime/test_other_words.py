"""What people ask, order or only tell in words that no rule was made for, through the whole application.

With the model that comes along, which reads what kind of sentence each is, and without a language model.
"""

from __future__ import annotations

import pytest

from harness.application import RunningChats

pytestmark = pytest.mark.usefixtures("noon")

ASKED = {
    "on what": (("der Anbau ist geplatzt, weil die Statik fehlte",), "woran ist der Anbau gescheitert", "Statik"),
    "from what": (("die Zusage hängt vom Gutachten ab",), "wovon hängt die zusage ab", "Gutachten"),
    "verb first, i alone": (("montags hab ich Frühdienst",), "bin ich montags im frühdienst", "Frühdienst"),
    "verb first, i": (("donnerstags steh ich bei BASF Tor 5",), "steh ich donnerstags noch bei sap", "BASF"),
    "verb first": (("die Bank hat dem Kredit nicht zugestimmt",), "kriegen wir den kredit von der bank", "nicht"),
    "search, de": (("Der Kellerschlüssel hängt bei Frau Lohse",), "ich such den kellerschlüssel", "Lohse"),
    "search, en": (("the stepladder is at Wilf's place",), "i'm looking for the stepladder", "Wilf"),
    "search, ru": (("стремянка стоит у Зои в гараже",), "не могу найти стремянку", "Зои"),
    "two things, ru": (("ключ от сарая у Зои", "ключ от бани у Фомы"), "у кого ключ от бани", "Фомы"),
    "remind, ru": (("заказчик Лыков просит рассрочку",), "напомни что там по лыкову", "рассрочку"),
    "remind, en": (("the shed roof leaks at the back",), "remind me what's up with the shed roof", "leaks"),
    "not remembered, en": (("the pesto gets pine nuts",), "i forget which nuts go in the pesto", "pine nuts"),
    "not remembered, de": (("der Klempner heißt Lohmeier",), "hab vergessen wie der klempner heißt", "Lohmeier"),
    "not remembered, ru": (("ключи от гаража в сером ящике",), "забыл где ключи от гаража", "сером"),
    "told as a question, en": (("can you imagine, my nan is learning to skate",), "what's nan learning", "skate"),
    "told as a question, de": (
        ("kannst du dir vorstellen dass Wolle im Lotto gewonnen hat?",),
        "was hat wolle gewonnen",
        "Lotto",
    ),
    "told as a supposition": (("представь себе, Витька купил яхту",), "что купил витька", "яхту"),
    "told as a question, ru": (("можешь представить что Лена купила ферму",), "что купила Лена", "ферму"),
    "all to be reminded of": (("the van has a dodgy clutch",), "remind me of everything on the van", "clutch"),
    "to be named, en": (("my nephews are Colin, Ray and little Pip",), "name all my nephews", "Pip"),
    "to be named, de": (("meine Nichten sind Ida, Jule und Frieda",), "nenn mir alle meine nichten", "Jule"),
    "to be named, ru": (("мои племянники это Гена, Витя и Коля",), "назови всех моих племянников", "Витя"),
    "riddle, en": (("guess who got in? Simone!",), "who got in", "Simone"),
    "riddle, de": (("rate mal wer das Rennen gewonnen hat? Oma Trude!",), "wer hat das rennen gewonnen", "Trude"),
    "riddle, ru": (("угадай кто поступил? Лёнька!",), "кто поступил", "Лёнька"),
    "remind, de": (("das Scheunendach ist undicht",), "erinner mich mal was mit dem scheunendach ist", "undicht"),
}


async def tell(chats: RunningChats, *lines: str) -> list[str]:
    """Say one after the other and return the replies; what was said is read beside the rest meanwhile."""
    replies = []
    for line in lines:
        replies.append(await chats.say(0, line))
        await chats.app.embedding.embed()
    return replies


@pytest.mark.parametrize(("told", "asked", "answer"), ASKED.values(), ids=ASKED)
async def test_what_asks_in_other_words_is_answered(
    chats: RunningChats, told: tuple[str, ...], asked: str, answer: str
) -> None:
    """Seen to fail: each was noted as a fact, "read", or made a reminder."""
    *_, _, said = await tell(chats, *told, "/new", asked)

    assert answer in said
    assert not said.startswith(("Noted", "When shall I", "I will remind"))


@pytest.mark.parametrize(
    "told",
    [
        *("планёрка в 9:15", "night feed 3am", "Klausur morgen um 9", "завтра в 8 прачка"),
        *("und zurück den um 17:40", "and friday at 8 the builders"),
    ],
)
async def test_an_event_with_its_time_sets_no_reminder(chats: RunningChats, told: str) -> None:
    """It is kept; a reminder is offered at most."""
    said, listed = await tell(chats, told, "/remind")

    assert "I will remind you" not in said
    assert "0" not in listed.partition("\n")[0]


async def test_a_reminder_that_is_offered_is_set_at_a_press(chats: RunningChats) -> None:
    """An event that may be meant for one is noted, with the time as a button; an order needs no press."""
    offered, ordered = await tell(chats, "в 9:15 планёрка", "tell me on new years eve to phone Rosie")

    assert "Shall I remind you of it?" in offered
    assert "I will remind you on Thursday, 31 December" in ordered


@pytest.mark.parametrize(
    ("asked", "righted", "told"),
    [
        (
            "erinner mich in drei tagen um 17 uhr ans paket",
            "nein moment, um fünf ist keiner da, lieber 18 uhr",
            "18:00",
        ),
        ("напомни через три дня в 8 полить фикус", "лучше в 9:30, в восемь я ещё в пути", "09:30"),
        (
            "remind me in three days at 7:15am to ring Rosie",
            "hmm no she is asleep at 7:15, 8:45 would be better",
            "08:45",
        ),
        ("remind me in three days at 6 pm to feed the goat", "wait at 6 im at choir, so at 8 pm", "20:00"),
        ("erinner mich in drei tagen um 9 uhr ans brot", "ne um 9 is noch zu, um 11 dann", "11:00"),
        ("напомни через три дня в 8 вечера набрать свата", "ой нет, в восемь он на даче, давай на семь", "19:00"),
    ],
)
async def test_a_reminder_is_moved_to_what_is_read_as_the_new_time(
    chats: RunningChats, asked: str, righted: str, told: str
) -> None:
    """The time of the reason is not taken for it, the less so where the reminder comes then as it is."""
    await tell(chats, asked)
    await tell(chats, righted)
    shown = await tell(chats, "/remind")

    assert told in shown[0]


@pytest.mark.parametrize(
    ("told", "asked", "parts"),
    [
        (
            ("Okoro wants oak doors", "okoro's fitting date is 9 sept", "the kettle is broken"),
            "run me through what you've got on Okoro",
            ("oak doors", "9 sept"),
        ),
        (
            ("Firma Reitz zahlt zu spät", "bei reitz ist Frau Klose zuständig", "mittags gab es Linsen"),
            "was steht bei dir zu reitz",
            ("zu spät", "Klose"),
        ),
        (
            ("станок номер 7 греется", "у станка номер 7 два ремня", "машина не завелась"),
            "всё что есть по станку 7",
            ("греется", "ремня"),
        ),
    ],
)
async def test_all_that_is_told_of_something_is_one_list(
    chats: RunningChats, told: tuple[str, ...], asked: str, parts: tuple[str, ...]
) -> None:
    """However it is asked for; and nothing of anything else."""
    *_, said = await tell(chats, *told, "/new", asked)

    assert all(part in said for part in parts)
    assert said.count("•") == len(parts)


@pytest.mark.parametrize(
    ("told", "asked", "left"),
    [
        (
            ("jobs for the yard: fix gate, grease trailer, order hay", "gate's fixed", "also mow the verge"),
            "what's still to do in the yard",
            ("grease trailer", "order hay", "mow the verge"),
        ),
        (
            ("für den Ausflug: Sonnencreme, Wasser, Decke", "wasser ist gekauft", "noch Brote dazu"),
            "was fehlt noch für den ausflug",
            ("Sonnencreme", "Decke", "Brote"),
        ),
        (
            ("список по стройке: гвозди, рубероид, доска", "гвозди купили", "добавь ещё пену"),
            "чего не хватает по стройке",
            ("рубероид", "доска", "пену"),
        ),
        (
            ("put gloves on the order", "stick foam in the order too"),
            "what's on the order",
            ("gloves", "foam"),
        ),
        (
            ("trag Handschuhe in die Bestellung ein",),
            "was steht in der Bestellung",
            ("Handschuhe",),
        ),
        (("внеси в заказ перчатки",), "что в заказе", ("перчатки",)),
        (
            ("new task: renew passport", "task: call the bank", "renewed the passport"),
            "what tasks are open",
            ("call the bank",),
        ),
        (
            ("neue aufgabe: rad aufpumpen", "aufgabe: antrag abschicken", "rad aufpumpen ist erledigt"),
            "welche aufgaben sind offen",
            ("antrag abschicken",),
        ),
        (
            ("задача: сдать отчет", "задача: продлить проездной", "проездной продлил"),
            "какие задачи остались",
            ("сдать отчет",),
        ),
    ],
)
async def test_a_list_needs_no_word_for_it(
    chats: RunningChats, told: tuple[str, ...], asked: str, left: tuple[str, ...]
) -> None:
    """Under a head that says what it is for; what is said right behind goes there, too."""
    await chats.say(0, "put eggs on the shopping list")
    *_, said = await tell(chats, "/new", *told, "/new", asked)

    assert [line[2:] for line in said.splitlines()[1:]] == list(left)


@pytest.mark.parametrize(
    "told", ["crew for saturday: Femi, Dot, Bill", "im Schuppen: Rechen, Säge", "рассол: соль, сахар"]
)
async def test_what_a_head_only_tells_is_no_list(chats: RunningChats, told: str) -> None:
    """Who or what belongs to something is a fact."""
    said, listed = await tell(chats, told, "/lists")

    assert "Open:" not in said
    assert "• " not in listed


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("перчатки в заказе есть", "“перчатки” is open"),
        ("do we need gloves according to the order", "gloves"),
        ("sind laut bestellung noch handschuhe nötig", "handschuhe"),
    ],
)
async def test_a_list_is_asked_for_one_thing(chats: RunningChats, asked: str, answer: str) -> None:
    """Whether it stands there, in the form of a statement and by "according to", too."""
    added = ("внеси в заказ перчатки", "put gloves on the order", "trag handschuhe in die bestellung ein")
    *_, said = await tell(chats, *added, "/new", asked)

    assert answer in said
    assert "is not there" not in said


@pytest.mark.parametrize("undo", ["hang on, undo", "nee, das Letzte zurück", "назад, не надо"])
async def test_the_last_thing_is_taken_back_in_any_words(chats: RunningChats, undo: str) -> None:
    """Also where "the last" could be the last of what was shown."""
    *_, said = await tell(chats, "put coal on the list", "put mustard on the list", undo)

    assert said == "Shopping list: mustard taken off. Open: 1."


@pytest.mark.parametrize(
    ("listed", "over", "order", "left"),
    [
        ("put leeks and peas on the list", "take the leeks off", "actually put the leeks back on the list", "leeks"),
        ("put leeks and peas on the list", "got the leeks from the market", "bring back the leeks", "leeks"),
        (
            "put leeks and peas on the list",
            "scrap the leeks Ida got some",
            "stick the leeks back on, she lied",
            "leeks",
        ),
        ("setz Lauch und Hefe auf die Einkaufsliste", "lauch hab ich", "stell den lauch wieder drauf", "Lauch"),
        ("добавь в список лук и соль", "убери лук", "верни лук", "лук"),
    ],
)
async def test_what_was_taken_off_a_list_is_put_back(
    chats: RunningChats, listed: str, over: str, order: str, left: str
) -> None:
    """As it stood there, and taken back it is off again; what never stood there is no business of the list."""
    _, once, back, undone, other = await tell(chats, listed, over, order, "undo that", "put the ladder back")

    assert once.endswith("Open: 1.")
    assert back == f"Shopping list: added {left}. Open: 2."
    assert undone == f"Shopping list: {left} taken off. Open: 1."
    assert "ladder" not in other


@pytest.mark.parametrize(
    ("listed", "done"),
    [
        ("put leeks, peas and oats on the list", "leeks and peas picked up at the corner shop"),
        ("einkauf: lauch, hefe, senf", "lauch u hefe hab ich im großmarkt geholt"),
        ("einkauf: lauch, hefe, senf", "lauch und hefe hab ich beim netto mitgenommen"),
        ("список покупок: лук, соль, рис", "лук и соль купила в пятёрочке"),
    ],
)
async def test_where_something_was_bought_names_nothing(chats: RunningChats, listed: str, done: str) -> None:
    """It stood beside the things as one of its own, so that nothing was ticked."""
    *_, said = await tell(chats, listed, done)

    assert said.startswith("Shopping list: ✓")
    assert said.endswith("Open: 1.")


async def test_as_it_was_takes_back_what_was_told_last(chats: RunningChats) -> None:
    """Nothing else is to be brought back by that; "bring it back" forgets nothing."""
    kept = await tell(chats, "у Алины размер 38", "у Алины размер 40", "верни как было", "когда", "bring it back")

    assert "40" in kept[2]
    assert "forgotten" in kept[2]
    assert "38" not in kept[4]


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("The smokehouse recipe is 3 parts salt to 1 sugar", "wipe the smokehouse recipe"),
        ("die Überraschungsparty für Gitte steigt im Bootshaus", "vergiss die party für gitte"),
        ("рецепт рассола: соль и сахар", "сотри рецепт рассола"),
        ("my hip is bad again, might need surgery", "you can drop the thing about my hip"),
        ("the overdraft is 900 at the Halifax", "that business with the overdraft, bin it"),
        ("Hotte's birthday is the 4th of May", "Forget that Hotte's birthday is the 4th of May."),
        ("ich hab mich heimlich beworben, die Bewerbung läuft", "das mit der bewerbung kann raus, weg damit"),
        ("die Zenzi hat was mit dem Wirt", "ne vergiss das mit der zenzi lieber wieder"),
        ("мне нравится Артём из соседнего отдела", "забудь про Артёма"),
        ("у тёти операция в марте", "тётину операцию забудь, её отменили"),
    ],
)
async def test_one_thing_with_all_the_words_is_forgotten_at_once(chats: RunningChats, told: str, order: str) -> None:
    """In other words for forgetting, and where a word ends a longer one, or has another form."""
    *_, said = await tell(chats, "bin day is Tuesday", told, order)

    assert told in said
    assert "Forgotten." in said
    assert "/undo brings it back" in said


async def test_of_two_things_that_may_be_meant_it_asks(chats: RunningChats) -> None:
    """What the order itself says is looked for in neither."""
    *_, said = await tell(
        chats, "my loan is 4000 at Barclays", "the other loan is from Ida, 500", "drop the thing about the loan"
    )

    assert "Barclays" in said
    assert "Ida" in said
    assert "Forgotten." not in said


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("Zugang zum Kassensystem: 4490", "den kassencode löschen"),
        ("бабушка живёт на Садовой 5", "забудь адрес бабули"),
        ("I earn 2300 a month", "forget my salary"),
    ],
)
async def test_what_is_nearest_is_forgotten_if_it_is_read_as_meant(chats: RunningChats, told: str, order: str) -> None:
    """What has nothing to do with an order is not even offered."""
    *_, said = await tell(chats, "Der Kater heißt Tom", told, order)
    other = await chats.say(0, "forget my blood type")

    assert told in said
    assert "Tom" not in said
    assert "Forgotten." in said
    assert "`/forget" not in other


@pytest.mark.parametrize(
    ("order", "asked", "wanted"),
    [
        ("remind me on the 5th of June at 7 to water the ferns", "any reminders for friday?", "water the ferns"),
        ("erinner mich am 5. Juni um halb acht an die Mülltonnen", "woran wolltest du mich erinnern", "Mülltonnen"),
        ("напомни 5 июня в семь забрать кота", "какие напоминания на пятницу", "забрать кота"),
    ],
)
async def test_a_question_for_reminders_is_no_answer_to_which_time(
    chats: RunningChats, order: str, asked: str, wanted: str
) -> None:
    """It is told what is not set yet, and the question stays open."""
    which, shown, answered = await tell(chats, order, asked, "19:30")

    assert which.startswith("Which time")
    assert shown.startswith("Not set yet")
    assert wanted in shown
    assert "19:30" in answered
    assert wanted in answered


async def test_a_small_hour_by_day_is_of_the_afternoon(chats: RunningChats) -> None:
    """Nobody is reminded at three in the night who does not say so."""
    said = await chats.say(0, "remind me on the 5th of June at 3 to ring the vet")

    assert "15:00" in said


@pytest.mark.parametrize(
    "text",
    [
        "servus, ich muss kurz rechnen",
        "Please answer in French this time.",
        "antworte diesmal bitte auf Englisch",
    ],
)
async def test_what_orders_nothing_or_once_is_no_standing_wish(chats: RunningChats, text: str) -> None:
    """Whatever kind of sentence it is taken for."""
    said = await chats.say(0, text)

    assert "standing wish" not in said


async def test_what_may_be_a_correction_takes_nothing_back(chats: RunningChats) -> None:
    """Seen to fail: the whole flight was forgotten."""
    *_, corrected, said = await tell(
        chats, "the flight is with Ryanair", "oops easyjet, my mistake", "what do you know about the flight?"
    )

    assert "the flight is with easyjet" in corrected
    assert "flight is" in said


async def test_all_that_only_says_that_it_was_a_slip_is_left_out(chats: RunningChats) -> None:
    """Seen to fail: the festival was on "Sonntag meinte ich"."""
    said = ("Das Sommerfest der Feuerwehr ist am Samstag", "Sonntag meinte ich, hab mich vertan")
    *_, answer = await tell(chats, *said, "an welchem tag ist das sommerfest?")

    assert "Sonntag" in answer
    assert "meinte ich" not in answer


BESIDE = {
    "of a part of it": (
        ("the kiln is a Skutt, bought from Uwe for 1400", "kiln tech said the relays need replacing every 2 years"),
        "what kiln do i have",
        "Skutt",
        "relays",
    ),
    "who stands beside somebody": (
        ("Sopran: Anke, Birte und Solveig", "ich schulde Birte noch 24 Euro für die Blumen"),
        "wer ist anke",
        "Sopran",
        "24 Euro",
    ),
    "of me": (
        ("ich schulde Birte noch 24 Euro", "Solveig ist gegen Nüsse allergisch"),
        "was bekommt birte noch von mir",
        "24 Euro",
        "Nüsse",
    ),
    "in all": (
        ("der Verlag hat uns 38 Notenhefte zu je 6,50 geschickt", "Solveig ist gegen Nüsse allergisch"),
        "was kosten die notenhefte insgesamt",
        "6,50",
        "Nüsse",
    ),
    "who owes leaves out herself": (
        ("должна соседке Тоне две тысячи за рамки", "прошлой осенью продали 120 кило по 650"),
        "сколько я должна тоне",
        "две тысячи",
        "650",
    ),
    "title": (
        ("Stammkundin Frau Wessels fährt dienstags um 8 zur Dialyse", "meine Frau Silke hat am 4. Mai Geburtstag"),
        "wann hol ich frau wessels ab",
        "um 8",
        "Silke",
    ),
    "said later of another thing": (
        ("mein Wagen ist ein Mercedes E 220, Kennzeichen HB-TX 881", "letzte Woche 1.240 € eingefahren"),
        "welches auto fahr ich",
        "Mercedes",
        "1.240",
    ),
    "bought is not to be bought": (
        ("the kiln is a Skutt, bought from Uwe for 1400", "add clay to the shopping list"),
        "who did I get the kiln from",
        "Uwe",
        "clay",
    ),
}


@pytest.mark.parametrize(("told", "asked", "answer", "beside"), BESIDE.values(), ids=BESIDE)
async def test_what_stands_beside_an_answer_is_not_told(
    chats: RunningChats, told: tuple[str, ...], asked: str, answer: str, beside: str
) -> None:
    """Seen to fail: each told what is beside the point, or that alone."""
    *_, said = await tell(chats, *told, "/new", asked)

    assert answer in said
    assert beside not in said


@pytest.mark.parametrize("asked", ["what's coming up", "was steht demnächst so an?", "что у нас впереди"])
async def test_all_that_comes_is_told_where_no_day_is_named(chats: RunningChats, asked: str) -> None:
    """With its reminders and their days, without what is over."""
    *_, said = await tell(
        chats,
        "the recital is in ten days at St Luke's",
        "the picnic was ten days ago",
        "remind me in six days at 9 to order cakes",
        "/new",
        asked,
    )

    assert "recital" in said
    assert "picnic" not in said
    assert "order cakes" in said


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (
            ("Book club meets first Thursday of the month, we are reading Middlemarch", "library books are due Friday"),
            ("which book are we on",),
            "Middlemarch",
        ),
        (("blood pressure check on 9 December with nurse Bethan",), ("when is my check", "who is doing it"), "Bethan"),
    ],
)
async def test_what_looks_like_an_order_or_chatter_tells_and_asks(
    chats: RunningChats, told: tuple[str, ...], asked: tuple[str, ...], answer: str
) -> None:
    """Seen to fail: "Book club …" was an order, "who is doing it" was answered with "all right"."""
    *_, said = await tell(chats, *told, "/new", *asked)

    assert answer in said


@pytest.mark.parametrize("order", ["vergiss die kombi", "forget the combo", "забудь комбинацию"])
async def test_what_only_asked_for_something_is_not_forgotten_for_it(chats: RunningChats, order: str) -> None:
    """It is offered at most."""
    *_, said = await tell(chats, f"wie lautet {order.rsplit(maxsplit=1)[-1]} vom fahrradschloss", order)

    assert "Forgotten" not in said


@pytest.mark.parametrize(
    ("told", "asked", "parts"),
    [
        (("i speak urdu", "and a bit of dutch", "oh and bsl, level 2"), "what languages can i do", ("urdu", "bsl")),
        (
            ("Ich vertrage keine Paprika", "ach und Sellerie auch nicht"),
            "was vertrag ich alles nicht",
            ("Paprika", "Sellerie"),
        ),
        (("Славик занимается самбо", "а Лёва у нас фехтованием"), "чем занимается Лёва", ("фехтованием",)),
        (("Our Dan drives a bus in Leeds", "and Pete a tram"), "what does Pete drive", ("tram",)),
        (
            ("Kevin ist unser Praktikant", "der kommt immer mit dem Roller"),
            "was weißt du über kevin",
            ("Praktikant", "Roller"),
        ),
        (("i have a sister in Hull", "and a brother in Leeds"), "where does my brother live", ("Leeds",)),
        (("в Казани у меня живёт тётя", "а в Самаре двоюродный брат"), "кто у меня в самаре", ("брат",)),
    ],
)
async def test_what_is_named_in_a_row_is_told_as_one(
    chats: RunningChats, told: tuple[str, ...], asked: str, parts: tuple[str, ...]
) -> None:
    """A few words that only name more say nothing without what they go on with."""
    *_, said = await tell(chats, *told, "/new", asked)

    assert all(part in said for part in parts)
    assert "know for certain" not in said


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("and dad drives a taxi", "what does dad drive", "taxi"),
        ("and Mia moved to Bath", "where does mia live", "Bath"),
    ],
)
async def test_who_is_told_of_apart_is_in_no_row(chats: RunningChats, told: str, asked: str, answer: str) -> None:
    """A sentence of its own says enough, whatever it begins with."""
    *_, said = await tell(chats, "i speak urdu", told, "/new", asked)

    assert answer in said
    assert "urdu" not in said


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (("Лида пьёт таблетки от щитовидки", "Аня на диете"), "кто на диете"),
        (("из сериалов смотрю Содержанки",), "какие сериалы я смотрю"),
    ],
)
async def test_a_statement_without_a_verb_is_no_question(
    chats: RunningChats, told: tuple[str, ...], asked: str
) -> None:
    """Seen to fail: the one was answered by what was told of another, the other with "I don't know"."""
    *_, noted, _, said = await tell(chats, *told, "/new", asked)

    assert "щитовидки" not in noted
    assert "know" not in noted
    assert told[-1][1:] in said


@pytest.mark.parametrize(
    ("told", "asked", "answered", "never"),
    [
        ("ankle hurts. no climbing until march", "when can i climb again", "o climbing until", "Climbing until"),
        ("gym locker is 218, dont let me forget it", "what number is the gym locker", "218", "know"),
        ("Mettes vater heißt Jochen", "wie heißt mein vater", "for certain", "nothing I was told"),
    ],
)
async def test_what_was_told_is_kept_and_told_as_it_was_meant(
    chats: RunningChats, told: str, asked: str, answered: str, never: str
) -> None:
    """A ban keeps its "no", what must not be forgotten is kept, and another's father is no certain answer."""
    *_, said = await tell(chats, told, asked)

    assert answered in said
    assert never not in said


@pytest.mark.parametrize(
    "told",
    [
        "for the trip Maisie needs wellies, a packed lunch and a £5 note",
        "für den Wandertag braucht Mia Gummistiefel und eine Brotdose",
        "на карнавал Лизе нужны крылья и палочка",
    ],
)
async def test_what_somebody_else_needs_is_put_on_no_list(chats: RunningChats, told: str) -> None:
    """Seen to fail: it went on the shopping list, "school trip Maisie needs" and all."""
    _, said, listed = await tell(chats, "put eggs on the shopping list", told, "/list")

    assert "added" not in said
    assert "1" in listed.partition("\n")[0]


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("Dr Mbeki says my PSA came back raised", "strike the PSA thing from your memory would you"),
        ("my shoe size is 44", "my shoe size you don't need to keep, delete it"),
        ("meine Schuhgröße ist 44", "meine schuhgröße musst du dir nicht merken, lösch die"),
        ("мой вес 94 кило", "мой вес тебе помнить не надо, сотри"),
        ("Оля ждёт ребёнка", "забудь про олю, я не должна была говорить"),
    ],
)
async def test_what_need_not_be_kept_is_forgotten(chats: RunningChats, told: str, order: str) -> None:
    """What surrounds the words for it names nothing, and short names have their cases."""
    _, said = await tell(chats, told, order)

    assert "Forgotten." in said


async def test_a_reminder_goes_on_behind_one_whose_time_was_asked_for(chats: RunningChats) -> None:
    """Seen to fail: it was noted as a fact."""
    *_, said = await tell(
        chats, "erinner mich am montag um 7 an die tabletten", "und am mittwoch um 16 uhr an den reifenwechsel"
    )

    assert "16:00" in said


@pytest.mark.parametrize(
    ("told", "asked", "sum_told"),
    [
        (
            "At the club I paid £38 for subs, £12.50 for raffle tickets and a £9 deposit",
            "how much has the club had off me altogether",
            "£59.50",
        ),
        (
            "für den Garten 46 euro für Erde, 18 für Samen und 25 für den Zaun",
            "was hat der garten insgesamt gekostet",
            "89",
        ),
        ("на огород потратила: рассада 850 рублей, земля 420, пленка 1300", "сколько всего на огород ушло", "2570"),
    ],
)
async def test_a_row_of_amounts_is_added_up(chats: RunningChats, told: str, asked: str, sum_told: str) -> None:
    """Of one sentence, where one of them names the currency; a day is no amount."""
    *_, said, course = await tell(
        chats, told, "der Kurs kostet 120 Euro, am 5. Mai geht es los", "/new", asked, "was kostet der Kurs insgesamt"
    )

    assert sum_told in said
    assert "125" not in course


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("Detlef verkauft den Wotan für 800 euro", "nee nimm das zurück, war nur gerede"),
        ("Pauline lends me her wheelchair", "scrap that, I got muddled"),
        ("Игорь осенью женится", "отмени это, я не так поняла"),
    ],
)
async def test_a_reason_may_stand_behind_taking_back(chats: RunningChats, told: str, order: str) -> None:
    """What is right instead may not: that is a correction."""
    _, taken, flight, kept = await tell(chats, told, order, "my flight is on Friday", "scrap that, I meant Thursday")

    assert told in taken
    assert flight.startswith("Noted")
    assert "Taken back" not in kept


@pytest.mark.parametrize(
    ("told", "changed", "asked", "old"),
    [
        (
            "the plumber comes on Tuesday at 9",
            "hang on, I misread his text, he said half past eleven",
            "what time is the plumber due",
            "at 9",
        ),
        (
            "Die Gebühr für den Hafenplatz ist 430 im Jahr",
            "Moment, verlesen, das war der Winterplatz. Es sind 510",
            "was kostet der Hafenplatz",
            "430",
        ),
        ("Взнос за гараж 900 в месяц", "ой, перепутала с дачей, тут 650", "сколько мы платим за гараж", "900"),
        (
            "Yoga's in the old chapel on Fridays",
            "they lost the lease. yoga meets at the scout hut until further notice",
            "where is yoga",
            "chapel",
        ),
    ],
)
async def test_what_was_changed_in_other_words_is_told_as_what_was(
    chats: RunningChats, told: str, changed: str, asked: str, old: str
) -> None:
    """Seen to fail: the old was told as the answer, or with the new in one breath."""
    *_, said = await tell(chats, told, changed, "/new", asked)
    first, *behind = said.splitlines()

    assert changed.rsplit(maxsplit=1)[-1].strip(".") in first
    assert old not in first
    assert not any(old in line for line in behind if not line.startswith("Before that"))


@pytest.mark.parametrize(
    ("told", "beside", "asked", "holds"),
    [
        ("Our locksmith is Mr Pfaff", "my flatmate changed her locksmith", "who is our locksmith", "Pfaff"),
        (
            "Unser Schlosser ist der Herr Pfaff",
            "Nachbars haben den Schlosser gewechselt",
            "wer ist unser Schlosser",
            "Pfaff",
        ),
        ("Мы ходим к ветеринару Зориной", "напарница сменила ветеринара", "кто наш ветеринар", "Зорин"),
    ],
)
async def test_what_others_changed_changes_nothing(
    chats: RunningChats, told: str, beside: str, asked: str, holds: str
) -> None:
    """Seen to fail: who lives or works with somebody was taken for nobody else."""
    *_, said = await tell(chats, told, beside, "/new", asked)

    assert any(holds in line for line in said.splitlines() if not line.startswith("Before that"))


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Swimming lesson with Mr Oduya every Monday", "who teaches me to swim"),
        ("Schwimmkurs bei Frau Oduya jeden Montag", "wer bringt mir das schwimmen bei"),
        ("Хожу на керамику по субботам в десять", "когда у меня лепка"),
    ],
)
async def test_what_clearly_answers_needs_not_name_who_asks(chats: RunningChats, told: str, asked: str) -> None:
    """Seen to fail: a thing or a deed at the beginning was taken for somebody else's name."""
    *_, said = await tell(chats, told, "/new", asked)

    assert not said.startswith("I don't know")
    assert told.rsplit(maxsplit=1)[-1] in said


@pytest.mark.parametrize(
    ("told", "asked", "more", "answer"),
    [
        (("Maud has her hip done on the 9th at Castle Hill",), "when is Maud's hip done", "and where", "Castle Hill"),
        (("der Zahnarzt ist am 4. um 9 in der Lindenstraße",), "wann ist der zahnarzt", "und wo", "Lindenstraße"),
        (("утренник 24 декабря в актовом зале",), "когда утренник", "а где", "зале"),
        (("Milan kriegt 14 euro", "Milan kriegt jetzt 15 euro"), "was kriegt milan", "u vorher", "14"),
        (("the rent is 700", "the rent is 750 from now on"), "what is the rent", "and before that?", "700"),
        (("takings: fri 412, sat 760, sun 388",), "what were the takings", "altogether?", "1560"),
        (("new glasses 240, dentist 85, boots 60",), "pricey", "how much did i spend all told", "385"),
        (("umsatz fr 412, sa 760, so 388",), "lief gut", "macht zusammen", "1560"),
        (("гречка 90, молоко 85, сыр 320",), "дорого", "итого?", "495"),
    ],
)
async def test_a_question_that_leaves_out_of_what_goes_on(
    chats: RunningChats, told: tuple[str, ...], asked: str, more: str, answer: str
) -> None:
    """Each was read as something told, or answered with nothing."""
    *_, said = await tell(chats, *told, asked, more)

    assert answer in said
    assert not said.startswith(("Noted", "I have read"))


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("our neighbour got a parrot", "whats the name of the neighbours parrot"),
        ("der nachbar hat einen papagei", "wie heißt der papagei vom nachbarn"),
        ("сосед сверху завёл попугая", "как зовут попугая соседа"),
    ],
)
async def test_that_there_is_one_does_not_tell_its_name(chats: RunningChats, told: str, asked: str) -> None:
    """It shares all words with the question, and is no answer."""
    *_, said = await tell(chats, told, asked)

    assert said.startswith("I don't know")


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("our bees are in the field behind the old mill", "where did we put the hives"),
        ("bis zum Kindergarten brauchen wir zu fuß 12 minuten", "wie lange laufen wir zur kita"),
        ("репетитор берёт 1200 за урок", "почём у нас репетитор"),
    ],
)
async def test_the_likeliest_of_little_is_the_answer(chats: RunningChats, told: str, asked: str) -> None:
    """It was shown as what might help only."""
    *_, said = await tell(chats, told, asked)

    assert not said.startswith("I don't know")
    assert told.rsplit(maxsplit=1)[-1] in said


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("My sister Lena works at Bosch in Stuttgart", "does my brother work at bosch"),
        ("у мамы давление 150", "у папы какое давление"),
        ("our anniversary dinner was at the Blue Heron", "what did dinner at the blue heron cost"),
    ],
)
async def test_the_likeliest_of_little_is_no_answer_for_another_or_without_the_number(
    chats: RunningChats, told: str, asked: str
) -> None:
    *_, said = await tell(chats, told, asked)

    assert said.startswith("I don't know")


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("my sister lives in Porto", "where does my brother live"),
        ("meine schwester wohnt in Ulm", "wo wohnt mein bruder"),
        ("моя сестра живёт в Твери", "где живёт мой брат"),
    ],
)
async def test_what_is_told_of_a_sister_is_no_answer_for_a_brother(chats: RunningChats, told: str, asked: str) -> None:
    """A model that reads it takes it for one, and told it as the answer."""
    *_, said = await tell(chats, told, asked)

    assert told.rsplit(maxsplit=1)[-1] not in said or said.startswith(("I don't know", "Das weiß", "Точно не"))


@pytest.mark.parametrize(
    ("named", "asked"),
    [
        ("locker code", "what is my locker code"),
        ("schließfach nummer", "was ist meine schließfach nummer"),
        ("код от шкафчика", "какой код от шкафчика"),
    ],
)
async def test_what_only_named_what_is_asked_for_is_no_answer(chats: RunningChats, named: str, asked: str) -> None:
    """It was told as one: "Locker code. (You told me today.)"."""
    *_, said = await tell(chats, named, "the shed is green", asked)

    assert said.startswith(("I don't know", "Das weiß", "Не знаю", "Точно не"))


@pytest.mark.parametrize(
    ("told", "denied", "right"),
    [
        ("die Probe ist am Donnerstag in der Aula", "stimmt gar nicht, im Musiksaal", "am Donnerstag im Musiksaal"),
        ("die Probe ist in der Aula", "quatsch, gar nicht wahr, im Musiksaal", "die Probe ist im Musiksaal"),
        ("the rehearsal is in the gym", "thats not right, music room", "the rehearsal is in the music room"),
        ("Zac is 13", "i told you wrong, zac is 12", "Zac is 12"),
        ("репетиция в актовом зале", "неправда, в музыкальном классе", "репетиция в музыкальном классе"),
    ],
)
async def test_a_correction_may_begin_with_a_denial(chats: RunningChats, told: str, denied: str, right: str) -> None:
    """What stands in the place of a thing keeps what leads to it."""
    *_, said = await tell(chats, told, denied)

    assert said.startswith("Corrected:")
    assert f"{right}”" in said.partition("\n")[0]


async def test_what_was_and_is_every_day_does_not_come(chats: RunningChats) -> None:
    """A part of any day is no time to come."""
    told = (
        "it blew a gale all night",
        "I take a water tablet first thing and a statin at bedtime",
        "dinner with Jo tonight",
    )
    *_, said = await tell(chats, *told, "where is Jo on Tuesday", "and Thursday", "what have I got coming up?")

    assert "Thursday" not in said
    assert "Jo tonight" in said
    assert "gale" not in said
    assert "statin" not in said


@pytest.mark.parametrize(
    ("told", "moved", "right"),
    [
        (
            "Maud has her hip op on the 9th of December",
            "they've put Maud's op back a week so it's the 16th now",
            "16th now",
        ),
        ("der Termin beim Amt ist am 9. Dezember", "der Termin beim Amt ist jetzt eine Woche später", "Woche später"),
    ],
)
async def test_what_comes_later_than_told_comes(chats: RunningChats, told: str, moved: str, right: str) -> None:
    """Seen to fail: neither was told where the new time could not be reckoned."""
    *_, said = await tell(chats, told, moved, "what have I got coming up?")

    assert right in said
    assert told not in said


async def test_what_has_a_time_of_its_own_moves_no_reminder(chats: RunningChats) -> None:
    """Seen to fail: the reminder that was set right before was moved to the time of the meeting."""
    _, told, listed = await tell(
        chats,
        "erinner mich am freitag um 9 ans gießen",
        "die sitzung ist am mittwoch um 3",
        "welche erinnerungen gibt es",
    )

    assert "sitzung" in told
    assert "Friday" in listed


@pytest.mark.parametrize(
    ("told", "then", "asked", "now"),
    [
        ("машину поставила на паркинг у работы", "забрала машину домой", "где машина", "забрала"),
        (
            "chorprobe ist montags und donnerstags",
            "probe jetzt dienstags statt donnerstags",
            "wann ist probe",
            "dienst",
        ),
    ],
)
async def test_what_hardly_asks_is_news(chats: RunningChats, told: str, then: str, asked: str, now: str) -> None:
    """Seen to fail: it was answered by what it changed, and changed nothing."""
    _, read, _, said = await tell(chats, told, then, "/new", asked)

    assert told[1:] not in read
    assert now in said.lower()


@pytest.mark.parametrize(
    ("told", "asked", "right"),
    [
        ("Ute will ihren Flügel für 900 Euro verkaufen", "will die ute den flügel verkaufen", "900"),
        ("карина с артуром развелись, суд был во вторник", "карина замужем", "развелись"),
    ],
)
async def test_what_has_no_form_of_a_question_is_answered_by_what_surely_answers(
    chats: RunningChats, told: str, asked: str, right: str
) -> None:
    """Seen to fail: it was noted; what nothing answers still is."""
    *_, said, other = await tell(chats, told, "/new", asked, "the tomatoes are planted")

    assert right in said
    assert right not in other


@pytest.mark.parametrize(
    ("listed", "order", "back", "standing"),
    [
        ("Gästeliste: Anke, Udo", "lösch die Gästeliste", "stopp, hol sie wieder zurück", "Anke, Udo"),
        ("put oats and tea on my shopping list", "clear the whole shopping list", "bring it back", "oats, tea"),
        ("добавь в список покупок лук и рис", "сотри список покупок", "верни его обратно", "лук, рис"),
    ],
)
async def test_a_list_is_emptied_and_brought_back(
    chats: RunningChats, listed: str, order: str, back: str, standing: str
) -> None:
    """Seen to fail: messages were offered to forget, and "back" took off what had been added before."""
    _, gone, again, other = await tell(chats, listed, order, back, back)

    assert gone.partition("\n")[0].endswith(f"{standing} taken off. Open: 0.")
    assert again.endswith(f"{standing} open again. Open: 2.")
    assert "taken off" not in other


@pytest.mark.parametrize(
    "said",
    [
        *("is the shopping list empty", "the shopping list is empty", "the full shopping list please"),
        *("soll ich die Einkaufsliste löschen", "die ganze Einkaufsliste", "did you delete the shopping list"),
        *("весь список покупок", "delete the shopping list app"),
    ],
)
async def test_what_only_speaks_of_an_empty_list_empties_none(chats: RunningChats, said: str) -> None:
    """No order, or one about something else."""
    *_, listed = await tell(chats, "put oats and tea on my shopping list", said, "/list")

    assert "oats" in listed
    assert "tea" in listed


@pytest.mark.parametrize(
    ("listed", "order"),
    [
        ("put oats and tea on the shopping list", "empty the shopping list and add rye"),
        ("setz Hafer und Tee auf die Einkaufsliste", "leere die Einkaufsliste und setz rye drauf"),
        ("добавь в список покупок рис и чай", "очисти список покупок и добавь rye"),
    ],
)
async def test_a_list_is_emptied_and_added_to_by_one_sentence(chats: RunningChats, listed: str, order: str) -> None:
    """It put "empty" on the list, and nothing else."""
    *_, shown = await tell(chats, listed, order, "/list")

    assert shown.splitlines()[1:] == ["- rye"]


@pytest.mark.parametrize(
    ("added", "back"),
    [
        ("put oats on my shopping list", "bring it back"),
        ("setz Hafer auf die Einkaufsliste", "hol es wieder zurück"),
        ("добавь в список покупок рис", "верни его обратно"),
        ("remind me tomorrow at 9 to call Vera", "put it back"),
    ],
)
async def test_who_wants_something_back_loses_nothing_that_was_made(chats: RunningChats, added: str, back: str) -> None:
    """Nor is it told to be gone; "undo that" still takes it off."""
    _, said, undone = await tell(chats, added, back, "undo that")

    assert "taken off" not in said
    assert "Cancelled" not in said
    assert "taken off" in undone or "Cancelled" in undone


@pytest.mark.parametrize("order", ["show me the list once more", "zeig die liste nochmal", "покажи список заново"])
async def test_an_order_to_show_a_list_asks_for_nothing_on_it(chats: RunningChats, order: str) -> None:
    """Seen to fail: “nochmal” was not there; what is named twice around "and" is one thing."""
    _, shown, asked = await tell(
        chats, "put bin bags, half and half and stamps on my shopping list", order, "is milk on the list?"
    )

    assert [line.lstrip("• -") for line in shown.splitlines()[1:4]] == ["bin bags", "half and half", "stamps"]
    assert "“milk” is not there" in asked


@pytest.mark.parametrize(
    ("listed", "said", "added", "gone"),
    [
        ("einkauf: nudeln, tee", "mach noch bier drauf und nudeln weg", "bier", "nudeln"),
        ("einkauf: nudeln, tee, reis", "bier dazu, reis und nudeln runter", "bier", "nudeln, reis"),
        ("einkauf: nudeln, tee", "streich die nudeln und setz bier drauf", "bier", "nudeln"),
        ("put noodles and tea on the list", "add beer and drop the noodles", "beer", "noodles"),
        ("put noodles and tea on the list", "put beer on the list and take the noodles off", "beer", "noodles"),
        ("put noodles and tea on the list", "remove noodles, add half and half", "half and half", "noodles"),
        ("список покупок: макароны, чай", "добавь пиво, а макароны убери", "пиво", "макароны"),
        ("список покупок: макароны, чай, рис", "пиво добавь, макароны и рис не надо", "пиво", "макароны, рис"),
        ("список покупок: макароны, чай", "вычеркни макароны и запиши пиво", "пиво", "макароны"),
    ],
)
async def test_one_sentence_adds_and_takes_off(
    chats: RunningChats, listed: str, said: str, added: str, gone: str
) -> None:
    """And is taken back as a whole.  Seen to fail: "mach noch bier" and "nudeln weg" were added."""
    before, told, undone = await tell(chats, listed, said, "undo that")

    assert told.splitlines()[0].startswith(f"Shopping list: {gone} taken off.")
    assert told.splitlines()[-1].startswith(f"Shopping list: added {added}.")
    assert undone.endswith(before.rpartition(" ")[2])


@pytest.mark.parametrize(
    "said",
    [
        *("I told Ben to add salt and stir the noodles in", "write to Tom and drop the parcel at the post office"),
        *("ich freu mich drauf, das Bild ist jetzt weg", "Schreib Tom und streich den Zaun"),
        *("add a wing to the house and the tea room goes", "добавь газу и убери ногу с педали"),
    ],
)
async def test_what_only_sounds_like_both_takes_nothing_off(chats: RunningChats, said: str) -> None:
    """What it takes off stands on no list, or it is told of somebody."""
    *_, listed = await tell(chats, "put noodles and tea on the list", "lovely weather today", said, "/list")

    assert "noodles" in listed
    assert "tea" in listed


@pytest.mark.parametrize(
    ("listed", "said", "answer"),
    [
        ("einkauf: tee", "hau noch bier drauf", "added bier."),
        ("einkauf: tee", "ballere noch bier drauf", "added bier."),
        ("einkauf: tee", "chips auch noch drauf", "added chips."),
        ("put tea on my shopping list", "bung beer on the list too", "added beer."),
        ("список покупок: чай", "кинь ещё пиво в список", "добавлено — пиво."),
    ],
)
async def test_no_entry_begins_with_what_orders_it(chats: RunningChats, listed: str, said: str, answer: str) -> None:
    """Whichever verb it is that puts something "drauf"."""
    *_, told = await tell(chats, listed, said)

    assert answer.replace("добавлено —", "added") in told


@pytest.mark.parametrize("said", ["und senf weg", "ещё горчицу убери"])
async def test_what_takes_off_what_stands_nowhere_is_no_entry(chats: RunningChats, said: str) -> None:
    """It is asked what is meant; what stands there is taken off in the same words."""
    _, asked, listed, gone = await tell(chats, "einkauf: tee, reis", said, "/list", "und den reis weg")

    assert "?" in asked or "not sure" in asked
    assert [line.lstrip("• -") for line in listed.splitlines()[1:3]] == ["tee", "reis"]
    assert "reis taken off" in gone


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("jeanettes phone is 740 555 0182", "forget jeanettes phone number please, she got a new one"),
        ("Jana erreichst du unter 0171 2345678", "vergiss Janas Nummer, die ist veraltet"),
        ("у Жанны телефон 8 912 345 67 89", "забудь номер телефона Жанны, она его сменила"),
        ("mum lands 22 jan 14:05. cant do stairs, bad knee", "wipe the bit about mums knee, thats private"),
        ("the safe opens with 451 277", "delete the number of the safe - we swapped it"),
    ],
)
async def test_one_thing_that_an_order_means_is_forgotten_at_once(chats: RunningChats, told: str, order: str) -> None:
    """Seen to fail: a number that is not called one, or a time of day before a comma, only offered it."""
    _, _, said = await tell(chats, "the baker comes on Tuesdays", told, order)

    assert "Which of it" not in said
    assert "/undo" in said
    assert told.partition(".")[0] in said


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("jeanette paid 1400 in rent", "forget jeanettes number, she moved"),
        ("jeanettes phone is 740 555 0182", "forget jeanettes house number, she moved"),
        ("jeanette flew out on 2026-11-02", "forget jeanettes number please"),
        ("for the picnic: plates, mums cups", "forget mums cups, we have enough"),
    ],
)
async def test_another_thing_is_not_forgotten_for_it(chats: RunningChats, told: str, order: str) -> None:
    """It is offered at most: an amount or a date is nobody's number, and a list is not one thing."""
    _, said = await tell(chats, told, order)

    assert "/undo" not in said


PARTLY = {
    "en, number": (
        "Mia cant have walnuts, and her number is 07700 900123",
        "forget mias number",
        ("what cant mia have", "walnuts"),
        ("whats mias number", "900123"),
    ),
    "en, age": (
        "callum drives a red corsa, jordan has got a polo. jordan is 25, callum 19",
        "forget how old callum is",
        ("what does callum drive", "corsa"),
        ("how old is callum", "19"),
    ),
    "de, who has it": (
        "Herr Ostertag hat meine Stichsäge, und der Pfarrer hat noch meine lange Leiter.",
        "Und vergiss bitte, bei wem meine Leiter ist, das hat sich erledigt.",
        ("Wer hat meine Stichsäge?", "Ostertag"),
        ("Wer hat meine Leiter?", "Pfarrer"),
    ),
    "de, earns": (
        "jonas kriegt 3100 netto, die lena 2800",
        "vergiss was lena verdient",
        ("was verdient jonas", "3100"),
        ("was verdient lena", "2800"),
    ),
    "ru, phone": (
        "муку беру у савельева по 38 р за кило, тел его 89270014455",
        "забудь телефон савельева",
        ("почём мука у савельева", "38"),
        ("какой телефон у савельева", "8927"),
    ),
}


@pytest.mark.parametrize(("told", "order", "stays", "goes"), PARTLY.values(), ids=PARTLY)
async def test_what_else_a_message_tells_stays(
    chats: RunningChats, told: str, order: str, stays: tuple[str, str], goes: tuple[str, str]
) -> None:
    """Seen to fail: the whole message went, or was offered; what comes back is whole."""
    _, said, kept, gone, back, again = await tell(chats, told, order, stays[0], goes[0], "/undo", goes[0])

    assert "What else the message says stays" in said
    assert stays[1] in kept
    assert goes[1] not in kept
    assert goes[1] not in gone
    assert "back" in back
    assert goes[1] in again


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("Lena is pregnant, due in May. She moved to Leeds in August", "forget that Lena is pregnant"),
        ("my sister vera lives in porto, her cat is called mimi", "forget where vera lives"),
        ("Jens verdient 4200 netto, also 50.400 im Jahr", "vergiss was Jens verdient"),
        ("у пети аллергия на пыль, сильная", "забудь про аллергию пети"),
        ("the plumber is Dave Hobbs. his number is 0114 555 0199", "forget everything about the plumber"),
    ],
)
async def test_a_message_goes_whole_where_what_is_left_would_tell_of_it(
    chats: RunningChats, told: str, order: str
) -> None:
    """Nothing stays that goes on about what is forgotten, or whose "she" nobody could tell."""
    _, said = await tell(chats, told, order)

    assert "Conversation turns removed: 1" in said
    assert "stays" not in said


@pytest.mark.parametrize(
    ("told", "moved", "asked", "day"),
    [
        (
            "my placement starts 12 april",
            "placement got moved, now starts the 19th not the 12th",
            "whats next",
            "19 April",
        ),
        (
            "Die Inspektion ist am 12. April um 9 Uhr",
            "Die Inspektion ist jetzt am 19.",
            "Was steht sonst an?",
            "19 April",
        ),
        ("техосмотр 12 апреля в 9", "техосмотр перенесли на 19 число", "что меня ждёт", "19 April"),
    ],
)
async def test_a_day_without_its_month_is_of_the_former_one(
    chats: RunningChats, told: str, moved: str, asked: str, day: str
) -> None:
    """Seen to fail: the next such day was told, or the one that it is no more, or the question was not understood."""
    *_, said = await tell(chats, told, moved, "/new", asked)

    assert said.count("•") == 1
    assert day in said


async def test_what_comes_at_another_hour_stands_once(chats: RunningChats) -> None:
    """Seen to fail: both hours stood there, as if both held."""
    *_, said = await tell(
        chats, "parents evening 12 april at 18:00", "parents evening is at 7 now not 6", "what have i got on next"
    )

    assert said.count("•") == 1
    assert "at 7 now" in said.partition("Before that:")[0]


SWAPPED = {
    "en, instead of": (("shopping: rolls, tea",), "instead of rolls get pitta", ("rolls", "pitta")),
    "de, statt": (("Einkaufsliste: Brot, Tee",), "Statt Brot lieber Brötchen", ("Brot", "Brötchen")),
    "de, tausch": (("Einkaufsliste: Brot, Tee",), "Tausch das Brot gegen Baguette", ("Brot", "Baguette")),
    "ru, instead of": (("список покупок: хлеб, чай",), "вместо хлеба булочки", ("хлеб", "булочки")),
    "en, rid of": (
        ("shopping: oat milk, pasta, cat litter",),
        "add fairy liquid n get rid of pasta bex already got some",
        ("pasta", "fairy liquid"),
    ),
    "en, two sentences": (
        ("For the DIY shop I need screws, tarpaulin and filler",),
        "scrap the filler, there was some left. I need a scraper instead",
        ("filler", "scraper"),
    ),
    "de, two sentences": (
        ("Für den Baumarkt brauche ich Dachpappe, Holzleim und eine Rolle Draht.",),
        "Streich den Holzleim, davon war noch was im Keller. Dafür brauche ich einen Pinsel.",
        ("Holzleim", "Pinsel"),
    ),
    "ru, two sentences": (
        ("для бани нужны веники, шапка и мыло",),
        "мыло вычеркни, нашла дома. зато нужно полотенце",
        ("мыло", "полотенце"),
    ),
}


@pytest.mark.parametrize(("told", "order", "things"), SWAPPED.values(), ids=SWAPPED)
async def test_one_thing_on_a_list_takes_the_place_of_another(
    chats: RunningChats, told: tuple[str, ...], order: str, things: tuple[str, str]
) -> None:
    """Seen to fail: the order, or the reason behind it, was put there, and what was to go stayed."""
    await tell(chats, *told, order)
    listed = (await chats.say(0, "/list")).splitlines()[1:]

    assert len(listed) == len({line for line in listed if line.strip()})
    assert not any(things[0] in line.split() for line in listed)
    assert any(line.endswith(things[1]) for line in listed)


@pytest.mark.parametrize(
    ("shown", "more", "back"),
    [
        ("was steht noch drauf?", "Und Zahnpasta", "ne vergiss das letzte"),
        ("что осталось", "и зубную пасту", "забудь последнее"),
    ],
)
async def test_what_follows_a_list_that_was_shown_goes_on_it(
    chats: RunningChats, shown: str, more: str, back: str
) -> None:
    """Seen to fail: it was noted as a fact, and the last of what was shown was taken off in its place."""
    *_, added, gone, left = await tell(chats, "Einkaufsliste: Brot, Tee", shown, more, back, "/list")

    assert "added" in added
    assert "taken off" in gone
    assert "Brot" in left
    assert "Tee" in left


async def test_what_comes_is_asked_of_no_list(chats: RunningChats) -> None:
    """Seen to fail: the list was shown, which stands "an" as well as what is to come."""
    *_, said = await tell(
        chats,
        "Für den Baumarkt brauche ich Dachpappe, Holzleim und eine Rolle Draht.",
        "Der Notartermin ist in drei Tagen um 9 Uhr",
        "Und was steht sonst in den nächsten Wochen an?",
    )

    assert "Notartermin" in said
    assert "Dachpappe" not in said
