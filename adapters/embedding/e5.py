"""multilingual-e5-small on this machine: int8 ONNX, one text at a time, out of the event loop's way.

One text at a time because dynamic quantisation takes its scale from the whole batch: the vector of a text would depend
on its neighbours.  Documents are embedded on one niced thread, because an encoder at full priority pushed the
database's commit p99 from 0.25 to 4 ms; questions on another that is not, so that they never wait for a document.

The run that gives a text's vector also gives each word's state.  Late interaction over word states (ColBERT, Khattab
and Zaharia 2020) finds what a pooled vector blurs (docs/recall.md).

Reads two texts together and says how likely a message answers a question, or changes what an earlier one says.

Vectors tell what a text is about.  Whether it answers what is asked about that ("how much did the oven cost" beside
"HeatPro serviced the oven in March"), or whether something holds no more ("back to taking the bus" behind "I drive a
Volvo"), only shows where both are read in one go: the states of both texts in the sixth layer of the embedding model,
computed for each by itself, go through six further layers together (DeFormer, Cao et al. 2020, arXiv 2005.00697).
These are the upper layers of the same model, trained for each of both by ``python -m benchmarks.reading train-answers``
and ``train-changes``; what that changed is stored as two thin matrices for each of theirs (``answers.npz``,
``changes.npz``), and added to the model's own when the files are made (``build.py``).
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from adapters.embedding.encoder import (
    INNER,
    PASSAGE,
    QUESTION,
    STATES,
    WIDTH,
    ModelSession,
    Tokenizer,
    WordRows,
    embed_words,
    open_session,
    return_memory,
    token_ids,
)
from adapters.embedding.files import ANSWERS, CHANGES, E5_RECIPE, E5_SHA256, ModelFiles, provide_models
from bot.memory.ranking.vectors import map_question
from bot.memory.scope import Scope
from bot.ports.embedder import Vectors, WordStates, WordVectors

Floats = npt.NDArray[np.float32]

STATES_READ: Final = "read"
"""Name of the graph's output: the last layer, shape (1, 1 + tokens, 384)."""
MOST_OF_QUESTION: Final = 24
MOST_OF_FIRST: Final = 40
MOST_TOKENS: Final = 96
"""Pieces of the question that two messages are read for, of the first text, and of all with the mark before them; what
is longer is cut."""
_LEAST_ODDS: Final = -50.0
_LEAST_ALIKE, _UNLIKE_ODDS = 0.08, -8.5
"""Below this likeness a text is not read beside the question, and taken for what most of them are: 14 % of the six
likest, none of which answered best in the lives of another author (792 questions) and in some trained on (374)."""
_NOTHING: Final = np.zeros((0, WIDTH), np.float32)
_CHANGED: Final = ".change"
_LOW, _HIGH = ".a", ".b"


@dataclass(frozen=True, slots=True)
class Reading:
    """What was learnt beside the layers' matrices: what marks the texts, and what makes a number of their states.

    ``mark`` stands before them, shape (384,); ``sides`` is added to the states of the first, of the second and of the
    question that both are read for, shape (2, 384) where there is never one, else (3, 384); ``hidden`` and ``offset``
    are a layer over the mark's state, the product and the distance of both means, shape (1152, 256) and (256,); ``out``
    its weights, and ``constant`` what is added.
    """

    mark: Floats
    sides: Floats
    hidden: Floats
    offset: Floats
    out: Floats
    constant: float
    likeness: float
    """What the cosine of the question's mapped vector and the text's counts; 0 where none does."""

    @property
    def asks(self) -> bool:
        """Whether it reads two messages for a question."""
        return len(self.sides) > len(("first", "second"))

    def join(self, first: Floats, second: Floats, question: Floats = _NOTHING) -> Floats:
        """Return what the graph reads, shape (1, 1 + tokens, 384), of the states of all; a question may have none."""
        question, first = question[:MOST_OF_QUESTION], first[:MOST_OF_FIRST]
        second = second[: MOST_TOKENS - 1 - len(question) - len(first)]
        asked = [question + self.sides[2]] if len(question) else []
        return np.concatenate([self.mark[None], *asked, first + self.sides[0], second + self.sides[1]])[None]

    def judge(self, read: Floats, first: int, question: int = 0) -> float:
        """Return what the graph's output and the pieces of the first text and the question give of the log odds."""
        start = 1 + min(question, MOST_OF_QUESTION)
        split = start + min(first, MOST_OF_FIRST)
        asked, told = read[start:split].mean(axis=0), read[split:].mean(axis=0)
        inner = np.concatenate([read[0], asked * told, np.abs(asked - told)]) @ self.hidden + self.offset
        bent = 0.5 * inner * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * inner**3)))
        return float(bent @ self.out) + self.constant


