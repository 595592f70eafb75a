"""Every regular expression and every text function of the product, found and not listed by hand.

Patterns are what modules hold (also in tuples, tables and data classes) and what their functions write in place;
which way a pattern is asked (at a place or anywhere in a text) is read off the code.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from bot.memory.learning.statements import Rule

PACKAGES: Final = ("bot", "systems", "adapters", "language", "memory_server")
_ASKING: Final = {"match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn"}
_ANCHORED: Final = {"match", "fullmatch"}
_DEPTH: Final = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern, where it stands, and whether it is only ever asked at one place of a text."""

    where: str
    pattern: re.Pattern[str]
    anchored: bool


@cache
def modules() -> tuple[ModuleType, ...]:
    """Return every module of the product, imported."""
    names = [
        module.name
        for package in PACKAGES
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
        if not module.name.endswith("__main__")
    ]
    return tuple(importlib.import_module(name) for name in (*PACKAGES, *names))


@cache
def patterns() -> tuple[Found, ...]:
    """Return every pattern of texts once, by where it stands; patterns of bytes are those of texts."""
    anchored = _asked_at_a_place()
    found: dict[tuple[str, int], Found] = {}
    for module in modules():
        for name, value in vars(module).items():
            for pattern in _held(value, _DEPTH):
                only = (module.__name__, name) in anchored if isinstance(value, re.Pattern) else _are_rules(value)
                key = (pattern.pattern, pattern.flags)
                if key not in found or found[key].anchored > only:
                    found[key] = Found(f"{module.__name__}.{name}", pattern, only)
    known = {one.pattern.pattern for one in found.values()}
    for where, pattern in _written_in_place():
        if pattern.pattern not in known:
            found.setdefault((pattern.pattern, pattern.flags), Found(where, pattern, anchored=False))
    return tuple(found.values())


def calls_of_re() -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of functions of ``re`` with where they stand."""
    for module in modules():
        for node in _nodes(module):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in _ASKING | {"compile"}
            ):
                yield module.__name__, node


def text_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public functions that take a text first, with their names."""
    for module in modules():
        for name, function in vars(module).items():
            if name.startswith("_") or getattr(function, "__module__", "") != module.__name__:
                continue
            plain = inspect.unwrap(function) if callable(function) else function
            if not inspect.isfunction(plain) or inspect.iscoroutinefunction(plain):
                continue
            first = next(iter(inspect.signature(plain).parameters.values()), None)
            if first is not None and first.annotation == "str":
                yield f"{module.__name__}.{name}", function


def asked(found: Found) -> Callable[[str], object]:
    """Return how a pattern is asked, of a text."""
    if found.anchored:
        return lambda text: (found.pattern.match(text), found.pattern.fullmatch(text))
    return lambda text: sum(1 for _ in found.pattern.finditer(text))


def _are_rules(value: Any) -> bool:
    """Rules of learning are tried at the beginning of a sentence, as their class says."""
    if isinstance(value, dict):
        return bool(value) and all(_are_rules(one) or one == () for one in value.values())
    return isinstance(value, tuple) and bool(value) and all(isinstance(one, Rule) for one in value)


def _held(value: Any, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, bytes):
            value = re.compile(value.pattern.decode("latin-1"), value.flags & ~re.ASCII)
        yield value
    elif depth and isinstance(value, dict):
        for pair in value.items():
            yield from _held(pair, depth - 1)
    elif depth and isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _held(one, depth - 1)
    elif depth and dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from _held(getattr(value, field.name, None), depth - 1)


@cache
def _nodes(module: ModuleType) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))))


def _written_in_place() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield patterns that stand as a literal in a call of ``re``, with where."""
    for name, call in calls_of_re():
        if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
            yield f"{name}:{call.lineno}", re.compile(call.args[0].value)


def _asked_at_a_place() -> set[tuple[str, str]]:
    """Return the names of patterns of which nothing is used but ``match`` and ``fullmatch``."""
    asked: dict[tuple[str, str], set[str]] = {}
    for module in modules():
        owners = {
            alias.asname or alias.name: str(node.module)
            for node in _nodes(module)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        methods = {id(node.value): node.attr for node in _nodes(module) if isinstance(node, ast.Attribute)}
        for node in _nodes(module):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                key = (owners.get(node.id, module.__name__), node.id)
                asked.setdefault(key, set()).add(methods.get(id(node), "?"))
    return {key for key, ways in asked.items() if ways <= _ANCHORED}
