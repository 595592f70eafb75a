"""Tells what a file is by what stands in it: names and media types are whatever the sender wrote.

The name decides only where the content cannot, between kinds of plain text.
"""

from __future__ import annotations

import re
import zipfile
from email.parser import BytesHeaderParser
from typing import BinaryIO, Final

from adapters.documents.text import decode, find_wide
from bot.errors import DocumentUnreadable

_HEAD: Final = 65_536
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_OUTLOOK: Final = "__properties_version1.0".encode("utf-16-le")
_WRITTEN: Final = {"from", "to", "date", "subject"}
_STAMPED: Final = {"mime-version", "message-id", "received", "return-path"}
"""Headers of messages."""
_MEMBERS: Final = {"word/document.xml": "docx", "xl/workbook.xml": "xlsx", "ppt/presentation.xml": "pptx"}
_MIMETYPES: Final = {b"application/epub+zip": "epub", b"application/vnd.oasis.opendocument.text": "odt"}
_NOT_TEXT: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_STRANGE: Final = 0.02
"""Share of control characters above which a file is no text, whatever its name says."""
_HTML: Final = re.compile(
    r"(?is)\A\s*+(?:<\?xml[^>]*+>\s*+)?+(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s++html|html|head|body)\b"
)
_JSON: Final = re.compile(r"\A\s*[\[{]")
_TEXT_SUFFIXES: Final = {
    ".md": "md",
    ".markdown": "md",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
CODE_SUFFIXES: Final = frozenset(
    re.findall(
        r"\S+",
        ".py .pyi .js .mjs .cjs .jsx .ts .tsx .java .kt .kts .scala .go .rs .c .h .cc .cpp .cxx .hpp .cs .swift .m "
        ".mm .rb .php .pl .pm .lua .r .jl .dart .ex .exs .erl .hs .ml .clj .lisp .el .sh .bash .zsh .fish .ps1 .bat "
        ".sql .css .scss .less .vue .svelte .toml .yaml .yml .ini .cfg .conf .tf .proto .graphql .cmake .gradle .asm "
        ".s .v .vhd",
    )
)


def recognise(file: BinaryIO, suffix: str) -> str:
    """Return the kind of a file ("pdf", "docx", "code" …), leaving the file at its beginning.

    Raises :class:`~bot.errors.DocumentUnreadable`: empty, encrypted, damaged or of an unknown kind.
    """
    file.seek(0)
    head = file.read(_HEAD)
    file.seek(0)
    if not head.strip():
        raise DocumentUnreadable("the file is empty", why="empty")
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if kind := _recognise_mail(head.lstrip(), suffix):
        return kind
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _recognise_archive(file)
    if head.startswith(_OLE):
        return _refuse_ole(file)
    if head.startswith(b"{\\rtf"):
        raise DocumentUnreadable("rich text (.rtf) is not read; save it as .docx", why="rich_text")
    if not find_wide(head) and len(_NOT_TEXT.findall(head)) > _STRANGE * len(head):
        raise DocumentUnreadable("this is no kind of document that can be read", why="unknown_kind")
    return _recognise_text(decode(head, whole=False), suffix)


def _recognise_archive(file: BinaryIO) -> str:
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            mimetype = archive.open("mimetype").read(100).strip() if "mimetype" in names else b""
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, RuntimeError, NotImplementedError) as error:
        raise DocumentUnreadable("the archive is damaged or cut off", why="damaged") from error
    file.seek(0)
    kind = next((kind for name, kind in _MEMBERS.items() if name in names), "") or _MIMETYPES.get(mimetype, "")
    if kind:
        return kind
    if "META-INF/container.xml" in names:
        return "epub"
    raise DocumentUnreadable("an archive is not read; send the files in it one by one", why="archive")


def _refuse_ole(file: BinaryIO) -> str:
    """Raise for the container that old office documents are, and new ones with a password."""
    content = file.read()
    if _ENCRYPTED in content:
        raise DocumentUnreadable("the document needs a password", why="encrypted")
    if _OUTLOOK in content:
        raise DocumentUnreadable("Outlook's own format (.msg) is not read; save it as .eml", why="outlook")
    raise DocumentUnreadable(
        "the old formats .doc, .xls and .ppt are not read; save it as .docx, .xlsx or .pptx", why="old_office"
    )


def _recognise_mail(head: bytes, suffix: str) -> str:
    """Return "eml" or "mbox" for what has the head of a message, "" for anything else.

    A name that says so needs any line of a head, other names what only programs write.
    """
    envelope, _, rest = head.partition(b"\n") if head.startswith(b"From ") else (b"", b"", head)
    names = {name.lower() for name in BytesHeaderParser().parsebytes(rest)}
    proof = _WRITTEN if suffix in {".eml", ".mbox"} else _STAMPED
    if "from" not in names or not names & proof:
        return ""
    return "mbox" if envelope else "eml"


def _recognise_text(text: str, suffix: str) -> str:
    if _HTML.match(text):
        return "html"
    known = _TEXT_SUFFIXES.get(suffix, "code" if suffix in CODE_SUFFIXES else "")
    if known and known != "json":
        return known
    if _JSON.match(text):
        return "json"
    return "txt"
