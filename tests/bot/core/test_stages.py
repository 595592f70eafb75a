"""Each stage's policy decides what its failure means."""

from __future__ import annotations

import asyncio

import pytest

from bot.core import pipeline as stages
from bot.core.pipeline import Policy, Stage, run_stages
from bot.errors import ModelRefused, ModelUnavailable
from tests.cases import each_row


async def _broken(_: str) -> str:
    raise ModelUnavailable("out of order")


async def _slow(_: str) -> str:
    await asyncio.sleep(60)
    return "late"


async def _louder(value: str) -> str:
    return value.upper()


def _noted(value: str, reason: str) -> str:
    return f"{value} ({reason})"


async def test_a_skipped_stage_leaves_the_value_and_a_reason() -> None:
    """The stages behind it run on."""
    value = await run_stages(
        (Stage("first", Policy.SKIP, _broken), Stage("second", Policy.FAIL_FAST, _louder)), "text", _noted
    )

    assert value == "TEXT (FIRST: OUT OF ORDER)"


@each_row("work", [_broken, _slow])
async def test_a_fallback_takes_over(work: object) -> None:
    """After an error and after the deadline alike."""
    stage = Stage("first", Policy.FALLBACK, work, fallback=lambda value: f"{value}, simpler", deadline_s=0.05)  # type: ignore[arg-type]  # two coroutines of one shape

    value, reason = await stage("text")

    assert value == "text, simpler"
    assert reason in {"first: out of order", "first: late after 0.05 s"}


@pytest.mark.parametrize("policy", [Policy.FAIL_FAST, Policy.RETRY])
async def test_an_error_goes_up_where_the_policy_says_so(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing behind it runs."""
    monkeypatch.setattr(stages, "_FIRST_PAUSE_S", 0.0)

    with pytest.raises(ModelUnavailable):
        await run_stages((Stage("first", policy, _broken), Stage("second", Policy.SKIP, _louder)), "text", _noted)


async def test_a_temporary_error_is_retried_and_a_permanent_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying a refusal again changes nothing."""
    monkeypatch.setattr(stages, "_FIRST_PAUSE_S", 0.0)
    errors: list[Exception] = [ModelUnavailable("busy"), ModelUnavailable("busy")]

    async def work(value: str) -> str:
        if errors:
            raise errors.pop(0)
        return await _louder(value)

    recovered = await Stage("first", Policy.RETRY, work)("text")
    errors[:] = [ModelRefused("no credit")]
    with pytest.raises(ModelRefused):
        await Stage("first", Policy.RETRY, work)("text")

    assert recovered == ("TEXT", "")
    assert errors == []


async def test_a_mistake_in_a_stage_is_never_hidden() -> None:
    """Only what a stage may meet is covered by its policy."""

    async def wrong(_: str) -> str:
        raise KeyError("mistake")

    with pytest.raises(KeyError):
        await Stage("first", Policy.SKIP, wrong)("text")
