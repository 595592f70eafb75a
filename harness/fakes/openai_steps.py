"""What the fake model server may be told to do with one request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


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


def step_of(value: dict[str, Any]) -> Step:  # Any: JSON of the control endpoint
    """Return the step that a control request describes: ``{"kind": "says", "text": …}``."""
    options = {key: option for key, option in value.items() if key != "kind"}
    match value.get("kind"):
        case "says":
            calls = tuple((str(call["name"]), str(call["arguments"])) for call in options.pop("calls", ()))
            return Says(calls=calls, **options)
        case "fails":
            headers = tuple((str(name), str(text)) for name, text in options.pop("headers", {}).items())
            return Fails(headers=headers, **options)
        case "breaks":
            return Breaks(**options)
        case "hangs":
            return Hangs(**options)
        case "raw":
            return Raw(str(options.pop("body")).encode(), **options)
    raise ValueError(f"no such step: {value.get('kind')!r}")
