"""The assistant without a model: quotes what it was told, says so when it was told nothing, invents nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.memory.answering.answer import RememberedAnswer, answer_from, list_searches
from bot.memory.answering.phrasing import turn_to_listener
from bot.memory.document import render_document
from bot.memory.helpfulness import ANSWERS, FULL, KNOWN, MEANING
from bot.memory.items import Channel, Recalled, Trust
from bot.memory.learning.speech_acts import strip_opening
from bot.memory.learning.statements import find_facts
from tests.bot.memory.phrases import EN_PHRASES, RU_PHRASES
from tests.cases import each_row

ANNA, BOB = 42, 7
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TOLD_AT = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)

ENGLISH = (
    "My sister Vera lives in Porto.",
    "My booking code is 567-G0.",
    "My PIN hint is 42",
    "I live in Berlin and work at Siemens.",
    "My brother Max is a pilot. He has two kids.",
    "My door code is 1234",
    "I prefer tabs over spaces.",
    "My wife's birthday is on 3 May.",
    "We decided to use Postgres because MySQL kept locking.",
    "I have a dog named Rex.",
    "Where does my cousin live?",
    "Our flight to Rome leaves at 9:40 on Friday.",
    "I'm allergic to peanuts.",
    "If I lived in Madrid I would learn Spanish.",
)
RUSSIAN = (
    "Моя сестра Вера живёт в Порту.",
    "Мой код бронирования 567-G0.",
    "Я живу в Берлине и работаю в Сименсе.",
    "Моего брата зовут Игорь.",
    "Люблю чай без сахара",
    "У меня есть собака Рекс",
    "День рождения у мамы 5 мая",
    "Мы решили использовать Postgres, потому что MySQL тормозит.",
    "Мой рейс в пятницу в 9:40",
    "У меня аллергия на орехи",
)


def said(*texts: str, author: int = ANNA, name: str = "Anna") -> tuple[Recalled, ...]:
    """Return verbatim turns, the first said last."""
    return tuple(
        Recalled(
            key=f"turn:{name}{n}:user",
            text=text,
            channel=Channel.TURN,
            score=1 / (n + 1),
            author=name,
            author_id=author,
            role="user",
            said_at=TOLD_AT - timedelta(days=n),
            exchange=f"{name.lower()}{n}",
        )
        for n, text in enumerate(texts)
    )


def ask(
    question: str,
    memories: tuple[Recalled, ...] = (),
    *,
    russian: bool = False,
    first: bool = False,
    known: bool = True,
    direct: bool = False,
    unread: bool = False,
) -> RememberedAnswer:
    """Let Anna ask."""
    return answer_from(
        question,
        memories,
        asker_id=ANNA,
        asker_name="Anna",
        now=NOW,
        phrases=RU_PHRASES if russian else EN_PHRASES,
        first=first,
        known=known,
        direct=direct,
        unread=unread,
    )


def test_a_statement_is_acknowledged() -> None:
    """What is told is repeated, warmly and shortly."""
    answer = ask("My sister Vera lives in Porto.")

    assert answer == RememberedAnswer("Noted, I will remember: My sister Vera lives in Porto.", (), "acknowledged")


def test_nobody_elses_word_stands_in_a_list_of_what_the_asker_told() -> None:
    """Each has its own author: "You told me: Bob said …" is neither's word."""
    memories = (*said("The door code is 4711.", author=BOB, name="Bob"), *said("The door code is 1.", "Door code: 2."))
    lines = ask("What is the door code?", memories).text.split("\n")

    assert "Bob said on 7 February: “The door code is 4711.”" in lines
    assert not any(line.startswith(("•", "You told me:")) for line in lines)


def test_the_answer_quotes_who_and_when() -> None:
    """Word for word, dated, attributed, as it stands in the product's description."""
    memories = said(*ENGLISH)
    answer = ask("Where does my sister live?", memories)

    assert answer.text == "Your sister Vera lives in Porto. (You told me on 7 February.)"
    assert answer.used == memories[:1]
    assert answer.kind == "answer"


