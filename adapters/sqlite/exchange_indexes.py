"""All that is kept exact with exchanges: what stores and erases them must be given the same."""

from __future__ import annotations

from adapters.sqlite.chronicle import ChronicleIndex
from adapters.sqlite.names import NamesIndex
from adapters.sqlite.rows.exchanges import ExchangeIndex
from adapters.sqlite.turn_search.index import RecallIndex


def build_indexes() -> tuple[ExchangeIndex, ...]:
    """Return the search over verbatim turns, the chronicle and the names."""
    return RecallIndex(), ChronicleIndex(), NamesIndex()
