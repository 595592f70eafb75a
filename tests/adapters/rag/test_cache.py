"""The cache of answers: the same question is not asked twice within a moment."""

from __future__ import annotations

from adapters.rag.query import QueryCache
from bot.ports.rag import QueryMode, RagAnswer
from tests.adapters.rag.fixtures import ANNA, BORIS

_ANSWER = RagAnswer(chars=7)


def test_an_answer_is_found_again_by_its_scope_alone() -> None:
    """The same question of another scope, or in another mode, is another question."""
    cache = QueryCache(8, lambda: 60, lambda: 0.0)
    cache.put(cache.key(ANNA, QueryMode.MIX, "where?", 20), _ANSWER)

    found = [
        cache.get(cache.key(scope, mode, "where?", 20))
        for scope, mode in ((ANNA, QueryMode.MIX), (ANNA, QueryMode.LOCAL), (BORIS, QueryMode.MIX))
    ]

    assert found == [_ANSWER, None, None]


def test_answers_age_and_are_bounded() -> None:
    """An answer lives for its time to live, and the longest unused makes room."""
    now = 0.0
    cache = QueryCache(2, lambda: 60, lambda: now)
    keys = [cache.key(ANNA, QueryMode.MIX, f"question {n}", 20) for n in range(3)]
    for key in keys:
        cache.put(key, _ANSWER)
    fresh = [cache.get(key) for key in keys]
    now = 61.0

    assert fresh == [None, _ANSWER, _ANSWER]
    assert cache.get(keys[1]) is None


def test_an_answer_that_comes_after_the_erase_is_not_kept() -> None:
    """A question asked before an erase and answered after it does not bring back what was erased.

    Mutation check: without the epoch in ``put`` the old answer is served.
    """
    cache = QueryCache(8, lambda: 60, lambda: 0.0)
    asked = cache.key(ANNA, QueryMode.MIX, "where?", 20)
    cache.forget(ANNA)
    cache.put(asked, _ANSWER)

    assert cache.get(asked) is None
    assert cache.get(cache.key(ANNA, QueryMode.MIX, "where?", 20)) is None


def test_a_time_to_live_of_zero_keeps_nothing() -> None:
    """``rag.cacheSeconds`` 0 means that every question is asked."""
    cache = QueryCache(8, lambda: 0, lambda: 0.0)
    key = cache.key(ANNA, QueryMode.MIX, "where?", 20)
    cache.put(key, _ANSWER)

    assert cache.get(key) is None
