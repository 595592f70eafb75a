"""Dead letters: what long-term memory gave up is listed with its reason and requeued by one command."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.compose.maintenance import run_dead_letters, run_reindex
from harness.application import run_console

SETTINGS = {"rag": {"url": "http://127.0.0.1:9"}}
REASON = "long-term memory could not process the document, twice"


async def test_dead_letters_are_listed_and_revived(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The list names document and reason; afterwards the document waits again, in a running Mneme too."""
    async with run_console(tmp_path, SETTINGS) as mneme:
        await mneme.say("My sister Vera lives in Porto, in a house by the river that she painted blue.")
        (row,) = await mneme.app.parts.outbox.due(mneme.app.parts.clock.now() + timedelta(hours=1), 10)
        await mneme.app.parts.outbox.bury(row.id, REASON)
        await run_dead_letters(mneme.app.parts.places, revive=False, as_json=True)
        (listed,) = json.loads(capsys.readouterr().out)
        await run_dead_letters(mneme.app.parts.places, revive=False, as_json=False)
        table = capsys.readouterr().out
        await run_dead_letters(mneme.app.parts.places, revive=True, as_json=False)
        counts = await mneme.app.parts.outbox.counts()

    assert (listed["source"], listed["reason"]) == (row.document.source, REASON)
    assert "--revive" in table
    assert (counts.waiting, counts.dead) == (1, 0)


async def test_indexing_again_takes_up_what_was_given_up(tmp_path: Path) -> None:
    """`mneme reindex` says everything: dead letters are part of it, and nothing is queued twice."""
    async with run_console(tmp_path, SETTINGS) as mneme:
        await mneme.say("My sister Vera lives in Porto, in a house by the river that she painted blue.")
        (row,) = await mneme.app.parts.outbox.due(mneme.app.parts.clock.now() + timedelta(hours=1), 10)
        await mneme.app.parts.outbox.bury(row.id, REASON)
        for _ in range(2):
            await run_reindex(mneme.app.parts.places)
        counts = await mneme.app.parts.outbox.counts()

    assert (counts.waiting, counts.dead) == (1, 0)
