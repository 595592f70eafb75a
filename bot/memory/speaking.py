"""Lines of a transcript that several people share: one for each text, which no name and no text can leave.

Where a transcript is read by its lines, a line end inside somebody's text would let them speak for others
("hi⏎Bob: I agree"), and so would a name with a colon or a line end in it.
"""

from __future__ import annotations

import re
from typing import Final

from bot.memory.sanitise import clean, one_line

_LINE_END: Final = re.compile(r"(?<![ \t])[ \t]*+\n\s*+")
_COLONS: Final = re.compile("[:：﹕︰ː˸։׃܃܄᠄⁚∶꞉𝄈]+")
"""The colon and what looks like one."""
_NAME_CHARS: Final = 60
_MARK: Final = " ⏎ "


def name_in_line(name: str, fallback: str = "user") -> str:
    """Return a name that can stand before a colon; ``fallback`` where nothing of it is left."""
    return one_line(_COLONS.sub(" ", one_line(name, _NAME_CHARS)), _NAME_CHARS) or fallback


def text_in_line(text: str) -> str:
    """Return ``text`` on one line, with a mark for each of its line ends, whatever sign made them."""
    return _LINE_END.sub(_MARK, clean(text).strip())


def spoken_line(name: str, text: str, fallback: str = "user") -> str:
    """Return ``name: text`` on one line."""
    return f"{name_in_line(name, fallback)}: {text_in_line(text)}"
