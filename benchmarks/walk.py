"""``python -m benchmarks.walk --json``: files that a question, a changed setting and ``/forget`` pass through.

Each walk is done once before it is counted, so that imports and first uses are not part of it.  Counted are calls and
returns of the project's own functions, each once: a coroutine that is suspended and goes on is still in the same place
for a reader.  ``suspensions`` counts those as well.  A change of file is a call or a return after which another file of
the project is running than before it, seen in each thread by itself.  Generated methods of dataclasses have no file.
"""

from __future__ import annotations

import argparse
import asyncio
import dis
import json
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from harness.application import ConsoleChat, run_console

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("bot", "systems", "adapters", "memory_server", "language")
MOST_FREQUENT = 60
_SETTLED_S = 0.2
"""Time for work that is done beside the conversation once it is answered: embedding, events."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Files of the project in the order in which they ran, one list for each thread."""

    steps: tuple[tuple[str, ...], ...]
    suspensions: int
    """Changes of file, were a suspended coroutine a return and its going on a call."""

    def hops(self) -> Counter[tuple[str, str]]:
        """Count each change from one file to another."""
        return Counter(pair for steps in self.steps for pair in pairwise(steps) if pair[0] != pair[1])

    def report(self) -> dict[str, Any]:  # Any: numbers, and lists and objects of numbers
        """Return the figures: files entered with how often each was, and the most frequent hops."""
        hops = self.hops()
        entered = Counter(name for steps in self.steps for name in _without_repeats(steps))
        return {
            "files": len(entered),
            "changes": hops.total(),
            "suspensions": self.suspensions,
            "entered": dict(entered.most_common()),
            "hops": [[count, before, after] for (before, after), count in hops.most_common(MOST_FREQUENT)],
        }


@dataclass
class Recorder:
    """A profile function that notes which file of the project runs, in every thread."""

    on: bool = False
    _steps: dict[int, list[str]] = field(default_factory=dict)
    _all_steps: dict[int, list[str]] = field(default_factory=dict)
    _files: dict[CodeType, str] = field(default_factory=dict)

    def install(self) -> None:
        """Watch this thread and those that start from now on."""
        threading.setprofile(self)
        sys.setprofile(self)

    def remove(self) -> None:
        """Watch nothing more."""
        sys.setprofile(None)
        threading.setprofile(None)

    async def walk(self, act: Callable[[], Awaitable[object]]) -> Walk:
        """Record what runs until ``act`` is done and what it set off has settled."""
        self._steps.clear()
        self._all_steps.clear()
        self.on = True
        await act()
        await asyncio.sleep(_SETTLED_S)
        self.on = False
        return Walk(tuple(map(tuple, self._steps.values())), sum(map(_changes, self._all_steps.values())))

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Note the file that runs after a call or return; other events of :func:`sys.setprofile` say nothing new."""
        if not self.on or event not in {"call", "return"} or not self._file(frame):
            return
        running_now: FrameType | None = frame if event == "call" else frame.f_back
        while running_now is not None and not self._file(running_now):
            running_now = running_now.f_back
        if running_now is None:
            return
        thread, name = threading.get_ident(), self._file(running_now)
        self._all_steps.setdefault(thread, []).append(name)
        if not _is_suspension(frame, event):
            self._steps.setdefault(thread, []).append(name)

    def _file(self, frame: FrameType) -> str:
        code = frame.f_code
        known = self._files.get(code)
        if known is None:
            path = Path(code.co_filename)
            inside = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PACKAGES
            known = self._files[code] = str(path.relative_to(ROOT)) if inside else ""
        return known


def _is_suspension(frame: FrameType, event: str) -> bool:
    """Tell a generator or coroutine that stops or goes on halfway from one that begins or ends."""
    code = frame.f_code.co_code
    operation = dis.opname[code[frame.f_lasti]]
    if event == "return":
        return operation == "YIELD_VALUE"
    return operation == "RESUME" and code[frame.f_lasti + 1] != 0


def _without_repeats(steps: tuple[str, ...]) -> list[str]:
    return [name for number, name in enumerate(steps) if number == 0 or steps[number - 1] != name]


def _changes(steps: list[str]) -> int:
    return len(_without_repeats(tuple(steps))) - 1


async def walks(folder: Path) -> dict[str, Walk]:
    """Walk through a running bot: a question, a toggle in runtime-config.json, and ``/forget``."""
    recorder = Recorder()
    recorder.install()
    try:
        async with run_console(folder) as bot:
            await bot.say("My sister Vera lives in Porto.")
            await bot.say("My brother Max lives in Riga.")
            await bot.say("/new")
            await bot.say("Where does my brother live?")
            question = await recorder.walk(lambda: bot.say("Where does my sister live?"))
            await _toggle(bot, on=False)
            toggle = await recorder.walk(lambda: _toggle(bot, on=True))
            await bot.say("/forget Riga")
            return {
                "question": question,
                "toggle": toggle,
                "forget": await recorder.walk(lambda: bot.say("/forget Porto")),
            }
    finally:
        recorder.remove()


async def _toggle(bot: ConsoleChat, *, on: bool) -> None:
    bot.configure({"rag": {"enabled": False}, "memory": {"enabled": on}})


def main() -> int:
    """Walk and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.walk", description=__doc__)
    parser.add_argument("--json", action="store_true", help="the files entered and the most frequent hops as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mneme-walk-") as folder:
        reports = {name: walk.report() for name, walk in asyncio.run(walks(Path(folder))).items()}
    if options.json:
        print(json.dumps(reports, indent=1))
        return 0
    for name, report in reports.items():
        print(f"{name}: {report['files']} files entered, {report['changes']} changes of file")
        print("\n".join(f"  {count:5} {file}" for file, count in report["entered"].items()))
        print("\n".join(f"  {count:5} {before} -> {after}" for count, before, after in report["hops"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
