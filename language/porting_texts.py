"""What is said about taking a memory away and bringing conversations along, as data: a language is one value of each.

``{names}`` in braces are filled in by whoever says the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ExportTexts:
    """/export."""

    ready: str = ""
    """``{turns}``, ``{items}``, ``{size}`` in megabytes."""
    written: str = ""
    """``{path}``: where the file lies, in a terminal chat."""
    nothing: str = ""
    too_large: str = ""
    """``{size}`` and ``{limit}`` in megabytes, ``{scope}``."""
    confirm: str = ""
    confirm_button: str = ""
    owner_only: str = ""
    private: str = ""


@dataclass(frozen=True, slots=True)
class ImportTexts:
    """/import."""

    usage: str = ""
    usage_terminal: str = ""
    survey: str = ""
    """``{format}``, ``{messages}``, ``{chats}``, ``{first}`` and ``{last}``, dates."""
    archive: str = ""
    """``{items}``: memories of an export of Mneme."""
    left_out: str = ""
    """``{count}``, ``{what}`` of ``reasons``."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    more_people: str = ""
    who: str = ""
    nobody_button: str = ""
    you: str = ""
    """``{name}``."""
    own_export: str = ""
    tokens: str = ""
    """``{tokens}``: what long-term memory's model will read."""
    tokens_priced: str = ""
    """The same where it has a price: ``{money}``."""
    start: str = ""
    start_button: str = ""
    cancel_button: str = ""
    begun: str = ""
    progress: str = ""
    """``{name}``, ``{done}``, ``{total}``, ``{share}`` in percent."""
    done: str = ""
    """``{name}``, ``{added}``, ``{known}``."""
    forgotten: str = ""
    """``{count}``: forgotten on purpose before, and left so."""
    refused: str = ""
    """``{reason}``."""
    cancelled: str = ""
    """``{name}``, ``{added}``."""
    gone: str = ""
    none: str = ""
    busy: str = ""
    too_large: str = ""
    """``{limit}`` in megabytes."""
    not_fetched: str = ""
    owner_only: str = ""
    memory_off: str = ""
