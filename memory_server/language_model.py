"""The language model behind LightRAG's prompts: an endpoint, or rules where there is none.

A question must not depend on a model that is down: its keywords are then found by rules, and the answer is what was
found, word for word.  Documents are another matter: they wait until the model is back.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx
import orjson
import structlog
from lightrag.operate import extract_entities

from memory_server.errors import ContextTooLong, MemoryServerError, ModelRefused, ModelUnavailable
from memory_server.extraction import Entity, Extraction, Extractor, NameStems, Relation
from memory_server.options import LlmOptions

QUOTED = 5
_NO_MODEL = "No language model is configured."
Answer = str | AsyncIterator[str]
"""A text, or its pieces as they are made."""
_CONTENT = re.compile(r'^\{.*"content": .*\}$', re.MULTILINE)


class LanguageModel(Protocol):
    """What LightRAG calls with its prompts."""

    @property
    def name(self) -> str:
        """The model's name, "" for none."""

    async def complete(self, prompt: str, system_prompt: str | None = None, **hints: Any) -> Answer:  # Any: LightRAG's
        """Return the model's answer; in pieces, if ``stream`` is among the hints and the model can.

        What fails before the first piece is raised here, what fails later by the iterator.
        """


def choose_model(options: LlmOptions) -> NoModel | EndpointModel:
    """Return the model of an endpoint, or none."""
    # Making a client reads all certificates: 25 ms.
    return EndpointModel(options, httpx.AsyncClient()) if options.url else NoModel()


class NoModel:
    """Answers a question with the passages that LightRAG found for it, as they are."""

    name = ""

    async def complete(self, prompt: str, system_prompt: str | None = None, **_: Any) -> str:  # Any: LightRAG's hints
        """Return the first passages of the context; a sentence that says so when there are none."""
        return quote_passages(system_prompt or prompt, _NO_MODEL)

    async def close(self) -> None:
        """Close nothing."""


def quote_passages(context: str, why: str) -> str:
    """Return the first passages of what LightRAG would show a model, and ``why`` no model has read them."""
    passages = [orjson.loads(line).get("content", "") for line in _CONTENT.findall(context)]
    if not passages:
        return f"{why} No passage was found.[no-context]"
    return "\n\n".join([f"{why} What was found:", *passages[:QUOTED]])


class EndpointModel:
    """An OpenAI-compatible chat endpoint.

    Raises :class:`ModelUnavailable` for what may pass, :class:`ModelRefused` when key, credit or model name are wrong
    and :class:`ContextTooLong` when it is the prompt that the provider does not take.
    """

    def __init__(self, options: LlmOptions, http: httpx.AsyncClient) -> None:
        self._options, self._http = options, http

    @property
    def name(self) -> str:
        """The configured model."""
        return self._options.model

    async def complete(
        self,
        prompt: str,
        system_prompt: str | None = None,
        history_messages: list[dict[str, str]] | None = None,
        *,
        stream: bool | None = None,
        **_: Any,
    ) -> Answer:  # Any: LightRAG's hints, such as response formats that not every endpoint knows
        """Return the answer to a prompt."""
        system = [{"role": "system", "content": system_prompt}] if system_prompt else []
        messages = [*system, *(history_messages or []), {"role": "user", "content": prompt}]
        body = {"model": self._options.model, "messages": messages, "temperature": 0}
        if stream:
            return await self._streamed({**body, "stream": True})
        with _retyped():
            answer = await self._http.send(self._request(body))
            answer.raise_for_status()
            return _said(answer)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def _request(self, body: dict[str, Any]) -> httpx.Request:  # Any: JSON
        return self._http.build_request(
            "POST",
            f"{self._options.url.rstrip('/')}/chat/completions",
            headers={"Authorization": f"Bearer {self._options.key}"} if self._options.key else {},
            json=body,
            timeout=self._options.timeout_s,
        )

    async def _streamed(self, body: dict[str, Any]) -> Answer:  # Any: JSON
        pieces = self._pieces(body)
        first = await anext(pieces, "")
        return _joined(first, pieces)

    async def _pieces(self, body: dict[str, Any]) -> AsyncIterator[str]:  # Any: JSON
        """Give the pieces of an answer; of an endpoint that does not stream, the one that is all of it."""
        with _retyped():
            answer = await self._http.send(self._request(body), stream=True)
            try:
                if answer.is_error or "event-stream" not in answer.headers.get("content-type", ""):
                    await answer.aread()
                    answer.raise_for_status()
                    yield _said(answer)
                    return
                async for piece in _events(answer):
                    yield piece
            finally:
                await answer.aclose()


async def _joined(first: str, rest: AsyncIterator[str]) -> AsyncIterator[str]:
    yield first
    async for piece in rest:
        yield piece


