"""The fence itself, rule by rule."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.prompt.rendering import format_day
from bot.memory.sanitise import escape_line, escape_name, fence_block, hold_back_mark, make_mark, remove_mark
from tests.cases import each_row

MARK = "k3J9s8Qw"


_WRITTEN = (
    *(
        f"{MARK[:3]}{between}{MARK[3:]}"
        for between in ("`", "**", "__", "||", "\\", "\x01", "\x7f", "<b>", "</i><i>", "<!-- x -->")
    ),
    *(
        f"{MARK[:3]}{between}{MARK[3:]}"
        for between in ("](http://x.org/a(b))[", "&shy;", "&#8203;", "&#x200B;", "&zwnj;")
    ),
    f"{MARK[:3]}`{MARK[3:]}`",
    f"{MARK[:3]}\\`{MARK[3:]}\\`",
    f"[{MARK[:3]}](http://x.org 'title'){MARK[3:]}",
    f"[{MARK[:3]}](http://x.org)[{MARK[3:]}](http://y.org)",
    f"[{MARK[:3]}][1]*{MARK[3:]}*",
    f'<a href="http://x.org/?q={MARK}">x</a>',
    f"![x](http://x.org/?q={MARK[:3]}%{ord(MARK[3]):x}{MARK[4:]})",
    "".join(f"&#{ord(letter)};" for letter in MARK),
    "".join(f"&#x{ord(letter):X};" for letter in MARK),
    f"{MARK[:3]}&#{ord(MARK[3])}{MARK[4:]}",
    "".join(f"*{letter}*" for letter in MARK),
)
"""What Markdown or HTML shows as the mark, or sends away with it."""


def _read(text: str) -> str:
    """Return what is read of Markdown and HTML, by other means than those of the code: all that may hold the mark."""
    text = html.unescape(unquote(text)).lower()
    return text if MARK.lower() in text else re.sub(r"[^\w…]|_", "", re.sub(r"<[^<>]*>|\]\(.*?\)+|\]\[.*?\]", "", text))


@each_row("mark", ["", "short77", "with-dash1", "x" * 65, "with space", MARK + "\n"])
def test_a_weak_mark_is_refused(mark: str) -> None:
    """A fence that could be guessed or broken is none."""
    with pytest.raises(ValueError, match="mark of a fence"):
        fence_block("memory", ["a"], mark)


@each_row("mark", [MARK, "x" * 64])
def test_lines_stand_between_the_marks(mark: str) -> None:
    """One line per memory; the mark, also one that forms when it is taken out, is nowhere inside."""
    inner = mark[:4] + mark + mark[4:]
    block = fence_block("memory", ["one", "two\n  three", inner], mark).splitlines()

    assert block[0] == f"<<<memory {mark}"
    assert block[-1] == f"memory {mark}>>>"
    assert block[1:3] == ["one", "two / three"]
    assert mark not in "\n".join(block[1:-1])
    assert len(block) == 5


@each_row(
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


def test_a_mark_follows_from_key_and_names_alone() -> None:
    """The same for a session while the process lives, another for every other session and key; it can be a fence's."""
    marks = [
        make_mark(key, *names) for key in (b"k" * 32, b"l" * 32) for names in (("tu1", 1), ("tu1", 2), ("tu11", ""))
    ]

    assert len(set(marks)) == len(marks)
    assert make_mark(b"k" * 32, "tu1", 1) == marks[0]
    assert all(re.fullmatch("[a-z]{12}", mark) for mark in marks)
    assert fence_block("memory", ["x"], marks[0]).count(marks[0]) == 2


@each_row(
    "spelt",
    [
        MARK,
        MARK.upper(),
        f"{MARK[:3]}\u200b{MARK[3:]}",
        f"{MARK[:1]}\u2060\u00ad{MARK[1:]}",
        f"{MARK[:4]}{MARK}{MARK[4:]}",
        *_WRITTEN,
    ],
)
def test_a_mark_is_taken_out_however_it_is_spelt(spelt: str) -> None:
    """In capitals, with signs inside that are not shown, and within another one; what stands around it stays."""
    shown = remove_mark(f"grün {spelt} <b>", MARK)
    frames = [hold_back_mark(f"grün {spelt}"[:end], MARK) for end in range(len(f"grün {spelt}") + 1)]

    assert "…" in shown
    assert MARK.lower() not in shown.translate({0x200B: None, 0x2060: None, 0xAD: None}).lower()
    assert shown.startswith("grün ")
    assert shown.endswith(" <b>")
    assert MARK in spelt[1:] or not [
        frame for frame in frames if _read(frame).endswith(tuple(MARK[:size].lower() for size in range(2, 9)))
    ]
    assert MARK.lower() not in _read(shown)
    assert remove_mark(f"x {MARK[:-1]} y", MARK) == f"x {MARK[:-1]} y"
    assert remove_mark(spelt, "") == spelt


@given(st.text(max_size=30), st.integers(min_value=1, max_value=len(MARK) - 1))
def test_no_frame_of_a_growing_answer_shows_the_beginning_of_a_mark(before: str, size: int) -> None:
    """What may become the mark waits; once it is something else, it is shown, unless markup that is begun hides it."""
    assert before.startswith(hold_back_mark(f"{before}{MARK[:size]}", MARK))
    assert f"{before}….".startswith(hold_back_mark(f"{before}{MARK}.", MARK))
    if not set(before) & set("<[]&%"):
        assert hold_back_mark(f"{before}{MARK}.", MARK) == f"{before}…."
        assert hold_back_mark(f"{before}{MARK[:5]}.", MARK).endswith(".")


@each_row("hidden", [1, 3, 40])
def test_a_mark_that_begins_with_hidden_letters_inside_waits_too(hidden: int) -> None:
    """However many there are.  Red while only four times the mark's length was looked at: most of it was shown."""
    begun = ("\u200b" * hidden).join(MARK[:-1])

    assert hold_back_mark(f"Vera: {begun}", MARK) == "Vera: "
    assert hold_back_mark(f"Vera: {begun}{chr(0x200B) * hidden}", MARK) == "Vera: "
    assert hold_back_mark(f"Vera: {begun}{chr(0x200B) * hidden}{MARK[-1]}!", MARK) == "Vera: …!"
