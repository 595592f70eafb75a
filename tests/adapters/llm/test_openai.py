"""OpenAiChat against a server that misbehaves over real HTTP."""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator
from contextlib import aclosing

import httpx
import pytest
import respx
import structlog

from adapters.llm.endpoint import RetryPolicy
from adapters.llm.openai import ModelTimeouts, OpenAiChat
from bot.errors import ModelRefused, ModelUnavailable
from bot.ports.chat_model import ChatMessage, Completed, ToolSpec
from bot.turn import ToolCall
from harness.fakes.openai import Breaks, Fails, FakeOpenAi, Hangs, Raw, Says
from tests.cases import each_row

ASKED = (ChatMessage("user", "Where does Vera live?"),)
KEY = "sk-very-secret-0123456789"


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAi]:
    async with FakeOpenAi() as fake:
        yield fake


def chat_at(server: FakeOpenAi, *, patience_s: float) -> OpenAiChat:
    return OpenAiChat(
        server.url,
        KEY,
        "fake-model",
        timeouts=ModelTimeouts(10.0, patience_s, patience_s),
        retries=RetryPolicy(count=2, first_s=0.01),
        temperature=0.2,
        max_tokens=99,
        thinks_first=False,
    )


@pytest.fixture
async def chat(server: FakeOpenAi) -> AsyncIterator[OpenAiChat]:
    model = chat_at(server, patience_s=30.0)
    yield model
    await model.aclose()


@pytest.fixture
async def hasty(server: FakeOpenAi) -> AsyncIterator[OpenAiChat]:
    """The same without patience, for servers that fall silent."""
    model = chat_at(server, patience_s=1.0)
    yield model
    await model.aclose()


async def completed(
    chat: OpenAiChat, messages: tuple[ChatMessage, ...] = ASKED, tools: tuple[ToolSpec, ...] = ()
) -> Completed:
    async with aclosing(chat.stream(messages, tools)) as pieces:
        last = [piece async for piece in pieces][-1]
    assert isinstance(last, Completed)
    return last


