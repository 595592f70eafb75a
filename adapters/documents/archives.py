"""Opens the zip archives that office documents and books are, if they are what they claim to be.

Sizes are checked before anything is unpacked (``zipfile`` then reads no more than was declared), and the parts of an
office document may not declare entities: no office program writes them, and a few lines of them can stand for gigabytes
("billion laughs").
"""

from __future__ import annotations

import codecs
import re
import zipfile
from typing import BinaryIO, Final

from adapters.documents.limits import MEGABYTE, ReadingLimits
from bot.errors import DocumentUnreadable

_MEMBERS: Final = 20_000
_RATIO: Final = 200
"""Text of an honest document packs to a tenth or so, a bomb to a thousandth."""
_SMALL: Final = 8 * MEGABYTE
"""What packs as well as it likes: empty tables do."""
_PROLOGUE: Final = 4096
_DECLARES: Final = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def open_archive(file: BinaryIO, limits: ReadingLimits) -> zipfile.ZipFile:
    """Return the archive.  Raises :class:`~bot.errors.DocumentUnreadable`: damaged, encrypted or too large."""
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DocumentUnreadable("the archive is damaged or cut off", why="damaged") from error
    members = archive.infolist()
    if len(members) > _MEMBERS or sum(member.file_size for member in members) > limits.unpacked:
        raise DocumentUnreadable("the archive holds more than is read of one document", why="too_large")
    if any(member.file_size > max(_SMALL, _RATIO * member.compress_size) for member in members):
        raise DocumentUnreadable("the archive is packed so tightly that it can only be a trap", why="too_large")
    if any(member.flag_bits & 1 for member in members):
        raise DocumentUnreadable("the archive needs a password", why="encrypted")
    return archive


def refuse_entities(archive: zipfile.ZipFile) -> None:
    """Raise :class:`~bot.errors.DocumentUnreadable` if a part of an office document declares a document type."""
    for member in archive.infolist():
        if member.filename.endswith((".xml", ".rels", ".vml")):
            with archive.open(member) as part:
                start = part.read(_PROLOGUE)
            if _DECLARES.search(_to_ascii(start)):
                raise DocumentUnreadable(f"the part {member.filename!r} declares entities", why="damaged")


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a member whole, b"" if there is none.  Raises :class:`~bot.errors.DocumentUnreadable` if it is damaged."""
    try:
        return archive.read(name)
    except KeyError:
        return b""
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError) as error:
        raise DocumentUnreadable(f"the part {name!r} is damaged", why="damaged") from error


def _to_ascii(start: bytes) -> bytes:
    """Return the beginning of an XML file so that it can be searched, whatever encoding hides it."""
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\x00", b"\x00<", b"\x00\x00"))
    return start.replace(b"\x00", b"") if wide else start
