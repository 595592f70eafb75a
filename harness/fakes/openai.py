"""A fake OpenAI-compatible server over real HTTP, strict about requests and able to fail in every known way.

``async with FakeOpenAi() as server``, then ``server.script`` holds what it does next.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeVar

from aiohttp import web


def echo(body: Json) -> Step:
    """Repeat the last thing the user said."""
    said = [message["content"] for message in body["messages"] if message["role"] == "user"]
    return Says(f"You said: {said[-1] if said else ''}")


class FakeOpenAi:
    """The server.  ``script`` holds what to do next, first in first out; without a script ``default`` decides."""

    def __init__(
        self,
        *,
        api_key: str = "",
        models: tuple[str, ...] = ("fake-model",),
        streams: bool = True,
        default: Callable[[Json], Step] = echo,
        pages: Mapping[str, Json] | None = None,
    ) -> None:
        self.script: deque[Step] = deque()
        self.requests: list[Json] = []
        self.cut_off = 0
        self.port = 0
        self._api_key, self._models = api_key, models
        self._streams, self.default = streams, default
        self.pages = dict(pages or {})
        """By path: what other routes answer, asked in whatever way; a number is an HTTP status."""
        self.blind = ""
        """How pictures are refused, "" where the model sees."""
        self.transcripts: deque[str | Fails] = deque()
        """What is said in the recordings to come, first in first out."""
        self.recordings: list[Recording] = []
        self.asked: list[str] = []
        """The paths of all requests but completions."""
        application = web.Application(client_max_size=2**26)
        application.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.01)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        route = (request.method, request.path)
        if self._api_key and request.headers.get("authorization") != f"Bearer {self._api_key}":
            return error(Fails(401, "Incorrect API key provided", "invalid_api_key", "invalid_request_error"))
        if request.path not in self.pages and route == ("POST", "/v1/chat/completions"):
            return await self._complete(request, await request.json())
        if request.path in self.pages or route != ("GET", "/v1/models"):
            self.asked.append(request.path)
        if request.path in self.pages:
            page = self.pages[request.path]
            return error(Fails(page)) if isinstance(page, int) else whole(page)
        if route == ("GET", "/v1/models"):
            return whole({"object": "list", "data": [{"id": name, "object": "model"} for name in self._models]})
        if route == ("POST", "/v1/audio/transcriptions"):
            return await self._transcribe(request)
        return error(Fails(404, "no such route"))

    async def _transcribe(self, request: web.Request) -> web.Response:
        """Answer what is said in a recording, or why OpenAI would not listen to it."""
        recording = await read_recording(request, self._models)
        if isinstance(recording, Fails):
            return error(recording)
        self.recordings.append(recording)
        step = self.transcripts.popleft() if self.transcripts else "Something was said."
        return error(step) if isinstance(step, Fails) else whole({"text": step})

    async def _complete(self, request: web.Request, body: Json) -> web.StreamResponse:
        self.requests.append(body)
        reason = objection(body) or (self.blind if self.blind and read_pictures(body) else "")
        if reason:
            return error(Fails(400, reason, "invalid_request_error"))
        step = self.script.popleft() if self.script else self.default(body)
        if isinstance(step, Fails):
            return error(step)
        if isinstance(step, Raw):
            headers = {"Content-Type": step.content_type, **dict(step.headers)}
            return _closing(web.Response(body=step.body, status=step.status, headers=headers))
        if isinstance(step, Says) and not (self._streams and body.get("stream")):
            return whole(completion(step, body["model"]))
        try:
            return await stream(step, request, body)
        except ConnectionError:
            self.cut_off += 1
            return web.Response()


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that was sent to be written down."""

    name: str
    content: bytes
    fields: Mapping[str, str]


