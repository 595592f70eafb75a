"""The code that keeps people's data safe and the tests that guard it; its changes, and those that no test can notice.

Each change is one that a tired programmer could make, and none of them is a matter of taste.
"""

from __future__ import annotations

import ast
import copy
import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_SAYS = ("structlog", "_log(", "log.", "logger")
"""A statement that only logs is left alone: what is said to the operator is no safety."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the characters from ``start`` to ``end`` of line ``line`` become ``after``."""

    file: str
    line: int
    kind: str
    text: str
    """The source line, stripped: what a waiver names."""
    before: str
    after: str
    source: str
    """The whole changed file."""
    ordinal: int = 0
    """Which of several changes that read alike."""

    @property
    def key(self) -> str:
        """Return what this change is called, wherever its line stands."""
        return f"{self.file}|{self.text}|{self.kind}|{self.before}|{self.after}|{self.ordinal}"


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Return all changes of a file, in the order of its lines."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    found: dict[tuple[int, int, str], Mutant] = {}
    alike: Counter[str] = Counter()
    for node, kind, after in _changes(tree):
        start, end = _offset(lines, node.lineno, node.col_offset), _offset(lines, *_end(node))
        changed = source[:start] + after + source[end:]
        text = lines[node.lineno - 1].strip()
        mutant = Mutant(file, node.lineno, kind, text, source[start:end], after, changed)
        if (start, end, after) not in found:
            found[start, end, after] = replace(mutant, ordinal=alike[mutant.key])
            alike[mutant.key] += 1
    return sorted(found.values(), key=lambda mutant: mutant.line)


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _offset(lines: list[str], line: int, column: int) -> int:
    """Return the index in the text; the tree counts columns in bytes."""
    before = lines[line - 1].encode()[:column].decode()
    return sum(map(len, lines[: line - 1])) + len(before)


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    for node in _code(tree):
        if isinstance(node, ast.stmt):
            yield from _stated(node)
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield node.test, "negate", f"(not ({ast.unparse(node.test)}))"
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield test, "negate", f"(not ({ast.unparse(test)}))"
        elif isinstance(node, ast.expr):
            yield from _expressed(node)


def _expressed(node: ast.expr) -> Iterator[tuple[ast.expr, str, str]]:
    if isinstance(node, ast.Compare):
        yield from _compared(node)
    elif isinstance(node, ast.BoolOp):
        other = copy.copy(node)
        other.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield node, "and/or", f"({ast.unparse(other)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, "drop not", f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield node, "off by one", f"({node.value + 1})"
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield node, "flip", str(not node.value)


def _compared(node: ast.Compare) -> Iterator[tuple[ast.expr, str, str]]:
    for place, operator in enumerate(node.ops):
        if (opposite := _OPPOSITES.get(type(operator))) is not None:
            other = copy.copy(node)
            other.ops = [*node.ops[:place], opposite(), *node.ops[place + 1 :]]
            yield node, "compare", f"({ast.unparse(other)})"


def _stated(node: ast.stmt) -> Iterator[tuple[ast.stmt, str, str]]:
    if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Await)):
        if not any(word in ast.unparse(node) for word in _SAYS):
            yield node, "drop call", "pass"
    elif isinstance(node, ast.Raise):
        yield node, "drop raise", "pass"
    elif isinstance(node, ast.AugAssign):
        yield node, "drop", "pass"
    elif isinstance(node, ast.Return) and node.value is not None:
        value = node.value
        if isinstance(value, (ast.Compare, ast.BoolOp)) or (
            isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
        ):
            yield node, "return", "return True"
            yield node, "return", "return False"
        elif not isinstance(value, ast.Constant):
            yield node, "return", "return None"


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run: no annotations, no decorators, no docstrings, no bodies for type checkers alone."""
    for child in _children(tree):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.If) and ("TYPE_CHECKING" in ast.unparse(child.test) or _only_says(child)):
            continue
        yield child
        yield from _code(child)


def _only_says(node: ast.If) -> bool:
    return not node.orelse and all(
        isinstance(each, ast.Expr) and any(word in ast.unparse(each) for word in _SAYS) for each in node.body
    )


def _children(node: ast.AST) -> Iterator[ast.AST]:
    skipped: list[ast.AST | None] = []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        skipped = [*node.decorator_list, node.returns]
    elif isinstance(node, ast.ClassDef):
        skipped = list(node.decorator_list)
    elif isinstance(node, (ast.AnnAssign, ast.arg)):
        skipped = [node.annotation]
    elif isinstance(node, ast.JoinedStr):
        return  # words
    for child in ast.iter_child_nodes(node):
        if not any(child is one for one in skipped):
            yield child


ROOT = Path(__file__).resolve().parents[2]
_TARGETS = Path(__file__).with_name("targets.toml")
_WAIVED = Path(__file__).with_name("waived.jsonl")


@dataclass(frozen=True, slots=True)
class Target:
    """A safety mechanism: the files that are changed, and tests (files or folders) of which one must fail."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


TARGETS = tuple(
    Target(name, tuple(one["files"]), tuple(f"tests/{test}" for test in one["tests"]))
    for name, one in tomllib.loads(_TARGETS.read_text("utf-8")).items()
)
WAIVED: dict[tuple[str, str], str] = {
    (one["in"], one["line"]): one["reason"] for one in map(json.loads, _WAIVED.read_text("utf-8").splitlines())
}
"""Changes that change nothing anybody could see, each with its reason.

A key is the file and the stripped source line, with " → " and the replacement where only one change of it is meant."""
