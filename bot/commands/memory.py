"""/memory: browse, search, open, edit, pin and forget what is remembered.

/remember: keep exactly this; /keep: the button under a text that was proposed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Final

from bot.commands import memory_views
from bot.commands.forget import erase_allowed, told
from bot.commands.formatting import escape, find_id, make_page, make_reply, quote, show_verbatim
from bot.commands.memory_views import (
    NO_VIEW,
    MemoryView,
    make_back,
    name_version,
    read_view,
    show_exchange,
    show_memory,
    show_whole,
)
from bot.core.rights import May, Whose
from bot.errors import CommandInvalid
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.learning.statements import compute_fingerprint, extract_items
from bot.memory.sanitise import clean
from bot.memory.scope import to_number
from bot.memory.secrets.redaction import redact
from bot.messages import Author, ChatKind, MessageKind
from bot.ports.eraser import Eraser, ErasureTarget, KeptTexts
from bot.ports.memory_store import MemoryBrowser, MemoryEditor, OpenedMemory, Selector
from bot.ports.system import CommandCall
from bot.ports.tickets import Asked, TicketKind, Tickets
from bot.turn import Reply
from language.command_texts import RememberTexts
from language.texts import Texts

LONGEST: Final = 4000
"""Characters of one memory; a longer text is a document."""
_TITLE: Final = 80
_MASK: Final = re.compile(r"\[[^]]*]?")
_CONFIDENCE: Final = 0.95
_SALIENCE: Final = 0.8
"""Asked for in so many words: surer and weightier than what was picked up in passing."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Stores the argument, or the message that is replied to, as one item; what is shown is what is stored."""

    editor: MemoryEditor
    remembering: Callable[[], bool]

    name: ClassVar[str] = "remember"

    async def run(self, call: CommandCall) -> Reply:
        """Store it and show it."""
        texts = call.texts.remember
        if not self.remembering():
            raise CommandInvalid(texts.off)
        told, trust = _told(call, texts)
        redacted = redact(told)
        kinds = ", ".join(texts.kinds.get(kind, kind) for kind in redacted.kinds)
        if kinds and not says_more(redacted.text):
            raise CommandInvalid(texts.nothing_left.format(kinds=kinds))
        item = item_of(redacted.text, replace(call.author, trust=trust), call.message.sent_at, call.now)
        item_id = await self.editor.add(call.scope, item, call.message.address, call.message.message_id)
        masked = texts.masked.format(kinds=kinds) if kinds else ""
        return make_reply(texts.done.format(id=to_number(item_id), text=show_verbatim(item.content)), masked)


def _told(call: CommandCall, texts: RememberTexts) -> tuple[str, Trust]:
    """Return the text to keep and how far it may be believed: a quotation is somebody else's word."""
    text, trust = clean(call.argument).strip(), call.author.trust
    quote = call.message.quote
    if not text and quote is not None:
        text, trust = clean(quote.text).strip(), min(trust, Trust.FILE)
        text = texts.quoted.format(author=quote.author, text=text) if text and quote.author else text
    if not text:
        raise CommandInvalid(texts.usage)
    if len(text) > LONGEST:
        raise CommandInvalid(texts.too_long.format(length=len(text), limit=LONGEST))
    return text, trust


def says_more(text: str) -> bool:
    """Return whether something is left beside the masks."""
    return any(map(str.isalnum, _MASK.sub("", text)))


def item_of(text: str, author: Author, said_at: datetime, now: datetime) -> MemoryItem:
    """Make one item of the whole text, with the kind and subject that the rules see in it."""
    provenance = Provenance(author.id, author.name, "remember", author.trust, said_at)
    seen = extract_items(user_text=text, provenance=provenance, skill="")
    if len(seen) == 1 and seen[0].content == text:
        item = seen[0]
    else:
        layer, kind = (seen[0].layer, seen[0].type) if len(seen) == 1 else (Layer.SEMANTIC, ItemType.FACT)
        item = MemoryItem(layer, kind, escape(text, _TITLE), text, provenance, compute_fingerprint(text))
    return replace(
        item, confidence=_CONFIDENCE, salience=_SALIENCE, ttl_s=None, created_at=now, updated_at=now, accessed_at=now
    )


