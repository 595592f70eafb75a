"""``python -m benchmarks.promises {leak,order,bounds} --json``: a promise of the joined application at full size.

``leak`` counts words of one chat in anything of another, ``order`` messages that overtook each other; ``bounds`` lets a
backlog grow while the memory server is down.  Exit code 1 when the promise was broken.  The test suite runs each small.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.chaos import bounds, leak, order


@dataclass(frozen=True, slots=True)
class Trial:
    """A promise: its plan, how the plan is run, and whether the figures keep the promise."""

    plan: Callable[..., Any]  # Any: the plans have nothing in common but that they are dataclasses
    run: Callable[[Any, Path], Awaitable[Any]]
    kept: Callable[[Any], bool]


TRIALS = {
    "leak": Trial(leak.Plan, leak.leaks, lambda figures: not figures.leaks),
    "order": Trial(order.Plan, order.inversions, lambda figures: not figures.inversions),
    "bounds": Trial(bounds.Plan, bounds.growth, lambda figures: figures.bounded),
}


def main() -> int:
    """Run the plan of the command line and print its figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.promises", description=__doc__)
    promises = parser.add_subparsers(dest="promise", required=True)
    for name, trial in TRIALS.items():
        options = promises.add_parser(name)
        for option, default in asdict(trial.plan()).items():
            options.add_argument(f"--{option}", type=type(default), default=default)
        options.add_argument("--json", action="store_true", help="one JSON object on one line")
    given = vars(parser.parse_args())
    trial, machine = TRIALS[given.pop("promise")], given.pop("json")
    with tempfile.TemporaryDirectory() as scratch:
        figures = asyncio.run(_run(trial, trial.plan(**given), Path(scratch)))
    shown = {name: round(value, 1) if isinstance(value, float) else value for name, value in asdict(figures).items()}
    print(json.dumps(shown, indent=None if machine else 2))
    return int(not trial.kept(figures))


async def _run(trial: Trial, plan: object, folder: Path) -> Any:  # Any: the figures of the trial
    return await trial.run(plan, folder)


if __name__ == "__main__":
    sys.exit(main())
