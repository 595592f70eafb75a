"""The command that measures servers written elsewhere: its proxy, its sums, and a session, against a fake server."""

from __future__ import annotations

from pathlib import Path

from adapters.llm.openai import OpenAiChat
from harness.endpoints.recording import RecordingProxy
from harness.endpoints.session import MessageFigures, measure_session, summarise
from harness.endpoints.wire import check_llama
from harness.fakes.openai import Fails, FakeOpenAi, Says
from tests.adapters.llm.test_usage import complete

REPOSITORY = Path(__file__).parents[2]


def answer(_: object) -> Says:
    report = {"timings": {"cache_n": 80, "prompt_n": 20, "predicted_n": 7}}
    return Says("She lives in Porto.", report=tuple(report.items()))


async def test_the_proxy_passes_on_and_writes_down() -> None:
    """What the server counts, and whether it was the conversation's own call; refusals are passed on as they are."""
    async with FakeOpenAi(default=answer) as server, RecordingProxy(server.url.removesuffix("/v1")) as proxy:
        chat = OpenAiChat(proxy.url, "", "fake-model", thinks_first=False)
        done = await complete(chat)
        server.script.append(Fails(401, "no", "invalid_api_key"))
        refused = ""
        try:
            await complete(chat)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is looked at
            refused = str(error)
        await chat.aclose()

    assert (done.text, done.usage.prompt, done.usage.cached) == ("She lives in Porto.", 100, 80)
    assert "apiKey" in refused
    assert [(call.status, call.usage.cached, call.conversation) for call in proxy.calls] == [
        (200, 80, False),
        (401, 0, False),
    ]
    assert 0 < proxy.calls[0].first_token_ms <= proxy.calls[0].whole_ms


async def test_a_session_is_held_by_the_bot_that_people_start(tmp_path: Path) -> None:
    """A process of its own that reads lines; each message has its figures."""
    async with FakeOpenAi(default=answer) as server, RecordingProxy(server.url.removesuffix("/v1")) as proxy:
        figures = await measure_session(REPOSITORY, proxy, "fake-model", ("Hello!", "Where is Vera?"), tmp_path)

    assert [(each.prompt_tokens, each.cached_tokens) for each in figures] == [(100, 80), (100, 80)]


def test_sums_leave_the_first_message_out_of_medians() -> None:
    """It has nothing before it."""
    told = summarise((MessageFigures(900, 0, 500, 600, 0), MessageFigures(1000, 900, 50, 90, 10)))

    assert (told["cached_tokens_median"], told["first_token_ms_median"], told["first_token_ms_worst"]) == (900, 50, 50)
    assert (told["cached_percent"], told["background_tokens"]) == (47.4, 10)


async def test_a_check_that_fails_says_what_was_seen() -> None:
    """Against a server that caches nothing and tells no window."""
    async with FakeOpenAi() as server:
        checks = {each.name: each for each in await check_llama(server.url.removesuffix("/v1"), "fake-model", 4096)}

    assert checks["streams an answer"].ok
    assert not checks["counts tokens, and those it had cached"].ok
    assert checks["tells the window"].seen == "AssertionError: None"
