"""How passages and their meanings stand in the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from bot.memory.ranking.binary_codes import CODE_WORDS
from bot.memory.ranking.passage_features import cues
from bot.memory.ranking.passages import passages
from bot.memory.ranking.transcript import Meaning, Passage
from language.analyser import Analyser

ANALYSIS: Final = 2
"""Grows with every change of how a text becomes passages; rows of another version are made again when they are read."""

_SCALE_BYTES: Final = 4


def analysed(analyser: Analyser, text: str) -> tuple[Passage, ...]:
    """Return the passages of a message, ready for the index."""
    return tuple(Passage(analyser.keys(piece), cues(piece), len(piece.split())) for piece in passages(text))


def write_passages(pieces: Sequence[Passage]) -> str:
    """Return passages as text, one line each; index keys hold no white space."""
    return "\n".join(" ".join((str(piece.cues), str(piece.words), *piece.keys)) for piece in pieces)


def read_passages(text: str) -> tuple[Passage, ...]:
    """Return what :func:`write_passages` wrote."""
    return tuple(_passage(line.split(" ")) for line in text.split("\n"))


def write_meanings(meanings: Sequence[Meaning]) -> tuple[bytes, bytes, bytes]:
    """Return vectors with their scales, numbers of words and sentences, and the codes of words, then of sentences."""
    vectors = b"".join(np.float32(meaning.scale).tobytes() + meaning.vector.tobytes() for meaning in meanings)
    sizes = np.array([(len(meaning.words), len(meaning.sentences)) for meaning in meanings], dtype="<u2").tobytes()
    codes = b"".join(meaning.words.tobytes() + meaning.sentences.tobytes() for meaning in meanings)
    return vectors, sizes, codes


def read_meanings(vectors: bytes, sizes: bytes, codes: bytes) -> tuple[Meaning, ...]:
    """Return what :func:`write_meanings` wrote."""
    counts = np.frombuffer(sizes, dtype="<u2").reshape(-1, 2)
    parts = np.frombuffer(codes, dtype=np.uint64).reshape(-1, CODE_WORDS)
    width = len(vectors) // len(counts)
    found: list[Meaning] = []
    start = 0
    for place, (words, spans) in enumerate(counts.tolist()):
        row = vectors[place * width : (place + 1) * width]
        scale = float(np.frombuffer(row[:_SCALE_BYTES], dtype=np.float32)[0])
        vector = np.frombuffer(row[_SCALE_BYTES:], dtype=np.int8)
        middle = start + words
        found.append(Meaning(vector, scale, parts[start:middle], parts[middle : middle + spans]))
        start = middle + spans
    return tuple(found)


def _passage(fields: list[str]) -> Passage:
    bits, words, *keys = fields
    return Passage(tuple(keys), int(bits), int(words))
