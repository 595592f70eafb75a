"""Chunks that the Markdown files of some folders are cut into: the number per file, and the share of small ones.

python -m benchmarks.memory_server.chunks FOLDER ...

Every folder is a corpus of its own; equal files count once.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import mean, median

from memory_server.chunking import Limits, clean, cut_by_headings, tokenizer

SMALL = 32
SUFFIXES = (".md", ".markdown")


def measure(folder: Path) -> dict[str, float]:
    """Return files, mean and median chunks per file, and the share of chunks under 32 tokens."""
    paths = (path for path in sorted(folder.rglob("*")) if path.suffix.lower() in SUFFIXES and path.is_file())
    texts = dict.fromkeys(clean(path.read_text("utf-8", errors="replace")) for path in paths)
    cut = [[chunk.tokens for chunk in cut_by_headings(text, Limits(), tokenizer())] for text in texts if text]
    sizes = [tokens for chunks in cut for tokens in chunks]
    if not sizes:
        return {"files": 0}
    counts = [len(chunks) for chunks in cut]
    return {
        "files": len(cut),
        "chunks_per_file": round(mean(counts), 2),
        "median": median(counts),
        "under_32_tokens_percent": round(100 * sum(size < SMALL for size in sizes) / len(sizes), 2),
    }


def main() -> None:
    """Measure every folder and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    for folder in parser.parse_args().folders:
        print(json.dumps({"folder": folder.name} | measure(folder)))


if __name__ == "__main__":
    main()
