"""Reads what a server says a completion cost, in any of the shapes in use.

Shapes: ``usage`` of OpenAI with ``prompt_tokens_details`` and ``completion_tokens_details`` (vLLM, OpenRouter and
others follow it), DeepSeek's ``prompt_cache_hit_tokens``, Moonshot's ``cached_tokens``, Anthropic's ``input_tokens``
beside ``cache_read_input_tokens``, llama.cpp's ``timings``, Groq's ``x_groq``; OpenRouter's ``cost``, in US
dollars (https://openrouter.ai/docs/use-cases/usage-accounting).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.usage import Usage

_BILLION = 1_000_000_000
_MOST_COST = 10_000
_CACHED = ("prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")


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
    return Usage(used.prompt, used.completion, 1, cached, reasoning, used.cost)


def _read_counts(usage: Mapping[str, Any], before: Usage) -> Usage:  # Any: as above
    cached = _count(_find(usage.get("prompt_tokens_details"), "cached_tokens"))
    cached = cached or next((count for name in _CACHED if (count := _count(usage.get(name)))), cached)
    prompt = _count(usage.get("prompt_tokens"))
    if prompt is None and (fresh := _count(usage.get("input_tokens"))) is not None:
        # Anthropic counts what came from the cache, and what went into it, beside the input.
        prompt = fresh + (cached or 0) + (_count(usage.get("cache_creation_input_tokens")) or 0)
    completion = _first(_count(usage.get("completion_tokens")), _count(usage.get("output_tokens")))
    reasoning = _count(_find(usage.get("completion_tokens_details"), "reasoning_tokens"))
    return Usage(
        _or(prompt, before.prompt),
        _or(completion, before.completion),
        1,
        _or(cached, before.cached),
        _or(reasoning, before.reasoning),
        _first(_read_cost(usage.get("cost")), before.cost),
    )


def _read_cost(value: object) -> int | None:
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
    )


def _find(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _or(value: int | None, other: int) -> int:
    return other if value is None else value


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
