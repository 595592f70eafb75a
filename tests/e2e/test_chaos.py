"""A small storm of every kind; the large ones are ``python -m benchmarks.chaos``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.chaos.storm import Weather, storm


@pytest.mark.parametrize(
    "weather",
    [
        Weather(kills=2, seed=12, model=True, drops=0.3),
        Weather(kills=2, seed=13, gentle=True),
    ],
    ids=["killed-while-streaming", "stopped"],
)
async def test_a_storm_loses_and_doubles_nothing(weather: Weather, tmp_path: Path) -> None:
    """Processes end at random moments of a conversation: every message one answer, one exchange, one document.

    Without the wordless first frame of a streamed answer 7 of 30 answers stood there twice (seed 12, drops 0.3).
    """
    figures = await storm(weather, tmp_path)

    assert figures.messages > 0
    assert figures.faults == 0, asdict(figures)
