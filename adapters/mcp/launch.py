"""Starts a tool server so that it dies with Mneme, however Mneme dies; run as a script, before anything is imported.

A program that reads to the end of its input ends by itself when we go; one that does not would stay behind.  On Linux
the kernel is asked to kill it with its parent (https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html),
which a program inherits through ``exec``.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(parent: int, command: list[str]) -> None:
    """Become ``command``, to be killed when ``parent`` ends; does not return."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it ended before the kernel was asked
            sys.exit(1)
    try:
        os.execvp(command[0], command)  # noqa: S606 - the operator's settings name it; no shell is involved
    except OSError as error:
        sys.exit(f"{command[0]} cannot be started: {error.strerror}")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
