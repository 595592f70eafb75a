"""Heads of memories in a prompt: when something was said, by whom, and what it is where it is no message word for word.

Who said it is found by the one rule of :mod:`bot.memory.speakers`.  The asker is ``user Anna`` wherever they speak,
another person ``Bob``, we ourselves ``assistant``; a name that reads like one of these stands in quotation marks, which
no name holds by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from bot.memory.documents.places import render_place
from bot.memory.items import Channel, DocumentPlace, MemoryItem, Trust
from bot.memory.prompt.fencing import escape_name
from bot.memory.speakers import Reader, Speaker, Who, is_namesake, reads_like_a_role

LEGEND: Final = '"user" before a name marks who writes to you now.'
"""What a model is told once of the heads of memories."""
NAMELESS: Final = "another person"
_TIMED_DAYS: Final = 7
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_IN_HEADS: Final = str.maketrans({",": ";", "#": " ", '"': "'", "“": "'", "”": "'"})


@dataclass(frozen=True, slots=True)
class Attribution:
    """The heads of memories for one reader at one moment, in whose time zone days are told.

    ``namesakes`` are the names that say too little by themselves, see :func:`~bot.memory.speakers.find_namesakes`;
    ``weekdays`` adds the day of the week to dates: a question about time needs it, and every line pays for it.
    """

    now: datetime
    reader: Reader = field(default_factory=Reader)
    namesakes: frozenset[str] = frozenset()
    weekdays: bool = False

    def render_head(
        self, said_at: datetime | None, speaker: Speaker, channel: Channel, place: DocumentPlace | None = None
    ) -> str:
        """Return what stands before the text of a memory: when, by whom, what it is if no message, and where in it."""
        source = "" if channel is Channel.TURN else str(channel)
        if place is not None:
            source += f" {render_place(place, 'p. {page}', _shield)}"
        day = format_day(said_at, self.now, weekday=self.weekdays)
        return f"- [{' | '.join(filter(None, (day, self.name(speaker), source)))}] "

    def render_item_head(self, item: MemoryItem) -> str:
        """Return what stands before the text of an item: its day, its author, its kind, and whether it is in doubt."""
        doubt = "" if item.provenance.trust >= Trust.USER else ", unverified"
        pinned = ", pinned" if item.pinned else ""
        kind = str(item.type).replace("_", " ")
        day = format_day(item.provenance.said_at, self.now, weekday=self.weekdays, timed=False)
        return f"- [{day} | {self.name(self.reader.identify_item(item))} | {kind}{pinned}{doubt}] "

    def name(self, speaker: Speaker) -> str:
        """Return the speaker for the head of a line, "" for nobody."""
        match speaker.who:
            case Who.NOBODY:
                return ""
            case Who.ASSISTANT:
                name = "assistant"
            case Who.ASKER:
                name = "user" if reads_like_a_role(speaker.name) else f"user {_shield(speaker.name)}".strip()
            case _:
                name = self._name_person(speaker)
        return f"{name}, forwarded{self._name_forwarder(speaker)}" if speaker.forwarded else name

    def _name_person(self, speaker: Speaker) -> str:
        name = _shield(speaker.name)
        if not name:
            return name_nobody(speaker.id)
        return f"{name} #{speaker.id}" if is_namesake(speaker, self.namesakes) else name

    def _name_forwarder(self, speaker: Speaker) -> str:
        """Return by whom; in a chat of one nobody else can have been it."""
        carrier = speaker.forwarder
        if carrier is None or (carrier.who is Who.ASKER and self.reader.alone):
            return ""
        return f" by {self.name(carrier)}"


def name_nobody(author_id: int) -> str:
    """Return what stands for a name that nobody knows, of somebody who is not the asker."""
    return f"person #{author_id}" if author_id else NAMELESS


def format_day(moment: datetime | None, now: datetime, *, weekday: bool = False, timed: bool = True) -> str:
    """Return the day of a memory in the zone of ``now``, for a week with the time; "undated" for ``None``.

    Later nobody asks for the minute, and every memory in a prompt pays for it.
    """
    if moment is None:
        return "undated"
    if moment.tzinfo is not None and now.tzinfo is not None:
        moment = moment.astimezone(now.tzinfo)
    day = f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"
    day += f" {_WEEKDAYS[moment.weekday()]}" if weekday else ""
    lately = timed and (now.date() - moment.date()).days < _TIMED_DAYS
    return f"{day} {moment.hour:02d}:{moment.minute:02d}" if lately else day


def _shield(name: str) -> str:
    """Return a name that cannot end the head of its line, nor read like a role or like a number of ours."""
    plain = " ".join(escape_name(name).translate(_IN_HEADS).split())
    return f'"{plain}"' if reads_like_a_role(plain) else plain
