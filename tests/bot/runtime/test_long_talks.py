"""What one person tells and asks over weeks, in whole sentences: through the whole application, without a model.

With the embedding model that comes along.
"""

from __future__ import annotations

import pytest

from harness.application import RunningChats

pytestmark = pytest.mark.usefixtures("noon")


async def tell(chats: RunningChats, *lines: str) -> str:
    """Say one after the other and return the last reply; what was said is read beside the rest meanwhile."""
    said = ""
    for line in lines:
        said = await chats.say(0, line)
        await chats.app.embedding.embed()
    return said


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("Mein Neffe Paul ist 14. Die Nichte Ella ist 12.", "Wie alt sind meine Geschwisterkinder?", "Ella ist 12"),
        ("our niece Ella is 12 and our nephew Paul is 14", "how old are the kids of my brother", "Paul is 14"),
        ("opa bekommt am mittwoch einen schrittmacher", "wann kriegt der schwiegervater den schrittmacher", "mittwoch"),
        ("Свекровь Зоя не выносит чеснок, а мама Галина его обожает", "какая из бабушек не любит чеснок?", "Зоя"),
    ],
)
async def test_what_is_read_as_the_answer_is_told_whoever_else_it_names(
    chats: RunningChats, told: str, asked: str, answer: str
) -> None:
    """Seen to fail: that it names a nephew, and no children, made it a guess."""
    said = await tell(chats, told, "/new", asked)

    assert answer in said
    assert "certain" not in said


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("i'm Oskar, i drive the 31 bus with my cousin Ida and sing in a choir", "what is my name"),
        ("Zug nach Erfurt um 18:12, Wagen 7, Platz 54", "und welcher Platz?"),
        ("the painter comes on tuesday at 8, his name is Varga", "and what is his name?"),
        ("our neighbour Gunnar mended the gate", "what's my neighbour's name?"),
        ("unser Lehrer Anton ist krank", "wie heißt mein Lehrer?"),
        ("тётя Рая печёт хлеб", "как зовут мою тётю?"),
    ],
)
async def test_what_is_told_in_passing_is_told_for_sure(chats: RunningChats, told: str, asked: str) -> None:
    """Seen to fail: the whole was read as a perhaps, since most of it is of something else."""
    said = await tell(chats, told, asked)

    assert told[-8:] in said
    assert not any(doubt in said for doubt in ("for certain", "Sicher weiß ich", "Точно не знаю"))


async def test_what_a_relative_has_is_not_ones_own(chats: RunningChats) -> None:
    """Seen to fail: without its apostrophe the husband's dentist was told as one's own."""
    told = ("my dentist is dr Sorel on Mill Road", "my husbands dentist is dr Quint")
    said = await tell(chats, *told, "/new", "who's my dentist?")

    assert "Sorel" in said
    assert "Quint" not in said


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("our neighbour Gunnar mended the gate", "what's our neighbour's dog called?"),
        ("Inga's brother Olaf plays the flute", "what's my brother called?"),
        ("my brother Olaf plays the flute", "what's my sister's name?"),
    ],
)
async def test_the_name_of_somebody_else_is_none(chats: RunningChats, told: str, asked: str) -> None:
    said = await tell(chats, told, asked)

    assert "I don't know" in said


async def test_a_guess_is_the_likeliest_even_if_it_is_somebody_elses(chats: RunningChats) -> None:
    """Seen to fail: "I" in the question hid what was told of the sister, and another message was shown."""
    told = ("my gf kim hates lilies, her birthday is feb 3", "lil sis rosa turns 15 on april 22, loves volleyball")
    said = await tell(chats, *told, "/new", "when do i need a present for rosa")

    assert "april 22" in said
    assert "lilies" not in said


@pytest.mark.parametrize(
    "told",
    [
        "War das gestern ein gemütlicher Abend, wir haben bis spät Karten gespielt.",
        "hat der hund heute wieder gebellt, ich hab kaum geschlafen",
        "mag der kater ja kein trockenfutter, also nimm lieber das nasse",
        "did the baby ever scream last night, nobody slept",
        "war gestern beim optiker",
        "habe mein klavier verkauft",
        "bin die neue kassenwartin",
        "der hamster von drüben heißt pepe",
        "was on the ferry with Ines",
        "been to the optician",
    ],
)
async def test_what_begins_as_a_question_and_asks_nothing_is_not_answered(chats: RunningChats, told: str) -> None:
    """Seen to fail: "I don't know" to what somebody told with the verb first."""
    said = await tell(chats, "Der Hund frisst abends, ich spiele mittwochs Karten", "/new", told)

    assert not any(doubt in said for doubt in ("know", "weiß"))
    assert "mittwochs" not in said


