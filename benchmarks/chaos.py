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

from benchmarks.options import add_fields
from harness.chaos.figures import Figures
from harness.chaos.storm import Weather, storm


async def _stoppable(work: Coroutine[None, None, Figures]) -> Figures:
    """Let SIGTERM cancel the work, which then ends the process it has started."""
    running = asyncio.ensure_future(work)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    return await running


def main() -> int:
    """Run one storm and print its figures; stopped by SIGTERM it leaves no process behind."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description="Kills Mneme at random times.")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--keep", type=Path, help="folder to work in, kept for a look at it")
    add_fields(
        parser,
        Weather,
        gentle="SIGTERM instead of SIGKILL",
        embedded="the real memory server instead of the fake one",
        power="power cuts: a kill also takes away what was not synced",
        model="streamed answers of a fake language model",
        drops="share of messages that meet a hiccup of Telegram",
        slow_s="seconds that Telegram takes for a hiccup, as one more",
        old="a Telegram without drafts: answers grow in messages",
        long="every third answer of the model is a file",
        life_s="longest life of a listening process in seconds",
        people="how many write",
        pause_s="mean time between two messages in seconds",
        per_life="messages per process at most",
    )
    given = vars(parser.parse_args())
    as_json, keep = given.pop("json"), given.pop("keep")
    weather = Weather(**given)
    with tempfile.TemporaryDirectory() as scratch, Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(f"seed {weather.seed}", total=weather.kills)
        folder = keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        passing = storm(weather, folder, lambda done: progress.update(task, completed=done))
        try:
            figures = asyncio.run(_stoppable(passing))
        except asyncio.CancelledError:
            return 128 + signal.SIGTERM
    if as_json:
        print(json.dumps(asdict(figures)))
    else:
        Console().print(asdict(figures))
    return int(figures.faults > 0)


if __name__ == "__main__":
    sys.exit(main())
