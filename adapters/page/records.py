"""What is neither said nor remembered: reminders, lists, documents, costs, settings; and all of it as a file."""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, time
from typing import Final, TypeVar

from fastapi import Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.background import BackgroundTask

from adapters.page.visits import ChangedError, MissingError, Visit, Visits, read_offset
from bot.core.prices import Cost, PriceList
from bot.core.rights import Whose
from bot.core.time_zones import find_zones, is_zone
from bot.messages import Address
from bot.ports.chats import ChatSettings
from bot.ports.eraser import ErasureTarget
from bot.ports.lists import Deed, ItemState, ListItem
from bot.ports.usage import UsageRow
from language import languages

_REMINDERS: Final = 1000
"""As many as a chat may have."""
_DOCUMENTS: Final = 30
_CHUNKS: Final = 20
_UID: Final = re.compile(r"[a-z0-9]{1,40}")
_MONTHS_SHOWN: Final = 12
_SWITCH: Final = {"": None, "on": True, "off": False}


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecordPages:
    """The pages and forms, each a method that answers a request."""

    visits: Visits

    async def reminders(self, request: Request) -> HTMLResponse:
        """List the reminders that will come, the next one first."""
        visit = await self.visits.enter(request)
        listed = await _there(self.visits.parts.coming).list_coming(visit.here, visit.words.texts)
        shown = [(each, visit.may("reminders", visit.is_whose(each.reminder.asker_id))) for each in listed]
        return visit.page("reminders.html", visit.words.page.tabs["reminders"], tab="reminders", reminders=shown)

    async def cancel_reminder(self, request: Request) -> Response:
        """Cancel one as it was shown."""
        visit, fields = await self.visits.submit(request, "reminders")
        number, store = visit.number(), _there(self.visits.parts.reminders)
        known = await store.list_scope(visit.here, limit=_REMINDERS)
        found = next((each for each in known if each.number == number), None)
        if found is None:
            raise MissingError
        visit.require("reminders", visit.is_whose(found.asker_id))
        if fields.get("shown") != str(found.version) or not await store.remove(found):
            raise ChangedError
        return visit.go("reminders")

    async def lists(self, request: Request) -> HTMLResponse:
        """Show each list, the one used first at the top: what is open, and what was closed of late."""
        visit = await self.visits.enter(request)
        lists: dict[str, list[ListItem]] = {}
        for item in await _there(self.visits.parts.lists).read(visit.here):
            lists.setdefault(item.key, []).append(item)
        names = visit.words.texts.lists.names
        shown = [
            (
                names.get(key) or items[0].title or key,
                [item for item in items if item.state is ItemState.OPEN],
                [item for item in reversed(items) if item.state is not ItemState.OPEN],
            )
            for key, items in lists.items()
        ]
        return visit.page("lists.html", visit.words.page.tabs["lists"], tab="lists", lists=shown)

    async def mark_listed(self, request: Request) -> Response:
        """Tick something off a list, or open it again, as it was shown."""
        visit, fields = await self.visits.submit(request, "list", Whose.OTHERS)
        number, store = visit.number(), _there(self.visits.parts.lists)
        found = next((item for item in await store.read(visit.here) if item.number == number), None)
        if found is None:
            raise MissingError
        if fields.get("shown") != found.state.name:
            raise ChangedError
        state = ItemState.DONE if found.state is ItemState.OPEN else ItemState.OPEN
        deed = Deed(visit.visitor.author_id, visit.visitor.reader.name, self.visits.parts.now())
        await store.mark(visit.here, [found.id], state, deed)
        return visit.go("lists")

    async def export(self, request: Request) -> Response:
        """Hand over all that is kept, as ``/export`` does; the file goes once it is sent."""
        visit, _ = await self.visits.submit(request, "export", Whose.ALL)
        done = await _there(self.visits.parts.exporter).export(visit.here)
        if done is None:
            raise MissingError
        name = f"mneme-{visit.here}-{self.visits.parts.now():%Y-%m-%d}.zip"
        gone = BackgroundTask(done.path.unlink, missing_ok=True)
        return FileResponse(done.path, filename=name, media_type="application/zip", background=gone)

    async def documents(self, request: Request) -> HTMLResponse:
        """List the documents that were sent, the newest first."""
        visit = await self.visits.enter(request)
        offset = read_offset(visit)
        page = await _there(self.visits.parts.documents).list_documents(visit.here, start=offset, size=_DOCUMENTS)
        return visit.page(
            "documents.html",
            visit.words.page.tabs["documents"],
            tab="documents",
            documents=page.documents,
            **visit.pages("documents", offset, _DOCUMENTS, more=offset + _DOCUMENTS < page.total),
        )

    async def document(self, request: Request) -> HTMLResponse:
        """Show a document: its sections, and its text page by page."""
        visit = await self.visits.enter(request)
        uid, offset = _read_uid(visit), read_offset(visit)
        documents = _there(self.visits.parts.documents)
        document = await documents.get(visit.here, uid)
        if document is None:
            raise MissingError
        chunks = await documents.read_chunks(visit.here, uid, start=offset, size=_CHUNKS + 1)
        return visit.page(
            "document.html",
            document.title or document.name,
            tab="documents",
            one=document,
            outline=await documents.outline(visit.here, uid),
            chunks=chunks[:_CHUNKS],
            **visit.pages(f"documents/{uid}", offset, _CHUNKS, more=len(chunks) > _CHUNKS),
        )

    async def ask_document(self, request: Request) -> HTMLResponse:
        """Ask whether a document is to be forgotten."""
        visit = await self.visits.enter(request)
        document = await _there(self.visits.parts.documents).get(visit.here, _read_uid(visit))
        if document is None:
            raise MissingError
        return visit.page(
            "forget.html",
            visit.words.page.forget_title,
            tab="documents",
            texts=(document.name,),
            more=0,
            shown=str(document.version),
            action=f"{visit.home}/documents/{document.uid}/forget",
            back=f"{visit.home}/documents/{document.uid}",
            items="",
        )

    async def forget_document(self, request: Request) -> HTMLResponse:
        """Forget a document, as it was when that was asked."""
        visit, fields = await self.visits.submit(request, "docs")
        document = await _there(self.visits.parts.documents).get(visit.here, _read_uid(visit))
        if document is None:
            raise MissingError
        visit.require("docs", visit.is_whose(document.author.id))
        if fields.get("shown") != str(document.version):
            raise ChangedError
        target = ErasureTarget(files=(document.uid,))
        done = await self.visits.parts.eraser.erase(visit.here, target, author_id=visit.visitor.author_id)
        return visit.receipt(done)

    async def costs(self, request: Request) -> HTMLResponse:
        """Show what models have cost, by month and model, and day by day in the newest month."""
        visit = await self.visits.enter(request)
        today = self.visits.parts.now().astimezone(UTC).date()
        begin = date(today.year - 1, today.month, 1)
        rows = await _there(self.visits.parts.usage).list_days(visit.here, after=begin.isoformat(), limit=400)
        prices = self.visits.parts.prices()
        month = max((row.day[:7] for row in rows), default="")
        months = _sum(rows, lambda row: (row.day[:7], row.model or visit.words.page.unnamed_model), prices)
        days = _sum((row for row in rows if row.day.startswith(month)), lambda row: (row.day,), prices)
        return visit.page(
            "costs.html",
            visit.words.page.tabs["costs"],
            tab="costs",
            months=[(key, _show(cost, prices, visit)) for key, cost in months][: _MONTHS_SHOWN * 8],
            days=[(key[0], _show(cost, prices, visit)) for key, cost in days],
            together=_show(prices.add_up(rows), prices, visit),
        )

    async def settings(self, request: Request) -> HTMLResponse:
        """Show what the chat has settled for itself, as a form."""
        visit = await self.visits.enter(request)
        return self._show_settings(visit, _require_chat(visit), "")

    async def change_settings(self, request: Request) -> Response:
        """Settle what the form says; a zone or times that are none change nothing, and the page says so."""
        visit, fields = await self.visits.submit(request, "settings", Whose.ALL)
        chat, words = _require_chat(visit), visit.words.texts.settings
        zone, wanted = "", fields.get("zone", "").strip()[:60]
        if wanted:
            found = await asyncio.to_thread(find_zones, wanted)
            if not is_zone(wanted, found):
                return self._show_settings(visit, chat, words.bad_zone.format(zone=wanted), 400)
            zone = found[0]
        begin, end = _read_time(fields.get("quiet_from", "")), _read_time(fields.get("quiet_to", ""))
        if (begin is None) != (end is None):
            return self._show_settings(visit, chat, words.bad_quiet, 400)
        language = fields.get("language", "")

        def settle(settings: ChatSettings) -> ChatSettings:
            return replace(
                settings,
                language=language if language in {each.code for each in languages()} else "",
                memory=_SWITCH.get(fields.get("memory", "")),
                streaming=_SWITCH.get(fields.get("streaming", "")),
                time_zone=zone,
                quiet_from=begin if begin != end else None,
                quiet_to=end if begin != end else None,
            )

        await self.visits.parts.settle(chat, settle)
        return visit.go("settings?told=saved")

    def _show_settings(self, visit: Visit, chat: Address, problem: str, status: int = 200) -> HTMLResponse:
        chosen = self.visits.parts.chat_settings.find(chat)
        told = visit.words.page.saved if visit.asked("told") == "saved" else ""
        return visit.page(
            "settings.html",
            visit.words.page.tabs["settings"],
            tab="settings",
            status=status,
            chosen=chosen,
            told=problem or told,
            languages=[(each.code, each.name or each.code) for each in languages()],
        )


