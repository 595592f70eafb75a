"""Takes a model's thinking out of its answer.

Local servers hand the ``<think>`` block of reasoning models through as text; people want the answer, and history
must not be filled with it.  Only a block at the very start counts: elsewhere the word is part of the answer.
"""

from __future__ import annotations

from bot.errors import ModelUnavailable

_OPEN, _CLOSE = "<think>", "</think>"
_MAX_THOUGHT_CHARS = 2_000_000


class ThinkingFilter:
    """Passes text on as it streams, without a leading ``<think>…</think>``."""

    __slots__ = ("_held", "_state")

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"

    def feed(self, text: str) -> str:
        """Return what of the text so far belongs to the answer and was not returned yet."""
        if self._state == "answer":
            return text
        self._held += text
        if self._state == "start":
            opening = self._held.lstrip()
            if opening.startswith(_OPEN):
                self._state = "thinking"
            elif not _OPEN.startswith(opening):
                return self._release(self._held)
        if self._state == "thinking":
            if len(self._held) > _MAX_THOUGHT_CHARS:
                raise ModelUnavailable("the language model thinks without end")
            _, found, answer = self._held.partition(_CLOSE)
            if found:
                self._state, self._held = "lead", answer
        if self._state == "lead":
            answer = self._held.lstrip()
            return self._release(answer) if answer else ""
        return ""

    def finish(self) -> str:
        """Return what was held back and turned out to be answer."""
        return self._release(self._held) if self._state == "start" else ""

    def _release(self, text: str) -> str:
        self._state, self._held = "answer", ""
        return text
