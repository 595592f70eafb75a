"""How much one turn may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolLoopLimits:
    """Bounds of one turn.

    ``model_calls`` and ``tool_runs`` count; ``wall_s`` and ``tool_s`` are seconds for the whole loop and for one tool
    run; ``output_chars`` and ``answer_chars`` cut one tool's result and the answer; ``context_tokens`` is what the
    model can read: the oldest history is left out beyond three quarters of it.
    """

    model_calls: int = 8
    tool_runs: int = 16
    wall_s: float = 120.0
    output_chars: int = 20_000
    tool_s: float = 30.0
    answer_chars: int = 100_000
    context_tokens: int = 16_000
