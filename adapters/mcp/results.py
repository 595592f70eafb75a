"""What a tool answers, as text: pictures and sounds are named, resources quoted, and all of it is bounded."""

from __future__ import annotations

import json
from typing import Final

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)

from bot.memory.sanitise import flatten, remove_hidden

_MOST: Final = 20_000
"""Characters of one result."""
_MOST_PIECES: Final = 50
_NAMED: Final = 300


def render_result(result: CallToolResult) -> str:
    """Return the text of a result, "" if it says nothing."""
    pieces = [piece for content in result.content[:_MOST_PIECES] if (piece := _render(content)).strip()]
    if not pieces and result.structured_content is not None:
        pieces = [json.dumps(result.structured_content, ensure_ascii=False)]
    text = remove_hidden("\n\n".join(pieces))
    if len(text) > _MOST:
        return f"{text[:_MOST]}\n[cut: the first {_MOST} of {len(text)} characters]"
    return text


def _render(content: object) -> str:
    match content:
        case TextContent():
            return content.text
        case ImageContent() | AudioContent():
            kind = flatten(content.mime_type, _NAMED)
            return f"[{kind}, about {len(content.data) * 3 // 4} bytes, which cannot be shown here]"
        case ResourceLink():
            return f"[a link to {flatten(content.name, _NAMED)}: {flatten(str(content.uri), _NAMED)}]"
        case EmbeddedResource(resource=BlobResourceContents() as blob):
            return f"[{flatten(str(blob.uri), _NAMED)}: {len(blob.blob) * 3 // 4} bytes, which cannot be shown here]"
        case EmbeddedResource():
            return f"[{flatten(str(content.resource.uri), _NAMED)}]\n{getattr(content.resource, 'text', '')}"
    return ""
