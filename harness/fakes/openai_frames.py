"""The bytes of the fake model server: HTTP/1.1, server-sent events, and OpenAI's objects."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any

from harness.fakes.openai_steps import Breaks, Fails, Hangs, Says, Step

Json = Any  # whatever a request under test holds


async def streamed(step: Step, body: Json) -> AsyncIterator[bytes]:
    """Yield a streamed response, well or badly ended."""
    model = body["model"]
    if isinstance(step, Hangs) and not step.text:
        await asyncio.Event().wait()
    yield head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})
    yield _chunk(b": a comment, as some gateways send\n\n")
    for piece in _cut(getattr(step, "text", ""), getattr(step, "pieces", 3)):
        yield _event({"content": piece}, model)
        await asyncio.sleep(getattr(step, "pause_s", 0.0))
    if isinstance(step, Hangs):
        await asyncio.Event().wait()
    if isinstance(step, Breaks):
        yield b"0\r\n\r\n" if step.politely else b""
        return
    if not isinstance(step, Says):
        return
    for index, (name, arguments) in enumerate(step.calls):
        opening = {"index": index, "id": f"call_{len(body['messages'])}_{index}", "type": "function"}
        yield _event({"tool_calls": [{**opening, "function": {"name": name, "arguments": ""}}]}, model)
        for piece in _cut(arguments, 2):
            yield _event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}, model)
    yield _event({}, model, step.finish or ("tool_calls" if step.calls else "stop"))
    if body.get("stream_options", {}).get("include_usage"):
        yield _chunk(f"data: {json.dumps({'choices': [], 'usage': _usage(step)})}\r\n\r\n".encode())
    yield _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"


def _cut(text: str, pieces: int) -> tuple[str, ...]:
    size = max(1, -(-len(text) // pieces))
    return tuple(text[at : at + size] for at in range(0, len(text), size))


def _event(delta: Json, model: str, finish: str | None = None) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    chunk = {"object": "chat.completion.chunk", "model": model, "choices": choices}
    return _chunk(f"data: {json.dumps(chunk)}\n\n".encode())


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _usage(step: Says) -> Json:
    prompt, completion = step.usage
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def completion(step: Says, model: str) -> Json:
    """Return the answer as one object."""
    calls = [
        {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(step.calls)
    ]
    message = {"role": "assistant", "content": step.text or None, **({"tool_calls": calls} if calls else {})}
    finish = step.finish or ("tool_calls" if calls else "stop")
    return {
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": _usage(step),
    }


def error(step: Fails) -> bytes:
    """Return an error response in the shape of OpenAI."""
    body = json.dumps({"error": {"message": step.message, "type": step.type, "code": step.code or None}}).encode()
    return head(step.status, "application/json", dict(step.headers), len(body)) + body


def whole(value: Json) -> bytes:
    """Return a JSON response."""
    body = json.dumps(value).encode()
    return head(200, "application/json", {}, len(body)) + body


def head(status: int, content_type: str, headers: dict[str, str], length: int | None = None) -> bytes:
    """Return the status line and headers."""
    lines = {"Content-Type": content_type, "Connection": "close", **headers}
    if length is not None:
        lines["Content-Length"] = str(length)
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown"
    return (
        f"HTTP/1.1 {status} {phrase}\r\n".encode()
        + "".join(f"{n}: {v}\r\n" for n, v in lines.items()).encode()
        + b"\r\n"
    )


async def read_request(reader: asyncio.StreamReader) -> tuple[str, str, dict[str, str], Json] | None:
    """Return method, path, headers and JSON body of the request, ``None`` if the client went away."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError:
        return None
    method, path, _ = head[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    length = int(headers.get("content-length", "0"))
    data = await reader.readexactly(length) if length else b""
    return method, path, headers, json.loads(data) if data else None
