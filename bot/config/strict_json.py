"""Strict JSON (RFC 8259) that knows where everything stands, and says what is wrong so that a person can mend it.

The hooks of the standard library's decoder are told values and no offsets, so they can place neither a duplicate key
nor a value of the wrong type; the decoder itself also accepts NaN, duplicate keys and half characters, places the end
of a number instead of its beginning, and dies of deep nesting.  So objects and lists are walked here, and what a text
or a number means is left to ``json``.  A byte order mark at the beginning is accepted.
One diagnostic is one line: ``file:line:column: key.path: what is wrong: expected …, got …``.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NoReturn

from bot.errors import ConfigInvalid

MAX_BYTES: Final = 1_000_000
"""Larger files are refused: a configuration is typed by people."""
MAX_DEPTH: Final = 32
"""The deepest setting has depth 4; more is a mistake or an attack."""
_MAX_DIGITS: Final = 40

_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_WORD: Final = re.compile(r"[^\W\d]\w*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER_LIKE: Final = re.compile(r"[+\-.0-9A-Za-z_]+")
_HARMLESS_NUMBER: Final = re.compile(r"[+\-.0-9eExX_]{1,20}|[+-]?(?:NaN|Infinity)")
_WORDS: Final[Mapping[str, bool | None]] = {"true": True, "false": False, "null": None}
_OTHER_SPELLINGS: Final = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "NULL": "null",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON value, its text, and the offsets where every key (or list element) of it starts."""

    value: object
    text: str
    offsets: Mapping[KeyPath, int]

    def position_of(self, path: KeyPath) -> Position:
        """Return where the key or element at ``path`` starts, or the nearest one around it that exists."""
        while path not in self.offsets:
            path = path[:-1]
        return position_at(self.text, self.offsets[path])


def parse_json(data: bytes, name: str) -> Document:
    """Parse the bytes of the file called ``name``.

    Raises :class:`~bot.errors.ConfigInvalid` with line, column and key path for everything that is not JSON, and for
    duplicate keys.
    """
    text = _decode(data, name)
    walker = _Walker(text)
    try:
        value = walker.read_document()
    except _SyntaxFault as fault:
        diagnostic = Diagnostic(
            position_at(text, fault.at), tuple(walker.path), fault.problem, fault.expected, fault.got, fault.hint
        )
        raise build_error(name, [diagnostic]) from None
    return Document(value, text, MappingProxyType(walker.offsets))


def _decode(data: bytes, name: str) -> str:
    def refuse(problem: str, expected: str, got: str, at: Position) -> NoReturn:
        raise build_error(name, [Diagnostic(at, (), problem, expected, got)]) from None

    start = Position(1, 1)
    if len(data) > MAX_BYTES:
        refuse("the file is too large", f"at most {MAX_BYTES} bytes", f"{len(data)} bytes", start)
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        refuse("wrong encoding", "UTF-8", "UTF-16 or UTF-32", start)
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[: error.start].removeprefix(b"\xef\xbb\xbf").decode("utf-8")
        refuse("wrong encoding", "UTF-8", f"the byte 0x{data[error.start]:02x}", position_at(good, len(good)))


class _SyntaxFault(Exception):
    """Something that is not JSON, at an offset; it never leaves this file."""

    def __init__(self, at: int, problem: str, expected: str, got: str, hint: str = "") -> None:
        super().__init__(problem)
        self.at, self.problem, self.expected, self.got, self.hint = at, problem, expected, got, hint


