"""The command line: ``mneme`` and ``python -m bot``."""

from __future__ import annotations

import os
import sys

from bot.cli.commands import app
from bot.errors import MnemeError
from memory_server.errors import MemoryServerError


def main() -> None:
    """Run ``mneme``; errors we know become one line and exit code 1."""
    one_thread_per_product()
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
