"""A fake OpenAI-compatible server over real HTTP, strict about requests and able to fail in every known way.

``async with FakeOpenAi() as server``, then ``server.script`` holds what it does next.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Self

from harness.fakes.openai_frames import Json, completion, error, head, read_request, streamed, whole
from harness.fakes.openai_steps import Fails, Raw, Says, Step
from harness.fakes.openai_strictness import objection


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
    ) -> None:
        self.script: deque[Step] = deque()
        self.requests: list[Json] = []
        self.cut_off = 0
        self._port, self._api_key, self._models = port, api_key, models
        self._streams, self._default = streams, default
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
        elif route == ("GET", "/v1/models"):
            yield whole({"object": "list", "data": [{"id": name, "object": "model"} for name in self._models]})
        elif route == ("POST", "/v1/chat/completions"):
            async for piece in self._complete(body):
                yield piece
        else:
            yield error(Fails(404, "no such route"))

    async def _complete(self, body: Json) -> AsyncIterator[bytes]:
        self.requests.append(body)
        reason = objection(body)
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
