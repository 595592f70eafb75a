"""``python -m benchmarks.memory_server.kills --kills 1000``: texts that a memory server loses when it is killed."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

from harness.memory_server.kills import MOST_MINUTES, run


def main() -> int:
    """Parse the command line, run and print; 1 if anything was lost, stored twice or damaged."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory_server.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=MOST_MINUTES, help="stop killing after so long")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tally = asyncio.run(run(Path(folder), asked.kills, asked.seed, asked.minutes))
    print(
        json.dumps(
            {
                "kills": tally.kills,
                "acknowledged": len(tally.acknowledged),
                "lost": tally.lost,
                "double": tally.double,
                "unclean_workspaces": tally.unclean,
                "seed": asked.seed,
            }
        )
    )
    return int(tally.lost + tally.double + tally.unclean > 0)


if __name__ == "__main__":
    sys.exit(main())
