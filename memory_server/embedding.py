"""Vectors from any OpenAI-compatible ``/embeddings`` endpoint.

Request and response shapes: https://platform.openai.com/docs/api-reference/embeddings.
"""

import asyncio
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import Any

import httpx
import numpy as np
import stamina
import structlog
from cachetools import LRUCache

from language.tokens import count_tokens
from memory_server.errors import ConfigInvalid, EmbeddingUnavailable, WindowExceeded
from memory_server.options import Embedder, Vectors, WindowedEmbedder

BATCH = 64
"""Texts per request; every provider we know takes at least this many."""

WINDOW_TOKENS = 512
"""What is used of what a model reads, unless it is said: those that read more blur a longer text."""
LEAST_WINDOW = 64
"""Tokens; less than that no model reads, and every chunk would become a heap of vectors."""
MARGIN = 0.75
"""Part of the window that is filled: tokens are estimated, and a provider may refuse a text that is too long."""

_WORD = re.compile(r"\s*+\S{1,64}|\s++")
_LIMIT = re.compile(
    r"(?:context|sequence|input|token)[^.\d]{0,80}?(?:limit|length|size|than|is|of|:)[^.\d]{0,20}?(\d{2,7})\b",
    re.IGNORECASE,
)
"""The limit in a refusal, as OpenAI, vLLM, TEI and llama.cpp word it ("maximum context length is 8192 tokens")."""
_TOO_LONG = re.compile(
    r"(?:token|length|context|input|sequence|text)[^\n]{0,200}?"
    r"(?:too (?:long|large|many)|maximum|exceed|at most|(?:less|fewer|longer|larger|greater) than)"
    r"|(?:too (?:long|large|many)|maximum|exceed|larger than)[^\n]{0,200}?(?:token|length|context|input|sequence|text)",
    re.IGNORECASE,
)
_REFUSALS = frozenset({400, 413, 422, 500})
_ALL = slice(None)
_PROBED = 0.9
"""Part of a window that is measured: more than is filled later, and less than would overflow a model of just this."""
_LIMITS_LEARNED = 8
"""Times in a row that a limit may turn out smaller: each halves it, from some thousand tokens down to the least."""
_REFUSAL = 2000
"""Characters of a refusal that are looked at."""
_ALIKE = 0.9999
"""Cosine of two texts that a model takes for one: they differ beyond what it reads."""


