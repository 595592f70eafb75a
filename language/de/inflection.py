"""Inflection of German."""

from __future__ import annotations

from typing import Final

from language.inflection import Inflection
from language.words import word_set

INFLECTION: Final = Inflection(
    ending=r"(?<=.{4})(?:ern|en|er|em|es|e|n|s)$",
    erasable_endings=word_set("e en er es em ern n s st t te ten tet test"),
)
