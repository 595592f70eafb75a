"""How likely a memory helps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.helpfulness import (
    ANSWERING,
    HELP_FLOOR,
    HELP_FULL,
    HELP_LEXICAL,
    HELP_VECTORS,
    HELPS,
    MAY_ANSWER,
    HelpModel,
    adjust_help,
    choose_help_model,
    estimate_help,
    get_help,
    settle_among_few,
)
from tests.cases import each_row


def estimate(sure: list[float], score: list[float], model: HelpModel = HELP_FULL) -> list[float]:
    """Return the probabilities of a ranking."""
    return list(map(float, estimate_help(np.array(sure), np.array(score), model)))


@each_row("model", [HELP_FULL, HELP_VECTORS, HELP_LEXICAL])
def test_what_is_surer_and_stands_out_is_likelier_to_help(model: HelpModel) -> None:
    """One clear answer among others that are none, whatever of the question could be embedded."""
    clear = estimate([0.97, 0.4, 0.3], [12.0, 6.0, 5.0], model)
    even = estimate([0.97, 0.97, 0.97], [6.0, 6.0, 6.0], model)

    assert clear[0] > even[0] > HELP_FLOOR
    assert clear == sorted(clear, reverse=True)


def test_where_nothing_answers_nothing_helps() -> None:
    """A ranking always has a best; that it is far ahead of the rest does not make it an answer."""
    assert max(estimate([0.01, 0.005, 0.002], [4.0, 1.0, 0.5])) < HELP_FLOOR


def test_nothing_found_is_nothing_to_judge() -> None:
    """An empty ranking has no probabilities."""
    assert estimate([], []) == []


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_less_a_message_asks_the_less_memory_helps(helps: float, one: float, other: float) -> None:
    """In proportion, and a question changes nothing."""
    less, more = sorted((one, other))

    assert adjust_help(helps, less) <= adjust_help(helps, more) + 1e-12
    assert adjust_help(helps, 1.0) == pytest.approx(helps)


def test_results_without_a_certainty_share_as_ranks_do() -> None:
    """Long-term memory alone: the first is taken for a good one."""
    assert [get_help({}, rank) for rank in range(3)] == [0.2, 0.1, pytest.approx(0.2 / 3)]
    assert get_help({HELPS: 0.7}, 2) == 0.7


def test_each_state_of_the_embedding_has_its_model() -> None:
    """Words alone tell less than words and meaning."""
    assert choose_help_model(vector=True, words=True) is HELP_FULL
    assert choose_help_model(vector=True, words=False) is HELP_VECTORS
    assert choose_help_model(vector=False, words=False) is HELP_LEXICAL


def test_a_likely_answer_is_one_among_few_and_a_guess_among_many() -> None:
    assert [settle_among_few(0.3, among) for among in (1, 6, 60)] == [ANSWERING, ANSWERING, 0.3]
    assert settle_among_few(MAY_ANSWER / 2, 1) == MAY_ANSWER / 2
    assert settle_among_few(0.9, 1) == 0.9
