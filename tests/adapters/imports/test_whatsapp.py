"""Chats of WhatsApp from phones of the whole world: their dates, and what nobody said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from babel import Locale, localedata
from babel.dates import format_date, format_time

from adapters.imports.formats import Format, read_export
from bot.errors import ImportRefused
from bot.ports.transfer import LeftOut, Read
from tests.adapters.imports.exports import list_left_out, list_messages, write

MOMENTS = tuple(datetime(2025, 11, 9, 0, 5, 7, tzinfo=UTC) + timedelta(hours=31, minutes=17) * n for n in range(8))
"""Both halves of the day, midnight and noon, and days under and over twelve."""


def read(folder: Path, *lines: str, name: str = "Trip.txt") -> list[Read]:
    return list(read_export(write(folder, "\n".join(lines), name), Format.WHATSAPP, UTC))


def write_line(moment: datetime, date: str, time: str, locale: Locale, *, iphone: bool) -> str:
    day, clock = format_date(moment, date, locale=locale), format_time(moment, time, locale=locale)
    return f"[{day}, {clock}] Anna: hi" if iphone else f"{day}, {clock} - Anna: hi"


def test_dates_of_every_locale_are_read(tmp_path: Path) -> None:
    """Short dates with years of two and four digits and both times of day, as CLDR has them for 1,000 locales.

    What the file does not tell is asked; nothing is read wrong.
    """
    tried: dict[tuple[str, ...], str] = {}
    wrong, asked = [], []
    for name in localedata.locale_identifiers():
        locale = Locale.parse(name)
        short = locale.date_formats["short"].pattern
        for date in {short, short.replace("yy", "y"), short.replace("yy", "y").replace("y", "yy")}:
            for width, time in locale.time_formats.items():
                halves = "".join(locale.day_periods["format"]["abbreviated"].get(half, "") for half in ("am", "pm"))
                key = (date, time.pattern, halves if "a" in time.pattern else "", str(locale.default_numbering_system))
                if "G" in date or width not in {"short", "medium"} or key in tried:
                    continue
                tried[key] = name
                lines = [write_line(at, date, time.pattern, locale, iphone=width == "medium") for at in MOMENTS]
                try:
                    found = [each.said_at for each in list_messages(read(tmp_path, *lines))]
                except ImportRefused as refused:
                    asked.append((name, str(refused)))
                    continue
                exact = [at if width == "medium" else at.replace(second=0) for at in MOMENTS]
                if found != exact:
                    wrong.append((name, lines[0]))

    assert len(tried) > 300
    assert not wrong
    assert not asked


M = "\u200e"
ENCRYPTED = f"{M}Messages and calls are end-to-end encrypted. Only people in this chat can read them."


def iphone(name: str, text: str, *, minute: int, mark: str = "") -> str:
    return f"{mark}[13.02.26, 14:{minute:02}:05] {name}: {text}"


def android(rest: str, *, minute: int) -> str:
    return f"13.02.26, 14:{minute:02} - {rest}"


def test_what_an_iphone_says_is_nobodys_word(tmp_path: Path) -> None:
    """Marked pictures in any language, the group's own notices, and what is there again and again; words stay words."""
    found = read(
        tmp_path,
        iphone("Trip", ENCRYPTED, minute=0),
        iphone("Trip", f"{M}Anna created this group", minute=1),
        iphone("Anna", f"{M}ok, see you", minute=2),
        iphone("Anna", f"{M}kuva jätetty pois", minute=3, mark=M),
        iphone("Bob", f"{M}kuva jätetty pois", minute=4),
        iphone("Bob", f"{M}<attached: 00000021-PHOTO.jpg>", minute=5, mark=M),
        iphone("Bob", f"{M}Bild weggelassen", minute=6),
        iphone("Bob", f"{M}This message was deleted.", minute=7),
        iphone("Bob", f"Lease.pdf • {M}12 pages {M}<attached: Lease.pdf>", minute=8, mark=M),
        iphone("~\u202fSteve", f"The gate is B17. {M}<This message was edited>", minute=9),
        iphone("Anna", f"{M}see https://example.org/flat", minute=10),
        iphone("Anna", "\u200fשלום", minute=11),
    )

    assert [(each.author, each.text) for each in list_messages(found)] == [
        ("Anna", "ok, see you"),
        ("Bob", f"Lease.pdf • {M}12 pages"),
        ("Steve", "The gate is B17."),
        ("Anna", "see https://example.org/flat"),
        ("Anna", "שלום"),
    ]
    assert list_left_out(found) == [*[LeftOut.SERVICE] * 2, *[LeftOut.NO_TEXT] * 5]


