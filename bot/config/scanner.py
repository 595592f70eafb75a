"""JSON that knows where everything stands, and what exactly is wrong with it.

The standard library accepts NaN and duplicate keys, forgets positions and dies of deep nesting.
The grammar is RFC 8259's; a byte order mark is accepted, nothing else is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from bot.config.diagnostics import Complaint, Path, Place, invalid, place_at, printable
from bot.config.literals import Fault, is_space, read_number, read_string, read_word, seen

MAX_BYTES = 1_000_000
"""Larger files are refused: a configuration is typed by people."""
MAX_DEPTH = 32
"""The deepest setting has depth 4; more is a mistake or an attack."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """A JSON value, its text, and the offsets where every key (or list element) of it starts."""

    value: object
    text: str
    offsets: Mapping[Path, int]

    def place(self, path: Path) -> Place:
        """Return where the key or element at ``path`` starts, or the nearest one around it that exists."""
        while path not in self.offsets:
            path = path[:-1]
        return place_at(self.text, self.offsets[path])


def scan(data: bytes, name: str) -> Scanned:
    """Parse the bytes of the file called ``name``.

    Raises :class:`~bot.errors.ConfigInvalid` with line, column and key path for everything that is not JSON, and for
    duplicate keys.
    """
    text = _decode(data, name)
    scanner = _Scanner(text)
    try:
        value = scanner.document()
    except Fault as fault:
        complaint = Complaint(
            place_at(text, fault.at), tuple(scanner.path), fault.problem, fault.expected, fault.got, fault.hint
        )
        raise invalid(name, [complaint]) from None
    return Scanned(value, text, MappingProxyType(scanner.offsets))


def _decode(data: bytes, name: str) -> str:
    def refuse(problem: str, expected: str, got: str, at: Place) -> NoReturn:
        raise invalid(name, [Complaint(at, (), problem, expected, got)]) from None

    start = Place(1, 1)
    if len(data) > MAX_BYTES:
        refuse("the file is too large", f"at most {MAX_BYTES} bytes", f"{len(data)} bytes", start)
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        refuse("wrong encoding", "UTF-8", "UTF-16 or UTF-32", start)
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[: error.start].removeprefix(b"\xef\xbb\xbf").decode("utf-8")
        refuse("wrong encoding", "UTF-8", f"the byte 0x{data[error.start]:02x}", place_at(good, len(good)))


class _Scanner:
    """Recursive descent over one text; ``path`` is where it stands when a :class:`Fault` is raised."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.path: list[str | int] = []
        self.offsets: dict[Path, int] = {(): 0}

    def document(self) -> object:
        self._space()
        if self.at == len(self.text):
            raise Fault(self.at, "the file is empty", "an object, at least {}", "nothing")
        self.offsets[()] = self.at
        value = self._value()
        self._space()
        if self.at < len(self.text):
            raise self._unexpected("text after the end", "the end of the file")
        return value

    def _value(self) -> object:
        char = self.text[self.at : self.at + 1]
        if char == "{":
            return self._object()
        if char == "[":
            return self._array()
        if char == '"':
            value, self.at = read_string(self.text, self.at)
            return value
        if char and (char in "+-." or char.isdigit()):
            number, self.at = read_number(self.text, self.at)
            return number
        if char.isalpha():
            word, self.at = read_word(self.text, self.at)
            return word
        raise self._unexpected("no value", "a value")

    def _object(self) -> dict[str, object]:
        result: dict[str, object] = {}
        self._open()
        while not self._closes("}", first=not result):
            start = self.at
            key = self._key()
            self.path.append(key)
            if key in result:
                first = place_at(self.text, self.offsets[tuple(self.path)])
                raise Fault(
                    start, "duplicate key", "every key once", f'"{printable(key)}" again', f"see line {first.line}"
                )
            self.offsets[tuple(self.path)] = start
            self._space()
            if self.text[self.at : self.at + 1] != ":":
                raise self._unexpected("missing colon", '":"')
            self.at += 1
            self._space()
            result[key] = self._value()
            self.path.pop()
        return result

    def _array(self) -> list[object]:
        result: list[object] = []
        self._open()
        while not self._closes("]", first=not result):
            self.path.append(len(result))
            self.offsets[tuple(self.path)] = self.at
            result.append(self._value())
            self.path.pop()
        return result

    def _open(self) -> None:
        if len(self.path) >= MAX_DEPTH:
            raise Fault(self.at, "nested too deeply", f"at most {MAX_DEPTH} levels", "more")
        self.at += 1

    def _closes(self, bracket: str, *, first: bool) -> bool:
        """Step over what stands between two members; ``True`` if the bracket closed."""
        self._space()
        char = self.text[self.at : self.at + 1]
        if char == bracket:
            self.at += 1
            return True
        if first:
            return False
        if char != ",":
            raise self._unexpected("missing comma", f'"," or "{bracket}"')
        comma = self.at
        self.at += 1
        self._space()
        if self.text[self.at : self.at + 1] in ("}", "]"):
            raise Fault(comma, "trailing comma", "another value after it", seen(self.text, self.at), "remove the comma")
        return False

    def _key(self) -> str:
        if self.text[self.at : self.at + 1] == '"':
            key, self.at = read_string(self.text, self.at)
            return key
        raise self._unexpected("no key", 'a key in double quotes or "}"')

    def _space(self) -> None:
        while self.at < len(self.text) and is_space(self.text[self.at]):
            self.at += 1

    def _unexpected(self, problem: str, expected: str) -> Fault:
        """Return the fault for what stands here, by its own name where it has one."""
        rest = self.text[self.at : self.at + 2]
        got = seen(self.text, self.at)
        hint = ""
        if not rest:
            problem = "the file ends in the middle"
        elif rest[0] == "#" or rest in ("//", "/*"):
            problem, hint = "comment", "JSON has no comments"
        elif rest[0] in "'`‘’“”«»":
            problem, hint = "wrong quotes", 'use "'
        elif rest[0] == "\ufeff":
            problem = "byte order mark in the middle"
        return Fault(self.at, problem, expected, got, hint)
