"""/memory: browse, search, edit, pin and forget what is remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.commands.forget import told
from bot.commands.formatting import escape, find_id, format_item, show_verbatim, to_number
from bot.commands.language import Voice, make_reply
from bot.errors import CommandInvalid
from bot.memory.items import MemoryItem
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import redact
from bot.ports.command import CommandCall
from bot.ports.eraser import Eraser, ErasureTarget
from bot.ports.memory_store import MemoryEditor, Selector
from bot.turn import PAGING_LASTS_S, MessageKind, Reply
from language.texts import Texts

_PAGE: Final = 8
_LONGEST: Final = 4000
_ON_ITEM: Final = re.compile(r"(edit|forget|pin|unpin)\s+#?(\d{1,18})(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_PAGED: Final = re.compile(r"page\s+(\d{1,6})(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_SELECTORS: Final = (Selector.WISHES, Selector.PINNED, Selector.HISTORY)
_WISHES_SHOWN: Final = 10
_USAGE: Final = frozenset({"edit", "forget", "pin", "unpin", "page", "help", "?"})


@dataclass(frozen=True, slots=True)
class _View:
    """What a listing shows: page ``number`` (from 1) of what ``selector`` and ``search`` leave."""

    number: int = 1
    search: str = ""
    selector: Selector = Selector.ALL


@dataclass(frozen=True, slots=True)
class Memory:
    """Shows and changes the items of the caller's scope."""

    texts: Voice
    editor: MemoryEditor
    eraser: Eraser

    name: ClassVar[str] = "memory"

    async def run(self, call: CommandCall) -> Reply:
        """Do what the argument says: nothing, words, or ``page|edit|pin|unpin|forget|wishes|pinned|history``."""
        texts = self.texts(call.message)
        argument = " ".join(call.argument.split())
        if argument.lower() in _USAGE:
            return make_reply(texts.memory.usage)
        if match := _ON_ITEM.fullmatch(call.argument):
            return await self._change(call, texts, match.group(1).lower(), int(match.group(2)), match.group(3) or "")
        if argument.lower() in _SELECTORS:
            return await self._list(call, texts, _View(selector=Selector(argument.lower())))
        if match := _PAGED.fullmatch(argument):
            return await self._list(call, texts, _paged(int(match.group(1)), match.group(2) or ""))
        return await self._list(call, texts, _View(search=argument))

    async def _list(self, call: CommandCall, texts: Texts, view: _View) -> Reply:
        offset = (max(view.number, 1) - 1) * _PAGE
        page = await self.editor.page(call.scope, view.selector, search=view.search, offset=offset, size=_PAGE)
        pages = (page.total + _PAGE - 1) // _PAGE
        if page.total == 0 or (not page.items and view.number <= pages):
            return make_reply(_nothing(view, texts))
        if not page.items:
            return await self._list(call, texts, replace(view, number=pages))
        head = texts.memory.found if view.search else texts.memory.head
        wishes, wished = await self._list_wishes(call, texts) if view == _View() else ((), "")
        lines = "\n".join(format_item(item, call, texts) for item in page.items if item not in wishes)
        where = texts.memory.page.format(page=view.number, pages=pages) if pages > 1 else ""
        hint = texts.memory.hint if view == _View() else ""
        head = head.format(total=page.total, search=escape(view.search, 60))
        reply = make_reply(wished, head, lines, where, hint, buttons=_pages(view, pages, texts))
        return replace(reply, buttons_last_s=PAGING_LASTS_S, in_place=call.message.kind is MessageKind.BUTTON)

    async def _list_wishes(self, call: CommandCall, texts: Texts) -> tuple[tuple[MemoryItem, ...], str]:
        """Return the newest standing wishes of the scope and their section, "" without any."""
        page = await self.editor.page(call.scope, Selector.WISHES, size=_WISHES_SHOWN)
        if not page.items:
            return (), ""
        more = page.total - len(page.items)
        lines = [texts.memory.wishes, *(format_item(item, call, texts) for item in page.items)]
        lines += [texts.memory.more_wishes.format(count=more)] if more else []
        return page.items, "\n".join(lines)

    async def _change(self, call: CommandCall, texts: Texts, verb: str, number: int, rest: str) -> Reply:
        words = texts.memory
        item_id = await find_id(self.editor, call.scope, number)
        if verb == "forget":
            erased = await self.eraser.erase(call.scope, ErasureTarget(items=(item_id,)), author_id=call.author.id)
            return told(erased, str(number), texts.forget)
        if verb in ("pin", "unpin"):
            done = await self.editor.pin(call.scope, item_id, pinned=verb == "pin")
            sentence = words.missing if not done else words.pinned if verb == "pin" else words.unpinned
            return make_reply(sentence.format(id=to_number(item_id)))
        return await self._edit(call, texts, item_id, clean(rest).strip())

    async def _edit(self, call: CommandCall, texts: Texts, item_id: int, text: str) -> Reply:
        if not text:
            return make_reply(texts.memory.usage)
        if len(text) > _LONGEST:
            raise CommandInvalid(texts.remember.too_long.format(length=len(text), limit=_LONGEST))
        redacted = redact(text)
        kinds = ", ".join(texts.remember.kinds.get(kind, kind) for kind in redacted.kinds)
        if not await self.editor.edit(call.scope, item_id, redacted.text, call.now):
            return make_reply(texts.memory.missing.format(id=to_number(item_id)))
        masked = texts.remember.masked.format(kinds=kinds) if kinds else ""
        return make_reply(texts.memory.edited.format(id=to_number(item_id), text=show_verbatim(redacted.text)), masked)


def _paged(number: int, rest: str) -> _View:
    if rest.lower() in _SELECTORS:
        return _View(max(number, 1), selector=Selector(rest.lower()))
    return _View(max(number, 1), search=rest)


def _nothing(view: _View, texts: Texts) -> str:
    if view.search:
        return texts.memory.none_found.format(search=escape(view.search, 60))
    by_selector = {
        Selector.WISHES: texts.memory.no_wishes,
        Selector.PINNED: texts.memory.none_pinned,
        Selector.HISTORY: texts.memory.none_in_history,
    }
    return by_selector.get(view.selector, texts.memory.empty)


def _pages(view: _View, pages: int, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return the buttons to the pages beside this one."""
    rest = view.search or ("" if view.selector is Selector.ALL else view.selector.value)
    beside = ((texts.memory.previous_page, view.number - 1), (texts.memory.next_page, view.number + 1))
    return tuple((label, f"/memory page {number} {rest}".strip()) for label, number in beside if 0 < number <= pages)
