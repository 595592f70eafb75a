"""``kill -9`` at every step of a turn: after the restart each message has one answer and one indexed document."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.processes import chat, count, documents, waiting
from tests.e2e.kill_at import POINTS

SAID = "My sister Vera lives in Porto and keeps bees."


@pytest.mark.server
@pytest.mark.parametrize("point", POINTS)
def test_a_kill_loses_and_doubles_nothing(point: str, tmp_path: Path) -> None:
    """One message, killed at the point, restarted: one exchange, one answer, one document.

    Killed before the journal's commit the message was never accepted: Telegram delivers it again (a terminal cannot;
    the test types it again).
    """
    before = chat(tmp_path, SAID, program=("tests.e2e.kill_at", point))
    again = (SAID,) if point == "journal.before" else ()
    after = chat(tmp_path, *again, "/new", "Where does my sister live?", settle=True)
    said = [answer for answer in before.answers + after.answers if "bees" in answer and "You told me" not in answer]

    assert (before.code, after.code) == (-9, 0)
    assert len(said) == 1
    assert len(before.answers) + len(after.answers) == 3
    assert "Porto" in after.answers[-1]
    assert count(tmp_path, "SELECT count(*) FROM exchanges WHERE user_text LIKE '%bees%'") == 1
    assert waiting(tmp_path) == 0
    assert len(documents(tmp_path)) == count(tmp_path, "SELECT count(*) FROM exchanges WHERE source <> ''")


@pytest.mark.server
def test_a_correction_that_was_cut_off_is_told_and_done_once(tmp_path: Path) -> None:
    """Killed between the edit and the turn's commit: run again, the turn says what it has done, and does it no more."""
    chat(tmp_path, "My plumber is Mr. Kovacs.")
    before = chat(tmp_path, "No, wait: Mr. Novak", program=("tests.e2e.kill_at", "commit.before"))
    after = chat(tmp_path, "Who is my plumber?", settle=True)

    assert before.code == -9
    assert [answer.count("Corrected") for answer in after.answers] == [1, 0]
    assert "Novak" in after.answers[-1]
    assert "Kovacs" not in after.answers[-1]
    assert count(tmp_path, "SELECT count(*) FROM items WHERE superseded_by IS NOT NULL") == 1