@dataclass(frozen=True, slots=True)
class Reader:
    """The opened graph, and what was learnt beside it."""

    session: ModelSession
    reading: Reading

    def read(self, first: Floats, second: Floats, question: Floats = _NOTHING) -> float:
        """Return the log odds, but for their likeness, of two texts by the inner states of both, and of a question.

        An empty text answers and changes nothing.
        """
        if not len(first) or not len(second):
            return -math.inf
        (read,) = self.session.run([STATES_READ], {"words": self.reading.join(first, second, question)})
        return self.reading.judge(read[0], len(first), len(question))

    def rate(self, odds: float, likeness: float = 0.0) -> float:
        """Return the likelihood, 0..1, by what :meth:`read` gave and the likeness of both."""
        odds += self.reading.likeness * likeness
        return 1 / (1 + math.exp(-odds)) if odds > _LEAST_ODDS else 0.0


def load_reading(weights: Path) -> Reading:
    """Return what was learnt beside the layers' matrices."""
    packed = _open(weights)
    return Reading(
        packed["mark"],
        packed["sides"],
        packed["hidden"],
        packed["offset"],
        packed["out"],
        float(packed["constant"][0]),
        float(packed["likeness"][0]),
    )


def change_tensors(tensors: Mapping[str, Floats], weights: Path) -> dict[str, Floats]:
    """Return the model's tensors with what training changed of the upper layers."""
    packed = _open(weights)
    changed = dict(tensors)
    for name in packed:
        if name.endswith(_LOW):
            matrix = name.removesuffix(_LOW)
            changed[matrix] = tensors[matrix] + packed[name] @ packed[matrix + _HIGH]
        elif name.endswith(_CHANGED):
            changed[name.removesuffix(_CHANGED)] = packed[name]
    return changed


def _open(weights: Path) -> dict[str, Floats]:
    """Return what was learnt, by name; matrices of int8 come with a scale for each row."""
    with np.load(weights) as packed:
        return {
            name: packed[name].astype(np.float32) * packed[f"{name}.scale"].astype(np.float32)[:, None]
            if f"{name}.scale" in packed.files
            else packed[name].astype(np.float32)
            for name in packed.files
            if not name.endswith(".scale")
        }


@dataclass(frozen=True, slots=True)
class Loaded:
    """The opened model, its tokenizer and its word embeddings."""

    lower: ModelSession
    upper: ModelSession
    tokenizer: Tokenizer
    words: WordRows

    def read(self, text: str, prefix: str) -> Read:
        ids, spans = token_ids(self.tokenizer, text, prefix)
        (states,) = self.lower.run([INNER], {"words": embed_words(self.words.take(ids))[None]})
        return Read(states[0], spans)

    def embed(self, read: Read) -> Embedded:
        vectors, states = self.upper.run(["vector", STATES], {"words": read.states[None]})
        return Embedded(read.states, read.spans, WordVectors(vectors[0], states[0][read.real], read.spans[read.real]))


@dataclass(frozen=True, slots=True)
class Read:
    """A text after the lower half of the model: the states, and where they stand, marks and prefix included."""

    states: Vectors
    spans: npt.NDArray[np.int64]

    @property
    def real(self) -> npt.NDArray[np.bool_]:
        """Which of them stand anywhere in the text."""
        return self.spans[:, 1] > self.spans[:, 0]

    @property
    def inner(self) -> Vectors:
        """The states of the text itself, in the layer that tells names."""
        return self.states[self.real]

    @property
    def size(self) -> int:
        """Bytes, but for the text."""
        return self.states.nbytes + self.spans.nbytes


@dataclass(frozen=True, slots=True)
class Embedded(Read):
    """A text after both halves."""

    words: WordVectors

    @property
    def size(self) -> int:
        """Bytes, but for the text."""
        own = (self.states, self.spans, self.words.vector, self.words.pieces, self.words.spans)
        return sum(each.nbytes for each in own)


