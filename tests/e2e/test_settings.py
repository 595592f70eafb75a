"""runtime-config.json is edited while people talk: every change acts, no typo harms, no turn is lost."""

from __future__ import annotations

import json
from typing import Any

from harness.fakes.lightrag import FakeLightRag
from harness.processes import Home, Running, count, reported, running, until, waiting


def settings(rag: FakeLightRag, **more: Any) -> dict[str, Any]:  # Any: settings as JSON
    return {"rag": {"url": rag.url, "apiKey": "secret", **more}}


def in_place(home: Home, text: str) -> None:
    """Write as editors do that keep the file: cut it to nothing, then write in pieces."""
    with home.config.open("w", encoding="utf-8") as file:
        for start in range(0, len(text), 20):
            file.write(text[start : start + 20])
            file.flush()


def mode(rag: FakeLightRag) -> str:
    """Return the query mode that was asked for last."""
    bodies = [request.json for request in rag.http.requests if request.path == "/query/data"]
    last = bodies[-1]
    assert isinstance(last, dict)
    return str(last["mode"])


async def followed(home: Home, times: int) -> None:
    """Wait until that many changes are in force."""
    await until(lambda: home.logged().count('"config changed"') >= times)


async def said(chat: Running, *lines: str) -> list[str]:
    return [await chat.say(line) for line in lines]


async def test_edits_act_at_once_and_mistakes_change_nothing(home: Home) -> None:
    """rag.enabled off and on, another queryMode, a syntax error, its repair: all in one running chat."""
    async with FakeLightRag() as rag:
        home.configure(settings(rag))
        async with running(home, "chat", "--plain") as chat:
            answers = await said(chat, "My sister Vera lives in Porto.", "Where does Vera live?")
            await until(lambda: waiting(home.data) == 0)
            first = mode(rag)

            home.configure(settings(rag, enabled=False))
            await followed(home, 1)
            asked = len(rag.http.requests)
            answers += await said(chat, "My brother Pavel plays the cello.", "What does Pavel play?")
            silent = len(rag.http.requests) == asked
            unwritten = [found.text for tag in list(rag.workspaces) for found in rag.processed(tag)]

            in_place(home, json.dumps(settings(rag, enabled=True, queryMode="naive"), indent=2))
            await followed(home, 2)
            answers += await said(chat, "My aunt Olga keeps bees in Narva.", "What does Olga keep?")
            await until(lambda: waiting(home.data) == 0)
            second = mode(rag)

            in_place(home, '{"rag": {\n  "enabled": tru,\n')
            await until(lambda: "config rejected" in home.logged())
            answers += await said(chat, "My uncle Juri repairs clocks.", "What does Juri repair?")
            await until(lambda: waiting(home.data) == 0)
            report = await reported(home, "check")
            home.configure(settings(rag, queryMode="mix"))
            await followed(home, 3)
            answers += await said(chat, "Where does Vera live?")
            third = mode(rag)
            await until(lambda: count(home.data, "SELECT count(*) FROM deferred_documents") == waiting(home.data) == 0)
            code = await chat.leave()
        documents = [found.text for tag in list(rag.workspaces) for found in rag.processed(tag)]

    for expected, answer in zip(
        ("Porto", "cello", "bees", "clocks", "Porto"), answers[1::2] + answers[-1:], strict=True
    ):
        assert expected in answer
    assert silent
    assert (first, second, third) == ("hybrid", "naive", "mix")
    assert report["config"]["state"] == "degraded"
    assert "runtime-config.json:2:14" in report["config"]["reason"]
    assert home.logged().count("config rejected") == 1
    assert not any("Pavel plays" in text for text in unwritten)
    assert all(any(name in text for text in documents) for name in ("Vera", "Pavel", "Olga", "Juri"))
    assert count(home.data, "SELECT count(*) FROM exchanges") == len(answers)
    assert code == 0
