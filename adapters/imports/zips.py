"""Looks into zip archives: what is too large, or swells when it is unpacked, is refused before any of it is read.

What is read of an entry never exceeds the size that its directory tells (``zipfile`` ends there), so that checking
what is told bounds what is read.
Exports of others that cannot be read are named, with what to do instead: by their names and by how they begin.
"""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from adapters.imports.whatsapp import begins_as_whatsapp
from bot.errors import ImportRefused

_LARGEST_DIRECTORY: Final = 4_000_000
"""Bytes of the list of entries: some ten thousand of them; all of it is held in memory."""
_LARGEST: Final = 4_000_000_000
"""Bytes of one entry, unpacked."""
_SWELLS: Final = 250
"""How many times its packed size an entry may have; text that people write shrinks to a tenth."""
_FREE: Final = 10_000_000
"""Bytes of an entry that may swell as it likes."""
_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22 + 65_536
_WHOLE_END: Final = 22
_IN_ZIP64: Final = 0xFFFFFFFF

MANIFEST: Final = "manifest.json"
TURNS: Final = "data/turns.jsonl"


def list_entries(path: Path) -> dict[str, zipfile.ZipInfo]:
    """Return the entries of a zip by name.  Raises :class:`~bot.errors.ImportRefused`."""
    try:
        _check_directory(path)
        with zipfile.ZipFile(path) as archive:
            entries = {info.filename: info for info in archive.infolist() if not info.is_dir()}
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise ImportRefused(f"{path.name} is damaged, or no zip that can be read") from error
    return entries


def choose_entries(path: Path) -> tuple[str, ...]:
    """Return the entries of a zip that hold the conversations, in their order; none for an export of ours.

    Raises :class:`~bot.errors.ImportRefused` where there are none, or one is not fit to be read.
    """
    entries = list_entries(path)
    ours = MANIFEST in entries and TURNS in entries
    wanted = () if ours else _find_conversations(path, entries)
    if not wanted and not ours and any(info.flag_bits & 1 for info in entries.values()):
        raise ImportRefused(f"{path.name} is locked with a password: unpack it first")
    if not wanted and not ours:
        raise ImportRefused(
            name_foreign_entries(path.name, entries)
            or f"{path.name} holds no conversations: no result.json, conversations.json, message_1.json, channel of "
            "Slack or Discord, chat of WhatsApp, nor an export of Mneme"
        )
    for name in entries if ours else wanted:
        _check_entry(path, entries[name])
    if not ours:
        _check_together(path, [entries[name] for name in wanted])
    return wanted


def _find_conversations(path: Path, entries: Mapping[str, zipfile.ZipInfo]) -> tuple[str, ...]:
    """Return the entries that look like them: by the names that a service gives, else by how the files begin."""
    names = sorted(entries, key=_order)
    for pattern in _NAMED:
        if found := tuple(name for name in names if pattern.search(name)):
            return found
    slack = tuple(name for name in names if _SLACK_FILES.search(name))
    if any(PurePosixPath(name).name in PEOPLE for name in slack) and any(_DAY.search(name) for name in slack):
        return slack
    with zipfile.ZipFile(path) as archive:
        for suffix, begins in _BEGINS.items():
            texts = [name for name in names if name.lower().endswith(suffix)][:_LOOKED_INTO]
            if found := tuple(name for name in texts if begins(_read_begin(archive, name))):
                return found
    likely = (name for is_likely in _LIKELY for name in names if is_likely(name.rpartition("/")[2].lower()))
    return tuple(likely)[:1]


def _order(name: str) -> tuple[object, ...]:
    """Return what entries are sorted by: folders, then names, in which a number counts as one."""
    folder, _, last = name.rpartition("/")
    numbers = tuple(int(number[-_DIGITS:]) for number in _NUMBER.findall(last))
    return name.count("/"), folder, _NUMBER.sub("", last), numbers


def _read_begin(archive: zipfile.ZipFile, name: str) -> str:
    """Return how an entry begins, "" for one that cannot be read: what lies beside a chat spoils it not."""
    try:
        with archive.open(name) as entry:
            return entry.read(_BEGIN).decode("utf-8-sig", "replace")
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError):
        return ""


def _begins_as_chat(text: str) -> bool:
    """Return whether a file is one of DiscordChatExporter, or of Messenger's encrypted chats."""
    discord, messenger = ('"guild"', '"channel"', '"messages"'), ('"participants"', '"messages"', '"senderName"')
    return text.lstrip().startswith("{") and any(all(name in text for name in names) for names in (discord, messenger))


