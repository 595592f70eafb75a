"""``python -m benchmarks.prompt_example``: docs/prompt-example.md, one prompt in full from an invented conversation."""

import asyncio
from pathlib import Path

from harness.options import Report, run
from harness.prompt.example import PAGE, build_page


async def write(folder: Path, *, out: Path = PAGE) -> Report:
    """Write the page."""
    await asyncio.to_thread(out.write_text, await build_page(folder), encoding="utf-8")
    return {"page": str(out)}


if __name__ == "__main__":
    run(write, __doc__)
