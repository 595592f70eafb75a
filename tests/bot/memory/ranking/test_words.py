"""Spelling, cues and passages: what a text is indexed by."""

from __future__ import annotations

from bot.memory.ranking import passages as cues
from bot.memory.ranking.passages import cut_excerpt, split_passages
from bot.memory.ranking.postings import Spelling
from tests.cases import each_row


@each_row(
    ("one", "other", "near"),
    [
        ("recieve", "receive", True),
        ("harpsicord", "harpsichord", True),
        ("tournamment", "tournament", True),
        ("guitaf", "guitar", True),
        ("guitar", "guitar", True),
        ("guitar", "guild", False),
        ("abcd", "badc", False),
    ],
)
def test_one_edit_is_told_from_more(one: str, other: str, near: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Swap, loss, doubling and substitution are one edit; two are not."""
    known = Spelling()
    known.learn(f"{one} {other}")

    assert (other in known.find_near(one)) is near
    assert (one in known.find_near(other)) is near


def test_short_words_and_codes_are_never_put_right() -> None:
    """They have too many neighbours; abbreviations and negations stay, too."""
    known = Spelling()
    known.learn("The cat sat in castle g0567 with a hand in NATO.")

    asked = "Did the cut castel g0568 hadn't NAT0 CASTEL?"

    assert _right(known, asked) == "Did the cut castle g0568 hadn't NAT0 CASTEL?"


def test_a_typo_is_the_likeliest_word_that_was_written() -> None:
    """The most frequent of several is taken, endings and capitals stay; words known otherwise stay."""
    known = Spelling()
    known.learn("painting paintings Caroline boots books")
    worth = {"books": 5.0, "boots": 2.0}

    def right(text: str) -> str:
        return known.correct_text(text, lambda word: word == "bolts", lambda word: worth.get(word, 1.0))

    assert right("Carolne's paintnigs") == "Caroline's paintings"
    assert right("bouks, bolts") == "books, bolts"


def _right(known: Spelling, text: str) -> str:
    return known.correct_text(text, lambda _: False, lambda _: 1.0)


def test_cues_tell_questions_times_numbers_and_names() -> None:
    """Each mark stands for what it says."""
    bits = cues.find_cues("I met Vera twice last week because I felt lonely. Did you?")

    for bit in (cues.ASKS, cues.ENDS_ASKING, cues.TIME, cues.NUMBER, cues.NAME, cues.REASON, cues.FIRST_PERSON):
        assert bits & bit
    assert not cues.find_cues("fine.") & (cues.ASKS | cues.TIME | cues.NUMBER | cues.NAME | cues.FIRST_PERSON)


def test_questions_say_what_they_want() -> None:
    """When wants a time, how many a number, where a name, why a reason; in three languages."""
    assert cues.find_wanted_features("When did it start?").time
    assert cues.find_wanted_features("Когда это началось?").time
    assert cues.find_wanted_features("Wie viele Kinder hat sie?").number
    assert cues.find_wanted_features("Где она живёт?").name
    assert cues.find_wanted_features("Why did he leave?").reason
    assert not cues.find_wanted_features("Tell me about it").time


@each_row(
    "text",
    [
        "Always name the sources when I ask about medicine.",
        "It went well. Never call me before nine!",
        "I'm planning a trip, and I usually prefer trains.",
        "Отвечай всегда по-русски.",
        "Я предпочитаю поезда.",
        "Когда я спрашиваю о рецептах, давай граммы.",
        "Antworte immer auf Deutsch.",
        "Ich fahre lieber mit dem Zug.",
    ],
)
def test_wishes_are_marked(text: str) -> None:
    """How somebody wants things done is marked in every language."""
    assert cues.find_cues(text) & cues.WISH


def test_what_happens_always_is_no_wish() -> None:
    """A habit or a report that holds the same words asks for nothing."""
    for text in ("The train is always late.", "Он никогда не звонит.", "Der Zug kommt immer zu spät."):
        assert not cues.find_cues(text) & cues.WISH


@each_row(
    ("question", "advice"),
    [
        ("How should I arrange the chairs?", True),
        ("Could you show me a recipe?", True),
        ("I'm planning a trip. What would you suggest?", True),
        ("Which town did I mention?", False),
        ("Can you remind me what I said about Kiel?", False),
        ("Как мне лучше добраться до Киля?", True),
        ("Где я живу?", False),
        ("Kannst du mir ein Rezept geben?", True),
        ("Kannst du mich daran erinnern, was ich sagte?", False),
        ("Wann war ich in Kiel?", False),
    ],
)
def test_asking_for_advice_is_told_from_asking_for_what_was_said(question: str, advice: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Only advice is guided by wishes."""
    assert cues.find_wanted_features(question).advice is advice


def test_long_messages_become_passages_of_whole_sentences() -> None:
    """Nothing is lost, no passage is much over the size, an endless sentence is cut."""
    text = " ".join(f"This is sentence number {number}." for number in range(60)) + " " + "word " * 300

    found = split_passages(text)

    assert " ".join(found).split() == text.split()
    assert max(len(piece.split()) for piece in found) <= 90
    assert split_passages("short") == ("short",)
    assert split_passages("") == ("",)


def test_excerpts_show_short_messages_whole() -> None:
    """A long one is shown by its passage, marked at the cuts."""
    text = " ".join(f"This is sentence number {number}." for number in range(60))

    assert cut_excerpt("short", 0) == "short"
    assert cut_excerpt(text, 1).startswith("[…] ")
    assert cut_excerpt(text, 1).endswith(" […]")
    assert cut_excerpt(text, 0).startswith("This is sentence number 0.")