@pytest.mark.parametrize(
    "asked", ["war ich gestern beim optiker", "hab ich mein klavier verkauft", "was i on the ferry", "heißt er pepe"]
)
async def test_who_asks_by_the_order_of_words_is_answered(chats: RunningChats, asked: str) -> None:
    said = await tell(chats, "ich esse gern Nudeln", "/new", asked)

    assert any(doubt in said for doubt in ("don't know", "weiß ich nicht"))


@pytest.mark.parametrize(
    ("told", "asked", "before"),
    [
        (("chess club is on tuesdays", "from now on chess is on fridays"), ("when is chess", "n before that"), "tues"),
        (
            ("Kegeln ist immer mittwochs", "Wir kegeln ab jetzt donnerstags"),
            ("An welchem Tag kegeln wir?", "Und früher?"),
            "mittwochs",
        ),
        (
            ("репетиции у нас на баумана", "репетиции теперь на пушкина"),
            ("где у нас репетиции", "а раньше где было"),
            "баумана",
        ),
    ],
)
async def test_what_was_before_is_told_first_and_as_that(
    chats: RunningChats, told: tuple[str, str], asked: tuple[str, str], before: str
) -> None:
    """Seen to fail: both stood there as if they held, or the last thing told was taken back."""
    said = await tell(chats, *told, "/new", *asked)

    assert said.startswith("Before that")
    assert before in said.partition("\n")[0]


@pytest.mark.parametrize(
    ("listed", "changed", "gone", "added"),
    [
        (
            "Bitte für den Baumarkt notieren: Dübel, Kreppband, Spachtel",
            "Kreppband hat Jens schon mitgebracht, das kann runter. Dafür brauche ich noch eine Kelle.",
            "Kreppband",
            "- Kelle",
        ),
        (
            "shopping list: milk, rice, soap",
            "mum already brought the milk, that can come off. instead i need some cream",
            "milk",
            "- cream",
        ),
        (
            "список покупок: мука, дрожжи, изюм",
            "муку уже принесла мама, её можно убрать. зато нужен ещё сахар",
            "мука",
            "- сахар",
        ),
        (
            "В аптеку: пластырь, йод, термометр",
            "Йод уже купил Антон. Вместо него нужен ещё бинт.",
            "йод",
            "- бинт",
        ),
    ],
)
async def test_one_message_takes_off_a_list_and_puts_on_it(
    chats: RunningChats, listed: str, changed: str, gone: str, added: str
) -> None:
    """Seen to fail: the second sentence stood there as it was, or not at all."""
    said = await tell(chats, listed, changed, "what's left to buy?")

    assert gone not in said
    assert added in said


@pytest.mark.parametrize(
    ("told", "order"),
    [
        (
            "Der Schlüssel zur Gartenlaube liegt unter der Regentonne.",
            "Was ich über den Laubenschlüssel geschrieben habe, vergessen Sie bitte wieder.",
        ),
        ("gran hides her savings in the teapot", "please forget where grandma keeps her money"),
        ("бабушка держит деньги в чайнике", "забудь, пожалуйста, где бабушка хранит сбережения"),
    ],
)
async def test_what_alone_is_read_as_meant_is_forgotten(chats: RunningChats, told: str, order: str) -> None:
    """Seen to fail: it was offered, or nothing was found."""
    said = await tell(chats, told, "/new", order)

    assert "Forgotten" in said
    assert told in said


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("my sister lives in Porto", "please forget my sister's phone number"),
        ("the garage code is 1212", "please forget the garage key"),
        ("der Code für die Garage ist 1212", "vergiss bitte den Schlüssel der Garage"),
    ],
)
async def test_what_tells_something_else_of_whom_an_order_names_is_offered(
    chats: RunningChats, told: str, order: str
) -> None:
    """Seen to fail: the only thing told of a sister is not her number, nor is a key a code."""
    said = await tell(chats, told, "/new", order)

    assert "Forgotten" not in said


