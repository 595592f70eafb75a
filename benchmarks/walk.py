"""``python -m benchmarks.walk [--json]``: files that a message, a file, a setting and ``/forget`` pass through.

Each is done once before it is counted, so that imports and first uses are not part of it; what comes again by the clock
whether somebody does something or not (jobs of the schedule) rests meanwhile.  A change is a call or return
after which another file of the project runs than before, in each thread by itself; a coroutine that is suspended and
goes on is still in the same place for a reader.
"""

import argparse
import asyncio
import dis
import json
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from harness.application import NO_RAG, run_console

ROOT = Path(__file__).resolve().parent.parent
_TOLD = ("My sister Vera lives in Porto.", "My brother Max lives in Riga.")
_FILES = {"lease.md": "# Lease\n\nThe notice is three months.\n", "boiler.md": "# Boiler\n\nBleed it in May.\n"}
_SETTLED_S = 3.0
"""Time for work beside the conversation, before and after: it begins two seconds after the start."""


@cache
def _file(code: CodeType) -> str:
    name = code.co_filename.removeprefix(f"{ROOT}/")
    return name if name.startswith(("bot/", "systems/", "adapters/", "language/")) else ""


class Recorder:
    """A profile function that notes which file of the project runs, in every thread, while something is walked."""

    def __init__(self) -> None:
        self._steps: defaultdict[int, list[str]] | None = None

    async def walk(
        self, act: Callable[[], Awaitable[object] | None]
    ) -> dict[str, Any]:  # Any: numbers, and lists of them
        """Return the files that ran until ``act`` was done and settled, and the pairs by changes between them."""
        await asyncio.sleep(_SETTLED_S)
        steps: defaultdict[int, list[str]] = defaultdict(list)
        self._steps = steps
        if (going_on := act()) is not None:
            await going_on
        await asyncio.sleep(_SETTLED_S)
        self._steps = None
        places = [[name for name, _ in groupby(thread)] for thread in steps.values()]
        entered = Counter(name for thread in places for name in thread)
        pairs = Counter((min(pair), max(pair)) for thread in places for pair in pairwise(thread))
        most = [[count, *pair] for pair, count in pairs.most_common(60)]
        return {"files": len(entered), "changes": pairs.total(), "entered": dict(entered.most_common()), "pairs": most}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Note the file that runs after a call or a return of :func:`sys.setprofile`."""
        if self._steps is None or event not in {"call", "return"} or not _file(frame.f_code):
            return
        code, at = frame.f_code.co_code, frame.f_lasti
        goes_on = dis.opname[code[at]] == "RESUME" and code[at + 1] != 0
        if goes_on if event == "call" else dis.opname[code[at]] == "YIELD_VALUE":
            return
        running: FrameType | None = frame if event == "call" else frame.f_back
        while running is not None and not _file(running.f_code):
            running = running.f_back
        if running is not None:
            self._steps[threading.get_ident()].append(_file(running.f_code))


async def walks(folder: Path) -> dict[str, dict[str, Any]]:  # Any: see Recorder.walk
    """Walk through a running bot: a question, a reminder, a document, a toggle in runtime-config.json, ``/forget``."""
    recorder = Recorder()
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    async with run_console(folder) as bot:
        bot.app.rest()
        for text in (*_TOLD, "/new", "Where does my brother live?"):
            await bot.say(text)
        question = await recorder.walk(lambda: bot.say("Where does my sister live?"))
        await bot.say("/forget Riga")
        forget = await recorder.walk(lambda: bot.say("/forget Porto"))
        await bot.say("Remind me tomorrow at 8 to water the ferns")
        reminder = await recorder.walk(lambda: bot.say("Remind me tomorrow at 9 to call the plumber"))
        for name, text in _FILES.items():
            (folder / name).write_text(text, encoding="utf-8")
        first, second = (str(folder / name) for name in _FILES)
        await bot.say(first)
        document = await recorder.walk(lambda: bot.say(second))
        bot.configure(NO_RAG | {"memory": {"enabled": False}})
        toggle = await recorder.walk(lambda: bot.configure(NO_RAG | {"memory": {"enabled": True}}))
    return {"question": question, "reminder": reminder, "document": document, "toggle": toggle, "forget": forget}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.walk", description=__doc__)
    parser.add_argument("--json", action="store_true", help="the files and the pairs with most changes as well")
    as_json = parser.parse_args().json
    with tempfile.TemporaryDirectory(prefix="mneme-walk-") as made:
        reports = asyncio.run(walks(Path(made)))
    short = {name: f"{report['files']} files entered, {report['changes']} changes" for name, report in reports.items()}
    print(json.dumps(reports if as_json else short, indent=1))
