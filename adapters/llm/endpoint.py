"""The address of a model server, and the credentials that every request carries."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

import httpx

from bot.errors import ModelRefused

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
        """The route of chat completions."""
        return f"{self.base}/chat/completions"

    @property
    def models_url(self) -> str:
        """The route that lists models."""
        return f"{self.base}/models"

    @property
    def is_local(self) -> bool:
        """Return whether the server runs on this machine: no proxy is asked for it."""
        return self.host.partition(":")[0] in _LOOPBACK or self.host.startswith("[::1]")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
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
