"""How long each view of the page takes over a memory of many exchanges: ``python -m benchmarks.page``.

Answers are timed at the web server, from the first byte of the request to the last of the page; the first of each view
is told apart, as it fills what is kept between views.
"""

import statistics
import time
from pathlib import Path

from adapters.page.gate import Visitor
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from harness.application import NO_RAG, run_console
from harness.options import Report, run
from harness.page import Circle, fill, open_page

_SCOPE = Scope("tu42")
_AT_ONCE = 200
_VIEWS = (
    "timeline", "timeline?month=2024-06", "turn/p100", "people", "people?q=vera", "people/1", "memories",
    "memories?kind=preference", "memories?q=Lisbon", "memories/5", "search?q=Who+works+at+Calder+Bank%3F", "forgotten",
    "documents", "costs",
)  # fmt: skip


async def measure(folder: Path, *, exchanges: int = 100_000, people: int = 500, rounds: int = 5) -> Report:
    """Return for each view the first time, the median of the others and the processor's time, in milliseconds."""
    figures = {}
    async with run_console(folder, NO_RAG) as chat, open_page(chat.app.parts) as page:
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


if __name__ == "__main__":
    run(measure, __doc__)
