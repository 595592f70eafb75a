"""Pages from templates: everything that people wrote is escaped by the template engine, and nothing is marked safe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adapters.page.sessions import Visitor
from bot.memory.helpfulness import HELPS
from bot.memory.items import Channel, MemoryItem, Recalled
from bot.memory.prompt.selection import SURE
from bot.memory.ranking.ranking import find_signal_group
from bot.memory.speakers import Speaker, Who, reads_like_a_role
from bot.turn import Exchange
from language.page_texts import PageTexts
from language.texts import Texts

FOLDER: Final = Path(__file__).parent
_BITS: Final = 32
_SIGNALS_SHOWN: Final = 3
_LIKELY: Final = 0.06
"""Between what is quoted at length in a prompt and the least that stands there at all."""
_ENVIRONMENT: Final = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(template: str, values: Mapping[str, object]) -> str:
    """Return a page; a value that a template names and nobody gave is an error, never a gap."""
    return _ENVIRONMENT.get_template(template).render(values)


def number_of(item_id: int) -> int:
    """Return the number that people see of an id, which counts within its scope."""
    return item_id & ((1 << _BITS) - 1)


@dataclass(frozen=True, slots=True)
class Wording:
    """The words for one visitor: dates in ``zone``, names as they mean them."""

    texts: Texts
    visitor: Visitor
    zone: tzinfo | None

    @property
    def page(self) -> PageTexts:
        """The sentences of the page itself."""
        return self.texts.page

    def day(self, when: datetime) -> str:
        """Return "Saturday, 7 February 2026"."""
        return self.texts.day(when, self.zone, weekday=True)

    def short_day(self, when: datetime) -> str:
        """Return "7 February 2026"."""
        return self.texts.day(when, self.zone)

    def moment(self, when: datetime) -> str:
        """Return "7 February 2026, 14:30"."""
        return self.texts.moment(when, self.zone)

    def time(self, when: datetime) -> str:
        """Return "14:30"."""
        return f"{when.astimezone(self.zone) if self.zone else when:%H:%M}"

    def iso(self, when: datetime) -> str:
        """Return the moment for programs that read the page aloud or index it."""
        return (when.astimezone(self.zone) if self.zone else when).isoformat(timespec="minutes")

    def local_date(self, when: datetime) -> date:
        """Return the calendar day that a moment falls on here."""
        return (when.astimezone(self.zone) if self.zone else when).date()

    def month(self, first: date) -> str:
        """Return "2026-02" with the month's name: "February 2026" in the form used after a day."""
        return f"{self.texts.dates.months[first.month - 1]} {first.year}"

    def count(self, number: int) -> str:
        """Return a number with its thousands apart."""
        return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")

    def speaker(self, speaker: Speaker) -> str:
        """Return "you", "assistant" or a name; a name that reads like one of these stands in quotation marks."""
        name = self._name(speaker)
        if not speaker.forwarded:
            return name
        by = speaker.forwarder
        words = self.texts.memory
        if by is None or by.who is Who.ASKER:
            return words.forwarded.format(name=name)
        return words.forwarded_by.format(name=name, by=self._name(by))

    def _name(self, speaker: Speaker) -> str:
        words = self.texts.memory
        match speaker.who:
            case Who.NOBODY:
                return ""
            case Who.ASSISTANT:
                return words.assistant
            case Who.ASKER:
                return words.you
        if not speaker.name:
            return words.numbered.format(id=speaker.id) if speaker.id else words.another
        return f"“{speaker.name}”" if reads_like_a_role(speaker.name) else speaker.name

    def author(self, exchange: Exchange) -> str:
        """Return who wrote the message of an exchange."""
        reader = self.visitor.reader
        return self.speaker(reader.identify_author(exchange.author.id, exchange.author.name, "user"))

    def item_author(self, item: MemoryItem) -> str:
        """Return whose word an item is."""
        return self.speaker(self.visitor.reader.identify_item(item))

    def source(self, item: MemoryItem) -> str:
        """Return where an item comes from, in words."""
        source = item.provenance.source
        return self.texts.memory.sources.get(source, source)

    def kind(self, item: MemoryItem) -> str:
        """Return the kind of an item in words."""
        return self.page.kinds.get(item.type.value, item.type.value)

    def channel(self, memory: Recalled) -> str:
        """Return which part of memory found something."""
        return self.texts.why.channels[memory.channel]

    def fit(self, memory: Recalled) -> str:
        """Return how likely a find helps, in words; "" for one that was not judged."""
        helps = memory.signals.get(HELPS)
        if helps is None:
            return ""
        return self.page.fits[0 if helps >= SURE else 1 if helps >= _LIKELY else 2]

    def reasons(self, memory: Recalled) -> str:
        """Return what carried a find, the strongest first, in the words of ``/why``."""
        kinds: dict[str, float] = {}
        for name, value in memory.signals.items():
            if name == HELPS:
                continue  # that is how well it fits
            kind = find_signal_group(name)
            kinds[kind] = kinds.get(kind, 0.0) + value
        strongest = sorted((kind for kind in kinds if kinds[kind] > 0), key=lambda kind: -kinds[kind])[:_SIGNALS_SHOWN]
        return ", ".join(self.texts.why.signals[kind] for kind in strongest if kind in self.texts.why.signals)

    def recalled(self, memory: Recalled) -> dict[str, Any]:  # Any: values for a template
        """Return a find as a template shows it."""
        number = memory.key.removeprefix("item:") if memory.channel is Channel.ITEM else ""
        return {
            "text": memory.text,
            "speaker": self.speaker(self.visitor.reader.identify(memory)),
            "said_at": memory.said_at,
            "channel": self.channel(memory),
            "fit": self.fit(memory),
            "reasons": self.reasons(memory),
            "exchange": memory.exchange,
            "item": number_of(int(number)) if number.isdecimal() else None,
        }
