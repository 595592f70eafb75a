"""Recall of the product on conversations in the LoCoMo format, and what moves it.

python -m benchmarks.recall [measure] --data FILE [--source local|lightrag|fused] [--peer NAME] [--json]
python -m benchmarks.recall languages|fit|calibrate|cost ... [--help]
python -m benchmarks.recall questions|known ... [--help]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import structlog

from benchmarks.recall import certainty, growing, known, languages, questions, weights
from benchmarks.recall.asking import PEERS, Run, judged, run
from bot.memory.helpfulness import FULL, VERSION
from harness.recall.dataset import load
from harness.recall.metrics import measure


def main() -> int:
    """Run one of the commands; without one recall is measured."""
    arguments = sys.argv[1:]
    options = _parser().parse_args(arguments if arguments[:1] and arguments[0][0] != "-" else ["measure", *arguments])
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as made:
        _run(options, Path(made))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recall",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("measure", help="recall, and what questions and turns cost")
    command.add_argument("--server", type=Path, help="folder that keeps the filled memory server for the next run")
    command.add_argument("--source", choices=("local", "lightrag", "fused"), default="local")
    command.add_argument("--peer", action="append", default=[], choices=PEERS)
    command.add_argument("--json", action="store_true")
    commands.add_parser("questions", help="learn where the answers of questions lie, and judge it")
    commands.add_parser("known", help="plain facts in other words: what is shown, and what of unknown ones")
    commands.add_parser("languages", help="questions and texts in every pair of languages (XQuAD by language)")
    command = commands.add_parser("fit", help="fit the weights of the signals, and judge them")
    command.add_argument("--l2", type=float, default=weights.L2)
    commands.add_parser("calibrate", help="how well known is told from unknown, and how likely memories help")
    command = commands.add_parser("cost", help="what questions and turns cost as a chat grows")
    command.add_argument("--turns", type=int, nargs="+", default=[700, 10_000, 100_000])
    command.add_argument("--lightrag", type=int, default=700, help="turns up to which LightRAG is filled and asked")
    for name, each in commands.choices.items():
        if name == "known":
            each.add_argument("--data", type=Path, required=True, nargs="+", help="JSON lines: say, ask, unknown")
        elif name != "questions":
            each.add_argument("--data", type=Path, required=True, help="conversations in the LoCoMo format")
        if name in {"fit", "calibrate"}:
            each.add_argument(
                "--other", type=Path, nargs="+", required=True, help="other kinds of talk, which count alike"
            )
    return parser


def _run(options: argparse.Namespace, made: Path) -> None:
    match options.command:
        case "measure":
            _measure(options, made)
        case "languages":
            print(json.dumps(languages.measure_languages(options.data)))
        case "fit" | "calibrate" | "questions" | "known":
            _fit(options)
        case "cost":
            asyncio.run(growing.measure_cost(load(options.data)[0], made, options.turns, options.lightrag))


def _fit(options: argparse.Namespace) -> None:
    if options.command == "questions":
        print(json.dumps(questions.learn_maps(), indent=1))
        return
    if options.command == "known":
        print(json.dumps(known.measure_known(options.data)))
        return
    files = (options.data, *options.other)
    if options.command == "fit":
        print(json.dumps(weights.fit_files(files, l2=options.l2)))
    else:
        print(json.dumps(certainty.calibrate(files), indent=1))


def _measure(options: argparse.Namespace, made: Path) -> None:
    conversations, repairs = load(options.data)
    names = tuple(dict.fromkeys((options.source, *options.peer)))
    runs = asyncio.run(run(conversations, made / "data", names, options.server))
    own = runs[options.source]
    summary = {
        "source": options.source,
        **_sum_up(own),
        "peers": {name: _sum_up(runs[name]) for name in options.peer},
        "rss_mb": round(psutil.Process().memory_info().rss / 1e6, 1),
        "disk_mb": round(own.disk_bytes / 1e6, 2),
        "repairs": asdict(repairs),
        "config": {"weights_version": VERSION, "weights": dict(FULL)},
    }
    print(json.dumps(summary) if options.json else _render(summary))


def _sum_up(part: Run) -> dict[str, Any]:  # Any: figures by name, some nested
    times, turns = [answered.ms for answered in part.answered], max(part.turns, 1)
    return {
        **measure(judged(part.answered)),
        "latency_ms": {f"p{cut}": round(float(np.percentile(times, cut)), 2) for cut in (50, 95)} if times else {},
        "ingest_ms_per_turn": {
            "write": round(part.write_ms / turns, 3),
            "embed": round(part.embed_ms / turns, 3),
            "long_term": round(part.longterm_ms / turns, 3),
        },
    }


def _render(summary: dict[str, Any]) -> str:  # Any: figures by name, some nested
    rows = {summary["source"]: summary["overall"], "with adversarial": summary["all"]}
    rows |= {f"category {name}": row for name, row in summary["categories"].items()}
    rows |= {f"peer {name}": peer["overall"] for name, peer in summary["peers"].items()}
    names = [name for name in summary["overall"] if name != "questions"]
    lines = ["".join([f"{'':18}", *(f"{name.replace('recall@', 'R@'):>12}" for name in names)])]
    lines += ["".join([f"{title:18}", *(f"{row[name]:12.1f}" for name in names)]) for title, row in rows.items()]
    left_out = ("overall", "all", "categories", "config", "peers")
    return "\n".join([*lines, json.dumps({name: value for name, value in summary.items() if name not in left_out})])


if __name__ == "__main__":
    sys.exit(main())
