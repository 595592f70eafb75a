"""Pages that only show: the timeline, one turn, a search with its reasons, what was forgotten, people and things.

People have a map of who is named together, the list of all, and a page for each with its sources.

Where the names of a map stand: those that are named together near each other, none over another's label.

Forces place them (Fruchterman and Reingold, 1991), from a spiral that begins with the most named, then labels are
pushed apart until none overlap.  No chance in it: the same names always make the same map.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from types import MappingProxyType
from typing import Final
from unicodedata import category, east_asian_width

import numpy as np
import numpy.typing as npt
from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from adapters.page.visits import Found, Visit, Visits, Wording, name_scope, read_offset, require
from bot.core.rights import Whose
from bot.memory.helpfulness import HELPS
from bot.memory.items import Recalled
from bot.memory.names import NameKind
from bot.ports.memory_store import ItemFilter, KnownName, NameLink, Place
from bot.turn import Exchange
from language.registry import languages

Places = npt.NDArray[np.float64]
_ROUNDS: Final = 160
_PUSHES: Final = 400
_GOLDEN: Final = np.pi * (3 - np.sqrt(5))
_SIZE, _NOTE_SIZE = 13.0, 11.0
"""Letters of a label and of its note, as the style sheet has them."""
_WIDTHS: Final = MappingProxyType({"W": 1.0, "F": 1.0, "Lu": 0.68, "Ll": 0.54, "Nd": 0.56, "Zs": 0.3, "Mn": 0.0})
"""Widths of characters in heights of the letters, by East Asian width, else by category, as in a sans-serif font."""
_WIDTH: Final = 0.45
_SLIM, _BROAD = frozenset("fijlrtIJ"), frozenset("mwMWжмшщыюфЖМШЩЫЮФ")
_SLIMMER, _BROADER = 0.6, 1.4
_LINE, _ABOVE = 1.5, 1.15
"""Height of a line, and of its part above the foot of the letters, in heights of the letters.

That is more than most fonts need: a browser may be set to larger letters.
"""
_LONGEST: Final = 16
_GAP: Final = 7.0
_LEAST, _MOST = 7.0, 18.0
"""Radius of a sign, in units of the drawing."""
_DRAWN_IN: Final = 0.7
_STRONGEST: Final = 3
"""Links drawn from each name, the strongest first: more of them would hide which matter."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A name on the map: the middle of its sign, its radius, and the label that stands below with its note.

    Whatever font a browser has, it fits the words into these widths.
    """

    name: KnownName
    x: float
    y: float
    radius: float
    label: str
    note: str = ""
    label_width: float = 0.0
    note_width: float = 0.0

    @property
    def label_y(self) -> float:
        return round(self.y + self.radius + _ABOVE * _SIZE, 1)

    @property
    def note_y(self) -> float:
        return round(self.y + self.radius + _LINE * _SIZE + _ABOVE * _NOTE_SIZE, 1)


@dataclass(frozen=True, slots=True)
class Line:
    """A link between two spots, and how broad it is drawn."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """A map of ``width`` by ``height`` units."""

    width: int
    height: int
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]


def draw_map(
    names: Sequence[KnownName], links: Sequence[NameLink], notes: Sequence[str], *, width: int, height: int
) -> DrawnMap:
    """Return the map of some names; ``notes`` say who each is, in a word or two, "" for nothing.

    As many names fit as labels do: some 18 into 360 by 520 units, some 40 into 960 by 560.
    """
    if not names:
        return DrawnMap(width, height, (), ())
    place = {name.id: number for number, name in enumerate(names)}
    weights = np.zeros((len(names), len(names)))
    for link in links:
        one, other = place[link.one], place[link.other]
        weights[one, other] = weights[other, one] = 1 + np.log(link.count)
    labels = [_cut(name.shown) for name in names]
    radii = _size([name.count for name in names])
    spans = [(_measure(label, _SIZE), _measure(note, _NOTE_SIZE)) for label, note in zip(labels, notes, strict=True)]
    half = np.array(
        [
            (max(*widths, 2 * radius) / 2 + _GAP, radius + _LINE * (_SIZE + (_NOTE_SIZE if note else 0)) / 2 + 4)
            for widths, note, radius in zip(spans, notes, radii, strict=True)
        ]
    )
    places = _push_apart(_spread(weights, width, height), half, width, height)
    spots = tuple(
        # The box holds the sign and the label below it: the sign is its upper part.
        Spot(name, round(float(x), 1), round(float(y - box[1] + radius + 1), 1), round(radius, 1), label, note, *widths)
        for name, (x, y), box, radius, label, note, widths in zip(
            names, places, half, radii, labels, notes, spans, strict=True
        )
    )
    return DrawnMap(width, height, spots, _join(spots, weights))


def _cut(shown: str) -> str:
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1].rstrip() + "…"


def _measure(text: str, size: float) -> float:
    """Return how broad a text is in letters of a size: a mean of fonts, to which the browser's own is fitted."""
    return round(size * sum(map(_measure_letter, text)), 1)