_NAMED: Final = (
    re.compile(r"(^|/)result\.json$"),
    re.compile(r"(^|/)conversations\.json$"),
    re.compile(r"(^|/)conversations-\d+\.json$"),
    re.compile(r"(^|/)message_\d+\.json$"),
)
"""What Telegram, ChatGPT and Claude, ChatGPT in parts, and Messenger and Instagram call their files."""
PEOPLE: Final = frozenset({"users.json", "org_users.json"})
"""What Slack calls its list of people."""
_SLACK_FILES: Final = re.compile(r"(^|/)((org_)?users|channels|groups|dms|mpims)\.json$|/\d{4}-\d\d-\d\d\.json$")
_DAY: Final = re.compile(r"/\d{4}-\d\d-\d\d\.json$")
_LIKELY: Final[tuple[Callable[[str], bool], ...]] = (
    lambda name: name == "_chat.txt",
    lambda name: "whatsapp" in name and name.endswith(".txt"),
    lambda name: name.endswith(".txt"),
    lambda name: name.endswith(".jsonl"),
)
"""What files are called that may be a chat, though they do not begin as one; that it is none is told where it is read.

No patterns: "whatsapp", anything, ".txt" takes ``re`` the square of a name's length.
"""
_BEGINS: Final = {".json": _begins_as_chat, ".txt": begins_as_whatsapp}
_LOOKED_INTO: Final = 1_000
"""Files of a zip whose beginning is read."""
_BEGIN: Final = 16_384
_NUMBER: Final = re.compile(r"\d+")
_DIGITS: Final = 18


def _check_together(path: Path, wanted: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse many entries that swell together: each by itself may be free to."""
    packed, unpacked = sum(info.compress_size for info in wanted), sum(info.file_size for info in wanted)
    if unpacked > _LARGEST or (unpacked > _FREE and unpacked > _SWELLS * max(1, packed)):
        raise ImportRefused(
            f"{path.name}: its conversations swell from {packed:,} to {unpacked:,} bytes, more than conversations do"
        )


def _check_entry(path: Path, info: zipfile.ZipInfo) -> None:
    if info.flag_bits & 1:
        raise ImportRefused(f"{path.name} is locked with a password: unpack it first")
    if info.file_size > _LARGEST:
        raise ImportRefused(f"{path.name}: {info.filename} has {info.file_size:,} bytes, more than {_LARGEST:,}")
    if info.file_size > _FREE and info.file_size > _SWELLS * max(1, info.compress_size):
        raise ImportRefused(
            f"{path.name}: {info.filename} swells from {info.compress_size:,} to {info.file_size:,} bytes, as no "
            "conversation does"
        )


def _check_directory(path: Path) -> None:
    """Refuse a zip whose directory of entries is vast: reading it would hold every entry in memory."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - _END_BYTES))
        tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _WHOLE_END:
        raise ImportRefused(f"{path.name} is damaged, or no zip: it has no end")
    told = int.from_bytes(tail[at + 12 : at + 16], "little")
    if told == _IN_ZIP64 or told > _LARGEST_DIRECTORY:
        raise ImportRefused(f"{path.name} holds more files than an export has")


@dataclass(frozen=True, slots=True)
class _Sign:
    """``name`` is looked for in the file's name, ``begin`` in its first bytes; both must be there where both are."""

    what: str
    advice: str
    name: str = ""
    begin: bytes = b""

    def fits(self, name: str, head: bytes) -> bool:
        named = not self.name or re.search(self.name, name, re.IGNORECASE) is not None
        return named and (not self.begin or re.search(self.begin, head, re.IGNORECASE | re.DOTALL) is not None)


_JSON: Final = "export it again and choose JSON"
_SIGNS: Final = (
    _Sign("a backup of Signal, which is encrypted", "Signal writes no chats that other programs read", r"\.backup$"),
    _Sign("an encrypted backup of WhatsApp", "use Export chat in the chat's menu instead", r"\.crypt\d*$"),
    _Sign("WhatsApp's database", "use Export chat in the chat's menu instead", r"msgstore", rb"\ASQLite format 3\0"),
    _Sign("the database of iMessage", "it is not read", r"^(chat|sms)\.db$", rb"\ASQLite format 3\0"),
    _Sign("a database", "export the conversations as text or JSON", begin=rb"\ASQLite format 3\0"),
    _Sign("Telegram's export as HTML", _JSON, begin=rb"\A.{0,2000}<title>Exported Data"),
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
    _Sign("a room of Matrix", "Element's export is not read", begin=rb'"room_name".{0,400}"export(_date|ed_by)"'),
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
