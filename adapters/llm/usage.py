"""What completions cost: read from a server's answer, in any of the shapes in use, and counted; and models in a row.

Shapes: ``usage`` of OpenAI with ``prompt_tokens_details`` and ``completion_tokens_details`` (vLLM, OpenRouter and
others follow it), DeepSeek's ``prompt_cache_hit_tokens``, Moonshot's ``cached_tokens``, Anthropic's ``input_tokens``
beside ``cache_read_input_tokens`` and ``cache_creation_input_tokens``, OpenAI's newer ``input_tokens``, which hold
``input_tokens_details``, llama.cpp's ``timings``, Groq's ``x_groq``.
Thoughts are part of ``completion_tokens`` (OpenAI), or stand beside them (xAI, Gemini, Perplexity): the sum tells.
Money, in US dollars: OpenRouter's ``cost`` (https://openrouter.ai/docs/use-cases/usage-accounting), which with a key of
one's own at the provider is a fee on top of ``upstream_inference_cost``; Perplexity's ``cost.total_cost``; xAI's
``cost_in_usd_ticks``, ten billion of which are a dollar.
"""

import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

import structlog

from bot.errors import BudgetSpent, ModelRefused, ModelUnavailable
from bot.memory.scope import Scope
from bot.ports.chat_model import ChatMessage, ChatModel, Completed, TextDelta, ToolSpec
from bot.turn import Usage, UsageKind, find_charged

_BILLION = 1_000_000_000
_MOST_COST = 10_000
_TICKS_IN_BILLIONTH = 10
_CACHED = ("prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")
_CACHE_WRITES = ("cache_write_tokens", "cache_creation_tokens", "cache_creation_input_tokens")


def read_usage(chunk: Mapping[str, Any], before: Usage) -> Usage:  # Any: JSON of a foreign server
    """Return the tokens of one call as known after this chunk; what it does not say stays as it was ``before``.

    Figures that come again are totals, never additions.  More cached than read is not believed.
    """
    used = before
    if isinstance(timings := chunk.get("timings"), dict):
        used = _read_timings(timings, used)
    choices = chunk.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    for usage in (_find(first, "usage"), _find(chunk.get("x_groq"), "usage"), chunk.get("usage")):
        if isinstance(usage, dict):
            used = _read_counts(usage, used)
    cached, reasoning = min(used.cached, used.prompt), min(used.reasoning, used.completion)
    writes = min(used.cache_writes, used.prompt - cached)
    return replace(used, calls=1, cached=cached, reasoning=reasoning, cache_writes=writes)


def _read_counts(usage: Mapping[str, Any], before: Usage) -> Usage:  # Any: as above
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details")
    cached = _count(_find(details, "cached_tokens"))
    cached = cached or next((count for name in _CACHED if (count := _count(usage.get(name)))), cached)
    writes = _first(*(_count(_find(place, name)) for place in (details, usage) for name in _CACHE_WRITES))
    prompt = _count(usage.get("prompt_tokens"))
    if prompt is None and (fresh := _count(usage.get("input_tokens"))) is not None:
        # Anthropic counts what came from the cache, and what went into it, beside the input.
        prompt = fresh if isinstance(details, dict) else fresh + (cached or 0) + (writes or 0)
    completion = _first(_count(usage.get("completion_tokens")), _count(usage.get("output_tokens")))
    written = usage.get("completion_tokens_details") or usage.get("output_tokens_details")
    reasoning = _first(_count(_find(written, "reasoning_tokens")), _count(usage.get("reasoning_tokens")))
    if completion is not None:
        beside = _count_thoughts_beside(prompt, completion, reasoning or 0, _count(usage.get("total_tokens")))
        completion, reasoning = completion + beside, max(beside, reasoning or 0) if beside else reasoning
    told = {"prompt": prompt, "completion": completion, "cached": cached, "reasoning": reasoning}
    return _update(before, told | {"cost": _read_cost(usage), "cache_writes": writes})


def _count_thoughts_beside(prompt: int | None, completion: int, reasoning: int, total: int | None) -> int:
    """Return the tokens of thoughts that are not among those of the completion: what the sum has more, or all."""
    more = max(0, total - prompt - completion) if total is not None and prompt is not None else 0
    return more or (reasoning if reasoning > completion else 0)


def _read_cost(usage: Mapping[str, Any]) -> int | None:  # Any: as above
    """Return what the call cost in billionths, ``None`` where the server does not say all of it."""
    cost = usage.get("cost")
    reported = _read_money(_find(cost, "total_cost") if isinstance(cost, dict) else cost)
    if reported is None:
        ticks = _count(usage.get("cost_in_usd_ticks"))
        return None if ticks is None else _read_money(ticks / _TICKS_IN_BILLIONTH / _BILLION)
    upstream = _read_money(_find(usage.get("cost_details"), "upstream_inference_cost"))
    if usage.get("is_byok") is True:  # ``cost`` is the fee alone: without the rest it says nothing
        return None if upstream is None else reported + upstream
    return reported


