"""``kill -9`` at every step of a turn: after the restart each message has one answer and one indexed document."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from harness.fakes.lightrag import FakeLightRag
from harness.processes import Home, chat, count, documents, waiting
from tests.e2e.kill_at import POINTS

SAID = "My sister Vera lives in Porto and keeps bees."


@asynccontextmanager
async def _memory_server(folder: Path, *, real: bool) -> AsyncIterator[tuple[dict[str, str], Callable[[], list[str]]]]:
    """Yield the environment of who uses a real memory server, or a fake one, and what lists its documents."""
    if real:
        yield {}, lambda: documents(folder / "data")
        return
    async with FakeLightRag() as fake:
        home = Home(folder)
        home.configure({"rag": {"url": fake.url, "apiKey": "secret"}})
        yield (
            {"MNEME_PREFERENCES": str(home.preferences)},
            lambda: [each.source for tag in list(fake.workspaces) for each in fake.processed(tag)],
        )


@pytest.mark.server
@pytest.mark.parametrize("point", POINTS)
async def test_a_kill_loses_and_doubles_nothing(point: str, tmp_path: Path) -> None:
    """One message, killed at the point, restarted: one exchange, one answer, one document.

    Killed before the journal's commit the message was never accepted: Telegram delivers it again (a terminal cannot;
    the test types it again).  Killed around the indexing it is a real server that indexes.
    """
    data = tmp_path / "data"
    again = (SAID,) if point == "journal.before" else ()
    async with _memory_server(tmp_path, real=point.startswith("index")) as (environment, list_documents):
        talk = partial(chat, data, environment=environment)
        before = await asyncio.to_thread(lambda: talk(SAID, program=("tests.e2e.kill_at", point)))
        after = await asyncio.to_thread(lambda: talk(*again, "/new", "Where does my sister live?", settle=True))
        indexed = list_documents()
    said = [answer for answer in before.answers + after.answers if "bees" in answer and "You told me" not in answer]

    assert (before.code, after.code) == (-9, 0)
    assert len(said) == 1
    assert len(before.answers) + len(after.answers) == 3
    assert "Porto" in after.answers[-1]
    assert count(data, "SELECT count(*) FROM exchanges WHERE user_text LIKE '%bees%'") == 1
    assert waiting(data) == 0
    assert len(indexed) == len(set(indexed)) == count(data, "SELECT count(*) FROM exchanges WHERE source <> ''")


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
