"""``python -m benchmarks.costs --json``: a month of use, compared with the books of the model server.

Exit code 1 when a token or a cent differs.  The test suite runs it small.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bot.cli import one_thread_per_product
from harness.month import Plan, simulate


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the month of the command line and print its figures."""
    plan = Plan()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.costs", description=__doc__)
    parser.add_argument("--chats", type=int, default=plan.chats)
    parser.add_argument("--messages", type=int, default=plan.messages, help="of each chat a day")
    parser.add_argument("--days", type=int, default=plan.days, help="the month has 31, from the third on")
    parser.add_argument("--seed", type=int, default=plan.seed)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    one_thread_per_product()
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        figures = asyncio.run(simulate(Plan(options.chats, options.messages, options.days, options.seed), Path(folder)))
    if options.json:
        print(json.dumps({**asdict(figures), "agrees": figures.agrees}, indent=2))
    else:
        print(f"{figures.calls} calls, {figures.tokens:,} tokens, {figures.money} of {figures.booked_money} booked")
        print("\n".join(figures.wrong) or "every chat and model agrees with the server's books")
    return 0 if figures.agrees else 1


if __name__ == "__main__":
    sys.exit(main())
