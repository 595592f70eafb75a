"""Entities and relations of a chunk: by rules, or by LightRAG's own extraction through a language model.

LightRAG's pipeline knows no other way to be handed entities than a language model's answer, so for storages that only
it can fill the rules answer its prompts.
"""

from __future__ import annotations

import asyncio
import re
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


_INPUT = re.compile(r"---Input Text---\n```\n(.*?)\n```\n", re.DOTALL)
_LISTED = re.compile(r"Description List:\n+```\n(.*?)\n```", re.DOTALL)
_QUOTED = re.compile(r'"Description":\s*"((?:[^"\\]|\\.)*)"')
SUMMARISED = 8


class RuleModel:
    """Answers extraction, gleaning and summary prompts in LightRAG's format."""

    name = ""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor

    async def complete(self, prompt: str, system_prompt: str | None = None, **hints: Any) -> str:  # Any: LightRAG's
        """Return rows of entities and relations, or the newest of the descriptions to be summarised."""
        listed = _LISTED.search(prompt)
        if listed is not None:
            texts = _QUOTED.findall(listed[1]) or listed[1].splitlines()
            return "<SEP>".join(texts[-SUMMARISED:])
        found = _INPUT.search(prompt) or _INPUT.search(system_prompt or "")
        if found is None or hints.get("history_messages"):
            return "<|COMPLETE|>"
        return self._rows(found[1])

    def _rows(self, text: str) -> str:
        found = self._extractor.extract(text)
        names = {entity.key: entity.name for entity in found.entities}
        rows = [("entity", entity.name, entity.kind, found.texts[entity.i]) for entity in found.entities]
        joined = [
            ("relation", names[relation.source], names[relation.target], relation.keywords, found.texts[relation.i])
            for relation in found.relations
        ]
        return "\n".join(["<|#|>".join(row) for row in [*rows, *joined]] + ["<|COMPLETE|>"])
