"""A fact at the beginning, in the middle or at the end of a long chunk: its rank among what is found.

    python -m benchmarks.memory_server.long_chunks --documents 40 --model-dir DIR --json

Per mode and place: how many chunks with the fact stand first, how many are found at all, and of how many.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from pathlib import Path

import structlog

from adapters.embedding.minilm import MiniLmEmbedder
from harness.memory_server.long_chunks import Ranks, measure


async def _main(count: int, models: Path) -> dict[str, dict[str, Ranks]]:
    embedder = MiniLmEmbedder(models)
    await embedder.prepare(lambda said: print(said, file=sys.stderr))
    with tempfile.TemporaryDirectory() as folder:
        try:
            return await measure(Path(folder), embedder, count)
        finally:
            embedder.close()


def main() -> None:
    """Parse the command line and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--model-dir", type=Path, default=Path(sys.prefix) / "share" / "mneme")
    parser.add_argument("--json", action="store_true", help="print JSON (the default output is the same, indented)")
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    logging.getLogger("lightrag").setLevel(logging.ERROR)
    found = asyncio.run(_main(asked.documents, asked.model_dir))
    plain = {
        mode: {place: [r.first, r.found, r.asked] for place, r in places.items()} for mode, places in found.items()
    }
    print(json.dumps(plain, indent=None if asked.json else 2))


if __name__ == "__main__":
    main()