def _measure_letter(letter: str) -> float:
    named = _WIDTHS.get(east_asian_width(letter)) or _WIDTHS.get(category(letter), _WIDTH)
    return named * (_SLIMMER if letter in _SLIM else _BROADER if letter in _BROAD else 1)


def _size(counts: Sequence[int]) -> list[float]:
    most = max(counts)
    return [float(_LEAST + (_MOST - _LEAST) * np.sqrt(count / most)) for count in counts]


def _spread(weights: Places, width: int, height: int) -> Places:
    """Return places by forces: all push each other away, links pull, and a little everything to the middle."""
    size = len(weights)
    turns = np.arange(size) * _GOLDEN
    reach = np.sqrt((np.arange(size) + 0.5) / size) * 0.45
    places = np.stack([np.cos(turns) * reach, np.sin(turns) * reach], axis=1)
    ideal = 1 / np.sqrt(size)
    pull = weights / (weights.max() or 1)
    for step in range(_ROUNDS):
        apart = places[:, None] - places[None]
        far = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-3)
        force = (ideal**2 / far**2 - pull * far / ideal)[..., None] * apart
        moves = force.sum(axis=1) - places * 0.6
        length = np.maximum(np.sqrt((moves**2).sum(axis=1, keepdims=True)), 1e-9)
        places += moves / length * np.minimum(length, 0.12 * (1 - step / _ROUNDS))
    # What nothing joins drifts far out: drawn nearer, it leaves the room to those that are joined.
    reach = np.maximum(np.sqrt((places**2).sum(axis=1, keepdims=True)), 1e-9)
    places *= (reach / reach.max()) ** (_DRAWN_IN - 1)
    low, high = places.min(axis=0), places.max(axis=0)
    shares = (places - low) / np.maximum(high - low, 1e-9)
    result: Places = np.array([0.12, 0.1]) * (width, height) + shares * np.array([0.76, 0.8]) * (width, height)
    return result


def _push_apart(places: Places, half: Places, width: int, height: int) -> Places:
    """Move boxes that overlap away from each other by the shorter way, and all of them into the drawing."""
    size = len(places)
    upper = np.triu(np.ones((size, size), dtype=bool), 1)
    limit = np.array([width, height], dtype=np.float64)
    for _ in range(_PUSHES):
        places = np.clip(places, half, limit - half)
        apart = places[None] - places[:, None]
        over = half[None] + half[:, None] - np.abs(apart)
        hits = np.argwhere((over.min(axis=2) > 0.01) & upper)  # noqa: PLR2004 - a hundredth of a unit is no overlap
        if not len(hits):
            break
        for one, other in hits:
            axis = int(over[one, other, 1] < over[one, other, 0])
            ahead = 1.0 if apart[one, other, axis] >= 0 else -1.0
            step = (over[one, other, axis] / 2 + 0.2) * ahead
            places[one, axis] -= step
            places[other, axis] += step
    return np.clip(places, half, limit - half)


