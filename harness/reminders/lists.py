"""Judges the reader of times by a list of sentences: right, asked about, or wrong without a word.

A list has one JSON object a line: ``lang``, ``class`` ("oneoff" or "repetition"), ``now`` (ISO 8601 with its offset),
``zone`` (IANA), ``text`` and ``expect``.  What is expected has a ``kind``: "once" with ``at`` (local) or ``day``,
"repeat" with ``first`` or ``first_day``, the ``next`` ones and ``ends`` (``until``, ``count`` or nothing), or "ask".
``also`` in it lists other answers that are right as well.  ``times.jsonl`` was written, half by half, by people who had
not seen the rules.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.ports.when import Plan, WhenReader, find_next, localise

WRITTEN: Final = Path(__file__).with_name("times.jsonl")
_MOST: Final = 400

Json = Mapping[str, Any]  # Any: a line of a list


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence and what came of it: "right", "asked" or "wrong"."""

    language: str
    kind: str
    text: str
    outcome: str


def judge_list(reader: WhenReader, path: Path) -> tuple[Verdict, ...]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return tuple(Verdict(row["lang"], row["class"], row["text"], _judge(reader, row)) for row in rows)


def count_verdicts(verdicts: tuple[Verdict, ...]) -> dict[str, dict[str, float]]:
    """Return the share of each outcome in percent, by language and kind."""
    groups = sorted({f"{one.language} {one.kind}" for one in verdicts})
    shares: dict[str, dict[str, float]] = {}
    for group in groups:
        found = Counter(one.outcome for one in verdicts if f"{one.language} {one.kind}" == group)
        whole = sum(found.values())
        shares[group] = {name: round(100 * found[name] / whole, 1) for name in ("right", "asked", "wrong")}
    return shares


def _judge(reader: WhenReader, row: Json) -> str:
    now = datetime.fromisoformat(row["now"]).astimezone(ZoneInfo(row["zone"]))
    plan = reader.read(row["text"], now, (row["lang"],)).plan
    expected: list[Json] = [row["expect"], *(row["expect"].get("also") or ())]
    if plan is None:
        return "right" if row["expect"].get("kind") == "ask" else "asked"
    return "right" if any(_matches(one, plan, row["zone"], now) for one in expected) else "wrong"


def _matches(expected: Json, plan: Plan, zone: str, now: datetime) -> bool:
    kind = expected.get("kind")
    if kind not in ("once", "repeat") or (plan.repetition is not None) != (kind == "repeat"):
        return False
    wanted = [expected[name] for name in ("at", "day", "first", "first_day") if name in expected]
    wanted += expected.get("next") or expected.get("next_days") or ()
    found = [at for _, at in zip(wanted, _list_times(plan, zone, now), strict=False)]
    if len(found) != len(wanted) or not all(map(_is_same, wanted, found)):
        return False
    return kind == "once" or _ends_alike(expected.get("ends"), plan, zone, now)


def _is_same(wanted: str, found: datetime) -> bool:
    if len(wanted) == len("2026-01-01"):
        return found.date().isoformat() == wanted
    return abs(found - datetime.fromisoformat(wanted)).total_seconds() < 60


def _ends_alike(ends: Json | None, plan: Plan, zone: str, now: datetime) -> bool:
    repetition = plan.repetition
    if repetition is None or ends is None:
        return repetition is not None and repetition.until is None and repetition.times is None
    if repetition.until is None and repetition.times is None:
        return False
    if ends.get("count") and repetition.times == ends["count"]:
        return True
    until = ends.get("until")
    if until is None:
        return False
    last = [at.date() for _, at in zip(range(_MOST), _list_times(plan, zone, now), strict=False)][-1]
    return date.fromisoformat(until[:10]) in (last, repetition.until)


def _list_times(plan: Plan, zone: str, now: datetime) -> Iterator[datetime]:
    """Yield the local times of a plan as the store would tell them."""
    passed = plan.local - now.replace(tzinfo=None)
    at = now.astimezone(UTC) + passed if plan.passes else localise(plan.local, zone)
    start = at.astimezone(UTC).replace(tzinfo=None) if plan.repetition and plan.repetition.passes else plan.local
    yield at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    while plan.repetition is not None and (found := find_next(plan.repetition, start, zone, at)) is not None:
        at = found[0]
        yield at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
