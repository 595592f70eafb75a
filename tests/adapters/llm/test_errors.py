"""Errors about a provider's refusal: the advice they give, and the texts they keep to themselves."""

from __future__ import annotations

import json
from typing import Any

from adapters.llm.endpoint import RetryPolicy, build_error, read_refusal
from adapters.llm.openai import Dialect
from bot.errors import ContextTooLong, ModelRefused, ModelUnavailable
from tests.cases import each_row

CASES: list[tuple[int, Any, type[Exception], str]] = [
    (
        401,
        {"error": {"message": "Incorrect API key", "code": "invalid_api_key"}},
        ModelRefused,
        "llm.apiKey or LLM_API",
    ),
    (403, "forbidden", ModelRefused, "llm.apiKey"),
    (
        400,
        [{"error": {"code": 400, "message": "API key not valid", "status": "INVALID_ARGUMENT"}}],
        ModelRefused,
        "apiKey",
    ),
    (402, {"error": {"message": "Insufficient credits"}}, ModelRefused, "no credit"),
    (429, {"error": {"code": "insufficient_quota", "message": "You exceeded"}}, ModelRefused, "no credit"),
    (404, {"error": {"message": "The model `x` does not exist", "code": "model_not_found"}}, ModelRefused, "llm.model"),
    (404, {"error": 'model "x" not found, try pulling it first'}, ModelRefused, "llm.model"),
    (400, {"error": {"message": "x is not a valid model ID", "code": 400}}, ModelRefused, "llm.model"),
    (404, "404 page not found", ModelRefused, "llm.url"),
    (308, "", ModelRefused, "llm.url"),
    (400, {"error": {"code": "context_length_exceeded", "message": "long"}}, ContextTooLong, "llm.contextTokens"),
    (400, {"error": {"type": "exceed_context_size_error", "message": "m"}}, ContextTooLong, "llm.contextTokens"),
    (400, {"type": "error", "error": {"message": "prompt is too long: 9 tokens"}}, ContextTooLong, "llm.contextTokens"),
    (
        400,
        {"error": {"code": "content_filter", "message": "triggering Azure OpenAI's content management policy"}},
        ModelRefused,
        "content filter",
    ),
    (413, "", ContextTooLong, "llm.contextTokens"),
    (429, {"error": {"message": "Rate limit reached"}}, ModelUnavailable, "limits our rate"),
    (500, "<html>oops</html>", ModelUnavailable, "cannot answer now"),
    (529, {"type": "error", "error": {"type": "overloaded_error"}}, ModelUnavailable, "overloaded_error"),
    (418, "", ModelRefused, "rejects the request"),
    (400, None, ModelRefused, "rejects the request"),
]


@each_row(("status", "body", "kind", "words"), CASES)
def test_each_refusal_names_what_to_change(status: int, body: Any, kind: type[Exception], words: str) -> None:
    """Every shape of error body in use leads to the right error and the right setting."""
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    error = build_error(read_refusal(status, raw), "example.org")

    assert type(error) is kind
    assert words in str(error)
    assert "example.org" in str(error)


def test_a_fallback_names_its_own_settings() -> None:
    """Of several models the one at fault is named."""
    error = build_error(read_refusal(401, b""), "example.org", "llm.fallbacks[1]")

    assert "llm.fallbacks[1].apiKey" in str(error)


def test_the_providers_sentence_is_not_repeated() -> None:
    """It may quote the key or the conversation; codes that look like keys stay out as well."""
    body = {"error": {"message": "Invalid: my secret diary, sk-12345", "type": "sk-12345", "param": "tools[0].name"}}
    text = str(build_error(read_refusal(400, json.dumps(body).encode()), "example.org"))

    assert "diary" not in text
    assert "sk-12345" not in text
    assert "tools[0].name" in text


def test_huge_numbers_as_codes_are_survived() -> None:
    """A code that is no status is not taken for one."""
    body = json.dumps({"error": {"code": "9" * 5000, "message": ""}}).encode()

    assert isinstance(build_error(read_refusal(200, body), "example.org"), ModelUnavailable)


def test_retries_are_bounded_and_polite() -> None:
    """Twice at most, longer each time, exactly as long as asked, and not at all when that is too long."""
    retries = RetryPolicy(count=2, first_s=1.0, longest_s=8.0)
    plain, asked, too_long = (ModelUnavailable("x", retry_after_s=pause) for pause in (None, 3.0, 60.0))
    first, second = retries.choose_pause(0, plain), retries.choose_pause(1, plain)

    assert first is not None
    assert second is not None
    assert 0.5 <= first <= 1.0 <= second <= 2.0
    assert retries.choose_pause(2, plain) is None
    assert retries.choose_pause(0, asked) == 3.0
    assert retries.choose_pause(0, too_long) is None


def test_what_timed_out_is_not_repeated() -> None:
    """Waiting a second time would cost the user the same patience again."""
    error = ModelUnavailable("slow")
    error.__cause__ = TimeoutError()

    assert RetryPolicy().choose_pause(0, error) is None


@each_row(
    ("words", "changed"),
    [
        ("Unknown parameter: 'stream_options'", {"stream_options": False}),
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead",
            {"limit_field": "max_completion_tokens"},
        ),
        ("Unsupported value: 'temperature' does not support 0.2 with this model", {"temperature": False}),
        ("registry.ollama.ai/library/gemma:latest does not support tools", {"tools": False}),
        ("streaming is not supported by this model", {"stream": False, "stream_options": False}),
    ],
)
def test_each_dialect_is_learned(words: str, changed: dict[str, Any]) -> None:
    """What a server rejects is left out, that one thing and once."""
    refusal = read_refusal(400, json.dumps({"error": {"message": words}}).encode())
    learned = Dialect().adapt_to(refusal)

    assert learned == Dialect(**changed)
    assert learned is not None
    assert learned.adapt_to(refusal) is None


def test_other_refusals_teach_nothing() -> None:
    """A missing key is not a dialect."""
    assert Dialect().adapt_to(read_refusal(401, b"tools are not supported without a key")) is None
