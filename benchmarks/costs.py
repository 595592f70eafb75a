"""``python -m benchmarks.costs --json``: a month of use, compared with the books of the model server.

Exit code 1 when a token or a cent differs.  The test suite runs it small.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks.options import add_fields
from bot.cli import one_thread_per_product
from harness.month import Plan, simulate


def main() -> int:
    """Run the month of the command line and print its figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.costs", description=__doc__)
    add_fields(parser, Plan, messages="of each chat a day", days="the month has 31, from the third on")
    parser.add_argument("--json", action="store_true")
    given = vars(parser.parse_args())
    as_json = given.pop("json")
    one_thread_per_product()
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        figures = asyncio.run(simulate(Plan(**given), Path(folder)))
    if as_json:
        print(json.dumps({**asdict(figures), "agrees": figures.agrees}, indent=2))
    else:
        print(f"{figures.calls} calls, {figures.tokens:,} tokens, {figures.money} of {figures.booked_money} booked")
        print("\n".join(figures.wrong) or "every chat and model agrees with the server's books")
    return 0 if figures.agrees else 1


if __name__ == "__main__":
    sys.exit(main())
