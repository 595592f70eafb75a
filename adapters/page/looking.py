"""Pages that only show: the timeline, one turn, a search with its reasons, what was forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from adapters.page.people import show_name
from adapters.page.visits import Found, MissingError, Visit, Visits, name_scope, read_offset
from bot.core.rights import Whose
from bot.memory.helpfulness import HELPS
from bot.memory.items import Recalled
from bot.ports.timeline import Place
from bot.turn import Exchange

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
        return visit.page(
            "timeline.html",
            words.page.tabs["timeline"],
            tab="timeline",
            days=_by_day(read.exchanges, visit),
            months=months,
            month=month,
            newest=f"{visit.home}/timeline" if place or month else "",
            older=older,
            exports=visit.may("export", Whose.ALL),
        )

    async def turn(self, request: Request) -> HTMLResponse:
        """Show one exchange with what it taught and what its answer was based on."""
        visit = await self.visits.enter(request)
        words = visit.words
        opened = await self.visits.parts.timeline.open(visit.here, request.path_params["uid"])
        if opened is None:
            raise MissingError
        trace = opened.trace
        return visit.page(
            "turn.html",
            words.page.turn_title.format(moment=words.moment(opened.exchange.said_at)),
            tab="timeline",
            one=opened.exchange,
            items=opened.items,
            names=[
                show_name(name, words)
                for name in await self.visits.parts.names.named_in(visit.here, opened.exchange.uid)
            ],
            traced=trace is not None,
            used=[words.recalled(memory) for memory in trace.memories] if trace else [],
            notes=trace.notes if trace else (),
        )

    async def search(self, request: Request) -> HTMLResponse:
        """Search as an answer does, and say of each find why it was found."""
        visit = await self.visits.enter(request)
        asked, by_time = visit.asked("q").strip(), visit.asked("order") == "time"
        found = await self.visits.parts.search(visit.here, asked, visit.visitor.reader) if asked else Found(())
        memories, notes = found.memories, found.notes
        likely = memories if visit.asked("all") else tuple(_take_likely(memories))
        more = len(memories) - len(likely)
        memories = likely
        if by_time:
            oldest = datetime.min.replace(tzinfo=UTC)
            memories = tuple(sorted(memories, key=lambda one: one.said_at or oldest, reverse=True))
        return visit.page(
            "search.html",
            visit.words.page.tabs["search"],
            tab="search",
            asked=asked,
            by_time=by_time,
            found=[visit.words.recalled(memory) for memory in memories],
            notes=notes,
            more=more,
        )

    async def forgotten(self, request: Request) -> HTMLResponse:
        """Show the receipts of what was erased."""
        visit = await self.visits.enter(request)
        offset = read_offset(visit)
        records = await self.visits.parts.records.list_records(visit.here, offset=offset, size=_RECORDS + 1)
        address = f"{visit.home}/forgotten"
        return visit.page(
            "forgotten.html",
            visit.words.page.tabs["forgotten"],
            tab="forgotten",
            records=records[:_RECORDS],
            newer=f"{address}?from={max(0, offset - _RECORDS)}" if offset else "",
            older=f"{address}?from={offset + _RECORDS}" if len(records) > _RECORDS else "",
        )


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
