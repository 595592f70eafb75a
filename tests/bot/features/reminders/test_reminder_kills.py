"""``kill -9`` in the second in which a reminder is due: it is said once, or offered where nobody can know."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.processes import chat, count
from tests.bot.features.reminders.kill_reminder import POINTS

ASKED = "remind me in 3 seconds to feed the bees"


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_at_the_second_of_firing_says_it_once(point: str, tmp_path: Path) -> None:
    """Before the transaction it is still due, after it its message is planned: either way the restart says it.

    Killed between the mark and the message nobody knows whether it arrived, and it is not said again; killed after the
    message it was said.
    """
    settings = tmp_path / "preferences"
    settings.mkdir()
    (settings / "runtime-config.json").write_text('{"rag": {"enabled": false}}', encoding="utf-8")
    before = chat(tmp_path, ASKED, program=("tests.bot.features.reminders.kill_reminder", point))
    after = chat(tmp_path, "hello", "/reminders")
    said = [answer for answer in (*before.answers, *after.answers) if "⏰ feed the bees" in answer]
    unknown = count(tmp_path, "SELECT count(*) FROM deliveries WHERE state = 3")

    assert (before.code, after.code) == (-9, 0)
    assert len(said) == (0 if point == "attempt.after" else 1)
    assert unknown == (1 if point in ("attempt.after", "send.after") else 0)
    assert "There are no reminders." in after.answers[-1]
