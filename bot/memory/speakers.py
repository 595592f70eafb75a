"""Tells who said a memory, by one rule for the prompt, the tools, the answers without a model and ``/why``.

The id decides, never the name.  Somebody is the asker by their id; without one only where nobody else speaks, and only
under no name or the asker's own.  Whatever else was said has another author: by name, by number where two bear one
name or there is none, and nobody where nobody is known to have said it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bot.memory.items import MemoryItem, Recalled, Trust
from bot.memory.sanitise import remove_hidden
from language import languages
from language.command_texts import MemoryTexts
from language.registry import get_texts
from language.words import fold_lookalikes

ANOTHERS: Final = "\u21a9 "
"""Begins what somebody keeps, or replies to, of another's words, which no model reads as theirs."""
_PARTS: Final = re.compile(r"[^\W_]+(?: [^\W_]+)*")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_NUMBER: Final = re.compile(r"[#＃﹟]\s*(?=\d)")
"""What stands before a number of ours: no name looks like one that has it."""
_ROLES: Final = frozenset(
    {"ai", "another", "assistant", "bot", "developer", "function", "human", "i", "me", "nobody", "person", "system"}
    | {"the", "tool", "undated", "user", "you"}
    | {
        fold_lookalikes(word)
        for each in languages()
        for said in (get_texts(each.code).memory.you, get_texts(each.code).memory.assistant)
        for word in said.split()[:1]
    }
)
"""First words by which a name would read like a role, or like what stands in a name's place."""
_QUOTATION: Final = str.maketrans(dict.fromkeys('"“”„‟«»〝〞〟＂', "'"))
_JOINTS: Final = frozenset('"“”„‟«»〝〞〟＂:：﹕︰꞉∶,;—–·•|')
"""What our own lines are joined by: "Anna said today: “…”", "“…” — Anna, 7 February 2026 · from conversation"."""


class Who(StrEnum):
    """The part that a speaker has for whoever asks."""

    ASKER = "asker"
    ASSISTANT = "assistant"
    PERSON = "person"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who said something: ``name`` and ``id`` are "" and 0 where they are not known.

    ``forwarded`` says that ``forwarder`` (``None`` where nobody knows who) passed it on, ``namesake`` that somebody
    else here bears the name.
    """

    who: Who
    name: str = ""
    id: int = 0
    forwarded: bool = False
    forwarder: Speaker | None = None
    namesake: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """Whoever asks: numeric id, name, and whether nobody else speaks where they ask.

    The reader without an id is nobody: to them everybody is another person.  ``namesakes`` are the names that several
    people bear there, see :func:`list_shared`.
    """

    id: int = 0
    name: str = ""
    alone: bool = False
    namesakes: frozenset[str] = frozenset()

    def identify(self, memory: Recalled) -> Speaker:
        """Return who said a memory."""
        speaker = self.identify_part(memory.author_id, memory.author, memory.role)
        if not speaker.forwarded or not (memory.forwarder_id or memory.forwarder):
            return speaker
        return replace(speaker, forwarder=self.identify_author(memory.forwarder_id, memory.forwarder, "user"))

    def identify_part(self, author_id: int, name: str, role: str) -> Speaker:
        """Return who said a part of a message; whoever wrote what was forwarded is not known to be who sent it."""
        speaker = self.identify_author(author_id, name, role)
        return replace(speaker, forwarded=True) if role == "forwarded" else speaker

    def identify_item(self, item: MemoryItem) -> Speaker:
        """Return whose word an item is; one without an author that is not trusted as a user's is our own."""
        origin = item.provenance
        ours = not (origin.author_id or origin.author_name) and origin.trust <= Trust.BOT
        return self.identify_author(origin.author_id, origin.author_name, "assistant" if ours else "user")

    def identify_author(self, author_id: int, name: str, role: str) -> Speaker:
        """Return whom an id, a name and a role (see :class:`~bot.memory.items.Recalled`) mean."""
        if role == "assistant":
            return Speaker(Who.ASSISTANT)
        if author_id:
            is_asker = author_id == self.id
        else:
            is_asker = role == "user" and self.alone and (not name.strip() or is_same_name(name, self.name))
        if is_asker:
            return Speaker(Who.ASKER, self.name or name, self.id)
        plain = _NUMBER.sub(" ", name).strip()
        who = Who.PERSON if author_id or plain or role else Who.NOBODY
        return Speaker(who, plain, author_id, namesake=fold_name(name) in self.namesakes)


