"""``python -m benchmarks.names``: which names in sentences are found, and which of one name are joined."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from benchmarks.names.train import Marked, compute_shares, judge, read_data, read_forms
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.names import Tagged, make_key, may_name, tell_names
from harness.options import Report, run


async def measure(*, data: Path) -> Report:
    """Measure on sentences by language, see :func:`~benchmarks.names.train.read_data`."""
    report: Report = {}
    for language, sentences in read_data(data).items():
        found = await _find(sentences)
        judged = (judge(names, each.names) for names, each in zip(found, sentences, strict=True))
        report[language] = compute_shares(sum(judged, Counter()))
    return {**report, "joined": {language: _join(names) for language, names in read_forms().items()}}


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
    run(measure, __doc__)
