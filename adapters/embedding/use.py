"""universal-sentence-encoder-multilingual v3 on this machine: sixteen languages, a millisecond or two for a short text.

For where many short texts are embedded.  Texts of one call are computed together, line by line, and a line once however
many texts it is part of: what lines give is added up, so that a sentence about five names costs one sentence.
Only where two lines meet does this differ from reading the text as a whole: no convolution looks across.
Documents are embedded on one niced thread, questions on another that is not.

universal-sentence-encoder-multilingual v3: the arithmetic over its file.

A piece of a word is looked up in a table; convolutions over two, three and five pieces look at its neighbours; what all
pieces give is summed and goes through four small layers (Yang et al. 2019, arXiv 1907.04307).
numpy computes in float32 what they say.  An int8 graph for onnxruntime is two to three times as fast and costs each
program 30 MB more; texts that are read together come near to it.
The table is read row by row and not mapped: a program that reads all day would hold most of it.
"""

import asyncio
import json
import math
import os
import re
import threading
import weakref
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from adapters.embedding.e5 import lower_priority
from adapters.embedding.encoder import PieceTable, PlainTokenizer, whole
from adapters.embedding.files import USE_RECIPE, USE_SHA256, damaged, provide_models
from language.sentences import split_sentences

WIDTH: Final = 512
PARTS, _ROWS = 17, 7530
"""The table comes in parts; piece n is row n // 17 of part n % 17, each part with a scale and an offset of its own."""
_BRANCH: Final = 256
_WINDOWS: Final = ((2, 0), (3, 1), (5, 2))
"""Pieces that a convolution looks at, and how many of them stand before the piece."""
HEADER: Final = 4096
"""Bytes at the beginning of our file: names and shapes of its float32 tensors as JSON; they follow, then where each
row of the table ends, and the rows, deflated."""
_EPSILON: Final = 1e-12

Floats = npt.NDArray[np.float32]


