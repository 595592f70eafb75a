"""A benchmark's options are what it takes, and its figures are told in one of two ways."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.config.folders import PROJECT
from harness.options import Report, run


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is tried."""

    chats: int = 3
    share: float = 0.5


def measure(folder: Path, *, data: Path, names: tuple[str, ...] = ("a",), most: int | None = None) -> Report:
    """Tell what was given."""
    assert list(folder.iterdir()) == []
    return {"data": str(data), "names": list(names), "most": most, "rows": [{"one": 1}]}


async def follow(plan: Plan, folder: Path, *, quick: bool = False) -> Plan:
    """Tell the plan."""
    assert await asyncio.to_thread(folder.is_dir)
    return Plan(plan.chats, 0.0 if quick else plan.share)


def test_what_has_to_be_named_is_an_option(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With its type and its default, more than once where it takes several; a figure is a line without ``--json``."""
    monkeypatch.setattr(sys, "argv", ["x", "--data", "d", "--names", "b", "c", "--names", "d", "--most", "7"])
    report = run(measure, "About.")
    lines = capsys.readouterr().out.splitlines()
    monkeypatch.setattr(sys, "argv", ["x", "--json", "--data", "d"])
    usual = run(measure, "About.")

    assert report == {"data": "d", "names": ["b", "c", "d"], "most": 7, "rows": [{"one": 1}]}
    assert lines[:2] == ["data: d", "names:"]
    assert lines[-2:] == ["    1:", "        one: 1"]
    assert json.loads(capsys.readouterr().out) == usual == {**report, "names": ["a"], "most": None}


def test_a_plans_fields_are_options(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the work that the first word names; what is told may be a dataclass."""
    monkeypatch.setattr(sys, "argv", ["x", "follow", "--json", "--chats", "9", "--quick"])
    found = run({"measure": measure, "follow": follow}, "About.")

    assert found == Plan(9, 0.0)
    assert json.loads(capsys.readouterr().out) == {"chats": 9, "share": 0.0}


_LOADS_NUMPY = """
import numpy, os, harness.options
def measure():
    return {"threads": len(os.listdir("/proc/self/task"))}
if __name__ == "__main__":
    harness.options.run(measure, "About.")
"""


@pytest.mark.skipif(
    not Path("/proc/self/task").exists() or os.cpu_count() == 1,
    reason="threads are counted where Linux lists them, and one core has no second",
)
def test_what_loads_numpy_first_is_measured_with_one_thread_as_well(tmp_path: Path) -> None:
    """An operator's machine has none of the variables set that a test has."""
    (tmp_path / "loading.py").write_text(_LOADS_NUMPY, encoding="utf-8")
    others = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}

    told = subprocess.run(  # noqa: S603 - our own lines
        [sys.executable, str(tmp_path / "loading.py"), "--json"],
        env=others | {"PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        check=True,
    )

    assert json.loads(told.stdout) == {"threads": 1}
