"""``python -m benchmarks.promises {leak,order,bounds,costs} --json``: a promise of the joined application at full size.

``leak`` counts words of one chat in anything of another, ``order`` messages that overtook each other; ``bounds`` lets a
backlog grow while the memory server is down; ``costs`` compares a month of use with the books of the model server.
Exit code 1 when the promise was broken.  The test suite runs each small.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.options import add_fields
from bot.cli import one_thread_per_product
from harness import month
from harness.chaos import bounds, leak, order

TRIALS: dict[str, tuple[type[Any], Callable[[Any, Path], Coroutine[Any, Any, Any]], str]] = {
    "leak": (leak.Plan, leak.leaks, "leaks"),
    "order": (order.Plan, order.inversions, "inversions"),
    "bounds": (bounds.Plan, bounds.growth, "unbounded"),
    "costs": (month.Plan, month.simulate, "wrong"),
}
"""By name: the plan, how it is run, and which of the figures has to be nothing."""


def main() -> int:
    """Run the plan of the command line and print its figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.promises", description=__doc__)
    promises = parser.add_subparsers(dest="promise", required=True)
    for name, (plan, _, _) in TRIALS.items():
        options = promises.add_parser(name)
        add_fields(options, plan)
        options.add_argument("--json", action="store_true", help="one JSON object on one line")
    given = vars(parser.parse_args())
    (plan, run, broken), as_json = TRIALS[given.pop("promise")], given.pop("json")
    one_thread_per_product()
    with tempfile.TemporaryDirectory() as scratch:
        figures = asyncio.run(run(plan(**given), Path(scratch)))
    shown = {name: round(value, 1) if isinstance(value, float) else value for name, value in asdict(figures).items()}
    print(json.dumps(shown, indent=None if as_json else 2))
    return int(bool(getattr(figures, broken)))


if __name__ == "__main__":
    sys.exit(main())
