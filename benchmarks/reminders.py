"""``python -m benchmarks.reminders --json``: 100,000 reminders in one store, and how plain words are understood.

Exit code 1 when one is lost or said twice.  The test suite runs it small.  ``--list FILE`` reads a list of sentences
instead (harness/reminders/lists.py says what is in a line) and ends with 1 where over 1 % are wrong without a word.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from adapters.when.reader import LanguageWhenReader
from bot.cli import one_thread_per_product
from harness.reminders.lists import count_verdicts, judge_list
from harness.reminders.load import measure


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reminders", description=__doc__)
    parser.add_argument("--reminders", type=int, default=100_000)
    parser.add_argument("--due", type=int, default=1_000, help="how many of them are due in the same minute")
    parser.add_argument("--list", type=Path, help="judge this list of sentences and nothing else")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.list is not None:
        return _judge(options.list, as_json=options.json)
    one_thread_per_product()
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        figures = asyncio.run(measure(Path(folder), reminders=options.reminders, due=options.due))
    if options.json:
        print(json.dumps(asdict(figures), indent=2))
    else:
        print(f"{figures.reminders:,} reminders: a look costs {figures.look_p50_ms} ms (p95 {figures.look_p95_ms} ms)")
        print(f"{figures.due} due at once: {figures.latency_p95_ms} ms until 95 % of them are sent")
        print(f"sentences understood: {figures.hits}, their times: {figures.timed}")
    return 1 if figures.doubled or figures.lost else 0


def _judge(path: Path, *, as_json: bool) -> int:
    verdicts = judge_list(LanguageWhenReader(), path)
    wrong = [one.text for one in verdicts if one.outcome == "wrong"]
    shares = count_verdicts(verdicts)
    if as_json:
        print(json.dumps({"sentences": len(verdicts), "percent": shares, "wrong": wrong}, indent=2, ensure_ascii=False))
    else:
        for group, share in shares.items():
            print(f"{group}: right {share['right']} %, asked {share['asked']} %, wrong {share['wrong']} %")
        print("\n".join(["wrong:", *wrong] if wrong else ["nothing is wrong without a word"]))
    return 1 if len(wrong) > len(verdicts) / 100 else 0


if __name__ == "__main__":
    sys.exit(main())
