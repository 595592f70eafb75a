"""What was found damaged, kept beside the database until somebody has taken note of it."""

from __future__ import annotations

from pathlib import Path

import structlog


def _get_findings_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.damage")


def read_findings(path: Path) -> tuple[str, ...]:
    """Return a sentence per finding that nobody has acknowledged, oldest first."""
    try:
        return tuple(_get_findings_path(path).read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError:  # there is none
        return ()


def add_finding(path: Path, sentence: str) -> None:
    """Keep a sentence; a disk that refuses it is reported."""
    try:
        with _get_findings_path(path).open("a", encoding="utf-8") as file:
            file.write(f"{' '.join(sentence.split())}\n")
    except OSError as error:
        structlog.get_logger().error("finding not kept", finding=sentence, cause=error.strerror)


def acknowledge_findings(path: Path) -> int:
    """Forget the findings and return how many there were; the damaged files stay."""
    count = len(read_findings(path))
    _get_findings_path(path).unlink(missing_ok=True)
    return count