def _join(spots: Sequence[Spot], weights: Places) -> tuple[Line, ...]:
    drawn: dict[tuple[int, int], float] = {}
    for one in range(len(spots)):
        for other in np.argsort(-weights[one], kind="stable")[:_STRONGEST]:
            if weights[one, other] > 0:
                drawn[min(one, int(other)), max(one, int(other))] = float(weights[one, other])
    return tuple(
        Line(spots[one].x, spots[one].y, spots[other].x, spots[other].y, round(min(1 + weight, 5), 1))
        for (one, other), weight in sorted(drawn.items())
    )


_ON_PAGE: Final = 40
_RECORDS: Final = 50
_LEAST_SHARE: Final = 0.25
"""Of the best find's probability: what has less stands behind a link, as whoever searches reads the first ones."""
_PLACE: Final = re.compile(r"(-?[0-9]{1,12}(?:\.[0-9]{1,9})?)~([0-9]{1,10})")
_MONTH: Final = re.compile(r"((?:19|20|21)[0-9]{2})-(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class LookingPages:
    """The pages, each a method that answers a request."""

    visits: Visits

    async def choose(self, request: Request) -> Response:
        """Show whose memories there are to choose from, or go to the only one."""
        visit = await self.visits.enter(request)
        visitor, page = visit.visitor, visit.words.page
        known = {each.scope: each for each in await self.visits.parts.timeline.list_scopes()}
        scopes = tuple(known) if visitor.scopes is None else visitor.scopes
        if len(scopes) == 1:
            return RedirectResponse(f"{visit.base}/m/{scopes[0].tag}/timeline", 303)
        shown = [
            {
                "tag": scope.tag,
                "name": name_scope(scope, visit.words, known[scope].name if scope in known else ""),
                "exchanges": known[scope].exchanges if scope in known else 0,
                "kept": known[scope].items if scope in known else 0,
                "newest": known[scope].newest if scope in known else None,
            }
            for scope in scopes
        ]
        return visit.page("scopes.html", page.choose_title, scopes=shown)

    async def timeline(self, request: Request) -> HTMLResponse:
        """Show conversations by day, the newest first."""
        visit = await self.visits.enter(request)
        timeline, words = self.visits.parts.timeline, visit.words
        month, place = _read_month(visit.asked("month")), _read_place(visit.asked("before"))
        until = _end_of(month, visit) if month else None
        read = await timeline.read(visit.here, before=place, until=until, size=_ON_PAGE)
        months = await timeline.count_months(visit.here, words.zone)
        older = f"{visit.home}/timeline?before={_write_place(read.older)}" if read.older else ""
        return visit.show_tab(
            "timeline",
            days=_by_day(read.exchanges, visit),
            months=months,
            month=month,
            newest=f"{visit.home}/timeline" if place or month else "",
            older=older,
            exports=self.visits.parts.exporter is not None and visit.may("export", Whose.ALL),
        )

    async def turn(self, request: Request) -> HTMLResponse:
        visit = await self.visits.enter(request)
        words = visit.words
        opened = require(await self.visits.parts.timeline.open(visit.here, request.path_params["uid"]))
        trace, named = opened.trace, await self.visits.parts.names.named_in(visit.here, opened.exchange.uid)
        return visit.page(
            "turn.html",
            words.page.turn_title.format(moment=words.moment(opened.exchange.said_at)),
            tab="timeline",
            one=opened.exchange,
            items=opened.items,
            names=[show_name(name, words) for name in named],
            traced=trace is not None,
            used=[words.recalled(memory) for memory in trace.memories] if trace else [],
            notes=trace.notes if trace else (),
        )

    async def search(self, request: Request) -> HTMLResponse:
        """Search as an answer does, and say of each find why it was found."""
        visit = await self.visits.enter(request)
        asked, by_time = visit.asked("q").strip(), visit.asked("order") == "time"
        found = await self.visits.parts.search(visit.here, asked, visit.visitor.reader) if asked else Found(())
        memories = found.memories if visit.asked("all") else tuple(_take_likely(found.memories))
        more = len(found.memories) - len(memories)
        if by_time:
            oldest = datetime.min.replace(tzinfo=UTC)
            memories = tuple(sorted(memories, key=lambda one: one.said_at or oldest, reverse=True))
        shown = [visit.words.recalled(memory) for memory in memories]
        return visit.show_tab("search", asked=asked, by_time=by_time, found=shown, notes=found.notes, more=more)

    async def forgotten(self, request: Request) -> HTMLResponse:
        visit = await self.visits.enter(request)
        offset = read_offset(visit)
        records = await self.visits.parts.records.list_records(visit.here, offset=offset, size=_RECORDS + 1)
        pages = visit.pages("forgotten", offset, _RECORDS, more=len(records) > _RECORDS)
        return visit.show_tab("forgotten", records=records[:_RECORDS], **pages)


def _take_likely(memories: Sequence[Recalled]) -> Iterable[Recalled]:
    """Return what is not much less likely to help than the best."""
    least = _LEAST_SHARE * max((memory.signals.get(HELPS, 0.0) for memory in memories), default=0.0)
    return (memory for memory in memories if memory.signals.get(HELPS, 0.0) >= least)


def _by_day(exchanges: Iterable[Exchange], visit: Visit) -> list[tuple[str, list[Exchange]]]:
    """Return days, newest first, each with its exchanges in the order in which they are read."""
    days = groupby(exchanges, key=lambda one: visit.words.local_date(one.said_at))
    grouped = ((list(said)) for _, said in days)
    return [(visit.words.day(said[0].said_at), said[::-1]) for said in grouped]


def _write_place(place: Place) -> str:
    return f"{place[0]!r}~{place[1]}"


def _read_place(given: str) -> Place | None:
    """Return a place of :func:`_write_place`; what is none is the beginning."""
    found = _PLACE.fullmatch(given)
    return (float(found[1]), int(found[2])) if found else None


def _read_month(given: str) -> date | None:
    found = _MONTH.fullmatch(given)
    return date(int(found[1]), int(found[2]), 1) if found else None


def _end_of(month: date, visit: Visit) -> datetime:
    following = date(month.year + month.month // 12, month.month % 12 + 1, 1)
    return datetime(following.year, following.month, 1, tzinfo=visit.words.zone or UTC)


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
        visit = await self.visits.enter(request)
        search, offset = visit.asked("q").strip(), read_offset(visit)
        names = self.visits.parts.names
        listed = await names.list_names(visit.here, search=search, offset=offset, size=_LISTED)
        mapped = (await names.list_names(visit.here, search=search, offset=offset, size=_WIDE[0])).names
        links = await names.list_links(visit.here, tuple(name.id for name in mapped))
        return visit.show_tab(
            "people",
            search=search,
            maps=_draw(mapped, links, visit.words),
            names=[show_name(name, visit.words) for name in listed.names],
            total=listed.total,
            kinds=_list_kinds(mapped, visit.words),
            **visit.pages("people", offset, _LISTED, more=offset + _LISTED < listed.total, q=search),
        )

    async def person(self, request: Request) -> HTMLResponse:
        """Show one name: what is known, with whom it is named, where and when it was said."""
        visit = await self.visits.enter(request)
        parts, offset = self.visits.parts, read_offset(visit)
        opened = require(await parts.names.open_name(visit.here, visit.number(), offset=offset, size=_MENTIONS))
        name, others = opened.name, [other for other, _ in opened.others[: _NARROW[0] - 1]]
        shown = (name, *others)
        links = await parts.names.list_links(visit.here, tuple(each.id for each in shown))
        known = await parts.browser.browse(visit.here, ItemFilter(search=name.shown), size=_KNOWN)
        said = await parts.timeline.find(visit.here, opened.exchanges)
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
            **visit.pages(f"people/{name.id}", offset, _MENTIONS, more=opened.more),
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
