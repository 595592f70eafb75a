"""The address of a model server, the credentials that every request carries, and what its refusals mean.

Refusals of a provider and faults of the network become our errors, which say what may be tried again.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import httpx

from bot.errors import ContextTooLong, MnemeError, ModelRefused, ModelUnavailable
from bot.retry import Backoff

_LAST_PORT = 65_535
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's address without anything secret in it, and the header that is.

    ``settings`` is the path of the settings it came from ("llm", "llm.fallbacks[0]"), for error texts.
    """

    base: str
    host: str
    settings: str = "llm"
    authorization: str = field(default="", repr=False)

    @property
    def chat_url(self) -> str:
        return f"{self.base}/chat/completions"

    @property
    def models_url(self) -> str:
        return f"{self.base}/models"

    @property
    def is_local(self) -> bool:
        """Return whether the server runs on this machine: no proxy is asked for it."""
        return self.host.partition(":")[0] in _LOOPBACK or self.host.startswith("[::1]")

    @property
    def headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        return {**headers, "Authorization": self.authorization} if self.authorization else headers


def parse_endpoint(base_url: str, api_key: str, settings: str = "llm") -> Endpoint:
    """Return the endpoint of a base URL as people write it, with or without ``/v1`` or the full route.

    A user and password in the URL move into the header, because URLs are logged.
    Raises :class:`~bot.errors.ModelRefused` for what cannot be an address or a key; neither is repeated.
    """
    try:
        url = httpx.URL(base_url.strip())
    except httpx.InvalidURL as error:
        raise ModelRefused(f"{settings}.url is not a web address ({type(error).__name__})") from None
    if url.scheme not in {"http", "https"} or not url.host or (url.port or 1) > _LAST_PORT:
        raise ModelRefused(f"{settings}.url is not a web address: http:// or https://, a host, and a port if need be")
    key = api_key.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ModelRefused(f"{settings}.apiKey / LLM_API_KEY holds characters that no key has; copy it again")
    path = url.path.rstrip("/").removesuffix("/chat/completions") or "/v1"
    host = url.netloc.decode("ascii")
    authorization = f"Bearer {key}" if key else ""
    if url.userinfo and not key:
        pair = f"{url.username}:{url.password}".encode()
        authorization = f"Basic {base64.b64encode(pair).decode('ascii')}"
    return Endpoint(f"{url.scheme}://{host}{path}", host, settings, authorization)


def read_object(text: str | bytes) -> dict[str, Any] | None:  # Any: JSON of somebody foreign
    """Return the one JSON object that a text is, ``None`` for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


_CODE = re.compile(r"(?!sk-)[A-Za-z0-9_.\-\[\]]{1,60}")
_STATUS = re.compile(r"[1-5][0-9]{2}")
_WORDS_CHARS = 4000


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error answer, as far as it may be told.

    ``status`` is the HTTP status (or the one the body names); ``words`` everything the body says, in lower case, to be
    searched only; ``codes`` the short identifiers in it.
    """

    status: int
    words: str
    codes: tuple[str, ...]


def read_refusal(status: int, body: bytes) -> Refusal:
    """Read the body of an error answer in any of the shapes in use: nested, flat, a string, a list, or no JSON."""
    text = body.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Refusal(status, text[:_WORDS_CHARS].lower(), ())
    return _read_json(status, value)


def _read_json(status: int, value: Any) -> Refusal:  # Any: JSON of a foreign server
    if isinstance(value, list) and value:
        value = value[0]
    detail = value.get("error", value) if isinstance(value, dict) else value
    if not isinstance(detail, dict):
        return Refusal(status, str(detail)[:_WORDS_CHARS].lower(), ())
    codes = tuple(
        dict.fromkeys(
            code
            for key in ("type", "code", "param", "status")
            if isinstance(code := detail.get(key), str) and _CODE.fullmatch(code)
        )
    )
    inner = detail.get("code")
    if status == HTTPStatus.OK:
        named = str(inner) if isinstance(inner, int | str) else ""
        status = int(named) if _STATUS.fullmatch(named) else 0
    return Refusal(status, f"{' '.join(codes)} {detail.get('message', '')}"[:_WORDS_CHARS].lower(), codes)


