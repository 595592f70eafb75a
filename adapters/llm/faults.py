"""The network's faults in our words, and bodies that do not grow without end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from adapters.llm.endpoint import Endpoint
from bot.errors import ModelUnavailable

MAX_BODY_BYTES = 16_000_000
"""A body that is longer is not an answer."""


@contextmanager
def translated(endpoint: Endpoint) -> Iterator[None]:
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


async def whole(response: httpx.Response, limit: int = MAX_BODY_BYTES) -> bytes:
    """Return the body of at most ``limit`` bytes.  Raises :class:`~bot.errors.ModelUnavailable` for a longer one."""
    parts, size = [], 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > limit:
            raise ModelUnavailable("the language model server answers without end")
        parts.append(part)
    return b"".join(parts)