def _require_chat(visit: Visit) -> Address:
    if visit.chat is None:
        raise MissingError
    return visit.chat


def _read_uid(visit: Visit) -> str:
    uid = str(visit.request.path_params["uid"])
    if not _UID.fullmatch(uid):
        raise MissingError
    return uid


def _read_time(given: str) -> time | None:
    try:
        return time.fromisoformat(given).replace(second=0, microsecond=0, tzinfo=None) if given else None
    except ValueError:
        return None


def _sum(
    rows: Iterable[UsageRow], by: Callable[[UsageRow], tuple[str, ...]], prices: PriceList
) -> list[tuple[tuple[str, ...], Cost]]:
    """Return the sums of rows by a key, the newest first."""
    sums: dict[tuple[str, ...], Cost] = {}
    for row in rows:
        sums[by(row)] = sums.get(by(row), Cost()) + prices.compute(row.used, row.model)
    return sorted(sums.items(), reverse=True)


def _show(cost: Cost, prices: PriceList, visit: Visit) -> dict[str, str]:
    """Return a sum as a template shows it; no money where no token has a price."""
    used, count = cost.used, visit.words.count
    unknown = cost.unpriced.calls == used.calls
    return {
        "read": count(used.prompt),
        "cached": count(used.cached),
        "written": count(used.completion),
        "calls": count(used.calls),
        "money": "" if unknown else prices.format(cost.money),
    }


def _there(part: T | None) -> T:
    """Return a part that a feature provides.  Raises :class:`MissingError` where none does."""
    if part is None:
        raise MissingError
    return part
