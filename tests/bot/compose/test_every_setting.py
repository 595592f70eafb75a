"""Every setting that is said to apply while Mneme runs does: whoever uses it sees the new value.

Each row changes one setting of a running application and looks at what its user works with, before and after.
A setting that is read once at the start, and kept, is found by its row; one without a row, by its absence.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from rich.console import Console

from adapters.mcp.servers import McpServers
from adapters.rag.client import ServerKind
from adapters.telegram.polling import TelegramReceiver
from bot.compose.entry_points import greeting
from bot.compose.telegram import open_telegram
from bot.config.fields import find_application, list_settings
from bot.config.schema import Settings
from bot.config.section import Applies
from bot.config.strict_json import format_path
from bot.features.chats.register import SettingsCommand
from bot.features.costs.register import Budgets
from bot.features.costs.settings import CostsSettings
from bot.features.documents.register import LinkReading
from bot.features.page.parts import build_sessions
from bot.memory.scope import Scope
from bot.messages import Address, ChatKind, InboundMessage
from bot.ports.document_reading import DocumentReader, PageFetcher
from bot.ports.system import CommandCall
from bot.runtime.application import Application
from bot.turn import Session, Usage, UsageKind
from harness.application import ConsoleChat, console_message, run_console
from systems.s10_attachment_reading import AttachmentReading
from systems.s20_context_building import ContextBuilding
from systems.s30_tool_loop import ToolLoop
from systems.s40_answer_check import AnswerCheck
from systems.s50_memory_persist import MemoryPersist
from systems.s55_rag_indexing import RagIndexing
from systems.s60_response_routing import ResponseRouting

Json = dict[str, Any]  # Any: settings as JSON
TOKEN = "42:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
BASE: Json = {
    "rag": {"enabled": False, "rerank": {"provider": "jina", "apiKey": "k"}},
    "llm": {"url": "http://llm.test/v1", "model": "first", "fallbacks": [{"model": "second"}], "contextTokens": 16000},
    "recall": {"check": {"mode": "flag"}, "understanding": {"expansion": True}},
    "telegram": {"token": TOKEN, "apiUrl": "http://127.0.0.1:9"},
}
System = TypeVar("System")
Probe = Callable[["Looked"], object]


@dataclass
class Looked:
    """A running application with the Telegram receiver of its settings, which is not running."""

    chat: ConsoleChat
    receiver: TelegramReceiver

    @property
    def app(self) -> Application:
        return self.chat.app

    def system(self, kind: type[System]) -> System:
        return next(each for each in self.app._pipeline.systems if isinstance(each, kind))

    @property
    def limits(self) -> Any:  # Any: ContextLimits
        return self.system(ContextBuilding).limits

    @property
    def options(self) -> Any:  # Any: RetrievalOptions
        return self.system(ContextBuilding).retrieval.options

    @property
    def loop(self) -> Any:  # Any: ToolLoopLimits
        return self.system(ToolLoop).limits

    @property
    def models(self) -> tuple[Any, ...]:  # Any: OpenAiChat
        metered: Any = self.system(ToolLoop).model  # Any: as above
        model = metered.model
        return getattr(model, "models", (model,))

    @property
    def longterm(self) -> Any:  # Any: its private parts are looked at
        return self.app.parts.longterm

    @property
    def messenger(self) -> Any:  # Any: as above
        return self.app.parts.messengers["telegram"]

    def kept(self, function: object, name: str) -> Any:  # Any: as below
        """Return what a function has closed over."""
        return inspect.getclosurevars(function).nonlocals[name]  # type: ignore[arg-type]  # a function

    def job(self, name: str) -> Any:  # Any: what a job runs is looked into
        assert self.app._schedule is not None
        return next(job for job in self.app._schedule.jobs if job.name == name)


@dataclass(frozen=True)
class Row:
    """A setting, another value, where its user is, and what that must see (the value itself unless said)."""

    key: str
    value: object
    probe: Probe
    seen: object = None
    beside: Json | None = None
    """What must stand in the file before and after, for the setting to matter."""


def _topics(key: str, name: str, value: object, field: str, seen: object = None) -> Row:
    attribute = "store_topics" if key == "topics" else "rag_topics"
    return Row(f"recall.{key}.{name}", value, lambda g: getattr(getattr(g.options, attribute), field), seen)


def _each_topic(key: str) -> Iterator[Row]:
    attribute = "store_topics" if key == "topics" else "rag_topics"
    yield Row(f"recall.{key}.enabled", False, lambda g: getattr(g.options, attribute) is not None)
    yield _topics(key, "singleTokens", 9, "single_tokens")
    yield _topics(key, "chunkTokens", 50, "chunk_tokens")
    yield _topics(key, "overlapTokens", 7, "overlap_tokens")
    yield _topics(key, "maxChunks", 3, "most_chunks")
    yield _topics(key, "perChunk", 4, "per_chunk")
    yield _topics(key, "perDocument", 9, "per_document")
    yield _topics(key, "dedup", "result", "merging")
    yield _topics(key, "minimumSimilarity", 0.2, "least_score")
    yield _topics(key, "whole", True, "whole")


def _reranker(looked: Looked) -> Any:  # Any: its private parts are looked at
    return looked.system(ContextBuilding).retrieval.reranker


def _check(looked: Looked) -> AnswerCheck:
    return looked.system(AnswerCheck)


def _understanding(looked: Looked) -> Any:  # Any: the port tells nothing of it
    return looked.system(ContextBuilding).retrieval.understanding


def _scope(kind: ChatKind) -> Probe:
    return lambda g: g.app._pipeline.scope_of(console_message("hello", kind=kind, chat=7)).tag


async def _may_change_group(looked: Looked) -> bool:
    """Return whether an admin of a group may change its settings."""

    class Admins:
        async def is_admin(self, address: Address, user_id: int) -> bool:
            return True

    parts = looked.app.parts
    parts.group_roles["console"] = Admins()
    message = console_message("/settings", kind=ChatKind.GROUP, chat=-7)
    command = next(each for each in parts.added.commands if isinstance(each, SettingsCommand))
    call = CommandCall("settings", "", message, Scope("ccn7"), Session(1, message.sent_at), message.sent_at)
    return await command.may_change(call)


def _stops(looked: Looked, key: str) -> bool:
    stop = looked.app.parts.need(Budgets).find_stop(Scope("cu42"))
    return stop is not None and stop.limit.key == key


_TEN: Json = {"costs": {"chat": {"dayTokens": 10}}}
_LEARNING = UsageKind.LEARNING


def _half_used(looked: Looked) -> Budgets:
    """Return budgets of which a chat has used half of its ten tokens."""
    ledger: Any = NotedNowhere()  # Any: a part of the port
    budgets = Budgets(ledger, lambda: looked.app.parts.settings.current.of(CostsSettings), looked.app.parts.clock)
    budgets.note(Scope("cu42"), UsageKind.ANSWER, "m", Usage(4, 1, 1))
    return budgets


class NotedNowhere:
    """A ledger that keeps nothing."""

    def note(self, *_: object) -> None:
        return


def _may_use(looked: Looked) -> bool:
    longterm = looked.longterm
    longterm._kind, longterm._owner._tag = ServerKind.STOCK, "somebody else"
    return bool(longterm._may_use(Scope("cu1")))


async def _code_minutes(looked: Looked) -> float:
    """Return how long the code of a greeting is valid."""
    before = looked.app.parts.clock.now()
    console = Console(record=True, quiet=True)
    with suppress(OSError):
        await greeting(looked.app.parts, console)
    codes = await looked.app.parts.housekeeping.database.read(
        lambda db: db.execute("SELECT expires_at FROM pairing_codes ORDER BY id DESC").fetchone()[0]
    )
    return float(round((codes - before.timestamp()) / 60))


async def _embedded(looked: Looked) -> Any:  # Any: the process' private parts
    """Return the child, as the next look at the settings leaves it; no process is started."""
    child = looked.longterm._child

    async def still() -> None:
        return None

    child.start = still
    await looked.longterm._serve(looked.longterm._rag.embedded)
    return child


async def _option(looked: Looked, name: str) -> int:
    command = (await _embedded(looked))._command
    return int(command[command.index(name) + 1])


async def _start_s(looked: Looked) -> float:
    return float((await _embedded(looked))._watch.start_s)


def _retention(looked: Looked) -> Any:  # Any: RetentionSettings
    """Return what tidying reads, as it reads it."""
    return looked.app.parts.housekeeping.settings.current.retention


def _reading(looked: Looked) -> Any:  # Any: ReadingLimits
    return looked.app.parts.need(DocumentReader)._limits()  # type: ignore[attr-defined]  # the real one


def _listener(looked: Looked) -> Any:  # Any: RecordingHandler
    return next(each for each in looked.system(AttachmentReading).handlers if "voice" in each.kinds)


def _transcriber(looked: Looked) -> Any:  # Any: its private parts are looked at
    return _listener(looked).transcriber


def _fetching(looked: Looked) -> Any:  # Any: FetchLimits
    return looked.app.parts.need(PageFetcher)._limits()  # type: ignore[attr-defined]  # the real one


def _style(_: Looked) -> str:
    formatter: Any = logging.getLogger().handlers[0].formatter  # Any: structlog's
    return type(formatter.processors[-1]).__name__


def _rerank(**settings: object) -> Json:
    return {"rag": {"rerank": settings}}


_SHARED: Json = {"memory": {"scopeDirect": "shared", "sharedName": "work"}}
_VOICE: Json = {"voice": {"url": "http://v.test/v1"}}
_STOCK: Json = {"rag": {"url": "http://x.test"}}


def _strategy(looked: Looked) -> str:
    return type(looked.system(ContextBuilding).retrieval.recall).__name__


ROWS: tuple[Row, ...] = (
    Row("rag.enabled", True, lambda g: g.system(RagIndexing).writing(), beside={"rag": {"url": "http://127.0.0.1:9"}}),
    Row("rag.url", "http://127.0.0.1:9", lambda g: g.longterm._url()),
    Row("rag.apiKey", "key", lambda g: g.longterm._key(), beside=_STOCK),
    Row("rag.queryMode", "mix", lambda g: g.system(ContextBuilding).retrieval.mode.value),
    Row("rag.exchanges", True, lambda g: g.options.exchanges),
    Row("rag.timeoutSeconds", 3.5, lambda g: g.longterm.client._ingestion_route._records._deadline_s()),
    Row("rag.queryBudgetSeconds", 0.4, lambda g: g.options.rag_deadline_s),
    Row("rag.indexMinLength", 9, lambda g: g.system(RagIndexing).min_length),
    Row("rag.sharedWorkspace", True, _may_use, beside=_STOCK),
    Row("rag.topK", 9, lambda g: g.longterm.client._query_route._size().top_k),
    Row("rag.chunkTopK", 9, lambda g: g.longterm.client._query_route._size().chunk_top_k),
    Row("rag.relations", False, lambda g: g.longterm._rag.relations),
    Row("rag.cacheSeconds", 0.0, lambda g: g.longterm.client.cache._ttl_s()),
    Row("rag.indexWorkers", 2, lambda g: g.longterm.indexer._workers()),
    Row("rag.rerank.provider", "cohere", lambda g: _reranker(g)._provider.name, "Cohere"),
    Row("rag.rerank.plugin", "sorted", lambda g: type(_reranker(g)).__name__, "Sorted", _rerank(provider="plugin")),
    Row("rag.rerank.url", "http://r.test", lambda g: _reranker(g)._url),
    Row("rag.rerank.apiKey", "other", lambda g: _reranker(g)._client.headers["Authorization"], "Bearer other"),
    Row("rag.rerank.model", "m", lambda g: _reranker(g)._model),
    Row("rag.rerank.topK", 9, lambda g: g.options.top_k),
    Row("rag.rerank.timeoutSeconds", 0.2, lambda g: (_reranker(g)._deadline_s, g.options.rerank_s), (0.2, 0.2)),
    Row("rag.embedded.port", 9999, lambda g: _option(g, "--port")),
    Row("rag.embedded.openWorkspaces", 5, lambda g: _option(g, "--open-workspaces")),
    Row("rag.embedded.startTimeoutSeconds", 9.0, _start_s),
    Row("memory.enabled", False, lambda g: g.system(MemoryPersist).remembering()),
    Row("memory.recallEnabled", False, lambda g: g.system(ContextBuilding).retrieval.recall is not None),
    Row("memory.itemsEnabled", False, lambda g: g.system(ContextBuilding).items is not None),
    Row("memory.disclosure", "full", lambda g: g.limits.disclosure),
    *(
        Row(f"memory.topKPerLayer.{layer}", 2, lambda g, layer=layer: g.limits.top_k_per_layer[layer])  # type: ignore[misc]  # a default argument holds the loop's value
        for layer in ("working", "episodic", "semantic", "procedural")
    ),
    Row("memory.relevanceFloor", 0.5, lambda g: g.limits.relevance_floor),
    Row("memory.softTokens", 100, lambda g: g.limits.soft_tokens),
    Row("memory.maxTokens", 2000, lambda g: g.limits.max_tokens),
    Row("memory.wishTokens", 90, lambda g: g.limits.wish_tokens),
    Row("memory.contextDeadlineSeconds", 2.0, lambda g: g.options.deadline_s),
    Row("memory.answerDeadlineSeconds", 20.0, lambda g: g.options.store_deadline_s, beside={"llm": {"enabled": False}}),
    Row("memory.undoSeconds", 5.0, lambda g: g.app.parts.eraser._undo_s()),  # type: ignore[attr-defined]  # the real one
    Row("memory.scopeDirect", "chat", _scope(ChatKind.DIRECT), "cc7"),
    Row("memory.scopeGroup", "user", _scope(ChatKind.GROUP), "cu42"),
    Row(
        "memory.sharedName",
        "home",
        _scope(ChatKind.DIRECT),
        "s_home",
        {"memory": {"scopeDirect": "shared", "sharedName": "work"}},
    ),
    Row("costs.currency", "EUR", lambda g: g.app.parts.need(Budgets).list_prices().currency),
    Row(
        "costs.prices",
        [{"model": "first", "prompt": 1.5}],
        lambda g: [float(price.prompt) for price in g.app.parts.need(Budgets).list_prices().prices],
        [1.5],
    ),
    Row("costs.useReported", False, lambda g: g.app.parts.need(Budgets).list_prices().reported),
    *(
        Row(f"costs.{whose}.{key}", 0, lambda g, key=key, whose=whose: _stops(g, f"costs.{whose}.{key}"), True)  # type: ignore[misc]  # a default argument holds the loop's value
        for whose in ("chat", "total")
        for key in ("dayMoney", "monthMoney", "dayTokens", "monthTokens")
    ),
    Row("costs.warnShare", 0.5, lambda g: _half_used(g).take_warning(Scope("cu42")) is not None, True, _TEN),
    Row(
        "costs.backgroundShare",
        0.5,
        lambda g: bool(_half_used(g).refuse_background(Scope("cu42"), _LEARNING)),
        True,
        _TEN,
    ),
    Row("chats.groupSettings", "owner", _may_change_group, False),
    Row(
        "chats.scope",
        False,
        lambda g: g.app.parts.rules.list_scopes(ChatKind.GROUP, g.app.parts.settings.current),
        (),
    ),
    *_each_topic("topics"),
    *_each_topic("longTermTopics"),
    Row("recall.search.exactPassages", 9, lambda g: g.options.budget.exact_passages),
    Row("recall.search.candidates", 70, lambda g: g.options.budget.candidates),
    Row("recall.windowMessages", 4, lambda g: g.options.window),
    Row("recall.fusion", "rank", lambda g: g.options.fusion.value),
    Row("recall.distinct", True, lambda g: g.options.distinct),
    Row("recall.diversity", 0.3, lambda g: g.options.diversity),
    Row("recall.compression", "extractive", lambda g: g.options.compress, True),
    Row("recall.knownFloor", 0.7, lambda g: g.options.known_floor),
    Row("recall.helpFloor", 0.4, lambda g: g.limits.help_floor),
    Row(
        "recall.withoutModel",
        "direct",
        lambda g: g.kept(g.kept(g.system(ToolLoop).remembered, "answering"), "direct"),
        True,
    ),
    Row("recall.strategy", "backwards", _strategy, "Backwards"),
    Row("recall.understanding.expansion", False, lambda g: _understanding(g) is not None),
    Row("recall.understanding.hyde", True, lambda g: _understanding(g).supposed),
    Row("recall.understanding.routing", True, lambda g: _understanding(g).mode),
    Row("recall.understanding.deadlineSeconds", 1.0, lambda g: _understanding(g).deadline_s),
    Row("recall.check.mode", "reject", lambda g: _check(g).consequence.value),
    Row("recall.check.judge", "words", lambda g: type(_check(g).judge).__name__, "WordJudge"),
    Row("recall.check.floor", 0.9, lambda g: _check(g).floor),
    Row("recall.check.deadlineSeconds", 1.0, lambda g: _check(g).deadline_s),
    Row("recall.evaluation.every", 3, lambda g: g.app.evaluation._every()),
    Row("recall.evaluation.judge", "model", lambda g: type(g.app.evaluation._judge()).__name__, "LlmJudge"),
    Row("telegram.allowedUsers", [7], lambda g: g.receiver._access_control.lists.users(), frozenset({7})),
    Row("telegram.allowedChats", [-7], lambda g: g.receiver._access_control.lists.chats(), frozenset({-7})),
    Row("telegram.ownerId", 7, lambda g: g.receiver._access_control.lists.owners(), frozenset({7})),
    Row("telegram.strangers", "answer", lambda g: g.receiver._service_replies.to_strangers(), True),
    Row("telegram.openGroups", True, lambda g: g.receiver._access_control.lists.open_groups()),
    Row("telegram.pairing", False, lambda g: g.receiver._access_control.pairing._open()),
    Row("telegram.pairingCodeMinutes", 7, _code_minutes),
    Row("telegram.streaming", False, lambda g: g.messenger._streaming()),
    Row("telegram.editIntervalSeconds", 9.0, lambda g: g.messenger._edit_interval_s()),
    Row("telegram.drafts", False, lambda g: g.messenger._drafts()),
    Row("telegram.reactions", True, lambda g: g.messenger.acknowledges),
    Row("telegram.fileAfterMessages", 9, lambda g: g.system(ResponseRouting).layout.most_messages),
    Row("llm.enabled", False, lambda g: g.system(ToolLoop).model is not None),
    Row("llm.url", "http://other.test/v1", lambda g: g.models[0]._place[0]),
    Row("llm.apiKey", "key", lambda g: g.models[0]._place[1]),
    Row("llm.model", "other", lambda g: g.models[0].model),
    Row("llm.fallbacks", [], lambda g: len(g.models), 1),
    Row("llm.temperature", 0.5, lambda g: g.models[0]._temperature),
    Row("llm.maxTokens", 99, lambda g: g.models[0]._max_tokens),
    Row("llm.timeoutSeconds", 9.0, lambda g: g.models[0]._timeouts.first_s),
    Row("llm.contextTokens", 9000, lambda g: g.loop.context_tokens),
    Row("llm.cacheControl", "on", lambda g: g.models[0]._cache_control),
    Row("llm.memoryRole", "system", lambda g: g.models[0]._memory_role),
    Row("llm.vision", "off", lambda g: g.models[0]._vision),
    Row("llm.maxCalls", 3, lambda g: g.loop.model_calls),
    Row("llm.maxToolRuns", 3, lambda g: g.loop.tool_runs),
    Row("llm.wallSeconds", 9.0, lambda g: g.loop.wall_s),
    Row("page.linkMinutes", 3, lambda g: build_sessions(g.app.parts).link_s() / 60),
    Row("page.sessionMinutes", 5, lambda g: build_sessions(g.app.parts).idle_s() / 60),
    Row("session.idleMinutes", 9, lambda g: g.kept(g.job("idle sessions").run, "keep")().idle_minutes),
    Row("session.historyExchanges", 3, lambda g: g.limits.history_exchanges),
    Row("session.compactAfterTokens", 900, lambda g: g.app._compaction.keeping().compact_after_tokens),
    Row("prompt.sectionsTokens", 9, lambda g: g.limits.section_tokens),
    Row("prompt.relevantTokens", 9, lambda g: g.limits.relevant_tokens),
    Row("prompt.skillTokens", 9, lambda g: g.limits.skill_tokens),
    Row("prompt.historyTokens", 9, lambda g: g.limits.history_tokens),
    Row("prompt.historyShare", 0.25, lambda g: g.limits.history_tokens, 4000),
    Row("documents.links", False, lambda g: g.system(LinkReading).wanted()),
    Row("documents.maxMegabytes", 3, lambda g: _reading(g).size, 3 * 1024 * 1024),
    Row("documents.maxPages", 9, lambda g: _reading(g).pages),
    Row("documents.maxCharacters", 9000, lambda g: _reading(g).characters),
    Row("documents.timeoutSeconds", 9.0, lambda g: _reading(g).seconds),
    Row("documents.memoryMegabytes", 200, lambda g: _reading(g).memory, 200 * 1024 * 1024),
    Row("voice.url", "http://v.test/v1", lambda g: _transcriber(g) is not None, True),
    Row("voice.apiKey", "key", lambda g: _transcriber(g)._place[1], beside=_VOICE),
    Row("voice.model", "m", lambda g: _transcriber(g)._model, beside=_VOICE),
    Row("voice.language", "de", lambda g: _transcriber(g)._language, beside=_VOICE),
    Row("voice.timeoutSeconds", 9.0, lambda g: _transcriber(g)._timeout_s, beside=_VOICE),
    Row("voice.maxMinutes", 2, lambda g: _listener(g).longest_s, 120),
    Row("web.fetch", False, lambda g: "web_fetch" in {tool.spec.name for tool in g.system(ToolLoop).tools}),
    Row("web.maxMegabytes", 3, lambda g: _fetching(g).size, 3 * 1024 * 1024),
    Row("web.timeoutSeconds", 9.0, lambda g: _fetching(g).seconds),
    Row("web.allowPrivate", ["nas.lan"], lambda g: _fetching(g).private, frozenset({"nas.lan"})),
    Row(
        "mcp.servers",
        [{"name": "notes", "command": "no-such-program"}],
        lambda g: [each.name for each in g.app.parts.need(McpServers).list_servers()],
        ["notes"],
    ),
    Row("plugins.tools", ["dice"], lambda g: "dice" in {tool.spec.name for tool in g.system(ToolLoop).tools}, True),
    Row("retention.journalDays", 3, lambda g: _retention(g).journal_days),
    Row("retention.deliveryDays", 3, lambda g: _retention(g).delivery_days),
    Row("retention.traceDays", 3, lambda g: _retention(g).trace_days),
    Row("retention.backups", 3, lambda g: _retention(g).backups),
    Row("retention.sweepMinutes", 3, lambda g: g.job("retention").every_s / 60),
    Row("log.level", "debug", lambda _: logging.getLogger().level, logging.DEBUG),
    Row("log.format", "console", _style, "ConsoleRenderer"),
    Row("language", "ru", lambda g: g.app._pipeline.localise(console_message("hello")).texts.notice.failed > "А", True),
    Row("timeZone", "Asia/Tokyo", lambda g: str(g.app.parts.clock.now().utcoffset()), "9:00:00"),
)

PLUGIN = """
from typing import ClassVar
from bot.ports.chat_model import ToolSpec

