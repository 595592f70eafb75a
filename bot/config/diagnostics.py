"""Diagnostics of a configuration file, in words by which a person can mend it.

One diagnostic is one line: ``file:line:column: key.path: what is wrong: expected …, got …``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.errors import ConfigInvalid

KeyPath = tuple[str | int, ...]
"""The way to a value: keys and list positions."""

_KEY_SHOWN = 60
_STEPS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a text, both counted from 1; columns count characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake.  ``got`` never holds a secret; ``hint`` is a whole clause or ""."""

    place: Position
    path: KeyPath
    problem: str
    expected: str
    got: str
    hint: str = ""

    def line(self, name: str) -> str:
        """Return the diagnostic as one line about the file ``name``."""
        text = f"{name}:{self.place.line}:{self.place.column}: {format_path(self.path)}: {self.problem}: "
        text += f"expected {self.expected}, got {self.got}"
        return f"{text}; {self.hint}" if self.hint else text


def position_at(text: str, offset: int) -> Position:
    """Return where ``offset`` lies in ``text``; line ends are LF, CRLF or CR."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return Position(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def format_path(path: KeyPath) -> str:
    """Return a path as people write it: ``llm.fallbacks[0].model``; "(whole file)" for the root."""
    text = ""
    for step in path[:_STEPS_SHOWN]:
        text += f"[{step}]" if isinstance(step, int) else f".{make_printable(step)}"
    return text.removeprefix(".") + ("…" if len(path) > _STEPS_SHOWN else "") or "(whole file)"


def make_printable(text: str) -> str:
    """Return a text from the file as it may stand in a message: short, on one line, nothing invisible."""
    clean = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[: _KEY_SHOWN + 1])
    return clean if len(text) <= _KEY_SHOWN else clean[:_KEY_SHOWN] + "…"


def build_error(name: str, diagnostics: Iterable[Diagnostic]) -> ConfigInvalid:
    """Return the error for these diagnostics, in the order of the file."""
    ordered = sorted(diagnostics, key=lambda one: (one.place.line, one.place.column))
    return ConfigInvalid("\n".join(c.line(name) for c in ordered))
