"""The switches of recall reach what they switch, through the product's own composition."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx

from adapters.rerank import COHERE, JINA, Provider
from bot.compose.building import build_retrieval, build_retrieval_options, open_parts
from bot.config.schema import Settings
from bot.memory.ranking.fusion import Merging, TopicOptions
from bot.memory.ranking.ranking import SearchBudget
from bot.ports.events import AnswerProduced, ContextBuilt, Event, MemoryErased, RetrievalCompleted, TurnEnded
from bot.runtime.installation import load_live_settings
from bot.turn import ReplyKind
from harness.application import NO_RAG, make_folders, run_console
from harness.fakes.openai import FakeOpenAi, Says
from harness.samples import WordEmbedder
from memory_server.options import named_chunker
from systems.s20_context_building import Fusion, RetrievalOptions

Json = dict[str, Any]  # Any: settings as JSON
ASKED = "Where does my sister live?"


def _with(model: FakeOpenAi, recall: Json, **more: Any) -> Json:  # Any: other sections
    return {**NO_RAG, "llm": {"url": model.url, "model": "fake-model"}, "recall": recall, **more}


async def _until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not done():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)


def test_the_defaults_of_the_settings_are_those_of_the_system() -> None:
    """What the benchmark measures without settings is what the bot does without settings."""
    expected = RetrievalOptions(budget_tokens=Settings().prompt.relevant_tokens)

    assert build_retrieval_options(Settings()) == expected


def test_every_option_can_be_set() -> None:
    """Each key moves its own option."""
    topics = {"singleTokens": 9, "chunkTokens": 50, "overlapTokens": 5, "maxChunks": 3, "perChunk": 4}
    topics |= {"perDocument": 7}
    recall: Json = {
        "topics": {"enabled": False},
        "longTermTopics": {**topics, "dedup": "result", "minimumSimilarity": 0.2, "whole": True},
        "search": {"exactPassages": 0, "candidates": 70},
        "windowMessages": 4,
        "fusion": "rank",
        "distinct": True,
        "diversity": 0.3,
        "compression": "extractive",
        "knownFloor": 0.7,
    }
    settings = Settings.model_validate({"recall": recall, "rag": {"rerank": {"topK": 0, "timeoutSeconds": 0.2}}})
    made = build_retrieval_options(settings)

    assert made.store_topics is None
    assert made.rag_topics == TopicOptions(9, 50, 5, 3, 4, 7, Merging.RESULT, 0.2, whole=True)
    assert made.budget == SearchBudget(0, 70)
    assert (made.window, made.fusion, made.distinct, made.diversity) == (4, Fusion.RANK, True, 0.3)
    assert (made.compress, made.known_floor, made.top_k, made.rerank_s) == (True, 0.7, 0, 0.2)


@pytest.mark.parametrize(("provider", "name"), [(COHERE, "cohere"), (JINA, "jina")])
async def test_a_reranker_over_http_sorts_what_the_turn_found(
    tmp_path: Path, respx_mock: respx.Router, provider: Provider, name: str
) -> None:
    """``rag.rerank.provider`` and its key; after a failure the ranking stands and /why says so."""
    order = {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}
    route = respx_mock.post(provider.url).mock(
        side_effect=[httpx.Response(200, json=order), httpx.Response(503, text="busy")]
    )
    settings = {"rag": {"enabled": False, "rerank": {"provider": name, "apiKey": "key-1"}}}
    heard: list[Event] = []
    async with run_console(tmp_path, {"rag": {"enabled": False}}) as chat:
        chat.app.parts.events.subscribe(_keeping(heard))
        await chat.say("My sister Vera lives in Porto.")
        await chat.say("My sister plays the cello.")
        await chat.say("/new")
        chat.configure(settings)
        await chat.say(ASKED)
        await chat.say("And what does my sister play?")
        why = await chat.say("/why")
        await _until(lambda: sum(isinstance(event, RetrievalCompleted) for event in heard) >= 2)

    ranked = [event for event in heard if isinstance(event, RetrievalCompleted) and event.question == ASKED]
    assert [memory.signals.get("rerank") for memory in ranked[0].found] == [0.9, 0.1]
    assert json.loads(route.calls[0].request.content)["query"] == ASKED
    assert "rerank: the reranker" in why
    assert "HTTP 503" in why


async def test_a_local_reranker_that_is_not_installed_costs_its_order_alone(tmp_path: Path) -> None:
    """FlashRank is an extra; /why names it."""
    async with run_console(tmp_path, {"rag": {"enabled": False, "rerank": {"provider": "flashrank"}}}) as chat:
        await chat.say("My sister Vera lives in Porto.")
        await chat.say("/new")
        answer = await chat.say(ASKED)
        why = await chat.say("/why")

    assert "Porto" in answer
    assert "add the extra" in why


async def test_the_model_reads_the_question_where_it_is_switched_on(tmp_path: Path) -> None:
    """Expansion finds with other words what the question's own do not; off, no such call is made."""
    wordings = Says(json.dumps({"wordings": ["harpsichord attic"]}))
    async with FakeOpenAi() as model, run_console(tmp_path, NO_RAG) as chat:
        await chat.say("The harpsichord is in the attic.")
        await chat.say("/new")
        chat.configure(_with(model, {"understanding": {"expansion": True}}))
        model.script.extend([wordings, Says("In the attic.")])
        await chat.say("Whither the cembalo?")
        shown = model.requests[-1]["messages"][-1]["content"]
        chat.configure(_with(model, {}))
        await chat.say("/new")
        await chat.say("Whither the cembalo?")

    assert "other wordings" in model.requests[0]["messages"][0]["content"]
    assert "harpsichord is in the attic" in shown
    assert len(model.requests) == 3


