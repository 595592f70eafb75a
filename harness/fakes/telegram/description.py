"""Requests judged by themselves, whatever chats hold, by the published, machine-readable description of the Bot API.

It lies beside the repository, in ``../shared/data``, on machines that test against it; where it does not, aiogram's own
models of the methods judge.  The format is that of https://github.com/PaulSonOfLars/telegram-bot-api-spec.
"""

import functools
import json
import re
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from aiogram import methods
from aiogram.methods import TelegramMethod
from pydantic import BaseModel, ValidationError

_Json = Any  # JSON as it was sent
_ROOT = Path(__file__).resolve().parents[3]
_FILE = Path("shared", "data", "telegram_bot_api.json")
_LENGTH = re.compile(r"\b(\d+)-(\d+) (characters|bytes)")
_RANGE = re.compile(r"Values between (\d+)-(\d+)|, (\d+)-(\d+)\. Defaults")
_MOST = re.compile(r"At most (\d+) ")
_ALWAYS = re.compile(r"(?:must be|always) \"?([a-z0-9_]+)\"?$")
_CHOICES = re.compile(r"(?:[Mm]ust be one of|Currently, can be|can be one of) (\".*)")
_ACTIONS = re.compile(r"\b(typing|choose_sticker|find_location|(?:record|upload)_[a-z_]+)\b")
_ARRAY = "Array of "


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a method or type, with the limits that its description states in words."""

    name: str
    types: tuple[str, ...]
    required: bool
    description: str


class Description:
    """Judges requests by the published description."""

    def __init__(self, published: Mapping[str, Any]) -> None:
        self._methods = {name.lower(): _fields(method) for name, method in published["methods"].items()}
        self._types = {name: _fields(described) for name, described in published["types"].items()}
        self._subtypes = {
            name: tuple(described["subtypes"])
            for name, described in published["types"].items()
            if described.get("subtypes")
        }

    def knows(self, method: str) -> bool:
        return method.lower() in self._methods

    def decoded(self, method: str, form: Mapping[str, str]) -> dict[str, _Json]:
        """Return the values of a form as the declared types say; what does not fit stays text, and is found later."""
        fields = self._methods.get(method.lower(), {})
        return {name: _decode(fields[name].types, raw) if name in fields else raw for name, raw in form.items()}

    def problems(self, method: str, params: Mapping[str, _Json]) -> list[str]:
        """Return what is wrong with a request, in words; empty if nothing is."""
        return list(self._of_fields(self._methods[method.lower()], params, ""))

    def problems_of(self, kind: str, value: _Json) -> list[str]:
        """The same for a value of one of the types, such as an ``Update``."""
        return list(self._of_type(kind, value, kind))

    def _of_fields(self, fields: Mapping[str, Field], given: Mapping[str, _Json], path: str) -> Iterator[str]:
        for name in given.keys() - fields.keys():
            yield f"{path}{name}: no such field"
        for field in fields.values():
            if field.name not in given:
                if field.required:
                    yield f"{path}{field.name}: required"
                continue
            found = list(self._of_types(field.types, given[field.name], path + field.name))
            yield from found or _limits(field, given[field.name], path + field.name)

    def _of_types(self, types: Sequence[str], value: _Json, path: str) -> list[str]:
        """Return the problems with the type that fits best."""
        return min((list(self._of_type(kind, value, path)) for kind in types), key=len)

    def _of_type(self, kind: str, value: _Json, path: str) -> Iterator[str]:
        if kind.startswith(_ARRAY):
            if not isinstance(value, list):
                yield f"{path}: not an array"
                return
            for number, each in enumerate(value):
                yield from self._of_type(kind.removeprefix(_ARRAY), each, f"{path}[{number}]")
        elif (right := _SIMPLE.get(kind)) is not None:
            if not right(value):
                yield f"{path}: not a {kind}"
        elif kind in self._subtypes:
            yield from self._of_types(self._subtypes[kind], value, path)
        elif not isinstance(value, dict):
            yield f"{path}: not a {kind}"
        else:
            yield from self._of_fields(self._types[kind], value, f"{path}.")


@functools.cache
def published() -> Description | None:
    """Return the published description, ``None`` where the file is not."""
    path = next((beside / _FILE for beside in _ROOT.parents if (beside / _FILE).is_file()), None)
    return None if path is None else Description(json.loads(path.read_text(encoding="utf-8")))


def _fields(described: Mapping[str, Any]) -> dict[str, Field]:
    listed = described.get("fields", ())
    return {
        field["name"]: Field(field["name"], tuple(field["types"]), field["required"], field["description"])
        for field in listed
    }


def _is_text(value: _Json) -> bool:
    return isinstance(value, str) and not any(0xD800 <= ord(character) <= 0xDFFF for character in value)


def _is_integer(value: _Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


_SIMPLE: dict[str, Callable[[_Json], bool]] = {
    "String": _is_text,
    "InputFile": _is_text,
    "Integer": _is_integer,
    "Float": lambda value: _is_integer(value) or isinstance(value, float),
    "Boolean": lambda value: isinstance(value, bool),
    "True": lambda value: value is True,
}


def _limits(field: Field, value: _Json, path: str) -> Iterator[str]:
    """Yield what the words of a description forbid: lengths, ranges, fixed words."""
    about = field.description
    if isinstance(value, str):
        if limits := _LENGTH.search(about):
            length = len(value.encode()) if limits[3] == "bytes" else len(value.encode("utf-16-le")) // 2
            if not int(limits[1]) <= length <= int(limits[2]):
                yield f"{path}: {length} {limits[3]}, not {limits[1]}-{limits[2]}"
        allowed = _words(field)
        if allowed and value not in allowed:
            yield f"{path}: {value!r} is none of {', '.join(sorted(allowed))}"
    elif isinstance(value, list) and (most := _MOST.search(about)):
        if len(value) > int(most[1]):
            yield f"{path}: {len(value)} elements, not {most[1]} at most"
    elif _is_integer(value) and (between := _RANGE.search(about)):
        low, high = (int(bound) for bound in between.groups() if bound is not None)
        if not low <= value <= high:
            yield f"{path}: {value} is not between {low} and {high}"


def _words(field: Field) -> set[str]:
    """Return the words that a field may hold, none if any may."""
    about = field.description
    if fixed := _ALWAYS.search(about):
        return {fixed[1]}
    if listed := _CHOICES.search(about):
        return set(re.findall(r'"([^"\s]+)"', listed[1]))
    return set(_ACTIONS.findall(about)) if field.name == "action" else set()


class Models:
    """Judges requests as :class:`harness.fakes.telegram.description.Description` does, but for lengths and ranges."""

    def knows(self, method: str) -> bool:
        return method.lower() in _by_name()

    def decoded(self, method: str, form: Mapping[str, str]) -> dict[str, _Json]:
        """Return the values of a form as the declared types say."""
        model = _by_name().get(method.lower())
        fields = model.model_fields if model is not None else {}
        return {
            name: _decode(_name_kinds(fields[name].annotation), raw) if name in fields else raw
            for name, raw in form.items()
        }

    def problems(self, method: str, params: Mapping[str, _Json]) -> list[str]:
        """Return what is wrong with a request, in words; empty if nothing is."""
        try:
            built = _by_name()[method.lower()].model_validate(params)
        except ValidationError as error:
            return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        return list(_unknown(built, ""))


@functools.cache
def _by_name() -> dict[str, type[TelegramMethod[Any]]]:
    return {
        kind.__api_method__.lower(): kind
        for kind in vars(methods).values()
        if isinstance(kind, type) and issubclass(kind, TelegramMethod) and kind is not TelegramMethod
    }


def _plain(annotation: Any) -> Iterator[Any]:  # Any: annotations
    if get_origin(annotation) in {Union, types.UnionType}:
        for each in get_args(annotation):
            yield from _plain(each)
    else:
        yield annotation


def _name_kinds(annotation: Any) -> list[str]:  # Any: as above
    return [{str: "String", int: "Integer"}.get(each, "") for each in _plain(annotation)]


def _decode(kinds: Sequence[str], raw: str) -> _Json:
    """Return the value of a form's field: a text as it is, a number where one may stand, anything else from JSON."""
    if "String" in kinds or "InputFile" in kinds:
        return int(raw) if "Integer" in kinds and re.fullmatch(r"-?\d+", raw) else raw
    try:
        return json.loads(raw)
    except ValueError:
        return raw


def _unknown(value: object, path: str) -> Iterator[str]:
    """Yield every field, at any depth, that its model does not have."""
    if isinstance(value, BaseModel):
        for name in value.model_extra or ():
            yield f"{path}{name}: no such field"
        for name in value.model_fields_set & set(type(value).model_fields):
            yield from _unknown(getattr(value, name), f"{path}{name}.")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _unknown(each, f"{path}{number}.")


def judge() -> Description | Models:
    """Return the published description, or aiogram's models where it is not at hand."""
    return published() or Models()