@pytest.mark.parametrize(
    ("told", "added", "asked", "total"),
    [
        (
            "Heute im Gartencenter ausgegeben: 24 Euro für Erde und 7,50 Euro für Samen.",
            "Der Eimer hat auch noch 12 Euro gekostet.",
            "Wie viel Geld habe ich heute insgesamt ausgegeben?",
            "43,50",
        ),
        (
            "spent 38 on gas, 112 on boots this week",
            "the lamp was another 9",
            "how much did i spend this week altogether",
            "159",
        ),
        (
            "сегодня потратила 300 на хлеб и 500 на сыр",
            "ещё 200 ушло на метро",
            "сколько я всего потратила сегодня",
            "1000",
        ),
    ],
)
async def test_what_was_added_to_a_row_on_the_same_day_counts_in_its_sum(
    chats: RunningChats, told: str, added: str, asked: str, total: str
) -> None:
    """Seen to fail: the row alone was added up, or not even that where its numbers are bare."""
    said = await tell(chats, told, added, "/new", asked)

    assert f"Together: {total}" in said


@pytest.mark.parametrize(
    ("told", "later", "asked", "held", "gone"),
    [
        (
            "Am Montag habe ich um 9:40 Uhr einen Termin beim Augenarzt. Und am Dienstag kommt um 15 Uhr der Maler.",
            "Skat ist jetzt immer donnerstags um 19 Uhr",
            "Was steht demnächst an?",
            ("Augenarzt", "Maler"),
            "Skat",
        ),
        (
            "On Tuesday the plumber comes at 8. And on Thursday I see the dentist at 3 pm.",
            "the plumber is cancelled",
            "what's coming up",
            ("dentist",),
            "plumber",
        ),
        (
            "В четверг приедет сантехник. А в субботу концерт в 19:00.",
            "концерт отменили",
            "что у меня впереди?",
            ("сантехник",),
            "концерт",
        ),
    ],
)
async def test_of_two_dates_of_one_message_what_changed_one_leaves_the_other(
    chats: RunningChats, told: str, later: str, asked: str, held: tuple[str, ...], gone: str
) -> None:
    """Seen to fail: both stood there twice, or were gone with one of them, or by what is another thing."""
    said = await tell(chats, told, later, asked)

    assert all(each in said for each in held)
    assert gone not in said


@pytest.mark.parametrize(
    ("told", "later", "asked", "answer"),
    [
        (
            "Unser Garten ist die Parzelle 34. Links ist Herr Kern mit den Bienen, rechts Frau Öz mit den Rosen.",
            "Ich muss etwas richtigstellen: Unsere Parzelle ist die 43, ich hatte die Ziffern vertauscht.",
            "Hat Frau Öz die Bienen?",
            "Kern",
        ),
        (
            "Our plot is number 34. On the left is Mr Kern with the bees.",
            "i got it wrong, the plot is number 43",
            "who has the bees",
            "Kern",
        ),
        (
            "Наш участок номер 34. Слева сосед Кирилл с пчёлами.",
            "я напутала, участок номер 43",
            "у кого пчёлы?",
            "Кирилл",
        ),
    ],
)
async def test_what_changes_one_sentence_of_a_message_changes_no_other(
    chats: RunningChats, told: str, later: str, asked: str, answer: str
) -> None:
    """Seen to fail: the change of the plot's number stood before whose the bees are, as what was before."""
    said = await tell(chats, told, later, "/new", asked)

    assert answer in said
    assert "43" not in said
    assert "Before" not in said


async def test_the_day_of_an_ordinal_is_no_clause_of_what_comes(chats: RunningChats) -> None:
    """Seen to fail: "Dezember um 7 Uhr …" stood there as a thing of its own on the first."""
    said = await tell(
        chats, "Bei Familie Harms impfe ich am 11. Dezember um 7 Uhr alle Kühe.", "Was steht demnächst an?"
    )

    assert said.count("Dezember") == 1
    assert "11. Dezember um 7 Uhr alle Kühe" in said


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        ("What a lovely morning, we walked to the lighthouse and back.", "All right."),
        ("Was für ein schöner Tag heute, danke der Sonne.", "All right."),
        ("Good morning!", "Hello"),
        ("Какой сегодня день замечательный, привет солнцу!", "All right."),
    ],
)
async def test_chatter_with_the_word_of_a_greeting_is_none(chats: RunningChats, told: str, answer: str) -> None:
    """Seen to fail: "Hello! Tell me something worth remembering" to who had told of a walk."""
    said = await tell(chats, told)

    assert said.startswith(answer)


async def test_a_question_still_asks_with_the_name_of_whom_it_means(chats: RunningChats) -> None:
    """Seen to fail: "I have read it", as the kind of what it means was never read."""
    said = await tell(
        chats,
        "кузен Артём бросил шахматы и пошёл на дзюдо по средам",
        "чем артём занимается",
        "по каким дням у него дзюдо",
    )

    assert "по средам" in said


