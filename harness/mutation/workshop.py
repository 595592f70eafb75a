"""Tries mutants in a copy of the tree, never in place."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.mutation.mutants import ROOT, Mutant, Target

_ZYGOTE = Path(__file__).with_name("zygote.py")
_IMPORTED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""The plug-ins are imported before pytest could look at their asserts, which are not ours anyway."""
_NO_TESTS = 5
_PATIENCE = 4.0
_LEAST_S = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the tests: ``killed`` if one failed (or none ended in time), ``failed`` what pytest says of it."""

    killed: bool
    seconds: float
    failed: str = ""


class Workshop:
    """A copy of the tree in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._said = folder.with_name("said.txt")
        self._zygote: subprocess.Popen[str] | None = None
        for name in _kept_files():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)

    def untouched(self, target: Target) -> Outcome:
        """Run a target's tests as they are: raise ``RuntimeError``, which names the test, if they fail twice."""
        for _ in range(2):
            outcome = self._tested(target, limit_s=3600.0)
            if not outcome.killed:
                return outcome
            sys.stderr.write(f"{target.name}: fails without any change: {outcome.failed}\n")
        raise RuntimeError(f"{target.name}: its tests fail without any change: {outcome.failed}")

    def tried(self, target: Target, mutant: Mutant, usual_s: float) -> Outcome:
        """Run a target's tests with the mutant in place; ``usual_s`` is how long they take without."""
        path = self.folder / mutant.file
        original = path.read_text(encoding="utf-8")
        try:
            _write(path, mutant.source)
            return self._tested(target, limit_s=_LEAST_S + _PATIENCE * usual_s)
        finally:
            _write(path, original)

    def close(self) -> None:
        """End the process that the tests are forked from."""
        if self._zygote is not None and self._zygote.stdin is not None:
            self._zygote.stdin.close()
            self._zygote.wait()

    def _tested(self, target: Target, limit_s: float) -> Outcome:
        zygote = self._started()
        assert zygote.stdin is not None
        assert zygote.stdout is not None
        options = ("-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--no-header", "--tb=no", *_IMPORTED)
        began = time.monotonic()
        run = {"limit_s": limit_s, "arguments": [*options, *target.tests], "output": str(self._said)}
        zygote.stdin.write(json.dumps(run) + "\n")
        zygote.stdin.flush()
        code = int(zygote.stdout.readline())
        if code == _NO_TESTS:
            raise LookupError(f"{target.name}: no tests in {', '.join(target.tests)}")
        return Outcome(killed=code != 0, seconds=time.monotonic() - began, failed=self._failed(code))

    def _failed(self, code: int) -> str:
        said = self._said.read_text(encoding="utf-8", errors="replace").splitlines() if code else []
        named = [line for line in said if line.startswith(("FAILED ", "ERROR "))]
        return "; ".join(named or said[-3:] or ([f"exit code {code}"] if code else []))

    def _started(self) -> subprocess.Popen[str]:
        if self._zygote is None:
            self._zygote = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-c", _ZYGOTE.read_text(encoding="utf-8")],
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": ""},
            )
        return self._zygote


def _kept_files() -> list[str]:
    """Return every file that git keeps, or would be asked to keep, and that is there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - git is found as usual
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def _write(path: Path, source: str) -> None:
    """Write a module; byte code is told by size and second alone, which two mutants may share, so it goes."""
    path.write_text(source, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def digest(paths: Iterable[Path]) -> str:
    """Return a name for the contents of files and folders: results of other contents do not count."""
    summed = hashlib.sha256()
    for path in sorted(paths):
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            summed.update(file.read_bytes())
    return summed.hexdigest()[:16]