@dataclass(frozen=True, slots=True)
class _Texts:
    """What is ``known`` of texts by prefix and text, and what is read of others, which is known then."""

    loaded: Loaded
    known: dict[tuple[str, str], Read]

    def read(self, prefix: str, text: str) -> Read:
        return self.known.get((prefix, text)) or self.known.setdefault((prefix, text), self.loaded.read(text, prefix))

    def embed(self, prefix: str, text: str) -> Vectors:
        each = self.read(prefix, text)
        whole = self.known[prefix, text] = each if isinstance(each, Embedded) else self.loaded.embed(each)
        return whole.words.vector


class E5Embedder:
    """The port :class:`~bot.ports.embedder.WordEmbedder`.  Loaded at the first text (under half a second, once made).

    A text is run once for whoever asks: for the search over what was said, for what it became a memory of, for its
    names.  The results of the last texts are kept, ``kept_bytes`` in all; who asks for a text that runs waits for it.
    """

    def __init__(self, cache_dir: Path, *, kept_bytes: int = 16 << 20, niceness: int = 10) -> None:
        self._cache_dir = cache_dir
        self._known: LRUCache[tuple[str, str], Read] = LRUCache(kept_bytes, getsizeof=lambda read: read.size)
        self._running: dict[tuple[str, str, bool], asyncio.Future[Embedded]] = {}
        self._erased = 0
        self._patient = ThreadPoolExecutor(1, "embed", initializer=lower_priority, initargs=(niceness,))
        self._prompt = ThreadPoolExecutor(1, "embed-question")
        self._loading = threading.Lock()
        self._loaded: Loaded | None = None
        self._readers: dict[Path, Reader] = {}

    @property
    def model(self) -> str:
        return f"multilingual-e5-small-int8-{E5_SHA256[:8]}-{E5_RECIPE}"

    @property
    def dimension(self) -> int:
        return WIDTH

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        found = await self.embed_words(texts, question=question, patient=not question)
        return np.stack([each.vector for each in found]) if found else np.empty((0, WIDTH), dtype=np.float32)

    async def embed_words(
        self, texts: Sequence[str], *, question: bool = False, patient: bool = False
    ) -> tuple[WordVectors, ...]:
        prefix = QUESTION if question else PASSAGE
        return tuple([(await self._embed(prefix, text, patient=patient)).words for text in texts])

    async def read_sentences(self, texts: Sequence[str]) -> tuple[Vectors, tuple[WordStates, ...]]:
        found = [await self._embed(QUESTION, text, patient=False) for text in texts]
        states = [
            each.inner.astype(np.float32) if len(each.inner) else np.zeros((1, WIDTH), np.float32) for each in found
        ]
        rows = [(each.words.vector, own.mean(axis=0), own[0]) for each, own in zip(found, states, strict=True)]
        words = tuple(WordStates(each.inner.astype(np.float32), each.spans[each.real]) for each in found)
        return np.array(rows, dtype=np.float32), words

    async def rate_answers(
        self, question: str, texts: Sequence[str], alike: Sequence[float | None] = ()
    ) -> tuple[float, ...]:
        def rate(found: _Texts) -> tuple[float, ...]:
            reader, asked, rates = self.load_reader(ANSWERS), found.read(QUESTION, question).inner, list[float]()
            for text, about in itertools.zip_longest(texts, alike[: len(texts)]):
                if about is not None and about < _LEAST_ALIKE:
                    rates.append(reader.rate(_UNLIKE_ODDS, about))
                    continue
                odds = reader.read(asked, found.read(PASSAGE, text).inner)
                if about is None:
                    meant = map_question(found.embed(QUESTION, question), self.model)
                rates.append(reader.rate(odds, float(meant @ found.embed(PASSAGE, text)) if about is None else about))
            return tuple(rates)

        wanted = [(QUESTION, question), *((PASSAGE, text) for text in texts)]
        return await self._read_together(rate, wanted, self._prompt)

    @property
    def reader(self) -> str:
        return ModelFiles(self._cache_dir).change_reader.name

    async def rate_changes(
        self, question: str, earlier: str, later: Sequence[str], *, patient: bool = False
    ) -> tuple[float, ...]:
        def rate(found: _Texts) -> tuple[float, ...]:
            reader, first = self.load_reader(CHANGES), found.read(PASSAGE, earlier).inner
            asked = found.read(QUESTION, question).inner if question else _NOTHING
            return tuple(reader.rate(reader.read(first, found.read(PASSAGE, text).inner, asked)) for text in later)

        wanted = [*([(QUESTION, question)] if question else ()), *((PASSAGE, text) for text in (earlier, *later))]
        return await self._read_together(rate, wanted, self._patient if patient else self._prompt)

    async def read_states(self, text: str) -> WordStates:
        read = await self._embed(PASSAGE, text, patient=True)
        return WordStates(read.inner, read.words.spans)

    def forget(self, _: Scope | None = None) -> None:
        """Drop what is remembered of texts, because one of them may have been erased."""
        self._erased += 1
        self._known.clear()
        self._running.clear()

    def close(self) -> None:
        for executor in (self._patient, self._prompt):
            executor.shutdown(wait=False, cancel_futures=True)

    def load(self, report: Callable[[str], None] = lambda _: None) -> Loaded:
        """Return the model, made and loaded unless it is, in the calling thread.

        Raises :class:`~bot.errors.EmbeddingUnavailable`: here alone, as a model that is loaded always answers.
        """
        with self._loading:
            if self._loaded is None:
                files = provide_models(self._cache_dir, report)
                files.check(files.lower, files.upper, files.tokenizer, files.characters)
                replaced = {int(point): text for point, text in json.loads(files.characters.read_bytes()).items()}
                tokenizer = Tokenizer(files.tokenizer, replaced)
                words = WordRows(files.words, tokenizer.vocabulary)
                self._loaded = Loaded(open_session(files.lower), open_session(files.upper), tokenizer, words)
                return_memory()
            return self._loaded

    def load_reader(self, weights: Path) -> Reader:
        """Return the model that reads two texts together as was learnt, loaded in the calling thread.

        Raises as :meth:`load`.
        """
        with self._loading:
            if weights not in self._readers:
                files = provide_models(self._cache_dir, lambda _: None)
                graph = files.reader if weights == ANSWERS else files.change_reader
                files.check(graph, files.reading(weights))
                self._readers[weights] = Reader(open_session(graph), load_reading(files.reading(weights)))
                return_memory()
            return self._readers[weights]

    async def _read_together(
        self,
        rate: Callable[[_Texts], tuple[float, ...]],
        wanted: Iterable[tuple[str, str]],
        executor: ThreadPoolExecutor,
    ) -> tuple[float, ...]:
        """Return what ``rate`` gives of texts, some of which are known, and keep what was read for it."""
        known = {key: self._known[key] for key in wanted if key in self._known}
        erased = self._erased

        def read() -> tuple[tuple[float, ...], _Texts]:
            found = _Texts(self.load(), known)
            return rate(found), found

        rates, found = await asyncio.get_running_loop().run_in_executor(executor, read)
        if erased == self._erased:
            for key, each in found.known.items():
                self._keep(key, each)
        return rates

    async def _embed(self, prefix: str, text: str, *, patient: bool) -> Embedded:
        known = self._known.get((prefix, text))
        if isinstance(known, Embedded):
            return known
        running = self._running.get((prefix, text, patient))
        return await asyncio.shield(running or self._run(prefix, text, known, patient=patient))

    def _run(self, prefix: str, text: str, known: Read | None, *, patient: bool) -> asyncio.Future[Embedded]:
        """Run the model over a text and keep what it gives, unless it is forgotten meanwhile."""
        key, executor = (prefix, text, patient), self._patient if patient else self._prompt
        running = asyncio.get_running_loop().run_in_executor(executor, self._encode, prefix, text, known)
        self._running[key] = running

        def keep(done: asyncio.Future[Embedded]) -> None:
            failed = done.cancelled() or done.exception() is not None
            if self._running.get(key) is running:
                del self._running[key]
                if not failed:
                    self._keep((prefix, text), done.result())

        running.add_done_callback(keep)
        return running

    def _keep(self, key: tuple[str, str], read: Read) -> None:
        if read.size <= self._known.maxsize and not isinstance(self._known.get(key), Embedded):
            self._known[key] = read

    def _encode(self, prefix: str, text: str, known: Read | None) -> Embedded:
        loaded = self.load()
        return loaded.embed(known or loaded.read(text, prefix))


def lower_priority(niceness: int) -> None:
    """Nice this thread alone; where the system can only nice processes, or forbids it, nothing happens."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