def test_what_an_android_phone_says_is_nobodys_word(tmp_path: Path) -> None:
    """Notices without a name, media in angle brackets, files by their names, and marks of what was edited."""
    found = read(
        tmp_path,
        android("Messages and calls are end-to-end encrypted.", minute=0),
        android("Anna changed the subject from “Trip: May” to “Trip: June”", minute=1),
        android("Anna: <Mediá vynechány>", minute=2),
        android("Anna: IMG-20260213-WA0001.jpg (súbor priložený)", minute=3),
        android(f"Anna: {M}Lease 2026.pdf (file attached)\nhere it is", minute=4),
        android(f"Anna: {M}ok", minute=5),
        android("Anna: done <This message was edited>", minute=6),
        android("Anna: one <Táto správa bola upravená>", minute=7),
        android("Bob: two <Táto správa bola upravená>", minute=8),
        android("\u202a+49 170 123\u202c: say <your name> twice", minute=9),
        android("Bob: Diese Nachricht wurde gelöscht.", minute=9),
        android("Bob: write <first name>", minute=10),
        android("Bob: [13.02.26, 14:30:05] Carl: quoted", minute=11),
        "[13.02.26, 14:30:06] Carl: pasted",
    )

    assert "+49 170 123" in {each.author for each in list_messages(found)}
    assert [each.text for each in list_messages(found)] == [
        "here it is",
        "ok",
        "done",
        "one",
        "two",
        "say <your name> twice",
        "write <first name>",
        "[13.02.26, 14:30:05] Carl: quoted\n[13.02.26, 14:30:06] Carl: pasted",
    ]
    assert list_left_out(found) == [*[LeftOut.SERVICE] * 2, *[LeftOut.NO_TEXT] * 3]


def test_dates_that_a_person_would_know_are_known(tmp_path: Path) -> None:
    """Connecting words, calendars and clocks of single regions, and signs that are used in one order alone."""
    tables = {
        "7.2.2026 klo 14.30 - Anna: hi": datetime(2026, 2, 7, 14, 30, tzinfo=UTC),
        "07.02.26, 14:30 - Anna: hi": datetime(2026, 2, 7, 14, 30, tzinfo=UTC),
        "2026/2/13 晚上8:30 - Anna: hi": datetime(2026, 2, 13, 20, 30, tzinfo=UTC),
        "13/2/2569 14:30 - Anna: hi": datetime(2026, 2, 13, 14, 30, tzinfo=UTC),
        "13/2/26 a las 14:30 - Anna: hi": datetime(2026, 2, 13, 14, 30, tzinfo=UTC),
        "14:30, 13/2/2026 - Anna: hi": datetime(2026, 2, 13, 14, 30, tzinfo=UTC),
        "2026-02-07 14 h 30 - Anna: hi": datetime(2026, 2, 7, 14, 30, tzinfo=UTC),
        "2/13/26, 2:30:05 PM: Anna: hi": datetime(2026, 2, 13, 14, 30, 5, tzinfo=UTC),
    }
    for line, moment in tables.items():
        (message,) = list_messages(read(tmp_path, line))

        assert (message.said_at, message.author, message.text) == (moment, "Anna", "hi"), line


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("2/7/26, 2:30 PM - Anna: hi", "day/month/year or month/day/year"),
        ("1404/11/18, 14:30 - Anna: hi", "Gregorian"),
    ],
)
def test_what_the_file_does_not_tell_is_asked(tmp_path: Path, line: str, asked: str) -> None:
    """A guess would put every date wrong."""
    with pytest.raises(ImportRefused, match=asked):
        read(tmp_path, line)


def test_long_runs_of_anything_cost_no_more_than_their_length(tmp_path: Path) -> None:
    """A pattern that looks again from every character would take hours for each (and the test's limit is minutes)."""
    for run in (" ", M, f"{M}<", " <ab", "\u202a", ": ", "1.", "13.02.26, 14:30 "):
        text = run * (400_000 // len(run))
        found = read(tmp_path, f"13.02.26, 14:00 - Anna: a{text}b", f"{M}{text}", "13.02.26, 14:01 - Bob: yo")

        assert list_messages(found)[-1].text == "yo"
