"""What the bot says about documents that it was sent; see :mod:`language.texts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class DocumentTexts:
    """``{name}`` is a document's name, ``{about}`` what it is and how long, ``{reason}`` one of ``reasons``.

    ``{number}`` is the document's number in its chat; ``{page}`` and ``{pages}`` count pages, or those of a listing.
    """

    reading: str = ""
    """While it is read."""
    read: str = ""
    known: str = ""
    """The very same file was sent before."""
    renewed: str = ""
    """``{version}``: it takes the place of an earlier one of its name."""
    cut: str = ""
    masked: str = ""
    how_to_ask: str = ""
    failed: str = ""
    export: str = ""
    """It holds conversations, which are imported."""
    memory_off: str = ""
    unnamed: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By the short word that an error has for it; "" for any other."""

    about_pages: str = ""
    """``{count}``"""
    about_sections: str = ""
    about_characters: str = ""
    place_page: str = ""
    """``{page}``: where in a document something stands."""

    listed: str = ""
    """``{count}``: above the list of documents."""
    none: str = ""
    open_button: str = ""
    forget_button: str = ""
    added: str = ""
    """``{day}``, ``{author}``."""
    source: str = ""
    """``{url}``"""
    outline: str = ""
    more_sections: str = ""
    """``{count}``"""
    confirm: str = ""
    yes_forget: str = ""
    several: str = ""
    """``{name}``: it means more than one; they are listed below."""
    missing: str = ""
    from_terminal: str = ""
    """Files are added by their path in the terminal chat alone."""
    usage: str = ""
    ask_usage: str = ""
    page_of: str = ""
    """``{page}``, ``{pages}``"""
