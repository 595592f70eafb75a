"""What is left out of a clone and of the image, and that what is left still works."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import rapidfuzz

from prune import link_same, prune


@pytest.mark.skipif(sys.platform != "linux", reason="shared objects are of another kind")
def test_what_is_cut_is_smaller_and_still_loaded(tmp_path: Path) -> None:
    """A package keeps what it is imported for, without what is listed; the object that others link to stays whole."""
    package, copied = Path(rapidfuzz.__file__).parent, tmp_path / "rapidfuzz"
    shutil.copytree(package, copied)
    (unused := copied / "fuzz_cpp.cpython-311-x86_64-linux-gnu.so").write_bytes(b"")
    (fake := copied / "text.so").write_bytes(b"\x7fELF is written here")
    (own := copied / "utils_cpp.so").write_bytes(next(copied.glob("utils_cpp*.so")).read_bytes() + b"names of symbols")
    (linked := tmp_path / "kept").hardlink_to(own)
    whole = own.stat().st_size

    prune(tmp_path)

    code = "from rapidfuzz.distance import OSA; print(OSA.distance.__module__, OSA.distance('Vera', 'Vrea'))"
    run = [sys.executable, "-c", code]
    loaded = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert loaded.stdout.split() == ["rapidfuzz.distance.metrics_cpp", "1"]
    assert not unused.exists()
    assert fake.read_bytes() == b"\x7fELF is written here"
    assert own.stat().st_size < whole == linked.stat().st_size


def test_what_lies_there_twice_is_read_under_both_names(tmp_path: Path) -> None:
    """A zone that is the same as another one is a link to it, also from a folder below; others are left."""
    texts = {"Berlin": "+1", "Europe/Berlin": "+1", "Europe/Moscow": "+3", "UTC": "+0"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    link_same(tmp_path)

    assert {name: (tmp_path / name).read_text() for name in texts} == texts
    assert [name for name in texts if (tmp_path / name).is_symlink()] == ["Europe/Berlin"]
