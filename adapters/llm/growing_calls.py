"""Tool calls while a stream delivers them piece by piece.

By the protocol a piece says by its index where it belongs; servers are known that give every call index 0, no index at
all, or no id, so that each is used as far as it is there, then the place among pieces that came together, then the
beginning of a name.
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
    place: int | None
    id: str = ""
    name: str = ""
    arguments: str = ""


class GrowingCalls:
    """The calls of one completion, in the order in which they began."""

    __slots__ = ("_slots", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._slots: list[_Slot] = []

    def take(self, piece: object, place: int | None = None) -> bool:
        """Add a piece; ``False`` if it cannot be read.  ``place`` is its place among several that came at once.

        Raises :class:`~bot.errors.ModelUnavailable` when calls come without end.
        """
        if not isinstance(piece, dict) or not isinstance(function := piece.get("function"), dict):
            return False
        name = str(function.get("name") or "")
        slot = self._slot(_number(piece.get("index")), str(piece.get("id") or ""), name, place)
        slot.name = slot.name or name
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

    def _slot(self, index: int | None, call_id: str, name: str, place: int | None) -> _Slot:
        """Return the call a piece belongs to, by its id, else by its index, else by its place; a new one begins."""
        known = next((slot for slot in self._slots if call_id and slot.id == call_id), None)
        if known is not None:
            return known
        if index is not None:
            found = next((slot for slot in reversed(self._slots) if slot.index == index), None)
        elif place is not None and not call_id:
            found = next((slot for slot in reversed(self._slots) if slot.place == place), None)
        else:
            found = None if call_id or not self._slots else self._slots[-1]
        if found is not None and not (call_id and found.id) and not _begins(found, name):
            found.id = found.id or call_id
            return found
        if len(self._slots) >= _MAX_CALLS:
            raise ModelUnavailable(f"the language model at {self._source} asks for tools without end")
        self._slots.append(_Slot(index, place, call_id))
        return self._slots[-1]


def _begins(slot: _Slot, name: str) -> bool:
    """Return whether a piece with this name begins another call: the one so far has another name, or is complete."""
    return bool(name and slot.name) and (name != slot.name or _is_complete(slot.arguments))


def _is_complete(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def _number(index: object) -> int | None:
    return index if isinstance(index, int) and not isinstance(index, bool) else None