async def _events(answer: httpx.Response) -> AsyncIterator[str]:
    """Give the texts of server-sent chunks; a stream that ends before it says so raises."""
    async for line in answer.aiter_lines():
        data = line.removeprefix("data:").strip()
        if not line.startswith("data:") or not data:
            continue
        if data == "[DONE]":
            return
        chunk = orjson.loads(data)
        if "error" in chunk:
            raise ModelUnavailable("the language model failed while it answered")
        for choice in chunk.get("choices") or ():
            if not choice.get("index") and (text := (choice.get("delta") or {}).get("content")):
                yield str(text)
    raise ModelUnavailable("the language model's answer was cut off")


def _said(answer: httpx.Response) -> str:
    return str(answer.json()["choices"][0]["message"]["content"] or "")


@contextmanager
def _retyped() -> Iterator[None]:
    """Say what went wrong with an endpoint in our own errors."""
    try:
        yield
    except httpx.HTTPStatusError as error:
        status = error.response.status_code
        if status in {401, 402, 403, 404}:
            raise ModelRefused(f"the language model refuses: HTTP {status}; check llm url, key and model") from error
        if status in {400, 413, 422}:
            raise ContextTooLong(f"the language model rejects the prompt: HTTP {status}") from error
        raise ModelUnavailable(f"the language model answered HTTP {status}") from error
    except httpx.HTTPError as error:
        raise ModelUnavailable(f"the language model cannot be reached: {type(error).__name__}") from error
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelUnavailable("the language model answered something else than a completion") from error


Role = Callable[..., Awaitable[Any]]  # Any: a text, or an iterator of its pieces
MOST_KEYWORDS, LONGEST_KEYWORD = 64, 512
"""LightRAG refuses a question with more or longer ones."""

_BEFORE_QUESTION, _BEHIND_QUESTION = "\nUser Query: ", "\n\n---Output---"
"""Where LightRAG's prompt for keywords shows the question."""
_BY_RULE: ContextVar[list[str]] = ContextVar("answered_by_rule")


@contextmanager
def record_rule_answers() -> Iterator[list[str]]:
    """Give a list that is filled once the answer to the question inside is made by rules."""
    marks: list[str] = []
    token = _BY_RULE.set(marks)
    try:
        yield marks
    finally:
        _BY_RULE.reset(token)


def limit_keywords(keywords: list[str]) -> list[str]:
    """Return as many keywords as LightRAG takes, each once."""
    return [word[:LONGEST_KEYWORD] for word in dict.fromkeys(keywords)][:MOST_KEYWORDS]


def add_fallbacks(roles: Mapping[str, Role], model: LanguageModel) -> dict[str, Role]:
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
        named = {"high_level_keywords": limit_keywords(high), "low_level_keywords": limit_keywords(low)}
        return orjson.dumps(named).decode()

    return keyword


def _query(ask: Role, model: LanguageModel) -> Role:
    async def query(prompt: str, system_prompt: str | None = None, **hints: Any) -> Any:  # Any: as above
        why = _NO_MODEL
        if model.name:
            try:
                return await ask(prompt, system_prompt=system_prompt, **hints)
            except (MemoryServerError, TimeoutError) as error:
                structlog.get_logger().warning("answer_by_rules", error=type(error).__name__)
                why = "The language model cannot be asked now."
        _BY_RULE.get([]).append("query")
        return quote_passages(system_prompt or prompt, why)

    return query


Config = dict[str, Any]  # Any: LightRAG's settings


def extract_by(rules: Extractor) -> Callable[[str], Awaitable[Extraction]]:
    """Return a function that finds entities and relations of a chunk by rules, beside the event loop."""

    async def extract(chunk: str) -> Extraction:
        return await asyncio.to_thread(rules.extract, chunk)

    return extract


@dataclass(frozen=True, slots=True)
class ModelExtractor:
    """LightRAG's extraction prompts through the configured model; raises what the model raises."""

    config: Callable[[], Awaitable[Config]]
    stems: NameStems = field(default_factory=NameStems)

    async def extract(self, chunk: str) -> Extraction:
        """Return what the model finds in a chunk."""
        source = {"content": chunk, "tokens": 0, "full_doc_id": "doc", "chunk_order_index": 0, "file_path": "chunk"}
        ((nodes, edges), *_) = await extract_entities({"chunk": source}, await self.config())
        texts: dict[int, str] = {}
        entities: dict[str, Entity] = {}
        for name, found in nodes.items():
            key = self.stems.key(name)
            texts[len(texts)] = str(found[0].get("description", ""))
            entities.setdefault(key, Entity(name, key, str(found[0].get("entity_type", "other")), len(texts) - 1))
        relations: list[Relation] = []
        for (source_name, target_name), found in edges.items():
            ends = [self.stems.key(name) for name in (source_name, target_name)]
            texts[len(texts)] = str(found[0].get("description", ""))
            for key, name in zip(ends, (source_name, target_name), strict=True):
                entities.setdefault(key, Entity(name, key, "other", len(texts) - 1))
            if ends[0] != ends[1]:
                relations.append(Relation(ends[0], ends[1], str(found[0].get("keywords", "")), len(texts) - 1))
        return Extraction(texts, tuple(entities.values()), tuple(relations))