@pytest.mark.parametrize(
    ("told", "righted", "order", "gone"),
    [
        ("the shed padlock opens with 3391", "not 3391, 3319", "forget the shed padlock", "33"),
        ("der Schuppen geht mit 3391 auf", "nicht 3391, sondern 3319", "vergiss den Schuppen", "33"),
    ],
)
async def test_what_was_put_right_is_forgotten_with_what_it_was(
    chats: RunningChats, told: str, righted: str, order: str, gone: str
) -> None:
    """Seen to fail: both versions were offered, and nothing was forgotten; one was told as what goes along unseen."""
    await tell(chats, told, righted)
    done = await tell(chats, order)
    left = await tell(chats, "/memory history")

    assert "/undo" in done or "60" in done
    assert told in done
    assert righted in done
    assert not any(along in done for along in ("What else they told", "Was sie sonst erzählten"))
    assert gone not in left


@pytest.mark.parametrize(
    ("told", "asked", "sum_of_it"),
    [
        (("the locksmith took 80", "and 45 for the spare keys"), "how much altogether", "125"),
        (("beim schlosser 80 euro gelassen", "und 12,50 euro für zwei schlüssel"), "was macht das zusammen", "92,50"),
    ],
)
async def test_a_bare_sum_is_of_what_was_told_last(
    chats: RunningChats, told: tuple[str, ...], asked: str, sum_of_it: str
) -> None:
    """The last messages in a row that told amounts, and none before them."""
    said = await tell(chats, "the boat cost 4000", "lovely weather", *told, asked)

    assert sum_of_it in said


async def test_who_moved_is_not_told_as_where(chats: RunningChats) -> None:
    """Seen to fail: "Mirjam ist umgezogen in der Südvorstadt"."""
    said = await tell(
        chats, "meine Cousine Birte wohnt in Husum", "übrigens ist birte umgezogen, die wohnt jetz in Plön"
    )
    asked = await tell(chats, "/new", "wo wohnt birte")

    assert "umgezogen in Husum" not in said
    assert "Plön" in asked


async def test_what_is_no_thursday(chats: RunningChats) -> None:
    """Seen to fail: "что" was read as "чт", so that what names another day was no answer to it."""
    said = await tell(chats, "По понедельникам я пью метформин, а муж пьёт конкор.", "/new", "Что пьёт мой муж?")

    assert "конкор" in said
    assert "know" not in said


async def test_what_was_added_in_the_same_message_counts_in_its_sum(chats: RunningChats) -> None:
    """Seen to fail: only the first sentence was added up."""
    told = "Сегодня отдала 450 за продукты и 120 за хлеб. Потом ещё 300 ушло на такси."
    said = await tell(chats, told, "/new", "Сколько я сегодня потратила всего?")

    assert "Together: 870" in said


