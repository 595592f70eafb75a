"""``python -m benchmarks.secrets``: how many secrets are masked, how often something else is, and what it costs."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from bot.memory.secrets.redaction import redact
from harness.secrets import corpus, masks

_TALKS: Final = Path(__file__).parents[1].parent / "shared" / "data"
_COUNT: Final = 1500


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.secrets", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=_COUNT, help="texts of each sort")
    parser.add_argument("--talks", type=Path, default=_TALKS, help="folder with conversations in the LoCoMo format")
    parser.add_argument("--missed", type=int, default=0, help="how many of the missed ones to show")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    sorts = corpus(options.seed, options.count)
    missed = {name: [text for text, secret in said if not masks(text, secret)] for name, said in sorts.items()}
    report: dict[str, Any] = {
        name: {"texts": len(said), "masked": round(1 - len(missed[name]) / len(said), 4)}
        for name, said in sorts.items()
    }
    turns = ordinary(options.talks)
    alarms = [turn for turn in turns if redact(turn).kinds]
    report["ordinary turns"] = {"texts": len(turns), "false alarms": len(alarms), "median_us": _median_us(turns)}
    print(json.dumps(report, indent=1) if options.json else "\n".join(f"{name}: {row}" for name, row in report.items()))
    for name, texts in missed.items():
        for text in texts[: options.missed]:
            print(f"{name}: {text!r}", file=sys.stderr)
    for turn in alarms[: options.missed]:
        print(f"false alarm: {redact(turn).text!r}", file=sys.stderr)
    return 0


def ordinary(folder: Path) -> list[str]:
    """Return what people say in the conversations of a folder; none when it is not there."""
    found: list[str] = []
    for path in sorted(folder.glob("[bl]*_dev*.json")):
        for sample in json.loads(path.read_text(encoding="utf-8")):
            sessions = (part for part in sample["conversation"].values() if isinstance(part, list))
            found += [turn["text"] for session in sessions for turn in session if turn.get("text")]
    return found


def _median_us(texts: Iterable[str]) -> float:
    """Return the median cost of a text in microseconds, nothing remembered."""
    costs = []
    for text in texts:
        began = time.thread_time()
        redact.__wrapped__(text)
        costs.append(time.thread_time() - began)
    return round(statistics.median(costs) * 1e6, 1) if costs else 0.0


if __name__ == "__main__":
    sys.exit(main())
