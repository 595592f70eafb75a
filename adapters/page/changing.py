"""Pages that change memory: what is edited, pinned and forgotten there is what the commands change, by the same ports.

A change comes by a form of this very session.  What is forgotten is shown first, word for word; if that has changed
until the button is pressed, nothing happens.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from adapters.page.visits import ChangedError, MissingError, NotYoursError, Visit, Visits, number_of, read_offset
from bot.core.rights import Whose
from bot.memory.items import ItemType
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import Redacted, redact
from bot.messages import Author
from bot.ports.eraser import ErasureTarget
from bot.ports.memory_browser import ItemFilter, OpenedMemory
from bot.ports.memory_store import Selector

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
        return visit.page(
            "memories.html",
            page.tabs["memories"],
            tab="memories",
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
        number = number_of(await self.visits.parts.remember(visit.here, redacted.text, visit.visitor.author))
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
        number = number_of(opened.item.id)
        if redacted.kinds:
            return await self._show(visit, "", _tell_masked(visit, redacted.kinds))
        return visit.go(f"memories/{number}?told=saved")

    async def pin(self, request: Request) -> Response:
        visit, fields = await self.visits.submit(request, "memory")
        opened, pinned = await self._open(visit), fields.get("pinned") == "1"
        visit.require("memory", visit.is_whose(opened.item.provenance.author_id))
        if not await self.visits.parts.editor.pin(visit.here, opened.item.id, pinned=pinned):
            raise MissingError
        return visit.go(f"memories/{number_of(opened.item.id)}?told={'was_pinned' if pinned else 'was_unpinned'}")

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
            visit.words.page.memory_title.format(id=number_of(opened.item.id)),
            tab="memories",
            one=opened,
            told=sentence or (getattr(visit.words.page, told) if told in _TOLD else ""),
            changeable=opened.item.superseded_by is None,
        )

    async def _open(self, visit: Visit, number: int = 0) -> OpenedMemory:
        opened = await self.visits.parts.browser.open(visit.here, number or visit.number())
        if opened is None:
            raise MissingError
        return opened

    async def _find_target(self, visit: Visit, chosen: Sequence[str]) -> tuple[ErasureTarget, str]:
        """Return what an address names, else the memories of these numbers, and the page that it is on.

        More memories than a page of them holds are none of ours.
        """
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
