"""What LightRAG asks a language model for while it answers, and the rules that stand in when none can be asked.

A question must not depend on a model that is down: its keywords are then found by rules, and the answer is what was
found, word for word.  Documents are another matter: they wait until the model is back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import orjson
import structlog

from memory_server.errors import MemoryServerError
from memory_server.extraction.extract import Extractor
from memory_server.extraction.language_model import LanguageModel, quoted

Role = Callable[..., Awaitable[Any]]  # Any: a text, or an iterator of its pieces
MOST_KEYWORDS, LONGEST_KEYWORD = 64, 512
"""LightRAG refuses a question with more or longer ones."""

_BEFORE_QUESTION, _BEHIND_QUESTION = "\nUser Query: ", "\n\n---Output---"
"""Where LightRAG's prompt for keywords shows the question."""
_BY_RULE: ContextVar[list[str]] = ContextVar("answered_by_rule")


@contextmanager
def watched() -> Iterator[list[str]]:
    """Give a list that is filled once the answer to the question inside is made by rules."""
    marks: list[str] = []
    token = _BY_RULE.set(marks)
    try:
        yield marks
    finally:
        _BY_RULE.reset(token)


def fitting(keywords: list[str]) -> list[str]:
    """Return as many keywords as LightRAG takes, each once."""
    return [word[:LONGEST_KEYWORD] for word in dict.fromkeys(keywords)][:MOST_KEYWORDS]


def dependable(roles: Mapping[str, Role], model: LanguageModel) -> dict[str, Role]:
    """Return LightRAG's functions by role, those that a question needs with a rule behind them."""
    return {**roles, "keyword": _keyword(roles["keyword"], model), "query": _query(roles["query"], model)}


def _question_in(prompt: str) -> str | None:
    """Return the question that a prompt for keywords shows, ``None`` where it shows none."""
    start, end = prompt.find(_BEFORE_QUESTION), prompt.rfind(_BEHIND_QUESTION)
    start += len(_BEFORE_QUESTION)
    return prompt[start:end] if len(_BEFORE_QUESTION) <= start <= end else None


def _keyword(ask: Role, model: LanguageModel) -> Role:
    async def keyword(prompt: str, **hints: Any) -> Any:  # Any: LightRAG's hints and its model's answer
        asked = _question_in(prompt)
        if model.name or asked is None:
            try:
                return await ask(prompt, **hints)
            except (MemoryServerError, TimeoutError) as error:
                if asked is None:
                    raise
                structlog.get_logger().warning("keywords_by_rules", error=type(error).__name__)
        low, high = Extractor().keywords(asked)
        named = {"high_level_keywords": fitting(high), "low_level_keywords": fitting(low)}
        return orjson.dumps(named).decode()

    return keyword


def _query(ask: Role, model: LanguageModel) -> Role:
    async def query(prompt: str, system_prompt: str | None = None, **hints: Any) -> Any:  # Any: as above
        why = "No language model is configured."
        if model.name:
            try:
                return await ask(prompt, system_prompt=system_prompt, **hints)
            except (MemoryServerError, TimeoutError) as error:
                structlog.get_logger().warning("answer_by_rules", error=type(error).__name__)
                why = "The language model cannot be asked now."
        _BY_RULE.get([]).append("query")
        return quoted(system_prompt or prompt, why)

    return query
