"""Opens the database and builds every part once, behind the ports that the rest sees."""

from collections.abc import Awaitable, Callable
from functools import partial

from adapters.console.plain import ADDRESS, AUTHOR, LocalFiles, delete_typed_lines
from adapters.embedding.e5 import E5Embedder
from adapters.events import EventBus
from adapters.llm.asking import LlmCompression, LlmJudge, LlmSummary, LlmUnderstanding, WordJudge
from adapters.llm.extraction import LlmExtraction
from adapters.llm.health import ask_window
from adapters.llm.openai import ModelTimeouts, OpenAiChat
from adapters.llm.usage import FallbackChat
from adapters.preferences import FilePreferences
from adapters.rerank import COHERE, JINA, FlashReranker, HttpReranker
from adapters.sqlite.browsing import SqliteMemoryBrowser, SqliteTimeline
from adapters.sqlite.chronicle import SqliteChronicle
from adapters.sqlite.conversations.chats import SqliteAccess
from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteLearningQueue, SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.document_search import CHUNKS
from adapters.sqlite.erasure.candidates import SqliteKeptTexts
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.erasure.tombstones import SqliteErasureRecords
from adapters.sqlite.erasure.undo import list_withheld
from adapters.sqlite.installation import ensure_installation
from adapters.sqlite.items import ITEMS, SqliteItems
from adapters.sqlite.names import SqliteMentions, SqliteNames
from adapters.sqlite.outbox import SqliteOutbox, WorkspaceRecords
from adapters.sqlite.rows.codec import MOVING, read_meta
from adapters.sqlite.search import PoolEmbedder
from adapters.sqlite.tickets import SqliteTickets
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.compose.features import register_features
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.config.memory_schema import RerankSettings, TopicSettings
from bot.config.schema import LlmSettings, Settings
from bot.core.rights import build_may
from bot.errors import ConfigInvalid
from bot.memory.learning.statements import compute_fingerprint
from bot.memory.ranking.fusion import Merging, TopicOptions
from bot.memory.ranking.ranking import SearchBudget
from bot.memory.scope import ScopeKind, build_scope
from bot.ports.chat_model import ChatModel, Judge, ToldWindow
from bot.ports.chats import GroupRoles
from bot.ports.embedder import AnswerReader, ChangeReader, Embedder, Reranker, StateReader
from bot.ports.events import MemoryErased
from bot.ports.memory_store import Recall, TextRater
from bot.ports.rag import QueryMode
from bot.ports.when import Clock
from bot.runtime.app import Additions, App
from bot.runtime.channel import Abilities, load_plugin
from bot.runtime.chat_rules import ChatRules, SystemClock, ZonedClock
from bot.runtime.installation import choose_shared_store, choose_store, open_chat_settings
from bot.runtime.long_term_memory import LongTermMemory
from bot.runtime.model_window import ModelWindow
from bot.runtime.storage import Housekeeping, PendingDeliveries
from bot.turn import UsageKind
from memory_server.storage.workspace import read_stored_texts
from systems.s20_context_building import Fusion, Retrieval, RetrievalOptions


