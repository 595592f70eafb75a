"""What multilingual-e5-small reads of a text, and the runtime that computes it.

onnxruntime is imported at the first use: a process that never embeds should not pay for it.

Cuts a text into the pieces that multilingual-e5-small knows, and says where each stands in it.

The pieces are the likeliest that make up the text (Unigram, Kudo 2018); each knows how likely it is, and none reaches
into a second word.  They are looked up in a mapped table: nothing is laid out at a start, and what no text needs takes
no memory.  SentencePiece does the same seven times as fast, a small part of what embedding costs, but takes half a
second and 57 MB for the quarter million pieces.
"""

import ctypes
import os
import re
import threading
import unicodedata
import weakref
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from adapters.embedding.files import damaged

_SPACE: Final = "▁"
_RUNS: Final = re.compile(r" {2,}|^ | $")
_LONGEST: Final = 16
"""Characters of the longest piece."""
_UNKNOWN: Final = 3
"""The number of what is no piece, in the vocabulary of multilingual-e5-small; several in a row are one."""
_UNLIKELIER: Final = 10.0
"""By how much a character that is no piece is less likely than the least likely piece, as in SentencePiece."""
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
"""Of the keys of pieces; odd, so that it loses no bit."""

Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]
Scores = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a text: their numbers, and where each stands in it (character offsets, shape (pieces, 2))."""

    ids: Ints
    spans: Ints


class PieceTable:
    """The pieces by their keys, ascending, with the logarithm of how likely each is and its number: 16 bytes each.

    The pieces of ``cached`` words are remembered, by a digest: no text is kept.  Safe in several threads.
    """

    def __init__(self, path: Path, unknown: int = _UNKNOWN, *, cached: int = 8192) -> None:
        raw = np.memmap(path, np.uint8, "r")
        count = len(raw) // 16
        self._keys: Keys = raw[: 8 * count].view("<u8")
        self._scores: Scores = raw[8 * count : 12 * count].view("<f4")
        self._numbers: Numbers = raw[12 * count :].view("<u4")
        self._unlikely = float(self._scores.min()) - _UNLIKELIER
        self._unknown = unknown
        self._lock = threading.Lock()
        self._known: LRUCache[bytes, tuple[tuple[int, ...], tuple[int, ...]]] = LRUCache(cached)
        self.vocabulary = int(self._numbers.max()) + 1

    def cut(self, text: str) -> tuple[list[int], list[int]]:
        """Return the numbers and lengths of a text's pieces, "▁" being before each word."""
        first, *rest = text.split(_SPACE)
        words = [first, *(f"{_SPACE}{word}" for word in rest)] if first else [f"{_SPACE}{word}" for word in rest]
        keys = {word: blake2b(word.encode(), digest_size=16).digest() for word in words}
        with self._lock:
            found = {word: self._known[key] for word, key in keys.items() if key in self._known}
        if new := [word for word in keys if word not in found]:
            found |= zip(new, self._cut(new), strict=True)
            with self._lock:
                self._known.update((keys[word], found[word]) for word in new)
        numbers: list[int] = []
        lengths: list[int] = []
        for word in words:
            numbers += found[word][0]
            lengths += found[word][1]
        return numbers, lengths

    def _cut(self, words: Sequence[str]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the pieces of each word, all looked up together."""
        numbers, lengths = self._cut_whole("".join(words))
        begin = place = at = end = 0
        for word in words:
            end += len(word)
            while at < end:
                at += lengths[place]
                place += 1
            yield tuple(numbers[begin:place]), tuple(lengths[begin:place])
            begin = place

    def _cut_whole(self, text: str) -> tuple[list[int], list[int]]:
        starts, lengths, places = self._find_pieces(np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.uint64))
        scores, numbers = self._scores[places].tolist(), self._numbers[places].tolist()
        best = [0.0, *(-np.inf for _ in text)]
        begins, chosen = [0] * len(best), [self._unknown] * len(best)
        at = 0
        for start in range(len(text)):
            known = False
            while at < len(starts) and starts[at] == start:
                end, score = start + lengths[at], best[start] + scores[at]
                if score > best[end]:
                    best[end], begins[end], chosen[end] = score, start, numbers[at]
                known = known or lengths[at] == 1
                at += 1
            if not known and (score := best[start] + self._unlikely) > best[start + 1]:
                best[start + 1], begins[start + 1], chosen[start + 1] = score, start, self._unknown
        return _trace_back(begins, chosen, self._unknown)

    def _find_pieces(self, letters: Keys) -> tuple[list[int], list[int], Ints]:
        """Return where pieces could stand, their lengths, and their places in the table; by start, then by length."""
        marks = np.flatnonzero(letters == ord(_SPACE))
        everywhere = np.arange(len(letters))
        room = np.append(marks, len(letters))[np.searchsorted(marks, everywhere, side="right")] - everywhere
        keys = letters
        starts, found, lengths = [everywhere], [keys], [np.ones(len(letters), np.int64)]
        for length in range(2, min(_LONGEST, int(room.max(initial=0))) + 1):
            keys = keys[:-1] * _FACTOR + letters[length - 1 :]
            fitting = np.flatnonzero(room[: len(keys)] >= length)
            starts.append(fitting)
            found.append(keys[fitting])
            lengths.append(np.full(len(fitting), length))
        wanted = np.concatenate(found)
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        known = np.flatnonzero(self._keys[places] == wanted)
        begins = np.concatenate(starts)[known]
        order = np.argsort(begins, kind="stable")
        return begins[order].tolist(), np.concatenate(lengths)[known][order].tolist(), places[known][order]


def write_table(pieces: Iterable[tuple[int, str, float]]) -> bytes:
    """Return the table of pieces, each with its number and the logarithm of how likely it is.

    Raises :class:`ValueError` when two have one key.
    """
    rows = sorted((_make_key(piece), score, number) for number, piece, score in pieces)
    keys, scores, numbers = zip(*rows, strict=True)
    if len(set(keys)) < len(keys):
        raise ValueError("two pieces have the same key: another factor is needed")
    return np.array(keys, "<u8").tobytes() + np.array(scores, "<f4").tobytes() + np.array(numbers, "<u4").tobytes()


def _make_key(piece: str) -> int:
    key = 0
    for letter in piece:
        key = (key * int(_FACTOR) + ord(letter)) & 0xFFFF_FFFF_FFFF_FFFF
    return key


def _trace_back(begins: list[int], chosen: list[int], unknown: int) -> tuple[list[int], list[int]]:
    """Return the numbers and lengths of the pieces on the best way to the end."""
    numbers: list[int] = []
    lengths: list[int] = []
    end = len(begins) - 1
    while end:
        if numbers and numbers[-1] == chosen[end] == unknown:
            lengths[-1] += end - begins[end]
        else:
            numbers.append(chosen[end])
            lengths.append(end - begins[end])
        end = begins[end]
    return numbers[::-1], lengths[::-1]


class PlainTokenizer:
    """Reads texts for their pieces alone; ``replaced`` is what stands for each character before a text is cut.

    Characters that are written as several and are one are made one before.
    """

    def __init__(self, table: PieceTable, replaced: Mapping[int, str]) -> None:
        self._table, self._replaced = table, replaced

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        read = (unicodedata.normalize("NFC", text).translate(self._replaced).split(" ") for text in texts)
        marked = ["".join(f"{_SPACE}{word}" for word in words if word) for words in read]
        # All at once: looking up the new words of a line costs little less than those of all.
        numbers, lengths = self._table.cut("".join(marked))
        ends = list(accumulate(lengths, initial=0))
        borders = [bisect_left(ends, end) for end in accumulate(map(len, marked), initial=0)]
        return [numbers[begin:end] for begin, end in pairwise(borders)]


class Tokenizer:
    """Reads texts; ``replaced`` is what stands for each character before a text is cut."""

    def __init__(self, table: Path, replaced: Mapping[int, str]) -> None:
        self._table = PieceTable(table)
        self._replaced = replaced

    @property
    def vocabulary(self) -> int:
        return self._table.vocabulary

    def split(self, text: str) -> Pieces:
        """Return the pieces of a text; one that is white space alone has an empty span."""
        plain, places = self._normalise(text)
        if not plain:
            return Pieces(np.zeros(0, dtype=np.int64), np.zeros((0, 2), dtype=np.int64))
        marked = _SPACE + plain.replace(" ", _SPACE)
        ids, lengths = self._table.cut(marked)
        # The mark stands before everything: offsets count from it.
        ends = np.fromiter(accumulate(lengths), dtype=np.int64, count=len(lengths))
        begins = ends - lengths
        blank = np.fromiter((marked[begin] == _SPACE for begin in begins.tolist()), dtype=np.int64, count=len(begins))
        return Pieces(np.array(ids, dtype=np.int64), places[np.stack([begins + blank - 1, ends - 1], axis=1)])

    def _normalise(self, text: str) -> tuple[str, Ints]:
        """Return the text as it is cut, and for each offset in it, its end included, the offset in ``text``."""
        changed = text.translate(self._replaced)
        if changed == text and not _RUNS.search(text):
            return text, np.arange(len(text) + 1)
        kept: list[str] = []
        places: list[int] = []
        before = " "
        for place, character in enumerate(text):
            for one in self._replaced.get(ord(character), character):
                if one != " " or before != " ":
                    kept.append(one)
                    places.append(place)
                before = one
        if kept and kept[-1] == " ":
            del kept[-1], places[-1]
        places.append(places[-1] + 1 if places else len(text))
        return "".join(kept), np.array(places, dtype=np.int64)


WIDTH: Final = 384
BLOCK: Final = 32
"""Weights that share a scale."""
BLOCK_BYTES: Final = 2 + BLOCK // 2
_ROW_BYTES: Final = WIDTH // BLOCK * BLOCK_BYTES
STATES: Final = "states"
"""Name of the output beside "vector": the last layer, shape (1, tokens, 384)."""
INNER: Final = "inner"
"""Name of the output of the layer that tells names, of the same shape."""
MAX_TOKENS: Final = 256
"""Longer texts are cut here.  The model reads 512, but a vector of many topics is near to none of them."""
QUESTION: Final = "query: "
PASSAGE: Final = "passage: "
"""What the model was trained to see before a question and before a text to be found."""
_BEGIN, _END = 0, 2


class ModelSession(Protocol):
    """The part of ``onnxruntime.InferenceSession`` used here; ``run`` releases the interpreter lock."""

    def run(self, outputs: Sequence[str], inputs: dict[str, npt.NDArray[np.float32]]) -> list[npt.NDArray[np.float32]]:
        """Return the named outputs in order."""


def open_session(model: bytes | Path) -> ModelSession:
    """Return a session over a model file or its bytes; raises onnxruntime's own errors for a damaged one."""
    # Not told so before it is loaded, it writes a device id into the home folder and reports to Microsoft.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415 - at first use, see the module's text

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Its own heap never shrinks, and plans of what fits where are kept for every length of text: 15 MB, for no time.
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    source = model if isinstance(model, bytes) else str(model)
    session: ModelSession = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    return session


def return_memory() -> None:
    """Give back what reading a model took and left (10 MB), where the C library can (glibc)."""
    if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)


