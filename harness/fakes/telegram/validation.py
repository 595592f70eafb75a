"""The rules of https://core.telegram.org/bots/api for texts, entities, keyboards and commands, at their strictest.

Where the real server quietly drops a wrong entity, the fake refuses the message, so that a test sees it.
"""

import re
from typing import Any

from harness.fakes.telegram.chats import SentFile
from harness.fakes.telegram.floods import Refusal, bad_request, wrong_request

_Json = dict[str, Any]  # Any: JSON
_REACTIONS = frozenset(
    "❤👍👎🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐🍓🍾💋🖕😈😴😭🤓👻👀🎃🙈"
    "😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾😡"
)
"""https://core.telegram.org/bots/api#reactiontypeemoji, without those of several signs."""
_STYLES = {"bold", "italic", "underline", "strikethrough", "spoiler"}
_ALONE = {"code", "pre"}
_QUOTES = {"blockquote", "expandable_blockquote"}
_KNOWN = _STYLES | _ALONE | _QUOTES | {"text_link", "text_mention", "custom_emoji"}
_LONGEST = 4096
_LONGEST_ALERT = 200
_LONGEST_CAPTION = 1024
_LONGEST_FILE_NAME = 255
LARGEST_UPLOAD = 50_000_000
"""Bytes: https://core.telegram.org/bots/api#senddocument."""
_MOST = 100
_MOST_BUTTONS, _MOST_IN_A_ROW = 100, 8
_CALLBACK_BYTES = 64
_BESIDE_ACTIONS = {"text", "style", "icon_custom_emoji_id"}


def checked_content(params: _Json) -> tuple[str, list[_Json], _Json | None]:
    """Return text, entities and keyboard.  Markup modes are refused: the bot sends entities."""
    text = str(params.get("text", ""))
    return _check_content(params, text, checked_text(text), "entities")


def checked_caption_content(params: _Json) -> tuple[str, list[_Json], _Json | None]:
    """Return caption, entities and keyboard of a file, held to the rules of texts; a caption may be missing."""
    caption = str(params.get("caption", ""))
    checked_caption(caption)
    return _check_content(params, caption, caption.strip(), "caption_entities")


def _check_content(params: _Json, text: str, shown: str, name: str) -> tuple[str, list[_Json], _Json | None]:
    if params.get("parse_mode"):
        raise wrong_request("this server reads entities, not parse_mode")
    entities = checked_entities(params.get(name) or [], text)
    if entities and shown != text:
        raise wrong_request("can't parse entities: text around entities is trimmed, offsets would move")
    return shown, entities, checked_keyboard(params.get("reply_markup"))


def checked_upload(value: object, uploads: dict[str, SentFile]) -> SentFile:
    """Return the file that a request uploads; every part that was uploaded must be named by it, and be a file."""
    reference = str(value)
    name = reference.removeprefix("attach://")
    if name == reference:
        raise wrong_request("this server takes files that are uploaded, not ids and addresses")
    if set(uploads) != {name}:
        raise wrong_request(f"{reference} names {name}, uploaded were {sorted(uploads)}")
    file = uploads[name]
    if not file.content:
        raise bad_request("file must be non-empty")
    if not file.name.strip() or re.search(r'[\x00-\x1f/\\"]', file.name) or units(file.name) > _LONGEST_FILE_NAME:
        raise wrong_request(f"file name {file.name!r}")
    if len(file.content) > LARGEST_UPLOAD:
        raise Refusal(413, "Request Entity Too Large", violation=True)
    return file


def refusal_of(problems: list[str], params: _Json) -> Refusal:
    """Return the answer to a request with these problems, in the server's own words where a client may rely on them."""
    try:
        if "text" in params and "callback_query_id" not in params:
            checked_content(params)
        checked_keyboard(params.get("reply_markup"))
        checked_commands(params.get("commands", []))
    except Refusal as refusal:
        return refusal
    except (AttributeError, KeyError, TypeError):
        return wrong_request("; ".join(problems))  # not even of the right shape
    return wrong_request("; ".join(problems))


def checked_text(text: object, *, empty: bool = False) -> str:
    """Return the text as the chat shows it: trimmed, not empty, at most 4096 UTF-16 units."""
    if not isinstance(text, str) or not (text.strip() or empty):
        raise wrong_request("message text is empty")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise wrong_request("strings must be encoded in UTF-8")
    if units(text) > _LONGEST:
        raise wrong_request("message is too long")
    return text.strip()


