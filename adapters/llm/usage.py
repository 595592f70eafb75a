"""Reads what a server says a completion cost, in any of the shapes in use.

Shapes: ``usage`` of OpenAI with ``prompt_tokens_details`` and ``completion_tokens_details`` (vLLM, OpenRouter and
others follow it), DeepSeek's ``prompt_cache_hit_tokens``, Moonshot's ``cached_tokens``, Anthropic's ``input_tokens``
beside ``cache_read_input_tokens`` and ``cache_creation_input_tokens``, OpenAI's newer ``input_tokens``, which hold
``input_tokens_details``, llama.cpp's ``timings``, Groq's ``x_groq``.
Thoughts are part of ``completion_tokens`` (OpenAI), or stand beside them (xAI, Gemini, Perplexity): the sum tells.
Money, in US dollars: OpenRouter's ``cost`` (https://openrouter.ai/docs/use-cases/usage-accounting), which with a key of
one's own at the provider is a fee on top of ``upstream_inference_cost``; Perplexity's ``cost.total_cost``; xAI's
``cost_in_usd_ticks``, ten billion of which are a dollar.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.usage import Usage

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
    return Usage(used.prompt, used.completion, 1, cached, reasoning, used.cost, writes)


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
    return Usage(
        _or(prompt, before.prompt),
        _or(completion, before.completion),
        1,
        _or(cached, before.cached),
        _or(reasoning, before.reasoning),
        _first(_read_cost(usage), before.cost),
        _or(writes, before.cache_writes),
    )


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
    return Usage(
        before.prompt if fresh is None else fresh + (cached or 0),
        _or(_count(timings.get("predicted_n")), before.completion),
        1,
        _or(cached, before.cached),
        before.reasoning,
        before.cost,
        before.cache_writes,
    )


def _find(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _or(value: int | None, other: int) -> int:
    return other if value is None else value


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
