"""``python -m benchmarks.chaos [workers] --kills N --seed S --json``: exit code 1 when a promise was broken.

One Mneme that is killed again and again, or several workers on one PostgreSQL.  ``--rounds`` follow each other, each
with the next seed; with ``--keep`` each that is done is noted in that folder, and not done again.
"""

import asyncio
import inspect
import json
import signal
import sys
from collections.abc import Callable, Coroutine
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from harness.chaos.figures import Figures
from harness.chaos.storm import Weather, storm
from harness.chaos.swarm import Swarm, swarm
from harness.options import Report, run

Passing = Callable[[Any, Path, Callable[[int], None]], Coroutine[None, None, Figures]]  # Any: either plan


def try_storms(folder: Path, plan: Weather, *, keep: Path | None = None, rounds: int = 1) -> Report:
    """Kill one Mneme, round by round."""
    return _try(storm, plan, keep or folder, rounds)


def try_swarms(folder: Path, plan: Swarm, *, keep: Path | None = None, rounds: int = 1) -> Report:
    """Strike several workers, round by round."""
    return _try(swarm, plan, keep or folder, rounds)


def _try(passing: Passing, plan: Weather | Swarm, folder: Path, rounds: int) -> Report:
    folder.mkdir(parents=True, exist_ok=True)
    noted = folder / "rounds.jsonl"
    done: list[Report] = [json.loads(line) for line in noted.open()] if noted.exists() else []
    with Progress(console=Console(stderr=True)) as shown:
        for seed in range(plan.seed, plan.seed + rounds):
            if any(each["seed"] == seed for each in done):
                continue
            tell = partial(shown.update, shown.add_task(f"seed {seed}", total=None))
            work = passing(replace(plan, seed=seed), folder, lambda count, tell=tell: tell(completed=count))  # type: ignore[misc]  # its own
            figures = asyncio.run(_stoppable(work))
            done.append(asdict(figures) | {"faults": figures.faults})
            with noted.open("a") as file:
                file.write(f"{json.dumps(done[-1])}\n")
    added = {name: sum(each[name] for each in done) for name in done[0]}
    alone = next(each for each in done if each["seed"] == plan.seed)
    return alone if rounds == 1 else {"faults": added["faults"], "added_up": added, "rounds": done}


async def _stoppable(work: Coroutine[None, None, Figures]) -> Figures:
    """Let SIGTERM cancel the work, which then ends the process it has started."""
    running = asyncio.ensure_future(work)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    return await running


def main() -> int:
    """Run the rounds; stopped by SIGTERM it leaves no process behind."""
    workers = sys.argv[1:2] == ["workers"]
    del sys.argv[1 : 1 + workers]
    plan = inspect.getdoc(Swarm if workers else Weather)
    try:
        report = run(try_swarms if workers else try_storms, f"{__doc__}\n{plan}")
    except asyncio.CancelledError:
        return 128 + signal.SIGTERM
    return int(report["faults"] > 0)


if __name__ == "__main__":
    sys.exit(main())
