"""Keeps what was measured of whole conversations in a file, so that a run that was cut off goes on behind them.

A line of the file is one conversation; a line that was cut off while it was written is measured again.  What was
measured by other code, or on another machine, is not told apart: a file is for one state of both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from harness.prompt.figures import Aside, Asked, Record, Sight
from harness.prompt.measuring import Plan

Json = Any  # a record as it stands in the file


class KeptRecords:
    """Records of one data file and plan, kept in ``file``; ``None`` keeps nothing."""

    def __init__(self, file: Path | None, data: Path, plan: Plan) -> None:
        self._file = file
        self._key = hashlib.sha256(data.read_bytes() + json.dumps(asdict(plan), sort_keys=True).encode()).hexdigest()
        self._found = {record.name: record for record in self._read()}

    def find(self, name: str) -> Record | None:
        """Return what was measured of a conversation, ``None`` when that is not all."""
        return self._found.get(name)

    def add(self, record: Record) -> None:
        """Keep a conversation that was measured to its end."""
        if self._file is not None:
            line = json.dumps({"key": self._key, "record": asdict(record)}, ensure_ascii=False)
            with self._file.open("a", encoding="utf-8") as out:
                out.write(f"\n{line}\n")

    def _read(self) -> Iterator[Record]:
        if self._file is None or not self._file.exists():
            return
        for line in self._file.read_text(encoding="utf-8").splitlines():
            try:
                kept = json.loads(line) if line else {}
            except ValueError:  # cut off while it was written
                continue
            if kept.get("key") == self._key:
                yield _load(kept["record"])


def _load(kept: Json) -> Record:
    return Record(
        kept["name"],
        turns=[_sight(each) for each in kept["turns"]],
        questions=[Asked(**{**each, "sight": _sight(each["sight"])}) for each in kept["questions"]],
        unrelated=[_sight(each) for each in kept["unrelated"]],
        asides=[Aside(**each) for each in kept["asides"]],
        silent=kept["silent"],
    )


def _sight(kept: Json) -> Sight:
    return Sight(**{**{each.name: kept[each.name] for each in fields(Sight)}, "shown": tuple(kept["shown"])})
