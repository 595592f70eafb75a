"""``python -m benchmarks.prompt_example``: docs/prompt-example.md, one prompt in full from an invented conversation."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bot.cli import one_thread_per_product
from harness.prompt.example import PAGE, build_page


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; 0 when it is written."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompt_example", description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE)
    options = parser.parse_args(arguments)
    one_thread_per_product()
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        page = asyncio.run(build_page(Path(folder)))
    options.out.write_text(page, encoding="utf-8")
    print(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