class EndpointEmbedder:
    """A remote model.

    ``url`` is the API's base ("https://api.openai.com/v1") or the full ``…/embeddings`` address; ``dimension`` is what
    the model returns, checked at every answer; ``window_tokens`` how many tokens of a text it reads, ``None`` to find
    out.  Connection errors, 429 and 5xx are tried ``attempts`` times.

    A limit that is not set is measured at the first text that may be over it: two texts that differ in their last word
    alone have one vector where the model does not read so far.  A model that refuses a text as too long tells its
    limit, or is sent half as much from then on.
    """

    def __init__(
        self,
        url: str,
        key: str,
        model: str,
        dimension: int,
        http: httpx.AsyncClient,
        *,
        window_tokens: int | None = None,
        timeout_s: float = 30.0,
        attempts: int = 3,
        cached_texts: int = 4096,
    ) -> None:
        self._url = url if url.rstrip("/").endswith("/embeddings") else f"{url.rstrip('/')}/embeddings"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._model, self._dimension, self._http = model, dimension, http
        self._timeout_s, self._attempts = timeout_s, attempts
        self._room = max(int((window_tokens or WINDOW_TOKENS) * MARGIN), 1)
        self._measured = window_tokens is not None
        self._measuring = asyncio.Lock()
        self._cache: LRUCache[bytes, Vectors] = LRUCache(cached_texts)
        """Vectors by a digest of their text: no text is kept."""

    @property
    def model(self) -> str:
        """The model's name and dimension: one name can be served at several lengths."""
        return f"{self._model}-{self._dimension}"

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one normalised row per text, see :class:`~memory_server.options.Embedder`."""
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        found = [self._cache.get(key) for key in keys]
        missing = [row for row, vector in enumerate(found) if vector is None]
        for start in range(0, len(missing), BATCH):
            part = missing[start : start + BATCH]
            for row, vector in zip(part, await self._ask([texts[row] for row in part]), strict=True):
                self._cache[keys[row]] = found[row] = vector
        rows = np.empty((len(texts), self._dimension), dtype=np.float32)
        for row, vector in enumerate(found):
            rows[row] = vector
        return rows

    async def windows(self, text: str, *, topics: bool = True) -> tuple[str, ...]:
        """Return the parts of a text that the model reads whole; the last eighth of each begins the next one."""
        if count_tokens(text) > LEAST_WINDOW * MARGIN:
            await self._find_limit()
        if count_tokens(text) <= self._room:
            return (text,)
        words = _WORD.findall(text)
        costs = [0, *accumulate(max(count_tokens(word), 1) for word in words)]
        found: list[str] = []
        start = end = 0
        while end < len(words):
            end = max(_last(costs, costs[start] + self._room), start + 1)
            found.append("".join(words[start:end]).strip())
            start = max(_last(costs, costs[end] - self._room // 8), start + 1)
        return tuple(found)

    @property
    def window_tokens(self) -> int:
        """What is sent of a text at most, in tokens as they are estimated here."""
        return self._room

    async def _find_limit(self) -> None:
        """Measure what the model reads, once: its own limit, or :data:`WINDOW_TOKENS` where it reads more."""
        async with self._measuring:
            if self._measured:
                return
            tokens = WINDOW_TOKENS
            while tokens > LEAST_WINDOW and not await self._reads(int(tokens * _PROBED)):
                tokens //= 2
            self._room = min(self._room, int(tokens * MARGIN))
            self._measured = True
            structlog.get_logger().info("embedding_window_measured", tokens=tokens)

    async def _reads(self, tokens: int) -> bool:
        """Return whether the last word of a text of so many tokens changes its vector."""
        begins = "word " * (tokens // max(count_tokens("word "), 1) - 1)
        try:
            one, other = await self._ask([f"{begins}winter", f"{begins}coffee beans"])
        except WindowExceeded:
            return False
        return float(one @ other) < _ALIKE

    def _learn(self, refusal: str, longest: int) -> None:
        """Take in that a text of ``longest`` estimated tokens was too long."""
        told = _LIMIT.search(refusal)
        limit = int(int(told[1]) * MARGIN) if told and int(told[1]) >= LEAST_WINDOW // 2 else self._room // 2
        # Estimated tokens are not the model's: what was refused is too long whatever the limit says.
        self._room = max(min(limit, self._room - 1, max(longest * 3 // 4, 1)), int(LEAST_WINDOW * MARGIN) // 4)
        structlog.get_logger().warning("embedding_window_learned", tokens=self._room)

    async def _ask(self, texts: list[str]) -> Vectors:
        # Providers refuse empty input, and JSON cannot carry a lone surrogate.
        clean = [text.encode("utf-8", "replace").decode() or " " for text in texts]
        try:
            async for attempt in stamina.retry_context(on=_worth_retrying, attempts=self._attempts, wait_max=5.0):
                with attempt:
                    answer = await self._http.post(
                        self._url,
                        headers=self._headers,
                        timeout=self._timeout_s,
                        json={"model": self._model, "input": clean, "encoding_format": "float"},
                    )
                    answer.raise_for_status()
            return _rows(answer.json(), len(texts), self._dimension)
        except httpx.HTTPStatusError as error:
            longest = max(map(count_tokens, clean))
            if _says_too_long(error.response) and longest > LEAST_WINDOW * MARGIN / 4:
                self._learn(error.response.text[:_REFUSAL], longest)
                raise WindowExceeded("the embeddings endpoint reads less of a text than was sent") from error
            raise EmbeddingUnavailable(f"the embeddings endpoint answered HTTP {error.response.status_code}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EmbeddingUnavailable(f"the embeddings endpoint cannot be reached: {type(error).__name__}") from error
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise EmbeddingUnavailable("the embeddings endpoint answered something else than vectors") from error


async def embed_windows(
    embedder: Embedder, texts: Sequence[str], *, topics: bool = True, part: slice = _ALL, whole: Sequence[str] = ()
) -> tuple[tuple[tuple[str, ...], ...], Vectors]:
    """Return the windows of each text (those of ``part``), and one row per window, then one per text of ``whole``.

    What the model turns out not to read is cut anew.  Raises :class:`EmbeddingUnavailable`.
    """
    for _ in range(_LIMITS_LEARNED):
        read = [(await split_into_windows(embedder, text, topics=topics))[part] for text in texts]
        try:
            return tuple(read), await embedder.embed([window for windows in read for window in windows] + [*whole])
        except WindowExceeded:
            continue
    raise EmbeddingUnavailable("the embeddings endpoint refuses texts of any length as too long")


async def split_into_windows(embedder: Embedder, text: str, *, topics: bool = True) -> tuple[str, ...]:
    """Return the texts to embed for ``text``, window by window: itself for a model that says nothing of a window.

    A model ignores what lies beyond its window, and a chunk may be five times as long: a fact at its end had no part in
    its vector.  So a chunk that is longer has several vectors, and the nearest of them speaks for it.
    """
    return await embedder.windows(text, topics=topics) if isinstance(embedder, WindowedEmbedder) else (text,)


def endpoint_embedder(environment: Mapping[str, str]) -> EndpointEmbedder | None:
    """Return the endpoint that EMBEDDING_URL names, ``None`` if it names none.

    EMBEDDING_MODEL and EMBEDDING_DIMENSION say what it serves, EMBEDDING_TOKENS how many tokens of a text it reads;
    unset, that is measured.
    Raises :class:`ConfigInvalid`, which names the variable.  Its connections last as long as the process.
    """
    url = environment.get("EMBEDDING_URL", "")
    if not url:
        return None
    model, dimension = environment.get("EMBEDDING_MODEL", ""), environment.get("EMBEDDING_DIMENSION", "")
    if not model or not dimension.isdigit() or int(dimension) == 0:
        raise ConfigInvalid(
            "EMBEDDING_URL needs EMBEDDING_MODEL and EMBEDDING_DIMENSION, the length of the model's vectors; "
            f"got {model!r} and {dimension!r}"
        )
    window = environment.get("EMBEDDING_TOKENS", "")
    if window and (not window.isdigit() or int(window) < LEAST_WINDOW):
        raise ConfigInvalid(f"EMBEDDING_TOKENS must be a number from {LEAST_WINDOW} on, got {window!r}")
    key = environment.get("EMBEDDING_API_KEY", "")
    tokens = int(window) if window else None
    return EndpointEmbedder(url, key, model, int(dimension), httpx.AsyncClient(), window_tokens=tokens)


def _last(costs: list[int], most: int) -> int:
    """Return how many words cost no more than ``most``; ``costs`` are sums from the first word on."""
    return bisect_right(costs, most) - 1


def _says_too_long(answer: httpx.Response) -> bool:
    return answer.status_code in _REFUSALS and _TOO_LONG.search(answer.text[:_REFUSAL]) is not None


def _worth_retrying(error: Exception) -> bool:
    if isinstance(error, httpx.HTTPStatusError):
        if _says_too_long(error.response):
            return False
        return error.response.status_code == httpx.codes.TOO_MANY_REQUESTS or error.response.is_server_error
    return isinstance(error, httpx.TransportError)


def _rows(body: dict[str, Any], count: int, dimension: int) -> Vectors:  # Any: JSON, checked here
    data = sorted(body["data"], key=lambda entry: entry["index"])
    rows = np.array([entry["embedding"] for entry in data], dtype=np.float32)
    if rows.ndim == 2 and rows.shape[1] != dimension:  # noqa: PLR2004 - a matrix has two dimensions
        raise ConfigInvalid(f"the embeddings endpoint returns {rows.shape[1]} numbers, configured are {dimension}")
    if rows.shape != (count, dimension) or not np.isfinite(rows).all():
        raise ValueError("wrong shape")
    normal: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return normal
