"""Stemming under several threads."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from memory_server.extraction.words import Stems


def test_threads_may_stem_at_once() -> None:
    """Workers share one stemmer; without its lock this ends in an IndexError inside Snowball."""
    stems = Stems(limit=10)
    words = [f"{stem}{ending}" for stem in ("generalis", "organis", "relat", "connect") for ending in ("ations", "ing")]
    expected = {word: Stems().key(word) for word in words}
    pause = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda n: (words[n % 8], stems.key(words[n % 8])), range(20_000)))
    finally:
        sys.setswitchinterval(pause)

    assert all(expected[word] == stem for word, stem in found)
