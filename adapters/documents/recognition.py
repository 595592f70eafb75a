"""Tells what a file is by what stands in it, and its text: names and media types are whatever the sender wrote.

The name decides only where the content cannot, between kinds of plain text.
"""

import codecs
import re
import zipfile
from collections import Counter
from email.parser import BytesHeaderParser
from typing import BinaryIO, Final

from charset_normalizer import from_bytes

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


_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE: Final = 65_536
_DECLARED: Final = re.compile(rb"(?i)(?:charset|encoding)\s*+=\s*+(?:[\"']\s*+)?([a-z0-9_.:-]{2,30})")
_DECLARATION: Final = 2048
_ALPHABETS: Final = 3
_SMALL: Final = 0x20
_MOSTLY: Final = 0.95
_FALLBACK: Final = "cp1252"
_LONGEST_CHARACTER: Final = 3
"""Bytes of a character in UTF-8 that may stand before a cut."""


def find_wide(data: bytes) -> str:
    """Return the name of the encoding if this is UTF-16, "" if it is not.

    Without a mark it is told by its lanes: every other byte is one of a few small numbers, those of the alphabet and of
    what all alphabets share.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for name, lane, other in (("utf-16-le", data[1::2], data[0::2]), ("utf-16-be", data[0::2], data[1::2])):
        common = Counter(lane[:_SAMPLE]).most_common(_ALPHABETS)
        narrow = sum(count for value, count in common if value < _SMALL) >= _MOSTLY * len(lane[:_SAMPLE]) > 0
        if narrow and len(set(other)) > _ALPHABETS + len(common):
            return name
    return ""


def decode(data: bytes, *, whole: bool = True, declared: bool = False) -> str:
    """Return the text: by its mark, as UTF-8 if it is, as it ``declared`` (HTML, XML), or else by its statistics.

    ``whole=False`` says that the data may end in the middle of a character.  Never fails: what fits nothing is shown
    as U+FFFD.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, "replace")
    if wide := find_wide(data):
        return data.decode(wide, "replace")
    for cut in range(1 if whole else _LONGEST_CHARACTER + 1):
        try:
            return data[: len(data) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
    if declared and (found := _DECLARED.search(data[:_DECLARATION])):
        try:
            return data.decode(found[1].decode("ascii"), "replace")
        except LookupError:
            pass  # it names no encoding: the statistics tell
    best = from_bytes(data[:_SAMPLE]).best()
    return data.decode(best.encoding if best is not None else _FALLBACK, "replace")
