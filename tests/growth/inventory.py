"""Every regular expression and every text function of the product, found and not listed by hand.

Patterns are those that were compiled (:mod:`tests.growth.recording`); which way one is asked, at a place or anywhere
in a text, is read off the code.  A function that a message's text goes through is something that takes a text alone.
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
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast

from adapters.telegram.splitting import split
from bot.config.live import parse_settings
from bot.errors import ConfigInvalid
from bot.memory.answering.answer import answer_from
from bot.memory.document import parse_document, render_document
from bot.memory.items import Channel, Provenance, Recalled, Trust
from bot.memory.learning.speech_acts import find_skip_reason
from bot.memory.learning.statements import PATTERNS, extract_items
from bot.memory.patterns import cut_for_rules
from bot.memory.ranking.fusion import STORE_TOPICS, split_topics
from bot.memory.ranking.passages import find_days, find_subject
from bot.memory.sanitise import clean, fence_block
from bot.memory.secrets.redaction import redact
from language.patterns import PatternAtUse
from language.registry import get_texts
from language.tokens import shorten
from tests.growth.recording import PACKAGES, Key, recorded

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
    """Return every pattern, those of a first use compiled: all modules are imported, and what is made once is made.

    Patterns of bytes are read as of texts.
    """
    for module in modules():
        for function in tuple(vars(module).values()):
            if hasattr(function, "cache_info") and not inspect.signature(function).parameters:
                function()
    uses = [_read_uses(module) for module in modules() if _holds_patterns(module)]
    for module in modules():
        for one in _list_patterns(module):
            recorded.setdefault((one.pattern, one.flags), module.__name__)
    gc.unfreeze()  # what tests have frozen would not be listed
    for unasked in [each for each in gc.get_objects() if type(each) is PatternAtUse]:
        recorded.setdefault((unasked.pattern, unasked.flags), PatternAtUse.__module__)
    gc.freeze()
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
            if first is not None and first.annotation in ("str", str):
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
    return any(value is re for value in vars(module).values()) or any(True for _ in _list_patterns(module))


def _list_patterns(module: ModuleType) -> Iterator[re.Pattern[Any]]:  # Any: of texts or bytes
    return (one for value in vars(module).values() for one in _list_held(value))


def _list_held(value: object) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns that a name holds, itself or in a tuple."""
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, (re.Pattern, PatternAtUse)):
            yield cast("re.Pattern[Any]", one)


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
        (pattern.pattern, pattern.flags): True for forms in PATTERNS.values() for pattern, _ in forms
    }
    for use in uses:
        for name, value in vars(use.module).items():
            for one in _list_held(value):
                key: Key = (one.pattern, one.flags)
                only[key] = only.get(key, True) and ways.get((use.module.__name__, name), set()) <= _ANCHORED
    return {key for key, anchored in only.items() if anchored}


Work = Callable[[str], object]
NOW: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIRST: Final = datetime(2005, 1, 1, tzinfo=UTC)
_PROVENANCE: Final = Provenance(7, "Anna", "chat", Trust.USER, NOW, "a1")
_TAKES_NO_MESSAGE: Final = {
    "bot.memory.patterns.bound_repetitions": "a pattern of ours",
    "bot.memory.patterns.compile_bounded": "a pattern of ours",
    "adapters.telegram.session.open_bot": "the bot's token",
    "adapters.telegram.account.make_api_server": "an address from the settings",
    "adapters.telegram.splitting.split": "it is here with longer texts: the first 4 kB are one message",
    "adapters.telegram.markdown.render": "split hands it a window of a text, as converting is not linear",
}
"""Public functions whose text is not as long as somebody likes, with what it is."""


def _document(text: str) -> object:
    return parse_document(
        render_document(
            tag="tu42",
            uid="a1",
            said_at=NOW,
            skill="",
            author_name=text[:200],
            user_text=text,
            assistant_text=text,
        )
    )


def _configured(text: str) -> object:
    try:
        return parse_settings(text.encode(errors="replace"), "runtime-config.json", {})
    except ConfigInvalid as refused:
        return refused


def _answered(text: str) -> object:
    memory = Recalled("1", text, Channel.TURN, 1.0, "Anna", 7, role="user", said_at=NOW)
    phrases = get_texts("en").answers
    return answer_from(cut_for_rules(text), (memory,), asker_id=7, asker_name="Anna", now=NOW, phrases=phrases)


WHOLE: Final[dict[str, Work]] = {
    "redact(clean)": lambda text: redact(clean(text)),
    "extract_items": lambda text: extract_items(user_text=text, provenance=_PROVENANCE),
    "find_skip_reason": lambda text: find_skip_reason(text, text, min_length=1, states_fact=False, synthetic=False),
    "answer_from": _answered,
    "find_days": lambda text: find_days(text, NOW, FIRST, NOW),
    "split_topics": lambda text: split_topics(text, STORE_TOPICS),
    "find_subject": lambda text: find_subject(text, ("Anna", "Boris"), 0),
    "shorten": lambda text: shorten(text, 500),
    "document": _document,
    "fence_block": lambda text: fence_block("memory", [text], "0123456789abcdef"),
    "parse_settings": _configured,
    "split": lambda text: split(text * 4),
}
"""What takes more than a text, and ways through several functions."""


def works() -> dict[str, Work]:
    """Return all of them by name: every public function that can be called with a text alone, and the whole ways.

    Patterns are compiled before, so that no function pays for being the first to ask.
    """
    patterns()
    alone = {name: work for name, function in text_functions() if (work := _alone(name, function)) is not None}
    return alone | WHOLE


def _alone(name: str, function: Callable[..., Any]) -> Work | None:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    variadic = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    if name in _TAKES_NO_MESSAGE or any(p.default is p.empty and p.kind not in variadic for p in parameters):
        return None
    fresh = inspect.unwrap(function)

    def work(text: str) -> object:
        try:
            result = fresh(text)
            return list(result) if inspect.isgenerator(result) else result
        except Exception as error:  # noqa: BLE001  what a function refuses it has read
            return error

    return work
