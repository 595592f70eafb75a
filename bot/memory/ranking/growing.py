"""Arrays that grow at the end at constant cost per row, for state that is appended to and scanned."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

_FIRST_CAPACITY: Final = 16

Array = npt.NDArray[np.generic]


class Growing:
    """Rows of one shape and type; capacity doubles, so that appending is amortised O(1)."""

    __slots__ = ("_rows", "size")

    def __init__(self, dtype: npt.DTypeLike, width: int = 0) -> None:
        shape = (_FIRST_CAPACITY, width) if width else (_FIRST_CAPACITY,)
        self._rows: npt.NDArray[np.generic] = np.zeros(shape, dtype=dtype)
        self.size = 0

    def append(self, row: float | Array) -> None:
        """Add one row."""
        self._reserve(1)
        self._rows[self.size] = row
        self.size += 1

    def extend(self, rows: Array) -> None:
        """Add several rows, shape ``(count, width)`` or ``(count,)``."""
        self._reserve(len(rows))
        self._rows[self.size : self.size + len(rows)] = rows
        self.size += len(rows)

    def view(self) -> npt.NDArray[np.generic]:
        """Return the rows so far, without copying; valid until the next append."""
        return self._rows[: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes held, spare capacity included."""
        return int(self._rows.nbytes)

    def _reserve(self, count: int) -> None:
        capacity = len(self._rows)
        if self.size + count <= capacity:
            return
        while capacity < self.size + count:
            capacity *= 2
        grown = np.zeros((capacity, *self._rows.shape[1:]), dtype=self._rows.dtype)
        grown[: self.size] = self._rows[: self.size]
        self._rows = grown
