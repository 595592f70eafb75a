"""Tokens for who has logged in with the key, so that a browser need not keep the key itself.

LightRAG's web interface throws away a token that is no unexpired JSON Web Token (RFC 7519) each time it is loaded.
"""

from __future__ import annotations

import hashlib
import hmac
import time

import jwt

LASTS_S = 48 * 3600
"""As long as LightRAG's own."""
_ALGORITHM, _AUDIENCE = "HS256", "mneme memory server"


def issued(api_key: str, name: str, now: float | None = None) -> str:
    """Return a token; another key makes it worthless."""
    begins = int(time.time() if now is None else now)
    claims = {"sub": name[:100], "role": "user", "aud": _AUDIENCE, "iat": begins, "exp": begins + LASTS_S}
    return jwt.encode(claims, _secret(api_key), _ALGORITHM)


def valid(api_key: str, token: str) -> bool:
    """Return whether a token was issued for this key and has not expired."""
    required = {"require": ["exp", "aud"]}
    try:
        jwt.decode(token, _secret(api_key), [_ALGORITHM], options=required, audience=_AUDIENCE)  # type: ignore[arg-type]  # its own typed dictionary
    except jwt.InvalidTokenError:
        return False
    return True


def _secret(api_key: str) -> bytes:
    return hmac.digest(api_key.encode(), b"login token", hashlib.sha256)
