"""People and things: a map of who is named together, the list of all, and a page for each with its sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse

from adapters.page.map_layout import DrawnMap, draw_map
from adapters.page.rendering import Wording
from adapters.page.visits import MissingError, Visits, read_offset
from bot.memory.names import NameKind
from bot.ports.memory_browser import ItemFilter
from bot.ports.names import KnownName, NameLink
from language.registry import languages

_NARROW: Final = (18, 360, 540)
_WIDE: Final = (40, 960, 560)
"""Names on a map, its width and height: one for phones, one for wider windows."""
_LISTED: Final = 50
_MENTIONS: Final = 20
_KNOWN: Final = 12


@dataclass(frozen=True, slots=True)
class PeoplePages:
    """The pages, each a method that answers a request."""

    visits: Visits

    async def people(self, request: Request) -> HTMLResponse:
        """Show the map of the most named, and the list of all."""
        visit = await self.visits.enter(request)
        search, offset = visit.asked("q").strip(), read_offset(visit)
        names = self.visits.parts.names
        listed = await names.list_names(visit.here, search=search, offset=offset, size=_LISTED)
        mapped = (await names.list_names(visit.here, search=search, offset=offset, size=_WIDE[0])).names
        links = await names.list_links(visit.here, tuple(name.id for name in mapped))
        address = f"{visit.home}/people?q={visit.quote(search)}&from="
        return visit.page(
            "people.html",
            visit.words.page.tabs["people"],
            tab="people",
            search=search,
            maps=_draw(mapped, links, visit.words),
            names=[show_name(name, visit.words) for name in listed.names],
            total=listed.total,
            kinds=_list_kinds(mapped, visit.words),
            newer=f"{address}{max(0, offset - _LISTED)}" if offset else "",
            older=f"{address}{offset + _LISTED}" if offset + _LISTED < listed.total else "",
        )

    async def person(self, request: Request) -> HTMLResponse:
        """Show one name: what is known, with whom it is named, where and when it was said."""
        visit = await self.visits.enter(request)
        parts, offset = self.visits.parts, read_offset(visit)
        opened = await parts.names.open_name(visit.here, visit.number(), offset=offset, size=_MENTIONS)
        if opened is None:
            raise MissingError
        name, others = opened.name, [other for other, _ in opened.others[: _NARROW[0] - 1]]
        shown = (name, *others)
        links = await parts.names.list_links(visit.here, tuple(each.id for each in shown))
        known = await parts.browser.browse(visit.here, ItemFilter(search=name.shown), size=_KNOWN)
        said = await parts.timeline.find(visit.here, opened.exchanges)
        path = visit.request.url.path
        return visit.page(
            "person.html",
            name.shown,
            tab="people",
            name=show_name(name, visit.words),
            maps=_draw(shown, links, visit.words) if others else [],
            kinds=_list_kinds(shown, visit.words),
            others=[(show_name(other, visit.words), count) for other, count in opened.others],
            known=known.items,
            said=said[::-1],
            newer=f"{visit.base}{path}?from={max(0, offset - _MENTIONS)}" if offset else "",
            older=f"{visit.base}{path}?from={offset + _MENTIONS}" if opened.more else "",
        )


def show_name(name: KnownName, words: Wording) -> dict[str, object]:
    """Return a name as a template shows it."""
    return {
        "id": name.id,
        "shown": name.shown,
        "kind": words.page.name_kinds[name.kind.name.lower()],
        "sign": name.kind.name.lower(),
        "note": name_relation(name, words),
        "count": name.count,
        "first": name.first,
        "last": name.last,
    }


def name_relation(name: KnownName, words: Wording) -> str:
    """Return who somebody is in the visitor's language, "" where nobody said so or the name says it itself."""
    forms = next(
        (each.synonyms.concepts.get(name.relation, "") for each in languages() if each.code == words.texts.language), ""
    )
    relation = next(iter(forms.split()), name.relation)
    return "" if relation.casefold() == name.shown.casefold() else relation.capitalize()


def _draw(names: Sequence[KnownName], links: Sequence[NameLink], words: Wording) -> list[tuple[str, DrawnMap]]:
    drawn = []
    for screen, (most, width, height) in (("narrow", _NARROW), ("wide", _WIDE)):
        shown = names[:most]
        ids = {name.id for name in shown}
        among = [link for link in links if link.one in ids and link.other in ids]
        notes = [name_relation(name, words) for name in shown]
        drawn.append((screen, draw_map(shown, among, notes, width=width, height=_fit(height, len(shown), most))))
    return drawn


def _fit(height: int, shown: int, most: int) -> int:
    """Return a lower map for few names."""
    return max(180, round(height * min(1.0, (shown + 3) / most)))


def _list_kinds(names: Sequence[KnownName], words: Wording) -> list[tuple[str, str]]:
    """Return the signs that a map shows and what they mean."""
    there = {name.kind for name in names}
    return [
        (kind.name.lower(), words.page.name_kinds[kind.name.lower()]) for kind in reversed(NameKind) if kind in there
    ]
