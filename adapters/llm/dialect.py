"""What a server understands of the protocol, learned from its refusals.

"OpenAI-compatible" has dialects: some servers reject ``stream_options``, newer models reject ``max_tokens`` and
``temperature``, small local models reject tools.  Each refusal is answered by leaving that one thing out, for good.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from adapters.llm.refusals import Refusal

_MISFIT_STATUS = frozenset({400, 404, 422, 500, 501})


@dataclass(frozen=True, slots=True)
class Dialect:
    """The optional parts of a request that the server takes."""

    stream: bool = True
    stream_options: bool = True
    tools: bool = True
    temperature: bool = True
    limit_field: str = "max_tokens"

    def after(self, refusal: Refusal) -> Dialect | None:
        """Return the dialect to try next, or ``None`` when the refusal is about something else."""
        if refusal.status not in _MISFIT_STATUS:
            return None
        words = refusal.words
        unsupported = "support" in words or "not allowed" in words or "must be" in words
        changes: dict[str, bool | str] = {}
        if self.stream_options and ("stream_options" in words or "include_usage" in words):
            changes = {"stream_options": False}
        elif self.limit_field == "max_tokens" and "max_completion_tokens" in words:
            changes = {"limit_field": "max_completion_tokens"}
        elif self.temperature and "temperature" in words:
            changes = {"temperature": False}
        elif self.tools and "tool" in words and (unsupported or "tool-call-parser" in words or "jinja" in words):
            changes = {"tools": False}
        elif self.stream and "stream" in words and unsupported:
            changes = {"stream": False, "stream_options": False}
        return replace(self, **changes) if changes else None  # type: ignore[arg-type]  # mypy cannot match names to types here
