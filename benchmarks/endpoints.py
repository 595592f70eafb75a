"""``python -m benchmarks.endpoints``: the wire against servers that were written elsewhere.

The servers are installed the first time, into a cache of the command's own.  A server that cannot be had is told and
left out.  What a server's cache of prompts saves is measured by ``benchmarks.prompt``.
"""

import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path

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
from harness.options import Report, run

_WORD = re.compile(r"[^\W\d_]+")
_WORDS = 4000


async def measure(*, window: int = WINDOW) -> Report:
    """Check both servers; ``window`` is of llama.cpp's, in tokens."""
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
    return {"wire": {name: [asdict(check) for check in each] for name, each in checks.items()}, "missing": missing}


def _list_words() -> str:
    """Return the words that the model knows as tokens of their own: the most frequent ones of this project's pages."""
    pages = (page.read_text(encoding="utf-8") for page in sorted(Path("docs").glob("*.md")))
    counts = Counter(word for page in pages for word in _WORD.findall(page))
    return "\n".join(sorted(counts, key=lambda word: (-counts[word], word))[:_WORDS])


def _fails(report: Report) -> bool:
    return not all(check["ok"] for checks in report["wire"].values() for check in checks)


if __name__ == "__main__":
    run(measure, __doc__, broken=_fails)
