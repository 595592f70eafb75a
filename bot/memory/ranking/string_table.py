"""Sorted strings in one buffer, which may be mapped from a file: found by bisection, read one at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

_MAXIMUM = "\U0010ffff"


class StringTable(Sequence[str]):
    """``text`` holds the strings as UTF-8 behind one another, ``ends`` where each ends; ascending, each once."""

    def __init__(self, text: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64]) -> None:
        self.text, self.ends = text, ends

    @classmethod
    def build(cls, strings: Iterable[str]) -> StringTable:
        """Return the table of strings in any order."""
        encoded = [string.encode(errors="surrogatepass") for string in sorted(set(strings))]
        ends = np.cumsum([len(each) for each in encoded], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        start = self.ends[place - 1] if place else 0
        return self.text[start : self.ends[place]].tobytes().decode(errors="surrogatepass")

    def find(self, string: str) -> int:
        """Return where a string stands, -1 if it does not."""
        place = bisect_left(self, string)
        return place if place < len(self) and self[place] == string else -1

    def list_with_prefix(self, prefix: str) -> list[str]:
        """Return the strings that begin with ``prefix``."""
        return self[bisect_left(self, prefix) : bisect_left(self, prefix + _MAXIMUM)]
