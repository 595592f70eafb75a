"""The code that keeps people's data safe, the tests that guard it, and changes that no test can notice."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

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
