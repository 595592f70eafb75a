"""Every regular expression and every text function of the product, found and not listed by hand.

Patterns are those that were compiled (:mod:`harness.growth.recording`); which way one is asked, at a place or anywhere
in a text, is read off the code.
"""

from __future__ import annotations

import ast
import gc
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
from harness.growth.recording import PACKAGES, Key, recorded

_ANCHORED: Final = {"match", "fullmatch"}


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern, where it was compiled, and whether it is only ever asked at one place of a text."""

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


def patterns() -> tuple[Found, ...]:
    """Return every pattern: all modules are imported, and what makes something once and for all has made it.

    Patterns of bytes are read as of texts.
    """
    for module in modules():
        for function in tuple(vars(module).values()):
            if hasattr(function, "cache_info") and not inspect.signature(function).parameters:
                function()
    uses = [_read_uses(module) for module in modules() if _holds_patterns(module)]
    known = {source for source, _ in recorded}
    for use in uses:
        for source in use.literals - known:
            recorded[source, re.compile(source).flags] = use.module.__name__
    anchored = _list_asked_at_a_place(uses)
    return tuple(
        Found(where, _read_as_text(source, flags), (source, flags) in anchored)
        for (source, flags), where in sorted(recorded.items(), key=lambda each: each[1])
    )


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


def _read_as_text(source: str | bytes, flags: int) -> re.Pattern[str]:
    if isinstance(source, bytes):
        return re.compile(source.decode("latin-1"), flags & ~re.ASCII)
    return re.compile(source, flags)


@dataclass(frozen=True, slots=True)
class _Uses:
    """What a module's code says of patterns: ``literals`` are given to functions of ``re`` in place.

    ``ways`` are the methods that are called of a name, by the module that it is from; "?" is anything else.
    """

    module: ModuleType
    literals: set[str]
    ways: dict[tuple[str, str], set[str]]


def _holds_patterns(module: ModuleType) -> bool:
    return any(one is re or isinstance(one, re.Pattern) for value in vars(module).values() for one in _list_each(value))


def _list_each(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _read_uses(module: ModuleType) -> _Uses:
    uses = _Uses(module, set(), {})
    owners: dict[str, str] = {}
    methods: dict[int, str] = {}
    through: dict[int, str] = {}
    loaded: list[ast.Name] = []
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), _), [ast.Constant(str(source)), *_]):
                uses.literals.add(source)
            case ast.ImportFrom():
                owners |= {alias.asname or alias.name: str(node.module) for alias in node.names}
            case ast.Attribute():
                methods[id(node.value)] = node.attr
            case ast.For(ast.Name(target), iterated) | ast.comprehension(ast.Name(target), iterated):
                through[id(iterated)] = target
            case ast.Name(ctx=ast.Load()):
                loaded.append(node)
    each: dict[str, set[str]] = {}
    for name in loaded:
        each.setdefault(name.id, set()).add(methods.get(id(name), "?"))
    for name in loaded:
        # What is gone through is asked as each of it is.
        ways = each.get(through[id(name)], {"?"}) if id(name) in through else {methods.get(id(name), "?")}
        uses.ways.setdefault((owners.get(name.id, module.__name__), name.id), set()).update(ways)
    return uses


def _list_asked_at_a_place(uses: list[_Uses]) -> set[Key]:
    """Return the patterns of which nothing is used but ``match`` and ``fullmatch``: by all their names, or as rules."""
    ways: dict[tuple[str, str], set[str]] = {}
    for use in uses:
        for owned, methods in use.ways.items():
            ways.setdefault(owned, set()).update(methods)
    only: dict[Key, bool] = {
        (rule.pattern.pattern, rule.pattern.flags): True for rule in gc.get_objects() if type(rule) is Rule
    }
    for use in uses:
        for name, value in vars(use.module).items():
            for one in _list_each(value):
                if isinstance(one, re.Pattern):
                    key: Key = (one.pattern, one.flags)
                    only[key] = only.get(key, True) and ways.get((use.module.__name__, name), set()) <= _ANCHORED
    return {key for key, anchored in only.items() if anchored}
