"""Fixtures of this folder: a clock, a document, a client with short patience."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from adapters.rag.client import IngestionTimes, LightRagClient
from adapters.rag.indexer import IndexerTimes
from adapters.rag.transport import ServerNames
from bot.memory.document import render_document, source_name
from bot.memory.scope import Scope
from bot.turn import IndexDocument
from harness.fakes.lightrag import INSTALLATION, FakeLightRag

ANNA = Scope("tu1")
BORIS = Scope("tu2")
HASTY = IngestionTimes(empty_track_s=0.02, stuck_s=0.1, repair_s=0.1, reinsert_s=0.02, late_s=0.3)
BRISK = IndexerTimes(
    poll_s=0.002,
    poll_max_s=0.02,
    retry_s=0.002,
    retry_max_s=0.02,
    gate_after=5,
    gate_s=0.005,
    gate_max_s=0.02,
    idle_s=0.05,
)


class SystemClock:
    """The real clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


def document(
    scope: Scope, number: int, said: str = "", answered: str = "Noted, thank you for telling me."
) -> IndexDocument:
    """Return exchange ``number`` of a scope as its document."""
    said_at = datetime(2026, 2, 7, 13, 30, tzinfo=UTC) + timedelta(minutes=number)
    text = render_document(
        tag=scope.tag,
        uid=f"x{number}",
        said_at=said_at,
        skill="",
        author_name="Anna",
        user_text=said or f"Fact number {number} is worth remembering.",
        assistant_text=answered,
    )
    return IndexDocument(scope, source_name(said_at, scope.tag, f"x{number}"), text)


def client_of(fake: FakeLightRag, **options: Any) -> LightRagClient:
    """Return a client of the fake that gives up on a document quickly, on a request only when the test says so."""
    defaults: dict[str, Any] = {"names": ServerNames(INSTALLATION), "index_timeout_s": lambda: 10.0, "patience": HASTY}
    return LightRagClient(lambda: fake.url, "secret", **{**defaults, **options})
