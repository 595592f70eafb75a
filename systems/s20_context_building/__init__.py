"""System 20: put what we remember in front of the model.

Both memories are asked at once, under one deadline; whatever is late or broken costs the turn its memories and
leaves a note in the trace, never an error.
"""

from __future__ import annotations

from systems.s20_context_building.building import ContextBuilding
from systems.s20_context_building.limits import ContextLimits, Fusion, RetrievalOptions
from systems.s20_context_building.retrieval import Retrieval
from systems.s20_context_building.retrieved import Retrieved

__all__ = ["ContextBuilding", "ContextLimits", "Fusion", "Retrieval", "RetrievalOptions", "Retrieved"]
