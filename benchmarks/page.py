"""How long each view of the page takes over a memory of many exchanges: ``python -m benchmarks.page``.

Answers are timed at the web server, from the first byte of the request to the last of the page; the first of each view
is told apart, as it fills what is kept between views.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from adapters.page.gate import Visitor
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from harness.application import NO_RAG, run_console
from harness.page import Circle, fill, open_page

_SCOPE = Scope("tu42")
_AT_ONCE = 200
_VIEWS = (
    "timeline", "timeline?month=2024-06", "turn/p5000", "people", "people?q=vera", "people/1", "memories",
    "memories?kind=preference", "memories?q=Lisbon", "memories/5", "search?q=Who+works+at+Calder+Bank%3F", "forgotten",
    "documents", "costs",
)  # fmt: skip


async def measure(exchanges: int, people: int, rounds: int) -> dict[str, dict[str, float]]:
    """Return for each view the first time, the median of the others and the processor's time, in milliseconds."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        async with run_console(Path(folder), NO_RAG) as chat, open_page(chat.app.parts) as page:
            await fill(chat.app.parts, Circle.of(people), exchanges, _SCOPE, every=4, at_once=_AT_ONCE)
            await chat.app.parts.housekeeping.catch_up()
            async with page.visit(Visitor((_SCOPE,), Reader(42, "Anna", alone=True))) as visitor:
                for view in _VIEWS:
                    times, work = [], time.process_time()
                    for _ in range(rounds + 1):
                        began = time.perf_counter()
                        found = await visitor.get(f"/m/tu42/{view}")
                        times.append((time.perf_counter() - began) * 1000)
                        if found.status_code != 200:  # noqa: PLR2004 - HTTP's own
                            raise SystemExit(f"{view}: {found.status_code}")
                    figures[view] = {
                        "first": round(times[0], 1),
                        "median": round(statistics.median(times[1:]), 1),
                        "cpu": round((time.process_time() - work) * 1000 / (rounds + 1), 1),
                    }
    return figures


def main() -> None:
    """Print a line per view."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exchanges", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    figures = asyncio.run(measure(chosen.exchanges, chosen.people, chosen.rounds))
    if chosen.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"{chosen.exchanges} exchanges, {chosen.people} people: ms, first, median of {chosen.rounds}, processor")
    for view, times in figures.items():
        print(f"{view:45} {times['first']:8.1f} {times['median']:8.1f} {times['cpu']:8.1f}")


if __name__ == "__main__":
    main()
