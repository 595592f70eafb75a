"""/docs and /ask: the documents of a chat, listed, opened, asked about and forgotten."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.commands.forget import erase_allowed, told
from bot.commands.formatting import escape, make_page, make_reply, name_author, turn_over
from bot.core.rights import May
from bot.features.documents.intake import describe_document
from bot.memory.scope import Scope
from bot.ports.documents import DocumentStore, OutlineEntry, StoredDocument
from bot.ports.eraser import Eraser, ErasureTarget
from bot.ports.system import CommandCall
from bot.turn import Reply
from language.texts import Texts

_SIZE: Final = 8
_SECTIONS: Final = 30
_NAME_SHOWN: Final = 80
_PAGE: Final = re.compile(r"page (\d{1,6})")
_YES: Final = "yes"
_DEPTH: Final = 2
_QUOTED: Final = re.compile(r"[\"'“„«](?P<name>[^\"'“”„«»]{1,120})[\"'”“»]\s+(?P<question>\S.*)", re.DOTALL)
_LONGEST_NAME: Final = 8
"""Words of a name without quotation marks."""


@dataclass(frozen=True, slots=True)
class Docs:
    """Lists documents newest first, opens one by its name or number, and forgets one after it was asked."""

    store: DocumentStore
    eraser: Eraser
    may: May

    name: ClassVar[str] = "docs"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list, a document, a question whether to forget it, or the receipt."""
        texts = call.texts
        verb, _, rest = call.argument.partition(" ")
        page = _PAGE.fullmatch(call.argument)
        if not call.argument or page is not None:
            return await self._list(call, texts, int(page[1]) if page is not None else 1)
        match verb.lower():
            case "add":
                return make_reply(texts.documents.from_terminal)
            case "forget" if rest.strip():
                return await self._forget(call, texts, rest.strip())
            case "forget":
                return make_reply(texts.documents.usage)
        found = await self.store.find(call.scope, call.argument)
        if len(found) == 1:
            return await self._open(call, texts, found[0])
        return self._choose(call, texts, call.argument, found)

    async def _list(self, call: CommandCall, texts: Texts, number: int) -> Reply:
        listed = await self.store.list_documents(call.scope, start=(max(number, 1) - 1) * _SIZE, size=_SIZE)
        pages = -(-listed.total // _SIZE)
        if number > 1 and not listed.documents:
            return await self._list(call, texts, max(pages, 1))
        if not listed.documents:
            return make_reply(texts.documents.none)
        lines = "\n".join(_line(document, call, texts) for document in listed.documents)
        head = texts.documents.listed.format(count=listed.total)
        foot = texts.documents.page_of.format(page=number, pages=pages) if pages > 1 else ""
        opening = tuple((str(each.number), f"/docs #{each.number}") for each in listed.documents)
        paging = turn_over(number, pages, lambda other: f"/docs page {other}")
        return make_page(head, lines, foot, buttons=(*opening, *paging))

    async def _open(self, call: CommandCall, texts: Texts, document: StoredDocument) -> Reply:
        words = texts.documents
        title = escape(document.title) if document.title and document.title != document.name else ""
        name = escape(document.name, _NAME_SHOWN)
        opened = f"**{name}** — {title}" if title else f"**{name}**"
        outline = await self.store.outline(call.scope, document.uid)
        return make_page(
            opened,
            f"{describe_document(document, words)}. {_tell_added(document, call, texts)}",
            words.source.format(url=escape(document.url, 300)) if document.url else "",
            words.cut if document.cut else "",
            _outline(outline, texts),
            buttons=((words.forget_button, f"/docs forget #{document.number}"),),
        )

    async def _forget(self, call: CommandCall, texts: Texts, rest: str) -> Reply:
        name, _, word = rest.rpartition(" ")
        agreed = bool(name) and (word.lower() in texts.forget.yes_words or word.lower() == _YES)
        found = await self.store.find(call.scope, name if agreed else rest)
        if len(found) != 1:
            return self._choose(call, texts, rest, found, verb="forget ")
        document = found[0]
        shown = escape(document.name, _NAME_SHOWN)
        if not agreed:
            question = texts.documents.confirm.format(name=shown)
            button = (texts.documents.yes_forget, f"/docs forget #{document.number} {_YES}")
            return make_reply(question, buttons=(button,))
        done = await erase_allowed(self.eraser, self.may, self.name, call, ErasureTarget(files=(document.uid,)))
        return told(done, shown, texts.forget)

    def _choose(
        self, call: CommandCall, texts: Texts, name: str, found: tuple[StoredDocument, ...], *, verb: str = ""
    ) -> Reply:
        """Return the documents that can be meant, each with its button."""
        shown = escape(name, _NAME_SHOWN)
        if not found:
            return make_reply(texts.documents.missing.format(name=shown))
        lines = "\n".join(_line(document, call, texts) for document in found[:_SIZE])
        buttons = tuple((str(each.number), f"/docs {verb}#{each.number}") for each in found[:_SIZE])
        return make_reply(texts.documents.several.format(name=shown), lines, buttons=buttons)


@dataclass(frozen=True, slots=True)
class Ask:
    """``/ask NAME question`` that names no document, or asks nothing; one that does is answered by the systems."""

    store: DocumentStore

    name: ClassVar[str] = "ask"

    async def run(self, call: CommandCall) -> Reply:
        """Return what is wrong with it."""
        texts = call.texts
        name = call.argument.split(maxsplit=1)[0] if call.argument else ""
        if not name:
            return make_reply(texts.documents.ask_usage)
        if not await self.store.find(call.scope, name):
            return make_reply(texts.documents.missing.format(name=escape(name, _NAME_SHOWN)))
        return make_reply(texts.documents.ask_usage)


def _line(document: StoredDocument, call: CommandCall, texts: Texts) -> str:
    name, about = escape(document.name, _NAME_SHOWN), describe_document(document, texts.documents)
    day = texts.day(document.added_at, call.now.tzinfo)
    return f"{document.number}. {name} — {about}; {day}, {_author(document, call, texts)}"


def _author(document: StoredDocument, call: CommandCall, texts: Texts) -> str:
    reader = call.message.find_reader(call.scope)
    return name_author(reader.identify_author(document.author.id, document.author.name, "user"), texts.memory)


def _tell_added(document: StoredDocument, call: CommandCall, texts: Texts) -> str:
    day = texts.day(document.added_at, call.now.tzinfo)
    return texts.documents.added.format(day=day, author=_author(document, call, texts))


def _outline(sections: tuple[OutlineEntry, ...], texts: Texts) -> str:
    """Return the upper headings of a document, each once, with their pages."""
    upper: dict[tuple[str, ...], int] = {}
    for section in sections:
        if section.headings:
            upper.setdefault(section.headings[:_DEPTH], section.page)
    if not upper:
        return ""
    lines = [
        f"{'  ' * (len(path) - 1)}- {escape(path[-1], 100)}"
        + (f" ({texts.documents.place_page.format(page=page)})" if page else "")
        for path, page in list(upper.items())[:_SECTIONS]
    ]
    more = len(upper) - _SECTIONS
    lines += [texts.documents.more_sections.format(count=more)] if more > 0 else []
    return "\n".join((texts.documents.outline, *lines))


async def find_asked(store: DocumentStore, scope: Scope, text: str) -> tuple[StoredDocument, str] | None:
    """Return the document that ``text`` begins with and the question behind it, ``None`` if that is not certain.

    Of several readings the longest name counts.  Raises :class:`~bot.errors.StorageUnavailable`.
    """
    quoted = _QUOTED.fullmatch(text.strip())
    if quoted is not None:
        found = await store.find(scope, quoted["name"])
        return (found[0], quoted["question"].strip()) if len(found) == 1 else None
    words = text.split()
    for count in range(min(_LONGEST_NAME, len(words) - 1), 0, -1):
        found = await store.find(scope, " ".join(words[:count]))
        if len(found) == 1:
            return found[0], text.split(maxsplit=count)[count].strip()
    return None