@pytest.mark.parametrize(
    ("mode", "answer"),
    [("flag", r"She lives in Lisbon.*Careful"), ("reject", r"lives in Porto.*Careful"), ("off", r"Lisbon\.$")],
)
async def test_an_answer_that_memory_contradicts(tmp_path: Path, mode: str, answer: str) -> None:
    """``recall.check.mode`` decides what becomes of it."""
    async with FakeOpenAi() as model, run_console(tmp_path, NO_RAG) as chat:
        await chat.say("My sister Vera lives in Porto.")
        await chat.say("/new")
        chat.configure(_with(model, {"check": {"mode": mode, "judge": "words"}}))
        model.script.append(Says("She lives in Lisbon."))
        said = await chat.say(ASKED)

    assert re.search(answer, said, re.DOTALL)


@pytest.mark.parametrize(
    ("recall", "lines"), [({}, ["I don't know"]), ({"withoutModel": "direct"}, ["cello", "piano"])]
)
async def test_answers_without_a_model_quote_or_list(tmp_path: Path, recall: Json, lines: list[str]) -> None:
    """``recall.withoutModel``: what answers, or what was found; a floor that nothing reaches silences the list."""
    async with run_console(tmp_path, {**NO_RAG, "recall": {"knownFloor": 0.0, **recall}}) as chat:
        await chat.say("My sister Vera plays the cello.")
        await chat.say("My brother Tom plays the piano.")
        await chat.say("/new")
        listed = await chat.say("What about my sister and my brother and their instruments in summer?")
        chat.configure({**NO_RAG, "recall": {"knownFloor": 1.0, **recall}})
        doubted = await chat.say("What about my sister and my brother and their instruments in winter?")

    assert all(line in listed for line in lines)
    assert doubted.startswith("I don't know")
    assert "cello" not in doubted


async def test_every_second_answer_is_evaluated_behind_the_conversation(tmp_path: Path) -> None:
    """The log tells the shares and no text."""
    log = tmp_path / "log"
    async with FakeOpenAi() as model, run_console(tmp_path, NO_RAG, log=log) as chat:
        await chat.say("My sister Vera lives in Porto.")
        chat.configure(_with(model, {"evaluation": {"every": 2}}))
        for town in ("Rome", "Porto", "Rome", "Lisbon"):
            model.script.append(Says(f"She lives in {town}."))
            await chat.say("/new")
            await chat.say(ASKED)
        await _until(lambda: chat.app.evaluation.means[0] == 2)
        count, relevance, faithfulness = chat.app.evaluation.means
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if "answer evaluated" in line]

    assert count == len(lines) == 2
    assert relevance > 0
    assert faithfulness == 0.5
    assert "Porto" not in "".join(lines)


async def test_events_of_a_conversation(tmp_path: Path) -> None:
    """Retrieval, prompt and answer of a turn, and an erase, in order; a statement asks memory only for a model."""
    heard: list[Event] = []
    async with run_console(tmp_path) as chat:
        chat.app.parts.events.subscribe(_keeping(heard))
        await chat.say("My sister Vera lives in Porto.")
        await chat.say(ASKED)
        await chat.say("/forget Porto")
        await chat.say("yes")
        await _until(lambda: any(isinstance(event, MemoryErased) for event in heard))

    kinds = [type(event) for event in heard]
    assert kinds[:3] == [ContextBuilt, AnswerProduced, TurnEnded]
    assert kinds[3:7] == [RetrievalCompleted, ContextBuilt, AnswerProduced, TurnEnded]
    told = heard[1]
    assert isinstance(told, AnswerProduced)
    assert told.turn.reply is not None
    assert told.turn.reply.kind is ReplyKind.NOTED


