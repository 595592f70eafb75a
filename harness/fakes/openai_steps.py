"""What the fake model server may be told to do with one request."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Says:
    """Answer with ``text`` in ``pieces`` pieces, then ask for ``calls`` (pairs of tool name and raw arguments)."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    pieces: int = 3
    pause_s: float = 0.0
    usage: tuple[int, int] = (10, 5)
    finish: str = ""


@dataclass(frozen=True, slots=True)
class Fails:
    """Answer with an HTTP error in OpenAI's shape."""

    status: int
    message: str = "scripted failure"
    code: str = ""
    type: str = "error"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Breaks:
    """Stream ``text`` and then cut the connection (``politely``: end the body without having finished)."""

    text: str = ""
    politely: bool = False


@dataclass(frozen=True, slots=True)
class Hangs:
    """Stream ``text`` (nothing at all if empty, not even a status) and then say nothing more."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Raw:
    """Answer with exactly these bytes."""

    body: bytes
    content_type: str = "text/event-stream"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = field(default=())


Step = Says | Fails | Breaks | Hangs | Raw
