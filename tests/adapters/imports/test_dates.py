"""Dates of exports that cannot be true: the message comes in, its date does not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.imports.formats import Format, read_export
from adapters.imports.streaming import is_possible, read_moment
from bot.ports.transfer import LeftOut
from tests.adapters.imports.exports import Json, list_left_out, list_messages, telegram, write

IMPOSSIBLE: tuple[Json, ...] = (
    "253402300799", 253402300799, -62135596800, "-1", 0, 1e308, "1e400", "NaN", "Infinity", "yesterday",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2199-01-01T00:00:00", None, True, [], {},
)  # fmt: skip


@pytest.mark.parametrize("told", IMPOSSIBLE)
def test_a_message_with_an_impossible_date_takes_its_neighbours(tmp_path: Path, told: Json) -> None:
    """The one before it in the chat, or for the first ones the one behind; in a chat without any it is left out."""
    wrong = {"date_unixtime": told, "date": told}
    one = {
        "name": "A",
        "id": 1,
        "messages": [telegram(1, "first", **wrong), telegram(2, "x"), telegram(3, "y", **wrong)],
    }
    other = {"name": "B", "id": 2, "messages": [telegram(1, "alone", **wrong)]}
    file = write(tmp_path, {"chats": {"list": [one, other]}})
    found = list(read_export(file, Format.TELEGRAM, UTC))

    assert [each.text for each in list_messages(found)] == ["first", "x", "y"]
    assert {each.said_at for each in list_messages(found)} == {datetime(2026, 2, 7, 14, 30, tzinfo=UTC)}
    assert list_left_out(found) == [LeftOut.NO_DATE]


def test_dates_from_1970_to_tomorrow_are_taken() -> None:
    """In seconds, as numbers or texts, and as ISO 8601 in any zone."""
    now = datetime(2026, 2, 7, tzinfo=UTC)
    taken = {told: is_possible(read_moment(told), now) for told in (1.5, "1", now.timestamp(), "2026-02-07T23:59:59Z")}

    assert taken == dict.fromkeys(taken, True)
    assert read_moment("2026-02-08T01:00:00.1234567+02:00") == datetime(2026, 2, 7, 23, 0, 0, 123456, tzinfo=UTC)
    assert not is_possible(now + timedelta(days=2), now)
