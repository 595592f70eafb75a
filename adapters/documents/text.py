"""Text out of bytes of an unknown encoding."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from typing import Final

from charset_normalizer import from_bytes

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
