"""What is understood as a correction of which words, and what is none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.memory.learning.correction import Statement, find_corrections, looks_like_correction
from tests.cases import each_row


def correct(before: str, said: str, *, last: bool = True) -> str:
    """Return what holds after ``said``, "" if nothing of ``before`` is corrected."""
    found, _ = find_corrections(said, (Statement("e1", before, last=last),))
    return found[0].statement if found else ""


@each_row(
    ("before", "said", "after"),
    [
        # red while "boots were 12" took the place of 15
        (
            "I lent Tom 20 for gas and 15 for boots.",
            "wait no the boots were 12 not 15",
            "I lent Tom 20 for gas and 12 for boots.",
        ),
        ("The ferry leaves at 7:15 on Sunday.", "No, wait: it leaves at 7:45.", "The ferry leaves at 7:45 on Sunday."),
        ("Our vet is Mrs. Lind.", "not Lind, Lund", "Our vet is Mrs. Lund."),
        ("Our vet is Mrs. Lind.", "Sorry, I meant Mrs. Lund.", "Our vet is Mrs. Lund."),
        ("Ben works at Bosch.", "Actually he works at Siemens", "Ben works at Siemens."),
        ("Ben works at Bosch.", "He works at Siemens, not Bosch", "Ben works at Siemens."),
        ("The spare key is in the shed.", "scratch that, it's in the garage", "The spare key is in the garage."),
        ("My cousin lives near the harbour.", "No wait, he moved to Bergen", "My cousin moved to Bergen."),
        ("Мой дядя живёт в Казани.", "Нет, он переехал в Псков", "Мой дядя переехал в Псков."),
        ("My cousin works at Bosch.", "No, he is working for Siemens", "My cousin works for Siemens."),
        ("the plumber comes on tuesday", "oops wed not tues", "the plumber comes on wed"),
        ("тренировка в среду", "ой, не ср, а чт", "тренировка в чт"),
        ("We pay 900 euros of rent.", "Oops, 950.", "We pay 950 euros of rent."),
        ("My bike is blue.", "I got that wrong. My bike is green.", "My bike is green."),
        ("My neighbour is called Ines.", "It isn't Ines, it's Inês", "My neighbour is called Inês."),
        ("We fly with Ryanair.", "EasyJet, sorry", "We fly with EasyJet."),
        ("We fly to Rome in May.", "It's not Rome after all, we're flying to Bari.", "We fly to Bari in May."),
        ("Unser Arzt heißt Lind.", "Nicht Lind, sondern Lund heißt der Arzt.", "Unser Arzt heißt Lund."),
        ("Im Mai fahren wir nach Rom.", "Statt nach Rom fahren wir nach Bari.", "Im Mai fahren wir nach Bari."),
        ("В мае летим в Рим.", "В Рим не летим, летим в Бари.", "В мае летим в Бари."),
        ("Emma's birthday is on the 14th of June.", "Hmm no, the 16th", "Emma's birthday is on the 16th of June."),
        ("We booked a table for six.", "make it eight", "We booked a table for eight."),
        ("My son plays football on Mondays.", "That should be Tuesdays", "My son plays football on Tuesdays."),
        ("The tyre is in the garage.", "no it isn't, it's in the shed", "The tyre is in the shed."),
        ("The optician is on Friday.", "they called: it's Thursday instead of Friday", "The optician is on Thursday."),
        ("Der Zug fährt um 8:20 Uhr.", "Quatsch, um 8:40 Uhr", "Der Zug fährt um 8:40 Uhr."),
        (
            "Meine Tochter wohnt in Köln und studiert.",
            "nein, sie wohnt in Bonn",
            "Meine Tochter wohnt in Bonn und studiert.",
        ),
        ("Der Termin ist am Dienstag.", "nicht am Dienstag, sondern am Mittwoch", "Der Termin ist am Mittwoch."),
        (
            "Nina's school is called Riverside.",
            "Nina's school is called Brookside now that I look at the letter, not Riverside",
            "Nina's school is called Brookside now that I look at the letter",
        ),
        ("The concert starts at 8.", "sorry, half past seven", "The concert starts at half past seven."),
        ("Das Konzert beginnt um 20 Uhr.", "ach nein, um 19:30", "Das Konzert beginnt um 19:30."),
        # a day alone leaves the month, and goes where the same word leads to one
        ("The cover lasts until 14 March.", "no, until 24", "The cover lasts until 24 March."),
        ("Die Karte gilt bis zum 14. März.", "nein, bis zum 24.", "Die Karte gilt bis zum 24. März."),
        ("Der Zahnarzt ist am 14. März um 9.", "ach nee, am 15.", "Der Zahnarzt ist am 15. März um 9."),
        ("Oma kommt vom 3. bis zum 7. Mai.", "nein, bis zum 9.", "Oma kommt vom 3. bis zum 9. Mai."),
        ("Страховка до 14 марта.", "нет, до 24", "Страховка до 24 марта."),
        (
            "She was born on 21 May, at home.",
            "actually she was born on the 20th",
            "She was born on 20th May, at home.",
        ),
        ("Мама работает в школе номер 5.", "в школе номер 7", "Мама работает в школе номер 7."),
        ("Мой врач — доктор Линд.", "не Линд, а Лунд", "Мой врач — доктор Лунд."),
        ("Сестра живёт в Твери.", "ой, нет, в Туле", "Сестра живёт в Туле."),
        ("Поезд отходит в 8:20.", "точнее, в 8:40", "Поезд отходит в 8:40."),
        ("The vet is at 2:15.", "no wait, 2:45 not 2:15, I looked it up", "The vet is at 2:45."),
        ("We booked a table for six.", "make that nine, the cousins come along", "We booked a table for nine."),
        ("Unser Vermieter heißt Böttger.", "Korrektur, er schreibt sich Böttcher", "Unser Vermieter heißt Böttcher."),
        ("Das Konzert ist am 3. Mai.", "Quatsch, nicht der 3., der 13., verlesen", "Das Konzert ist am 13. Mai."),
        (
            "The chimney sweep comes on Monday.",
            "ach no, Tuesday. Monday is the wake",
            "The chimney sweep comes on Tuesday.",
        ),
        ("Der Klempner kommt am Montag.", "nein, am Dienstag, Montag ist Messe", "Der Klempner kommt am Dienstag."),
        ("Печник придёт во вторник.", "ой, в среду. вторник занят", "Печник придёт во среду."),
        ("The baby weighs 3400 grams", "3040! mixed up the digits", "The baby weighs 3040 grams"),
        ("Wir sind 8 Leute", "9, Tante Ilse will mit", "Wir sind 9 Leute"),
        ("Зачёт в аудитории 213", "в 312, перепутала", "Зачёт в аудитории 312"),
        ("Opa wird am 4. April achtzig.", "Nein, am 5. April.", "Opa wird am 5. April achtzig."),
        (
            "Der Markt ist am 17. Oktober.",
            "ach nein, der 24. Oktober, hab mich verlesen",
            "Der Markt ist am 24. Oktober.",
        ),
        ("Wir hatten 43 Kilo Pflaumen.", "Ach, es waren doch 47 Kilo Pflaumen.", "Wir hatten 47 Kilo Pflaumen."),
        ("I picked 43 kilos of plums", "it was actually 47 kilos", "I picked 47 kilos of plums"),
        ("собрали 43 кило слив", "было всё-таки 47 кило", "собрали 47 кило слив"),
        ("I take 4 mg of warfarin now.", "Sorry, it's 3.5.", "I take 3.5 mg of warfarin now."),
        ("rent is 520", "nope rent is 545", "Rent is 545"),
        (
            "das Bad macht am 4.12. um 18 uhr zu",
            "mist, hab mich vertan, das macht um 17 zu",
            "das Bad macht am 4.12. um 17 zu",
        ),
        ("Der Termin ist am 4.12. um 13 Uhr", "nein, am 5.12. um 14 Uhr", "Der Termin ist am 5.12. um 14 Uhr"),
        ("Der Termin ist am 4.12. um 8.40 Uhr", "nein, am 5.12.", "Der Termin ist am 5.12. um 8.40 Uhr"),
        ("The pool closes at 1pm on Friday", "sorry, it closes at 11", "The pool closes at 11 on Friday"),
        ("Бассейн в 18:00.", "ой, не в 18:00, а в 19:00, перепутал", "Бассейн в 19:00."),
        ("Ужин в кафе Кедр.", "народ, не Кедр, а Сосна. спутал", "Ужин в кафе Сосна."),
        ("Das Fest ist bei Ida.", "Leute, nicht bei Ida, sondern bei Uwe, vertan", "Das Fest ist bei Uwe."),
    ],
)
def test_what_is_put_right(before: str, said: str, after: str) -> None:
    """The earlier sentence with the right value in it, or the new one if it is whole."""
    assert correct(before, said) == after


@each_row(
    ("before", "said"),
    [
        ("My favourite drink is coffee.", "Ben likes tea, not coffee"),
        ("My sister lives in Oslo.", "No, my brother lives in Oslo too"),
        ("My sister is 34.", "Actually, my sister is a nurse."),
        ("My sister lives in Oslo.", "No, what about my brother?"),
        ("My sister lives in Oslo.", "Sorry for being late yesterday."),
        ("My sister lives in Oslo.", "Wait for me at the station at 9."),
        ("Ich trinke gern Kaffee.", "Nein danke."),
        ("Meine Schwester wohnt in Köln.", "Eigentlich mag ich Köln sehr."),
        ("Сестра живёт в Твери.", "Извини, я занята."),
        ("I have two cats.", "Not bad, thanks!"),
        ("My sister Vera works at Bosch.", "She plays the piano."),
        ("The meeting is on Tuesday at 10.", "On Friday we have guests."),
        ("Good to see you.", "Sorry to hear that!"),
        ("Hiking is a nice change.", "No, not really."),
        ("Hiking is a nice change.", "No. It is actually kind of fun. Just bring water along."),
        ("The meeting is at 10.", "I can't come at 10, I have a cold."),
        ("1", "2"),
        ("The rent is 640 euros", "at 9"),
        ("Die Miete ist 640 Euro", "noch 3"),
        ("40 euros for petrol", "50 euros for the toll"),
        ("The baby weighs 3400 grams and is 51 cm long", "52 roses came"),
        ("the gym is closed on Mondays", "make it 6"),
        ("die Halle ist montags zu", "nein, 6"),
        ("add pasta and bin bags to the list", "nah not bin bags"),
        ("We meet at the cafe near the station", "no, at the bar near the station"),
        ("die kaution war 640 euro", "hab am 17. juni zahnarzt"),
        ("Wir sind 24 im Chor", "am 3. Advent Auftritt im Dom"),
        ("I will phone him on Monday.", "no wait, Novak, not Kovacs"),
        ("Ich rufe ihn am Montag an.", "ach nein, Novak, nicht Kovacs"),
        ("Я позвоню ему в понедельник.", "ой нет, Новак, а не Ковач"),
    ],
)
def test_what_is_no_correction(before: str, said: str) -> None:
    """Another's fact, an addition, a question, an apology."""
    assert correct(before, said) == ""


