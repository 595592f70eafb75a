"""What was typed, for the arrow keys: kept in a file of the owner's, without secrets, gone with the first erase.

A history is memory too: what was forgotten must not be found in it.
"""

from __future__ import annotations

from pathlib import Path

from prompt_toolkit.history import FileHistory

from bot.memory.secrets.redaction import redact


class TypedLines(FileHistory):
    """A history file (mode 0600); a line with a secret is remembered until the chat ends and never written."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path

    def store_string(self, string: str) -> None:
        """Write one line."""
        if not redact(string).kinds:
            self._path.touch(mode=0o600)
            self._path.chmod(0o600)
            super().store_string(string)


def forget_typed_lines(path: Path) -> None:
    """Remove the file: which of its lines hold what was erased, nobody can tell."""
    path.unlink(missing_ok=True)