@pytest.mark.parametrize(
    ("told", "asked", "total"),
    [
        (
            ("paid the plumber 80 dollars for the boiler", "plumber again, another 45 for the tap"),
            "how much has the plumber cost me so far",
            "125 dollars",
        ),
        (
            ("Neue Gartenhandschuhe für 19 Euro geholt, Größe 9", "noch Erde für den Garten gekauft, 23 Euro"),
            "wie viel hab ich bisher für Gartensachen ausgegeben",
            "42 Euro",
        ),
        (
            ("Marmelade für 60 Euro verkauft", "Die Nachbarin hat mir noch Marmelade für 15 Euro abgenommen"),
            "Was hat die Marmelade bisher eingebracht?",
            "75 Euro",
        ),
        (
            ("брекеты обошлись в 60 тысяч", "за снимки для брекетов ещё 4 тысячи"),
            "сколько уже ушло на брекеты",
            "64 тыс",
        ),
        (
            ("Начали строить баню. Доски обошлись в 18500, гвозди и клей 4200.",),
            "сколько денег уже ушло на баню?",
            "22700",
        ),
        (("купил пилу за 21 тыс. шуруповёрт еще взял 8 тыс",), "скок всего ушло на пилу с шуруповёртом", "29 тыс"),
        (
            (
                "new tent 129.99. stove 24.",
                "ferry was 68 quid",
                "/new",
                "tent was 119.99 not 129.99, forgot the discount",
            ),
            "so whats the total for tent, stove and ferry",
            "211.99",
        ),
        (("spent 38 on gas, 112 on boots",), "how much did i spend on boots altogether", "112"),
        (("Ira owes me 300", "I owe mum 1500", "Kim owes me 20, by 3 May"), "how much am i owed in total", "320"),
        (("ира должна мне 300", "должна маме ещё 1500", "я должна Кате 500"), "сколько я всего должна", "2000"),
        (("Ben schuldet mir 40 Euro", "und Anna schuldet mir 25"), "wie viel schulden mir die leute insgesamt", "65"),
        (
            ("Ben schuldet mir 40 Euro", "Anna schuldet mir noch 25 Euro", "ich schulde Karl 10 Euro"),
            "wie viel schulden mir alle insgesamt",
            "65 Euro",
        ),
        (
            ("запиши в список покупок хлеб", "сафин должен мне 14500", "ольга должна 6200"),
            "скока мне должны всего",
            "20700",
        ),
        (
            ("bought a pipe cutter 34 quid and grips for 18.50, my own tools now",),
            "whats my total on tools",
            "52.50 quid",
        ),
        (
            ("Der Klempner war da, 186 Euro für den Wasserhahn. Der Dachdecker hat 640 Euro für die Ziegel genommen.",),
            "Was haben mich die beiden Handwerker zusammen gekostet?",
            "826 Euro",
        ),
        (("отдала за репетитора 1500", "и ещё 2300 за учебники отдала"), "сколько я всего на учёбу потратила", "3800"),
        (("hab heut 47 euro getankt", "gestern auch schon mal für 30"), "wieviel hab ich insgesamt getankt", "77 euro"),
        (
            ("walked 5 miles on monday", "did 3 more on wed", "and 7 yesterday"),
            "how many miles did i walk in total",
            "15",
        ),
        (
            ("hab für den klempner 180 bezahlt", "klempner 180 und noch 35 für die dichtungen"),
            "was hab ich insgesamt für klempner und dichtungen bezahlt",
            "215",
        ),
        (
            ("garage 4, the key is with Olga", "rent of the garage is 90 euro plus 12 for power"),
            "what does the garage cost me altogether",
            "102",
        ),
        (
            ("paid 15 for the bus and 42 for the hotel",),
            "another 8 on snacks. what have i spent in total now",
            "65",
        ),
        (("скидываемся на подарок: Марат 500, Юля 300, я 1000",), "сколько всего собрали на подарок", "1800"),
        (
            ("spent 46.50 on diesel, 12 on the car wash and 9 on coffee", "no wait, the car wash was 15"),
            "what did I spend altogether",
            "70.50",
        ),
        (("spent 12 on lunch today and 8.40 yesterday",), "how much have i spent on lunch", "20.40"),
        (("Farbe 89, Pinsel 12 und Folie 6,50", "stimmt nicht, Pinsel waren 14"), "was macht das zusammen", "109,50"),
        (("Robbie owes me 30, Kit 12.50",), "how much am i owed in total", "42.50"),
        (("i lent tadhg 20 on monday for gas and then another 15 for his boots",), "how much does tadhg owe me", "35"),
        (("Nele hat sich 40 geliehen und dann nochmal 15",), "wieviel schuldet mir nele", "55"),
    ],
)
async def test_what_something_came_to_so_far_is_added_up(
    chats: RunningChats, told: tuple[str, ...], asked: str, total: str
) -> None:
    """Seen to fail: one or several of the amounts were told, and no sum."""
    said = await tell(chats, *told, "/new", asked)

    assert f"Together: {total}" in said


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (("hab neue stiefel geholt für 89 euro, größe 44",), "was haben die stiefel insgesamt gekostet"),
        (("took 2 pills this morning", "took 3 pills at lunch"), "what pills have i taken so far"),
        (("the swimming goggles were 22", "swimming on mondays at 5"), "how much has swimming cost us so far"),
        (("Took the dog to the vet. Lunch was 20.", "vet was 86 dollars"), "how much has the vet cost so far"),
        (("Ben owes me 40 dollars", "Ben owes Ann 25 dollars"), "how much am i owed in total"),
        (("Ira owes me 300", "I owe mum 1500", "I lent Kim 20"), "how much do people owe me altogether"),
        (("Ира должна мне 300", "должна маме ещё 1500"), "сколько мне всего должны"),
        (("rent is 700", "rent is 750 now"), "how much rent have i paid so far"),
        (("Anna hat 12 Hühner", "Bert hat 5 Hühner"), "wie viele hühner haben die schon"),
        (
            ("Начали строить баню. Доски обошлись в 18500, гвозди 4200.", "отдала Рустаму 27000 за укладку досок"),
            "сколько денег уже ушло на баню?",
        ),
        (("spent 46.50 on diesel, 12 on the car wash and 9 on coffee",), "how much was the car wash"),
        (("с первого числа платят 410 в час, до этого платили 365",), "сколько мне платят в час"),
    ],
)
async def test_what_does_not_belong_together_is_not_added_up(
    chats: RunningChats, told: tuple[str, ...], asked: str
) -> None:
    """A size, pills, another's debt, a price that changed, and what may belong to it and names it not."""
    said = await tell(chats, *told, "/new", asked)

    assert "Together" not in said


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("the plumber's number is 0555 900412", "what's the electrician's number?"),
        ("der Code für die Haustür ist 1908", "wie ist der code vom fahrradkeller?"),
        ("у Насти день рождения 11 октября", "а у Ксюши когда день рождения?"),
        ("Olive's wife is a midwife in Leeds", "what does Olive do for a living?"),
        ("сестра мужа живёт в Выборге", "а моя сестра где живёт?"),
        ("booked the ferry to Santander, leaves 5pm on the 19th", "how much was the ferry?"),
        ("Termin beim Orthopäden am 5. um 8:15 in Hof", "wie lange dauert der termin beim orthopäden?"),
        ("запись к окулисту на 26-е", "во сколько мне к окулисту?"),
        ("подруга Динара открыла кофейню в Казани", "как называется кофейня динары?"),
        ("Henrike heiratet im Mai auf Rügen", "wen heiratet Henrike?"),
    ],
)
async def test_what_is_told_of_another_or_lacks_what_is_asked_for_is_no_certain_answer(
    chats: RunningChats, told: str, asked: str
) -> None:
    """Seen to fail: the only message about the same matter was told as the answer."""
    said = await tell(chats, told, "/new", asked)

    assert said.startswith("I don't know")


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("swimming is on tuesday at half past four", "what time is swimming?"),
        ("die Farbe hat am 3. Mai 45 gekostet", "was hat die farbe gekostet?"),
        ("бассейн во вторник в половине пятого", "во сколько бассейн?"),
        ("open swimming lasts until 6pm", "how long does open swimming last?"),
    ],
)
async def test_an_hour_or_an_amount_in_any_form_is_one(chats: RunningChats, told: str, asked: str) -> None:
    """What a question asks for is looked for in the message, in words as well as in figures."""
    assert "I don't know" not in await tell(chats, told, asked)


