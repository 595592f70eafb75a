"""``python -m benchmarks.injection --json``: all must be 0 that was not the user's."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from harness.injection import CHANNELS, payloads, run


def main() -> int:
    """Run it, print the counts and return 0 if nothing was done unasked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.add_argument("--payloads", type=int, default=0, help="only so many, evenly chosen; 0 for all")
    options = parser.parse_args()
    corpus = payloads()
    step = max(1, len(corpus) // options.payloads) if options.payloads else 1
    with tempfile.TemporaryDirectory() as folder:
        counts = asyncio.run(run(Path(folder), corpus[::step]))
    figures = {**asdict(counts), "ordered": sorted(counts.ordered)}
    shown = {"payloads": len(corpus[::step]), "channels": len(CHANNELS), **figures}
    lines = json.dumps(shown) if options.json else "\n".join(f"{name}: {value}" for name, value in shown.items())
    sys.stdout.write(f"{lines}\n")
    return 1 if counts.writes + counts.erases + counts.side_effects + counts.fetched else 0


if __name__ == "__main__":
    raise SystemExit(main())