@each_row(
    ("question", "part"),
    [
        ("Where does Vera live?", "Porto"),
        ("where does vera live", "Porto"),
        ("Which city is Vera in?", "Porto"),
        ("Who lives in Porto?", "Vera"),
        ("Is Vera in Porto?", "Porto"),
        ("What is my sister's name?", "Vera"),
        ("What was my booking code?", "567-G0"),
        ("What's my booking code", "567-G0"),
        ("Remind me what my reservation code was", "567-G0"),
        ("what is my pin hint?", "42"),
        ("Where do I live?", "Berlin"),
        ("Where do I work?", "Siemens"),
        ("What does Max do?", "pilot"),
        ("How many kids does my brother have?", "two kids"),
        ("What's the door code?", "1234"),
        ("Do I prefer tabs or spaces?", "tabs"),
        ("When is my wife's birthday?", "3 May"),
        ("Why did we choose Postgres?", "locking"),
        ("What database did we decide on?", "Postgres"),
        ("What's my dog called?", "Rex"),
        ("When does our flight leave?", "9:40"),
        ("What am I allergic to?", "peanuts"),
        ("Tell me about Vera", "Porto"),
        ("What do you know about me?", "Porto"),
    ],
)
def test_english_questions_find_their_sentence(question: str, part: str) -> None:
    """Each kind of question finds the one sentence among many that answers it."""
    answer = ask(question, said(*ENGLISH))

    assert answer.kind == "answer"
    assert part in "".join(answer.text.splitlines()[:2])


@each_row(
    ("question", "part"),
    [
        ("Где живёт моя сестра?", "Порту"),
        ("где живет вера", "Порту"),
        ("В каком городе живёт сестра?", "Порту"),
        ("Какой у меня код бронирования?", "567-G0"),
        ("какой был код брони?", "567-G0"),
        ("Напомни мой код бронирования", "567-G0"),
        ("Где я живу?", "Берлине"),
        ("Где я работаю?", "Сименсе"),
        ("Как зовут моего брата?", "Игорь"),
        ("Как зовут мою сестру?", "Вера"),
        ("Как зовут собаку?", "Рекс"),
        ("Когда у мамы день рождения", "5 мая"),
        ("Почему мы выбрали Postgres?", "тормозит"),
        ("Во сколько рейс?", "9:40"),
        ("На что у меня аллергия?", "орехи"),
        ("Какой чай я люблю?", "без сахара"),
        ("Расскажи про Веру", "Порту"),
    ],
)
def test_russian_questions_find_their_sentence(question: str, part: str) -> None:
    """The same in Russian, with its endings."""
    answer = ask(question, said(*RUSSIAN), russian=True)

    assert answer.kind == "answer"
    assert part in answer.text.splitlines()[0]


def test_the_date_is_in_the_readers_language() -> None:
    """Month names and word order come from the phrases."""
    answer = ask("Где живёт моя сестра?", said(*RUSSIAN), russian=True)

    assert answer.text == "Ваша сестра Вера живёт в Порту. (Вы рассказали 7 февраля.)"


def test_a_question_in_one_language_finds_a_fact_in_the_other() -> None:
    """Kin, places to live and the like are the same concept in both languages."""
    assert "Porto" in ask("Где живёт моя сестра?", said(*ENGLISH), russian=True).text
    assert "Порту" in ask("Where does my sister live?", said(*RUSSIAN)).text


@each_row(
    "question",
    [
        "Where does my cousin live?",
        "Where does my brother live?",
        "What is the capital of France?",
        "What is my passport number?",
        "How old is Vera?",
        "Does Vera have a dog?",
        "What's my sister's phone number?",
        "When did Max marry?",
        "Where does Petra live?",
        "Где живёт мой дедушка?",
        "Сколько лет Максу?",
    ],
)
def test_what_nobody_told_is_not_known(question: str) -> None:
    """No sentence answers, so none is passed off as an answer; the asker's own earlier question is no evidence."""
    answer = ask(question, said(*ENGLISH))

    assert answer.kind == "unknown"
    assert answer.text.startswith("I don't know")


def test_nothing_remembered_is_said_so() -> None:
    """An empty memory answers honestly and says, the first time, how to add a model."""
    first, later = ask("Where does my sister live?", first=True), ask("Where does my sister live?")

    assert first == RememberedAnswer(f"{EN_PHRASES.unknown}\n\n{EN_PHRASES.no_model}", (), "unknown")
    assert later == RememberedAnswer(EN_PHRASES.unknown, (), "unknown")


