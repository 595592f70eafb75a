"""Where entities and relations come from: rules, or LightRAG's own extraction through a language model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from lightrag.operate import extract_entities

from memory_server.extraction.extract import Entity, Extraction, Extractor, NameStems, Relation

Config = dict[str, Any]  # Any: LightRAG's settings


@dataclass(frozen=True, slots=True)
class RuleExtractor:
    """Entities and relations by rules, beside the event loop."""

    extractor: Extractor

    async def extract(self, chunk: str) -> Extraction:
        """Return what a chunk mentions."""
        return await asyncio.to_thread(self.extractor.extract, chunk)


@dataclass(frozen=True, slots=True)
class ModelExtractor:
    """LightRAG's extraction prompts through the configured model; raises what the model raises."""

    config: Callable[[], Awaitable[Config]]
    stems: NameStems = field(default_factory=NameStems)

    async def extract(self, chunk: str) -> Extraction:
        """Return what the model finds in a chunk."""
        source = {"content": chunk, "tokens": 0, "full_doc_id": "doc", "chunk_order_index": 0, "file_path": "chunk"}
        ((nodes, edges), *_) = await extract_entities({"chunk": source}, await self.config())
        texts: dict[int, str] = {}
        entities: dict[str, Entity] = {}
        for name, found in nodes.items():
            key = self.stems.key(name)
            texts[len(texts)] = str(found[0].get("description", ""))
            entities.setdefault(key, Entity(name, key, str(found[0].get("entity_type", "other")), len(texts) - 1))
        relations: list[Relation] = []
        for (source_name, target_name), found in edges.items():
            ends = [self.stems.key(name) for name in (source_name, target_name)]
            texts[len(texts)] = str(found[0].get("description", ""))
            for key, name in zip(ends, (source_name, target_name), strict=True):
                entities.setdefault(key, Entity(name, key, "other", len(texts) - 1))
            if ends[0] != ends[1]:
                relations.append(Relation(ends[0], ends[1], str(found[0].get("keywords", "")), len(texts) - 1))
        return Extraction(texts, tuple(entities.values()), tuple(relations))
