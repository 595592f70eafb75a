"""What is wrong with a configuration file, said so that a person can mend it.

One complaint is one line: ``file:line:column: key.path: what is wrong: expected …, got …``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.errors import ConfigInvalid

Path = tuple[str | int, ...]
"""The way to a value: keys and list positions."""

_KEY_SHOWN = 60
_STEPS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a text, both counted from 1; columns count characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Complaint:
    """One mistake.  ``got`` never holds a secret; ``hint`` is a whole clause or ""."""

    place: Place
    path: Path
    problem: str
    expected: str
    got: str
    hint: str = ""

    def line(self, name: str) -> str:
        """Return the complaint as one line about the file ``name``."""
        text = f"{name}:{self.place.line}:{self.place.column}: {shown(self.path)}: {self.problem}: "
        text += f"expected {self.expected}, got {self.got}"
        return f"{text}; {self.hint}" if self.hint else text


def place_at(text: str, offset: int) -> Place:
    """Return where ``offset`` lies in ``text``; line ends are LF, CRLF or CR."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return Place(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def shown(path: Path) -> str:
    """Return a path as people write it: ``llm.fallbacks[0].model``; "(whole file)" for the root."""
    text = ""
    for step in path[:_STEPS_SHOWN]:
        text += f"[{step}]" if isinstance(step, int) else f".{printable(step)}"
    return text.removeprefix(".") + ("…" if len(path) > _STEPS_SHOWN else "") or "(whole file)"


def printable(text: str) -> str:
    """Return a text from the file as it may stand in a message: short, on one line, nothing invisible."""
    clean = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[: _KEY_SHOWN + 1])
    return clean if len(text) <= _KEY_SHOWN else clean[:_KEY_SHOWN] + "…"


def invalid(name: str, complaints: Iterable[Complaint]) -> ConfigInvalid:
    """Return the error for these complaints, in the order of the file."""
    ordered = sorted(complaints, key=lambda c: (c.place.line, c.place.column))
    return ConfigInvalid("\n".join(c.line(name) for c in ordered))