def test_a_near_miss_is_offered_as_one() -> None:
    """A sentence that shares half of the question is shown as what may help, never as the answer."""
    answer = ask("How do I like my coffee?", said("I take my coffee black.", *ENGLISH))

    assert answer.kind == "unknown"
    assert answer.text == EN_PHRASES.perhaps.format(line="You told me on 7 February: “I take my coffee black.”")


def test_the_latest_word_is_told_in_the_place_of_the_older() -> None:
    """In whatever order they were found."""
    memories = said("My sister Vera quit at Bosch.", "My sister Vera works at Bosch.")

    for order in (memories, memories[::-1]):
        assert ask("Where does my sister work?", order).text == (
            "Your sister Vera quit at Bosch. (You told me on 7 February.)"
        )


def test_a_name_and_a_relation_are_the_same_person() -> None:
    """To say 'my sister's name is Vera' joins what was said of the sister with what is asked of Vera."""
    memories = said("My sister lives in Porto.", "My sister's name is Vera.")

    assert "Your sister lives in Porto" in ask("Where does Vera live?", memories).text


def test_a_sentence_about_she_brings_the_one_that_names_her() -> None:
    """A pronoun is not quoted without its person."""
    memories = said("My aunt Rosa is a nurse. She works nights. She lives in Graz.")

    assert "Your aunt Rosa is a nurse. She lives in Graz." in ask("Where does Rosa live?", memories).text


def test_others_are_named_and_their_sister_is_not_mine() -> None:
    """In a group "my sister" means the speaker's; what another said is attributed to them."""
    memories = said("My sister lives in Oslo.", "The car is in the garage.", author=BOB, name="Bob")

    assert ask("Where does my sister live?", memories).kind == "unknown"
    assert ask("Where is the car?", memories).text == "Bob said on 6 February: “The car is in the garage.”"
    assert "My sister lives in Oslo" in ask("Where does Bob's sister live?", memories).text
    assert ask("Where does Vera live?", said("My sister Vera lives in Rio.", author=BOB, name="Bob")).text == (
        "Bob said on 7 February: “My sister Vera lives in Rio.”"
    )


def test_a_namesake_is_another_person() -> None:
    """Identity is the number: another Anna's words are not told as the asker's own."""
    memories = said("The car is in the garage.", author=BOB, name="Anna")

    assert ask("Where is the car?", memories).text.startswith(f"Anna #{BOB} said on")


def test_what_several_channels_found_is_told_once_and_all_are_named() -> None:
    """Duplicates are one line; /why still sees every source."""
    turn = said("My sister Vera lives in Porto.")[0]
    chunk = Recalled(
        "chunk:1",
        render_document(
            tag="tu42",
            uid="anna0",
            said_at=TOLD_AT,
            skill="",
            author_name="Anna",
            user_text=turn.text,
            assistant_text="Noted, I will remember: my sister Vera lives in Porto.",
        ),
        Channel.CHUNK,
        0.9,
        exchange="anna0",
    )
    answer = ask("Where does my sister live?", (turn, chunk))

    assert answer.text == "Your sister Vera lives in Porto. (You told me on 7 February.)"
    assert answer.used == (turn, chunk)
    assert ask("Where does my sister live?", (chunk,)).text == answer.text


def test_the_assistants_words_are_weak_evidence() -> None:
    """They answer only when no person's words do, and are told as the assistant's own."""
    told = said("The gate is B42.")[0]
    own = replace(told, key="turn:x:assistant", text="The gate for your flight is B17.", role="assistant", author_id=0)
    imported, own = own, replace(own, trust=Trust.BOT)

    assert "B42" in ask("What is the gate?", (own, told)).text
    assert "B17" not in ask("What is the gate?", (own, told)).text
    assert ask("What is the gate of the flight?", (own,)).text.startswith("I answered on 7 February: “The gate")
    assert ask("What is the gate of the flight?", (imported,)).text.startswith("Another assistant answered")


def test_the_assistants_recitals_are_no_evidence() -> None:
    """What it said when it did not know is not quoted back."""
    own = replace(said(EN_PHRASES.unknown)[0], role="assistant", author_id=0)

    assert ask("What did you know?", (own,)).kind == "unknown"


