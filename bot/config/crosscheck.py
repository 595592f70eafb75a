"""Rules between settings: each alone is fine, together they are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.config.diagnostics import Path
from bot.config.schema import Settings


@dataclass(frozen=True, slots=True)
class Conflict:
    """Settings that contradict each other; ``path`` is the one to change."""

    path: Path
    expected: str
    got: str


def conflicts(settings: Settings) -> Iterator[Conflict]:
    """Yield every contradiction."""
    yield from _memory(settings)
    yield from _model(settings)
    yield from _reranker(settings)
    yield from _zone(settings)
    yield from _ids(settings)


def _ids(settings: Settings) -> Iterator[Conflict]:
    """Telegram numbers people upwards and groups downwards from zero."""
    telegram = settings.telegram
    if telegram.owner_id is not None and telegram.owner_id <= 0:
        yield Conflict(("telegram", "ownerId"), "the positive id of a person", str(telegram.owner_id))
    for index, user in enumerate(telegram.allowed_users):
        if user <= 0 and user not in telegram.allowed_chats:
            expected = "the positive id of a person, or a group of telegram.allowedChats for its anonymous admins"
            yield Conflict(("telegram", "allowedUsers", index), expected, str(user))
    for index, chat in enumerate(telegram.allowed_chats):
        if chat >= 0:
            yield Conflict(("telegram", "allowedChats", index), "the negative id of a group", str(chat))


def _memory(settings: Settings) -> Iterator[Conflict]:
    memory = settings.memory
    if memory.soft_tokens > memory.max_tokens:
        expected = f"at most memory.maxTokens ({memory.max_tokens})"
        yield Conflict(("memory", "softTokens"), expected, str(memory.soft_tokens))
    if settings.rag.query_budget_seconds > memory.context_deadline_seconds:
        expected = f"at most memory.contextDeadlineSeconds ({memory.context_deadline_seconds:g})"
        yield Conflict(("rag", "queryBudgetSeconds"), expected, f"{settings.rag.query_budget_seconds:g}")
    if "shared" in (memory.scope_direct, memory.scope_group) and not memory.shared_name:
        yield Conflict(("memory", "sharedName"), "a name, because a scope is shared", "none")


def _model(settings: Settings) -> Iterator[Conflict]:
    llm = settings.llm
    if llm.enabled and llm.url and not llm.model:
        yield Conflict(("llm", "model"), "a model name (or LLM_MODEL), because llm.url is set", "none")
    if llm.enabled and llm.model and not llm.url:
        yield Conflict(("llm", "url"), "an address (or LLM_URL), because llm.model is set", "none")
    if settings.session.compact_after_tokens > llm.context_tokens:
        expected = f"at most llm.contextTokens ({llm.context_tokens})"
        yield Conflict(("session", "compactAfterTokens"), expected, str(settings.session.compact_after_tokens))
    if llm.max_tokens is not None and llm.max_tokens >= llm.context_tokens:
        yield Conflict(("llm", "maxTokens"), f"less than llm.contextTokens ({llm.context_tokens})", str(llm.max_tokens))


def _reranker(settings: Settings) -> Iterator[Conflict]:
    rerank = settings.rag.rerank
    if rerank.provider in ("cohere", "jina") and not rerank.api_key:
        yield Conflict(("rag", "rerank", "apiKey"), f"a key (or RERANK_API_KEY) for {rerank.provider}", "none")


def _zone(settings: Settings) -> Iterator[Conflict]:
    if not settings.time_zone:
        return
    try:
        ZoneInfo(settings.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield Conflict(("timeZone",), "an IANA name such as Europe/Lisbon", "an unknown zone")
