"""What may reach a terminal: the same cleaning for every way out.

A terminal obeys what it is shown: escape sequences set its title and clipboard and clear its screen, marks of direction
reorder what stands on a line.  They are taken out whole, also where a streamed answer has only half of one so far.
"""

from __future__ import annotations

import re
from typing import Final, TextIO

from bot.memory.sanitise import clean

_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,256}+[ -/]{0,16}+(?:[@-~]|\Z)"  # CSI: colours, cursor, clear
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]{0,4096}+(?:\x07|\x1b\\|\x9c|\x1b?\Z)"  # OSC, DCS
    r"|\x1b(?:[ -/]{1,4}+[0-~]?|[0-~])?"
)
"""ECMA-48, 5.4 and 5.6, with the strings that xterm ends with BEL; at the end of the text also begun ones."""
_DIRECTIONS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\U000e0000-\U000e007f]")


def shown(text: str) -> str:
    """Return ``text`` without anything that a terminal obeys; letters, line ends, tabs and emoji stay."""
    return _DIRECTIONS.sub("", clean(_SEQUENCE.sub("", text)))


def show_what_fits(out: TextIO) -> None:
    """Let ``out`` replace what its encoding lacks, instead of failing and losing the answer."""
    reconfigure = getattr(out, "reconfigure", None)  # only text streams over bytes have an encoding to lack something
    if reconfigure is not None:
        reconfigure(errors="replace")
