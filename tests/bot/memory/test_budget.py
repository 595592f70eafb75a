"""Token estimates and trimming."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from language.tokens import CUT_MARK, count_left_out, count_tokens, shorten
from tests.cases import each_row


@each_row(
    ("text", "low", "high"),
    [
        ("", 0, 0),
        ("My sister Vera lives in Porto.", 7, 11),  # 8 in cl100k
        ("Моя сестра Вера живёт в Порту.", 11, 18),  # 13 in cl100k
        ("My booking code is 567-G0.", 7, 11),
        ("def main(argv: list[str]) -> int:", 10, 16),
    ],
)
def test_the_estimate_is_near_and_not_below_what_tokenizers_count(text: str, low: int, high: int) -> None:
    """English, Russian, codes and program text."""
    assert low <= count_tokens(text) <= high


@given(st.text(max_size=300), st.text(max_size=50))
def test_more_text_never_costs_less(text: str, more: str) -> None:
    """Budgets can add up."""
    assert count_tokens(text) <= count_tokens(text + more)
    assert count_tokens(text + more) <= count_tokens(text) + count_tokens(more)


@given(st.text(max_size=400), st.integers(min_value=0, max_value=60))
def test_a_shortened_text_keeps_the_budget(text: str, limit: int) -> None:
    """Whatever the text, the result fits, and it is a beginning of the text plus the mark."""
    short = shorten(text, limit)

    assert count_tokens(short) <= limit
    assert short in (text, "") or text.startswith(short.removesuffix(CUT_MARK))


def test_the_cut_is_at_a_sentence_and_marked() -> None:
    """A reader sees whole sentences and that there was more."""
    text = "The first sentence stands. The second one is here as well. The third is cut away because it is long."

    assert shorten(text, 22) == "The first sentence stands. The second one is here as well. […]"


def test_a_long_sentence_is_cut_at_a_word() -> None:
    """No half words when there are spaces."""
    short = shorten("word " * 200, 30)

    assert short.endswith("word […]")


@given(st.lists(st.integers(min_value=0, max_value=500), max_size=60), st.integers(min_value=0, max_value=2000))
def test_what_is_kept_fits_and_nothing_is_left_out_without_need(costs: list[int], budget: int) -> None:
    """Whatever the entries cost; and no less than half the budget is used but for the last entry left out."""
    left_out = count_left_out(costs, budget)
    kept = sum(costs[left_out:])

    assert kept <= budget
    assert (left_out == 0) == (sum(costs) <= budget)
    if left_out:
        assert kept + costs[left_out - 1] + 1 >= budget // 2


@given(st.lists(st.integers(min_value=1, max_value=100), min_size=60, max_size=120))
def test_the_beginning_moves_in_steps_of_half_a_budget(costs: list[int]) -> None:
    """Entry by entry it stays where it is, never goes back, and moves no oftener than half budgets are filled."""
    begins = [count_left_out(costs[:size], 1000) for size in range(len(costs) + 1)]
    moves = sum(before != now for before, now in pairwise(begins))

    assert begins == sorted(begins)
    assert moves <= max(sum(costs) - 1000, 0) // 500 + 1
