"""The command line: ``mneme`` and ``python -m bot``."""

import ctypes
import gc
import os
import sys
from typing import Final

from bot.errors import MnemeError
from memory_server.errors import MemoryServerError
from memory_server.hiding import without

_MADE_AT_START: Final = 300_000
"""New objects after which a collection of garbage looks at them: what a start makes, some 240,000, is not looked at, as
it stays but for 1,400.  A bot that serves collects as usual."""

_M_ARENA_MAX: Final = -8
"""The parameter of glibc's ``mallopt(3)``: how many heaps threads get."""


def main() -> None:
    """Run ``mneme``; errors we know become one line and exit code 1."""
    one_thread_per_product()
    share_one_heap()
    gc.set_threshold(_MADE_AT_START)
    with without("rich", "pygments"):  # for tracebacks, which are not logged, and a command line of httpx
        import httpx  # noqa: F401, PLC0415
        import structlog  # noqa: F401, PLC0415
    from bot.cli.commands import app  # noqa: PLC0415 - see above

    try:
        app()
    except (MnemeError, MemoryServerError) as error:
        sys.stderr.write(f"mneme: {error}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def one_thread_per_product() -> None:
    """Keep numpy's matrix products on the thread that asks; to be called before numpy is imported.

    Ours are small: waiting for a second thread costs more than it brings, and ten times that on a busy machine.
    An operator's own setting of these variables stands.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")


def share_one_heap() -> None:
    """Let threads share one heap, where the C library is glibc; to be called before any is started.

    It would give each of a dozen its own, and keep what they leave: 15 MB.  ``MALLOC_ARENA_MAX`` set by an operator
    stands.
    """
    if "MALLOC_ARENA_MAX" not in os.environ and (adjust := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        adjust(_M_ARENA_MAX, 1)
