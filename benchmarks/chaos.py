"""``python -m benchmarks.chaos [workers] --kills N --seed S --json``: exit code 1 when a promise was broken.

One Mneme that is killed again and again, or several workers on one PostgreSQL.  With ``--keep`` each round that is done
is noted in that folder, and not done again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from benchmarks.options import add_fields
from harness.chaos.figures import Figures
from harness.chaos.storm import Weather, storm
from harness.chaos.swarm import Swarm, swarm


async def _stoppable(work: Coroutine[None, None, Figures]) -> Figures:
    """Let SIGTERM cancel the work, which then ends the process it has started."""
    running = asyncio.ensure_future(work)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    return await running


def _make_parser(plan: type[Weather | Swarm]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description=__doc__)
    parser.add_argument("of", nargs="?", choices=["workers"], help="several workers instead of one Mneme")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--keep", type=Path, help="folder to work in, kept for a look at it")
    parser.add_argument("--rounds", type=int, default=1, help="one after the other, each with the next seed")
    add_fields(
        parser,
        plan,
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
        stops="SIGTERMs",
        restarts="immediate restarts of the database",
        polling="the leader polls; else every update is given to all workers at once",
    )
    return parser


def _run(plan: Weather | Swarm, folder: Path, progress: Callable[[int], None]) -> Figures:
    passing = storm(plan, folder, progress) if isinstance(plan, Weather) else swarm(plan, folder, progress)
    return asyncio.run(_stoppable(passing))


def main() -> int:
    """Run the rounds and print their figures; stopped by SIGTERM it leaves no process behind."""
    kind = Swarm if "workers" in sys.argv[1:2] else Weather
    given = vars(_make_parser(kind).parse_args())
    as_json, keep, rounds, _ = (given.pop(name) for name in ("json", "keep", "rounds", "of"))
    first: Weather | Swarm = kind(**given)
    with tempfile.TemporaryDirectory() as scratch, Progress(console=Console(stderr=True)) as shown:
        folder = keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        noted = folder / "rounds.jsonl"
        done: list[dict[str, Any]] = [json.loads(line) for line in noted.open()] if noted.exists() else []  # Any: JSON
        for seed in range(first.seed, first.seed + rounds):
            if any(each["seed"] == seed for each in done):
                continue
            plan = replace(first, seed=seed)
            task = shown.add_task(f"seed {seed}", total=None)
            try:
                figures = _run(plan, folder, lambda count, task=task: shown.update(task, completed=count))  # type: ignore[misc]  # its own
            except asyncio.CancelledError:
                return 128 + signal.SIGTERM
            done.append(asdict(figures) | {"faults": figures.faults})
            with noted.open("a") as file:
                file.write(f"{json.dumps(done[-1])}\n")
    added = {name: sum(each[name] for each in done) for name in done[0]}
    report = done[0] if rounds == 1 else {"added_up": added, "rounds": done}
    if as_json:
        print(json.dumps(report))
    else:
        Console().print(report)
    return int(added["faults"] > 0)


if __name__ == "__main__":
    sys.exit(main())
