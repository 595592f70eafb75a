"""Cuts a text into the pieces that multilingual-e5-small knows, and says where each stands in it.

SentencePiece finds the pieces (Unigram, Kudo 2018).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_SPACE: Final = "▁"
_RUNS: Final = re.compile(r" {2,}|^ | $")

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a text: their numbers, and where each stands in it (character offsets, shape (pieces, 2))."""

    ids: Ints
    spans: Ints


class Tokenizer:
    """Reads texts; ``replaced`` is what stands for each character before a text is cut."""

    def __init__(self, model: Path, replaced: Mapping[int, str]) -> None:
        from sentencepiece import SentencePieceProcessor  # noqa: PLC0415 - at first use, as the runtime of the model

        self._model: Any = SentencePieceProcessor(model_file=str(model))  # Any: the package's types are partial
        self._replaced = replaced

    @property
    def count(self) -> int:
        """How many pieces there are."""
        return int(self._model.get_piece_size())

    def split(self, text: str) -> Pieces:
        """Return the pieces of a text; one that is white space alone has an empty span."""
        plain, places = self._normalise(text)
        ids: list[int] = self._model.encode(plain, out_type=int)
        found: list[str] = self._model.encode(plain, out_type=str)
        ends = np.fromiter(accumulate(map(len, found)), dtype=np.int64, count=len(found))
        # The model puts a space before everything: offsets count from it.
        blank = np.fromiter((piece.startswith(_SPACE) for piece in found), dtype=np.int64, count=len(found))
        starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]]) + blank - 1
        spans = places[np.stack([starts, ends - 1], axis=1)] if found else np.zeros((0, 2), dtype=np.int64)
        return Pieces(np.array(ids, dtype=np.int64), spans)

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
