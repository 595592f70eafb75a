"""The promises of every ChatModel, whatever stands behind it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing

import pytest

from adapters.llm.endpoint import RetryPolicy
from adapters.llm.openai import ModelTimeouts, OpenAiChat
from adapters.llm.usage import FallbackChat
from bot.errors import ContextTooLong, ModelRefused, ModelUnavailable
from bot.ports.chat_model import ChatMessage, ChatModel, Completed, TextDelta, ToolSpec
from bot.turn import ToolCall, Usage
from harness.fakes.openai import Breaks, Fails, FakeOpenAi, Hangs, Raw, Says
from tests.cases import each_row

ASKED = (ChatMessage("system", "Be brief."), ChatMessage("user", "Where does Vera live?"))
SEARCH = ToolSpec("search", "Searches.", {"type": "object", "properties": {"q": {"type": "string"}}})

Case = tuple[ChatModel, FakeOpenAi]
Build = Callable[[FakeOpenAi], ChatModel]


def chat(server: FakeOpenAi) -> OpenAiChat:
    return OpenAiChat(
        server.url,
        "key",
        "fake-model",
        timeouts=ModelTimeouts(10.0, 10.0, 1.0),
        retries=RetryPolicy(count=1, first_s=0.01),
        thinks_first=False,
    )


def second_of_two(server: FakeOpenAi) -> FallbackChat:
    nobody = OpenAiChat("http://127.0.0.1:1/v1", "key", "gone", retries=RetryPolicy(count=0))
    return FallbackChat((nobody, chat(server)))


@pytest.fixture(params=["streaming", "whole", "fallback"])
async def case(request: pytest.FixtureRequest) -> AsyncIterator[Case]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(FakeOpenAi(streams=request.param != "whole"))
        model: OpenAiChat | FallbackChat = second_of_two(server) if request.param == "fallback" else chat(server)
        for one in model.models if isinstance(model, FallbackChat) else (model,):
            if isinstance(one, OpenAiChat):
                stack.push_async_callback(one.aclose)
        yield model, server


async def read_into(texts: list[str], model: ChatModel) -> None:
    async with aclosing(model.stream(ASKED)) as pieces:
        async for piece in pieces:
            texts += [piece.text]


async def pieces_of(model: ChatModel, *, tools: tuple[ToolSpec, ...] = ()) -> list[TextDelta | Completed]:
    async with aclosing(model.stream(ASKED, tools)) as pieces:
        return [piece async for piece in pieces]


async def test_deltas_add_up_to_the_completed_text(case: Case) -> None:
    """Deltas come first, one Completed comes last, and both say the same."""
    model, server = case
    server.script.append(Says("Vera lives in Porto, Порту 🏠.", usage=(21, 8)))

    *deltas, completed = await pieces_of(model)

    assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == "Vera lives in Porto, Порту 🏠."
    assert completed == Completed("Vera lives in Porto, Порту 🏠.", (), "stop", Usage(21, 8, 1), "fake-model")


async def test_tool_calls_come_with_the_end(case: Case) -> None:
    """Several tool calls in one answer keep their order, names and raw arguments."""
    model, server = case
    server.script.append(Says("Let me look.", calls=(("search", '{"q": "Vera"}'), ("search", '{"q": broken'))))

    completed = (await pieces_of(model, tools=(SEARCH,)))[-1]

    assert isinstance(completed, Completed)
    assert [(call.name, call.arguments) for call in completed.tool_calls] == [
        ("search", '{"q": "Vera"}'),
        ("search", '{"q": broken'),
    ]
    assert len({call.id for call in completed.tool_calls}) == 2
    assert completed.finish_reason == "tool_calls"


async def test_a_tool_history_is_accepted_by_a_strict_server(case: Case) -> None:
    """Tool calls and their results go out in the form that OpenAI insists on, also when arguments were malformed."""
    model, server = case
    call = ToolCall("c1", "search", '{"q": broken')
    history = (
        *ASKED,
        ChatMessage("assistant", "", tool_calls=(call,)),
        ChatMessage("tool", "not valid JSON", tool_call_id="c1"),
    )
    async with aclosing(model.stream(history, (SEARCH,))) as pieces:
        completed = [piece async for piece in pieces][-1]

    assert isinstance(completed, Completed)
    assert server.requests[-1]["messages"][2]["tool_calls"][0]["function"] == {"name": "search", "arguments": "{}"}
    assert server.requests[-1]["tools"][0]["function"]["name"] == "search"


async def test_errors_before_the_answer_are_typed(case: Case) -> None:
    """A refused key, a long context and a server that stays busy are three different errors."""
    model, server = case
    busy = Fails(503, "overloaded")
    expected: list[tuple[list[Fails], type[Exception]]] = [
        ([Fails(400, "This model's maximum context length is 8192 tokens")], ContextTooLong),
        ([busy, busy], ModelUnavailable),
        ([Fails(401, "Incorrect API key provided: sk-secret")], ModelRefused),
    ]
    for steps, error in expected:
        server.script.extend(steps)
        with pytest.raises((error, ModelUnavailable) if isinstance(model, FallbackChat) else error) as raised:
            await pieces_of(model)

        assert "sk-secret" not in str(raised.value)


async def test_a_failure_before_the_first_byte_is_repeated_once(case: Case) -> None:
    """With one retry allowed, one failure is not seen by the caller."""
    model, server = case
    server.script.extend((Fails(429, "slow down", headers=(("Retry-After", "0.01"),)), Says("Porto.")))

    completed = (await pieces_of(model))[-1]

    assert isinstance(completed, Completed)
    assert completed.text == "Porto."
    assert len(server.requests) == 2


async def test_a_stream_that_breaks_after_text_is_an_error_and_not_repeated() -> None:
    """Text that was shown is not taken back: the break is reported, with no second request."""
    async with FakeOpenAi() as server:
        model = chat(server)
        for step in (Breaks("Vera lives"), Breaks("Vera lives", politely=True), Hangs("Vera lives")):
            server.requests.clear()
            server.script.append(step)
            got: list[str] = []
            with pytest.raises(ModelUnavailable):
                await read_into(got, model)

            assert "".join(got) == "Vera lives"
            assert len(server.requests) == 1
        await model.aclose()


async def test_closing_the_generator_ends_the_request() -> None:
    """When the caller goes away the server's next write fails: nobody pays for text that nobody reads."""
    async with FakeOpenAi() as server:
        model = chat(server)
        server.script.append(Says("x" * 400_000, pieces=2000, pause_s=0.001))
        async with aclosing(model.stream(ASKED)) as pieces:
            await anext(pieces)
        for _ in range(200):
            if server.cut_off:
                break
            await asyncio.sleep(0.01)

        assert server.cut_off == 1
        await model.aclose()


@each_row(
    "body",
    [b"", b"data: [DONE\n\n", b"\x00\xff garbage", b"<html>", b"data: {}\n\ndata: {}\n\n", json.dumps([1]).encode()],
)
async def test_garbage_is_an_error(body: bytes) -> None:
    """A 200 with anything but a completion in it never passes for an answer."""
    async with FakeOpenAi() as server:
        model = chat(server)
        server.script.extend((Raw(body), Raw(body, "application/json")))
        with pytest.raises(ModelUnavailable):
            await pieces_of(model)
        await model.aclose()
