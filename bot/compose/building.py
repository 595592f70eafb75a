"""Opens the database and builds every part once, behind the ports that the rest sees."""

from __future__ import annotations

from adapters.clock import SystemClock, ZonedClock
from adapters.console.files import LocalFiles
from adapters.console.plain import ADDRESS, AUTHOR, delete_typed_lines
from adapters.embedding.minilm import MiniLmWordEmbedder
from adapters.events import EventBus
from adapters.llm.asking import LlmSummary
from adapters.llm.extraction import LlmExtraction
from adapters.llm.health import ask_window
from adapters.llm.openai import ModelTimeouts, OpenAiChat
from adapters.llm.usage import FallbackChat, MeteredChat
from adapters.mcp.servers import McpServers
from adapters.preferences import FilePreferences
from adapters.rerank import COHERE, JINA, FlashReranker, HttpReranker
from adapters.sqlite.browsing import SqliteMemoryBrowser, SqliteTimeline
from adapters.sqlite.chat_settings import SqliteChatSettings
from adapters.sqlite.chronicle import SqliteChronicle
from adapters.sqlite.conversations.buttons import SqliteButtons
from adapters.sqlite.conversations.chats import SqliteAccess, SqliteChats, SqliteUsers
from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteLearningQueue, SqliteSkillMemory, SqliteTurns
from adapters.sqlite.conversations.usage import SqliteUsage
from adapters.sqlite.database import Database
from adapters.sqlite.documents.embedding import ChunkEmbedder
from adapters.sqlite.documents.search import SqliteDocumentSearch
from adapters.sqlite.documents.store import SqliteDocuments
from adapters.sqlite.erasure.candidates import SqliteKeptTexts
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.erasure.tombstones import SqliteErasureRecords
from adapters.sqlite.erasure.undo import list_withheld
from adapters.sqlite.exchange_indexes import build_indexes
from adapters.sqlite.installation import ensure_installation
from adapters.sqlite.items.store import SqliteItems
from adapters.sqlite.names import SqliteNames
from adapters.sqlite.outbox import SqliteOutbox, WorkspaceRecords
from adapters.sqlite.pending import SqliteAwaitedTexts, SqlitePendingCalls, SqliteProposals, SqliteToolApprovals
from adapters.sqlite.reminders import SqliteReminders
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.commands.confirm_memory import Keep
from bot.compose.documents import sweep_incoming
from bot.compose.logs import set_up_logs
from bot.compose.plugins import load_plugin
from bot.compose.reading import build_document_reader, build_page_fetcher
from bot.config.environment import read_environment
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.config.memory_schema import RerankSettings
from bot.config.schema import LlmSettings
from bot.features.costs.budgets import Budgets
from bot.features.tools.confirm_call import Allow
from bot.features.transfer.exporting import ScopeExporter
from bot.features.transfer.jobs import build_import_worker, build_telling
from bot.memory.learning.statements import compute_fingerprint
from bot.memory.scope import ScopeKind, build_scope
from bot.ports.chat_model import ChatModel, ToldWindow
from bot.ports.clock import Clock
from bot.ports.embedder import Embedder
from bot.ports.events import MemoryErased
from bot.ports.messenger import Messenger
from bot.ports.reranker import Reranker
from bot.runtime.chat_rules import ChatRules
from bot.runtime.container import Container
from bot.runtime.housekeeping import Housekeeping
from bot.runtime.long_term_memory import LongTermMemory
from bot.runtime.model_window import ModelWindow
from bot.usage import UsageKind
from memory_server.storage.workspace import read_stored_texts


def load_live_settings(places: Folders, *, keep: bool = True) -> LiveSettings:
    """Return the settings, loaded; with ``keep`` a good version is kept for the day when the file is broken.

    How to log stands in the settings, so that nothing is logged until they are read: a log line on standard output
    would mix with answers and reports.  Whoever calls tells people what :attr:`LiveSettings.problem` says.
    """
    set_up_logs("critical", "json")
    live = LiveSettings(
        places.config, environment=read_environment(places), last_good=places.last_good_config, keep=keep
    )
    live.load()
    return live


async def open_chat_settings(database: Database) -> tuple[SqliteChats, SqliteChatSettings]:
    """Return what is known of chats, and what they have chosen for themselves."""
    chats = SqliteChats(database)
    await chats.load()
    settings = SqliteChatSettings(database, chats)
    await settings.load()
    return chats, settings


