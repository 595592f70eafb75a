"""Figures measured at a size: bytes handed to the system, processor time, memory, disk, latency."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from memory_server.options import Vectors

DIMENSION = 384


@dataclass(frozen=True, slots=True)
class Usage:
    """Bytes written (to files and anything else) and processor seconds of this process."""

    written: float
    cpu_s: float

    @staticmethod
    def now() -> Usage:
        """Return what was used until now."""
        written = 0
        for line in Path("/proc/self/io").read_text("ascii").splitlines():
            if line.startswith("wchar:"):
                written = int(line.split()[1])
        return Usage(written, time.process_time())

    def since(self, before: Usage, times: int) -> Usage:
        """Return what was used since then by each of ``times`` acts."""
        return Usage((self.written - before.written) / times, (self.cpu_s - before.cpu_s) / times)


class WordEmbedder:
    """Vectors from words without a model: what is measured is everything besides embedding."""

    model = "words"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._words: dict[str, Vectors] = {}

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the normalised sum of the words' own random vectors."""
        rows = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                rows[row] += self._word(word)
            rows[row] /= max(float(np.linalg.norm(rows[row])), 1e-9)
        return rows

    def _word(self, word: str) -> Vectors:
        if (known := self._words.get(word)) is None:
            if len(self._words) > 20_000:
                self._words.clear()
            seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
            known = self._words[word] = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
        return known


def disk_mb(folder: Path) -> float:
    """Return the size of a folder's files."""
    return round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6, 2)


def rss_mb() -> float:
    """Return the resident memory of this process."""
    return round(psutil.Process(os.getpid()).memory_info().rss / 1e6, 1)


async def latency(ask: Callable[[int], Awaitable[Any]], count: int) -> dict[str, float]:  # Any: an answer, not used
    """Return p50 and p95 of ``count`` calls in milliseconds."""
    taken: list[float] = []
    for number in range(count):
        started = time.perf_counter()
        await ask(number)
        taken.append((time.perf_counter() - started) * 1000)
    return {"p50": round(float(np.percentile(taken, 50)), 2), "p95": round(float(np.percentile(taken, 95)), 2)}