@each_row(
    ("text", "phrase"),
    [
        ("hi", EN_PHRASES.greeting),
        ("Good morning!", EN_PHRASES.greeting),
        ("thanks a lot 🙏", EN_PHRASES.thanks),
        ("bye", EN_PHRASES.farewell),
        ("schönen abend", EN_PHRASES.farewell),
        ("Bis morgen dann!", EN_PHRASES.farewell),
        ("see you tomorrow", EN_PHRASES.farewell),
        ("Have a lovely evening!", EN_PHRASES.farewell),
        ("ну давай, пока", EN_PHRASES.farewell),
        ("Приятных выходных!", EN_PHRASES.farewell),
        ("guten Abend", EN_PHRASES.greeting),
        ("Danke, schönes Wochenende", EN_PHRASES.thanks),
        ("ok", EN_PHRASES.other_smalltalk),
        ("Hi, how are you?", EN_PHRASES.wellbeing),
        ("what can you do", EN_PHRASES.introduction),
        ("Who are you?", EN_PHRASES.introduction),
    ],
)
def test_small_talk_gets_small_talk(text: str, phrase: str) -> None:
    """Nothing is looked up for a greeting."""
    assert ask(text, said(*ENGLISH)) == RememberedAnswer(phrase, (), "smalltalk")


@each_row("text", ["forget my rent", "Please forget Vera's address.", "Delete everything about Max"])
def test_who_asks_to_forget_is_told_how_and_nothing_is_claimed(text: str) -> None:
    """It was once noted as a fact, which is the opposite."""
    assert ask(text, said(*ENGLISH)).text == EN_PHRASES.how_to_forget
    assert not find_facts(text)


def test_not_to_forget_is_still_a_task() -> None:
    """It asks to remember."""
    assert ask("Don't forget to call Vera").kind == "acknowledged"


def test_work_for_a_model_is_declined_plainly() -> None:
    """A request that needs writing is not answered with a quotation."""
    answer = ask("Write a poem about Vera", said(*ENGLISH))

    assert answer == RememberedAnswer(EN_PHRASES.needs_model, (), "unknown")


def test_the_first_answer_of_a_session_says_that_there_is_no_model() -> None:
    """Once is enough."""
    assert ask("hi", first=True).text.endswith(EN_PHRASES.no_model)
    assert EN_PHRASES.no_model not in ask("hi").text


def test_a_secret_is_not_repeated() -> None:
    """The acknowledgement says that it was left out."""
    answer = ask("My sister Vera lives in Porto. My password is hunter2")

    assert "hunter2" not in answer.text
    assert "Porto" in answer.text
    assert answer.text.endswith(EN_PHRASES.secret_left_out)


def test_a_secret_alone_is_not_said_to_be_found_again() -> None:
    """Only what is kept is promised to be found."""
    assert ask("My password is hunter2").text == EN_PHRASES.secret_left_out


def test_who_asks_for_a_secret_is_told_why_it_is_missing() -> None:
    """The masked sentence shows that it was said; the sentence after it says that it was not kept."""
    answer = ask("What is my password?", said("My password is [redacted: password]"))

    assert "[redacted: password]" in answer.text
    assert answer.text.endswith(EN_PHRASES.secret_left_out)


def test_a_decision_answers_what_was_decided_without_the_word() -> None:
    """Nobody need say "decide" to have decided; about what, the question may say in words that it lacks."""
    told = said("Let's use Postgres for the billing service", "My sister Vera lives in Porto.")

    assert ask("What did we decide?", told).text.startswith("Let's use Postgres for the billing service. (")
    assert "Perhaps this helps" in ask("What did we decide about the database?", told).text


def test_what_the_search_doubts_is_not_quoted_as_an_answer() -> None:
    """A sentence that only half fits is an answer where the search is sure, and none where it is not."""
    told = said("My sister Vera lives in Porto near the harbour.")
    sure = ask("Where does my sister Vera live in summer?", told)
    doubted = ask("Where does my sister Vera live in summer?", told, known=False)

    assert (sure.kind, doubted.kind) == ("answer", "unknown")
    assert doubted.text.startswith("I don't know for certain.")


def test_what_the_search_is_sure_of_is_shown_beside_not_knowing() -> None:
    """No sentence answers by rule, but the search is certain: what it found is shown; else nothing is."""
    told = said("The cembalo stands upstairs.")
    sure, doubted = (ask("Where is the harpsichord?", told, known=known) for known in (True, False))

    assert sure.kind == doubted.kind == "unknown"
    assert sure.used == told
    assert doubted.used == ()


