"""Chat completions over raw HTTP: OpenAI and every server that speaks its protocol.

Raw, because the protocol is two routes, and because the tolerance that other servers need (see the neighbours of this
file) is easier to add than to take out of a client library.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import cached_property

import httpx
import structlog

from adapters.llm.assembly import Assembly
from adapters.llm.dialect import Dialect
from adapters.llm.endpoint import Endpoint, endpoint_of
from adapters.llm.faults import translated, whole
from adapters.llm.habits import begins_with_thoughts
from adapters.llm.refusals import error_for, read_refusal
from adapters.llm.retrying import Retries
from adapters.llm.sse import events
from adapters.llm.thinking import Habit
from adapters.llm.wire import request_body
from bot.errors import ModelUnavailable
from bot.ports.chat_model import ChatMessage, Completed, TextDelta, ToolSpec
from bot.retry import read_retry_after

_END_S = 0.2
"""How long the end of a body may take after the last marker."""


@dataclass(frozen=True, slots=True)
class ModelTimeouts:
    """Patience with a server, in seconds.

    ``connect_s`` to reach it, ``first_s`` until it begins to answer (local servers load the model then), ``idle_s``
    between two pieces of an answer.  The limit for a whole turn is the tool loop's.
    """

    connect_s: float = 5.0
    first_s: float = 60.0
    idle_s: float = 60.0


class OpenAiChat:
    """A model behind ``{base_url}/chat/completions``.

    ``http`` may be shared; without one a client is opened at the first call and closed by :meth:`aclose`.
    ``settings`` is where base_url, key and model were configured, for error texts.
    ``thinks_first`` says whether the model begins with thoughts that no tag opens; ``None`` is what is known of its
    vendor and name, and where that is nothing its first answer is given whole and tells: nobody can take back what was
    shown.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        http: httpx.AsyncClient | None = None,
        *,
        timeouts: ModelTimeouts | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        retries: Retries | None = None,
        settings: str = "llm",
        thinks_first: bool | None = None,
    ) -> None:
        self.model = model
        self._place = (base_url, api_key, settings)
        self._shared = http
        self._own: httpx.AsyncClient | None = None
        self._timeouts = timeouts or ModelTimeouts()
        self._retries = retries or Retries()
        self._temperature, self._max_tokens = temperature, max_tokens
        self._dialect = Dialect()
        self._thinks_first = thinks_first

    def __repr__(self) -> str:
        return f"OpenAiChat(model={self.model!r}, settings={self._place[2]!r})"

    @cached_property
    def endpoint(self) -> Endpoint:
        """Where the model is.

        Read at the first call, so that a wrong address or key costs answers and not the start: raises
        :class:`~bot.errors.ModelRefused`, as that call does.
        """
        return endpoint_of(*self._place)

    @cached_property
    def habit(self) -> Habit:
        """How the model begins its answers, as far as that is known."""
        known = begins_with_thoughts(self.endpoint.host, self.model)
        return Habit(known if self._thinks_first is None else self._thinks_first)

    @property
    def http(self) -> httpx.AsyncClient:
        """The client that requests go through."""
        if self._shared is not None:
            return self._shared
        if self._own is None:
            # No bound on connections: httpcore can lose one whose request is cancelled (/stop, deadlines) while it
            # connects, and a bounded pool of lost ones makes every later request wait for ever.
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=8)
            self._own = httpx.AsyncClient(trust_env=not self.endpoint.is_local, limits=limits)
        return self._own

    async def aclose(self) -> None:
        """Close the client that this model opened for itself."""
        if self._own is not None:
            await self._own.aclose()
            self._own = None

    async def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Yield the answer as it arrives; see :class:`~bot.ports.chat_model.ChatModel`."""
        attempt, begun = 0, False
        while True:
            try:
                async with aclosing(self._once(messages, tools, max_tokens or self._max_tokens)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
            except ModelUnavailable as error:
                pause = None if begun else self._retries.pause(attempt, error)
                if pause is None:
                    raise
                structlog.get_logger().warning("model call repeated", cause=str(error), pause_s=round(pause, 2))
            else:
                return
            attempt += 1
            await asyncio.sleep(pause)

    async def _once(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...], max_tokens: int | None
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Make one call, in the dialect known so far."""
        place, waits = self.endpoint, self._timeouts
        limits = httpx.Timeout(max(waits.first_s, waits.idle_s), connect=waits.connect_s)
        while True:
            content = request_body(
                self.model, messages, tools, self._dialect, temperature=self._temperature, max_tokens=max_tokens
            )
            with translated(place):
                request = self.http.build_request(
                    "POST", place.chat_url, headers=place.headers, content=content, timeout=limits
                )
                async with asyncio.timeout(waits.first_s):
                    response = await self.http.send(request, stream=True, follow_redirects=False)
            async with aclosing(response):
                if response.is_success:
                    async with aclosing(self._answer(response)) as pieces:
                        async for piece in pieces:
                            yield piece
                    return
                with translated(place):
                    async with asyncio.timeout(waits.idle_s):
                        refusal = read_refusal(response.status_code, await whole(response))
            other = self._dialect.after(refusal)
            if other is None:
                asked_s = read_retry_after(response.headers.get("retry-after", ""))
                raise error_for(refusal, place.host, place.settings, retry_after_s=asked_s)
            self._dialect = other

    async def _answer(self, response: httpx.Response) -> AsyncGenerator[TextDelta | Completed]:
        """Read a successful response, streamed or whole."""
        place = self.endpoint
        assembly = Assembly(place.host, self.model, place.settings, self.habit)
        kind = response.headers.get("content-type", "").lower()
        if "html" in kind:
            raise ModelUnavailable(f"{place.host} answers with a web page: is {place.settings}.url right?")
        if "json" in kind and "ndjson" not in kind and "jsonl" not in kind:
            with translated(place):
                async with asyncio.timeout(self._timeouts.first_s):
                    body = await whole(response)
            if text := assembly.take_whole(body):
                yield TextDelta(text)
        else:
            async with aclosing(events(response.aiter_bytes())) as stream:
                while (event := await self._next(stream)) is not None:
                    if text := assembly.take(event):
                        yield TextDelta(text)
                    if assembly.done:
                        await _settled(stream)
                        break
        if text := assembly.rest():
            yield TextDelta(text)
        if assembly.malformed:
            structlog.get_logger().warning("model sent unreadable chunks", count=assembly.malformed, host=place.host)
        yield assembly.completed()

    async def _next(self, stream: AsyncGenerator[str]) -> str | None:
        with translated(self.endpoint):
            async with asyncio.timeout(self._timeouts.idle_s):
                return await anext(stream, None)


async def _settled(stream: AsyncGenerator[str]) -> None:
    """Read the end of the body, so that the connection can serve the next call; nearly always it is there already."""
    with suppress(TimeoutError, httpx.HTTPError, ModelUnavailable):  # the answer is complete: nothing can spoil it
        async with asyncio.timeout(_END_S):
            await anext(stream, None)
