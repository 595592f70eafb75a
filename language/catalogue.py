"""The sentences of one language, read from a file in the format of Project Fluent (https://projectfluent.org).

Fluent's own parser reads each when it is first said: to read them all would take a tenth of a second of every start.
They are filled in here and not by Fluent's runtime, which refuses arguments of more than 2,500 characters and writes
numbers with separators.  Variables, strings, references to other sentences and choices are understood, with the plural
categories of CLDR; anything else raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Final, Generic, Self, TypeVar

from fluent.syntax import FluentParser, ast

from language.cldr import load_plural_rule

_ENTRY: Final = re.compile(r"(?m)^(?=[a-z][\w-]* =)")
_NOT_IN_NAMES: Final = re.compile(r"[^\w-]+")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Gap:
    """Where an argument is filled in."""

    name: str

    def fill(self, arguments: Mapping[str, object]) -> str:
        return str(arguments[self.name])

    def names(self) -> frozenset[str]:
        return frozenset({self.name})


@dataclass(frozen=True, slots=True)
class _Choice:
    """Variants: an argument chooses that of its value ("1"), else of its plural category ("few"), else the default."""

    name: str
    language: str
    variants: Mapping[str, Message]
    default: str

    def fill(self, arguments: Mapping[str, object]) -> str:
        value = arguments[self.name]
        chosen = str(value)
        if chosen not in self.variants and isinstance(value, int):
            chosen = load_plural_rule(self.language)(value)
        return self.variants.get(chosen, self.variants[self.default]).format(**arguments)

    def names(self) -> frozenset[str]:
        return frozenset({self.name}).union(*(each.names() for each in self.variants.values()))


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence that has gaps to be filled in."""

    parts: tuple[str | _Gap | _Choice, ...]

    def format(self, **arguments: object) -> str:
        """Return the sentence; a gap without an argument raises :class:`KeyError`."""
        return "".join(part if isinstance(part, str) else part.fill(arguments) for part in self.parts)

    def __str__(self) -> str:
        raise TypeError(f"a sentence is shown before it is filled in: {self.parts}")

    def opening(self) -> str:
        """Return what stands before the first gap."""
        return "".join(part for part in self.parts[:1] if isinstance(part, str))

    def names(self) -> frozenset[str]:
        """Return the names of all gaps."""
        return frozenset[str]().union(*(part.names() for part in self.parts if not isinstance(part, str)))


class Catalogue:
    """The sentences of a language; what it leaves out is said in another's words."""

    def __init__(self, language: str, source: str, instead: Catalogue | None = None, reader: str = "") -> None:
        """``reader`` names the attribute ("user") in which sentences stand otherwise for certain readers."""
        self.language = language
        self._sources = {entry.partition(" ")[0]: entry for entry in _ENTRY.split(source)[1:]}
        self._chain = (self, *([instead] if instead else []))
        self._attributes = (reader, "") if reader else ("",)
        self._read: dict[str, dict[str, Message]] = {}

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys of what this language has words for."""
        return iter(self._sources)

    def message(self, key: str) -> Message:
        """Return a sentence; no language having it raises :class:`KeyError`."""
        for attribute in self._attributes:
            for catalogue in self._chain:
                if found := catalogue.read(key).get(attribute):
                    return found
        raise KeyError(key)

    def table(self, key: str) -> dict[str, Message]:
        """Return the attributes of an entry that is a table, by name, those of the other language among them."""
        return {name: found for each in reversed(self._chain) for name, found in each.read(key).items()}

    def read(self, key: str) -> dict[str, Message]:
        """Return what this language itself has under a key: attributes by their names, the sentence as ""."""
        if key not in self._read:
            self._read[key] = self._parse(self._sources[key]) if key in self._sources else {}
        return self._read[key]

    def _parse(self, source: str) -> dict[str, Message]:
        entry = FluentParser(with_spans=False).parse_entry(source)
        if not isinstance(entry, ast.Message):
            raise ValueError(f"no entry of Fluent: {source}")  # noqa: TRY004 - its content is wrong
        found = {each.id.name: self._compile(each.value) for each in entry.attributes}
        return {"": self._compile(entry.value), **found} if entry.value else found

    def _compile(self, pattern: ast.Pattern) -> Message:
        parts: list[str | _Gap | _Choice] = []
        for element in pattern.elements:
            match element:
                case ast.TextElement(value=text):
                    parts.append(text)
                case ast.Placeable(expression=ast.StringLiteral() as literal):
                    parts.append(literal.parse()["value"])
                case ast.Placeable(expression=ast.VariableReference(id=name)):
                    parts.append(_Gap(name.name))
                case ast.Placeable(expression=ast.MessageReference(id=name, attribute=None)):
                    parts.extend(self.message(name.name).parts)
                case ast.Placeable(
                    expression=ast.SelectExpression(selector=ast.VariableReference(id=name), variants=variants)
                ):
                    chosen = {_read_key(each.key): self._compile(each.value) for each in variants}
                    (default,) = (_read_key(each.key) for each in variants if each.default)
                    parts.append(_Choice(name.name, self.language, chosen, default))
                case _:
                    raise ValueError(f"not understood: {element}")
        return Message(tuple(parts))


def _read_key(key: ast.Identifier | ast.NumberLiteral) -> str:
    return key.name if isinstance(key, ast.Identifier) else key.value


class Section:
    """A group of sentences: its fields stand in the file with its prefix before theirs ("page-back")."""

    def __init__(self, catalogue: Catalogue, prefix: str) -> None:
        self.catalogue = catalogue
        self.prefix = prefix

    def replace(self, **fields: object) -> Self:
        """Return the same sentences, with others in place of some."""
        changed = copy(self)
        vars(changed).update(fields)
        return changed


class Field(Generic[Value]):
    """A field of a section; it is read once, and found in the section itself from then on."""

    def __set_name__(self, owner: type[Section], name: str) -> None:
        self.name = name

    def __get__(self, section: Section, owner: type[Section]) -> Value:
        value = self.read(section.catalogue, f"{section.prefix}-{self.name}")
        vars(section)[self.name] = value
        return value

    def read(self, catalogue: Catalogue, key: str) -> Value:
        """Return the value that a catalogue has for a key."""
        raise NotImplementedError


class Plain(Field[str]):
    """A sentence without gaps."""

    def read(self, catalogue: Catalogue, key: str) -> str:  # noqa: D102
        return catalogue.message(key).format()


class Filled(Field[Message]):
    """A sentence with gaps."""

    def read(self, catalogue: Catalogue, key: str) -> Message:  # noqa: D102
        return catalogue.message(key)


class Lines(Field[tuple[str, ...]]):
    """Several words or sentences, one in each line."""

    def read(self, catalogue: Catalogue, key: str) -> tuple[str, ...]:  # noqa: D102
        return tuple(catalogue.message(key).format().split("\n"))


class Table(Field[Mapping[str, str]]):
    """Sentences without gaps by names: the attributes of an entry."""

    def read(self, catalogue: Catalogue, key: str) -> Mapping[str, str]:  # noqa: D102
        return _Names({name: message.format() for name, message in catalogue.table(key).items()})


class FilledTable(Field[Mapping[str, Message]]):
    """Sentences with gaps by names."""

    def read(self, catalogue: Catalogue, key: str) -> Mapping[str, Message]:  # noqa: D102
        return _Names(catalogue.table(key))


class _Names(Mapping[str, Value]):
    """A table in which a name is looked up as Fluent writes it: "API key" is "API-key", nothing is "other"."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Value:
        return self._values[_NOT_IN_NAMES.sub("-", name).strip("-") or "other"]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
