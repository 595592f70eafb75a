"""System 30: the model answers, with tools, until it is done or a limit says so.

Whatever goes wrong (no model, a broken stream, a limit, /stop) the turn ends with a reply that says what happened and
keeps what there is.
"""

from __future__ import annotations

from systems.s30_tool_loop.loop import ToolLoop, ToolLoopTexts
from systems.s30_tool_loop.progress import ToolLoopLimits

__all__ = ["ToolLoop", "ToolLoopLimits", "ToolLoopTexts"]
