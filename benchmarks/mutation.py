"""``python -m benchmarks.mutation``: exit code 1 below 90 % killed.

Results are kept (``--results``) and not tried again while the code is the same; a survivor is tried again when its
tests have changed.
"""

import difflib
import json
import random
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from harness.mutation.mutants import ROOT, TARGETS, WAIVED, Mutant, Target, mutants_of
from harness.mutation.workshop import Workshop, digest
from harness.options import Report, run

_PASS = 0.9
_SIZE = re.compile(r"_?[A-Z][A-Z_]*(?:: Final)? = ([\d_]+)")
_TASTE = 20
"""A named size from here on may be one more: whether it is 500 or 501 is a matter of taste, not what happens there."""


@dataclass(slots=True)
class Score:
    """Of one target; ``survivors`` are changes as diffs, ``waived`` those with a reason."""

    name: str
    tried: int = 0
    killed: int = 0
    waived: int = 0
    survivors: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Return the share of mutants killed, of those that can be."""
        counted = self.tried - self.waived
        return self.killed / counted if counted else 1.0


class Kept:
    """The results so far, a JSON object per line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self._known = {entry["key"]: entry for entry in map(json.loads, lines)}

    def known(self, mutant: Mutant, tests: str) -> bool | None:
        """Return whether a mutant was killed, ``None`` if that has to be tried."""
        entry = self._known.get(mutant.key)
        if entry is None or not (entry["killed"] or entry["tests"] == tests):
            return None
        return bool(entry["killed"])

    def keep(self, mutant: Mutant, tests: str, *, killed: bool) -> None:
        """Keep a result."""
        entry = {"key": mutant.key, "line": mutant.line, "tests": tests, "killed": killed}
        self._known[mutant.key] = entry
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def mutants(target: Target, sample: int | None, seed: int, root: Path = ROOT) -> list[Mutant]:
    """Return the mutants of a target, or a seeded sample of them."""
    every = [each for file in target.files for each in mutants_of(file, (root / file).read_text(encoding="utf-8"))]
    if sample is None or sample >= len(every):
        return every
    chosen = set(random.Random(seed).sample(range(len(every)), sample))
    return [mutant for number, mutant in enumerate(every) if number in chosen]


def diff(mutant: Mutant) -> str:
    """Return a mutant as file, line and changed lines."""
    original = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()
    changes = difflib.unified_diff(original, mutant.source.splitlines(), n=0, lineterm="")
    changed = [line for line in changes if line[:3] not in {"---", "+++"} and line[:2] != "@@"]
    return "\n".join([f"{mutant.file}:{mutant.line} ({mutant.kind})", *(f"    {line}" for line in changed)])


def _scores(targets: list[Target], workshop: Workshop, kept: Kept, sample: int | None, seed: int) -> Iterator[Score]:
    with Progress(console=Console(stderr=True)) as progress:
        for target in targets:
            wanted = mutants(target, sample, seed, workshop.folder)
            task = progress.add_task(target.name, total=len(wanted))
            tests = digest(workshop.folder / test for test in target.tests)
            score, usual_s = Score(target.name), -1.0
            for mutant in wanted:
                killed = kept.known(mutant, tests)
                if killed is None:
                    if usual_s < 0:
                        usual_s = workshop.untouched(target).seconds
                    killed = workshop.tried(target, mutant, usual_s).killed
                    kept.keep(mutant, tests, killed=killed)
                _count(score, mutant, killed=killed)
                progress.update(task, advance=1, description=f"{target.name} {score.share:.0%}")
            yield score


def _count(score: Score, mutant: Mutant, *, killed: bool) -> None:
    score.tried += 1
    score.killed += killed
    if not killed and _waived(mutant):
        score.waived += 1
    elif not killed:
        score.survivors.append(diff(mutant))


def _waived(mutant: Mutant) -> bool:
    if mutant.kind == "off by one" and (size := _SIZE.fullmatch(mutant.text)):
        return int(size[1]) >= _TASTE
    return (mutant.file, mutant.text) in WAIVED or (mutant.file, f"{mutant.text} → {mutant.after}") in WAIVED


def measure(
    folder: Path,
    *,
    module: tuple[str, ...] = (),
    sample: int | None = None,
    seed: int = 1,
    results: Path = ROOT / "data" / "mutation.jsonl",
) -> Report:
    """Try the mutants of these modules or of all, so many of each if that is said, and tell what survived."""
    targets = [target for target in TARGETS if not module or target.name in module]
    with closing(Workshop(folder / "tree")) as workshop:
        scores = list(_scores(targets, workshop, Kept(results), sample, seed))
    counted = sum(score.tried - score.waived for score in scores)
    killed = sum(score.killed for score in scores) / counted if counted else 1.0
    modules = [asdict(score) | {"share": round(score.share, 3)} for score in scores]
    return {"killed": round(killed, 3), "tried": counted, "modules": modules}


if __name__ == "__main__":
    run(measure, __doc__, broken=lambda report: report["killed"] < _PASS)