def checked_alert(text: object) -> str:
    """Return the answer to a pressed button: at most 200 characters."""
    if not isinstance(text, str) or units(text) > _LONGEST_ALERT:
        raise wrong_request("MESSAGE_TOO_LONG")
    return text


def checked_caption(caption: object) -> None:
    """Refuse the caption of a file with more than 1024 characters."""
    if not isinstance(caption, str) or units(caption) > _LONGEST_CAPTION:
        raise wrong_request("message caption is too long")


def checked_entities(entities: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:  # Any: JSON
    """Return the entities if they may stand together over this text."""
    if len(entities) > _MOST:
        raise wrong_request("can't parse entities: too many of them")
    inside = _inside_pairs(text)
    for entity in entities:
        kind, offset, length = entity.get("type"), entity.get("offset"), entity.get("length")
        if kind not in _KNOWN or not isinstance(offset, int) or not isinstance(length, int):
            raise wrong_request(f"can't parse entities: unknown entity {kind}")
        if offset < 0 or length <= 0 or offset + length > units(text):
            raise wrong_request("can't parse entities: ENTITY_BOUNDS_INVALID")
        if offset in inside or offset + length in inside:
            raise wrong_request("can't parse entities: entity beginning inside a UTF-16 symbol")
        if kind == "text_link" and not str(entity.get("url", "")).strip():
            raise wrong_request("can't parse entities: ENTITY_URL_INVALID")
    for index, one in enumerate(entities):
        for other in entities[index + 1 :]:
            _check_pair(one, other)
    return entities


def checked_reaction(reaction: list[dict[str, Any]]) -> str:  # Any: JSON
    """Return the emoji of a reaction, "" for none: bots set one at most, of those that everybody has."""
    if len(reaction) > 1:
        raise wrong_request("REACTIONS_TOO_MANY")
    for each in reaction:
        if each.get("type") != "emoji" or each.get("emoji") not in _REACTIONS:
            raise wrong_request("REACTION_INVALID")
    return str(reaction[0]["emoji"]) if reaction else ""


def checked_keyboard(markup: dict[str, Any] | None) -> dict[str, Any] | None:  # Any: JSON
    """Return the inline keyboard if it is not too large and every button has a label and does one thing.

    A keyboard without a button is none, as the real server has it.
    """
    rows = (markup or {}).get("inline_keyboard", [])
    if sum(map(len, rows)) > _MOST_BUTTONS or any(len(row) > _MOST_IN_A_ROW for row in rows):
        raise wrong_request("reply markup is too long")
    for button in (button for row in rows for button in row):
        if not str(button.get("text", "")).strip():
            raise wrong_request("inline keyboard button text is empty")
        if len(button.keys() - _BESIDE_ACTIONS) != 1:
            raise wrong_request("a button must have exactly one action")
        if "callback_data" in button and not 1 <= len(str(button["callback_data"]).encode()) <= _CALLBACK_BYTES:
            raise wrong_request("BUTTON_DATA_INVALID")
    return markup if any(rows) else None


def checked_commands(commands: list[dict[str, Any]]) -> list[dict[str, Any]]:  # Any: JSON
    """Return the commands if all may stand in a menu."""
    if len(commands) > _MOST:
        raise wrong_request("BOT_COMMANDS_TOO_MUCH")
    names = [str(command["command"]) for command in commands]
    if not all(re.fullmatch(r"[a-z0-9_]{1,32}", name) for name in names) or len(set(names)) < len(names):
        raise wrong_request("BOT_COMMAND_INVALID")
    if not all(1 <= units(str(command["description"])) <= 256 for command in commands):
        raise wrong_request("BOT_COMMAND_DESCRIPTION_INVALID")
    return commands


def units(text: str) -> int:
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
        raise wrong_request("can't parse entities: entities overlap in part")
    if kinds & _ALONE and not kinds & _QUOTES:
        raise wrong_request("can't parse entities: code and pre stand alone")
    if kinds <= _QUOTES or len(kinds) == 1:
        raise wrong_request("can't parse entities: an entity stands in one of its kind")
