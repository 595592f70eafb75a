"""The ranking itself: exact where it is small, candidates where it is large, certain where it knows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import numpy as np
import pytest

from bot.memory.helpfulness import FULL, HELPS, KNOWN, LEXICAL, VECTORS, Weights, is_known
from bot.memory.items import Channel, Recalled
from bot.memory.overviews import OverviewKind
from bot.memory.ranking import vectors as codes
from bot.memory.ranking.passages import Subject, find_cues
from bot.memory.ranking.postings import Postings
from bot.memory.ranking.ranking import (
    ANSWER,
    RankingQuestion,
    SearchBudget,
    View,
    choose_candidates,
    compute_signals,
    rank,
)
from bot.memory.ranking.transcript import Meaning, Passage, Transcript, Utterance
from bot.memory.ranking.vectors import CodeColumn, encode_vectors, liken
from language.analyser import Analyser

WORDS: Final = Analyser(lambda word: word)
NOW: Final = datetime(2024, 3, 5, tzinfo=UTC)
RANDOM: Final = np.random.default_rng(5)
NO_CODES: Final = encode_vectors(np.zeros((0, 384), np.float32))


def _transcript(*texts: str, session: int = 1) -> Transcript:
    transcript = Transcript()
    for number, text in enumerate(texts, 1):
        piece = Passage(WORDS.keys(text), find_cues(text), len(text.split()))
        at = NOW.timestamp() - 60 * (len(texts) - number)
        transcript.add(Utterance(number, False, 1, "Anna", session, at, (piece,)))
    return transcript


def _question(text: str) -> RankingQuestion:
    return RankingQuestion(text, tuple(dict.fromkeys(WORDS.keys(text))), Subject(), NOW)


def test_the_answer_after_a_question_is_found_through_it() -> None:
    """A turn that shares no word with the question is reached over the turn before it."""
    transcript = _transcript(
        "Nice weather.", "Which instrument does Vera play?", "The cello, of course.", "Good night."
    )

    found = rank(transcript, _question("Which instrument does Vera play?"), Weights(), 2)

    assert {one.row for one in found} == {1, 2}


def test_context_does_not_reach_into_another_session() -> None:
    """Neighbours count within their session only; mutation check: without the comparison of sessions this is red."""
    transcript = Transcript()
    for number, (text, session) in enumerate((("Vera plays the cello", 1), ("Good morning", 2)), 1):
        piece = Passage(WORDS.keys(text), find_cues(text), len(text.split()))
        transcript.add(Utterance(number, False, 1, "Anna", session, NOW.timestamp(), (piece,)))
    view = View(transcript, np.arange(2))

    assert compute_signals(view, _question("cello"))["lexical_before"][1] == 0


def test_all_of_a_long_message_is_what_was_said_before() -> None:
    """An answer is found through what it answers, wherever in a message of several passages that stands.

    Mutation check: with neighbours that are rows instead of utterances this is red.
    """
    transcript = Transcript()
    said = (
        ("Which instrument does Vera play?", "Sleep is healthy.", "So is fruit.", "And fresh air."),
        ("The cello!",),
    )
    for number, texts in enumerate(said, 1):
        pieces = tuple(Passage(WORDS.keys(text), find_cues(text), len(text.split())) for text in texts)
        transcript.add(Utterance(number, len(texts) > 1, 1, "Anna", 1, NOW.timestamp(), pieces))

    found = compute_signals(View(transcript, np.arange(len(transcript))), _question("Vera instrument"))

    assert found["lexical_before"][4] > 0
    assert found["lexical_around"][3] == found["lexical_before"][3] == 0


def _talk(*said: tuple[str, str], sessions: tuple[int, ...] = ()) -> Transcript:
    transcript = Transcript()
    for number, texts in enumerate(said):
        session = sessions[number] if sessions else 1
        for assistant, text in enumerate(texts):
            piece = Passage(WORDS.keys(text), find_cues(text), len(text.split()))
            at = NOW.timestamp() + 60 * number
            transcript.add(Utterance(number, bool(assistant), 1, "Anna", session, at, (piece,)))
    return transcript


def test_a_wish_guides_advice_in_a_talk_with_an_assistant() -> None:
    """What is to be done "always" counts for a request, not for a question about facts, and not for the assistant.

    Mutation check: without the weights of wishes the wish is not the first result.
    """
    talk = _talk(
        ("Always list allergens when I ask about dishes.", "Always, I promise."),
        ("The soup for the party was good", "Dishes like soup are for a party."),
        ("My party was in May", "Nice."),
    )

    asked = rank(talk, _question("How should I cook dishes for the party?"), Weights(), 6)
    known = compute_signals(View(talk, np.arange(len(talk))), _question("When was the party?"))

    assert asked[0].row == 0
    assert talk.talk == 1
    assert not known["wish_wanted"].any()
    assert known["wish"].tolist() == [1, 0, 0, 0, 0, 0]


def test_people_among_themselves_wish_nothing_of_an_assistant() -> None:
    """Where no assistant speaks, wishes and requests are sentences like others."""
    chat = _transcript("Always call before you come.", "Shall I bring cake?")

    found = compute_signals(View(chat, np.arange(2)), _question("How should I come?"))

    assert not any(found[name].any() for name in ("wish", "wish_wanted", "request"))


def test_a_question_over_time_takes_from_every_session() -> None:
    """The fullest session does not take all places; other questions take the best, wherever it is.

    Mutation check: without the discount the second question's order is the first one's.
    """
    said = (("garden", ""), *((f"my garden my garden {word}", "") for word in ("rose", "oak", "fern")))
    talk = _talk(*said, sessions=(1, 2, 2, 2))
    single = RankingQuestion("garden", ("garden",), Subject(), NOW)

    best = [one.row for one in rank(talk, single, Weights(lexical={"lexical": 0.5}), 4)]
    spread = rank(talk, replace(single, overview=OverviewKind.ORDER), Weights(lexical={"lexical": 0.5}), 4)

    assert talk.passages.rows["session"][[one.row for one in spread][:2]].tolist() == [2, 1]
    assert talk.passages.rows["session"][best[:2]].tolist() == [2, 2]
    assert [one.score for one in spread] == sorted((one.score for one in spread), reverse=True)


def test_a_summary_is_of_what_both_sides_said() -> None:
    """The answers count where a talk is summed up; among people nothing does."""
    question = replace(_question("garden"), overview=OverviewKind.SUMMARY)
    talk, chat = _talk(("my garden", "Plant roses."), ("thanks", "Sure.")), _transcript("my garden")

    assert compute_signals(View(talk, np.arange(4)), question)["summed_up"].tolist() == [0, 1, 0, 1]
    assert not compute_signals(View(talk, np.arange(4)), _question("garden"))["summed_up"].any()
    assert not compute_signals(View(chat, np.arange(1)), question)["summed_up"].any()


def test_candidates_find_what_scoring_everything_finds() -> None:
    """Beyond the exact size the first results are the same."""
    texts = [f"turn {number} about topic{number % 97} and word{number % 31}" for number in range(900)]
    transcript = _transcript(*texts)
    question = _question("word7 topic13")
    exact = [one.row for one in rank(transcript, question, Weights(), 10)]

    chosen = [one.row for one in rank(transcript, question, Weights(), 10, budget=SearchBudget(100, 200))]
    hasty = [one.row for one in rank(transcript, question, Weights(), 10, budget=SearchBudget(0, 1))]

    assert chosen == exact
    assert 0 < len(hasty) < 10 or hasty != exact


def test_candidates_are_looked_for_where_the_question_points() -> None:
    """Whom a question is about and the day that it names give candidates that a crowd of better matches leaves out.

    Mutation check: without the subsets both are missed.
    """
    transcript = Transcript()
    crowd = [*["We met the plumber and the plumber again"] * 150, "plumber plumber plumber"] * 2
    for number, text in enumerate(["A plumber came by once", *crowd[:300], "The plumber left", *crowd]):
        author, day = (2, 40) if number == 301 else (1, 90 if number == 0 else 0)
        at = NOW.timestamp() - 86400 * day
        piece = Passage(WORDS.keys(text), find_cues(text), len(text.split()))
        transcript.add(Utterance(number, False, author, "Bea" if author == 2 else "Anna", number, at, (piece,)))
    narrow = SearchBudget(0, 1)

    plain = rank(transcript, _question("plumber"), Weights(), 50, narrow)
    about = rank(transcript, replace(_question("plumber"), subject=Subject(only=1)), Weights(), 50, narrow)
    dated = rank(transcript, replace(_question("plumber"), text="plumber on 6 December"), Weights(), 50, narrow)

    assert not {0, 301} & {one.row for one in plain}
    assert 301 in {one.row for one in about}
    assert 0 in {one.row for one in dated}


def test_a_wish_is_a_candidate_where_advice_is_asked() -> None:
    """It shares no more than a word with what the advice is about, which a crowd of messages is all about.

    Mutation check: without the subset the wish is missed.
    """
    crowd = [("The plumber and the plumber again", "Fine.")] * 400
    talk = _talk(*crowd[:200], ("Always name prices when I ask for a plumber.", "Fine."), *crowd)

    asked = rank(talk, _question("Which plumber should I call?"), Weights(), 10, SearchBudget(0, 1))
    plain = rank(talk, _question("Which plumber came?"), Weights(), 10, SearchBudget(0, 1))

    assert asked[0].row == 400
    assert 400 not in {one.row for one in plain}


def test_a_question_that_nothing_comes_near_finds_nothing_in_a_long_chat() -> None:
    """No word of it was said and no vector is there."""
    assert rank(_transcript("one", "two"), _question("three"), Weights(), 10, budget=SearchBudget(0, 50)) == ()


def test_the_signs_choose_and_the_vectors_decide() -> None:
    """Among many embedded passages the nearest are candidates, also of some rows alone; rows without are none."""
    count = 400
    transcript = _transcript(*(f"turn {number}" for number in range(count + 1)))
    made = RANDOM.standard_normal((count, 384))
    made /= np.abs(made).max(axis=1, keepdims=True)
    for number, vector in enumerate(made):
        scale = 1 / np.linalg.norm(np.round(127 * vector))
        meaning = Meaning(np.round(127 * vector).astype(np.int8), float(scale), encode_vectors(vector[None]), NO_CODES)
        transcript.embed([(number + 1, False, (meaning,))])
    asked = (made[123] / np.linalg.norm(made[123])).astype(np.float32)
    question = replace(_question("nothing"), vector=asked)

    chosen = choose_candidates(transcript, question, SearchBudget(0, 2))
    best = rank(transcript, question, Weights(vectors={"dense": 1}), 1, SearchBudget(0, 2))

    assert 123 in chosen
    assert len(chosen) <= 2 * 7
    assert best[0].row == 123


def test_vectors_are_read_in_the_order_of_their_rows() -> None:
    """Nothing is read of a row without one, and what has none is like nothing."""
    transcript, made = _transcript("one", "two", "three"), 9 * np.eye(384, dtype=np.int8)
    for number in (3, 1):
        transcript.embed([(number, False, (Meaning(made[number], 1 / 9, NO_CODES, NO_CODES),))])

    third, second, first = transcript.read_vectors([2, 1, 0])

    assert liken(third, [third, second, first]) == pytest.approx([1, 0, 0])
    assert second == b""


def test_rows_are_scored_alike_alone_and_among_all() -> None:
    """What a few rows score for words is what they score when every row is scored, rare and frequent words alike."""
    transcript = _transcript(*(f"turn {number % 3} about about topic{number % 50}" for number in range(200)))
    keys, rows = ("about", "topic7", "nowhere"), np.array([7, 8, 57, 199])
    postings = transcript.postings

    alone, among = postings.matches(keys, rows), postings.matches(keys)[:, rows]

    assert np.array_equal(alone, among)
    assert np.allclose(postings.score(keys), postings.weigh(keys)[0] @ postings.matches(keys))


def test_the_best_passage_stands_for_its_message() -> None:
    """A message of several passages is one result."""
    transcript = Transcript()
    pieces = tuple(Passage(WORDS.keys(text), find_cues(text), 3) for text in ("nothing here", "the cello stands here"))
    transcript.add(Utterance(1, True, 0, "", 1, NOW.timestamp(), pieces))

    (found,) = rank(transcript, _question("cello"), Weights(), 10)

    assert transcript.locate([found.row])[0][2] == 1


def test_every_result_says_what_carried_it() -> None:
    """The contributions are sorted and the certainties come first."""
    (found,) = rank(_transcript("the cello stands here"), _question("cello"), Weights(), 10)

    names = list(found.signals)
    shares = [found.signals[name] for name in names[2:]]

    assert names[:2] == [KNOWN, HELPS]
    assert shares == sorted(shares, reverse=True)


def test_a_question_about_nothing_known_is_uncertain() -> None:
    """What shares nothing with the memory falls below the floor; what stands in it does not."""
    transcript = _transcript("I play the cello.", "We moved to Porto.", "The roof leaks.")

    def known(text: str) -> bool:
        found = rank(transcript, _question(text), Weights(), 10)
        return is_known([Recalled("k", "t", Channel.TURN, one.score, signals=one.signals) for one in found])

    assert known("Who does play the cello?")
    assert not known("What is the airspeed of swallows?")
    assert not is_known([])


def test_weights_name_signals_that_exist() -> None:
    """A renamed signal cannot silently lose its weight."""
    names = set(compute_signals(View(_transcript("word"), np.arange(1)), _question("word")))

    for weights in (FULL, VECTORS, LEXICAL):
        assert set(weights) <= names


def test_sign_codes_keep_near_things_near() -> None:
    """A noisy copy is nearer than a stranger; a row without codes gets the mean."""
    vectors = RANDOM.standard_normal((3, 384)).astype(np.float32)
    column = CodeColumn()
    column.extend([2, 0], [encode_vectors(vectors[:1] + 0.1), encode_vectors(vectors[1:])])

    similar = column.nearest(np.array([0, 1, 2]), vectors[:1])[0]

    assert similar[2] > 0.8 > similar[0]
    assert similar[1] == pytest.approx((similar[0] + similar[2]) / 2)


def test_a_code_is_nearly_as_good_as_the_vector() -> None:
    """Similarities from two bits per coordinate follow the cosine closely, large coordinates included."""
    stored, asked = RANDOM.standard_normal((40, 384)).astype(np.float32), RANDOM.standard_normal((1, 384))
    mixed = (stored + np.linspace(0, 3, 40)[:, None] * asked).astype(np.float32)
    column = CodeColumn()
    column.extend(range(len(mixed)), [encode_vectors(vector[None]) for vector in mixed])

    similar = column.nearest(np.arange(40), asked.astype(np.float32))[0]
    cosine = (mixed @ asked[0]) / np.linalg.norm(mixed, axis=1) / np.linalg.norm(asked)

    assert np.corrcoef(similar, cosine)[0, 1] > 0.99
    assert np.abs(similar - cosine).max() < 0.2


def test_many_codes_are_compared_by_their_signs_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one word of a passage is near, its similarity is the same as by comparing every word in full."""
    column = CodeColumn()
    asked = RANDOM.standard_normal((3, 384)).astype(np.float32)
    for row in range(30):
        words = RANDOM.standard_normal((9, 384)).astype(np.float32)
        words[row % 9] += asked[row % 3]
        column.extend([row], [encode_vectors(words)])
    exact = column.nearest(np.arange(30), asked)

    monkeypatch.setattr(codes, "_EXACT_CODES", 0)
    by_sign = column.nearest(np.arange(30), asked)

    near = exact > 0.5
    assert near.sum() == 30
    assert np.allclose(by_sign[near], exact[near])


