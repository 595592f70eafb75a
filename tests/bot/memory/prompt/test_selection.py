"""Which memories a prompt shows: those that help, each sentence once, within a ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from hypothesis import given
from hypothesis import strategies as st

from bot.memory.helpfulness import FULL, HELPS, MEANING
from bot.memory.items import Channel, ItemType, Layer, MemoryItem, Provenance, Recalled, Trust
from bot.memory.prompt.selection import Selection, SelectionLimits, select_memories
from harness.prompt.counting import count_repeats
from language.tokens import count_tokens
from tests.cases import each_row

SAID_AT = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Exchange:
    """What stands in the history."""

    uid: str
    texts: tuple[str, ...]


def turn(
    text: str, helps: float, exchange: str = "", *, role: str = "user", channel: Channel = Channel.TURN
) -> Recalled:
    """Return a memory that helps with this probability."""
    signals = MappingProxyType({HELPS: helps})
    key = f"{channel}:{exchange or text}:{role}"
    return Recalled(key, text, channel, 1.0, "Anna", 42, role, SAID_AT, exchange or text, signals, Trust.USER)


def item(content: str, exchange: str = "", *, pinned: bool = False, number: int = 0) -> MemoryItem:
    """Return an item that was made from an exchange."""
    source = Provenance(42, "Anna", "chat", Trust.USER, SAID_AT, exchange)
    return MemoryItem(Layer.SEMANTIC, ItemType.FACT, content, content, source, content, pinned=pinned, id=number)


def select(
    *relevant: Recalled,
    items: Sequence[tuple[MemoryItem, float]] = (),
    message: str = "Where does my sister live?",
    history: Sequence[Exchange] = (),
    asking: float = 1.0,
    floor: float = 0.05,
    tokens: int = 1000,
    broad: bool = False,
) -> Selection:
    """Select with a floor of 0.05."""
    limits = SelectionLimits(help_floor=floor, relevant_tokens=tokens)
    return select_memories(
        tuple(items), relevant, message=message, history=history, asking=asking, broad=broad, limits=limits
    )


def shown(selection: Selection) -> list[str]:
    """Return all texts."""
    return [*(each.content for each in selection.items), *(memory.text for memory in selection.relevant)]


MANY = tuple(turn(f"Number {place} of the things that were said here.", 0.001) for place in range(16))


def test_the_block_ends_at_the_threshold() -> None:
    """What is likely to help is shown, the best first; the rest is not, however much room there is."""
    told = turn("Vera moved to Porto.", 0.6), turn("I bought a bike.", 0.01), turn("Vera likes Porto.", 0.3)
    found = select(*told, *MANY)

    assert shown(found) == ["Vera moved to Porto.", "Vera likes Porto."]
    assert found.left_out == 0


def test_the_first_that_a_question_finds_need_less() -> None:
    """A plain fact asked for in other words looks little likelier than nothing, and is mostly among the first."""
    told = [turn(f"{name} lives in Porto.", 0.04) for name in ("Vera", "Ole", "Mia", "Jo", "Kim", "Ben", "Ida")]

    assert shown(select(*told, *MANY)) == [memory.text for memory in told[:6]]
    assert select(*told, *MANY, asking=0.5) == Selection()


def give_meaning(memory: Recalled, alike: float, shared: float) -> Recalled:
    """Return a memory of that likeness to the question, whose words it shares to that part."""
    meaning = {MEANING: alike * FULL[MEANING], "sentence": 1.0, "lexical_share": shared * FULL["lexical_share"]}
    return replace(memory, signals=MappingProxyType({**memory.signals, **meaning}))


def test_what_is_alike_by_its_words_alone_opens_no_block() -> None:
    """It is about the same things and answers nothing, unless it helps as what is said in talks does."""
    told, other = turn("Vera sent a card from Porto.", 0.2), turn("My locker opens with 8852.", 0.01)

    assert select(give_meaning(told, 0.3, 0.9), *MANY) == Selection()
    assert shown(select(give_meaning(told, 0.3, 0.9), give_meaning(other, 0.12, 0.0), *MANY)) == [told.text]
    assert shown(select(give_meaning(turn(told.text, 0.4), 0.3, 0.9), *MANY)) == [told.text]


def test_beside_what_is_clearly_alike_all_of_the_first_are_shown() -> None:
    """However little likely a fact in other words looks."""
    told = [turn(f"{name} lives in Porto.", 0.001) for name in ("Vera", "Ole", "Mia", "Jo", "Kim", "Ben", "Ida")]
    told[3] = give_meaning(told[3], 0.5, 0.3)

    assert shown(select(*told, *MANY)) == [memory.text for memory in told[:6]]
    assert select(*told, *MANY, asking=0.0) == Selection()


def test_nothing_relevant_is_an_empty_block() -> None:
    """Not even one line: its heading and notice would cost more than it is worth."""
    assert select(turn("I bought a bike.", 0.015), turn("The gate is green.", 0.005), *MANY) == Selection()


def test_of_little_that_is_known_less_is_left_out() -> None:
    """Among two memories the better is hardly found by chance, and a message that asks is told it."""
    few = turn("My locker opens with 8852.", 0.02), turn("The gate is green.", 0.0001)

    assert shown(select(*few)) == ["My locker opens with 8852."]
    assert select(*few, *MANY) == Selection()
    assert select(*few, asking=0.0) == Selection()


def test_a_message_that_asks_nothing_is_shown_less() -> None:
    """Only what is strongly about the same thing comes, such as the old value of something that changes."""
    some, old = turn("Vera likes walking by the sea.", 0.3), turn("My sister Vera lives in Porto.", 0.97)

    assert len(select(some, old, message="Vera moved to Rome.", asking=1.0).relevant) == 2
    assert shown(select(some, old, message="Vera moved to Rome.", asking=0.0)) == [old.text]


@given(st.lists(st.floats(0.001, 0.999), max_size=12), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_shows_less(chances: list[float], one: float, other: float) -> None:
    """Never something else."""
    found = [turn(f"Number {place} of the things that were said here.", each) for place, each in enumerate(chances)]
    low, high = sorted((one, other))

    assert set(shown(select(*found, floor=high))) <= set(shown(select(*found, floor=low)))


SENTENCES = (
    "The quick brown fox jumps over the dog.",
    "THE quick Brown fox, jumps over the dog!",
    "My sister Vera lives in Porto now.",
    "Моя сестра Вера живёт в Порту.",
    "МОЯ сестра Вера живёт в Порту!",
    "Meine Schwester Vera wohnt jetzt in Porto.",
    "MEINE Schwester Vera wohnt jetzt in Porto…",
    "Straße und Haus sind beide sehr alt.",
    "We met at the café in Łódź yesterday.",
    "Yes.",
    "Thank you!",
    "私は昨日東京に行きました。",
)


@given(
    st.lists(st.tuples(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), st.integers(0, 5)), max_size=8),
    st.lists(st.tuples(st.sampled_from(SENTENCES), st.integers(0, 5)), max_size=4),
    st.lists(st.sampled_from(SENTENCES), max_size=3),
    st.sampled_from([" ", "\n"]),
)
def test_no_sentence_stands_twice(
    turns: list[tuple[list[str], int]], notes: list[tuple[str, int]], past: list[str], between: str
) -> None:
    """Turns, items, entities and history are one pool, in any language and writing."""
    kinds = (Channel.TURN, Channel.ENTITY, Channel.CHUNK)
    found = [
        turn(between.join(said), 0.5, f"e{exchange}{place}", channel=kinds[place % 3])
        for place, (said, exchange) in enumerate(turns)
    ]
    items = [(item(note, f"e{exchange}"), 0.9) for note, exchange in notes]
    history = [Exchange("h", tuple(past))]

    assert count_repeats(shown(select(*found, items=items, history=history)), past) == 0


def test_what_stands_in_the_history_is_not_shown_again() -> None:
    """Neither the exchange itself nor a sentence of it that was said another time; the rest of that is."""
    history = [Exchange("e1", ("My sister Vera lives in Porto.", "How nice for her!"))]
    again = turn("My sister Vera lives in Porto! She moved there for her work.", 0.5, "e2")

    found = select(turn("My sister Vera lives in Porto.", 0.9, "e1"), again, history=history)

    assert shown(found) == ["… She moved there for her work."]


@each_row(
    ("said", "noted"),
    [
        ("My sister Vera lives in Porto.", "Anna's sister Vera lives in Porto"),
        ("Моя сестра Вера живёт в Порту.", "Сестра Вера живёт в Порту"),
        ("Meine Schwester Vera wohnt in Porto.", "Schwester Vera wohnt in Porto"),
    ],
)
def test_an_item_and_its_turn_are_one_memory(said: str, noted: str) -> None:
    """The turn stands, which says it word for word."""
    found = select(turn(said, 0.5, "e1"), items=[(item(noted.removeprefix("Anna's "), "e1"), 0.9)])

    assert shown(found) == [said]


def test_an_item_that_says_more_than_the_quotation_stays() -> None:
    """Of a long message the quotation holds what fits; a fact from elsewhere in it is no repetition."""
    found = select(
        turn("My sister Vera lives in Porto.", 0.5, "e1"), items=[(item("The gate code is B17.", "e1"), 0.9)]
    )

    assert shown(found) == ["The gate code is B17.", "My sister Vera lives in Porto."]


def test_pinned_items_always_stand() -> None:
    """Whatever else helps or does not, and no second time as a turn."""
    kept = item("My sister Vera lives in Porto.", "e1", pinned=True)

    assert shown(select(turn(kept.content, 0.9, "e1"), items=[(kept, 0.0)])) == [kept.content]
    assert shown(select(items=[(kept, 0.0)], asking=0.0)) == [kept.content]


def test_standing_items_are_not_repeated() -> None:
    """They have a block of their own; what they say is not said again below."""
    wish = item("Please always answer in metric units.", "e1", pinned=True, number=7)
    found = select_memories(
        ((wish, 1.0),), (turn(wish.content, 0.9, "e1"),), message="How far is Rome?", history=(), standing=(wish,)
    )

    assert found == Selection()


def test_the_budget_is_a_ceiling() -> None:
    """What helps and finds no room is counted, so that the prompt can say so."""
    found = [turn(f"Fact number {place} about my sister who lives in Porto.", 0.5) for place in range(20)]
    chosen = select(*found, tokens=150)

    assert 0 < sum(count_tokens(text) for text in shown(chosen)) <= 150
    assert len(chosen.relevant) + chosen.left_out == len(found)


def test_a_long_answer_is_quoted_by_its_passage() -> None:
    """The sentence that fits the message, with its neighbours, and a mark where something is left out."""
    filler = [
        f"Sentence number {place} tells of the weather in the mountains and of nothing else." for place in range(12)
    ]
    filler[6] = "Your sister Vera lives in a flat near the river."
    (memory,) = select(turn(" ".join(filler), 0.1, role="assistant"), floor=0.01).relevant

    assert filler[6] in memory.text
    assert memory.text.startswith("… ")
    assert memory.text.endswith(" …")
    assert count_tokens(memory.text) <= 44
    assert [sentence for sentence in filler if sentence in memory.text] == filler[6:8]


def test_two_long_sentences_that_begin_alike_are_not_quoted_alike() -> None:
    """Cut short they are the same: the second one tells nothing more."""
    begin = "I am trying to make the answers of the dashboard faster " + "and faster " * 40
    found = [turn(f"{begin} {end}.", 0.1, end) for end in ("by caching", "by indexes")]

    assert len(select(*found, message="dashboard", floor=0.01).relevant) == 1


def test_an_entity_made_of_shown_sentences_goes() -> None:
    """Its description says again, in other words, what the turn says."""
    entity = turn("Vera: Vera lives in Porto", 0.3, "x", channel=Channel.ENTITY)

    assert shown(select(turn("My sister Vera lives in Porto.", 0.6), entity)) == ["My sister Vera lives in Porto."]


def test_a_broad_question_may_use_the_whole_ceiling() -> None:
    """What is asked for is spread over all that was said."""
    found = [turn(f"In week {place} we talked about the project in Porto.", 0.002) for place in range(5)]

    assert select(*found) == Selection()
    assert len(select(*found, broad=True).relevant) == 5


def test_a_question_about_order_is_answered_in_order() -> None:
    """Chosen by what fits best, shown as it was said."""
    days = {name: datetime(2026, 2, day, tzinfo=UTC) for day, name in enumerate(("first", "second", "third"), 1)}
    found = [
        replace(turn(f"The {name} visit to Porto went well.", 0.5), said_at=days[name])
        for name in ("third", "first", "second")
    ]
    chosen = select_memories((), tuple(found), history=(), broad=True, by_day=True)

    assert [memory.said_at for memory in chosen.relevant] == sorted(days.values())


def test_day_by_day_many_short_lines_find_room() -> None:
    """The likeliest are shown, in order, each shortened; what shares a day and an author needs no head of its own."""
    room = "and then we sat in the old harbour of Porto and watched the boats that came in from the sea"
    found = [
        replace(turn(f"On visit {n} it rained. {room} {n}. {room}, too {n}.", 0.5 - n / 100), key=f"k{n}", said_at=day)
        for n, day in enumerate(SAID_AT + timedelta(minutes=minute) for minute in range(30, 0, -1))
    ]
    limits = SelectionLimits(relevant_tokens=300)
    whole = select_memories((), tuple(found), history=(), broad=True, limits=limits).relevant
    by_day = select_memories((), tuple(found), history=(), broad=True, by_day=True, limits=limits).relevant

    assert len(by_day) > 2 * len(whole)
    assert {one.key for one in by_day} == {f"k{n}" for n in range(len(by_day))}
    assert [one.said_at for one in by_day] == sorted(one.said_at for one in by_day if one.said_at)


def test_the_summary_of_this_conversation_is_not_repeated() -> None:
    """What stands in it is known to the model."""
    said = turn("My sister Vera lives in Porto.", 0.9)
    found = select_memories((), (said,), history=(), summary="Anna tells of her family. My sister Vera lives in Porto.")

    assert found == Selection()