def whole(text: str) -> str:
    """Return a text of the same length that UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode()


def token_ids(
    tokenizer: Tokenizer, text: str, prefix: str = PASSAGE
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return what the model reads of a text: ids, shape (tokens,), and where they stand in it, shape (tokens, 2).

    Marks and the prefix stand nowhere: their spans are empty.  What UTF-8 cannot carry becomes a question mark.
    """
    pieces = tokenizer.split(prefix + whole(text))
    spans = np.maximum(pieces.spans[: MAX_TOKENS - 2] - len(prefix), 0)
    ids = np.concatenate([[_BEGIN], pieces.ids[: MAX_TOKENS - 2], [_END]])
    return ids, np.concatenate([[[0, 0]], spans, [[0, 0]]])


def dequantise(blocks: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return blocks of shape (…, 18) as numbers of shape (…, 32).

    A block is a half-precision scale and 32 numbers of four bits, number i and number i + 16 in one byte, 8 meaning 0.
    """
    scale = blocks[..., :2].copy().view("<f2").astype(np.float32)
    packed = blocks[..., 2:]
    numbers = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)
    values: npt.NDArray[np.float32] = (numbers - 8) * scale
    return values


def embed_words(rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the embedding of each piece, shape (pieces, 384), from their rows, shape (pieces, 12, 18)."""
    return dequantise(rows).reshape(len(rows), WIDTH)


class WordRows:
    """The file of word embeddings, read row by row; safe in several threads.

    It is not mapped: with each row the system maps what lies around it, soon all of the 54 MB.
    Raises :class:`~bot.errors.EmbeddingUnavailable` for a file of another size than that of ``count`` rows.
    """

    def __init__(self, path: Path, count: int) -> None:
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        if os.fstat(self._file).st_size != count * _ROW_BYTES:
            raise damaged(path)

    def take(self, ids: Ints) -> npt.NDArray[np.uint8]:
        """Return the rows of pieces, shape (pieces, 12, 18)."""
        raw = b"".join([os.pread(self._file, _ROW_BYTES, number * _ROW_BYTES) for number in ids.tolist()])
        return np.frombuffer(raw, np.uint8).reshape(-1, WIDTH // BLOCK, BLOCK_BYTES)
