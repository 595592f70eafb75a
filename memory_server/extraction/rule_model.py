"""LightRAG's extraction prompts answered by rules, for storages that only its own pipeline can fill.

Its pipeline knows no other way to be handed entities than a language model's answer; this one costs nothing.
"""

from __future__ import annotations

import re
from typing import Any

from memory_server.extraction.extract import Extractor

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
