"""A language model over HTTP: it streams, calls tools and fails in every known way; users get clear words."""

from __future__ import annotations

import re
from pathlib import Path

from harness.fakes.openai import Breaks, Fails, FakeOpenAi, Raw, Says, Step
from harness.fakes.telegram import FakeTelegram
from harness.processes import Home, Running, running

KEY = "sk-proj-abcdefghijklmnop1234567890"
ANNA = 7


def settings(model: FakeOpenAi) -> dict[str, object]:
    return {"rag": {"enabled": False}, "llm": {"url": model.url, "model": "fake-model"}}


def holding(home: Home, secret: str) -> list[Path]:
    """Return the files that hold a secret."""
    return [path for path, data in home.bytes_of().items() if secret.encode() in data]


async def scripted(model: FakeOpenAi, chat: Running, line: str, *steps: Step) -> str:
    """Say a line to a model that will take these steps, and return the answer."""
    model.script.extend(steps)
    answer = await chat.say(line)
    model.script.clear()
    return answer


async def test_answers_and_failures_in_the_terminal(home: Home) -> None:
    """A tool call finds what was said; broken streams, limits, bad keys and nonsense are named with their setting.

    The key stands in no file and no log, although the provider repeats it in its errors.
    """
    ask_memory = Says(calls=(("memory_search", '{"query": "Vera"}'),))
    limited = Fails(429, f"Rate limit reached for {KEY}", "rate_limit_exceeded", headers=(("retry-after", "0"),))
    async with FakeOpenAi(api_key=KEY) as model:
        home.configure(settings(model))
        async with running(home, "chat", "--plain", environment={"LLM_API_KEY": KEY}) as chat:
            await scripted(model, chat, "My sister Vera lives in Porto.", Says("That is a fine city."))
            await scripted(model, chat, "/new")
            found = await scripted(model, chat, "Where does she live?", ask_memory, Says("She lives in Porto."))
            results = [message for message in model.requests[-1]["messages"] if message["role"] == "tool"]
            malformed = await scripted(
                model, chat, "Again?", Says(calls=(("memory_search", '{"query": '),)), Says("Porto, still.")
            )
            broken = await scripted(model, chat, "Tell me a tale.", Breaks("Once upon a time"))
            rate = await scripted(model, chat, "And now?", *[limited] * 4)
            refused = await scripted(model, chat, "And now?", Fails(401, f"Incorrect key: {KEY}", "invalid_api_key"))
            nonsense = await scripted(model, chat, "And now?", *[Raw(b"<html>welcome</html>")] * 4)
            code = await chat.leave()

    assert found == "She lives in Porto."
    assert "lives in Porto" in results[0]["content"]
    assert malformed == "Porto, still."
    assert broken.startswith("Once upon a time\n")
    assert "broke off" in broken
    assert "429" in rate
    assert re.search(r"401.*llm\.apiKey or LLM_API_KEY", refused)
    assert "language model" in nonsense
    assert "<html>" not in nonsense
    assert holding(home, KEY) == []
    assert code == 0


async def test_a_streamed_answer_with_a_tool_call_grows_in_the_chat(home: Home) -> None:
    """On Telegram it grows in drafts until it is sent whole, which memory_search has fed.

    Red when the first answer after a start was held back until it was whole, whatever the model.
    """
    tale = Says("She lives in **Porto**, by the sea, as far as I know.", pieces=12, pause_s=0.3)
    async with FakeTelegram() as telegram, FakeOpenAi(api_key=KEY) as model:
        home.configure(
            {"rag": {"enabled": False}, "llm": {"url": model.url, "model": "llama3.1:8b"}}
            | {
                "telegram": {
                    "apiUrl": telegram.url,
                    "allowedUsers": [ANNA],
                    "ownerId": ANNA,
                    "editIntervalSeconds": 0.3,
                }
            }
        )
        environment = {"LLM_API_KEY": KEY, "TELEGRAM_TOKEN": telegram.token}
        async with running(home, "run", environment=environment) as mneme:
            await telegram.says("My sister Vera lives in Porto.", user=ANNA)
            await telegram.until(lambda: telegram.texts(ANNA))
            await telegram.says("/new", user=ANNA)
            await telegram.until(lambda: len(telegram.texts(ANNA)) > 1)
            model.script.append(Says(calls=(("memory_search", '{"query": "Vera"}'),)))
            model.script.append(tale)
            await telegram.says("Where does Vera live?", user=ANNA)
            await telegram.until(lambda: telegram.texts(ANNA)[-1].endswith("as far as I know."))
            model.script.append(Fails(401, f"Incorrect key: {KEY}", "invalid_api_key"))
            before = len(telegram.texts(ANNA))
            await telegram.says("Is it warm there?", user=ANNA)
            await telegram.until(lambda: len(telegram.texts(ANNA)) > before)
            code = await mneme.stop()

    grown = telegram.chats.of(ANNA)[2]
    assert grown.text == "She lives in Porto, by the sea, as far as I know."
    assert [entity["type"] for entity in grown.entities] == ["bold"]
    drafts = [params["text"] for method, params in telegram.calls if method == "sendMessageDraft"]
    assert len(drafts) >= 2
    assert all(grown.text.startswith(draft.rstrip("*")) for draft in drafts)
    assert "llm.apiKey" in telegram.texts(ANNA)[-1]
    assert holding(home, KEY) == []
    assert holding(home, telegram.token) == []
    assert code == 0