@each_row(
    ("before", "said"),
    [
        ("My brother lives in Porto.", "My sister lives in Kiel, not Porto."),
        ("The red bus leaves at 8:20.", "The blue bus leaves at 8:50, not 8:20."),
        ("The red bus leaves at 8:50 now, not 8:20.", "The blue bus leaves at 8:50 now, not 8:20."),
        ("Our vet is Mrs. Lind.", "Our dentist is Mrs. Lund, not Mrs. Lind."),
        ("Das Auto steht in der Garage.", "Das Rad steht im Keller, nicht in der Garage."),
        ("Ben arbeitet bei Bosch, nicht Siemens.", "Tom arbeitet bei Bosch, nicht Siemens."),
        ("Брат живёт в Туле, а не в Казани.", "Сестра живёт в Туле, а не в Казани."),
        ("Красный автобус едет в 8:20.", "Синий автобус едет в 8:50, а не в 8:20."),
        # red while a whole sentence took the place of one with a common word that was denied
        (
            "My dentist Lars lives in Berlin and works a lot.",
            "The pump does not work: Lars has painted it on Tuesday and since then the whole cellar smells of it.",
        ),
    ],
)
def test_what_is_denied_of_one_is_not_put_right_of_another(before: str, said: str) -> None:
    """Red where the rest of a sentence took the place of a value: "My brother lives in sister lives in Kiel"."""
    assert correct(before, said) == correct(before, said, last=False) == ""