async def test_all_of_somebody_is_no_order_to_a_list_and_nothing_of_the_question_before(chats: RunningChats) -> None:
    """Seen to fail: "what do you know about wiebke" behind another question told what that was about, too."""
    said = await tell(
        chats,
        "put oat milk on the list, granny is out of it",
        "granny has moved to a flat in Hove",
        "the copier on the second floor is out of toner",
        "which copier is out of toner",
        "what do you know about granny",
    )

    assert "Hove" in said
    assert not any(other in said for other in ("copier", "oat milk"))


async def test_who_said_that_asks_for_whom_the_message_names(chats: RunningChats) -> None:
    """Seen to fail: it was read as the question for the memories behind an answer, as /why shows them."""
    said = await tell(chats, "мастер был, Егор, он говорит вентиль пора менять", "что пора менять", "кто это сказал")

    assert "Егор" in said
    assert "/memory" not in said


@pytest.mark.parametrize(
    ("told", "word", "asked", "answer"),
    [
        ("my sister Vera lives in Porto", "stop", "where does Vera live?", "Porto"),
        ("die Mülltonne kommt am Dienstag raus", "stopp", "wann kommt die Mülltonne raus?", "Dienstag"),
        ("every autumn i export my wine to Lyon", "export my wine", "where do i export my wine?", "Lyon"),
        ("meinen Wein exportiere ich nach Lyon", "exportiere meinen Wein", "wohin exportiere ich meinen Wein?", "Lyon"),
    ],
)
async def test_what_orders_something_else_forgets_nothing(
    chats: RunningChats, told: str, word: str, asked: str, answer: str
) -> None:
    """Seen to fail: "stop" with nothing running took back what was told last, and "export my photos" erased it."""
    assert answer in await tell(chats, told, word, asked)


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("меня зовут Прохор", "как меня зовут?", "Прохор"),
        ("внука зовут Елисей", "как зовут внука?", "Елисей"),
        ("тётя в пансионате", "где тётя?", "пансионат"),
        ("лёня сказал что уезжает в пермь", "куда уезжает лёня?", "пермь"),
        ("велосипед в мастерской", "где велосипед?", "мастерск"),
        ("бабушке хуже", "как бабушка?", "хуже"),
        ("ich heiße Korbinian", "wie heiße ich?", "Korbinian"),
        ("Fahrrad in der Reparatur", "wo ist das Fahrrad?", "Reparatur"),
        ("grandad is worse", "how is grandad?", "worse"),
        ("parcel at the neighbour's", "where is the parcel?", "neighbour"),
    ],
)
async def test_what_is_told_in_few_words_is_kept(chats: RunningChats, told: str, asked: str, answer: str) -> None:
    """Seen to fail: its words look like a question or like small talk, and it was answered and not kept."""
    first = await tell(chats, told)

    assert "Не знаю" not in first
    assert "don't know" not in first
    assert answer in await tell(chats, "/new", asked)