class Dice:
    spec: ClassVar = ToolSpec("dice", "Roll one die.", {"type": "object", "properties": {}})
    writes: ClassVar = False
    outside: ClassVar = False

class Backwards:
    def __init__(self, inner):
        self.inner = inner

class Sorted:
    def __init__(self, settings):
        self.settings = settings
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package with a tool, a search and a reranker."""
    info = tmp_path / "site" / "mneme_row_plugin-1.0.dist-info"
    info.mkdir(parents=True)
    (info.parent / "mneme_row_plugin.py").write_text(PLUGIN, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mneme-row-plugin\nVersion: 1.0\n", encoding="utf-8")
    groups = {"tools": "dice = mneme_row_plugin:Dice", "retrieval": "backwards = mneme_row_plugin:Backwards"}
    groups["rerankers"] = "sorted = mneme_row_plugin:Sorted"
    lines = "".join(f"[mneme.{group}]\n{line}\n" for group, line in groups.items())
    (info / "entry_points.txt").write_text(lines, encoding="utf-8")
    monkeypatch.syspath_prepend(info.parent)


async def _no_link(*_: object) -> str:
    return ""


async def _nobody(_: InboundMessage) -> None:
    return None


def _with(base: Json, changes: Json) -> Json:
    """Return settings with others laid over them."""
    both = {key: changes.get(key, base.get(key)) for key in (*base, *changes)}
    return {
        key: _with(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
        for key, value in both.items()
    }


def _file_with(key: str, value: object) -> Json:
    first, *rest = key.split(".")
    return {first: _file_with(".".join(rest), value) if rest else value}


async def _seen(row: Row, looked: Looked) -> object:
    found = row.probe(looked)
    return await found if inspect.isawaitable(found) else found


async def test_every_live_setting_reaches_its_user(
    tmp_path: Path, plugin: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changed in a running application, each is seen by what uses it, and was not before.

    Mutation check: with ``index_timeout_s``, ``cache_ttl_s`` or ``workers`` given as the numbers of the start, or
    without ``adjust_logs``, the rows of these settings stand here.
    """
    monkeypatch.setattr("adapters.telegram.account.make_invitation_link", _no_link)
    dead: dict[str, object] = {}
    async with run_console(tmp_path, BASE) as chat:
        channel = open_telegram(chat.app.parts, _nobody)
        chat.app.parts.add_channel(channel)
        assert isinstance(channel.client, TelegramReceiver)
        looked = Looked(chat, channel.client)
        try:
            for row in ROWS:
                base = _with(BASE, row.beside or {})
                chat.configure(base)
                assert chat.app.parts.settings.problem is None, row.key
                before = await _seen(row, looked)
                chat.configure(_with(base, _file_with(row.key, row.value)))
                assert chat.app.parts.settings.problem is None, row.key
                after = await _seen(row, looked)
                if before == after or after != (row.value if row.seen is None else row.seen):
                    dead[row.key] = (before, after)
        finally:
            await channel.close()

    assert dead == {}


def test_every_live_setting_has_a_row() -> None:
    """A new setting needs one, unless it is declared to need a restart."""
    live = {
        format_path(path) for path, field in list_settings(Settings) if find_application(field) is not Applies.RESTART
    }

    assert live - {row.key for row in ROWS} == set()
    assert {row.key for row in ROWS} - live == set()
