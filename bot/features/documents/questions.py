"""Reads "NAME question": which document a question names, by name, number or a part of the name."""

from __future__ import annotations

import re
from typing import Final

from bot.memory.scope import Scope
from bot.ports.document_store import DocumentStore, StoredDocument

_QUOTED: Final = re.compile(r"[\"'“„«](?P<name>[^\"'“”„«»]{1,120})[\"'”“»]\s+(?P<question>\S.*)", re.DOTALL)
_LONGEST_NAME: Final = 8
"""Words of a name without quotation marks."""


async def find_asked(store: DocumentStore, scope: Scope, text: str) -> tuple[StoredDocument, str] | None:
    """Return the document that ``text`` begins with and the question behind it, ``None`` if that is not certain.

    Of several readings the longest name counts.  Raises :class:`~bot.errors.StorageUnavailable`.
    """
    quoted = _QUOTED.fullmatch(text.strip())
    if quoted is not None:
        found = await store.find(scope, quoted["name"])
        return (found[0], quoted["question"].strip()) if len(found) == 1 else None
    words = text.split()
    for count in range(min(_LONGEST_NAME, len(words) - 1), 0, -1):
        found = await store.find(scope, " ".join(words[:count]))
        if len(found) == 1:
            return found[0], text.split(maxsplit=count)[count].strip()
    return None
