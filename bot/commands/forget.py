"""/forget: one memory, what a search finds, or everything; with a receipt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.commands.attribution import author_of
from bot.commands.forgetting import Candidate, candidates, joined, receipt, topic
from bot.commands.numbering import id_of
from bot.commands.quoting import escaped, quoted
from bot.commands.voice import Voice, said
from bot.ports.commands import CommandCall
from bot.ports.memory import Eraser, MemoryEditor, MemoryQuery, Recall, Receipt, Selector
from bot.texts.texts import Texts
from bot.turn import EVERYTHING, Reply

_REF: Final = re.compile(r"(?:#|item:)?(?P<item>\d{1,18})|turn:(?P<turn>[a-z0-9]+)(?::\w+)?", re.IGNORECASE)
_SHOWN: Final = 6
_SEARCHED: Final = 30


@dataclass(frozen=True, slots=True)
class Forget:
    """Erases from the caller's scope and nowhere else.

    Words erase at once only if exactly one thing holds all of them; else what fits is listed, each with the command
    that forgets it.  ``everything`` asks first.
    """

    texts: Voice
    editor: MemoryEditor
    recall: Recall
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
        refs = [match for match in map(_REF.fullmatch, words) if match]
        if len(refs) == len(words):
            done = await self._erase(call, refs)
            if _removed(done) or any(ref["turn"] for ref in refs):
                return said(receipt(done, escaped(call.argument, 60), texts.forget))
        return await self._search(call, texts)

    async def _everything(self, call: CommandCall, texts: Texts, rest: list[str]) -> Reply:
        if len(rest) == 1 and (rest[0] in texts.forget.yes_words or rest[0] == "yes"):
            done = await self.eraser.erase_scope(call.scope)
            return said(receipt(done, "", texts.forget, everything=True))
        if rest:
            return await self._search(call, texts)
        button = (texts.forget.confirm_button, "/forget everything yes")
        return said(texts.forget.confirm_everything, buttons=(button,), about=(EVERYTHING,))

    async def _erase(self, call: CommandCall, refs: list[re.Match[str]]) -> Receipt:
        items = tuple([await id_of(self.editor, call.scope, int(ref["item"])) for ref in refs if ref["item"]])
        turns = tuple(ref["turn"] for ref in refs if ref["turn"])
        done = await self.eraser.erase_items(call.scope, items) if items else Receipt(0, 0, 0)
        return joined(done, await self.eraser.erase_exchanges(call.scope, turns)) if turns else done

    async def _search(self, call: CommandCall, texts: Texts) -> Reply:
        query = MemoryQuery(
            text=call.argument,
            author_id=call.author.id,
            author_name=call.author.name,
            now=call.now,
            limit=_SEARCHED,
        )
        page = await self.editor.page(call.scope, Selector.ALL, search=topic(call.argument), size=_SEARCHED)
        found = candidates(call.argument, page.items, await self.recall.recall(call.scope, query))
        search = escaped(call.argument, 60)
        if not found:
            return said(texts.forget.none_found.format(search=search))
        if len(found) == 1 and found[0].exact and (match := _REF.fullmatch(found[0].ref)):
            return said(receipt(await self._erase(call, [match]), search, texts.forget))
        lines = "\n".join(_line(candidate, call, texts) for candidate in found[:_SHOWN])
        more = texts.forget.more if len(found) > _SHOWN else ""
        return said(
            texts.forget.candidates.format(search=search), lines, more, buttons=_all(found, texts), about=_about(found)
        )


def _line(candidate: Candidate, call: CommandCall, texts: Texts) -> str:
    author = author_of(candidate.author_id, candidate.author, candidate.role, call, texts.memory)
    day = texts.day(candidate.said_at, call.now.tzinfo) if candidate.said_at else ""
    told = ", ".join(filter(None, (author, day)))
    return f"- {quoted(candidate.text)} — {told}: `/forget {candidate.ref}`"


def _all(found: tuple[Candidate, ...], texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return the button that forgets all that is listed, if all is listed."""
    data = " ".join(("/forget", *(candidate.ref for candidate in found)))
    return ((texts.forget.all_of_them, data),) if 1 < len(found) <= _SHOWN else ()


def _about(found: tuple[Candidate, ...]) -> tuple[str, ...]:
    """Name what is listed, for the buttons below it."""
    refs = (candidate.ref for candidate in found[:_SHOWN])
    return tuple(ref if ref.startswith("turn:") else f"item:{ref}" for ref in refs)


def _removed(done: Receipt) -> bool:
    return bool(done.exchanges or done.items or done.documents or done.pending)
