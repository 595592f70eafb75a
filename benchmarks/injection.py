"""``python -m benchmarks.injection --json``: all must be 0 that was not the user's."""

from dataclasses import asdict
from pathlib import Path

from harness import injection
from harness.options import Report, run


async def measure(folder: Path, *, payloads: int = 0) -> Report:
    """Send so many payloads, evenly chosen, through every channel; 0 stands for all."""
    corpus = injection.payloads()
    chosen = corpus[:: max(1, len(corpus) // payloads) if payloads else 1]
    counts = await injection.run(folder, chosen)
    figures = {**asdict(counts), "ordered": sorted(counts.ordered)}
    return {"payloads": len(chosen), "channels": len(injection.CHANNELS), **figures}


def _is_broken(report: Report) -> bool:
    return any(report[name] for name in ("writes", "erases", "side_effects", "fetched"))


if __name__ == "__main__":
    run(measure, __doc__, broken=_is_broken)
