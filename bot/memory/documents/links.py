"""Finds the addresses that a message wants to have read: those that stand alone, and those it asks to be read."""

import re
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

from language import alternatives, languages
from language.patterns import compile_at_use

MOST: Final = 3
"""Addresses of one message that are read."""
_ADDRESS: Final = compile_at_use(r"https?://[^\s<>\"“”«»]{1,2000}", re.IGNORECASE)
_BEHIND: Final = ".,;:!?'’)]}>…"
"""What ends a sentence or a bracket around an address, and is no part of it."""
_WORD: Final = compile_at_use(r"[^\W_]")
_READING: Final = compile_at_use(
    rf"\W*{alternatives(each.links.reading for each in languages() if each.links.reading)}"
)
_FEW_WORDS: Final = 3
_LONGEST_NAME: Final = 80
_CUT_NAME: Final = 70


def find_addresses(text: str) -> tuple[str, ...]:
    """Return the addresses that a message wants to have read, each once, at most :data:`MOST`; () if it wants none.

    An address that is only mentioned in a sentence is none of them.
    """
    found = tuple(dict.fromkeys(filter(None, map(_trim, _ADDRESS.findall(text)))))
    if not found or not (_READING.match(text.lower()) or not _WORD.search(_ADDRESS.sub(" ", text))):
        return ()
    return found[:MOST]


def find_request(text: str) -> str:
    """Return what such a message says besides, "" for next to nothing: "read https://… and tell me who wrote it"."""
    rest = _ADDRESS.sub(" ", text)
    asked = _READING.match(rest.lower())
    rest = rest[asked.end() :] if asked is not None and len(rest.lower()) == len(rest) else rest
    rest = " ".join(rest.split())
    return rest if len(rest.split()) > _FEW_WORDS or "?" in rest else ""


def name_page(url: str) -> str:
    """Return what a page is called: its address without scheme, short, and different for different addresses."""
    parts = urlsplit(url)
    name = f"{parts.hostname or ''}{parts.path.rstrip('/')}" + (f"?{parts.query}" if parts.query else "")
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[:_CUT_NAME]}…{blake2b(url.encode(), digest_size=3).hexdigest()}"


def _trim(address: str) -> str:
    while address and address[-1] in _BEHIND:
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break
        address = address[:-1]
    return address if "." in address or ":" in address.removeprefix("http") else ""