def test_what_is_said_of_somebody_named_before_takes_no_other_fact_along() -> None:
    """Seen to fail: the manager's name was gone."""
    said = "My manager is Sheila, she's on leave until the 7th"

    assert correct(said, "scratch that, she's back on the 5th") == ""
    assert correct("The meeting is on 14 March.", "no, at 8") == ""


def test_only_what_was_said_just_now_is_meant_by_a_word() -> None:
    """A bare value corrects the last statement, a named one any."""
    assert correct("Our vet is Mrs. Lind.", "sorry, Lund", last=False) == ""
    assert correct("Our vet is Mrs. Lind.", "not Lind, Lund", last=False) == "Our vet is Mrs. Lund."


@each_row(
    ("before", "said"),
    [
        ("the network in the hut is called Puffin5", "no wait sorry thats the neighbours' one, ours is Gull"),
        ("The meeting is in room 4.", "no sorry, that was last week"),
        ("Die Anprobe ist am Montag.", "quatsch, das ist ja die Karte vom Arzt"),
        ("Примерка в понедельник.", "ой, это был прошлый раз"),
    ],
)
def test_what_only_says_how_a_slip_came_about_is_no_value(before: str, said: str) -> None:
    """It is a sentence, or of another kind than what it would replace."""
    assert correct(before, said) == ""


