"""Arrays that grow at the end at constant cost per row, for state that is appended to and scanned.

They grow by a quarter: many are held at once, and doubling leaves a third of the memory unused.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

_LEAST_SPARE: Final = 16

Array = npt.NDArray[Any]  # Any: the type is given at construction


class Growing:
    """Rows of one shape and type, fields of a structured type as one tuple; appending is amortised O(1)."""

    __slots__ = ("_rows", "size")

    def __init__(self, dtype: npt.DTypeLike, width: int = 0) -> None:
        shape = (_LEAST_SPARE, width) if width else (_LEAST_SPARE,)
        self._rows: Array = np.zeros(shape, dtype=dtype)
        self.size = 0

    def append(self, row: float | Array | tuple[float, ...]) -> None:
        """Add one row."""
        if self.size == len(self._rows):
            grown = np.zeros((room_for(self.size + 1), *self._rows.shape[1:]), dtype=self._rows.dtype)
            grown[: self.size] = self._rows
            self._rows = grown
        self._rows[self.size] = row
        self.size += 1

    def view(self) -> Array:
        """Return the rows so far, without copying; valid until the next append."""
        return self._rows[: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes held, spare capacity included."""
        return int(self._rows.nbytes)


def room_for(count: int) -> int:
    """Return the capacity to reserve when ``count`` rows no longer fit."""
    return count + max(_LEAST_SPARE, count // 4)
