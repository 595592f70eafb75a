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
    ModelSession,
    embed_words,
    open_session,
    token_ids,
)
from adapters.embedding.files import E5_RECIPE, E5_SHA256, damaged, provide_models
from adapters.embedding.reading import Reader, load_reading
from adapters.embedding.tokenizer import Tokenizer
from bot.memory.ranking.question_map import map_question
from bot.ports.embedder import Vectors, WordStates, WordVectors


@dataclass(frozen=True, slots=True)
class Loaded:
    """The opened model, its tokenizer and its word embeddings, mapped: what is not looked at takes no memory."""

    session: ModelSession
    tokenizer: Tokenizer
    words: npt.NDArray[np.uint8]

    def run(self, outputs: Sequence[str], text: str, prefix: str) -> tuple[list[Vectors], npt.NDArray[np.int64]]:
        """Return outputs of the model for a text, and where its tokens stand."""
        ids, spans = token_ids(self.tokenizer, text, prefix)
        return self.session.run(outputs, {"words": embed_words(self.words, ids)[None]}), spans


@dataclass(frozen=True, slots=True)
class _Read:
    """What one run of the model gives: the port's result, and the states of the layer that tells names."""

    words: WordVectors
    inner: Vectors

    @property
    def size(self) -> int:
        """Bytes, but for the text."""
        return self.words.vector.nbytes + self.words.pieces.nbytes + self.inner.nbytes


class E5Embedder:
    """The port :class:`~bot.ports.embedder.WordEmbedder`.  Loaded at the first text (under half a second, once made).

    A text is run once for whoever asks: for the search over what was said, for what it became a memory of, for its
    names.  The results of the last texts are kept, ``kept_bytes`` in all; who asks for a text that runs waits for it.
    """

    def __init__(self, cache_dir: Path, *, kept_bytes: int = 16 << 20, niceness: int = 10) -> None:
        self._cache_dir = cache_dir
        self._known: LRUCache[tuple[str, str], _Read] = LRUCache(kept_bytes, getsizeof=lambda read: read.size)
        self._running: dict[tuple[str, str, bool], asyncio.Future[_Read]] = {}
        self._patient = ThreadPoolExecutor(1, "embed", initializer=lower_priority, initargs=(niceness,))
        self._prompt = ThreadPoolExecutor(1, "embed-question")
        self._loading = threading.Lock()
        self._loaded: Loaded | None = None
        self._reader: Reader | None = None

    @property
    def model(self) -> str:
        """Name and version of weights and quantisation."""
        return f"multilingual-e5-small-int8-{E5_SHA256[:8]}-{E5_RECIPE}"

    @property
    def dimension(self) -> int:
        """384."""
        return WIDTH

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """Return one normalised row per text, see :class:`~bot.ports.embedder.Embedder`."""
        found = await self.embed_words(texts, question=question, patient=not question)
        return np.stack([each.vector for each in found]) if found else np.empty((0, WIDTH), dtype=np.float32)

    async def embed_words(
        self, texts: Sequence[str], *, question: bool = False, patient: bool = False
    ) -> tuple[WordVectors, ...]:
        """Return the vector and the word states of each text."""
        prefix = QUESTION if question else PASSAGE
        return tuple([(await self._read(prefix, text, patient=patient)).words for text in texts])

    async def read_sentences(self, texts: Sequence[str]) -> Vectors:
        """Return what tells the kinds of sentences, see :class:`~bot.ports.embedder.SentenceReader`."""
        found = [await self._read(QUESTION, text, patient=False) for text in texts]
        states = [each.inner.astype(np.float32) if len(each.inner) else np.zeros((1, WIDTH)) for each in found]
        rows = [(each.words.vector, own.mean(axis=0), own[0]) for each, own in zip(found, states, strict=True)]
        return np.array(rows, dtype=np.float32)

    async def rate_answers(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Return how likely each text answers a question, see :class:`~bot.ports.embedder.AnswerReader`."""
        asked = await self._read(QUESTION, question, patient=False)
        told = [await self._read(PASSAGE, text, patient=False) for text in texts]
        rated = asyncio.get_running_loop().run_in_executor(self._prompt, self._rate, asked, told)
        return tuple(await rated)

    async def read_states(self, text: str) -> WordStates:
        """Return what each piece of a text is, see :class:`~bot.ports.embedder.StateReader`."""
        read = await self._read(PASSAGE, text, patient=True)
        return WordStates(read.inner, read.words.spans)

    def forget(self) -> None:
        """Drop what is remembered of texts, because one of them may have been erased."""
        self._known.clear()
        self._running.clear()

    def close(self) -> None:
        """Let the threads end after the text they are at."""
        for executor in (self._patient, self._prompt):
            executor.shutdown(wait=False, cancel_futures=True)

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

    def load_reader(self) -> Reader:
        """Return the model that reads two texts together, loaded in the calling thread; raises as :meth:`load`."""
        with self._loading:
            if self._reader is None:
                files = provide_models(self._cache_dir, lambda _: None)
                files.check(files.reader)
                self._reader = Reader(open_session(files.reader), load_reading())
            return self._reader

    def _rate(self, asked: _Read, told: Sequence[_Read]) -> list[float]:
        reader = self.load_reader()
        question = map_question(asked.words.vector, self.model)
        return [reader.rate(asked.inner, each.inner, float(question @ each.words.vector)) for each in told]

    async def _read(self, prefix: str, text: str, *, patient: bool) -> _Read:
        known = self._known.get((prefix, text))
        if known is not None:
            return known
        running = self._running.get((prefix, text, patient))
        return await asyncio.shield(running or self._run(prefix, text, patient=patient))

    def _run(self, prefix: str, text: str, *, patient: bool) -> asyncio.Future[_Read]:
        """Run the model over a text and keep what it gives, unless it is forgotten meanwhile."""
        key, executor = (prefix, text, patient), self._patient if patient else self._prompt
        running = asyncio.get_running_loop().run_in_executor(executor, self._encode, prefix, text)
        self._running[key] = running

        def keep(done: asyncio.Future[_Read]) -> None:
            failed = done.cancelled() or done.exception() is not None
            if self._running.get(key) is not running:
                return
            del self._running[key]
            if not failed and done.result().size <= self._known.maxsize:
                self._known[prefix, text] = done.result()

        running.add_done_callback(keep)
        return running

    def _encode(self, prefix: str, text: str) -> _Read:
        (vectors, states, inner), spans = self.load().run(["vector", STATES, INNER], text, prefix)
        real = spans[:, 1] > spans[:, 0]
        return _Read(WordVectors(vectors[0], states[0][real], spans[real]), inner[0][real])


def lower_priority(niceness: int) -> None:
    """Nice this thread alone; where the system can only nice processes, or forbids it, nothing happens."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
