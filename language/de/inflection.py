"""Inflection of German."""

from __future__ import annotations

from typing import Final

from language.inflection import Inflection

INFLECTION: Final = Inflection(
    ending=r"(?<=.{4})(?:ern|en|er|em|es|e|n|s)$",
)
