"""Tool calls while a stream delivers them piece by piece.

By the protocol a piece says by its index where it belongs; servers are known that give every call index 0, no index at
all, or no id, so that both are used as far as they are there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from bot.errors import ModelUnavailable
from bot.turn import ToolCall

_MAX_CALLS = 128


@dataclass(slots=True)
class _Slot:
    """One call while it grows."""

    index: int | None
    id: str = ""
    name: str = ""
    arguments: str = ""


class GrowingCalls:
    """The calls of one completion, in the order in which they began."""

    __slots__ = ("_slots", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._slots: list[_Slot] = []

    def take(self, piece: object) -> bool:
        """Add a piece; ``False`` if it cannot be read.

        Raises :class:`~bot.errors.ModelUnavailable` when calls come without end.
        """
        if not isinstance(piece, dict) or not isinstance(function := piece.get("function"), dict):
            return False
        slot = self._slot(piece.get("index"), str(piece.get("id") or ""))
        slot.name = slot.name or str(function.get("name") or "")
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            slot.arguments += arguments
        elif arguments is not None:  # some servers send the object itself
            slot.arguments = json.dumps(arguments)
        return True

    def finished(self) -> tuple[ToolCall, ...]:
        """Return the calls; one that never got a name is none."""
        return tuple(
            ToolCall(slot.id or f"call_{number}", slot.name, slot.arguments or "{}")
            for number, slot in enumerate(self._slots)
            if slot.name
        )

    def _slot(self, index: object, call_id: str) -> _Slot:
        number = index if isinstance(index, int) else None
        for slot in self._slots:
            same_place = number is not None and slot.index == number
            same_id = bool(call_id) and slot.id == call_id
            if same_id or (same_place and (not call_id or not slot.id)):
                slot.id = slot.id or call_id
                return slot
        if number is None and not call_id and self._slots:
            return self._slots[-1]
        if len(self._slots) >= _MAX_CALLS:
            raise ModelUnavailable(f"the language model at {self._source} asks for tools without end")
        self._slots.append(_Slot(number, call_id))
        return self._slots[-1]
