"""What became of one call of a client."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """``result`` is ok, refused (the server says that it has no such thing), failed or skipped; ``said`` is why."""

    client: str
    version: str
    call: str
    result: str
    said: str = ""


REFUSED = frozenset({400, 404, 405, 409, 422, 501})


def judged(client: str, version: str, call: str, status: int, said: str) -> Outcome:
    """Return what an HTTP status means for a client."""
    result = "ok" if status in {200, 307} else "refused" if status in REFUSED else "failed"
    return Outcome(client, version, call, result, "" if result == "ok" else f"{status} {said[:100]}")
