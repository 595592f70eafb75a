"""Takes out of an environment what is never loaded: ``python prune.py SITE-PACKAGES``.

That is what ``requirements-unused.txt`` names (ONNX Runtime for programs in C and to make models smaller, tests,
headers, every locale of the world, XML as objects, likenesses of words that are not asked for, what a package is built
with, pip's byte code), of shared objects what only debuggers and linkers read, and what lies there twice.
"""

import os
import struct
import sys
from pathlib import Path
from shutil import rmtree

_ELF = b"\x7fELF\x02\x01"
"""How a shared object of 64 bits, little-endian, begins."""


def prune(site: Path) -> None:
    """Leave out what is not loaded of the packages in a folder."""
    for pattern in Path(__file__).with_name("requirements-unused.txt").read_text("utf-8").split():
        for path in [*site.glob(pattern)]:
            rmtree(path) if path.is_dir() else path.unlink()
    for path in site.rglob("*.so*"):
        cut_sections(path)
    for folder in ("tzdata/zoneinfo", "tld/res"):
        link_same(site / folder)


def link_same(folder: Path) -> None:
    """Let of files that hold the same one stay, and the others point to it."""
    kept: dict[bytes, Path] = {}
    for path in sorted(each for each in folder.rglob("*") if each.is_file() and not each.is_symlink()):
        if (first := kept.setdefault(path.read_bytes(), path)) != path:
            path.unlink()
            path.symlink_to(os.path.relpath(first, path.parent))


def cut_sections(path: Path) -> None:
    """Leave out of a shared object what lies behind its segments, as they are all that a loader looks at.

    What is no such object is left alone, and what others link to stays theirs (elf(5)).
    """
    whole = path.read_bytes()
    if not whole.startswith(_ELF):
        return
    (table,) = struct.unpack_from("<Q", whole, 32)
    size, count = struct.unpack_from("<HH", whole, 54)
    ends = (sum(struct.unpack_from("<8xQ16xQ", whole, table + size * place)) for place in range(count))
    kept = bytearray(whole[: max(table + size * count, *ends)])
    struct.pack_into("<Q", kept, 40, 0)  # where the table of sections is, how many, and which has their names
    struct.pack_into("<HH", kept, 60, 0, 0)
    made = path.with_name(f"{path.name}.new")
    made.write_bytes(kept)
    made.chmod(path.stat().st_mode)
    made.replace(path)


if __name__ == "__main__":
    prune(Path(sys.argv[1]))
