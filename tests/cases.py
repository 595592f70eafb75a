"""Rows of data for one test: thousands of small cases cost more as tests of their own than what they check."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., Any]  # Any: a test takes what it names, and is awaited or not
Row = Any  # one value for one name, a tuple for several


def each_row(names: str | tuple[str, ...], rows: Iterable[Row]) -> Callable[[Test], Test]:
    """Run a test for every row, as ``pytest.mark.parametrize`` does, but as one test that names the rows it fails for.

    Rows share what the test is given: where one would leave something to the next, they are tests of their own.
    """
    keys = (names,) if isinstance(names, str) else names
    cases = [dict(zip(keys, (row,) if isinstance(names, str) else row, strict=True)) for row in rows]

    def decorate(test: Test) -> Test:
        def run(**given: Any) -> None:  # Any: as above
            with _gather() as failures:
                for case in cases:
                    with _note(failures, case):
                        test(**case, **given)

        async def run_awaited(**given: Any) -> None:  # Any: as above
            with _gather() as failures:
                for case in cases:
                    with _note(failures, case):
                        await test(**case, **given)

        runner: Any = wraps(test)(run_awaited if inspect.iscoroutinefunction(test) else run)
        parameters = inspect.signature(test).parameters
        runner.__signature__ = inspect.Signature([one for name, one in parameters.items() if name not in keys])
        tested: Test = runner
        return tested

    return decorate


@contextmanager
def _gather() -> Iterator[list[BaseException]]:
    failures: list[BaseException] = []
    yield failures
    if failures:
        raise BaseExceptionGroup("rows that failed", failures)


@contextmanager
def _note(failures: list[BaseException], case: dict[str, Any]) -> Iterator[None]:
    try:
        yield
    except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001 - told when all rows have had their turn
        failure.add_note(f"in the row {case!r:.1000}")
        failures.append(failure)
