"""``python -m benchmarks.documents``: seconds and memory that reading documents costs, by kind and by attack."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from adapters.documents.reader import SubprocessReader
from adapters.documents.source import MEGABYTE, ReadingLimits
from bot.errors import DocumentUnreadable
from harness.documents.samples import ATTACKS, FACTS, LONG_DOCUMENTS, write_long_pdf
from harness.options import Report, run

_HUGE_PAGES = 10_000


async def measure(folder: Path) -> Report:
    """Read every document; all is as expected where every fact was read and every attack came to nothing."""
    ordinary = {kind: await _read(folder, f"a.{kind}", build) for kind, build in LONG_DOCUMENTS.items()}
    for row in ordinary.values():
        row["as expected"] = row.get("facts") == len(FACTS)
    huge = await _read(folder, "huge.pdf", lambda: write_long_pdf(_HUGE_PAGES), size=100 * MEGABYTE)
    huge["as expected"] = huge.get("cut", False)
    hostile = {}
    for attack in ATTACKS:
        hostile[attack.name] = await _read(folder, attack.name, attack.build)
        hostile[attack.name]["as expected"] = hostile[attack.name]["refused"] in attack.whys
    return {"ordinary": {**ordinary, "pdf of 10,000 pages": huge}, "hostile": hostile}


async def _read(folder: Path, name: str, build: Callable[[], bytes], size: int = 20 * MEGABYTE) -> Report:
    """Read a document; ``facts`` counts those of the samples that a section holds."""
    path = folder / name
    path.write_bytes(build())
    reader = SubprocessReader(lambda: ReadingLimits(size=size))
    began = asyncio.get_running_loop().time()
    try:
        document, figures = await reader.measure(path, name=name)
    except DocumentUnreadable as error:
        seconds = asyncio.get_running_loop().time() - began
        return {"refused": error.why, "seconds": round(seconds, 2), "kilobytes": path.stat().st_size // 1024}
    texts = [section.text for section in document.sections]
    return {
        "refused": "",
        "kind": document.kind,
        "seconds": round(figures.seconds, 2),
        "peak_mb": round(figures.peak / MEGABYTE),
        "kilobytes": path.stat().st_size // 1024,
        "pages": document.pages,
        "sections": len(texts),
        "characters": sum(map(len, texts)),
        "facts": sum(any(fact in text for text in texts) for fact in FACTS.values()),
        "cut": document.cut,
    }


if __name__ == "__main__":
    run(
        measure,
        __doc__,
        broken=lambda report: not all(row["as expected"] for rows in report.values() for row in rows.values()),
    )
