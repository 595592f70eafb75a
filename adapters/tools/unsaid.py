"""Finds in an address what the model knows from memory: what the user did not type just now is not ours to send."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final
from urllib.parse import unquote_plus

from bot.memory.sanitise import list_fenced
from bot.memory.synonyms import STOP_WORDS
from bot.turn import Turn
from language.words import fold

_WORD: Final = re.compile(r"[^\W_]{3,}")
_PUNYCODE: Final = re.compile(r"xn--[a-z0-9-]++")
_LAST_LABEL: Final = re.compile(r"^https?://(?:www\.)?([^/?#:]*)\.[^./?#:]++")
_WITHIN: Final = 6
"""Letters of a word that tells even within a longer one."""


def tells_unsaid(turn: Turn, url: str) -> bool:
    """Return whether an address holds a word of memory or of the conversation that the user has not typed just now."""
    address = fold(unquote_plus(_PUNYCODE.sub(_decode, _LAST_LABEL.sub(r"\1", url))))
    asked = set(_WORD.findall(address))
    known = _list_known(turn) - set(_WORD.findall(fold(turn.typed))) - STOP_WORDS - {f"{turn.started_at.year}"}
    return any(word in asked or (len(word) >= _WITHIN and word in address) for word in known)


def _list_known(turn: Turn) -> set[str]:
    """Return the words of what the model has read of memory, of the conversation and from tools of ours."""
    texts = [text for exchange in turn.history for text in exchange.texts]
    texts += [run.output for run in turn.tool_runs if not (run.tainted or run.synthetic)]
    for shown in (turn.system_prompt, turn.summary, turn.context):
        texts += list_fenced(shown, turn.mark)
    return {word for text in texts for word in _WORD.findall(fold(text))}


def _decode(label: re.Match[str]) -> str:
    """Return a label of a host in its own letters (RFC 5891)."""
    with suppress(UnicodeError):
        return label[0].encode().decode("idna")
    return label[0]