async def open_parts(
    places: Folders, live: LiveSettings, *, embedder: Embedder | None = None, clock: Clock | None = None
) -> Container:
    """Open the database and join everything to it.

    ``embedder`` takes the place of the local model, ``clock`` that of the machine's.

    Raises :class:`~bot.errors.StorageUnavailable` when the data folder cannot be used.
    """
    sweep_incoming(places)
    database = Database(places.database, copies=lambda: read_stored_texts(places.memory_server))
    await database.open()
    chats, chat_settings = await open_chat_settings(database)
    rules = ChatRules(live, chat_settings)
    clock = ZonedClock(clock or SystemClock(), rules.time_zone)
    local = MiniLmWordEmbedder(places.models)
    embedder = embedder or local
    outbox = SqliteOutbox(database)
    indexes = build_indexes()
    chronicle, names = SqliteChronicle(database), SqliteNames(database)
    recall = SqliteRecall(database, embedder)
    documents, chunks = SqliteDocuments(database), SqliteDocumentSearch(database, embedder, recall)
    items = SqliteItems(database, embedder, clock, indexes=indexes, fingerprint=compute_fingerprint)
    deliveries = SqliteDeliveries(database, clock.now)
    turns = SqliteTurns(database, indexes=indexes, now=clock.now)
    events = EventBus()
    named, holdings = (
        await ensure_installation(database, places.installation),
        WorkspaceRecords(database, lambda: live.current().rag.index_min_length),
    )
    longterm = LongTermMemory(
        places,
        live,
        outbox,
        holdings,
        named,
        clock,
        events.publish,
        lambda scope: database.read(lambda connection: list_withheld(connection, scope)),
    )
    usage = SqliteUsage(database, clock.now)
    reminders = SqliteReminders(database)
    budgets = Budgets(usage, lambda: live.current().costs, clock)
    await budgets.load()
    models, rerankers = Models(live, budgets), Rerankers(live, places)
    calls = SqlitePendingCalls(database, Allow.name)
    tool_servers = McpServers(
        lambda: live.current().mcp, lambda: read_environment(places), SqliteToolApprovals(database), calls, clock.now
    )

    erased = (
        longterm.client.forget_cache,
        lambda _: delete_typed_lines(places.typed_lines),
        lambda _: local.forget(),
        lambda _: recall.forget(),
        chunks.forget,
        lambda _: names.forget(),
        lambda scope: events.publish(MemoryErased(scope)),
    )
    eraser = SqliteEraser(
        database,
        clock,
        places.exports,
        indexes=indexes,
        erased=erased,
        undo_s=lambda: live.current().memory.undo_seconds,
    )

    typed_in = {
        build_scope(kind, platform=ADDRESS.platform, user_id=AUTHOR.id, chat_id=ADDRESS.chat_id, topic_id=None)
        for kind in (ScopeKind.USER, ScopeKind.CHAT)
    }

    messengers: dict[str, Messenger] = {}
    telling = build_telling(database, clock, messengers, lambda: live.current().language)
    imports = await build_import_worker(
        places, live, database, clock, added=lambda _: None, tell=telling, settings=chat_settings
    )

    async def close() -> None:
        await models.close()
        await rerankers.close()
        local.close()
        await database.close()

    return Container(
        places=places,
        settings=live,
        clock=clock,
        embedder=embedder,
        journal=SqliteJournal(database, now=clock.now),
        turns=turns,
        sessions=turns,
        learning_queue=SqliteLearningQueue(database),
        deliveries=deliveries,
        doubts=deliveries,
        outbox=outbox,
        dead_letters=outbox,
        access=SqliteAccess(database),
        chats=chats,
        recall=recall,
        chronicle=chronicle,
        names=names,
        items=items,
        editor=items,
        timeline=SqliteTimeline(database),
        browser=SqliteMemoryBrowser(database, clock),
        eraser=eraser,
        undo=eraser,
        records=SqliteErasureRecords(database),
        exporter=ScopeExporter(database, places.exports, named, clock.now),
        kept=SqliteKeptTexts(database, files=lambda scope: (places.typed_lines,) if scope in typed_in else ()),
        longterm=longterm,
        preferences=FilePreferences(places.preferences),
        chosen_skills=SqliteSkillMemory(database),
        model=models.model,
        learning=models.learning,
        reranker=rerankers.reranker,
        promote=items.promote,
        housekeeping=Housekeeping(
            database,
            turns,
            items,
            recall,
            chronicle,
            ChunkEmbedder(database, embedder),
            names,
            eraser,
            live,
            clock,
            longterm.indexer.wake,
        ),
        events=events,
        close=close,
        proposals=SqliteProposals(database, Keep.name),
        buttons=SqliteButtons(database),
        awaited=SqliteAwaitedTexts(database),
        pending_calls=calls,
        tool_servers=tool_servers,
        usage=usage,
        budgets=budgets,
        window=ModelWindow(live, models.ask_window),
        users=SqliteUsers(database),
        chat_settings=chat_settings,
        rules=rules,
        document_reader=build_document_reader(live),
        page_fetcher=build_page_fetcher(live),
        reminders=reminders,
        agenda=reminders,
        problems=database.problems,
        documents=documents,
        document_search=chunks,
        messengers=messengers,
        imports=imports,
        file_sources={ADDRESS.platform: LocalFiles()},
    )


