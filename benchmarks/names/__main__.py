"""``python -m benchmarks.names``: which names in sentences are found, and which of one name are joined."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adapters.embedding.e5 import E5Embedder
from benchmarks.names.judging import Judged, judge
from benchmarks.names.reading import Marked, read_data, read_forms
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.names import make_key
from bot.memory.tagging import Tagged, may_name, tell_names


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.names", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="sentences by language, see read_data")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    report: dict[str, Any] = {}
    for language, sentences in read_data(options.data).items():
        found = asyncio.run(_find(sentences))
        judged = (judge(names, each.names) for names, each in zip(found, sentences, strict=True))
        report[language] = sum(judged, Judged()).figures()
    report["joined"] = {language: _join(names) for language, names in read_forms().items()}
    print(json.dumps(report, indent=1) if options.json else "\n".join(f"{name}: {row}" for name, row in report.items()))
    return 0


def _join(names: list[tuple[str, ...]]) -> dict[str, float]:
    """Return the share of forms that are one with the first of their name, and of names that are one with no other."""
    keys = [[make_key(form) for form in forms] for forms in names]
    same = [key == first for first, *others in keys for key in others]
    firsts = Counter(first for first, *_ in keys)
    return {
        "forms": round(sum(same) / len(same), 3),
        "apart": round(sum(count == 1 for count in firsts.values()) / len(keys), 3),
    }


async def _find(sentences: Sequence[Marked]) -> list[tuple[Tagged, ...]]:
    embedder, found = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0), list[tuple[Tagged, ...]]()
    for each in sentences:
        if not may_name(each.text):
            found.append(())
            continue
        states = await embedder.read_states(each.text)
        found.append(tell_names(each.text, states.pieces, states.spans))
    embedder.close()
    return found


if __name__ == "__main__":
    sys.exit(main())
