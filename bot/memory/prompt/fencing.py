"""Fences and escaping: what keeps remembered text from passing for anything else in what a model reads.

Nothing here tries to recognise words that are meant to command the model.  What holds is structural: a memory is one
line, cannot open a heading, a role or a tag, and cannot hold the mark of the fence it stands behind.
The mark is one per session, so that the front of a prompt need not change.  It is derived from a key that this process
made at random and that is kept nowhere, so that no text can know it; and were it ever given away, that would not help:
it is taken out of every text on its way into a prompt, and of every answer and argument on its way out.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import string
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Final

from bot.memory.sanitise import HIDDEN, remove_hidden

_MARK: Final = re.compile(r"[A-Za-z0-9]{8,64}")
_MARK_LETTERS: Final = 12
"""56 bits: nobody guesses that in a chat.  Letters, because they cost a prompt half of what figures do."""
_LINES: Final = re.compile(r"(?<!\s)[^\S\n]*+\n\s*+")
_TAG: Final = re.compile(r"<(?=[A-Za-z/|!?<])")
_TAG_END: Final = re.compile(r"(?<=[|>])>")
_ROLE: Final = re.compile(r"\[(?=/?(?:INST|SYS|system|assistant|user|tool)\b)", re.IGNORECASE)
_IMAGE: Final = re.compile(r"!(?=\[)")
_SIGNS: Final = re.compile(r"[<>\[!`~]")
"""What the patterns above and below begin or end with, as far as it is printable ASCII."""
_BRACKETS: Final = str.maketrans("[]|", "()/")
_LONGEST_NAME: Final = 40
_TICKS: Final = re.compile(r"`{3,}|~{3,}")


def escape_line(text: str) -> str:
    """Return ``text`` as one line without hidden characters, tags, chat template marks, code fences and images.

    A line end becomes " / "; what a person reads stays the same but for the signs that machines read.
    """
    if text.isascii() and text.isprintable() and not _SIGNS.search(text):
        return text.strip()  # most memories, and a prompt holds a hundred of them
    line = _LINES.sub(" / ", remove_hidden(text).strip())
    line = _TAG_END.sub("›", _TAG.sub("‹", line))
    return _TICKS.sub("'''", _IMAGE.sub("", _ROLE.sub("(", line)))


def escape_name(name: str) -> str:
    """Return an escaped author's name of at most 40 characters that cannot end the head of its line."""
    return escape_line(name).translate(_BRACKETS)[:_LONGEST_NAME].strip()


def make_mark(key: bytes, *names: object) -> str:
    """Return the mark that ``key`` gives to what ``names`` name: 12 small letters.

    HMAC-SHA256 (RFC 2104), so that no mark says anything of the key or of another mark.
    """
    digest = hmac.new(key, "\0".join(map(str, names)).encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    number, letters = int.from_bytes(digest), ""
    for _ in range(_MARK_LETTERS):
        number, rest = divmod(number, len(string.ascii_lowercase))
        letters += string.ascii_lowercase[rest]
    return letters


def fence_block(label: str, lines: Iterable[str], mark: str) -> str:
    """Return ``lines`` between two lines that carry ``mark``; the mark itself is taken out of the lines.

    ``mark`` is 8 to 64 letters or figures that no text can know (:func:`make_mark`); anything else raises
    ``ValueError``.
    """
    if not _MARK.fullmatch(mark):
        raise ValueError("the mark of a fence is 8 to 64 random letters or figures")
    body = "\n".join(remove_mark(_LINES.sub(" / ", line) if "\n" in line else line, mark) for line in lines)
    return f"<<<{label} {mark}\n{body}\n{label} {mark}>>>"


def remove_mark(text: str, mark: str) -> str:
    """Return ``text`` with "…" for every ``mark``, in capitals or with hidden characters inside, too.

    What stood around a mark cannot become one, because no mark holds "…".  Without a mark nothing is changed.
    """
    if not mark or (text.isascii() and mark.lower() not in text.lower()):
        return text
    return _compile_mark(mark).sub("…", text)


def hold_back_mark(text: str, mark: str) -> str:
    """Return a text that is still being written without its marks, nor what may be the beginning of one at its end."""
    text = remove_mark(text, mark)
    places = (place for place in reversed(range(len(text))) if remove_hidden(text[place]))
    shown = list(islice(places, len(mark)))  # where the last visible characters stand, the last one first
    tail = "".join(text[place] for place in reversed(shown)).lower()
    begun = next((size for size in range(len(mark) - 1, 0, -1) if tail.endswith(mark[:size].lower())), 0)
    return text[: shown[begun - 1]] if begun else text


@lru_cache(maxsize=256)
def _compile_mark(mark: str) -> re.Pattern[str]:
    return re.compile(f"{HIDDEN}*".join(map(re.escape, mark)), re.IGNORECASE)
