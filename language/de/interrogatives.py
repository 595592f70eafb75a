"""Question words of German."""

from __future__ import annotations

from typing import Final

from language.interrogatives import Interrogatives

INTERROGATIVES: Final = Interrogatives(
    when="wann|seit wann|wie lange|in welchem|an welchem",
    how_many="wie (?:viele?|oft|alt|lange)",
    named="wo|wohin|woher|wer|wen|wem|heißt|namen?",
    why=r"warum|weshalb|wieso|fühl\w*",
    several="wie (?:viele|oft)",
    several_begin="welche[nr]?",
)
