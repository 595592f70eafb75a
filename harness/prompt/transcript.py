"""Writes one request to a language model down for people: its messages in full, and what its pieces cost."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from harness.prompt.counting import Prefix, take_apart

Json = Any  # a request as it was sent

_MARK: Final = re.compile(r"<<<\w+ ([A-Za-z0-9]{8,64})$", re.MULTILINE)
_SHOWN_MARK: Final = "0123456789abcdef"
"""In place of the random mark, so that two transcripts of one state of the code are the same."""
_BLOCK: Final = "~~~~~"


def render_transcript(body: Json, prefix: Prefix) -> str:
    """Return a request as Markdown; ``prefix`` is what it has in common with the request before."""
    messages = body["messages"]
    first = next((place for place, each in enumerate(messages) if each["role"] != "system"), len(messages))
    parts = []
    for place, message in enumerate(messages):
        text = _hide_marks(message.get("content") or "", body)
        name = "the front" if place < first else _name(place, messages)
        parts.append(f"### {place + 1}. `{message['role']}`, {name}\n\n{_BLOCK}text\n{text}\n{_BLOCK}")
        if place == first - 1 and body.get("tools"):
            tools = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in body["tools"])
            parts.append(f"### Tools, read behind the front\n\n{_BLOCK}json\n{tools}\n{_BLOCK}")
    return "\n\n".join((*parts, _render_costs(body, prefix)))


def _name(place: int, messages: Json) -> str:
    if place == len(messages) - 1:
        return "what was just said"
    return "for this message alone" if messages[place]["role"] == "system" else "the conversation so far"


def _hide_marks(text: str, body: Json) -> str:
    whole = "\n".join(each.get("content") or "" for each in body["messages"])
    for mark in sorted(set(_MARK.findall(whole)), key=len, reverse=True):
        text = text.replace(mark, _SHOWN_MARK)
    return text


def _render_costs(body: Json, prefix: Prefix) -> str:
    rows = "\n".join(f"| {name} | {tokens} |" for name, tokens in take_apart(body).count().items() if tokens)
    percent = round(100 * prefix.tokens / prefix.whole_tokens, 1)
    return (
        "### What it costs\n\n| part | tokens |\n|---|---|\n"
        f"{rows}\n| **all** | **{prefix.whole_tokens}** |\n\n"
        f"{prefix.tokens} of them ({percent} %) are the same as in the request before, from the first on: "
        "a server that keeps what it has read reads only the others."
    )