async def test_who_asks_of_themselves_is_shown_no_line_of_help(chats: RunningChats) -> None:
    """Seen to fail: "what am I called" was answered with what /start says."""
    assert "/start" not in await tell(chats, "как меня зовут", "кто я")


@pytest.mark.parametrize(
    ("order", "word"),
    [("купить хлеб", "отстань"), ("купить хлеб", "отпусти"), ("buy bread", "back off"), ("Brot kaufen", "rückruf")],
)
async def test_a_word_that_looks_like_an_undo_takes_nothing_back(chats: RunningChats, order: str, word: str) -> None:
    """Seen to fail: letters that words share with "отмени" took back the last order."""
    said = await tell(chats, "add salt to the shopping list", order, word, "show me the shopping list")

    assert order.removeprefix("купить ").removeprefix("buy ").removesuffix(" kaufen").casefold() in said.casefold()


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("was war das letzte das du dir gemerkt hast", "welcher spind ist meiner?"),
        ("vergisst du auch mal was", "welcher spind ist meiner?"),
        ("wieso hast du das geändert", "welcher spind ist meiner?"),
        ("did you save that", "welcher spind ist meiner?"),
        ("зачем ты это удалил", "welcher spind ist meiner?"),
    ],
)
async def test_a_question_for_what_was_done_takes_nothing_back(chats: RunningChats, words: str, asked: str) -> None:
    """Seen to fail: it erased what was told last."""
    assert "58" in await tell(chats, "mein spind ist die 58", words, asked)


async def test_what_was_told_before_a_question_is_not_taken_back(chats: RunningChats) -> None:
    """Seen to fail: "undo" behind an answer forgot what had been told before it."""
    told, asked = "der zaun wird 40 meter lang", "wie lang wird der zaun?"

    assert "40" in await tell(chats, told, asked, "mach das rückgängig", asked)


@pytest.mark.parametrize(
    ("one", "other", "asked", "answer"),
    [
        ("termin hansen mittwoch 9 uhr", "termin schmidt mittwoch 11 uhr", "wann ist termin hansen", "9 uhr"),
        ("meeting with anna monday 9am", "meeting with bob monday 11am", "when is the meeting with anna", "9am"),
        ("размер саши 38", "размер маши 31", "какой размер у саши", "38"),
    ],
)
async def test_a_note_of_another_changes_nothing(
    chats: RunningChats, one: str, other: str, asked: str, answer: str
) -> None:
    """Seen to fail: the later appointment was told alone, the first as what was before."""
    said = await tell(chats, one, other, asked)

    assert answer in said
    assert not any(before in said for before in ("Davor", "Before", "Раньше"))


async def test_what_begins_with_its_verb_is_no_fact(chats: RunningChats) -> None:
    """Seen to fail: the question was told as what its author had said, and the allergy not at all."""
    told = ("tjark hat nussallergie, ganz wichtig", "darf tjark nutella essen")
    said = await tell(chats, *told, "worauf muss ich bei tjarks essen aufpassen")

    assert "nussallergie" in said
    assert "nutella" not in said


async def test_one_word_for_taking_back_does(chats: RunningChats) -> None:
    """Seen to fail: "отмена" said that there is nothing to stop."""
    assert "хлеб" not in await tell(chats, "добавь соль в список покупок", "купить хлеб", "отмена", "список покупок")


@pytest.mark.parametrize(
    ("told", "asked", "order", "gone"),
    [
        ("бабушкин номер 8 913 555 77 88", "дай номер бабушки", "забудь номер бабушки", "8 913"),
        ("granny's number is 0171 5588", "give me granny's number", "forget granny's number", "0171"),
        ("Omas Nummer ist 0171 5588", "gib mir die Nummer von Oma", "vergiss die Nummer von Oma", "0171"),
    ],
)
async def test_what_only_asked_for_it_is_not_forgotten_in_its_place(
    chats: RunningChats, told: str, asked: str, order: str, gone: str
) -> None:
    """Seen to fail: the question was erased, "checked", and the number told on."""
    assert gone not in await tell(chats, told, asked, order, asked)