class UseModel:
    """The arithmetic over a file that :func:`~adapters.embedding.build.pack_use` made.  Safe in several threads."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        try:
            shapes: dict[str, list[int]] = json.loads(os.pread(self._file, HEADER, 0))
        except ValueError:
            shapes = {}
        sizes = [math.prod(shape) for shape in shapes.values()]
        at = HEADER + 4 * sum(sizes)
        self._table = at + 4 * (PARTS * _ROWS + 1)
        if not shapes or path.stat().st_size < self._table:
            raise damaged(path)
        self._ends = np.memmap(path, np.dtype("<u4"), "r", offset=at, shape=(PARTS * _ROWS + 1,))
        if path.stat().st_size != self._table + int(self._ends[-1]):
            raise damaged(path)
        floats = np.memmap(path, np.dtype("<f4"), "r", offset=HEADER, shape=(sum(sizes),))
        parts = np.split(floats, np.cumsum(sizes)[:-1])
        self._t = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def read(self, lines: Sequence[Sequence[int]]) -> Floats:
        """Return what each line gives, shape (lines, 512): the sum over its pieces; no line may be empty."""
        lengths = np.fromiter(map(len, lines), np.int64, len(lines))
        unique, flat = np.unique(np.concatenate([np.asarray(ids, np.int64) for ids in lines]), return_inverse=True)
        ends = np.cumsum(lengths)
        states = np.empty((len(flat), WIDTH + 3 * _BRANCH), np.float32)
        looked_up, projected = self._look_up(unique)
        states[:, :WIDTH] = looked_up[flat]
        first, last = np.repeat(ends - lengths, lengths), np.repeat(ends, lengths)
        for place, (size, before) in enumerate(_WINDOWS):
            # What lies beyond the line is the row of zeros at the end.
            near = np.arange(len(flat))[:, None] + np.arange(-before, size - before)
            near = np.where((near >= first[:, None]) & (near < last[:, None]), near, len(flat))
            value = projected[place][flat]
            for layer in (1, 2):
                around = np.concatenate([value, np.zeros((1, _BRANCH), np.float32)])[near].reshape(len(flat), -1)
                seen = around @ self._t[f"w{layer}_{size}"]
                seen += self._t[f"b{layer}_{size}"]
                value += np.maximum(seen, 0, out=seen)
            states[:, WIDTH + place * _BRANCH :][:, :_BRANCH] = value
        _normalise(states, self._t["ln_g"], self._t["ln_b"])
        summed = np.add.reduceat(states, ends - lengths, axis=0)
        given: Floats = summed @ self._t["cnn_W"] + lengths[:, None] * self._t["cnn_b"]
        return given.astype(np.float32)

    def finish(self, sums: Floats, pieces: npt.NDArray[np.int64]) -> Floats:
        """Return normalised vectors of texts: ``sums`` of what their lines give, and how many pieces those have."""
        t = self._t
        value = sums / np.sqrt(np.maximum(pieces, 1)).astype(np.float32)[:, None]
        value = np.maximum(value @ t["p1"] + np.maximum(value @ t["d0"], 0) @ t["d1"], 0)
        value = np.tanh(value @ t["p3"] + np.maximum(value @ t["d2"], 0) @ t["d3"])
        vectors: Floats = value / np.linalg.norm(value, axis=1, keepdims=True)
        return vectors

    def _look_up(self, ids: npt.NDArray[np.int64]) -> tuple[Floats, list[Floats]]:
        spans = zip(self._ends[ids].tolist(), self._ends[ids + 1].tolist(), strict=True)
        packed = (os.pread(self._file, end - start, self._table + start) for start, end in spans)
        raw = b"".join(zlib.decompress(row, -zlib.MAX_WBITS, WIDTH) for row in packed)
        part = ids % PARTS
        rows = np.frombuffer(raw, np.uint8).reshape(-1, WIDTH) * self._t["scale"][part, None]
        rows += self._t["lo"][part, None]
        sizes = [size for size, _ in _WINDOWS]
        branches = np.concatenate([rows @ self._t[f"proj{size}"] + self._t[f"proj_b{size}"] for size in sizes], axis=1)
        gamma, beta = (np.concatenate([self._t[f"{name}{size}"] for size in sizes]) for name in ("ln_g", "ln_b"))
        return rows, np.split(_normalise(branches, gamma, beta), len(sizes), axis=1)


def _normalise(rows: Floats, gamma: Floats, beta: Floats) -> Floats:
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows) / rows.shape[1] + _EPSILON)[:, None]
    rows *= gamma
    rows += beta
    return rows


MAX_TOKENS: Final = 256
"""Longer texts are cut here: the model reads any length, but a vector of many topics is near to none of them."""
SHARED_TOKENS: Final = 32
"""What two parts of a sentence that is too long have in common."""
TOPIC_TOKENS: Final = 24
"""Up to here short sentences share a vector."""
QUESTION_TEXTS, QUESTION_LENGTH = 3, 600
"""A call of at most so many texts, and characters in all, is a question: somebody waits for it."""
UNKNOWN: Final = 0
"""The number of what is no piece."""
_BEGIN, _END = 1, 2
"""Those of the marks of a text's begin and end."""
_TOGETHER: Final = 256
"""Pieces computed together: more would not fit the processor's cache."""
Halves = npt.NDArray[np.float16]
_LINE: Final = re.compile(r"[\n\t]+")
_WORD: Final = re.compile(r"\s*+\S{1,64}|\s++")


@dataclass(frozen=True, slots=True)
class Loaded:
    """The opened model and its tokenizer."""

    model: UseModel
    pieces: PlainTokenizer


