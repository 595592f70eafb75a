"""The Markdown of language models as Telegram shows it: plain text plus entities, never markup.

Text with entities cannot fail to parse, whatever the model wrote; MarkdownV2 and HTML can.
"""

from __future__ import annotations

from dataclasses import dataclass

from telegramify_markdown import RenderConfig, convert

from adapters.telegram.outbound.entities import Entity, allowed, clipped
from adapters.telegram.outbound.markdown_guard import flat, guarded
from adapters.telegram.transport.raw_updates import tidied

MESSAGE_UNITS = 4096
"""Longest message in UTF-16 units, markup not counted: https://core.telegram.org/bots/api#sendmessage."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text and its entities, as ``sendMessage`` takes them."""

    text: str
    entities: tuple[Entity, ...] = ()

    def fits(self) -> bool:
        """Whether one message holds it."""
        return units(self.text) <= MESSAGE_UNITS


def units(text: str) -> int:
    """Return the length in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def render(markdown: str) -> Rendered:
    """Convert; empty only for blank text: where Markdown shows nothing, its source is shown."""
    source = flat(tidied(markdown))
    formulas = "\\]" in source or "\\)" in source  # looking for them takes quadratic time when none of them ends
    text, entities = convert(guarded(source), latex_escape=formulas, config=_look())
    if not text.strip():
        return Rendered(source.strip())
    end = units(text.rstrip())
    start = units(text) - units(text.lstrip())
    ranges = (
        clipped(Entity(entity.type, entity.offset, entity.length, entity.url, entity.language), start, end)
        for entity in entities
    )
    return Rendered(text.strip(), allowed(ranges))


def _look() -> RenderConfig:
    """Return symbols that stay out of the way: headings are bold, without the library's pictures."""
    config = RenderConfig.isolated()
    look = config.markdown_symbol
    look.heading_level_1 = look.heading_level_2 = look.heading_level_3 = look.heading_level_4 = ""
    look.unordered_list_item = "•"
    return config
