"""Costs and limits of the memory server.

python -m benchmarks.memory_server sizes --n 1500 --sides ours default same
python -m benchmarks.memory_server kills | canaries | erasures | limits [--help]
python -m benchmarks.memory_server interference | exchanges | long_chunks [--help]
python -m benchmarks.memory_server chunks FOLDER ...

Prints JSON.  Embedding costs next to nothing but for those of the second line, so that figures are of all else.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import multiprocessing
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.memory_server import sizes, trials


def main() -> int:
    """Run one of the commands; 1 where something was lost, stored twice or damaged by kills."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.memory_server",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, trial in trials.TRIALS.items():
        command = commands.add_parser(name, description=inspect.getdoc(trial))
        for option in list(inspect.signature(trial).parameters.values())[1:]:
            kind = type(option.default) if isinstance(option.default, int) else Path
            command.add_argument(f"--{option.name.replace('_', '-')}", type=kind, default=option.default)
    command = commands.add_parser("sizes", description=sizes.__doc__)
    command.add_argument("--n", type=int, default=1500, help="exchanges to store")
    command.add_argument("--sides", nargs="+", choices=sizes.SIDES, default=["ours", "default"])
    command = commands.add_parser("chunks", description=inspect.getdoc(trials.measure_chunks))
    command.add_argument("folders", nargs="+", type=Path)
    given = vars(parser.parse_args())
    name = given.pop("command")
    sizes.quieten()
    with tempfile.TemporaryDirectory(prefix="mneme-") as made:
        if name == "sizes":
            found: Any = _fill_sides(Path(made), **given)
        elif name == "chunks":
            found = [trials.measure_chunks(folder) for folder in given["folders"]]
        else:
            found = asyncio.run(trials.TRIALS[name](Path(made), **given))
    print(json.dumps(found))
    return int(name == "kills" and found["lost"] + found["double"] + found["unclean_workspaces"] > 0)


def _fill_sides(made: Path, n: int, sides: list[str]) -> dict[str, Any]:  # Any: JSON
    """Measure each side in a new process, so that its memory is its own; then ask a pair the same in turn."""
    folders = {name: made / name for name in sides}
    found: dict[str, Any] = {}  # Any: as above
    for name, folder in folders.items():
        folder.mkdir()
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=sizes.quieten) as pool:
            found[name] = pool.submit(sizes.fill_side, name, folder, n).result()
    if len(folders) > 1:
        pair = {name: folders[name] for name in sides[:2]}
        found["questions in turn"] = asyncio.run(sizes.compare_questions(pair, n))
    return found


if __name__ == "__main__":
    sys.exit(main())
