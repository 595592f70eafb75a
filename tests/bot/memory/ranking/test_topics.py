"""Long questions are cut, asked in pieces and merged."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.memory.items import Channel, Recalled
from bot.memory.ranking.fusion import (
    LONGEST_SENTENCE,
    Merging,
    TopicOptions,
    WindowMessage,
    count_unasked,
    merge_answers,
    render_window,
    split_topics,
)
from language.tokens import count_tokens
from tests.cases import each_row

OPTIONS = TopicOptions(single_tokens=20, chunk_tokens=40, overlap_tokens=15)


def _turn(exchange: str, score: float, role: str = "user") -> Recalled:
    return Recalled(f"turn:{exchange}:{role}", "text", Channel.TURN, score, exchange=exchange)


def test_a_short_question_stays_single() -> None:
    """Nothing is cut below the limit; an empty text asks nothing."""
    assert split_topics(" Where does Vera live? ", OPTIONS) == ("Where does Vera live?",)
    assert split_topics("  ", OPTIONS) == ()


@each_row(
    ("told", "asked"),
    [
        ("I'm looking at a few laptops for the work in the garden.", "Which of them would you suggest to buy?"),
        ("Ich suche gerade ein neues Rad für den Weg zur Arbeit.", "Welches würdest du mir empfehlen?"),
        ("Я выбираю новый велосипед для дороги на работу.", "Какой ты мне посоветуешь?"),
    ],
)
def test_what_stands_before_a_question_is_asked_with_it(told: str, asked: str) -> None:
    """It says what the question is about; a second question is another topic, and a long text is cut."""
    options, alone = TopicOptions(single_tokens=18, chunk_tokens=12, overlap_tokens=0), f"{told} {asked}"

    assert count_tokens(alone) > options.single_tokens
    assert split_topics(alone, options) == (alone,)
    assert count_unasked(alone, options) == (0, 1)
    assert len(split_topics(f"{asked} {alone}", options)) > 1
    assert len(split_topics(f"{told} {told} {alone}", options)) > 1


def test_a_long_message_is_cut_at_paragraphs_with_overlap() -> None:
    """Chunks keep to the size, lose nothing, and begin with the end of the one before."""
    text = "\n\n".join(f"Paragraph {number} is about subject {number} and some more words." for number in range(9))

    chunks = split_topics(text, OPTIONS)

    assert len(chunks) > 2
    assert all(count_tokens(chunk) <= 40 + 15 for chunk in chunks)
    assert all(f"subject {number}" in " ".join(chunks) for number in range(9))
    assert chunks[1].split("\n\n")[0] == chunks[0].split("\n\n")[-1]


def test_a_sentence_that_no_model_reads_whole_is_cut_at_words() -> None:
    """A pasted line without a full stop loses nothing; a model would ignore its end."""
    line = " ".join(f"word{number}" for number in range(400))

    chunks = split_topics(line, TopicOptions(single_tokens=20, chunk_tokens=24, overlap_tokens=0, most_chunks=50))

    assert " ".join(chunks).split() == line.split()
    assert all(count_tokens(chunk) <= LONGEST_SENTENCE for chunk in chunks)


def test_what_is_not_asked_of_a_long_message_is_counted() -> None:
    """Of more pieces than are asked the first ones are left out; a short text has one, and it is asked."""
    text = "\n\n".join(f"Paragraph {number} is about subject {number} and some more words." for number in range(30))

    left, count = count_unasked(text, OPTIONS)

    assert (left, count - left) == (count - OPTIONS.most_chunks, len(split_topics(text, OPTIONS)))
    assert left > 0
    assert count_unasked("Where does Vera live?", OPTIONS) == (0, 1)


def test_a_window_of_the_conversation_becomes_markdown() -> None:
    """Each message has its heading, author, time and text."""
    text = render_window([WindowMessage("Anna", datetime(2024, 3, 4, 9, 5, tzinfo=UTC), "Hello.\n")])

    assert text == "## Message 1\n\nAnna, 2024-03-04 09:05+00:00\n\nHello."


def test_results_of_pieces_are_merged_per_document() -> None:
    """The best result of each exchange stays, sorted by score, with counts for the trace."""
    answers = ((_turn("a", 3.0), _turn("b", 1.0)), (_turn("a", 2.0, "assistant"), _turn("c", 2.5)))

    result = merge_answers(answers, OPTIONS, 10)

    assert [memory.exchange for memory in result.found] == ["a", "c", "b"]
    assert (result.chunks, result.results, result.distinct) == (2, 4, 3)


def test_merging_by_result_keeps_both_sides_of_an_exchange() -> None:
    """The other strategy only drops the very same result."""
    answers = ((_turn("a", 3.0),), (_turn("a", 2.0, "assistant"), _turn("a", 3.0)))

    result = merge_answers(answers, TopicOptions(merging=Merging.RESULT, per_document=1), 10)

    assert [memory.key for memory in result.found] == ["turn:a:user", "turn:a:assistant"]


def test_weak_results_can_be_left_out() -> None:
    """The least score is a floor."""
    assert merge_answers(((_turn("a", 0.2),),), TopicOptions(least_score=0.5), 10).found == ()