@each_row(
    ("question", "told", "cosine", "words", "kind", "shown"),
    [
        ("Who is our guide?", "We are led by Mr Petrov.", 0.4, 0.0, "answer", True),
        ("Who is our guide?", "We are led by Mr Petrov.", 0.2, 0.0, "unknown", True),
        ("Who is our guide?", "We are led by Mr Petrov.", 0.05, 0.0, "unknown", False),
        ("When does the guide come?", "We are led by Mr Petrov.", 0.4, 0.0, "unknown", True),
        ("When does the guide come?", "We are led by Mr Petrov.", 0.2, 0.0, "unknown", False),
        ("When does the blue bus leave?", "The blue bus is at 8:40.", 0.4, 0.4, "answer", True),
        ("When does the blue bus leave?", "The blue bus is at 8:40.", 0.2, 0.6, "unknown", True),
        ("Which metal is the ring?", "My ring is in the blue tin.", 0.3, 0.6, "unknown", True),
        ("Does my mother-in-law ski?", "My father-in-law skis a lot.", 0.4, 0.6, "unknown", False),
    ],
)
def test_likeness_in_meaning_tells_answers_from_guesses(
    question: str, told: str, cosine: float, words: float, kind: str, *, shown: bool
) -> None:
    """What is found first answers where it is more alike than shared words make it and holds the kind asked for."""
    signals = {
        KNOWN: 0.2,
        MEANING: cosine * FULL[MEANING],
        "sentence": cosine,
        "lexical_share": words * FULL["lexical_share"],
    }
    memories = tuple(replace(memory, signals=signals) for memory in said(told))
    answer = ask(question, memories)

    assert (answer.kind, bool(answer.used)) == (kind, shown)


@each_row(
    ("question", "rate", "kind", "shown"),
    [
        ("What do I do for a living?", 0.8, "answer", True),
        ("What do I do for a living?", 0.3, "unknown", True),
        ("What do I do for a living?", 0.02, "unknown", False),
        ("What colour is my bakery in Leeds?", 0.02, "unknown", False),
        ("Where is my bakery?", 0.3, "answer", True),
    ],
)
def test_what_was_read_beside_the_question_tells_answers_from_guesses(
    question: str, rate: float, kind: str, *, shown: bool
) -> None:
    """A likely answer is told, a possible one offered; words in common alone are neither."""
    memories = tuple(replace(each, signals={ANSWERS: rate}) for each in said("I run a small bakery in Leeds."))
    answer = ask(question, memories)

    assert (answer.kind, bool(answer.used)) == (kind, shown)


def test_what_took_its_place_is_told_with_a_guess() -> None:
    """It was said right after, in other words: both are told, the newer first."""
    signals = {KNOWN: 0.2, MEANING: 0.2 * FULL[MEANING], "sentence": 0.2}
    new, old = said("Flights are gone, so it is Leeds instead.", "We fly to Lisbon at Easter.")
    told = (replace(old, signals=signals), replace(new, said_at=TOLD_AT - timedelta(days=1, minutes=-1)))
    answer = ask("Where do we spend the spring holidays?", told)

    assert answer.kind == "unknown"
    assert answer.text.find("Leeds") < answer.text.find("Lisbon")


