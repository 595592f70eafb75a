"""all-MiniLM-L6-v2 on this machine: int8 ONNX, one text at a time, out of the event loop's way; text or word by word.

One text at a time because dynamic quantisation takes its scale from the whole batch: the vector of a text would depend
on its neighbours.  Documents are embedded on one niced thread, because an encoder at full priority pushed the
database's commit p99 from 0.25 to 4 ms; questions on another that is not, so that they never wait for a document.

The run that gives a text's vector also gives each word's state.  Late interaction over word states (ColBERT, Khattab
and Zaharia 2020) finds what a pooled vector blurs; with all-MiniLM it is worth more than the pooled vectors themselves
(docs/recall.md).
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

from adapters.embedding.build import (
    MAX_TOKENS,
    STATES,
    WEIGHTS_SHA256,
    Session,
    build_model,
    locate,
    open_session,
    open_tokenizer,
    token_ids,
    whole,
)
from bot.errors import EmbeddingUnavailable
from bot.ports.embedder import Vectors, WordVectors
from language.sentences import split_sentences

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSION = 384
QUESTION_TEXTS, QUESTION_LENGTH = 3, 600
"""A call of at most so many texts, and characters in all, is a question: somebody waits for it."""
TOPIC_TOKENS = 24
"""Up to here short sentences share a vector.  In one of 256 tokens a fact drowns: of 40 documents with a fact each in
750 words on something else, all 40 chunks stood first with 32 tokens, 22 with 64, 11 with 256."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The opened model and its tokenizer."""

    session: Session
    words: Tokenizer


