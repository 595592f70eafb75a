"""A language model that answers LightRAG's prompts by our own rules, so that both ways to its graph can be compared."""

from __future__ import annotations

import re
from typing import Any

from memory_server.extraction import Extractor

_INPUT = re.compile(r"---Input Text---\n```\n(.*?)\n```\n", re.DOTALL)
_LISTED = re.compile(r"Description List:\n+```\n(.*?)\n```", re.DOTALL)
_QUOTED = re.compile(r'"Description":\s*"((?:[^"\\]|\\.)*)"')


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
            return "<SEP>".join(texts[-8:])
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
