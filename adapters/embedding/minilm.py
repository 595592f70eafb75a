"""all-MiniLM-L6-v2 on this machine: int8 ONNX, one text at a time, out of the event loop's way.

One text at a time because dynamic quantisation takes its scale from the whole batch: the vector of a text would depend
on its neighbours.  Documents are embedded on one niced thread, because an encoder at full priority pushed the
database's commit p99 from 0.25 to 4 ms; questions on another that is not, so that they never wait for a document.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from cachetools import LRUCache

from adapters.embedding.build import WEIGHTS_SHA256, build_model, locate
from adapters.embedding.session import MAX_TOKENS, Session, open_session, open_tokenizer, token_ids, windows
from bot.errors import EmbeddingUnavailable
from bot.ports.embedder import Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSION = 384
QUESTION_TEXTS, QUESTION_LENGTH = 3, 600
"""A call of at most so many texts, and characters in all, is a question: somebody waits for it."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Session
    words: Tokenizer

    def run(self, text: str) -> Vectors:
        row: Vectors = self.session.run(["vector"], {"ids": token_ids(self.words, text)})[0][0]
        return row


class MiniLmEmbedder:
    """The local model.  Loaded at the first text (under half a second once the model file is made)."""

    def __init__(self, cache_dir: Path, *, cached_texts: int = 4096, niceness: int = 10) -> None:
        self._cache_dir = cache_dir
        self._cache: LRUCache[bytes, Vectors] = LRUCache(cached_texts)
        """Vectors by a digest of their text: no text is kept."""
        self._executor = ThreadPoolExecutor(1, "embed", initializer=lower_priority, initargs=(niceness,))
        self._prompt = ThreadPoolExecutor(1, "embed-question")
        self._loading = threading.RLock()
        self._loaded: _Loaded | None = None

    @property
    def model(self) -> str:
        """Name and version of weights and quantisation."""
        return f"all-MiniLM-L6-v2-int8-{WEIGHTS_SHA256[:8]}"

    @property
    def dimension(self) -> int:
        """384."""
        return DIMENSION

    async def prepare(self, report: Callable[[str], None]) -> None:
        """Make the model file if needed and load it, telling ``report`` what happens."""
        await asyncio.get_running_loop().run_in_executor(self._executor, self._load, report)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one normalised row per text, see :class:`~bot.ports.embedder.Embedder`."""
        loop = asyncio.get_running_loop()
        question = len(texts) <= QUESTION_TEXTS and sum(map(len, texts)) <= QUESTION_LENGTH
        executor = self._prompt if question else self._executor
        rows = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            vector = self._cache.get(key)
            if vector is None:
                vector = self._cache[key] = await loop.run_in_executor(executor, self._encode, text)
            rows[row] = vector
        return rows

    async def windows(self, text: str, *, topics: bool = True) -> tuple[str, ...]:
        """Return what to embed so that all of a text is read: itself, or its beginning and then its parts.

        With ``topics`` the parts are sentences, for texts to be found; without as long as can be, for questions.
        """
        if len(text) <= MAX_TOKENS // 4:  # no character is more than three tokens: a syllable of Hangul is
            return (text,)
        return await asyncio.get_running_loop().run_in_executor(self._prompt, self._windows, text, topics)

    def close(self) -> None:
        """Let the thread end after the text it is at."""
        for executor in (self._executor, self._prompt):
            executor.shutdown(wait=False, cancel_futures=True)

    def _encode(self, text: str) -> Vectors:
        return self._load(lambda _: None).run(text)

    def _windows(self, text: str, topics: bool) -> tuple[str, ...]:  # noqa: FBT001 - run_in_executor passes no names
        return windows(self._load(lambda _: None).words, text, topics=topics)

    def _load(self, report: Callable[[str], None]) -> _Loaded:
        with self._loading:
            if self._loaded is None:
                path = build_model(self._cache_dir, report)
                try:
                    self._loaded = _Loaded(open_session(path), open_tokenizer(locate().tokenizer))
                except Exception as error:  # onnxruntime raises its own untyped exceptions for a damaged file
                    path.unlink(missing_ok=True)
                    raise EmbeddingUnavailable(
                        "the embedding model file is damaged; it is made again at the next use"
                    ) from error
            return self._loaded


def lower_priority(niceness: int) -> None:
    """Nice this thread alone; where the system can only nice processes, or forbids it, nothing happens."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