def read_provider_error(body: dict[str, Any], source: str, settings: str = "llm") -> MnemeError:  # Any: foreign JSON
    """Return the error that a provider reports inside a successful response."""
    return build_error(_read_json(HTTPStatus.OK, body), source, settings)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A kind of refusal: what to say (``source``, ``label`` and ``settings`` are filled in), and how it is known."""

    text: str
    statuses: frozenset[int] = frozenset()
    words: str = "(?!)"
    error: Callable[[str], MnemeError] = ModelRefused

    def fits(self, refusal: Refusal) -> bool:
        return refusal.status in self.statuses or re.search(self.words, refusal.words) is not None


_WAITING = frozenset({0, 408, 409, 425, 429, *range(500, 600)})
"""Statuses that pass by themselves; 0 is an error inside a stream that names none."""

_RULES = (
    _Rule(
        "the content filter of {source} refuses this conversation ({label}): say it in other words, begin anew with"
        " /new, or set another model in {settings}.model",
        words=r"content[_ ]?filter|content[_ ](?:management |usage )?policy|responsible[_ ]?ai|content moderation"
        r"|moderation[_ ]blocked|prohibited[_ ]content|data[_ ]?inspection[_ ]?failed|flagged (?:as|for|by)"
        r"|blocked by .{0,40}(?:safety|moderation|guardrail)",
    ),
    _Rule(
        "no credit left at {source} ({label}): top up the account, or change {settings}.apiKey / LLM_API_KEY",
        frozenset({402}),
        r"insufficient[_ ](?:quota|credit|balance|funds)|billing|credit balance|payment required"
        r"|exceeded your current quota",
    ),
    _Rule(
        "the conversation does not fit the model at {source} ({label}): lower {settings}.contextTokens, or set a larger"
        " model in {settings}.model",
        frozenset({413}),
        r"context[_ ]?(?:length|size|window)|maximum context|prompt is too long|too many tokens|input token count"
        r"|reduce the length|exceed_context|exceeds? the (?:available )?context",
        ContextTooLong,
    ),
    _Rule(
        "{source} refuses the key ({label}): set {settings}.apiKey or LLM_API_KEY",
        frozenset({401, 403, 407}),
        r"invalid[_ ]api[_ ]key|incorrect api key|authentication_error|api key not (?:valid|found)|unauthorized",
    ),
    _Rule(
        "{source} does not know the model ({label}): set {settings}.model",
        words=r"model[_ ]not[_ ]found|model .{0,120}(?:not found|does not exist|not supported)|not a valid model"
        r"|no such model|unknown model|invalid model|try pulling it",
    ),
    _Rule(
        "there is no chat completions API at {source} ({label}): set {settings}.url, it usually ends in /v1",
        frozenset({404, 405}),
    ),
    _Rule(
        "{source} redirects elsewhere ({label}): set {settings}.url to the final address", frozenset(range(300, 400))
    ),
    _Rule(
        "the language model at {source} limits our rate ({label})",
        frozenset({429}),
        r"rate[_ ]limit|too many requests",
        ModelUnavailable,
    ),
    _Rule(
        "the language model at {source} cannot answer now ({label})",
        _WAITING,
        r"overloaded|server_error|temporarily|try again",
        ModelUnavailable,
    ),
    _Rule("{source} rejects the request ({label}): check {settings}.model and {settings}.url", frozenset(range(1000))),
)


def build_error(
    refusal: Refusal, source: str, settings: str = "llm", *, retry_after_s: float | None = None
) -> MnemeError:
    """Return the error to raise: the first rule that fits.

    ``source`` is the server's host, ``settings`` the path of the settings at fault.
    """
    where = f"HTTP {refusal.status}" if refusal.status else "in the stream"
    rule = next((rule for rule in _RULES if rule.fits(refusal)), _RULES[-1])
    text = rule.text.format(source=source, label=", ".join((where, *refusal.codes)), settings=settings)
    if rule.error is ModelUnavailable:
        return ModelUnavailable(text, retry_after_s=retry_after_s)
    return rule.error(text)


MAX_BODY_BYTES = 16_000_000
"""A body that is longer is not an answer."""


@contextmanager
def translate_faults(endpoint: Endpoint) -> Iterator[None]:
    """Turn what the HTTP client raises into :class:`~bot.errors.ModelUnavailable`, with the cause attached."""
    try:
        yield
    except (TimeoutError, httpx.TimeoutException) as error:
        raise ModelUnavailable(
            f"the language model at {endpoint.host} did not answer in time; {endpoint.settings}.timeoutSeconds is how"
            " long it may take"
        ) from error
    except httpx.ConnectError as error:
        raise ModelUnavailable(
            f"the language model at {endpoint.host} cannot be reached; is it running, is {endpoint.settings}.url right?"
        ) from error
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise ModelUnavailable(
            f"the connection to the language model at {endpoint.host} broke off ({type(error).__name__})"
        ) from error


async def read_body(response: httpx.Response, limit: int = MAX_BODY_BYTES) -> bytes:
    """Return the body of at most ``limit`` bytes.  Raises :class:`~bot.errors.ModelUnavailable` for a longer one."""
    parts, size = [], 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > limit:
            raise ModelUnavailable("the language model server answers without end")
        parts.append(part)
    return b"".join(parts)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The repetitions of a model call.

    A completion has no side effect but its price, so a call that never began to answer may be repeated; one that timed
    out already cost the user all the patience there was.
    ``count`` repetitions at most, ``first_s`` seconds before the first and twice as much before each further one (with
    jitter); a provider that asks for more than ``longest_s`` seconds is not waited for.
    """

    count: int = 2
    first_s: float = 0.5
    longest_s: float = 8.0

    def choose_pause(self, attempt: int, error: ModelUnavailable) -> float | None:
        """Return the seconds to wait after failed attempt number ``attempt`` (from 0), or ``None`` to give up."""
        timed_out = isinstance(error.__cause__, TimeoutError | httpx.TimeoutException)
        if attempt >= self.count or (timed_out and not isinstance(error.__cause__, httpx.ConnectTimeout)):
            return None
        if error.retry_after_s is not None:
            return error.retry_after_s if error.retry_after_s <= self.longest_s else None
        return Backoff(self.first_s, self.longest_s, jitter=0.5).pause_s(attempt)
