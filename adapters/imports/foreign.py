"""Names exports of others that cannot be read, and what to do instead: by their names and by how they begin."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class _Sign:
    """``name`` is looked for in the file's name, ``begin`` in its first bytes; both must be there where both are."""

    what: str
    advice: str
    name: str = ""
    begin: bytes = b""

    def fits(self, name: str, head: bytes) -> bool:
        """Return whether a file looks like it."""
        named = not self.name or re.search(self.name, name, re.IGNORECASE) is not None
        return named and (not self.begin or re.search(self.begin, head, re.IGNORECASE | re.DOTALL) is not None)


_JSON: Final = "export it again and choose JSON"
_SIGNS: Final = (
    _Sign("a backup of Signal, which is encrypted", "Signal writes no chats that other programs read", r"\.backup$"),
    _Sign("an encrypted backup of WhatsApp", "use Export chat in the chat's menu instead", r"\.crypt\d*$"),
    _Sign("WhatsApp's database", "use Export chat in the chat's menu instead", r"msgstore", rb"\ASQLite format 3\0"),
    _Sign("the database of iMessage", "it is not read", r"^(chat|sms)\.db$", rb"\ASQLite format 3\0"),
    _Sign("a database", "export the conversations as text or JSON", begin=rb"\ASQLite format 3\0"),
    _Sign("Telegram's export as HTML", _JSON, begin=rb"<html.{0,2000}<title>Exported Data"),
    _Sign("Telegram's export as HTML", _JSON, r"^messages\d*\.html$"),
    _Sign("an export of Facebook or Instagram as HTML", _JSON, r"^(start_here|message_\d+)\.html$"),
    _Sign("an export as HTML", "export it again and choose JSON or text", begin=rb"\A\s*(<!doctype html|<html)"),
    _Sign("a chat of LINE", "LINE's text is not read", begin=rb"\A\s*\[LINE\]"),
    _Sign("a chat of KakaoTalk", "its text is not read", begin="\\A.{0,200}(KakaoTalk Chats|카카오톡 대화)".encode()),
    _Sign("a chat of KakaoTalk", "its table is not read", begin=rb'\A\s*"?Date"?,"?User"?,"?Message"?'),
    _Sign("an export of Skype", "Skype's JSON is not read", begin=rb'"userId".{0,200}"exportDate"'),
    _Sign("an export of Google Chat", "it is not read", begin=rb'"messages":\s*\[\s*\{\s*"creator"'),
    _Sign("an export of Hangouts", "it is not read", begin=rb'"conversation_state"|"conversation_id":\s*\{'),
    _Sign("Gemini's activity from Google Takeout", "it is not read", begin=rb'"header":\s*"(Gemini|Bard)'),
    _Sign("a room of Matrix", "Element's export is not read", begin=rb'"room_name".{0,2000}"export(_date|ed_by)"'),
    _Sign(
        "Discord's own data package, which holds your words alone",
        "export the channels with DiscordChatExporter as JSON",
        begin=rb'"ID".{0,100}"Timestamp".{0,200}"Contents"',
    ),
    _Sign("chats of Snapchat", "they are not read", begin=rb'"From".{0,200}"Media Type".{0,200}"Created"'),
    _Sign(
        "one day of a channel of Slack",
        "import the zip that Slack made",
        begin=rb'\A\s*\[\s*\{.{0,8000}"ts":\s*"\d{10}\.\d{6}"',
    ),
    _Sign("text messages of SMS Backup & Restore", "they are not read", begin=rb"<smses\s"),
    _Sign(
        "a mailbox", "send single messages as .eml files", begin=rb"\AFrom .{0,4000}\n(Message-ID|Received|Subject):"
    ),
    _Sign("a backup of Threema", "it is encrypted", r"^threema-backup"),
    _Sign("a packed file of another kind", "unpack it, or pack it as zip", begin=rb"\A(7z\xbc\xaf|Rar!|\x1f\x8b|BZh)"),
    _Sign("a packed file of another kind", "unpack it, or pack it as zip", r"\.tar$"),
)


def name_foreign(name: str, head: bytes) -> str:
    """Return what a file looks like and what to do about it, "" for what nobody knows."""
    sign = next((sign for sign in _SIGNS if sign.fits(name, head)), None)
    return f"{name} looks like {sign.what}: {sign.advice}" if sign is not None else ""


def name_foreign_entries(name: str, entries: Iterable[str]) -> str:
    """Return the same of a zip by the names of its files."""
    for entry in entries:
        sign = next((sign for sign in _SIGNS if sign.name and sign.fits(entry.rpartition("/")[2], b"")), None)
        if sign is not None and not sign.begin:
            return f"{name} looks like {sign.what}: {sign.advice}"
    return ""
