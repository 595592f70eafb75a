"""``python -m benchmarks.lightrag_clients [--python PATH] [--json]``: other people's clients against a real server.

``--python`` is a Python in which the programs are installed (``pip install ollama lightrag-mcp "mcp<2"``).
Exit code 1 when a call failed; one that the server refuses in words is shown and does not count as failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from harness.lightrag_clients import run


def main() -> int:
    """Print what became of each call."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lightrag_clients", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="a Python in which the programs are installed")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcomes = asyncio.run(run(given.python, Path(folder)))
    if given.json:
        counts = Counter(outcome.result for outcome in outcomes)
        print(json.dumps({"counts": counts, "calls": [asdict(outcome) for outcome in outcomes]}, indent=1))
    else:
        table = Table("client", "version", "call", "result", "why")
        for outcome in outcomes:
            table.add_row(outcome.client, outcome.version, outcome.call, outcome.result, outcome.said)
        Console().print(table)
    return int(any(outcome.result == "failed" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
