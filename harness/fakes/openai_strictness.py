"""What OpenAI insists on in a request: a client that passes here passes there."""

from __future__ import annotations

import json
from typing import Any

_ROLES = frozenset({"system", "user", "assistant", "tool"})


def objection(body: Any) -> str:  # Any: JSON of a request under test
    """Return why OpenAI would reject this request, "" if it would not."""
    if not isinstance(body, dict) or not body.get("model") or not body.get("messages"):
        return "model and messages are required"
    waiting: set[str] = set()
    for number, message in enumerate(body["messages"]):
        reason = _shape(message) or _order(message, waiting)
        if reason:
            return f"messages[{number}]: {reason}"
    return f"tool calls without a response: {sorted(waiting)}" if waiting else ""


def _shape(message: dict[str, Any]) -> str:  # Any: JSON
    role, content = message.get("role"), message.get("content")
    if role not in _ROLES:
        return "role is invalid"
    if role != "assistant" and not isinstance(content, str):
        return "content must be a string"
    if role == "assistant" and not content and not message.get("tool_calls"):
        return "an assistant message needs content or tool_calls"
    return ""


def _order(message: dict[str, Any], waiting: set[str]) -> str:  # Any: JSON
    """Follow the tool calls: every one is answered at once, and nothing else is."""
    if message["role"] == "tool":
        if message.get("tool_call_id") not in waiting:
            return "a tool message must answer a preceding tool call"
        waiting.discard(message["tool_call_id"])
        return ""
    if waiting:
        return f"tool calls without a response: {sorted(waiting)}"
    for call in message.get("tool_calls", ()):
        try:
            json.loads(call["function"]["arguments"])
        except ValueError:
            return "arguments are not JSON"
        waiting.add(call["id"])
    return ""
