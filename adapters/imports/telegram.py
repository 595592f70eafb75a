"""Reads what Telegram Desktop exports as JSON: one chat, or the whole account.

Fields as ``export_output_json.cpp`` of Telegram Desktop writes them, from its first version (2018) on.  What people
wrote is kept, with polls, places, contacts, games and invoices as the words in them; what has no words is counted by
its kind.
"""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any, Final

import orjson

from adapters.imports.streaming import NEVER, ExportFile, build_objects, read_moment
from bot.ports.transfer import ExportedMessage, LeftOut, Read, Speaks

Json = Any  # one message of the export, checked field by field

_CHATS: Final = ("", *(f"{name}.{item}." for name in ("chats", "left_chats") for item in ("list.item", "item")))
_BEGINS: Final = frozenset(chat.rstrip(".") for chat in _CHATS)
_HEADERS: Final = frozenset(f"{chat}id" for chat in _CHATS)
_MESSAGES: Final = frozenset(f"{chat}messages.item" for chat in _CHATS)

_KINDS: Final = {
    "photo": LeftOut.PICTURE,
    "animation": LeftOut.VIDEO,
    "video_file": LeftOut.VIDEO,
    "video_message": LeftOut.VIDEO,
    "voice_message": LeftOut.VOICE,
    "audio_file": LeftOut.VOICE,
    "sticker": LeftOut.STICKER,
    "file": LeftOut.FILE,
}
"""What a message without words is, by its ``media_type`` or by the field that names its file."""
_WORDED: Final = {
    "poll": "poll",
    "todo_list": "list",
    "contact_information": "contact",
    "location_information": "location",
    "game_title": "game",
    "invoice_information": "invoice",
}
"""Fields of what has words of its own, and how it is marked."""
_WORDS: Final = frozenset({*_WORDED, "place_name", "game_description", "performer"})

_UNKNOWN: Final = "?"
"""Who wrote a forward whose writer has deleted the account or hides it: the export has ``null`` there."""
_PEERS: Final = ((1 << 32, "user"), (2 << 32, "chat"), (3 << 32, "channel"))
"""Below which number an id is of which kind, until 2021: the bits above 32 told it."""


def read_telegram(path: ExportFile, zone: tzinfo | None = None) -> Iterator[Read]:
    """Yield the messages of a ``result.json`` in its order; ``zone`` is that of exports that write local times alone.

    Raises :class:`~bot.errors.ImportRefused`.
    """
    chat: dict[str, str] = {}
    topics: dict[int, str] = {}
    for prefix, value in build_objects(path, _MESSAGES, _HEADERS | _BEGINS):
        if prefix in _BEGINS:
            chat, topics = {}, {}
            continue
        if prefix in _HEADERS:
            chat[prefix.rpartition(".")[2]] = str(value)
            continue
        number, answered = value.get("id"), value.get("reply_to_message_id")
        if value.get("action") == "topic_created":
            topics[number] = _text(value.get("title"))
        elif answered in topics:
            topics[number] = topics[answered]
        yield _read_message(value, chat, topics.get(number, ""), zone)


def _read_message(value: Json, chat: dict[str, str], topic: str, zone: tzinfo | None) -> Read:
    author, media = _name_peer(value), _find_media(value)
    text = _join(_text(value.get("text") or value.get("text_entities")), _word(value), between="\n\n")
    if value.get("type") == "service":
        return LeftOut.SERVICE
    if not text:
        return _KINDS.get(media, LeftOut.NO_TEXT)
    if not author:
        return LeftOut.NO_AUTHOR
    where, answered = chat.get("id", ""), value.get("reply_to_message_id")
    return ExportedMessage(
        source=f"telegram:{where}:{value.get('id')}",
        chat=where,
        author=author,
        author_name=str(value.get("from") or ""),
        speaks=Speaks.PERSON,
        text=text,
        said_at=_read_date(value, "date", zone),
        reply_to=f"telegram:{where}:{answered}" if answered and "reply_to_peer_id" not in value else "",
        forwarded_from=str(value.get("forwarded_from") or "") or (_UNKNOWN if "forwarded_from" in value else ""),
        edited_at=None if (edited := _read_date(value, "edited", zone)) == NEVER else edited,
        topic=topic,
        attachment=media,
    )


def _name_peer(value: Json) -> str:
    """Return who wrote a message: "user42", as exports since 2021 write it, or the name where there is no id."""
    told = value.get("from_id")
    if isinstance(told, int) and not isinstance(told, bool):
        return next((f"{kind}{told & 0xFFFFFFFF}" for most, kind in _PEERS if 0 < told < most), f"user{told}")
    return told if isinstance(told, str) and told else str(value.get("from") or "")


def _find_media(value: Json) -> str:
    told = value.get("media_type")
    if told is not None:
        return told if told in _KINDS else "file"
    found = next((name for name in ("photo", *_WORDED, "file") if value.get(name)), "")
    return "location" if not found and value.get("place_name") else _WORDED.get(found, found)


def _word(value: Json) -> str:
    """Return the words of what is no text: one thing a line."""
    if not value.keys() & _WORDS:
        return ""
    poll = value.get("poll") or {}
    todo = value.get("todo_list") or {}
    contact = value.get("contact_information") or {}
    place = value.get("location_information") or {}
    invoice = value.get("invoice_information") or {}
    if isinstance(invoice, str):
        invoice = _parse_invoice(invoice)
    told = value.get("media_type") == "audio_file"
    return _join(
        _text(poll.get("question")),
        *(f"- {_text(each.get('text'))}" for each in poll.get("answers") or ()),
        _text(todo.get("title")),
        *(f"- {_text(each.get('text'))}" for each in todo.get("items") or todo.get("answers") or ()),
        _join(*(str(contact.get(name) or "") for name in ("first_name", "last_name", "phone_number")), between=" "),
        *(_text(value.get(name)) for name in ("place_name", "address", "game_title", "game_description", "game_link")),
        f"geo:{place['latitude']},{place['longitude']}" if "latitude" in place and "longitude" in place else "",
        *(_text(invoice.get(name)) for name in ("title", "description")),
        _join(*(_text(value.get(name)) for name in ("performer", "title")), between=" – ") if told else "",
    )


def _parse_invoice(told: str) -> Json:
    """Return the object that Telegram Desktop writes as a text; what is none is its own description."""
    try:
        return orjson.loads(told)
    except ValueError:
        return {"description": told}


def _join(*parts: str, between: str = "\n") -> str:
    return between.join(part for part in map(str.strip, parts) if part)


def _text(value: Json) -> str:
    """Return a text that is a string, or a list of strings and of objects with one; a link keeps its address."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        text, address = _text(value.get("text")), value.get("href")
        return f"{text} ({address})" if address and address not in text else text
    return "".join(map(_text, value)) if isinstance(value, list) else ""


def _read_date(value: Json, name: str, zone: tzinfo | None) -> datetime:
    """Return the exact moment, or the local one of exports that have no other."""
    exact = read_moment(value.get(f"{name}_unixtime"))
    return exact if exact != NEVER else read_moment(value.get(name), zone)