class MiniLmEmbedder:
    """The local model.  Loaded at the first text (under half a second once the model file is made)."""

    def __init__(self, cache_dir: Path, *, cached_texts: int = 4096, niceness: int = 10) -> None:
        self._cache_dir = cache_dir
        self._cache: LRUCache[bytes, Vectors] = LRUCache(cached_texts)
        """Vectors by a digest of their text: no text is kept."""
        self._patient = ThreadPoolExecutor(1, "embed", initializer=_lower_priority, initargs=(niceness,))
        self._prompt = ThreadPoolExecutor(1, "embed-question")
        self._loading = threading.Lock()
        self._loaded: Loaded | None = None

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
        await asyncio.get_running_loop().run_in_executor(self._prompt, self.load, report)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one normalised row per text, see :class:`~bot.ports.embedder.Embedder`."""
        loop = asyncio.get_running_loop()
        executor = self._prompt if _is_question(texts) else self._patient
        rows = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            vector = self._cache.get(key)
            if vector is None:
                vector = self._cache[key] = await loop.run_in_executor(executor, self._encode_whole, text)
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
        """Let the threads end after the text they are at."""
        for executor in (self._patient, self._prompt):
            executor.shutdown(wait=False, cancel_futures=True)

    def _encode_whole(self, text: str) -> Vectors:
        loaded = self.load()
        row: Vectors = loaded.session.run(["vector"], {"ids": token_ids(loaded.words, text)})[0][0]
        return row

    def _windows(self, text: str, topics: bool) -> tuple[str, ...]:  # noqa: FBT001 - run_in_executor passes no names
        return _cut(self.load().words, text, topics=topics)

    def load(self, report: Callable[[str], None] = lambda _: None) -> Loaded:
        """Return the model, made and loaded unless it is, in the calling thread.

        Raises :class:`~bot.errors.EmbeddingUnavailable`: here alone, as a model that is loaded always answers.
        """
        with self._loading:
            if self._loaded is None:
                path = build_model(self._cache_dir, report)
                try:
                    self._loaded = Loaded(open_session(path), open_tokenizer(locate().tokenizer))
                except Exception as error:  # onnxruntime raises its own untyped exceptions for a damaged file
                    path.unlink(missing_ok=True)
                    raise EmbeddingUnavailable(
                        "the embedding model file is damaged; it is made again at the next use"
                    ) from error
            return self._loaded


class MiniLmWordEmbedder(MiniLmEmbedder):
    """The port :class:`~bot.ports.embedder.WordEmbedder`; use it in place of the plain one, not beside it.

    Texts that nobody waits for are not kept.  Of the others the results of the last ``cached_texts`` are, the longest
    unused go first; who asks for a text that runs waits for that run.
    """

    def __init__(self, cache_dir: Path, *, cached_texts: int = 1024, niceness: int = 10) -> None:
        super().__init__(cache_dir, cached_texts=0, niceness=niceness)
        self._known: LRUCache[str, WordVectors] = LRUCache(cached_texts)
        self._running: dict[str, asyncio.Future[WordVectors]] = {}

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one normalised row per text, see :class:`~bot.ports.embedder.Embedder`."""
        found = await self.embed_words(texts, patient=not _is_question(texts))
        return np.stack([each.vector for each in found]) if found else np.empty((0, DIMENSION), dtype=np.float32)

    async def embed_words(self, texts: Sequence[str], *, patient: bool = False) -> tuple[WordVectors, ...]:
        """Return the vector and the word states of each text."""
        loop = asyncio.get_running_loop()
        found: list[WordVectors] = []
        for text in texts:
            known = self._known.get(text)
            if known is None and patient:
                known = await loop.run_in_executor(self._patient, self._encode, text)
            elif known is None:
                known = await asyncio.shield(self._running.get(text) or self._run(loop, text))
            found.append(known)
        return tuple(found)

    def forget(self) -> None:
        """Drop what is remembered of texts, because one of them may have been erased."""
        self._known.clear()
        self._running.clear()

    def _run(self, loop: asyncio.AbstractEventLoop, text: str) -> asyncio.Future[WordVectors]:
        """Embed a text that somebody waits for, and keep it unless it is forgotten meanwhile."""
        running = self._running[text] = loop.run_in_executor(self._prompt, self._encode, text)

        def keep(done: asyncio.Future[WordVectors]) -> None:
            failed = done.cancelled() or done.exception() is not None
            if self._running.get(text) is not running:
                return
            del self._running[text]
            if not failed:
                self._known[text] = done.result()

        running.add_done_callback(keep)
        return running

    def _encode(self, text: str) -> WordVectors:
        loaded = self.load()
        encoded = loaded.words.encode(whole(text))
        vectors, states = loaded.session.run(["vector", STATES], {"ids": np.array([encoded.ids], dtype=np.int64)})
        spans = np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)
        real = spans[:, 1] > spans[:, 0]
        return WordVectors(vectors[0], states[0][real], spans[real])


def _is_question(texts: Sequence[str]) -> bool:
    return len(texts) <= QUESTION_TEXTS and sum(map(len, texts)) <= QUESTION_LENGTH


def _cut(words: Tokenizer, text: str, *, topics: bool) -> tuple[str, ...]:
    """Return what to embed of a text: itself if the model reads it whole, else its beginning and then all its topics.

    A topic is a sentence, or several short ones.  Without ``topics`` it is the text in the longest parts that are read.
    """
    first, *more = _spans(words, text)
    if not more:
        return (text,)
    if not topics:
        return (first, *more)
    found: list[str] = [first]
    held: list[str] = []
    spent = 0
    for sentence in split_sentences(text):
        for part in _spans(words, sentence):
            cost = len(words.encode(whole(part)).ids)
            if held and spent + cost > TOPIC_TOKENS:
                found.append(" ".join(held))
                held, spent = [], 0
            held.append(part)
            spent += cost
    return (*found, " ".join(held)) if held else tuple(found)


def _spans(words: Tokenizer, text: str) -> list[str]:
    """Return a text in parts as long as the model reads, each beginning with the end of the one before."""
    encoded = words.encode(whole(text))
    if not encoded.overflowing:
        return [text]
    parts = ([span for span in part.offsets if span[0] < span[1]] for part in (encoded, *encoded.overflowing))
    return [text[part[0][0] : part[-1][1]] for part in parts if part]


def _lower_priority(niceness: int) -> None:
    """Nice this thread alone; where the system can only nice processes, or forbids it, nothing happens."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
