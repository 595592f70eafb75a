"""Reads fields of an update: single values, and author, attachment, quotation and origin of a message.

What Telegram sends grows with every version of its Bot API, and a stranger chooses what stands in it.  A field that is
missing, unknown or of another type is read as absent, and everything around it still counts; so the text of a message
comes through whatever came with it.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from adapters.telegram.session import replace_unsendable
from bot.files import InboundFile
from bot.memory.sanitise import flatten
from bot.messages import TOLD_IN_WORDS, Author, ChatKind, Quote

Json = Mapping[str, Any]  # Any: an update's JSON
NOTHING: Json = {}
_GREATEST = 2**63
"""Ids beyond 64 bits are none: no database would keep them."""
_LATEST_S = 2**33
"""The year 2242: a later date is none, and near the year 9999 there are time zones that cannot show it."""


def get_object(value: Json, name: str) -> Json | None:
    """Return an object, ``None`` if there is none."""
    found = value.get(name)
    return found if isinstance(found, dict) else None


def get_objects(value: Json, name: str) -> tuple[Json, ...]:
    """Return the objects of an array; what else stands in it is left out."""
    found = value.get(name)
    return tuple(entry for entry in found if isinstance(entry, dict)) if isinstance(found, list) else ()


def get_text(value: Json, name: str) -> str:
    """Return a text fit to be stored and sent on, "" if there is none."""
    found = value.get(name)
    return replace_unsendable(found) if isinstance(found, str) else ""


def get_int(value: Json, name: str) -> int | None:
    """Return an integer of 64 bits, ``None`` if there is none; ``true`` is none."""
    found = value.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not -_GREATEST <= found < _GREATEST:
        return None
    return found


def is_true(value: Json, name: str) -> bool:
    """Return whether a field is ``true``."""
    return value.get(name) is True


def is_present(value: Json, name: str) -> bool:
    """Return whether anything at all stands in a field: what marks foreign text must hold though it cannot be read."""
    return value.get(name) is not None


def get_time(value: Json, name: str) -> datetime | None:
    """Return a time, ``None`` if there is none."""
    seconds = get_int(value, name)
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None and 0 < seconds < _LATEST_S else None


ATTACHMENTS = (
    "photo",
    "animation",  # before document: Telegram sends both for a GIF
    "document",
    "voice",
    "audio",
    "video",
    "video_note",
    "live_photo",
    "sticker",
    "paid_media",
    "story",
    "checklist",
    "contact",
    "dice",
    "game",
    "poll",
    "venue",  # before location: Telegram sends both
    "location",
    "invoice",
    "giveaway",
    "rich_message",
)
"""Contents that a person sends beside text or in its place.  Everything else without text is a service message."""

CAPTIONED = frozenset({"photo", "animation", "document", "voice", "audio", "video", "live_photo", "paid_media"})
"""Attachments that words may stand below, which an edit can take away."""
LARGEST_FILE = 20_000_000
"""Bytes that a bot may fetch: "the maximum file size to download is 20 MB" (core.telegram.org/bots/api#getfile)."""
_FILES = frozenset({"photo", "document", "voice", "audio", "video_note"})
"""Attachments whose file may be fetched and read."""

_TOLD_LENGTH = 1_000
_MOST_DEGREES = 180.0
_FORWARDED = ("forward_origin", "forward_from", "forward_from_chat", "forward_sender_name", "forward_date")
"""The marks of a forward; servers before Bot API 7.0 send the others."""
_NAME_LENGTH = 64


def read_attachment(message: Json) -> str | None:
    """Return the name of what came along ("photo", "voice" …), ``None`` for plain text and service messages."""
    return next((name for name in ATTACHMENTS if message.get(name)), None)


def read_file_name(message: Json) -> str:
    """Return what the sender named the file that came along, "" where nothing has a name."""
    for kind in ATTACHMENTS:
        file = message.get(kind)
        name = file.get("file_name") if isinstance(file, dict) else None
        if isinstance(name, str) and name.strip():
            return clean_name(name)
    return ""


def read_in_words(message: Json, what: str | None) -> str:
    """Return what Telegram tells in words of an attachment that is no file, "" for any other.

    A sticker's emoji, a poll's question and options, a place, a contact's name: the sender's choice, so it is data.
    """
    told = get_object(message, what) if what in TOLD_IN_WORDS else None
    if what is None or told is None:
        return ""
    match what:
        case "sticker" | "dice":
            words = " ".join(filter(None, (get_text(told, "emoji"), str(get_int(told, "value") or ""))))
        case "poll":
            options = ", ".join(filter(None, (get_text(option, "text") for option in get_objects(told, "options"))))
            words = f"{get_text(told, 'question')} ({options})" if options else get_text(told, "question")
        case "contact":
            words = _read_name(told)
        case _:
            place = get_object(told, "location") or told
            at = ", ".join(
                f"{value:.5f}" for value in (place.get("latitude"), place.get("longitude")) if _is_degree(value)
            )
            words = "; ".join(filter(None, (get_text(told, "title"), get_text(told, "address"), at)))
    plain = flatten(words, _TOLD_LENGTH)
    return f"{what}: {plain}" if plain else ""


def _is_degree(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MOST_DEGREES


def read_file(message: Json, what: str | None) -> InboundFile | None:
    """Return the file behind an attachment named ``what``, ``None`` for a kind whose content nobody reads.

    Of a photo's sizes it is the largest that bots may fetch.
    """
    if what not in _FILES:
        return None
    found = _choose_size(get_objects(message, what)) if what == "photo" else get_object(message, what)
    file_id = get_text(found, "file_id") if found is not None else ""
    if found is None or not file_id:
        return None
    return InboundFile(
        id=file_id,
        kind=what,
        name=clean_name(get_text(found, "file_name")),
        media_type=get_text(found, "mime_type").lower()[:_NAME_LENGTH],
        size=get_int(found, "file_size"),
        seconds=get_int(found, "duration"),
    )


def read_replied_file(message: Json, our_id: int, place: ChatKind) -> InboundFile | None:
    """Return the file of the message that this one replies to, so that it can be asked about; ``None`` if none is read.

    A photo, and in a group a document, which the bot may never have been shown; not the bot's own.  A recording is
    left out: its words would count as typed by whoever asks.
    """
    reply = get_object(message, "reply_to_message") or NOTHING
    if get_int(get_object(reply, "from") or NOTHING, "id") == our_id:
        return None
    what = read_attachment(reply)
    return read_file(reply, what) if what == "photo" or (what == "document" and place is ChatKind.GROUP) else None


def _choose_size(sizes: Sequence[Json]) -> Json | None:
    fitting = [size for size in sizes if (get_int(size, "file_size") or 0) <= LARGEST_FILE]
    return max(fitting, key=lambda size: (get_int(size, "width") or 0) * (get_int(size, "height") or 0), default=None)


def read_author(user: Json) -> Author | None:
    """Return who this is, ``None`` without an id: the id counts, the name is only shown."""
    user_id = get_int(user, "id")
    return None if user_id is None else Author(id=user_id, name=_read_name(user) or str(user_id))


def clean_name(name: str) -> str:
    """Return a name on one line, without characters that nobody sees, at most 64 characters long."""
    return flatten(name, max(len(name), 1))[:_NAME_LENGTH].rstrip()


def read_quotation(message: Json) -> Quote | None:
    """Return what the message answers to: the marked words if there are any, else the whole message replied to.

    A message without words, such as a photo, is told by its id alone.
    """
    reply = get_object(message, "reply_to_message")
    if reply is not None and is_present(reply, "forum_topic_created"):
        reply = None  # every message in a topic "replies" to the topic's creation
    marked = get_text(get_object(message, "quote") or NOTHING, "text")
    text = marked or (get_text(reply, "text") or get_text(reply, "caption") if reply is not None else "")
    if reply is not None:
        return Quote(text=text, author=_read_sender(reply), message_id=get_int(reply, "message_id"))
    if not text:
        return None
    external = get_object(message, "external_reply") or NOTHING
    return Quote(text=text, author=_read_origin(get_object(external, "origin") or NOTHING))


def is_forwarded(message: Json) -> bool:
    """Return whether the message was forwarded."""
    return any(is_present(message, name) for name in _FORWARDED)


def read_forward_origin(message: Json) -> str | None:
    """Return whose words these are when they are not the sender's own: of a forward, or made by an inline bot.

    "unknown" for an origin of a kind we do not know: it is somebody else's text all the same.
    """
    if is_forwarded(message):
        return _read_origin(get_object(message, "forward_origin") or NOTHING) or "unknown"
    if is_present(message, "via_bot"):
        return clean_name(f"@{get_text(get_object(message, 'via_bot') or NOTHING, 'username')}")
    return None


def _read_sender(message: Json) -> str:
    return _read_name(get_object(message, "sender_chat") or get_object(message, "from") or NOTHING)


def _read_name(of: Json) -> str:
    return clean_name(
        get_text(of, "title") or " ".join(filter(None, (get_text(of, "first_name"), get_text(of, "last_name"))))
    )


def _read_origin(origin: Json) -> str:
    """Return a name from an origin of any kind, "" if it has none."""
    for name in ("sender_user", "sender_chat", "chat"):
        if (found := get_object(origin, name)) is not None:
            return _read_name(found)
    return clean_name(get_text(origin, "sender_user_name"))