async def open_parts(
    places: Folders,
    live: LiveSettings,
    *,
    embedder: Embedder | None = None,
    clock: Clock | None = None,
    alone: bool = False,
    worker: bool = False,
) -> App:
    """Open the database and join everything to it.

    ``alone``: it is for the Mneme that runs, and no other may; see :func:`~bot.runtime.installation.choose_store`.
    ``worker``: it is for one of several, which share a PostgreSQL.
    ``embedder`` takes the place of the local model, ``clock`` that of the machine's.

    Raises :class:`~bot.errors.StorageUnavailable` when the data folder cannot be used.
    """
    database, leases = choose_shared_store(places, live.current) if worker else _choose_own(places, live, alone=alone)
    await database.open()
    if await database.read(lambda connection: read_meta(connection, MOVING)):
        await database.close()
        raise ConfigInvalid("a move into this store has not come to its end: say `mneme move` again as before")
    chats, chat_settings = await open_chat_settings(database)
    rules = ChatRules(live, chat_settings)
    clock = ZonedClock(clock or SystemClock(), rules.time_zone)
    local = E5Embedder(places.models)
    embedder = embedder or local
    outbox = SqliteOutbox(database)
    chronicle = SqliteChronicle(database)
    names = SqliteNames(database, embedder if isinstance(embedder, StateReader) else None)
    recall = SqliteRecall(database, embedder)
    items = SqliteItems(database, embedder, clock, fingerprint=compute_fingerprint)
    deliveries = SqliteDeliveries(database, clock.now)
    turns = SqliteTurns(database, now=clock.now)
    events = EventBus()
    named, holdings = (
        await ensure_installation(database, places.installation),
        WorkspaceRecords(database, lambda: live.current.rag.index_min_length),
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
    added = Additions()
    models = Models(live, lambda model, kind: app.meter(model, kind))  # noqa: PLW0108 - a feature sets it later
    rerankers = Rerankers(live, places)

    typed_lines = places.typed_lines
    added.erased += [
        longterm.client.cache.forget,
        lambda _: delete_typed_lines(typed_lines),
        local.forget,
        recall.forget,
        names.forget,
        lambda scope: events.publish(MemoryErased(scope)),
    ]
    eraser = SqliteEraser(
        database, clock, places.exports, erased=added.erased, undo_s=lambda: live.current.memory.undo_seconds
    )

    typed_in = {
        build_scope(kind, platform=ADDRESS.platform, user_id=AUTHOR.id, chat_id=ADDRESS.chat_id, topic_id=None)
        for kind in (ScopeKind.USER, ScopeKind.CHAT)
    }

    async def close() -> None:
        await models.close()
        await rerankers.close()
        local.close()
        if leases is not None:
            await leases.leave()
        await database.close()

    roles: dict[str, GroupRoles] = {}
    app = App(
        places=places,
        settings=live,
        clock=clock,
        database=database,
        may=build_may(lambda: live.current.telegram.allowed_users, roles),
        embedder=embedder,
        journal=SqliteJournal(database, now=clock.now) if leases is None else leases.make_journal(clock.now),
        turns=turns,
        sessions=turns,
        learning_queue=SqliteLearningQueue(database),
        deliveries=PendingDeliveries(deliveries, shared=worker, hurry=database.hurry),
        doubts=deliveries,
        outbox=outbox,
        dead_letters=outbox,
        access=SqliteAccess(database),
        chats=chats,
        recall=recall,
        rater=recall,
        chronicle=chronicle,
        mentions=SqliteMentions(database),
        names=names,
        items=items,
        editor=items,
        timeline=SqliteTimeline(database),
        browser=SqliteMemoryBrowser(database, clock),
        eraser=eraser,
        undo=eraser,
        records=SqliteErasureRecords(database),
        kept=SqliteKeptTexts(database, files=lambda scope: (typed_lines,) if scope in typed_in else ()),
        longterm=longterm,
        preferences=FilePreferences(places.preferences),
        model=models.model,
        learning=models.learning,
        reranker=rerankers.reranker,
        promote=items.promote,
        housekeeping=Housekeeping(
            database,
            turns,
            recall,
            chronicle,
            (recall.embed_missing, PoolEmbedder(database, embedder, (ITEMS, CHUNKS)).embed_missing, names.tell_missing),
            names,
            eraser,
            live,
            clock,
            longterm.indexer.wake,
        ),
        events=events,
        close=close,
        leases=leases,
        tickets=SqliteTickets(database),
        buttons=SqliteTickets(database),
        window=ModelWindow(live, models.ask_window),
        chat_settings=chat_settings,
        rules=rules,
        problems=database.problems,
        file_sources={ADDRESS.platform: LocalFiles()},
        added=added,
        group_roles=roles,
        abilities={ADDRESS.platform: Abilities(edits=False, local=True)},
    )

    app.added.refresh += [chats.load, chat_settings.load, _forget_all(local.forget, recall.forget, names.forget)]
    app.make_retrieval = lambda reading: build_retrieval(app, reading)
    await register_features(app)
    if leases is not None:
        await leases.join()
    return app


def _choose_own(places: Folders, live: LiveSettings, *, alone: bool) -> tuple[Database, None]:
    return choose_store(places, live.current, copies=lambda: read_stored_texts(places.memory_server), alone=alone), None


def _forget_all(*forget: Callable[[], None]) -> Callable[[], Awaitable[None]]:
    async def forget_each() -> None:
        for each in forget:
            each()

    return forget_each


class Models:
    """The language model of the settings in force, and what it does off the hot path.

    Makes a model once per distinct settings, so that a reload of something else keeps its connections.
    """

    def __init__(self, live: LiveSettings, meter: Callable[[ChatModel, UsageKind], ChatModel]) -> None:
        self._live = live
        self._meter = meter
        self._made_for: LlmSettings | None = None
        self._model: ChatModel | None = None
        self._first: OpenAiChat | None = None
        self._chats: list[OpenAiChat] = []

    def model(self) -> ChatModel | None:
        """Return the model, ``None`` when none is configured."""
        settings = self._live.current.llm
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

    async def ask_window(self) -> ToldWindow | None:
        """Return what the first model's server says of its window; see :func:`~adapters.llm.health.ask_window`."""
        self.model()
        return await ask_window(self._first) if self._first is not None else None

    async def close(self) -> None:
        """Close the connections of every model that was made."""
        for chat in self._chats:
            await chat.aclose()

    def _make(self, settings: LlmSettings) -> tuple[OpenAiChat, ChatModel]:
        connect = partial(
            OpenAiChat,
            timeouts=ModelTimeouts(first_s=settings.timeout_seconds, idle_s=settings.timeout_seconds),
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            cache_control=settings.cache_control,
            memory_role=settings.memory_role,
            vision=settings.vision,
        )
        first = connect(settings.url, settings.api_key, settings.model)
        others = [
            connect(
                fallback.url or settings.url,
                fallback.api_key or ("" if fallback.url else settings.api_key),
                fallback.model,
                settings=f"llm.fallbacks[{number}]",
            )
            for number, fallback in enumerate(settings.fallbacks)
        ]
        self._chats += [first, *others]
        return first, FallbackChat((first, *others)) if others else first


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
        settings = self._live.current.rag.rerank
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
                provider, settings.api_key, url=settings.url, model=settings.model, deadline_s=settings.timeout_seconds
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


def build_retrieval(app: App, reading: Callable[[], bool]) -> Retrieval:
    """Return what system 20 asks; ``reading`` says at each question whether long-term memory is on."""
    settings, model = app.settings.current, app.find_model(UsageKind.SEARCH)
    recall, memory = settings.recall, settings.memory
    return Retrieval(
        recall=_strategy(app, settings) if memory.recall_enabled else None,
        items=app.items if memory.items_enabled else None,
        rag=app.longterm,
        mode=QueryMode(settings.rag.query_mode),
        options=build_retrieval_options(settings, alone=model is None),
        reading=reading,
        understanding=_understanding(settings, model),
        reranker=app.reranker(),
        compressor=LlmCompression(model) if model and recall.compression == "abstractive" else None,
        publish=app.events.publish,
        rater=app.recall if isinstance(app.recall, TextRater) else None,
        reader=app.embedder if isinstance(app.embedder, AnswerReader) else None,
        changes=app.embedder if isinstance(app.embedder, ChangeReader) else None,
        documents=app.documents_to_search if memory.recall_enabled else None,
        chronicle=app.chronicle if memory.recall_enabled else None,
        mentions=app.mentions if memory.recall_enabled else None,
    )


def build_retrieval_options(settings: Settings, *, alone: bool = False) -> RetrievalOptions:
    """Return how memories are read and chosen; ``alone`` without a model, when there is nothing else to answer from."""
    recall, memory = settings.recall, settings.memory
    return RetrievalOptions(
        deadline_s=memory.context_deadline_seconds,
        store_deadline_s=memory.answer_deadline_seconds if alone else 0.0,
        rag_deadline_s=settings.rag.query_budget_seconds,
        understanding_s=recall.understanding.deadline_seconds,
        rerank_s=settings.rag.rerank.timeout_seconds,
        budget=SearchBudget(recall.search.exact_passages, recall.search.candidates),
        store_topics=_topics(recall.topics),
        rag_topics=_topics(recall.long_term_topics),
        window=recall.window_messages,
        exchanges=settings.rag.exchanges,
        fusion=Fusion(recall.fusion),
        top_k=settings.rag.rerank.top_k,
        distinct=recall.distinct,
        diversity=recall.diversity,
        compress=recall.compression != "off",
        budget_tokens=settings.prompt.relevant_tokens,
        known_floor=recall.known_floor,
        by_sentence=alone,
    )


def build_judge(kind: str, model: ChatModel | None) -> Judge:
    """Return the judge that a setting names; without a model the one that needs none."""
    return LlmJudge(model) if kind == "model" and model is not None else WordJudge()


def _strategy(app: App, settings: Settings) -> Recall:
    """Return the store's search, or the plug-in that takes its place (and is given it)."""
    if not settings.recall.strategy:
        return app.recall
    plugin: Recall | None = load_plugin("retrieval", settings.recall.strategy, app.recall)
    return plugin or app.recall


def _understanding(settings: Settings, model: ChatModel | None) -> LlmUnderstanding | None:
    wanted = settings.recall.understanding
    if model is None or not (wanted.expansion or wanted.hyde or wanted.routing):
        return None
    return LlmUnderstanding(
        model, wordings=wanted.expansion, supposed=wanted.hyde, mode=wanted.routing, deadline_s=wanted.deadline_seconds
    )


def _topics(settings: TopicSettings) -> TopicOptions | None:
    if not settings.enabled:
        return None
    return TopicOptions(
        single_tokens=settings.single_tokens,
        chunk_tokens=settings.chunk_tokens,
        overlap_tokens=settings.overlap_tokens,
        most_chunks=settings.max_chunks,
        per_chunk=settings.per_chunk,
        per_document=settings.per_document,
        merging=Merging(settings.dedup),
        least_score=settings.minimum_similarity or None,
        whole=settings.whole,
    )
