"""``python -m benchmarks.endpoints``: the wire against servers that were written elsewhere.

The servers are installed the first time, into a cache of the command's own.  A server that cannot be had is told and
left out.  What a server's cache of prompts saves is measured by ``benchmarks.prompt``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from harness.endpoints.servers import (
    LITELLM_KEY,
    MODEL,
    WINDOW,
    Check,
    Missing,
    check_litellm,
    check_llama,
    find_cache,
    run_litellm,
    run_llama,
)

_WORD = re.compile(r"[^\W\d_]+")
_WORDS = 4000


def main() -> int:
    """Check and print; 1 when a check failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endpoints", description=__doc__)
    parser.add_argument("--json", action="store_true", help="every check as JSON")
    parser.add_argument("--window", type=int, default=WINDOW, help="tokens that llama.cpp's server is started with")
    options = parser.parse_args()
    checks, missing = asyncio.run(_run(options.window))
    if options.json:
        found = {name: [asdict(check) for check in each] for name, each in checks.items()}
        print(json.dumps({"wire": found, "missing": missing}))
    else:
        table = Table("server", "check", "", "what was seen")
        for name, each in checks.items():
            for check in each:
                table.add_row(name, check.name, "ok" if check.ok else "FAILED", check.seen)
        for name, reason in missing.items():
            table.add_row(name, "", "left out", reason)
        Console().print(table)
    return int(any(not check.ok for each in checks.values() for check in each))


async def _run(window: int) -> tuple[dict[str, list[Check]], dict[str, Any]]:  # Any: JSON
    cache = find_cache()
    cache.mkdir(parents=True, exist_ok=True)
    checks: dict[str, list[Check]] = {}
    missing = {}
    try:
        async with run_litellm(cache) as address:
            checks["litellm"] = await check_litellm(address, LITELLM_KEY)
    except Missing as error:
        missing["litellm"] = str(error)
    try:
        async with run_llama(cache, _list_words(), window=window) as address:
            checks["llama.cpp"] = await check_llama(address, MODEL, window)
    except Missing as error:
        missing["llama.cpp"] = str(error)
    return checks, missing


def _list_words() -> str:
    """Return the words that the model knows as tokens of their own: the most frequent ones of this project's pages."""
    pages = (page.read_text(encoding="utf-8") for page in sorted(Path("docs").glob("*.md")))
    counts = Counter(word for page in pages for word in _WORD.findall(page))
    return "\n".join(sorted(counts, key=lambda word: (-counts[word], word))[:_WORDS])


if __name__ == "__main__":
    sys.exit(main())
