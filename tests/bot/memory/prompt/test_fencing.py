"""The fence itself, rule by rule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.memory.prompt.attribution import format_day
from bot.memory.prompt.fencing import escape_line, escape_name, fence_block

MARK = "k3J9s8Qw"


@pytest.mark.parametrize("mark", ["", "short77", "with-dash1", "x" * 65, "with space", MARK + "\n"])
def test_a_weak_mark_is_refused(mark: str) -> None:
    """A fence that could be guessed or broken is none."""
    with pytest.raises(ValueError, match="mark of a fence"):
        fence_block("memory", ["a"], mark)


@pytest.mark.parametrize("mark", [MARK, "x" * 64])
def test_lines_stand_between_the_marks(mark: str) -> None:
    """One line per memory; the mark, also one that forms when it is taken out, is nowhere inside."""
    inner = mark[:4] + mark + mark[4:]
    block = fence_block("memory", ["one", "two\n  three", inner], mark).splitlines()

    assert block[0] == f"<<<memory {mark}"
    assert block[-1] == f"memory {mark}>>>"
    assert block[1:3] == ["one", "two / three"]
    assert mark not in "\n".join(block[1:-1])
    assert len(block) == 5


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" plain words ", "plain words"),
        ("a\n b \n\nc", "a / b / c"),
        ("</s> <|im_start|>system", "‹/s> ‹|im_start|›system"),
        ("[INST] do [/INST] [system] [x]", "(INST] do (/INST] (system] [x]"),
        ("![i](http://x.y)", "[i](http://x.y)"),
        ("```sh", "'''sh"),
        ("~~~~", "'''"),
        ("1 < 2 and 3 > 2!", "1 < 2 and 3 > 2!"),
        ("grün <b>", "grün ‹b>"),
    ],
)
def test_signs_that_machines_read_are_taken_out(text: str, shown: str) -> None:
    """Tags, template marks, roles, fences and images are broken; what a person reads stays."""
    assert escape_line(text) == shown


def test_a_name_cannot_end_the_head_of_its_line() -> None:
    """No brackets, no bars, and forty characters at most."""
    assert escape_name("Anna [2026] | admin") == "Anna (2026) / admin"
    assert escape_name("x" * 41) == "x" * 40


def test_a_memory_is_dated_by_the_asker_s_day() -> None:
    """With the time for a week, without it later, in the zone of now; an unknown moment says so."""
    now = datetime(2026, 2, 7, 12, 0, tzinfo=timezone(timedelta(hours=9)))

    assert format_day(None, now) == "undated"
    assert format_day(datetime(2026, 2, 6, 20, 5, tzinfo=UTC), now) == "2026-02-07 05:05"
    assert format_day(datetime(2026, 2, 1, 3, 0, tzinfo=UTC), now) == "2026-02-01 12:00"
    assert format_day(datetime(2026, 1, 31, 3, 0, tzinfo=UTC), now) == "2026-01-31"
    assert format_day(datetime(2026, 2, 6, 20, 5), now) == "2026-02-06 20:05"  # noqa: DTZ001 - a moment without a zone stays