class Models:
    """The language model of the settings in force, and what it does off the hot path.

    Makes a model once per distinct settings, so that a reload of something else keeps its connections.
    """

    def __init__(self, live: LiveSettings, budgets: Budgets) -> None:
        self._live = live
        self._budgets = budgets
        self._made_for: LlmSettings | None = None
        self._model: ChatModel | None = None
        self._first: OpenAiChat | None = None
        self._chats: list[OpenAiChat] = []

    def model(self) -> ChatModel | None:
        """Return the model, ``None`` when none is configured."""
        settings = self._live.current().llm
        if settings != self._made_for:
            self._made_for = settings
            self._first, self._model = self._make(settings) if settings.configured else (None, None)
        return self._model

    def learning(self) -> tuple[LlmExtraction, LlmSummary] | None:
        """Return extraction and summary by the model, ``None`` without one."""
        model = self.model()
        if model is None:
            return None
        return (
            LlmExtraction(self._meter(model, UsageKind.LEARNING)),
            LlmSummary(self._meter(model, UsageKind.SUMMARY)),
        )

    def _meter(self, model: ChatModel, kind: UsageKind) -> ChatModel:
        return MeteredChat(model, kind, self._budgets.note, self._budgets.refuse_background)

    async def ask_window(self) -> ToldWindow | None:
        """Return what the first model's server says of its window; see :func:`~adapters.llm.health.ask_window`."""
        self.model()
        return await ask_window(self._first) if self._first is not None else None

    async def close(self) -> None:
        """Close the connections of every model that was made."""
        for chat in self._chats:
            await chat.aclose()

    def _make(self, settings: LlmSettings) -> tuple[OpenAiChat, ChatModel]:
        first = OpenAiChat(
            settings.url,
            settings.api_key,
            settings.model,
            timeouts=_timeouts(settings),
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            cache_control=settings.cache_control,
            memory_role=settings.memory_role,
            vision=settings.vision,
        )
        others = [
            OpenAiChat(
                fallback.url or settings.url,
                fallback.api_key or ("" if fallback.url else settings.api_key),
                fallback.model,
                timeouts=_timeouts(settings),
                temperature=settings.temperature,
                max_tokens=settings.max_tokens,
                cache_control=settings.cache_control,
                settings=f"llm.fallbacks[{number}]",
                memory_role=settings.memory_role,
                vision=settings.vision,
            )
            for number, fallback in enumerate(settings.fallbacks)
        ]
        self._chats += [first, *others]
        return first, FallbackChat((first, *others)) if others else first


def _timeouts(settings: LlmSettings) -> ModelTimeouts:
    return ModelTimeouts(first_s=settings.timeout_seconds, idle_s=settings.timeout_seconds)


_ENDPOINTS = {"cohere": COHERE, "jina": JINA}


class Rerankers:
    """The reranker of the settings in force.

    Makes a reranker once per distinct settings, so that a reload of something else keeps its connections.
    """

    def __init__(self, live: LiveSettings, places: Folders) -> None:
        self._live = live
        self._models = places.models
        self._made_for: RerankSettings | None = None
        self._reranker: Reranker | None = None
        self._endpoints: list[HttpReranker] = []

    def reranker(self) -> Reranker | None:
        """Return the reranker, ``None`` when none is configured."""
        settings = self._live.current().rag.rerank
        if settings != self._made_for:
            self._made_for = settings
            self._reranker = self._make(settings)
        return self._reranker

    async def close(self) -> None:
        """Close the connections of every reranker that was made."""
        for endpoint in self._endpoints:
            await endpoint.close()

    def _make(self, settings: RerankSettings) -> Reranker | None:
        if provider := _ENDPOINTS.get(settings.provider):
            endpoint = HttpReranker(
                provider,
                settings.api_key,
                url=settings.url,
                model=settings.model,
                deadline_s=settings.timeout_seconds,
            )
            self._endpoints.append(endpoint)
            return endpoint
        if settings.provider == "flashrank":
            folder = self._models / "flashrank"
            return FlashReranker(folder, model=settings.model) if settings.model else FlashReranker(folder)
        if settings.provider == "plugin":
            reranker: Reranker | None = load_plugin("rerankers", settings.plugin, settings)
            return reranker
        return None
