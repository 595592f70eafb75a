"""A benchmark's options are what it takes, and its figures are told in one of two ways."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

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
