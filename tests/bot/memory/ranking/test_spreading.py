"""Results are taken by turns from the stretches of talk that they were said in."""

from __future__ import annotations

from datetime import timedelta

from bot.memory.items import Channel, Recalled
from bot.memory.ranking.fusion import spread_over_sessions
from harness.samples import NOON


def found(key: str, score: float, *, day: float | None = 0, role: str = "assistant") -> Recalled:
    """A turn of a day."""
    at = None if day is None else NOON + timedelta(days=day)
    return Recalled(key, key, Channel.TURN, score, role=role, said_at=at, exchange=key)


def test_a_day_of_many_words_does_not_crowd_out_the_others() -> None:
    talk = (*(found(f"a{n}", 10 - n / 10) for n in range(8)), found("b", 8.0, day=3), found("c", 7.9, day=9))
    assert {one.key for one in spread_over_sessions((*talk, found("z", 0.0, day=20)))[:4]} >= {"a0", "b", "c"}


def test_messages_of_one_conversation_are_one_session() -> None:
    talk = (found("a", 9.0), found("b", 8.9, day=0.05), found("c", 8.0, day=5), found("z", 0.0, day=9))
    assert [one.key for one in spread_over_sessions(talk)][:2] == ["a", "c"]


def test_what_the_user_told_is_worth_more_than_what_was_answered() -> None:
    talk = (found("a", 9.0), found("u", 8.7, role="user"), found("z", 0.0, day=9))
    assert spread_over_sessions(talk)[0].key == "u"


def test_nothing_is_lost_and_scores_stay() -> None:
    talk = tuple(found(f"a{n}", 10.0 - n, day=None if n % 2 else n) for n in range(200))
    assert sorted(one.key for one in spread_over_sessions(talk)) == sorted(one.key for one in talk)
    assert {one.key: one.score for one in spread_over_sessions(talk)} == {one.key: one.score for one in talk}
    assert spread_over_sessions(()) == ()