@each_row("known", [True, False])
def test_what_could_not_be_read_is_not_called_unsaid(known: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """With ``unread`` nothing is claimed about what was told, with a guess beside it or without."""
    told = said("The cembalo stands upstairs.")
    settled, unread = (
        ask("Where is the harpsichord?", told, known=known, unread=unread).text for unread in (False, True)
    )

    assert settled.startswith("I don't know")
    assert unread.startswith(EN_PHRASES.unread)
    assert ("upstairs" in unread) == known


@each_row("known", [True, False])
@each_row(
    ("message", "told", "answer"),
    [
        ("I have a cat named Tom. What is my cat called?", (), "I have a cat named Tom."),
        ("I moved to Rome. Where do I live?", ("I live in Berlin.",), "I moved to Rome."),
        ("My sister Vera lives in Porto. Where does my brother live?", ("My brother lives in Oslo.",), "in Oslo."),
        ("У меня есть кот Том. Как зовут моего кота?", (), "У меня есть кот Том."),
    ],
)
def test_a_message_may_say_what_it_asks_for(
    message: str,
    told: tuple[str, ...],
    answer: str,
    known: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """What it states is quoted where it fits best, and is no memory that was used."""
    memories = said(*told)
    russian = message.startswith("У")
    found = ask(message, memories, known=known or bool(told), russian=russian)

    assert found.kind == "answer"
    assert answer in found.text.splitlines()[0]
    assert all(memory in memories for memory in found.used)


@each_row(
    ("asked", "told"),
    [
        ("What's my name?", "My name is Sam."),
        ("Who am I?", "I'm Sam"),
        ("Who am I?", "btw I'm Sam"),
        ("What's my name?", "I'm Sam by the way"),
        ("Do you remember my name?", "Call me Sam."),
        ("Как меня зовут?", "Меня зовут Сэм."),
        ("Как меня зовут?", "кстати, я Сэм"),
    ],
)
def test_the_askers_name_is_what_they_said_it_is(asked: str, told: str) -> None:
    """No word of the question need stand in it; another's name is no answer, nor is what another says of theirs."""
    others = (*said("My sister's name is Vera."), *said("My name is Bob.", author=BOB, name="Bob"))
    found = ask(asked, (*others, *said(told)), russian=asked.startswith("К"))
    unknown = ask(asked, others, russian=asked.startswith("К"))

    assert found.kind == "answer"
    plain = strip_opening(told)
    assert (turn_to_listener(plain) or plain)[:5] in found.text
    assert "Bob" not in found.text
    assert unknown.kind == "unknown"


@each_row("asked", ["What does Julia do?", "what does Julia do for a living"])
def test_what_somebody_does_is_their_work(asked: str) -> None:
    """Of all that is known about Julia; her birthday fits every word, too."""
    told = said("Julia's birthday is on June 12.", "My girlfriend Julia works as a nurse.")

    assert ask(asked, told).text.splitlines()[0].startswith("Your girlfriend Julia works as a nurse.")
    assert "birthday" not in ask(asked, told).text


@each_row(
    ("asked", "told"),
    [
        ("What do I do for a living?", "I'm a software developer."),
        ("what do I do?", "I work as a nurse."),
        ("Чем я занимаюсь?", "Я программист."),
    ],
)
def test_what_the_asker_does_is_their_work(asked: str, told: str) -> None:
    """With a word for it or without; what they like is no answer, nor what another does."""
    others = (*said("I like tea."), *said("I'm a dentist.", author=BOB, name="Bob"))
    found = ask(asked, (*others, *said(told)), russian=asked.startswith("Ч"))

    assert found.kind == "answer"
    assert told[3:] in found.text
    assert "tea" not in found.text
    assert "dentist" not in found.text


def test_who_may_be_anybody_but_the_asker_is_one() -> None:
    """Who is allergic is answered by a friend, whatever the search thinks; what my name is, is not."""
    told = said("My friend Marta is allergic to nuts.", "My sister's name is Vera.")

    assert ask("Who is allergic to nuts?", told, known=False).kind == "answer"
    assert ask("What is my name?", told).kind == "unknown"
    assert ask("Who has our ladder?", said("Our neighbour Klaus borrowed our ladder.")).kind == "answer"
    assert ask("Where do I work?", said("My girlfriend works at Siemens.")).kind == "unknown"


@each_row(
    ("told", "asked"),
    [
        ("My dentist is on Monday. Actually, on Wednesday.", "When is my dentist?"),
        ("I live in Berlin. No, in Hamburg.", "Where do I live?"),
        ("Мой рейс в пятницу. Точнее, в субботу.", "Когда мой рейс?"),
    ],
)
def test_what_was_put_right_in_one_breath_is_quoted_whole(told: str, asked: str) -> None:
    """Half of it would be the wrong half."""
    found = ask(asked, said(told), russian=told.startswith("М"))

    assert told.split(". ")[1] in found.text
    assert found.text.count("\n") == 0


def test_what_a_message_states_is_no_answer_to_something_else() -> None:
    """Stating one thing and asking another is still not known."""
    found = ask("My sister Vera lives in Porto. Where does my brother live?")

    assert found.kind == "unknown"
    assert found.text.startswith("Noted")


def test_direct_answers_list_what_was_found() -> None:
    """Dated and attributed, in the order of the search, at most five, questions left out; doubted, nothing."""
    told = said(*(f"Number {number} is on the list." for number in range(7)), "Where is the list?")
    listed, doubted = (ask("What is on the list?", told, known=known, direct=True) for known in (True, False))

    assert listed.text.split("\n\n")[0].count("\n• ") == 5
    assert listed.text.startswith("You told me:\n• Number 0 is on the list. (on 7 February)")
    assert len(listed.used) == 5
    assert doubted.kind == "unknown"


@given(
    st.text(alphabet=st.characters(codec=None), max_size=120), st.text(alphabet=st.characters(codec=None), max_size=120)
)
def test_any_message_and_memory_get_an_answer(question: str, memory: str) -> None:
    """Strange input raises nothing, and every quotation is the memory's own text."""
    memories = said(memory) if memory else ()
    answer = ask(question + "?", memories)

    assert answer.text
    assert all(used in memories for used in answer.used)


@each_row(
    ("text", "needed"),
    [
        ("My sister Vera lives in Porto.", False),
        ("Моя сестра Вера живёт в Порту.", False),
        ("thanks!", False),
        ("Write a poem about Porto.", False),
        ("Forget my booking code.", False),
        ("Where does my sister live?", True),
        ("My sister moved. Where did she live before", True),
        ("Remind me what my booking code is", True),
        ("Напомни, где живёт моя сестра", True),
        ("price of the ferry", True),
        ("ferry cancelled", False),
    ],
)
def test_only_who_asks_needs_memory(text: str, needed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Then nothing has to be searched; what is acknowledged is so whatever is remembered."""
    memories = said(*ENGLISH, *RUSSIAN)

    assert bool(list_searches(text)) is needed
    if not needed:
        assert ask(text, memories) == ask(text)


@each_row(
    ("named", "told", "answered"),
    [
        ("vet phone number", "The vet's phone number is 960 911.", True),
        ("geburtstag von oma", "Oma hat am 4. März Geburtstag.", True),
        ("мой размер обуви", "Мой размер обуви 43.", True),
        ("parents evening moved", "The parents evening is on Monday at 6.", False),
        ("opera cancelled", "We have tickets for the opera on Friday.", False),
        ("Leo ill", "Leo plays the cello.", False),
        ("кот здоров", "Кот болеет, лекарство два раза в день.", False),
    ],
)
def test_who_only_names_what_was_told_asks_for_it(named: str, told: str, answered: bool) -> None:  # noqa: FBT001 - as above
    """No mark and no question word is needed; what names anything else tells it."""
    answer = ask(named, said(told))

    assert (answer.kind == "answer") is answered


@each_row(
    ("told", "asked"),
    [
        ("bins go out on fri", "when do the bins go out"),
        ("die Handwerker kommen am do", "wann kommen die handwerker"),
        ("футбол у Пети в пт", "когда у пети футбол"),
    ],
)
def test_a_day_is_told_by_its_short_name_too(told: str, asked: str) -> None:
    """As people type it; seen to fail: what held no day was no answer to "when"."""
    assert ask(asked, said(told)).kind == "answer"


@each_row(
    ("told", "asked", "part"),
    [
        ("did i mention my locker is number 88", "what is my locker number", "88"),
        ("Hab ich dir schon erzählt, dass Oma in Jena wohnt?", "Wo wohnt Oma?", "Jena"),
        ("я тебе говорила, что ключ у Веры?", "у кого ключ?", "Веры"),
        ("did i tell you where my locker is?", "where is my locker", ""),
        ("did i tell you about my brother", "what did i say about my brother", ""),
        ("did i ever mention our new address", "what is our new address", ""),
    ],
)
def test_a_question_whether_something_was_told_tells_it(told: str, asked: str, part: str) -> None:
    """Asked first, it is noted; asked again, it is answered by itself."""
    answer = ask(asked, said(told))

    assert ask(told).kind == ("acknowledged" if part else "unknown")
    assert (part in answer.text) if part else answer.kind == "unknown"


@given(st.text(alphabet=st.characters(codec=None), max_size=120))
def test_what_needs_no_memory_is_answered_the_same_without(message: str) -> None:
    """Whatever is said: what is not searched would not have been looked at."""
    if not list_searches(message):
        assert ask(message, said(*ENGLISH, *RUSSIAN)) == ask(message)