def test_a_value_is_put_right_where_only_one_statement_says_the_same() -> None:
    """By its verb, however much was said since; where two do, neither is meant surely."""
    train, bus = Statement("e1", "The train leaves at 7:15."), Statement("e2", "The bus leaves at 8:20.")
    other = Statement("e3", "My sister likes tea.", last=True)
    found, _ = find_corrections("No wait, it leaves at 7:45.", (other, train))

    assert [(each.uid, each.statement) for each in found] == [("e1", "The train leaves at 7:45.")]
    assert find_corrections("No wait, it leaves at 7:45.", (other, bus, train))[0] == ()


def test_a_message_may_say_more() -> None:
    """Then the rest of it is learned from."""
    before = (Statement("e1", "The ferry leaves at 7:15.", last=True),)

    found, whole = find_corrections("No, at 7:45. And my aunt is coming along.", before)

    assert [each.statement for each in found] == ["The ferry leaves at 7:45."]
    assert not whole


@each_row("said", ["My sister lives in Oslo.", "Where is my key?", "", "👍", "x" * 5_000])
def test_most_messages_are_not_even_looked_up(said: str) -> None:
    """Memory is asked only where the words look like a correction."""
    assert not looks_like_correction(said)


_SOME = (
    "no",
    "wait",
    "not",
    "sorry",
    "she",
    "is",
    "at",
    "8:20",
    "Mr.",
    "Lind",
    ",",
    ":",
    "nicht",
    "не",
    "а",
    "—",
    "1.",
)
_WORDS = st.lists(st.sampled_from(_SOME), max_size=9).map(" ".join)


@given(before=_WORDS | st.text(max_size=40), said=_WORDS | st.text(max_size=40), last=st.booleans())
def test_any_words_are_read(before: str, said: str, *, last: bool) -> None:
    """Whatever they are; what is said to hold is something, and not what held before."""
    after = correct(before, said, last=last)

    assert after != before or not after


def test_what_is_told_beside_a_value_put_right_is_kept() -> None:
    """Why it is another day may be a fact of its own; a mere reason is none."""
    before = (Statement("e1", "The chimney sweep comes on Monday.", last=True),)

    assert not find_corrections("ach no, Tuesday. Monday is the wake", before)[1]
    assert find_corrections("ach no, Tuesday, read it wrong", before)[1]
