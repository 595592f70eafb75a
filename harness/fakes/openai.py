"""A fake OpenAI-compatible server over real HTTP, strict about requests and able to fail in every known way.

``async with FakeOpenAi() as server``, then ``server.script`` holds what it does next.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import HTTP
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Self


def echo(body: Json) -> Step:
    """Repeat the last thing the user said."""
    said = [message["content"] for message in body["messages"] if message["role"] == "user"]
    return Says(f"You said: {said[-1] if said else ''}")


class FakeOpenAi:
    """The server.  ``script`` holds what to do next, first in first out; without a script ``default`` decides."""

    def __init__(
        self,
        *,
        port: int = 0,
        api_key: str = "",
        models: tuple[str, ...] = ("fake-model",),
        streams: bool = True,
        default: Callable[[Json], Step] = echo,
        pages: Mapping[str, Json] | None = None,
    ) -> None:
        self.script: deque[Step] = deque()
        self.requests: list[Json] = []
        self.cut_off = 0
        self._port, self._api_key, self._models = port, api_key, models
        self._streams, self._default = streams, default
        self.pages = dict(pages or {})
        """By path: what other routes answer, asked in whatever way; a number is an HTTP status."""
        self.blind = ""
        """How pictures are refused, "" where the model sees."""
        self.transcripts: deque[str | Fails] = deque()
        """What is said in the recordings to come, first in first out."""
        self.recordings: list[Recording] = []
        self.asked: list[str] = []
        """The paths of all requests but completions."""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._port

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            request = await read_request(reader)
            if request is not None:
                async for piece in self._respond(*request):
                    writer.write(piece)
                    await writer.drain()
        except ConnectionError:
            self.cut_off += 1
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _respond(self, method: str, path: str, headers: dict[str, str], body: Json) -> AsyncIterator[bytes]:
        route = (method, path.partition("?")[0])
        if self._api_key and headers.get("authorization") != f"Bearer {self._api_key}":
            yield error(Fails(401, "Incorrect API key provided", "invalid_api_key", "invalid_request_error"))
        elif route[1] in self.pages:
            self.asked.append(route[1])
            page = self.pages[route[1]]
            yield error(Fails(page)) if isinstance(page, int) else whole(page)
        elif route == ("GET", "/v1/models"):
            yield whole({"object": "list", "data": [{"id": name, "object": "model"} for name in self._models]})
        elif route == ("POST", "/v1/audio/transcriptions"):
            self.asked.append(route[1])
            yield self._transcribe(headers.get("content-type", ""), body)
        elif route == ("POST", "/v1/chat/completions"):
            async for piece in self._complete(body):
                yield piece
        else:
            self.asked.append(route[1])
            yield error(Fails(404, "no such route"))

    def _transcribe(self, content_type: str, body: bytes) -> bytes:
        """Answer what is said in a recording, or why OpenAI would not listen to it."""
        recording = read_recording(content_type, body, self._models)
        if isinstance(recording, Fails):
            return error(recording)
        self.recordings.append(recording)
        step = self.transcripts.popleft() if self.transcripts else "Something was said."
        return error(step) if isinstance(step, Fails) else whole({"text": step})

    async def _complete(self, body: Json) -> AsyncIterator[bytes]:
        self.requests.append(body)
        reason = objection(body)
        if not reason and self.blind and read_pictures(body):
            reason = self.blind
        if reason:
            yield error(Fails(400, reason, "invalid_request_error"))
            return
        step = self.script.popleft() if self.script else self._default(body)
        match step:
            case Fails():
                yield error(step)
            case Raw():
                yield head(step.status, step.content_type, dict(step.headers), len(step.body)) + step.body
            case Says() if not (self._streams and body.get("stream")):
                yield whole(completion(step, body["model"]))
            case _:
                async for piece in streamed(step, body):
                    yield piece


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that was sent to be written down."""

    name: str
    content: bytes
    fields: Mapping[str, str]


