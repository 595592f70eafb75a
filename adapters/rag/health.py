"""What kind of server answers, and how well: for ``mneme check`` and for the refusal of unsafe set-ups."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from adapters.rag.client import LightRagClient
from adapters.rag.wire import refused
from bot.errors import MemoryUnavailable

_NAMED: Final = 3


class ServerKind(StrEnum):
    """How the server handles ``LIGHTRAG-WORKSPACE``.

    Mneme's own memory server keeps each workspace apart, says so in ``/health`` by an object ``mneme``, and lists its
    workspaces; LightRAG's own puts everything into the one that it was started with, whatever the header says.
    """

    OURS = "ours"
    STOCK = "stock"


async def probe(client: LightRagClient) -> ServerKind:
    """Ask the server what it is.  Raises :class:`~bot.errors.MemoryUnavailable`, also for a wrong key."""
    reply = await client.get("/health")
    if reply.status != 200 or not isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
        raise refused(reply)
    if isinstance(reply.body.get("mneme"), dict):
        return ServerKind.OURS
    workspaces = await client.get("/workspaces")
    if workspaces.status in {401, 403}:
        raise refused(workspaces)
    listed = isinstance(workspaces.body, dict) and isinstance(workspaces.body.get("workspaces"), list)
    return ServerKind.OURS if workspaces.status == 200 and listed else ServerKind.STOCK  # noqa: PLR2004 - see above


async def health(client: LightRagClient) -> tuple[str, str]:
    """Return "ok", "degraded" or "down", and the reason in one sentence.

    ``/health`` answers to everybody; only a route behind the key tells whether the key is right.
    """
    try:
        kind = await probe(client)
        damaged = await _set_aside(client)
        reply = await client.get("/workspaces" if kind is ServerKind.OURS else "/documents/pipeline_status")
        if reply.status != 200:  # noqa: PLR2004 - HTTP's "OK"
            raise refused(reply)
    except MemoryUnavailable as error:
        return "down", str(error)
    if not await client.is_available():
        return "degraded", "the server is up, but its answers to questions failed lately"
    if damaged:
        kept = ", ".join(damaged[:_NAMED]) + (", …" if len(damaged) > _NAMED else "")
        return "degraded", (
            f"{len(damaged)} damaged workspace files were set aside in workspaces/damaged ({kept}); what was said is "
            "indexed again by itself; delete them once nothing is missing"
        )
    what = "Mneme's memory server" if kind is ServerKind.OURS else "a stock LightRAG server, one workspace for all"
    return "ok", f"{what} answers"


async def _set_aside(client: LightRagClient) -> tuple[str, ...]:
    """Return the damaged files that our server keeps."""
    reply = await client.get("/health")
    kept = reply.body.get("set_aside") if isinstance(reply.body, dict) else None
    return tuple(str(name) for name in kept) if isinstance(kept, list) else ()