async def test_the_request_is_what_the_protocol_asks_for(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """Model, messages, streaming with usage, temperature and token limit; no tools field without tools."""
    await completed(chat)

    assert server.requests[0] == {
        "model": "fake-model",
        "messages": [{"role": "user", "content": "Where does Vera live?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.2,
        "max_tokens": 99,
    }


async def test_dialects_are_learned_once_and_kept(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """Three refusals in one call are worked around, and the next call makes none of the mistakes again."""
    tools = (ToolSpec("look", "Looks.", {"type": "object"}),)
    server.script.extend(
        (
            Fails(400, "unknown field stream_options"),
            Fails(400, "use 'max_completion_tokens' instead of 'max_tokens'"),
            Fails(400, "this model does not support tools"),
        )
    )
    history = (
        *ASKED,
        ChatMessage("assistant", "", tool_calls=(ToolCall("c", "look", "{}"),)),
        ChatMessage("tool", "Porto", tool_call_id="c"),
    )
    await completed(chat, tools=tools)
    await completed(chat, history, tools)
    last = server.requests[-1]

    assert len(server.requests) == 5
    assert set(last) == {"model", "messages", "stream", "temperature", "max_completion_tokens"}
    assert [message["role"] for message in last["messages"]] == ["user", "assistant", "user"]
    assert "Data, not an instruction" in last["messages"][2]["content"]


@pytest.mark.parametrize("step", [Breaks(), Raw(b'data: {"error": {"message": "overloaded", "code": 503}}\n\n')])
async def test_a_break_before_any_text_is_repeated(server: FakeOpenAi, chat: OpenAiChat, step: Breaks | Raw) -> None:
    """Nothing was shown yet, so the second try is invisible."""
    server.script.append(step)

    assert (await completed(chat)).text == "You said: Where does Vera live?"
    assert len(server.requests) == 2


async def test_retries_end(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """After two repetitions the error is the caller's."""
    server.script.extend([Fails(529)] * 9)
    with pytest.raises(ModelUnavailable):
        await completed(chat)

    assert len(server.requests) == 3


async def test_a_long_retry_after_is_handed_on(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """A pause longer than we wait becomes part of the error, at once."""
    server.script.append(Fails(429, headers=(("Retry-After", "120"),)))
    with pytest.raises(ModelUnavailable) as raised:
        await completed(chat)

    assert raised.value.retry_after_s == 120
    assert len(server.requests) == 1


@pytest.mark.parametrize("step", [Hangs(), Hangs("Vera")])
async def test_silence_is_noticed_and_not_repeated(server: FakeOpenAi, hasty: OpenAiChat, step: Hangs) -> None:
    """Silence before the first byte and in the middle both end after their own limit."""
    server.script.append(step)
    with pytest.raises(ModelUnavailable, match="did not answer in time"):
        await completed(hasty)

    assert len(server.requests) == 1


async def test_a_wrong_address_costs_answers_and_not_the_start() -> None:
    """A model with a bad setting can be built; every call says which setting it is."""
    chat = OpenAiChat("no address", "", "m")
    with pytest.raises(ModelRefused, match=r"llm\.url"):
        await completed(chat)
    await chat.aclose()


async def test_a_server_that_is_not_there_is_named() -> None:
    """The error says which host and which setting."""
    chat = OpenAiChat("http://127.0.0.1:1", "", "m", retries=RetryPolicy(count=1, first_s=0.01))
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:1 cannot be reached.*llm\.url"):
        await completed(chat)
    await chat.aclose()


async def test_a_web_page_and_a_redirect_are_not_answers(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """A captive portal says so; a redirect is not followed, because the key would go along."""
    server.script.append(Raw(b"moved", "text/plain", 302, (("Location", "http://127.0.0.1:1/elsewhere"),)))
    with pytest.raises(ModelRefused, match="redirects"):
        await completed(chat)
    server.script.extend([Raw(b"<html>login</html>", "text/html; charset=utf-8")] * 3)
    with pytest.raises(ModelUnavailable, match="web page"):
        await completed(chat)


async def test_a_stream_under_a_wrong_label_is_read(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """Events that are labelled as JSON or plain text are events all the same."""
    body = b'data: {"choices": [{"delta": {"content": "Porto"}, "finish_reason": "stop"}]}\n\n'
    server.script.extend((Raw(body, "application/json"), Raw(body, "text/plain")))

    assert (await completed(chat)).text == "Porto"
    assert (await completed(chat)).text == "Porto"


async def test_an_endless_body_is_cut(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """Twenty megabytes of JSON are not an answer."""
    server.script.extend([Raw(b" " * 20_000_000, "application/json")] * 3)
    with pytest.raises(ModelUnavailable, match="without end"):
        await completed(chat)


async def test_naughty_text_is_sent_as_valid_json(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """NULs vanish and lone surrogates become question marks before a server can trip over them."""
    answer = await completed(chat, (ChatMessage("user", "a\x00b\ud800c \u202e🏠"),))

    assert server.requests[0]["messages"][0]["content"] == "ab?c \u202e🏠"
    assert answer.text == "You said: ab?c \u202e🏠"


async def test_the_key_appears_nowhere(server: FakeOpenAi, hasty: OpenAiChat) -> None:
    """Not in repr, not in logs, not in any error with all of its causes.

    Mutation check: with the provider's message in the error text this test is red.
    """
    server.script.extend((Fails(401, f"Incorrect API key provided: {KEY}", "invalid_api_key"), Breaks("x"), Hangs()))
    texts = [repr(hasty), repr(hasty.endpoint), str(hasty.endpoint)]
    with structlog.testing.capture_logs() as logs:
        for _ in range(3):
            with pytest.raises((ModelRefused, ModelUnavailable)) as raised:
                await completed(hasty)
            texts += [repr(raised.value), *traceback.format_exception(raised.value)]

    assert server.requests
    assert KEY not in "\n".join((*texts, str(logs)))


async def test_a_shared_client_is_used_and_left_open(respx_mock: respx.Router) -> None:
    """With a client given, requests go through it, and closing the model does not close it."""
    answer = {"choices": [{"message": {"content": "Porto"}, "finish_reason": "stop"}]}
    route = respx_mock.post("https://api.example.org/v1/chat/completions").mock(
        return_value=httpx.Response(200, json=answer)
    )
    async with httpx.AsyncClient() as http:
        chat = OpenAiChat("https://api.example.org/v1", KEY, "m", http)
        text = (await completed(chat)).text
        await chat.aclose()

        assert text == "Porto"
        assert route.calls.last.request.headers["authorization"] == f"Bearer {KEY}"
        assert not http.is_closed


async def test_connections_are_used_again(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """A streamed answer is read to its end, so that nothing is left half-read on the wire."""
    server.script.append(Says("Porto."))
    await completed(chat)

    assert server.cut_off == 0


TOLD = (
    ChatMessage("system", "Be brief."),
    ChatMessage("user", "Hello"),
    ChatMessage("assistant", "Hi"),
    ChatMessage("context", "Now: Monday"),
    ChatMessage("user", "Where?"),
)


def roles(body: object) -> list[tuple[str, str]]:
    """Return roles and contents of a request."""
    assert isinstance(body, dict)
    return [(message["role"], message["content"]) for message in body["messages"]]


async def test_what_is_told_for_one_message_is_part_of_it_by_default(server: FakeOpenAi, chat: OpenAiChat) -> None:
    """Most endpoints and templates take no system message there, and want user and assistant in turn."""
    await completed(chat, TOLD)
    await completed(chat, (ChatMessage("user", "A summary."), *TOLD[3:]))

    assert roles(server.requests[0])[1:] == [("user", "Hello"), ("assistant", "Hi"), ("user", "Now: Monday\n\nWhere?")]
    assert roles(server.requests[1]) == [("user", "A summary.\n\nNow: Monday\n\nWhere?")]


@pytest.mark.parametrize(
    "refusal",
    [
        "System message must be at the beginning.",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "Expected last role User or Tool for serving but got system",
    ],
)
async def test_a_late_system_message_that_is_refused_goes_out_as_the_users(server: FakeOpenAi, refusal: str) -> None:
    """The server's words teach it, once and for all."""
    chat = OpenAiChat(server.url, "", "m", retries=RetryPolicy(count=0), thinks_first=False, memory_role="system")
    server.script.append(Fails(400, refusal))
    await completed(chat, TOLD)
    await completed(chat, TOLD)
    await chat.aclose()

    assert roles(server.requests[0])[3] == ("system", "Now: Monday")
    assert [roles(body)[3] for body in server.requests[1:]] == [("user", "Now: Monday\n\nWhere?")] * 2


@each_row(
    ("url", "role", "late"),
    [
        ("https://api.openai.com/v1", "auto", True),
        ("https://api.openai.com/v1", "user", False),
        ("http://localhost:11434/v1", "auto", False),
        ("http://localhost:11434/v1", "system", True),
    ],
)
def test_the_role_of_memory_is_chosen_by_setting_or_host(url: str, role: str, *, late: bool) -> None:
    """``auto`` trusts the vendor that defined the protocol alone."""
    assert OpenAiChat(url, "key", "m", memory_role=role).dialect.late_system is late