class UseEmbedder:
    """The port :class:`~bot.ports.embedder.Embedder`.  Loaded at the first text, in a fifth of a second."""

    def __init__(self, cache_dir: Path, *, cached_lines: int = 1024, niceness: int = 10) -> None:
        self._cache_dir = cache_dir
        self._known: LRUCache[bytes, Halves] = LRUCache(cached_lines)
        """What lines give, by a digest of their pieces (1 KB each): no text is kept."""
        self._patient = ThreadPoolExecutor(1, "embed", initializer=lower_priority, initargs=(niceness,))
        self._prompt = ThreadPoolExecutor(1, "embed-question")
        self._lock = threading.Lock()
        self._loaded: Loaded | None = None

    @property
    def model(self) -> str:
        return f"universal-sentence-encoder-multilingual-3-{USE_SHA256[:8]}-{USE_RECIPE}"

    @property
    def dimension(self) -> int:
        return WIDTH

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Floats:
        question |= len(texts) <= QUESTION_TEXTS and sum(map(len, texts)) <= QUESTION_LENGTH
        executor = self._prompt if question else self._patient
        return await asyncio.get_running_loop().run_in_executor(executor, self._encode, tuple(texts))

    async def windows(self, text: str, *, topics: bool = True) -> tuple[str, ...]:
        """Return what to embed so that all of a text is read: itself, or its beginning and then its parts.

        With ``topics`` the parts are sentences, for texts to be found; without as long as can be, for questions.
        """
        return await asyncio.get_running_loop().run_in_executor(self._prompt, self._cut, text, topics)

    def close(self) -> None:
        for executor in (self._patient, self._prompt):
            executor.shutdown(wait=False, cancel_futures=True)

    def load(self, report: Callable[[str], None] = lambda _: None) -> Loaded:
        """Return the model, made and loaded unless it is, in the calling thread.

        Raises :class:`~bot.errors.EmbeddingUnavailable`: here alone, as a model that is loaded always answers.
        """
        with self._lock:
            if self._loaded is None:
                files = provide_models(self._cache_dir, report)
                files.check(files.use_tokenizer, files.characters)
                replaced = {int(point): text for point, text in json.loads(files.characters.read_bytes()).items()}
                pieces = PlainTokenizer(PieceTable(files.use_tokenizer, UNKNOWN), replaced)
                self._loaded = Loaded(UseModel(files.use), pieces)
            return self._loaded

    def _encode(self, texts: tuple[str, ...]) -> Floats:
        loaded = self.load()
        read = _split(loaded.pieces, texts)
        keys = [[blake2b(line, digest_size=16).digest() for line in lines] for lines in read]
        wanted = {
            key: line for row, lines in zip(keys, read, strict=True) for key, line in zip(row, lines, strict=True)
        }
        with self._lock:
            given = {key: self._known[key] for key in wanted if key in self._known}
        for group in _groups({key: line for key, line in wanted.items() if key not in given}):
            # Rounded as they are kept, so that a text has one vector, whatever is known of it.
            rows = loaded.model.read([array("i", line) for line in group.values()]).astype(np.float16)
            given |= zip(group, rows, strict=True)
        with self._lock:
            self._known.update(given)
        sums = np.zeros((len(keys), WIDTH), np.float32)
        for place, row in enumerate(keys):
            for key in row:
                sums[place] += given[key]
        counts = np.array([sum(map(len, lines)) // array("i").itemsize for lines in read], np.int64)
        return loaded.model.finish(sums, counts)

    def _cut(self, text: str, topics: bool) -> tuple[str, ...]:  # noqa: FBT001 - run_in_executor passes no names
        """Return a text itself if it is read whole, else its beginning and then all its topics."""
        pieces = self.load().pieces
        first, *more = _parts(pieces, text)
        if not more or not topics:
            return (first, *more)
        found: list[str] = [first]
        held: list[str] = []
        spent = 0
        for part in (part for sentence in split_sentences(text) for part in _parts(pieces, sentence)):
            cost = len(pieces.encode([whole(part)])[0])
            if held and spent + cost > TOPIC_TOKENS:
                found.append("\n".join(held))
                held, spent = [], 0
            held.append(part)
            spent += cost
        return (*found, "\n".join(held)) if held else tuple(found)


def _split(pieces: PlainTokenizer, texts: Sequence[str]) -> list[list[bytes]]:
    """Return the pieces of each line of each text, as bytes."""
    split = [[line for part in _LINE.split(whole(text)) if (line := part.strip())] for text in texts]
    lines = list({line: None for each in split for line in each})
    ids: dict[str, list[int]] = dict(zip(lines, pieces.encode(lines), strict=True))
    found: list[list[bytes]] = []
    for each in split:
        if len(each) > 1:
            read = [[_BEGIN], *(ids[line] for line in each), [_END]]
        else:
            read = [[_BEGIN, *(piece for line in each for piece in ids[line]), _END]]
        room = MAX_TOKENS
        kept: list[bytes] = []
        for part in read:
            kept += [array("i", part[:room]).tobytes()] if part and room else []
            room = max(room - len(part), 0)
        found.append(kept)
    return found


def _groups(lines: dict[bytes, bytes]) -> list[dict[bytes, bytes]]:
    groups: list[dict[bytes, bytes]] = []
    room = 0
    for key, line in lines.items():
        if len(line) > room:
            groups.append({})
            room = _TOGETHER * array("i").itemsize
        groups[-1][key] = line
        room -= len(line)
    return groups


def _parts(pieces: PlainTokenizer, text: str) -> list[str]:
    """Return a text in parts as long as are read, each beginning with the end of the one before."""
    room = MAX_TOKENS - 2
    if len(pieces.encode([whole(text)])[0]) <= room:
        return [text]
    words = _WORD.findall(text)
    costs = [0, *accumulate(map(len, pieces.encode([whole(word) for word in words])))]
    found: list[str] = []
    start = end = 0
    while end < len(words):
        end = max(bisect_right(costs, costs[start] + room) - 1, start + 1)
        found.append("".join(words[start:end]).strip())
        start = max(bisect_right(costs, costs[end] - SHARED_TOKENS) - 1, start + 1)
    return found
