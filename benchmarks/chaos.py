"""``python -m benchmarks.chaos --kills N --seed S --json``: exit code 1 when a promise was broken."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
from collections.abc import Coroutine
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from harness.chaos.figures import Figures
from harness.chaos.storm import Weather, storm


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description="Kills Mneme at random times.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--gentle", action="store_true", help="SIGTERM instead of SIGKILL")
    parser.add_argument("--embedded", action="store_true", help="the real memory server instead of the fake one")
    parser.add_argument("--power", action="store_true", help="power cuts: a kill also takes away what was not synced")
    parser.add_argument("--model", action="store_true", help="streamed answers of a fake language model")
    parser.add_argument("--drops", type=float, default=0.0, help="share of messages that meet a hiccup of Telegram")
    parser.add_argument("--slow", type=float, default=0.0, help="seconds that Telegram takes for a hiccup, as one more")
    parser.add_argument("--old", action="store_true", help="a Telegram without drafts: answers grow in messages")
    parser.add_argument("--long", action="store_true", help="every third answer of the model is a file")
    parser.add_argument("--life", type=float, default=2.0, help="longest life of a listening process in seconds")
    parser.add_argument("--people", type=int, default=20, help="how many write")
    parser.add_argument("--pause", type=float, default=0.15, help="mean time between two messages in seconds")
    parser.add_argument("--messages", type=int, default=15, help="messages per process at most")
    parser.add_argument("--keep", type=Path, help="folder to work in, kept for a look at it")
    return parser.parse_args()


async def _stoppable(work: Coroutine[None, None, Figures]) -> Figures:
    """Let SIGTERM cancel the work, which then ends the process it has started."""
    running = asyncio.ensure_future(work)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    return await running


def main() -> int:
    """Run one storm and print its figures; stopped by SIGTERM it leaves no process behind."""
    given = _arguments()
    weather = Weather(
        kills=given.kills,
        seed=given.seed,
        life_s=given.life,
        people=given.people,
        pause_s=given.pause,
        per_life=given.messages,
        gentle=given.gentle,
        long=given.long,
        embedded=given.embedded,
        model=given.model,
        drops=given.drops,
        slow_s=given.slow,
        old=given.old,
        power=given.power,
    )
    with tempfile.TemporaryDirectory() as scratch, Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(f"seed {given.seed}", total=given.kills)
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        passing = storm(weather, folder, lambda done: progress.update(task, completed=done))
        try:
            figures = asyncio.run(_stoppable(passing))
        except asyncio.CancelledError:
            return 128 + signal.SIGTERM
    if given.json:
        sys.stdout.write(json.dumps(asdict(figures)) + "\n")
    else:
        Console().print(asdict(figures))
    return int(figures.faults > 0)


if __name__ == "__main__":
    sys.exit(main())