def find_namesakes(
    reader: Reader, memories: Iterable[Recalled] = (), items: Iterable[MemoryItem] = ()
) -> frozenset[str]:
    """Return the names that two people bear among the reader and the authors of what is shown."""
    authors = [(reader.id, reader.name), *((each.author_id, each.author) for each in memories)]
    return list_shared((*authors, *((each.provenance.author_id, each.provenance.author_name) for each in items)))


def list_shared(authors: Iterable[tuple[int, str]]) -> frozenset[str]:
    """Return the names, as :func:`fold_name` makes them, that two of these ids bear."""
    bearers: dict[str, set[int]] = {}
    for author_id, name in authors:
        if author_id:
            bearers.setdefault(fold_name(name), set()).add(author_id)
    return frozenset(name for name, ids in bearers.items() if name and len(ids) > 1)


def is_namesake(speaker: Speaker, namesakes: frozenset[str]) -> bool:
    """Return whether a speaker's name is one of several people's; the asker needs no name."""
    known = speaker.namesake or fold_name(speaker.name) in namesakes
    return speaker.who is Who.PERSON and speaker.id != 0 and known


def is_same_name(one: str, other: str) -> bool:
    """Return whether two names are written alike, whatever their case."""
    return _fold(one) == _fold(other)


@lru_cache(maxsize=256)
def reads_like_a_role(name: str) -> bool:
    """Return whether a name, or a part of it, begins like a role: "Assistant", "user Anna", "Bob / you"."""
    parts = (_LETTERS.search(part) for part in _PARTS.findall(fold_lookalikes(remove_hidden(name))))
    return any(part is not None and part[0] in _ROLES for part in parts)


def show_name(name: str, write: Callable[[str], str] = str) -> str:
    """Return a name as it is told in a chat: what ``write`` makes of it, "" for none.

    One that reads like a role, or like more of our line than a name, stands in quotation marks, and has none itself.
    """
    plain = write(name.translate(_QUOTATION))
    return f"“{plain}”" if plain and (reads_like_a_role(name) or not _JOINTS.isdisjoint(name)) else plain


def call_speaker(
    speaker: Speaker, texts: MemoryTexts, namesakes: frozenset[str] = frozenset(), write: Callable[[str], str] = str
) -> str:
    """Return "you" for the reader, "assistant" for ourselves, else the name; "" when nobody is known to have said it.

    A name that reads like one of the first two stands in quotation marks; of ``namesakes`` each has their number.
    ``write`` makes of a name what may be shown.
    """
    name = _call(speaker, texts, namesakes, write)
    if not speaker.forwarded:
        return name
    by = speaker.forwarder
    if by is None or by.who is Who.ASKER:
        return texts.forwarded.format(name=name)
    return texts.forwarded_by.format(name=name, by=_call(by, texts, namesakes, write))


def _call(speaker: Speaker, texts: MemoryTexts, namesakes: frozenset[str], write: Callable[[str], str]) -> str:
    match speaker.who:
        case Who.NOBODY:
            return ""
        case Who.ASSISTANT:
            return texts.assistant
        case Who.ASKER:
            return texts.you
    shown = show_name(speaker.name, write)
    if not shown:
        return texts.numbered.format(id=speaker.id) if speaker.id else texts.another
    return f"{shown} #{speaker.id}" if is_namesake(speaker, namesakes) else shown


@lru_cache(maxsize=256)
def fold_name(name: str) -> str:
    """Return a name as it looks: names that nobody can tell apart are equal."""
    return " ".join(fold_lookalikes(remove_hidden(_NUMBER.sub(" ", name)).casefold()).split())


def _fold(name: str) -> str:
    return " ".join(name.casefold().split())
