"""A stored date that no calendar or zone can tell breaks no turn, no command and no page."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.archive.records import load_record
from adapters.page.gate import Visitor
from bot.ports.transfer import ArchivedTurn
from harness.application import NO_RAG, run_console
from harness.page import open_page

YEAR_1, YEAR_9999 = -62_135_596_800.0, 253_402_300_799.0
DATES = (
    (YEAR_1, 0),
    (YEAR_1 - 14 * 3600, 14 * 60),
    (YEAR_9999, 0),
    (YEAR_9999 + 12 * 3600, -12 * 60),
    (1e200, 0),
    (-1e200, 0),
    (1.5e9, 99_999),
)
"""Seconds and minutes of offset."""
FACTS = ("Vera", "Tom", "Ida", "Ben", "Eva", "Max", "Lea")
PAGES = ("timeline", "memories", "people", "search?q=Vera")


def test_a_date_of_an_export_that_no_zone_can_tell_is_not_taken() -> None:
    """An export of ours that somebody changed; its turn comes in (its name, which is in UTC, could not be made)."""
    fields = {"uid": "a", "session": 1, "author_id": 1, "author_name": "", "trust": "user", "text": "x", "answer": ""}
    more = {"parts": [], "answer_trust": "bot", "skill": "", "synthetic": False, "echo": False, "message_id": 0}
    for told in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "1601-01-01T00:00:00+00:00"):
        line = json.dumps({**fields, **more, "replaced_by": "", "chronicle": [], "said_at": told}).encode()

        assert load_record(ArchivedTurn, line).said_at == datetime(1970, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
async def test_a_stored_date_breaks_nothing_in_any_zone(tmp_path: Path, zone: str) -> None:
    """One row at the year 1 or 9999 used to hide a whole memory, and to end /memory (seen red without the bound)."""
    settings = {**NO_RAG, "timeZone": zone}
    async with run_console(tmp_path, settings) as chat:
        for name in FACTS:
            await chat.say(f"My friend {name} lives in Porto.")
        await chat.say("My sister Ada lives in Lisbon.")
    with closing(sqlite3.connect(tmp_path / "data" / "mneme.db")) as store, store:
        for number, (seconds, offset) in enumerate(DATES):
            row = {"seconds": seconds, "offset": offset, "name": f"%{FACTS[number]}%"}
            store.execute(
                "UPDATE exchanges SET said_at = :seconds, said_offset = :offset WHERE user_text LIKE :name", row
            )
            store.execute(
                "UPDATE items SET said_at = :seconds, said_offset = :offset, created_at = :seconds, "
                "updated_at = :seconds WHERE content LIKE :name",
                row,
            )
            store.execute("UPDATE mentions SET said_at = :seconds WHERE name LIKE :name", row)
    log = tmp_path / "log"
    async with run_console(tmp_path, settings, log=log) as chat, open_page(chat.app.parts) as page:
        chat.continue_numbers()
        answers = [await chat.say(f"Where does my friend {name} live?") for name in FACTS]
        sister = await chat.say("Where does my sister live?")
        others = [await chat.say(text) for text in ("/why", "/memory", "What did I tell you in May 2026?", "/new")]
        async with page.visit(Visitor(None)) as visitor:
            pages = {path: (await visitor.get(f"/m/cu42/{path}")).status_code for path in PAGES}

    assert all("Porto" in answer for answer in answers)
    assert "Lisbon" in sister
    assert not [answer for answer in others if "Sorry" in answer]
    assert pages == dict.fromkeys(PAGES, 200)
    assert "OverflowError" not in log.read_text()
    assert "ValueError" not in log.read_text()
