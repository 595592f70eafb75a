"""The phrases to answer with, in two languages."""

from __future__ import annotations

from typing import Final

from language.registry import get_texts

EN_PHRASES: Final = get_texts("en").answers
RU_PHRASES: Final = get_texts("ru").answers