_AUDIO: Final = frozenset(["flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "wav", "webm"])
"""The endings of names that OpenAI takes."""
_LARGEST: Final = 25 * 1024 * 1024


async def read_recording(request: web.Request, models: tuple[str, ...]) -> Recording | Fails:
    """Return what a form holds, or why it is refused (platform.openai.com/docs/api-reference/audio)."""
    if not request.content_type.startswith("multipart/form-data"):
        return Fails(400, "Could not parse multipart form", type="invalid_request_error")
    parts = dict(await request.post())
    file = parts.pop("file", None)
    fields = {name: str(part).strip() for name, part in parts.items()}
    if not isinstance(file, web.FileField) or fields.get("model") not in models:
        return Fails(400, "you must provide a file and a known model parameter", type="invalid_request_error")
    content = file.file.read()
    if file.filename.rpartition(".")[2] not in _AUDIO:
        return Fails(400, "Unrecognized file format", type="invalid_request_error")
    if not 0 < len(content) <= _LARGEST:
        return Fails(413, "Maximum content size limit exceeded", type="invalid_request_error")
    if unknown := set(fields) - {"model", "response_format", "language", "prompt", "temperature"}:
        return Fails(400, f"Unrecognized request arguments: {sorted(unknown)}", type="invalid_request_error")
    return Recording(file.filename, content, fields)


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


async def stream(step: Step, request: web.Request, body: Json) -> web.StreamResponse:
    """Send a streamed response, well or badly ended."""
    model, text = body["model"], getattr(step, "text", "")
    if isinstance(step, Hangs) and not text:
        await asyncio.Event().wait()
    response = _closing(web.StreamResponse(headers={"Content-Type": "text/event-stream"}))
    response.enable_chunked_encoding()
    await response.prepare(request)
    await response.write(b": a comment, as some gateways send\n\n")
    for piece in _cut(text, getattr(step, "pieces", 3)):
        await response.write(_event({"content": piece}, model))
        await asyncio.sleep(getattr(step, "pause_s", 0.0))
    if isinstance(step, Hangs):
        await asyncio.Event().wait()
    if isinstance(step, Breaks) and not step.politely and request.transport is not None:
        request.transport.close()
    if not isinstance(step, Says):
        return response
    for index, (name, arguments) in enumerate(step.calls):
        opening = {"index": index, "id": f"call_{len(body['messages'])}_{index}", "type": "function"}
        opened = {"tool_calls": [{**opening, "function": {"name": name, "arguments": ""}}]}
        await response.write(_event(opened, model))
        for piece in _cut(arguments, 2):
            await response.write(_event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}, model))
    await response.write(_event({}, model, step.finish or ("tool_calls" if step.calls else "stop")))
    if body.get("stream_options", {}).get("include_usage"):
        await response.write(f"data: {json.dumps({'choices': [], **_report(step)})}\r\n\r\n".encode())
    await response.write(b"data: [DONE]\n\n")
    return response


def _cut(text: str, pieces: int) -> tuple[str, ...]:
    size = max(1, -(-len(text) // pieces))
    return tuple(text[at : at + size] for at in range(0, len(text), size))


def _event(delta: Json, model: str, finish: str | None = None) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    chunk = {"object": "chat.completion.chunk", "model": model, "choices": choices}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _report(step: Says) -> dict[str, Json]:
    return dict(step.report) if step.report else {"usage": _usage(step)}


def _usage(step: Says) -> Json:
    prompt, completion = step.usage
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def completion(step: Says, model: str) -> Json:
    calls = [
        {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(step.calls)
    ]
    message = {"role": "assistant", "content": step.text or None, **({"tool_calls": calls} if calls else {})}
    finish = step.finish or ("tool_calls" if calls else "stop")
    return {"model": model, "choices": [{"index": 0, "message": message, "finish_reason": finish}], **_report(step)}


def error(step: Fails) -> web.Response:
    said = {"error": {"message": step.message, "type": step.type, "code": step.code or None}}
    return _closing(web.json_response(said, status=step.status, headers=dict(step.headers)))


def whole(value: Json) -> web.Response:
    """Return a JSON response."""
    return _closing(web.json_response(value))


_R = TypeVar("_R", bound=web.StreamResponse)


def _closing(response: _R) -> _R:
    """Let the connection end with a response: no client is to meet one that another server left."""
    response.force_close()
    return response