def _read_money(value: object) -> int | None:
    """Return a sum of money in billionths; what is none, or more than anybody pays for a call, is not believed."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST_COST:
        return None
    return round(value * _BILLION)


def _read_timings(timings: Mapping[str, Any], before: Usage) -> Usage:  # Any: as above
    """Read llama.cpp's: ``cache_n`` tokens stood in its cache, ``prompt_n`` did not, ``predicted_n`` were written."""
    fresh, cached = _count(timings.get("prompt_n")), _count(timings.get("cache_n"))
    prompt = None if fresh is None else fresh + (cached or 0)
    return _update(before, {"prompt": prompt, "completion": _count(timings.get("predicted_n")), "cached": cached})


def _update(before: Usage, told: Mapping[str, int | None]) -> Usage:
    return replace(before, **{name: count for name, count in told.items() if count is not None})


def _find(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


@dataclass(frozen=True, slots=True)
class MeteredChat:
    """A model whose every call is noted under ``kind``.

    A call that ends before its time after it began to answer counts as one whose tokens nobody knows; calls outside of
    any conversation are not noted.  ``refuse`` says why a call may not be made (its budget is spent), "" if it may.
    """

    model: ChatModel
    kind: UsageKind
    note: Callable[[Scope, UsageKind, str, Usage], None]
    refuse: Callable[[Scope, UsageKind], str] = lambda _, __: ""

    async def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Pass the answer on as it comes; see :class:`~bot.ports.chat_model.ChatModel`.

        Raises :class:`~bot.errors.BudgetSpent`, too.
        """
        scope = find_charged()
        if scope is not None and (why := self.refuse(scope, self.kind)):
            raise BudgetSpent(why)
        begun, used, name = False, Usage(calls=1), ""
        try:
            async with aclosing(self.model.stream(messages, tools, max_tokens=max_tokens)) as pieces:
                async for piece in pieces:
                    begun = True
                    if isinstance(piece, Completed):
                        used, name = piece.usage, piece.model
                    yield piece
        finally:
            if begun and scope is not None:
                self.note(scope, self.kind, name, used)


class FallbackChat:
    """Asks ``models`` in order.

    A model that failed rests for ``rest_s`` seconds (or as long as it asked for), so that not every turn waits for it
    first; when all rest, all are asked.  Once text was shown there is no way back: two models' sentences do not mix.
    """

    def __init__(
        self, models: tuple[ChatModel, ...], *, rest_s: float = 60.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        if not models:
            raise ValueError("a fall-back needs at least one model")
        self.models = models
        self._rest_s, self._monotonic = rest_s, monotonic
        self._rested_at = [float("-inf")] * len(models)

    def __repr__(self) -> str:
        return f"FallbackChat({self.models!r})"

    async def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Yield the answer of the first model that gives one; see :class:`~bot.ports.chat_model.ChatModel`.

        When all fail: :class:`~bot.errors.ModelRefused` if no model may be expected to recover by itself, else
        :class:`~bot.errors.ModelUnavailable`, with all the reasons.
        """
        failures: list[ModelUnavailable | ModelRefused] = []
        for number in self._list_awake():
            begun = False
            try:
                async with aclosing(self.models[number].stream(messages, tools, max_tokens=max_tokens)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
            except (ModelUnavailable, ModelRefused) as error:
                if begun:
                    raise
                self._let_rest(number, error)
                failures.append(error)
            else:
                return
        raise _combine_failures(failures)

    def _list_awake(self) -> tuple[int, ...]:
        now = self._monotonic()
        everyone = tuple(range(len(self.models)))
        return tuple(number for number in everyone if self._rested_at[number] <= now) or everyone

    def _let_rest(self, number: int, error: ModelUnavailable | ModelRefused) -> None:
        asked_for = error.retry_after_s if isinstance(error, ModelUnavailable) else None
        self._rested_at[number] = self._monotonic() + max(self._rest_s, asked_for or 0.0)
        structlog.get_logger().warning("model fell back", number=number, of=len(self.models), cause=str(error))


def _combine_failures(failures: list[ModelUnavailable | ModelRefused]) -> ModelUnavailable | ModelRefused:
    if len(failures) == 1:
        return failures[0]
    text = "; ".join(dict.fromkeys(str(error) for error in failures))
    temporary = [error for error in failures if isinstance(error, ModelUnavailable)]
    if not temporary:
        return ModelRefused(text)
    pauses = [error.retry_after_s for error in temporary if error.retry_after_s is not None]
    return ModelUnavailable(text, retry_after_s=min(pauses, default=None))
