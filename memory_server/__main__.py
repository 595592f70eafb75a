"""``python -m memory_server``: this program on its own, with vectors from the endpoint that EMBEDDING_URL names."""

import os
import sys

from memory_server.errors import MemoryServerError


def main() -> None:
    """Run the command line; errors we know become one line and exit code 1."""
    # Numpy's matrix products are small here: a second thread costs more than it brings.  An operator's setting stands.
    for variable in ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    from memory_server.commands import create_app  # noqa: PLC0415 - numpy reads the variables at its import

    try:
        create_app(None)()
    except MemoryServerError as error:
        sys.stderr.write(f"memory server: {error}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
