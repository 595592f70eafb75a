"""Both memories as one, by the settings in force."""

from collections.abc import Callable

from adapters.llm.asking import LlmCompression, LlmJudge, LlmUnderstanding, WordJudge
from bot.config.memory_schema import TopicSettings
from bot.config.schema import Settings
from bot.memory.ranking.fusion import Merging, TopicOptions
from bot.memory.ranking.ranking import SearchBudget
from bot.ports.chat_model import ChatModel, Judge
from bot.ports.embedder import AnswerReader, ChangeReader
from bot.ports.memory_store import Recall, TextRater
from bot.ports.rag import QueryMode
from bot.runtime.app import App
from bot.runtime.channel import load_plugin
from bot.turn import UsageKind
from systems.s20_context_building import Fusion, Retrieval, RetrievalOptions


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