def test_a_question_stands_beside_its_answer() -> None:
    """A turn that asks gains from the better one after it, and the gain is told; other turns gain nothing."""
    transcript = _transcript("Shall we?", "The cello sounds like a voice.", "What is that?", "Rain.")

    found = {one.row: one for one in rank(transcript, _question("cello voice"), Weights(), 4)}

    assert found[0].signals[ANSWER] > 0
    assert ANSWER not in found[1].signals
    assert found[1].score > found[0].score


def test_rows_may_be_embedded_in_any_order_and_once() -> None:
    """Meanings that come late or twice end where they belong."""
    transcript = _transcript("one", "two")
    meaning = Meaning(
        np.ones(384, dtype=np.int8),
        0.01,
        encode_vectors(np.ones((1, 384), np.float32)),
        encode_vectors(np.ones((1, 384), np.float32)),
    )

    assert transcript.embed([(2, False, (meaning,))]) == 1
    assert transcript.embed([(1, False, (meaning,)), (9, False, (meaning,)), (1, False, (meaning,))]) == 1
    assert transcript.embed([(1, False, (meaning,))]) == 0
    assert transcript.vectors[2].tolist() == [1, 0]


def test_length_normalisation_follows_the_lengths() -> None:
    """Among turns of like length it is weak, among mixed lengths strong; an empty index is harmless."""
    even, mixed = Postings(), Postings()
    for number in range(50):
        even.add(["word"] * 10)
        mixed.add(["word"] * (200 if number % 10 == 0 else 5))

    assert even.b == 0.4
    assert mixed.b > 0.6
    assert Postings().matches(("word",)).shape == (1, 0)


def test_an_empty_transcript_ranks_nothing() -> None:
    """And a question without content words still gives an answer."""
    assert rank(Transcript(), _question("word"), Weights(), 5) == ()
    assert len(rank(_transcript("a", "b"), _question("?"), Weights(), 5)) == 2
