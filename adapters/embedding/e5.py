"""multilingual-e5-small on this machine: int8 ONNX, one text at a time, out of the event loop's way.

One text at a time because dynamic quantisation takes its scale from the whole batch: the vector of a text would depend
on its neighbours.  Documents are embedded on one niced thread, because an encoder at full priority pushed the
database's commit p99 from 0.25 to 4 ms; questions on another that is not, so that they never wait for a document.

The run that gives a text's vector also gives each word's state.  Late interaction over word states (ColBERT, Khattab
and Zaharia 2020) finds what a pooled vector blurs (docs/recall.md).
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from adapters.embedding.encoder import (
    BLOCK,
    BLOCK_BYTES,
    INNER,
    PASSAGE,
    QUESTION,
    STATES,
    WIDTH,
    Session,
    embed_words,
    open_session,
    token_ids,
)
from adapters.embedding.files import E5_RECIPE, E5_SHA256, damaged, provide_models
from adapters.embedding.tokenizer import Tokenizer
from bot.ports.embedder import Vectors, WordStates, WordVectors


@dataclass(frozen=True, slots=True)
class Loaded:
    """The opened model, its tokenizer and its word embeddings, mapped: what is not looked at takes no memory."""

    session: Session
    tokenizer: Tokenizer
    words: npt.NDArray[np.uint8]

    def run(self, outputs: Sequence[str], text: str, prefix: str) -> tuple[list[Vectors], npt.NDArray[np.int64]]:
        """Return outputs of the model for a text, and where its tokens stand."""
        ids, spans = token_ids(self.tokenizer, text, prefix)
        return self.session.run(outputs, {"words": embed_words(self.words, ids)[None]}), spans


class E5Embedder:
    """The local model.  Loaded at the first text (under half a second once the model file is made)."""

    def __init__(self, cache_dir: Path, *, cached_texts: int = 4096, niceness: int = 10) -> None:
        self._cache_dir = cache_dir
        self._cache: LRUCache[bytes, Vectors] = LRUCache(cached_texts)
        """Vectors by a digest of their text: no text is kept."""
        self._patient = ThreadPoolExecutor(1, "embed", initializer=lower_priority, initargs=(niceness,))
        self._prompt = ThreadPoolExecutor(1, "embed-question")
        self._loading = threading.Lock()
        self._loaded: Loaded | None = None

    @property
    def model(self) -> str:
        """Name and version of weights and quantisation."""
        return f"multilingual-e5-small-int8-{E5_SHA256[:8]}-{E5_RECIPE}"

    @property
    def dimension(self) -> int:
        """384."""
        return WIDTH

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        loop = asyncio.get_running_loop()
        executor, prefix = (self._prompt, QUESTION) if question else (self._patient, PASSAGE)
        rows = np.empty((len(texts), WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            key = blake2b((prefix + text).encode("utf-8", "surrogatepass"), digest_size=16).digest()
            vector = self._cache.get(key)
            if vector is None:
                vector = self._cache[key] = await loop.run_in_executor(executor, self._encode_whole, text, prefix)
            rows[row] = vector
        return rows

    async def read_states(self, text: str) -> WordStates:
        """Return what each piece of a text is, see :class:`~bot.ports.embedder.StateReader`; nothing is kept."""
        return await asyncio.get_running_loop().run_in_executor(self._patient, self._read_states, text)

    def close(self) -> None:
        """Let the threads end after the text they are at."""
        for executor in (self._patient, self._prompt):
            executor.shutdown(wait=False, cancel_futures=True)

    def _encode_whole(self, text: str, prefix: str) -> Vectors:
        row: Vectors = self.load().run(["vector"], text, prefix)[0][0][0]
        return row

    def _read_states(self, text: str) -> WordStates:
        (states,), spans = self.load().run([INNER], text, PASSAGE)
        real = spans[:, 1] > spans[:, 0]
        return WordStates(states[0][real], spans[real])

    def load(self, report: Callable[[str], None] = lambda _: None) -> Loaded:
        """Return the model, made and loaded unless it is, in the calling thread.

        Raises :class:`~bot.errors.EmbeddingUnavailable`: here alone, as a model that is loaded always answers.
        """
        with self._loading:
            if self._loaded is None:
                files = provide_models(self._cache_dir, report)
                files.check(files.graph, files.tokenizer, files.characters)
                replaced = {int(point): text for point, text in json.loads(files.characters.read_bytes()).items()}
                tokenizer = Tokenizer(files.tokenizer, replaced)
                shape = (tokenizer.vocabulary, WIDTH // BLOCK, BLOCK_BYTES)
                if files.words.stat().st_size != math.prod(shape):
                    raise damaged(files.words)
                words = np.memmap(files.words, np.uint8, "r", shape=shape)
                self._loaded = Loaded(open_session(files.graph), tokenizer, words)
            return self._loaded


class E5WordEmbedder(E5Embedder):
    """The port :class:`~bot.ports.embedder.WordEmbedder`; use it in place of the plain one, not beside it.

    Texts that nobody waits for are not kept.  Of the others the results of the last ``cached_texts`` are, the longest
    unused go first; who asks for a text that runs waits for that run.
    """

    def __init__(self, cache_dir: Path, *, cached_texts: int = 1024, niceness: int = 10) -> None:
        super().__init__(cache_dir, cached_texts=0, niceness=niceness)
        self._known: LRUCache[tuple[str, str], WordVectors] = LRUCache(cached_texts)
        self._running: dict[tuple[str, str], asyncio.Future[WordVectors]] = {}

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """Return one normalised row per text, see :class:`~bot.ports.embedder.Embedder`."""
        found = await self.embed_words(texts, question=question, patient=not question)
        return np.stack([each.vector for each in found]) if found else np.empty((0, WIDTH), dtype=np.float32)

    async def embed_words(
        self, texts: Sequence[str], *, question: bool = False, patient: bool = False
    ) -> tuple[WordVectors, ...]:
        """Return the vector and the word states of each text."""
        loop = asyncio.get_running_loop()
        found: list[WordVectors] = []
        for text in texts:
            key = (QUESTION if question else PASSAGE, text)
            known = self._known.get(key)
            if known is None and patient:
                known = await loop.run_in_executor(self._patient, self._encode, *key)
            elif known is None:
                known = await asyncio.shield(self._running.get(key) or self._run(loop, key))
            found.append(known)
        return tuple(found)

    def forget(self) -> None:
        """Drop what is remembered of texts, because one of them may have been erased."""
        self._known.clear()
        self._running.clear()

    def _run(self, loop: asyncio.AbstractEventLoop, key: tuple[str, str]) -> asyncio.Future[WordVectors]:
        """Embed a text that somebody waits for, and keep it unless it is forgotten meanwhile."""
        running = self._running[key] = loop.run_in_executor(self._prompt, self._encode, *key)

        def keep(done: asyncio.Future[WordVectors]) -> None:
            failed = done.cancelled() or done.exception() is not None
            if self._running.get(key) is not running:
                return
            del self._running[key]
            if not failed:
                self._known[key] = done.result()

        running.add_done_callback(keep)
        return running

    def _encode(self, prefix: str, text: str) -> WordVectors:
        (vectors, states), spans = self.load().run(["vector", STATES], text, prefix)
        real = spans[:, 1] > spans[:, 0]
        return WordVectors(vectors[0], states[0][real], spans[real])


def lower_priority(niceness: int) -> None:
    """Nice this thread alone; where the system can only nice processes, or forbids it, nothing happens."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