@dataclass(frozen=True, slots=True)
class Keep:
    """Stores a proposed text as it was shown; in no menu, because only a button knows its argument."""

    editor: MemoryEditor
    tickets: Tickets
    remembering: Callable[[], bool]

    name: ClassVar[str] = "keep"

    async def run(self, call: CommandCall) -> Reply:
        """Store it and show it."""
        texts = call.texts.remember
        if not self.remembering():
            raise CommandInvalid(texts.off)
        asked = Asked(call.scope, call.message.address, call.author.id)
        used = await self.tickets.use(TicketKind.PROPOSAL, asked, call.message.update_id, call.now, call.argument)
        if used is None:
            raise CommandInvalid(texts.too_late)
        text, trust = used.content
        author = replace(call.author, trust=min(Trust(int(trust)), call.author.trust))
        item = item_of(text, author, call.message.sent_at, call.now)
        item_id = await self.editor.add(call.scope, item, call.message.address)
        return make_reply(texts.done.format(id=to_number(item_id), text=show_verbatim(item.content)))


_EDIT_LASTS_S: Final = 300.0
"""How long the next message becomes the new text: long enough to write one, too short to be forgotten."""
_ON_ITEM: Final = re.compile(
    r"(open|edit|forget|drop|pin|unpin)\s+#?(\d{1,18})(?:@([0-9a-f]{16}))?(?:\s+(.*))?", re.IGNORECASE | re.DOTALL
)
_SHOWN: Final = re.compile(r"show(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_SAID: Final = re.compile(r"said\s+([a-z0-9]{1,64})(?:\s+(.*))?", re.DOTALL)
_PAGED: Final = re.compile(r"page\s+(\d{1,6})(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_SELECTORS: Final = frozenset({Selector.WISHES, Selector.PINNED, Selector.HISTORY})
_WISHES_SHOWN: Final = 10
_LOST_SHOWN: Final = 5
_USAGE: Final = frozenset({"open", "edit", "forget", "drop", "pin", "unpin", "page", "show", "said", "help", "?"})


@dataclass(frozen=True, slots=True)
class Memory:
    """Shows and changes the items of the caller's scope.

    A button opens and changes a memory by its number, which is never given again: what a list has become since it was
    shown can cost a press its effect, never move it to another memory.
    """

    editor: MemoryEditor
    browser: MemoryBrowser
    kept: KeptTexts
    eraser: Eraser
    tickets: Tickets
    may: May

    name: ClassVar[str] = "memory"

    async def run(self, call: CommandCall) -> Reply:
        """Do what the argument says: nothing, words to search, or one of the verbs of ``/memory help``."""
        texts = call.texts
        argument = " ".join(call.argument.split())
        if argument.lower() in _USAGE:
            return make_reply(texts.memory.usage)
        if match := _ON_ITEM.fullmatch(call.argument):
            verb, number, version, rest = match.groups(default="")
            return await self._on_item(call, texts, verb.lower(), int(number), version, rest)
        if match := _SAID.fullmatch(argument):
            return await self._show_said(call, texts, match[1], read_view(match[2] or "") or NO_VIEW)
        return await self._show(call, texts, _read_listing(argument))

    async def _show(self, call: CommandCall, texts: Texts, view: MemoryView, note: str = "") -> Reply:
        """Return a view; ``note`` says first why it is shown."""
        if view.name in (memory_views.KINDS, memory_views.PEOPLE, memory_views.TIMES):
            return await self._show_ways(call, texts, view.name, note)
        offset = (view.page - 1) * memory_views.PAGE
        page = await self.browser.browse(call.scope, view.build_filter(call.now), offset=offset, size=memory_views.PAGE)
        pages = -(-page.total // memory_views.PAGE)
        if not page.items and page.total and view.page > pages:
            return await self._show(call, texts, replace(view, page=pages), note)
        home = view.name == memory_views.HOME
        if not page.items:
            nothing = memory_views.write_nothing(view, texts)
            more = () if home or view.name == memory_views.ALL else (_to_home(texts),)
            return make_page(note, nothing, buttons=more if note else ())
        counts = await self.browser.count(call.scope) if home and view.page == 1 else None
        wishes, wished = await self._list_wishes(call, texts) if counts is not None else ((), "")
        listed = tuple(item for item in page.items if item not in wishes)
        where = texts.memory.page.format(page=view.page, pages=pages) if pages > 1 else ""
        return make_page(
            note,
            wished,
            memory_views.write_head(view, page, call, texts),
            memory_views.write_kinds(counts, texts) if counts is not None else "",
            memory_views.write_items(listed, call, texts),
            where,
            texts.memory.hint if home else "",
            buttons=(
                *memory_views.list_numbers((*wishes, *listed), view),
                *memory_views.list_pages(view, pages),
                *(memory_views.list_ways(view, counts, texts) if counts is not None else (_to_home(texts),)),
            ),
        )

    async def _show_ways(self, call: CommandCall, texts: Texts, name: str, note: str) -> Reply:
        """Return the kinds, people or times there are, each with how much there is of it."""
        counts = await self.browser.count(call.scope, memory_views.list_borders(call.now))
        if not counts.total:
            return make_page(note, texts.memory.empty)
        if name == memory_views.KINDS:
            text, buttons = memory_views.list_kinds(counts, texts)
        elif name == memory_views.PEOPLE:
            text, buttons = memory_views.list_people(counts, call, texts)
        else:
            text, buttons = memory_views.list_periods(counts, texts)
        return make_page(note, text, buttons=(*buttons, _to_home(texts)))

    async def _list_wishes(self, call: CommandCall, texts: Texts) -> tuple[tuple[MemoryItem, ...], str]:
        """Return the newest standing wishes of the scope and their section, "" without any."""
        page = await self.editor.page(call.scope, Selector.WISHES, size=_WISHES_SHOWN)
        if not page.items:
            return (), ""
        more = page.total - len(page.items)
        lines = [texts.memory.wishes, memory_views.write_items(page.items, call, texts)]
        lines += [texts.memory.more_wishes.format(count=more)] if more else []
        return page.items, "\n".join(lines)

    async def _show_said(self, call: CommandCall, texts: Texts, uid: str, view: MemoryView) -> Reply:
        said = await self.browser.find_said(call.scope, uid)
        if said is None:
            return await self._show(call, texts, NO_VIEW, texts.memory_views.none_here)
        return show_exchange(said, view, call, texts)

    async def _on_item(self, call: CommandCall, texts: Texts, verb: str, number: int, version: str, rest: str) -> Reply:
        """Open or change the memory of a number; one that is gone is said to be, and what is there now is shown."""
        if verb == "edit" and rest.strip():
            return await self._edit(call, texts, number, version, clean(rest).strip())
        pressed = call.message.kind is MessageKind.BUTTON
        view = (read_view(rest) or NO_VIEW) if verb != "edit" else NO_VIEW
        opened = await self.browser.open(call.scope, number)
        if opened is None and (pressed or verb in ("open", "drop")):
            where = NO_VIEW if view.name == memory_views.WHY else view
            return await self._show(call, texts, where, texts.memory_views.gone.format(id=to_number(number)))
        back = view if pressed else None
        if verb != "open" and opened is not None and not await self._is_theirs(call, opened):
            return make_reply(texts.memory.not_yours)
        if verb == "forget":
            return await self._forget(call, texts, number, back)
        if opened is None:
            return make_reply(texts.memory.missing.format(id=to_number(number)))
        match verb:
            case "drop":
                reply = await self._ask_to_forget(call, texts, opened, view)
            case "edit":
                reply = await self._ask_to_edit(call, texts, opened)
            case "pin" | "unpin":
                reply = await self._pin(call, texts, opened, back, pinned=verb == "pin")
            case _:
                reply = show_memory(opened, view, call, texts)
        return reply

    async def _forget(self, call: CommandCall, texts: Texts, number: int, view: MemoryView | None) -> Reply:
        """Forget a memory; ``view`` is where it was opened from by a press, ``None`` when the command was typed."""
        item_id = await find_id(self.editor, call.scope, number)
        erased = await erase_allowed(self.eraser, self.may, self.name, call, ErasureTarget(items=(item_id,)))
        reply = told(erased, str(number), texts.forget, named=1)
        if view is None:
            return reply
        # The words must not stay behind in the message whose button was pressed.
        return replace(reply, buttons=(*reply.buttons, make_back(view, texts)), in_place=True)

    async def _ask_to_forget(self, call: CommandCall, texts: Texts, opened: OpenedMemory, view: MemoryView) -> Reply:
        """Show all that would go with a memory, and ask."""
        number = to_number(opened.item.id)
        lost = await self.kept.list_texts(call.scope, ErasureTarget(items=(opened.item.id,)))
        lines = [f"- {quote(text)}" for text in lost[:_LOST_SHOWN]]
        lines += [texts.forget.more] if len(lost) > _LOST_SHOWN else []
        return make_reply(
            texts.memory_views.confirm_forget.format(id=number),
            "\n".join(lines),
            buttons=(
                (texts.memory_views.forget, f"/memory forget {number} {view.spelled}"),
                (texts.memory_views.cancel, f"/memory open {number} {view.spelled}"),
            ),
            about=(f"item:{number}",),
            in_place=True,
        )

    async def _pin(
        self, call: CommandCall, texts: Texts, opened: OpenedMemory, view: MemoryView | None, *, pinned: bool
    ) -> Reply:
        done = await self.editor.pin(call.scope, opened.item.id, pinned=pinned)
        words = texts.memory
        sentence = words.missing if not done else words.pinned if pinned else words.unpinned
        note = sentence.format(id=to_number(opened.item.id))
        if view is None or not done:
            return make_reply(note)
        changed = replace(opened, item=replace(opened.item, pinned=pinned))
        return show_memory(changed, view, call, texts, note)

    async def _ask_to_edit(self, call: CommandCall, texts: Texts, opened: OpenedMemory) -> Reply:
        """Ask for the new text: the next message of whoever asked, for as long as the words stay what they are."""
        number, words = to_number(opened.item.id), texts.memory_views
        command = f"/{self.name} edit {number}@{name_version(opened.item.content)}"
        asked_here = Asked(call.scope, call.message.address, call.author.id)
        await self.tickets.issue(TicketKind.TEXT, asked_here, (command,), call.now, _EDIT_LASTS_S)
        alone = call.message.chat_kind is ChatKind.DIRECT
        asked = words.ask_edit if alone else words.ask_edit_group
        return make_reply(
            asked.format(id=number, minutes=f"{_EDIT_LASTS_S / 60:g}"),
            show_whole(opened.item.content, texts),
            buttons=((words.cancel, f"/memory open {number}"),),
            about=(f"item:{number}",),
            in_place=True,
        )

    async def _is_theirs(self, call: CommandCall, opened: OpenedMemory) -> bool:
        """Whether the caller said it, or may change what others said."""
        own = opened.item.provenance.author_id == call.author.id
        return await self.may(self.name, call.message, call.scope, Whose.OWN if own else Whose.OTHERS)

    async def _edit(self, call: CommandCall, texts: Texts, number: int, version: str, text: str) -> Reply:
        if len(text) > LONGEST:
            raise CommandInvalid(texts.remember.too_long.format(length=len(text), limit=LONGEST))
        opened = await self.browser.open(call.scope, number)
        if opened is None:
            return make_reply(texts.memory.missing.format(id=to_number(number)))
        if not await self._is_theirs(call, opened):
            return make_reply(texts.memory.not_yours)
        if opened.item.superseded_by is not None or (version and version != name_version(opened.item.content)):
            note = texts.memory_views.changed.format(id=to_number(number))
            return show_memory(opened, NO_VIEW, call, texts, note)
        redacted = redact(text)
        kinds = ", ".join(texts.remember.kinds.get(kind, kind) for kind in redacted.kinds)
        message = call.message
        said_in = message.message_id if message.kind is MessageKind.TEXT else 0  # below a button it is ours
        said_at = message.sent_at  # by the clock that times what is said before and behind it
        if not await self.editor.edit(
            call.scope, opened.item.id, redacted.text, said_at, call.author, message.address, said_in
        ):
            return make_reply(texts.memory.missing.format(id=to_number(number)))
        masked = texts.remember.masked.format(kinds=kinds) if kinds else ""
        return make_reply(
            texts.memory.edited.format(id=to_number(number), text=show_verbatim(redacted.text)),
            masked,
            buttons=_after_edit(opened.item, redacted.text, texts),
            about=(f"item:{to_number(number)}",),
        )


def _after_edit(before: MemoryItem, text: str, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return the buttons that put the old words back, as long as the new ones stand, and that open the memory."""
    number = to_number(before.id)
    opening = (texts.memory_views.open_number.format(number=number), f"/memory open {number}")
    if before.content == text:
        return (opening,)
    version = name_version(text)
    return (texts.memory_views.put_back, f"/memory edit {number}@{version} {before.content}"), opening


def _to_home(texts: Texts) -> tuple[str, str]:
    return texts.memory_views.home, f"/memory show {memory_views.HOME} 1"


def _read_listing(argument: str) -> MemoryView:
    """Return the view that is asked for: by its spelling, as ``wishes`` or ``page 2 WORDS``, else a search."""
    if (match := _SHOWN.fullmatch(argument)) and (view := read_view(match[1] or "")) is not None:
        return view
    match = _PAGED.fullmatch(argument)
    number, rest = (max(int(match[1]), 1), match[2] or "") if match else (1, argument)
    if rest.lower() in _SELECTORS:
        return MemoryView(rest.lower(), number)
    if rest:
        return MemoryView(memory_views.SEARCH, number, rest)
    return MemoryView(memory_views.ALL, number) if match else MemoryView()
