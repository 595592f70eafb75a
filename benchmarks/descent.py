"""Adam (Kingma and Ba 2015), for what is fitted here by its gradient."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]  # Any: floats of either size


class Descent:
    """Values that move against the gradients they are shown; ``keep`` is how much of earlier squares is kept."""

    def __init__(self, values: Array, keep: float) -> None:
        self.values = values
        self._keep, self._steps = keep, 0
        self._mean, self._square = np.zeros_like(values), np.zeros_like(values)

    def step(self, gradient: Array, rate: float) -> None:
        """Move by one step."""
        self._steps += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = self._keep * self._square + (1 - self._keep) * gradient**2
        mean, square = self._mean / (1 - 0.9**self._steps), self._square / (1 - self._keep**self._steps)
        self.values -= rate * (mean / (np.sqrt(square) + 1e-8))
