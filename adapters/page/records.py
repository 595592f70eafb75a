"""What is neither said nor remembered: reminders, lists, documents, costs, settings; and all of it as a file.

Pages that change memory: what is edited, pinned and forgotten there is what the commands change, by the same ports.

A change comes by a form of this very session.  What is forgotten is shown first, word for word; if that has changed
until the button is pressed, nothing happens.
"""

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, time
from typing import Final

from fastapi import Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.background import BackgroundTask

from adapters.page.visits import ChangedError, MissingError, NotYoursError, Visit, Visits, read_offset, require
from bot.core.rights import Whose
from bot.core.time_zones import find_zones, is_zone
from bot.memory.items import ItemType
from bot.memory.sanitise import clean
from bot.memory.scope import to_number
from bot.memory.secrets.redaction import Redacted, redact
from bot.messages import Address, Author
from bot.ports.chats import ChatSettings
from bot.ports.eraser import ErasureTarget
from bot.ports.lists import Deed, ItemState, ListItem
from bot.ports.memory_store import ItemFilter, OpenedMemory, Selector
from bot.ports.usage import Cost, PriceList
from language import languages

_REMINDERS: Final = 1000
"""As many as a chat may have."""
_DOCUMENTS: Final = 30
_CHUNKS: Final = 20
_UID: Final = re.compile(r"[a-z0-9]{1,40}")
_MONTHS_SHOWN: Final = 12
_SWITCH: Final = {"": None, "on": True, "off": False}


@dataclass(frozen=True, slots=True)
class RecordPages:
    """The pages and forms, each a method that answers a request."""

    visits: Visits

    async def reminders(self, request: Request) -> HTMLResponse:
        """List the reminders that will come, the next one first."""
        visit = await self.visits.enter(request)
        listed = await require(self.visits.parts.coming).list_coming(visit.here, visit.words.texts)
        shown = [(each, visit.may("reminders", visit.is_whose(each.reminder.asker_id))) for each in listed]
        return visit.show_tab("reminders", reminders=shown)

    async def cancel_reminder(self, request: Request) -> Response:
        visit, fields = await self.visits.submit(request, "reminders")
        number, store = visit.number(), require(self.visits.parts.reminders)
        known = await store.list_scope(visit.here, limit=_REMINDERS)
        found = require(next((each for each in known if each.number == number), None))
        visit.require("reminders", visit.is_whose(found.asker_id))
        if fields.get("shown") != str(found.version) or not await store.remove(found):
            raise ChangedError
        return visit.go("reminders")

    async def lists(self, request: Request) -> HTMLResponse:
        """Show each list, the one used first at the top: what is open, and what was closed of late."""
        visit = await self.visits.enter(request)
        lists: dict[str, list[ListItem]] = {}
        for item in await require(self.visits.parts.lists).read(visit.here):
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
        return visit.show_tab("lists", lists=shown)

    async def mark_listed(self, request: Request) -> Response:
        """Tick something off a list, or open it again, as it was shown."""
        visit, fields = await self.visits.submit(request, "list", Whose.OTHERS)
        number, store = visit.number(), require(self.visits.parts.lists)
        found = require(next((item for item in await store.read(visit.here) if item.number == number), None))
        if fields.get("shown") != found.state.name:
            raise ChangedError
        state = ItemState.DONE if found.state is ItemState.OPEN else ItemState.OPEN
        deed = Deed(visit.visitor.author_id, visit.visitor.reader.name, self.visits.parts.now())
        await store.mark(visit.here, [found.id], state, deed)
        return visit.go("lists")

    async def export(self, request: Request) -> Response:
        """Hand over all that is kept, as ``/export`` does; the file goes once it is sent."""
        visit, _ = await self.visits.submit(request, "export", Whose.ALL)
        done = require(await require(self.visits.parts.exporter).export(visit.here))
        name = f"mneme-{visit.here}-{self.visits.parts.now():%Y-%m-%d}.zip"
        gone = BackgroundTask(done.path.unlink, missing_ok=True)
        return FileResponse(done.path, filename=name, media_type="application/zip", background=gone)

    async def documents(self, request: Request) -> HTMLResponse:
        visit = await self.visits.enter(request)
        offset = read_offset(visit)
        page = await require(self.visits.parts.documents).list_documents(visit.here, start=offset, size=_DOCUMENTS)
        pages = visit.pages("documents", offset, _DOCUMENTS, more=offset + _DOCUMENTS < page.total)
        return visit.show_tab("documents", documents=page.documents, **pages)

    async def document(self, request: Request) -> HTMLResponse:
        """Show a document: its sections, and its text page by page."""
        visit = await self.visits.enter(request)
        uid, offset = _read_uid(visit), read_offset(visit)
        documents = require(self.visits.parts.documents)
        document = require(await documents.get(visit.here, uid))
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
        visit = await self.visits.enter(request)
        document = require(await require(self.visits.parts.documents).get(visit.here, _read_uid(visit)))
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
        visit, fields = await self.visits.submit(request, "docs")
        document = require(await require(self.visits.parts.documents).get(visit.here, _read_uid(visit)))
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
        rows = await require(self.visits.parts.usage).list_days(visit.here, after=begin.isoformat(), limit=400)
        prices = self.visits.parts.prices()
        month = max((row.day[:7] for row in rows), default="")
        months = prices.add_up_by(rows, lambda row: (row.day[:7], row.model or visit.words.page.unnamed_model))
        days = prices.add_up_by((row for row in rows if row.day.startswith(month)), lambda row: row.day)
        newest_months = sorted(months.items(), reverse=True)[: _MONTHS_SHOWN * 8]
        return visit.show_tab(
            "costs",
            months=[(key, _show(cost, prices, visit)) for key, cost in newest_months],
            days=[(key, _show(cost, prices, visit)) for key, cost in sorted(days.items(), reverse=True)],
            together=_show(prices.add_up(rows), prices, visit),
        )

    async def settings(self, request: Request) -> HTMLResponse:
        """Show what the chat has settled for itself, as a form."""
        visit = await self.visits.enter(request)
        return self._show_settings(visit, require(visit.chat), "")

    async def change_settings(self, request: Request) -> Response:
        """Settle what the form says; a zone or times that are none change nothing, and the page says so."""
        visit, fields = await self.visits.submit(request, "settings", Whose.ALL)
        chat, words = require(visit.chat), visit.words.texts.settings
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
        return visit.show_tab(
            "settings",
            status=status,
            chosen=chosen,
            told=problem or told,
            languages=[(each.code, each.name or each.code) for each in languages()],
        )


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