async def test_what_is_left_of_what_was_forgotten_is_offered(chats: RunningChats) -> None:
    """Seen to fail: an older number under another word stayed and was told, though nothing was to be found."""
    said = await tell(
        chats, "дедов телефон 8 916 111 22 33", "телефон деда теперь 8 999 222 11 00", "забудь телефон деда"
    )

    assert "8 916 111 22 33" in said


async def test_a_no_to_what_an_order_asks_declines_it(chats: RunningChats) -> None:
    """Seen to fail: it was taken for calling wrong what was told before; behind an answer it still is."""
    declined = await tell(chats, "i see the dentist on friday at 10", "forget everything about me", "no")
    denied = await tell(chats, "when do i see the dentist?", "no")

    assert "instead of" not in declined
    assert "instead of" in denied


async def test_what_is_not_to_be_noted_is_not_kept(chats: RunningChats) -> None:
    """Seen to fail: the German order to note it not was read as one to note it."""
    said = await tell(chats, "merk dir das nicht: mein Schließfach hat die 8812", "was ist meine schließfachnummer?")

    assert "8812" not in said


async def test_what_was_told_is_kept_though_it_was_answered(chats: RunningChats) -> None:
    """Seen to fail: read as if it asked, it was answered with what it ends, and found by no question."""
    told = ("johann und svetlana sind ein paar", "/new", "zwischen johann und svetlana is aus", "/new")

    assert "is aus" in await tell(chats, *told, "sind johann und svetlana noch ein paar?")


@pytest.mark.parametrize(
    ("told", "order", "gone"),
    [
        ("шкафчик в раздевалке 214, код на замке 5072", "замок поменял, забудь тот код", "5072"),
        ("the locker code is 4471 at the gym", "the gym has shut, so forget the locker code", "4471"),
    ],
)
async def test_an_order_behind_its_reason_is_one(chats: RunningChats, told: str, order: str, gone: str) -> None:
    """Seen to fail: what was to be forgotten was looked for by the words of the reason, or kept as told."""
    said = await tell(chats, told, order)

    assert gone in said
    assert "“the gym" not in said


async def test_what_is_taken_off_right_behind_a_list_is_not_put_on_it(chats: RunningChats) -> None:
    """Seen to fail: it was added again, as more for the list."""
    said = await tell(chats, "запиши в список покупок дрожжи и марлю", "ой дрожжи убери, нашла в шкафу целую пачку")

    assert "дрожжи taken off" in said


@pytest.mark.parametrize(
    ("told", "asked", "other"),
    [
        ("meine Katze heißt Minka", "wie heiße ich", "Minka"),
        ("my daughter is called Zoe", "what is my name", "Zoe"),
        ("мою дочь зовут Соня", "как меня зовут", "Соня"),
    ],
)
async def test_nobody_elses_name_is_the_askers(chats: RunningChats, told: str, asked: str, other: str) -> None:
    """Seen to fail: who had told of their cat alone was told its name."""
    assert other not in await tell(chats, told, asked)


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("wenn Mehmet krank ist springt Hinrichs ein", "wer springt ein wenn Mehmet krank ist", "Hinrichs"),
        ("wenn Frau Petersen anruft sag ich ihr Mittwoch", "was sag ich Frau Petersen", "Mittwoch"),
        ("if the pump stops Ravi comes over", "who comes over if the pump stops", "Ravi"),
        ("если мама заболеет, приедет тётя Люба", "кто приедет если мама заболеет", "Люба"),
    ],
)
async def test_what_holds_on_a_condition_is_kept(chats: RunningChats, told: str, asked: str, answer: str) -> None:
    """Seen to fail: it was taken for a question or for an order to remind, and not kept."""
    first = await tell(chats, told)

    assert "Sprachmodell" not in first
    assert "Ich erinnere dich" not in first
    assert answer in await tell(chats, "/new", asked)


@pytest.mark.parametrize(
    "asked", ["was weißt du über Frau Petersen", "что ты знаешь о Лёше", "what do you know about Al"]
)
async def test_who_is_unknown_is_said_to_be(chats: RunningChats, asked: str) -> None:
    """Seen to fail: the question was answered with who the assistant is."""
    assert "Mneme" not in await tell(chats, asked)


@pytest.mark.parametrize(
    ("said", "wish"), [("nein lass", "Wunsch"), ("у темы двойка по математике", "пожелание"), ("ответь", "пожелание")]
)
async def test_what_hardly_looks_like_a_wish_is_none(chats: RunningChats, said: str, wish: str) -> None:
    """Seen to fail: it was noted as a standing wish."""
    assert wish not in await tell(chats, said)
