"""The rules of https://core.telegram.org/bots/api for texts, entities and keyboards, at their strictest.

Where the real server quietly drops a wrong entity, the fake refuses the message, so that a test sees it.
"""

from __future__ import annotations

from typing import Any

from tests.fakes.telegram.refusal import bad_request

_STYLES = {"bold", "italic", "underline", "strikethrough", "spoiler"}
_ALONE = {"code", "pre"}
_QUOTES = {"blockquote", "expandable_blockquote"}
_KNOWN = _STYLES | _ALONE | _QUOTES | {"text_link", "text_mention", "custom_emoji"}
_LONGEST = 4096
_MOST = 100
_CALLBACK_BYTES = 64


def checked_text(text: object) -> str:
    """Return the text as the chat shows it: trimmed, not empty, at most 4096 UTF-16 units."""
    if not isinstance(text, str) or not text.strip():
        raise bad_request("message text is empty")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise bad_request("strings must be encoded in UTF-8")
    if units(text) > _LONGEST:
        raise bad_request("message is too long")
    return text.strip()


def checked_entities(entities: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:  # Any: JSON
    """Return the entities if they may stand together over this text."""
    if len(entities) > _MOST:
        raise bad_request("can't parse entities: too many of them")
    inside = _inside_pairs(text)
    for entity in entities:
        kind, offset, length = entity.get("type"), entity.get("offset"), entity.get("length")
        if kind not in _KNOWN or not isinstance(offset, int) or not isinstance(length, int):
            raise bad_request(f"can't parse entities: unknown entity {kind}")
        if offset < 0 or length <= 0 or offset + length > units(text):
            raise bad_request("can't parse entities: ENTITY_BOUNDS_INVALID")
        if offset in inside or offset + length in inside:
            raise bad_request("can't parse entities: entity beginning inside a UTF-16 symbol")
        if kind == "text_link" and not str(entity.get("url", "")).strip():
            raise bad_request("can't parse entities: ENTITY_URL_INVALID")
    for index, one in enumerate(entities):
        for other in entities[index + 1 :]:
            _check_pair(one, other)
    return entities


def checked_keyboard(markup: dict[str, Any] | None) -> dict[str, Any] | None:  # Any: JSON
    """Return the inline keyboard if every button has a label and at most 64 bytes of data."""
    for row in (markup or {}).get("inline_keyboard", []):
        for button in row:
            if not str(button.get("text", "")).strip():
                raise bad_request("inline keyboard button text is empty")
            data = str(button.get("callback_data", ""))
            if not 1 <= len(data.encode()) <= _CALLBACK_BYTES:
                raise bad_request("BUTTON_DATA_INVALID")
    return markup


def units(text: str) -> int:
    """Return the length in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def _inside_pairs(text: str) -> set[int]:
    """Return the offsets that fall between the two halves of a surrogate pair."""
    offsets, at = set(), 0
    for character in text:
        if ord(character) > 0xFFFF:
            offsets.add(at + 1)
            at += 1
        at += 1
    return offsets


def _check_pair(one: dict[str, Any], other: dict[str, Any]) -> None:  # Any: JSON
    first, second = sorted((one, other), key=lambda entity: (entity["offset"], -entity["length"]))
    start, end = first["offset"], first["offset"] + first["length"]
    if second["offset"] >= end:
        return
    kinds = {first["type"], second["type"]}
    if second["offset"] + second["length"] > end and second["offset"] > start:
        raise bad_request("can't parse entities: entities overlap in part")
    if kinds & _ALONE and not kinds & _QUOTES:
        raise bad_request("can't parse entities: code and pre stand alone")
    if kinds <= _QUOTES or len(kinds) == 1:
        raise bad_request("can't parse entities: an entity stands in one of its kind")
