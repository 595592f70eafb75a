"""/forget: one memory, what a search finds, or everything; with a receipt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.commands.attribution import author_of
from bot.commands.forget_candidates import SHOWN, akin, named, receipt, reference, topic, worth_showing
from bot.commands.item_numbers import id_of
from bot.commands.language import Voice, said
from bot.commands.quoting import escaped, quoted
from bot.memory.ranking.answerability import FLOOR, KNOWN
from bot.ports.commands import CommandCall
from bot.ports.memory import Eraser, Found, Kept, MemoryEditor, MemoryQuery, Named, Recall, Receipt
from bot.texts.texts import ForgetTexts, Texts
from bot.turn import EVERYTHING, Reply

_AKIN: Final = 3
"""Memories that are offered because they mean something similar."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Erases from the caller's scope and nowhere else.

    Words erase at once only if all of them stand, whole and beyond doubt, in exactly one thing that is kept; else what
    can be meant is listed, each with a button that forgets it.  ``everything`` asks first.
    """

    texts: Voice
    editor: MemoryEditor
    recall: Recall
    kept: Kept
    eraser: Eraser

    name: ClassVar[str] = "forget"

    async def run(self, call: CommandCall) -> Reply:
        """Erase, list or ask, and say what was removed."""
        texts = self.texts(call.message)
        words = call.argument.lower().split()
        if not words:
            return said(texts.forget.usage)
        if words[0] in texts.forget.everything_words or words[0] == "everything":
            return await self._everything(call, texts, words[1:])
        wanted = named(call.argument.split())
        if wanted is not None:
            done = await self._erase(call, wanted)
            if _removed(done) or wanted.exchanges or wanted.copies:
                return told(done, escaped(call.argument, 60), texts.forget)
        return await self._search(call, texts)

    async def _everything(self, call: CommandCall, texts: Texts, rest: list[str]) -> Reply:
        if len(rest) == 1 and (rest[0] in texts.forget.yes_words or rest[0] == "yes"):
            done = await self.eraser.erase_scope(call.scope)
            return said(receipt(done, "", texts.forget, everything=True))
        if rest:
            return await self._search(call, texts)
        button = (texts.forget.confirm_button, "/forget everything yes")
        return said(texts.forget.confirm_everything, buttons=(button,), about=(EVERYTHING,))

    async def _erase(self, call: CommandCall, wanted: Named) -> Receipt:
        items = tuple([await id_of(self.editor, call.scope, number) for number in wanted.items])
        return await self.eraser.erase(call.scope, replace(wanted, items=items), author_id=call.author.id)

    async def _search(self, call: CommandCall, texts: Texts) -> Reply:
        found = worth_showing(await self.kept.holding(call.scope, topic(call.argument)))
        search = escaped(call.argument, 60)
        if len(found) == 1 and found[0].certain and (wanted := named([reference(found[0])])):
            return told(await self._erase(call, wanted), search, texts.forget)
        found = found or await self._akin(call)
        if not found:
            return said(texts.forget.none_found.format(search=search))
        shown = found[:SHOWN]
        lines = "\n".join(_line(number, one, call, texts) for number, one in enumerate(shown, start=1))
        more = texts.forget.more if len(found) > SHOWN else ""
        about = tuple(name for name in (_about(one) for one in shown) if name)
        return said(
            texts.forget.candidates.format(search=search), lines, more, buttons=_buttons(found, texts), about=about
        )

    async def _akin(self, call: CommandCall) -> tuple[Found, ...]:
        query = MemoryQuery(
            text=call.argument,
            author_id=call.author.id,
            author_name=call.author.name,
            now=call.now,
            limit=_AKIN,
        )
        recalled = await self.recall.recall(call.scope, query)
        return akin(turn for turn in recalled if turn.signals.get(KNOWN, 0.0) >= FLOOR)[:_AKIN]


def told(done: Receipt, search: str, texts: ForgetTexts) -> Reply:
    """Return a receipt as a reply, with the button that takes the erase back while that is possible."""
    reply = said(receipt(done, search, texts))
    if not done.undo:
        return reply
    return replace(reply, buttons=((texts.undo_button, f"/undo {done.undo}"),), buttons_last_s=done.undo_s)


def _line(number: int, found: Found, call: CommandCall, texts: Texts) -> str:
    ref = reference(found)
    if found.said_at is None:
        return f"{number}. {quoted(found.text)}: `/forget {ref}`"
    author = author_of(found.author_id, found.author, found.role, call, texts.memory)
    day = texts.day(found.said_at, call.now.tzinfo)
    whose = ", ".join(filter(None, (author, day)))
    return f"{number}. {quoted(found.text)} — {whose}: `/forget {ref}`"


def _buttons(found: tuple[Found, ...], texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return a button for each that is listed, and one for all if all are."""
    refs = [reference(one) for one in found[:SHOWN]]
    each = tuple((texts.forget.this_one.format(number=number), f"/forget {ref}") for number, ref in enumerate(refs, 1))
    every = ((texts.forget.all_of_them, " ".join(("/forget", *refs))),) if 1 < len(found) <= SHOWN else ()
    return (*each, *every)


def _about(found: Found) -> str:
    """Name a memory for the buttons below it; a copy has no version of its own."""
    kind = found.ref.partition(":")[0]
    return f"item:{reference(found)}" if kind == "item" else found.ref if kind == "turn" else ""


def _removed(done: Receipt) -> bool:
    return bool(done.exchanges or done.items or done.documents or done.pending)
