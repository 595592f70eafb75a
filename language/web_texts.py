"""The words about pages of the web, as data: a language is one value of :class:`WebTexts`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WebTexts:
    """Asking whether a page may be read; ``{url}`` is its address, every letter of it visible."""

    ask_fetch: str = ""
    agree_fetch: str = ""