_ON_PAGE: Final = 30
_LONGEST: Final = 4000
_TEXTS_SHOWN: Final = 12
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,9}", re.ASCII)
_TOLD: Final = ("saved", "was_pinned", "was_unpinned")
_SELECTORS: Final = {"wishes": Selector.WISHES, "pinned": Selector.PINNED, "history": Selector.HISTORY}


@dataclass(frozen=True, slots=True)
class ChangingPages:
    """The pages and forms, each a method that answers a request."""

    visits: Visits

    async def memories(self, request: Request) -> HTMLResponse:
        """Show the memories of a kind, newest first, with the words that were asked for."""
        visit = await self.visits.enter(request)
        chosen, search, offset = visit.asked("kind"), visit.asked("q").strip(), read_offset(visit)
        selector, kind = _SELECTORS.get(chosen, Selector.ALL), chosen if chosen in set(ItemType) else ""
        browser, page = self.visits.parts.browser, visit.words.page
        wanted = ItemFilter(selector=selector, kind=ItemType(kind) if kind else None, search=search)
        shown = await browser.browse(visit.here, wanted, offset=offset, size=_ON_PAGE)
        counts = await browser.count(visit.here)
        filters = [("", page.all_kinds, counts.total)]
        kinds = visit.words.texts.memory_views.kinds
        filters += [(each.value, kinds[each], count) for each, count in counts.kinds.items()]
        others = (("wishes", page.wishes), ("pinned", page.pinned_ones), ("history", page.history))
        numbers = {"wishes": counts.wishes, "pinned": counts.pinned, "history": counts.history}
        filters += [(name, label, numbers[name]) for name, label in others if numbers[name] or name == chosen]
        return visit.show_tab(
            "memories",
            chosen=chosen if kind or chosen in _SELECTORS else "",
            search=search,
            filters=filters,
            items=shown.items,
            total=shown.total,
            **visit.pages("memories", offset, _ON_PAGE, more=offset + _ON_PAGE < shown.total, kind=chosen, q=search),
        )

    async def memory(self, request: Request) -> HTMLResponse:
        visit = await self.visits.enter(request)
        return await self._show(visit, visit.asked("told"))

    async def add(self, request: Request) -> Response:
        """Keep what was typed as a memory of its own, without secrets."""
        visit, fields = await self.visits.submit(request, "remember")
        redacted = _read_text(fields)
        number = to_number(await self.visits.parts.remember(visit.here, redacted.text, visit.visitor.author))
        if not number:
            raise ChangedError
        if redacted.kinds:
            return await self._show(visit, "", _tell_masked(visit, redacted.kinds), number)
        return visit.go(f"memories/{number}?told=saved")

    async def edit(self, request: Request) -> Response:
        """Put other words in a memory's place, without secrets."""
        visit, fields = await self.visits.submit(request, "memory")
        opened, redacted = await self._open(visit), _read_text(fields)
        if opened.item.superseded_by is not None:
            raise ChangedError
        said = opened.item.provenance
        visit.require("memory", visit.is_whose(said.author_id))
        editor = visit.visitor.author
        if not editor.id:  # who opened the page at the machine is nobody in particular: the words stay who said them
            editor = Author(said.author_id, said.author_name, said.trust)
        now = self.visits.parts.now()
        if not await self.visits.parts.editor.edit(visit.here, opened.item.id, redacted.text, now, editor):
            raise MissingError
        number = to_number(opened.item.id)
        if redacted.kinds:
            return await self._show(visit, "", _tell_masked(visit, redacted.kinds))
        return visit.go(f"memories/{number}?told=saved")

    async def pin(self, request: Request) -> Response:
        visit, fields = await self.visits.submit(request, "memory")
        opened, pinned = await self._open(visit), fields.get("pinned") == "1"
        visit.require("memory", visit.is_whose(opened.item.provenance.author_id))
        if not await self.visits.parts.editor.pin(visit.here, opened.item.id, pinned=pinned):
            raise MissingError
        return visit.go(f"memories/{to_number(opened.item.id)}?told={'was_pinned' if pinned else 'was_unpinned'}")

    async def ask(self, request: Request) -> Response:
        """Show what would go with an exchange, a memory or those that were chosen in the list, and ask."""
        visit = await self.visits.enter(request)
        chosen = request.query_params.getlist("item")
        if not chosen and not request.path_params.keys() & {"uid", "number"}:
            return visit.go("memories")
        target, path = await self._find_target(visit, chosen)
        texts = await self.visits.parts.kept.list_texts(visit.here, target)
        if not texts:
            raise MissingError
        return visit.page(
            "forget.html",
            visit.words.page.forget_title,
            tab="memories",
            texts=texts[:_TEXTS_SHOWN],
            more=max(0, len(texts) - _TEXTS_SHOWN),
            shown=_sign(texts),
            action=f"{visit.home}/{path}/forget",
            back=f"{visit.home}/{path}",
            items=",".join(chosen),
        )

    async def forget(self, request: Request) -> HTMLResponse:
        """Forget what was asked about, memories with where they were said."""
        visit, fields = await self.visits.submit(request, "forget")
        target, _ = await self._find_target(visit, fields.get("items", "").split(","))
        texts = await self.visits.parts.kept.list_texts(visit.here, target)
        if not texts:
            raise MissingError
        if _sign(texts) != fields.get("shown", ""):
            raise ChangedError
        others = visit.may("forget", Whose.OTHERS)
        if not others and visit.visitor.author_id == 0:
            raise NotYoursError
        done = await self.visits.parts.eraser.erase(
            visit.here, target, author_id=visit.visitor.author_id, only_own=not others
        )
        return visit.receipt(done)

    async def undo(self, request: Request) -> HTMLResponse:
        """Bring back what was forgotten, while that is possible."""
        visit, fields = await self.visits.submit(request, "undo")
        words = visit.words.texts.forget
        anyones, erase = visit.may("undo", Whose.OTHERS), fields.get("erase", "")[:64]
        back = await self.visits.parts.undo.undo(visit.here, visit.visitor.author_id, erase, anyones=anyones)
        lines = (words.nothing_to_undo,) if back is None else (words.undone, *words.list_back(asdict(back)))
        return visit.page("receipt.html", visit.words.page.undone_title, tab="memories", lines=lines, undo="", undo_s=0)

    async def _show(self, visit: Visit, told: str, sentence: str = "", number: int = 0) -> HTMLResponse:
        opened = await self._open(visit, number)
        return visit.page(
            "memory.html",
            visit.words.page.memory_title.format(id=to_number(opened.item.id)),
            tab="memories",
            one=opened,
            told=sentence or (getattr(visit.words.page, told) if told in _TOLD else ""),
            changeable=opened.item.superseded_by is None,
        )

    async def _open(self, visit: Visit, number: int = 0) -> OpenedMemory:
        return require(await self.visits.parts.browser.open(visit.here, number or visit.number()))

    async def _find_target(self, visit: Visit, chosen: Sequence[str]) -> tuple[ErasureTarget, str]:
        """Return what an address names, else the memories of these numbers, and the page that it is on."""
        named = visit.request.path_params
        if "uid" in named:
            return ErasureTarget(exchanges=(named["uid"],)), f"turn/{named['uid']}"
        if "number" in named:
            return ErasureTarget(items=((await self._open(visit)).item.id,)), f"memories/{visit.number()}"
        if not all(_NUMBER.fullmatch(number) for number in chosen) or len(chosen) > _ON_PAGE:
            raise MissingError
        found = tuple([(await self._open(visit, int(number))).item.id for number in chosen])
        return ErasureTarget(items=found), "memories"


def _read_text(fields: Mapping[str, str]) -> Redacted:
    """Return what was typed into a memory, masked.  Raises :class:`ChangedError` for nothing."""
    text = clean(fields.get("text", "")).replace("\r\n", "\n").strip()[:_LONGEST]
    if not text:
        raise ChangedError
    return redact(text)


def _tell_masked(visit: Visit, masked: Sequence[str]) -> str:
    words = visit.words.texts.remember.kinds
    return visit.words.page.saved_masked.format(kinds=", ".join(words.get(kind, kind) for kind in masked))


def _sign(texts: Sequence[str]) -> str:
    """Return a mark of what was shown: other texts have another."""
    return hashlib.sha256("\0".join(texts).encode(errors="replace")).hexdigest()
