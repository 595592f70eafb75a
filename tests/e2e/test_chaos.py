"""A small storm of every kind; the large ones are ``python -m benchmarks.chaos``."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from harness.chaos.figures import Facts
from harness.chaos.storm import Weather, storm


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database holds: messages, sources of their documents, and how many replies have an unknown fate."""

    said: list[str]
    sources: set[str]
    unknown: int


def stored(file: Path) -> Stored:
    """Read the database as it lies there."""
    with closing(sqlite3.connect(file, timeout=10)) as connection:
        rows = connection.execute("SELECT user_text, source FROM exchanges").fetchall()
        (unknown,) = connection.execute("SELECT count(*) FROM deliveries WHERE state = 3").fetchone()
    return Stored([text for text, _ in rows], {source for _, source in rows if source}, unknown)


_NO_CUTS = shutil.which("cc") is None or not sys.platform.startswith("linux")
_WHY = "power cuts need Linux and a C compiler (cc)"


@pytest.mark.parametrize(
    "weather",
    [
        Weather(kills=2, seed=12, per_life=8, model=True, drops=0.3, long=True),
        Weather(kills=1, seed=13, per_life=8, gentle=True),
        pytest.param(Weather(kills=1, seed=4, life_s=4.0, power=True), marks=pytest.mark.skipif(_NO_CUTS, reason=_WHY)),
    ],
    ids=["killed-while-streaming", "stopped", "power-cut"],
)
async def test_a_storm_loses_and_doubles_nothing(weather: Weather, tmp_path: Path) -> None:
    """Processes end at random moments of a conversation: every message one answer, one exchange, one document.

    What nobody knows to have arrived is offered to its chat, and shown when "Show again" is pressed.
    With a lost first frame followed by its whole answer 7 of 30 answers stood there twice (seed 12, drops 0.3).
    With ``synchronous = OFF`` 4 power cuts lost 22 of 60 answers (seed 4).
    """
    kept: list[Facts] = []
    figures = await storm(weather, tmp_path, record=kept.append)
    facts, told = kept[0], asdict(figures)
    database = stored(tmp_path / "data" / "mneme.db")
    answers = {said: [n for n, (_, shown) in enumerate(facts.shown) if said[1:] in shown] for _, said in facts.said}
    silent = [said for said, places in answers.items() if not places]
    sources = Counter(source for _, source, _ in facts.documents)

    assert facts.said
    assert len(silent) <= database.unknown, told
    assert all(facts.shown[n][0] == who for who, said in facts.said for n in answers[said]), told
    assert [said for said, places in answers.items() if len(places) > 1] == [], told
    assert sorted(database.said) == sorted(said for _, said in facts.said), told
    assert set(sources.values()) == {1}
    assert sources.keys() == database.sources, told
    for user in weather.users:
        places = [answers[said][0] for who, said in facts.said if who == user and answers[said]]
        assert places == sorted(places), told
    texts = [text for _, text in facts.files]
    assert bool(texts) is weather.long
    assert len(set(texts)) == len(texts), told
    assert (figures.files_torn, figures.files_left) == (0, 0), told
    assert figures.bad_ends == 0
    assert (figures.lost, figures.not_offered, figures.orphans) == (0, 0, 0), told
    assert figures.shown_again == figures.unanswered, told
