"""Models that stream from their first answer on, and those that do not."""

from __future__ import annotations

import json

from adapters.llm.openai import OpenAiChat
from adapters.llm.stream import CompletionAssembler, ThinkingHabit, begins_with_thoughts
from bot.ports.chat_model import ChatMessage, TextDelta
from harness.fakes.openai import FakeOpenAi, Says
from tests.cases import each_row

ASKED = (ChatMessage("user", "Where does Vera live?"),)
THOUGHT = "The user wants the city.\n</think>\n\nPorto, by the sea."


@each_row(
    "model",
    [
        *("llama3.1:8b", "meta-llama/Llama-3.3-70B-Instruct", "gemma3:12b", "google/gemma-2-9b-it"),
        *("qwen2.5:7b-instruct-q4_K_M", "Qwen/Qwen2.5-Coder-32B-Instruct", "mistral-small3.2", "mixtral:8x7b"),
        *("phi4", "gpt-4o-mini", "claude-sonnet-4-5", "gemini-2.5-flash", "command-r-plus"),
    ],
)
def test_families_that_do_not_think_stream_at_once(model: str) -> None:
    """On a server of one's own, too."""
    assert begins_with_thoughts("localhost:11434", model) is False


@each_row(
    "model",
    [
        *("deepseek-r1:8b", "deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "llama-3.1-nemotron-nano-8b", "qwq:32b"),
        *("Qwen/Qwen3-30B-A3B-Thinking-2507", "qwen3", "phi-4-reasoning", "magistral-small", "gpt-oss-20b"),
        *("my-model", "llama-3-r1-merge", "mistral-7b-cot", "gemma-3-27b-it-grpo", "llama-31", ""),
    ],
)
def test_what_may_think_and_what_nobody_knows_wait(model: str) -> None:
    """Mutation checked: without the words of thinking models the distilled Llama would stream its thoughts."""
    assert begins_with_thoughts("localhost:11434", model) is None


def test_a_vendor_that_keeps_thoughts_apart_streams_whatever_the_name() -> None:
    """Another host with that name in it is another host."""
    assert begins_with_thoughts("api.openai.com", "o3-mini") is False
    assert begins_with_thoughts("API.DeepSeek.com:443", "deepseek-reasoner") is False
    assert begins_with_thoughts("api.openai.com.example.org", "o3-mini") is None


async def test_an_ordinary_models_first_answer_streams_and_an_unknown_ones_comes_whole() -> None:
    """Red for the ordinary one when every model's first answer after a start was held back."""
    pieces = {}
    async with FakeOpenAi() as server:
        for name in ("llama3.1:8b", "fake-model"):
            model = OpenAiChat(server.url, "", name)
            server.script.append(Says("She lives in Porto, by the sea.", pieces=8))
            pieces[name] = [piece async for piece in model.stream(ASKED) if isinstance(piece, TextDelta)]
            await model.aclose()

    assert len(pieces["llama3.1:8b"]) > 4
    assert len(pieces["fake-model"]) == 1


async def test_thoughts_of_a_model_that_was_thought_plain_are_in_no_answer() -> None:
    """The whole answer is without them, and from the second answer on the frames are, too."""
    async with FakeOpenAi() as server:
        model = OpenAiChat(server.url, "", "llama3.1:8b")
        server.script.extend([Says(THOUGHT, pieces=8)] * 2)
        first = [piece async for piece in model.stream(ASKED)]
        second = [piece async for piece in model.stream(ASKED)]
        await model.aclose()

    assert (first[-1].text, second[-1].text) == ("Porto, by the sea.",) * 2
    assert "".join(piece.text for piece in second[:-1]) == "Porto, by the sea."


@each_row("name", ["reasoning_content", "reasoning"])
def test_a_server_that_gives_thoughts_apart_is_believed(name: str) -> None:
    """What comes as the answer then streams at once; an empty field says nothing."""
    told, untold = (
        CompletionAssembler("host", "m", habit=ThinkingHabit()),
        CompletionAssembler("host", "m", habit=ThinkingHabit()),
    )

    assert [told.take(_chunk({name: "hm"})), told.take(_chunk({"content": "Por"}))] == ["", "Por"]
    assert [untold.take(_chunk({name: None})), untold.take(_chunk({"content": "Por"}))] == ["", ""]


def _chunk(delta: dict[str, object]) -> str:
    return json.dumps({"choices": [{"index": 0, "delta": delta}]})
