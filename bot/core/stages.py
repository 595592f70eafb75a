"""Steps of a longer piece of work, each of which says where it is declared what its failure means.

Systems have a policy for the turn (:class:`~bot.ports.system.OnError`); a stage has one for what it works on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

import stamina

from bot.errors import MnemeError, Temporary

T = TypeVar("T")

_FIRST_PAUSE_S = 0.2


class Policy(StrEnum):
    """What the failure of a stage means: an error of :class:`~bot.errors.MnemeError`, or its deadline."""

    FAIL_FAST = "fail fast"
    """The error goes to whoever runs the stages; those behind it do not run."""
    RETRY = "retry"
    """A temporary error is tried again with growing pauses; the last one goes on as with ``FAIL_FAST``."""
    SKIP = "skip"
    """Go on with what there was before the stage."""
    GRACEFUL = "graceful"
    """The stage itself keeps what it has by its deadline; only when it has nothing this is ``SKIP``."""
    FALLBACK = "fallback"
    """Go on with what the stage's fallback makes of what there was before."""


@dataclass(frozen=True, slots=True)
class Stage(Generic[T]):
    """One step from a value to the next.

    ``deadline_s`` bounds one attempt, ``None`` not at all; ``attempts`` counts for ``RETRY`` alone.
    """

    name: str
    policy: Policy
    work: Callable[[T], Awaitable[T] | T]
    fallback: Callable[[T], T] | None = None
    deadline_s: float | None = None
    attempts: int = 3

    async def __call__(self, value: T) -> tuple[T, str]:
        """Return the new value, and why the stage did not do its work ("" when it did).

        Raises :class:`~bot.errors.MnemeError` (or ``TimeoutError``) where the policy says so; anything else is a
        mistake in the stage and always goes up.
        """
        try:
            return await self._tried(value), ""
        except (MnemeError, TimeoutError) as error:
            if self.policy in (Policy.FAIL_FAST, Policy.RETRY):
                raise
            reason = f"{self.name}: {error}" if str(error) else f"{self.name}: late after {self.deadline_s:g} s"
        if self.policy is Policy.FALLBACK and self.fallback is not None:
            return self.fallback(value), reason
        return value, reason

    async def _tried(self, value: T) -> T:
        # A context and not a decorated call: stamina logs the arguments of calls.
        async for attempt in stamina.retry_context(
            on=(Temporary, TimeoutError),
            attempts=self.attempts if self.policy is Policy.RETRY else 1,
            timeout=None,
            wait_initial=_FIRST_PAUSE_S,
            wait_jitter=_FIRST_PAUSE_S,
        ):
            with attempt:
                return await self._once(value)
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, value: T) -> T:
        async with asyncio.timeout(self.deadline_s):
            done = self.work(value)
            return await done if isinstance(done, Awaitable) else done


async def run_stages(stages: Sequence[Stage[T]], value: T, failed: Callable[[T, str], T]) -> T:
    """Run ``stages`` in order; ``failed`` is given the value and the reason where a stage did not do its work."""
    for stage in stages:
        value, reason = await stage(value)
        if reason:
            value = failed(value, reason)
    return value
