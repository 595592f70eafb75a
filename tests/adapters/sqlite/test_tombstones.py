"""The list of what was erased, as a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adapters.sqlite.erasure.tombstones import Tombstone, append, lift, read
from bot.errors import StorageUnavailable
from bot.memory.scope import Scope
from tests.adapters.sqlite.test_faults import files_end_at

ONE, ALL = Tombstone(Scope("tu1"), ("e1", "e2")), Tombstone(Scope("tu2"), None, (7, 9, 3))


def test_what_was_written_is_read_in_order(tmp_path: Path) -> None:
    """Some exchanges, or a whole scope up to its numbers; each has a name of its own."""
    file = tmp_path / "tombstones.jsonl"
    before = read(file)
    append(file, ONE)
    append(file, ALL)

    assert before == ()
    assert read(file) == (ONE, ALL)
    assert ONE.uid != Tombstone(Scope("tu1"), ("e1", "e2")).uid


@pytest.mark.parametrize("torn", [b"{", b'{"uid": "x"', b"\n", b"\n\n"])
def test_a_line_cut_off_by_a_crash_costs_only_itself(tmp_path: Path, torn: bytes) -> None:
    """However short the rest of it is, the next one stands on a line of its own."""
    file = tmp_path / "tombstones.jsonl"
    file.write_bytes(torn)
    append(file, ONE)

    assert read(file) == (ONE,)
    assert file.read_bytes().endswith(b"\n")


def test_a_line_that_a_full_disk_takes_half_of_is_no_tombstone(tmp_path: Path) -> None:
    """The system writes a part and reports no error: nobody may erase then, and no torn line stays.

    Red where the count of what was written was not looked at.
    """
    file = tmp_path / "tombstones.jsonl"
    append(file, ONE)
    with files_end_at(file.stat().st_size + 20), pytest.raises(StorageUnavailable, match="nothing was erased"):
        append(file, ALL)

    assert read(file) == (ONE,)
    assert file.read_bytes().endswith(b"\n")


def test_a_whole_line_before_stays_as_it_is(tmp_path: Path) -> None:
    """No empty lines come between."""
    file = tmp_path / "tombstones.jsonl"
    for _ in range(3):
        append(file, ONE)

    assert b"\n\n" not in file.read_bytes()
    assert len(file.read_bytes().splitlines()) == 3


def test_the_file_is_its_owner_s_and_is_closed(tmp_path: Path) -> None:
    """Names of chats are nobody else's business, and a descriptor is not kept per erase."""
    file = tmp_path / "tombstones.jsonl"
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(20):
        append(file, ONE)

    assert file.stat().st_mode & 0o777 == 0o600
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_what_is_written_is_on_the_disk_before_anything_is_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line is flushed whole, that of an erase and that of one that was taken back; a second end is no line."""
    flushed: list[bytes] = []
    file, flush = tmp_path / "tombstones.jsonl", os.fsync

    def noted(descriptor: int) -> None:
        flush(descriptor)
        flushed.append(file.read_bytes())

    monkeypatch.setattr(os, "fsync", noted)
    append(file, ONE)
    after_one = file.read_bytes()
    lift(file, ONE.uid)

    assert flushed == [after_one, file.read_bytes()]
    assert len(flushed[1].splitlines()) == 2
    assert read(file) == ()


def test_a_list_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    """Nothing is erased without its tombstone, and nothing is answered while the list cannot be read."""
    with pytest.raises(StorageUnavailable, match="nothing was erased"):
        append(tmp_path, ONE)
    with pytest.raises(StorageUnavailable, match="cannot be read"):
        read(tmp_path)
