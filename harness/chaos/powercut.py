"""Power cuts without pulling a plug: what a killed process has written and not synced is taken away again.

A SIGKILL alone loses nothing that was written, because the kernel keeps its cache.  A small shim, preloaded into Mneme,
keeps a copy of every file as of its last fsync; after the kill the files are put back to these copies.
It is the worst case, in which nothing survives by luck; names (created, renamed and deleted files) survive.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_SOURCE = Path(__file__).with_name("powercut.c")


@dataclass(frozen=True, slots=True)
class PowerCut:
    """The files below ``data``, whose synced contents ``shadow`` holds, each under its inode's number."""

    data: Path
    shadow: Path
    library: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process has to be started with."""
        return {
            "LD_PRELOAD": str(self.library),
            "POWERCUT_ROOT": str(self.data.resolve()),
            "POWERCUT_SHADOW": str(self.shadow.resolve()),
        }

    def strike(self) -> int:
        """Take back what was not synced, and return how many bytes that were; no process may be running.

        SQLite's shared memory (-shm) is lost like everything else, but not counted: nobody ever syncs it.
        """
        taken = 0
        for path in (path for path in self.data.rglob("*") if path.is_file()):
            copy = self.shadow / str(path.stat().st_ino)
            kept = copy.read_bytes() if copy.exists() else b""
            written = path.read_bytes()
            if written != kept:
                changed = max(len(written) - len(kept), sum(a != b for a, b in zip(written, kept, strict=False)))
                taken += 0 if path.name.endswith("-shm") else changed
                path.write_bytes(kept)
            copy.write_bytes(kept)
        return taken


def power_cut(data: Path, scratch: Path) -> PowerCut:
    """Build the shim in a scratch folder and return the power cut for a data folder.

    Raises ``RuntimeError`` where there is no C compiler or no ``LD_PRELOAD``.
    """
    compiler = shutil.which("cc")
    if compiler is None or not Path("/proc/self/fd").exists():
        raise RuntimeError("power cuts need Linux and a C compiler (cc): install gcc, or leave the option out")
    shadow, library = scratch / "shadow", scratch / "powercut.so"
    shadow.mkdir(parents=True, exist_ok=True)
    data.mkdir(parents=True, exist_ok=True)
    command = (compiler, "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl")
    subprocess.run(command, check=True)  # noqa: S603 - our own source
    return PowerCut(data, shadow, library)