PLUGIN = """
import asyncio
from dataclasses import dataclass
from typing import ClassVar
from bot.ports.chat_model import ToolSpec

heard = []

@dataclass
class Dice:
    spec: ClassVar = ToolSpec("dice", "Roll one die.", {"type": "object", "properties": {}})
    writes: ClassVar = False
    outside: ClassVar = False

    async def run(self, turn, arguments):
        return "four"

@dataclass
class Backwards:
    inner: object

    async def recall(self, scope, query):
        return tuple(reversed(await self.inner.recall(scope, query)))

@dataclass
class Late:
    inner: object

    async def recall(self, scope, query):
        await asyncio.sleep(0.6)
        return await self.inner.recall(scope, query)

class Sorted:
    def __init__(self, settings):
        self.settings = settings

    async def rerank(self, question, found, top_k):
        return tuple(sorted(found, key=lambda memory: memory.text))[:top_k]

def subscriber():
    async def hear(event):
        heard.append(event)
        raise RuntimeError("no matter")
    return hear

class Lines:
    version = "lines-1"

    def chunks(self, text, size, overlap, count):
        return text.splitlines()

def broken():
    raise RuntimeError("not today")
"""
ENTRY_POINTS = """
[mneme.tools]
dice = mneme_test_plugin:Dice
broken = mneme_test_plugin:broken
[mneme.retrieval]
late = mneme_test_plugin:Late
backwards = mneme_test_plugin:Backwards
[mneme.rerankers]
sorted = mneme_test_plugin:Sorted
[mneme.chunkers]
lines = mneme_test_plugin:Lines
broken = mneme_test_plugin:broken
[mneme.subscribers]
ear = mneme_test_plugin:subscriber
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with an entry point in every group."""
    folder = tmp_path / "site"
    info = folder / "mneme_test_plugin-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "mneme_test_plugin.py").write_text(PLUGIN, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mneme-test-plugin\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "mneme_test_plugin", raising=False)
    return folder


async def test_plug_ins_are_loaded_by_name(tmp_path: Path, plugin: Path) -> None:
    """A tool, a search, a reranker and a subscriber; one that breaks is left out and the others work."""
    settings: Json = {
        "rag": {"enabled": False, "rerank": {"provider": "plugin", "plugin": "sorted"}},
        "recall": {"strategy": "backwards"},
        "plugins": {"tools": ["dice", "broken", "missing"], "subscribers": ["ear"]},
    }
    async with FakeOpenAi() as model, run_console(tmp_path, _with(model, {}) | settings) as chat:
        model.script.extend([Says(calls=(("dice", "{}"),)), Says("Four it is.")])
        answer = await chat.say("Roll a die, please.")
        offered = {tool["function"]["name"] for tool in model.requests[0]["tools"]}
        made = build_retrieval(chat.app.parts, lambda: False)
        await _until(lambda: len(sys.modules["mneme_test_plugin"].heard) >= 3)

    assert answer == "Four it is."
    assert "dice" in offered
    assert "broken" not in offered
    assert model.requests[1]["messages"][-1]["content"] == "four"
    assert type(made.recall).__name__ == "Backwards"
    assert type(made.reranker).__name__ == "Sorted"


async def test_without_a_model_a_late_store_is_waited_for(tmp_path: Path, plugin: Path) -> None:
    """Memory is all there is to answer from; where even that is too late, nothing is claimed about what was told."""
    settings: Json = {
        "rag": {"enabled": False, "queryBudgetSeconds": 0.1},
        "memory": {"contextDeadlineSeconds": 0.1, "answerDeadlineSeconds": 30},
        "recall": {"strategy": "late"},
    }
    async with run_console(tmp_path, settings) as chat:
        await chat.say("My sister Vera lives in Porto.")
        await chat.say("/new")
        late = await chat.say(ASKED)
        chat.configure({**settings, "memory": {"contextDeadlineSeconds": 0.1, "answerDeadlineSeconds": 0.1}})
        too_late = await chat.say("And where does my brother live?")
        why = await chat.say("/why")

    assert "Porto" in late
    assert "in time. Please ask me again" in too_late
    assert "missed the deadline of 0.1 s" in why


@pytest.mark.parametrize(("name", "made"), [("lines", "Lines"), ("broken", "NoneType"), ("", "NoneType")])
def test_the_memory_servers_chunker_is_named_in_its_environment(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, name: str, made: str
) -> None:
    """Serving and ``reindex`` take the same; one that breaks leaves the chunker along headings."""
    monkeypatch.setenv("MEMORY_SERVER_CHUNKER", name)

    assert type(named_chunker()).__name__ == made


async def test_what_is_installed_but_not_named_is_not_loaded(tmp_path: Path, plugin: Path) -> None:
    """Installing something changes nothing by itself."""
    folders = make_folders(tmp_path, NO_RAG)
    parts = await open_parts(folders, load_live_settings(folders), embedder=WordEmbedder())
    made = build_retrieval(parts, lambda: False)
    await parts.close()

    assert made.recall is parts.recall
    assert made.reranker is None
    assert "mneme_test_plugin" not in sys.modules


def _keeping(heard: list[Event]) -> Any:  # Any: a function is a Subscriber
    async def hear(event: Event) -> None:
        heard.append(event)

    return hear