class _Walker:
    """Recursive descent over one text; ``path`` is where it stands when a :class:`_SyntaxFault` is raised."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.path: list[str | int] = []
        self.offsets: dict[KeyPath, int] = {(): 0}

    def read_document(self) -> object:
        if not self._peek():
            raise _SyntaxFault(self.at, "the file is empty", "an object, at least {}", "nothing")
        self.offsets[()] = self.at
        value = self._read_value()
        if self._peek():
            raise self._unexpected("text after the end", "the end of the file")
        return value

    def _peek(self) -> str:
        """Step over white space, which is four characters to JSON, and return what stands there, "" at the end."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _read_value(self) -> object:
        char = self._peek()
        if char == "{":
            return self._read_object()
        if char == "[":
            return self._read_array()
        if char == '"':
            return self._read_string()
        if char and (char in "+-." or char.isdigit()):
            return self._read_number()
        if char.isalpha():
            return self._read_word()
        raise self._unexpected("no value", "a value")

    def _read_object(self) -> dict[str, object]:
        members: dict[str, object] = {}
        self._open()
        while not self._closes("}", first=not members):
            start = self.at
            if self._peek() != '"':
                raise self._unexpected("no key", 'a key in double quotes or "}"')
            key = self._read_string()
            self.path.append(key)
            if key in members:
                line = position_at(self.text, self.offsets[tuple(self.path)]).line
                got = f'"{make_printable(key)}" again'
                raise _SyntaxFault(start, "duplicate key", "every key once", got, f"see line {line}")
            self.offsets[tuple(self.path)] = start
            if self._peek() != ":":
                raise self._unexpected("missing colon", '":"')
            self.at += 1
            members[key] = self._read_value()
            self.path.pop()
        return members

    def _read_array(self) -> list[object]:
        elements: list[object] = []
        self._open()
        while not self._closes("]", first=not elements):
            self.path.append(len(elements))
            self.offsets[tuple(self.path)] = self.at
            elements.append(self._read_value())
            self.path.pop()
        return elements

    def _open(self) -> None:
        if len(self.path) >= MAX_DEPTH:
            raise _SyntaxFault(self.at, "nested too deeply", f"at most {MAX_DEPTH} levels", "more")
        self.at += 1

    def _closes(self, bracket: str, *, first: bool) -> bool:
        """Step over what stands between two members; ``True`` if the bracket closed."""
        char = self._peek()
        if char == bracket:
            self.at += 1
            return True
        if first:
            return False
        if char != ",":
            raise self._unexpected("missing comma", f'"," or "{bracket}"')
        comma = self.at
        self.at += 1
        if self._peek() in ("}", "]"):
            got = _describe_character(self.text, self.at)
            raise _SyntaxFault(comma, "trailing comma", "another value after it", got, "remove the comma")
        return False

    def _read_string(self) -> str:
        start, good = self.at, _STRING.match(self.text, self.at)
        end = good.end() if good else start
        if self.text[end : end + 1] != '"':
            raise self._unfit_string(start, end)
        self.at = end + 1
        value = str(json.loads(self.text[start : self.at]))
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise _SyntaxFault(start, "half a character", r"surrogates in pairs (\ud83d\ude00)", "a single one")
        return value

    def _unfit_string(self, start: int, end: int) -> _SyntaxFault:
        """Return the fault of a string that is good up to ``end``."""
        rest = self.text[end : end + 2]
        if rest in ("", "\\"):
            return _SyntaxFault(start, "the file ends in the middle", 'a closing "', "the end of the file")
        if rest[0] == "\\":
            expected = r"one of \" \\ \/ \b \f \n \r \t \uXXXX"
            return _SyntaxFault(end, "bad escape", expected, "another", r"write \\ for \ ")
        hint = r"close the string with a quote or write \n" if rest[0] in "\r\n" else ""
        got = _describe_character(self.text, end)
        return _SyntaxFault(end, "control character in a string", "printable text", got, hint)

    def _read_number(self) -> int | float:
        start, found = self.at, _NUMBER_LIKE.match(self.text, self.at)
        word = found.group() if found else self.text[start]
        if not _NUMBER.fullmatch(word):
            alpha = word[-1].isalpha()
            hint = "NaN and Infinity are not JSON" if alpha else "no +, no leading 0, digits around the point"
            got = word if _HARMLESS_NUMBER.fullmatch(word) else "a bare word"
            raise _SyntaxFault(start, "not a number that JSON knows", "a number such as 10, -1 or 0.5", got, hint)
        if len(word) > _MAX_DIGITS:
            got = f"{len(word)} characters"
            raise _SyntaxFault(start, "number out of range", f"at most {_MAX_DIGITS} digits", got)
        value: int | float = json.loads(word)
        if isinstance(value, float) and not math.isfinite(value):
            raise _SyntaxFault(start, "number out of range", "a number below 1.8e308", "a larger one")
        self.at += len(word)
        return value

    def _read_word(self) -> bool | None:
        start, found = self.at, _WORD.match(self.text, self.at)
        word = found.group() if found else self.text[start]
        if word in _WORDS:
            self.at += len(word)
            return _WORDS[word]
        if start + len(word) == len(self.text) and any(known.startswith(word) for known in _WORDS):
            raise _SyntaxFault(start, "the file ends in the middle", "true, false or null", "the end of the file")
        if word in ("NaN", "Infinity"):
            raise _SyntaxFault(start, "not a number that JSON knows", "a number such as 10, -1 or 0.5", word)
        known = _OTHER_SPELLINGS.get(word)
        hint = f"write {known}" if known else "texts stand in double quotes"
        raise _SyntaxFault(start, "unknown word", "true, false, null or a text in double quotes", "a bare word", hint)

    def _unexpected(self, problem: str, expected: str) -> _SyntaxFault:
        """Return the fault for what stands here, by its own name where it has one."""
        rest = self.text[self.at : self.at + 2]
        hint = ""
        if not rest:
            problem = "the file ends in the middle"
        elif rest[0] == "#" or rest in ("//", "/*"):
            problem, hint = "comment", "JSON has no comments"
        elif rest[0] in "'`‘’“”«»":
            problem, hint = "wrong quotes", 'use "'
        elif rest[0] == "\ufeff":
            problem = "byte order mark in the middle"
        return _SyntaxFault(self.at, problem, expected, _describe_character(self.text, self.at), hint)


def _describe_character(text: str, at: int) -> str:
    """Name the character at an offset; only one, because the next may begin a secret."""
    if at >= len(text):
        return "the end of the file"
    char = text[at]
    if char.isprintable() and not char.isspace():
        return f"'{char}'" if char == '"' else f'"{char}"'
    return f"the character U+{ord(char):04X} ({unicodedata.name(char, 'control character')})"


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