_AUDIO: Final = frozenset(["flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "wav", "webm"])
"""The endings of names that OpenAI takes."""
_LARGEST: Final = 25 * 1024 * 1024


def read_recording(content_type: str, body: bytes, models: tuple[str, ...]) -> Recording | Fails:
    """Return what a form holds, or why it is refused (platform.openai.com/docs/api-reference/audio)."""
    form = message_from_bytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body, policy=HTTP)
    if not form.is_multipart():
        return Fails(400, "Could not parse multipart form", type="invalid_request_error")
    parts = {str(part.get_param("name", header="content-disposition")): part for part in form.iter_parts()}
    file = parts.pop("file", None)
    fields = {name: part.get_content().strip() for name, part in parts.items()}
    if file is None or fields.get("model") not in models:
        return Fails(400, "you must provide a file and a known model parameter", type="invalid_request_error")
    name, content = file.get_filename() or "", file.get_payload(decode=True)
    if name.rpartition(".")[2] not in _AUDIO:
        return Fails(400, "Unrecognized file format", type="invalid_request_error")
    if not isinstance(content, bytes) or not 0 < len(content) <= _LARGEST:
        return Fails(413, "Maximum content size limit exceeded", type="invalid_request_error")
    if unknown := set(fields) - {"model", "response_format", "language", "prompt", "temperature"}:
        return Fails(400, f"Unrecognized request arguments: {sorted(unknown)}", type="invalid_request_error")
    return Recording(name, content, fields)


@dataclass(frozen=True, slots=True)
class Says:
    """Answer with ``text`` in ``pieces`` pieces, then ask for ``calls`` (pairs of tool name and raw arguments)."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    pieces: int = 3
    pause_s: float = 0.0
    usage: tuple[int, int] = (10, 5)
    report: tuple[tuple[str, Json], ...] = ()
    """What the last chunk says in place of OpenAI's ``usage``, by key: other servers' shapes."""
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


_ROLES = frozenset({"system", "user", "assistant", "tool"})


def objection(body: Any) -> str:  # Any: JSON of a request under test
    """Return why OpenAI would reject this request, "" if it would not."""
    if not isinstance(body, dict) or not body.get("model") or not body.get("messages"):
        return "model and messages are required"
    waiting: set[str] = set()
    for number, message in enumerate(body["messages"]):
        reason = _shape(message) or _order(message, waiting)
        if reason:
            return f"messages[{number}]: {reason}"
    return f"tool calls without a response: {sorted(waiting)}" if waiting else ""


def _shape(message: dict[str, Any]) -> str:  # Any: JSON
    role, content = message.get("role"), message.get("content")
    if role not in _ROLES:
        return "role is invalid"
    shown = role == "user" and _shows_pictures(content)
    if role != "assistant" and not (isinstance(content, str) or _is_text(content) or shown):
        return "content must be a string, or text and pictures of the user's"
    if role == "assistant" and not content and not message.get("tool_calls"):
        return "an assistant message needs content or tool_calls"
    return ""


def _is_text(content: object) -> bool:
    """Return whether a content is given as parts that hold text."""
    return isinstance(content, list) and all(
        isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str) for part in content
    )


_SIGNATURES: Final = {
    "image/jpeg": b"\xff\xd8\xff",
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/gif": b"GIF8",
    "image/webp": b"RIFF",
}


def read_pictures(body: Json) -> list[bytes]:
    """Return the pictures in a request, in order."""
    parts = (part for message in body["messages"] for part in message["content"] if isinstance(part, dict))
    urls = (part["image_url"]["url"] for part in parts if part.get("type") == "image_url")
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def _shows_pictures(content: object) -> bool:
    """Return whether a content is text and pictures, each as an address of data that holds what it says."""
    if not isinstance(content, list):
        return False
    rest = [part for part in content if not (isinstance(part, dict) and part.get("type") == "image_url")]
    return (not rest or _is_text(rest)) and all(_is_picture(part) for part in content if part not in rest)


def _is_picture(part: Json) -> bool:
    address = part.get("image_url", {}).get("url") if isinstance(part.get("image_url"), dict) else None
    if not isinstance(address, str) or set(part) != {"type", "image_url"}:
        return False
    kind, _, data = address.partition(";base64,")
    signature = _SIGNATURES.get(kind.removeprefix("data:"))
    try:
        return signature is not None and base64.b64decode(data, validate=True).startswith(signature)
    except ValueError:
        return False


def _order(message: dict[str, Any], waiting: set[str]) -> str:  # Any: JSON
    """Follow the tool calls: every one is answered at once, and nothing else is."""
    if message["role"] == "tool":
        if message.get("tool_call_id") not in waiting:
            return "a tool message must answer a preceding tool call"
        waiting.discard(message["tool_call_id"])
        return ""
    if waiting:
        return f"tool calls without a response: {sorted(waiting)}"
    for call in message.get("tool_calls", ()):
        try:
            json.loads(call["function"]["arguments"])
        except ValueError:
            return "arguments are not JSON"
        waiting.add(call["id"])
    return ""


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
        yield _chunk(f"data: {json.dumps({'choices': [], **_report(step)})}\r\n\r\n".encode())
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


def _report(step: Says) -> dict[str, Json]:
    return dict(step.report) if step.report else {"usage": _usage(step)}


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
        **_report(step),
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
    form = headers.get("content-type", "").startswith("multipart/form-data")
    return method, path, headers, (data if form else json.loads(data)) if data else None
