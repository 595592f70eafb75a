"""A visit: one request of somebody who has come in, the scope that they look at, and how its page is made.

Pages come from templates: everything that people wrote is escaped by the template engine, and nothing is marked safe.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adapters.page.gate import Door, PageSession, Sessions, TooLargeError, Visitor
from bot.core.rights import Whose, is_allowed
from bot.errors import ScopeMissing
from bot.memory.helpfulness import HELPS, find_signal_group
from bot.memory.items import Channel, MemoryItem, Recalled
from bot.memory.prompt.selection import SURE
from bot.memory.sanitise import remove_directions
from bot.memory.scope import Scope, to_number
from bot.memory.speakers import Reader, Speaker, call_speaker
from bot.messages import Address, Author
from bot.ports.chats import ChatSettings, ChatSettingsStore
from bot.ports.documents import DocumentStore
from bot.ports.eraser import Eraser, ErasureReceipt, ErasureRecords, ErasureUndo, KeptTexts
from bot.ports.lists import Deed, Lists
from bot.ports.memory_store import MemoryBrowser, MemoryEditor, Names, Timeline
from bot.ports.reminders import ComingReminders, Reminders
from bot.ports.transfer import Exporter
from bot.ports.usage import PriceList, UsageLedger
from bot.turn import Exchange
from language.page_texts import PageTexts
from language.texts import Texts

_MOST_FIELDS: Final = 50
TABS: Final = (
    "timeline",
    "people",
    "memories",
    "search",
    "reminders",
    "lists",
    "documents",
    "forgotten",
    "costs",
    "settings",
)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, best first, and notes on what could not be asked."""

    memories: tuple[Recalled, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageParts:
    """What the page shows and changes.

    ``texts`` returns the words for an IETF tag, ``zone`` the time zone that a visitor reads in; ``search`` asks memory
    as an answer does, for the reader who looks; ``find_chat`` returns the chat whose settings go with a scope, ``None``
    where there is none or not just one, and ``settle`` changes them.  What no feature provides is ``None``: there is no
    page of it.
    """

    timeline: Timeline
    names: Names
    browser: MemoryBrowser
    editor: MemoryEditor
    eraser: Eraser
    undo: ErasureUndo
    kept: KeptTexts
    records: ErasureRecords
    search: Callable[[Scope, str, Reader], Awaitable[Found]]
    texts: Callable[[str], Texts]
    zone: Callable[[Visitor], tzinfo | None]
    now: Callable[[], datetime]
    documents: DocumentStore | None
    usage: UsageLedger | None
    prices: Callable[[], PriceList]
    chat_settings: ChatSettingsStore
    find_chat: Callable[[Scope], Address | None]
    settle: Callable[[Address, Callable[[ChatSettings], ChatSettings]], Awaitable[None]]
    reminders: Reminders | None
    lists: Lists | None
    coming: ComingReminders | None
    exporter: Exporter | None
    remember: Callable[[Scope, str, Author], Awaitable[int]]
    """Keeps a text as /remember does and returns the memory's id; 0 where nothing may be remembered."""

    def list_tabs(self, *, settles: bool) -> tuple[str, ...]:
        there = {
            "reminders": self.coming,
            "lists": self.lists,
            "documents": self.documents,
            "costs": self.usage,
            "settings": settles or None,
        }
        return tuple(name for name in TABS if there.get(name, name) is not None)


T = TypeVar("T")


def require(found: T | None) -> T:
    """Return what was found, or a part that a feature provides.  Raises :class:`MissingError` where there is none."""
    if found is None:
        raise MissingError
    return found


class PageError(Exception):
    """Why a page is not shown."""


class SignedOutError(PageError):
    """Nobody has come in with this request, or their session has ended."""


class MissingError(PageError):
    """There is nothing of this name that the visitor may see; what is not theirs looks the same."""


class ChangedError(PageError):
    """What a form was about has changed since it was shown."""


class NotYoursError(PageError):
    """What the table of rights gives to others."""


class ForeignFormError(PageError):
    """A form that was not on a page of this session."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a visitor to a scope (``None``: to none yet)."""

    request: Request
    session: PageSession
    scope: Scope | None
    words: Wording
    base: str
    chat: Address | None = None
    """Whose settings the page shows and changes."""
    tabs: tuple[str, ...] = ()
    """Names of the parts of the page that there are for it."""
    many: bool = False
    """Whether there are other memories to choose from."""

    @property
    def visitor(self) -> Visitor:
        return self.session.visitor

    @property
    def here(self) -> Scope:
        return require(self.scope)

    @property
    def home(self) -> str:
        return f"{self.base}/m/{self.here.tag}"

    def may(self, command: str, whose: Whose) -> bool:
        """Return whether the visitor may do what a command does, to words of theirs, of others or to all of them."""
        return self.scope is None or is_allowed(command, whose, self.visitor.find_role(self.scope))

    def is_whose(self, author_id: int) -> Whose:
        return Whose.OWN if author_id == self.visitor.reader.id else Whose.OTHERS

    def require(self, command: str, whose: Whose) -> None:
        """Raise :class:`NotYoursError` for what the visitor may not do."""
        if not self.may(command, whose):
            raise NotYoursError

    def asked(self, name: str) -> str:
        """Return a word of the query, "" without it, at most a thousand characters."""
        return self.request.query_params.get(name, "")[:1000]

    def number(self) -> int:
        """Return a number of the address.  Raises :class:`MissingError` for what is none."""
        given = self.request.path_params["number"]
        if not (given.isascii() and given.isdecimal() and len(given) <= 10):  # noqa: PLR2004 - digits of 32 bits
            raise MissingError
        return int(given)

    def page(self, template: str, title: str, *, tab: str = "", status: int = 200, **values: object) -> HTMLResponse:
        session, scope = self.session, self.scope
        shown = show_page(
            template, title, self.words, self.base, session, scope, tab=tab, tabs=self.tabs, many=self.many, **values
        )
        return HTMLResponse(shown, status)

    def show_tab(self, tab: str, *, status: int = 200, **values: object) -> HTMLResponse:
        return self.page(f"{tab}.html", self.words.page.tabs[tab], tab=tab, status=status, **values)

    def pages(
        self, path: str, offset: int, size: int, *, more: bool, **asked: str
    ) -> dict[str, Any]:  # Any: for a template
        """Return the addresses of the pages before and behind this one of a list, "" where there is none.

        ``asked`` are words of the query that go along.
        """
        address = f"{self.home}/{path}?{urlencode({**asked, 'from': ''})}"
        return {
            "newer": f"{address}{max(0, offset - size)}" if offset else "",
            "older": f"{address}{offset + size}" if more else "",
        }

    def receipt(self, done: ErasureReceipt) -> HTMLResponse:
        """Return the receipt of an erase as ``/forget`` gives it, with the button that takes it back."""
        texts = self.words.texts.forget
        removed = (
            (texts.exchanges, done.exchanges),
            (texts.items, done.items),
            (texts.answers, done.answers),
            (self.words.page.files_removed, done.files),
            (texts.documents, done.documents),
        )
        lines = [sentence.format(count=count) for sentence, count in removed if count]
        if done.pending:
            lines.append(texts.withheld if done.undo else texts.pending)
        elif done.documents:
            lines.append(texts.confirmed)
        lines.append(texts.residue.format(count=len(done.residue)) if done.residue else texts.verified)
        title, seconds = self.words.page.forgot_title, f"{done.undo_s:g}"
        return self.page("receipt.html", title, tab="memories", lines=lines, undo=done.undo, undo_s=seconds)

    def go(self, path: str) -> Response:
        """Send the browser to a page of the scope, after a change."""
        return RedirectResponse(f"{self.home}/{path}", 303)


@dataclass(frozen=True, slots=True)
class Visits:
    """Lets requests in by their session."""

    parts: PageParts
    sessions: Sessions
    door: Door

    async def enter(self, request: Request) -> Visit:
        """Return the visit of a request, to the scope that its address names.

        Raises :class:`SignedOutError`, and :class:`MissingError` for a scope that is not the visitor's to see.
        """
        session = await self.sessions.find(request.cookies.get(self.door.cookie, ""))
        if session is None:
            raise SignedOutError
        scope, many = None, False
        if (tag := request.path_params.get("tag")) is not None:
            scope, many = await self._find_scope(session.visitor, tag)
        words = self.words(request, session.visitor)
        chat = self.parts.find_chat(scope) if scope is not None else None
        return Visit(
            request, session, scope, words, self.door.prefix, chat, self.parts.list_tabs(settles=chat is not None), many
        )

    async def submit(self, request: Request, command: str, whose: Whose = Whose.OWN) -> tuple[Visit, Mapping[str, str]]:
        """Return the visit and the fields of a form that does what a command does to this, at the least to own words.

        The same errors, :class:`ForeignFormError` for another's form, :class:`NotYoursError` by the table of rights.
        """
        visit = await self.enter(request)
        fields = await read_form(request)
        if not visit.session.has_form_key(fields.get("key", "")):
            raise ForeignFormError
        visit.require(command, whose)
        return visit, fields

    def words(self, request: Request, visitor: Visitor | None = None) -> Wording:
        """Return the words for a visitor, or for whoever asks: in their client's language, else their browser's."""
        language = (visitor.language if visitor else "") or request.headers.get("accept-language", "").split(",")[0]
        known = visitor or Visitor(())
        return Wording(self.parts.texts(language.partition(";")[0].strip()[:35]), known, self.parts.zone(known))

    async def _find_scope(self, visitor: Visitor, tag: str) -> tuple[Scope, bool]:
        try:
            scope = Scope(tag)
        except ScopeMissing as error:
            raise MissingError from error
        if not visitor.may_see(scope):
            raise MissingError
        known = visitor.scopes
        if known is None:
            known = tuple(each.scope for each in await self.parts.timeline.list_scopes())
        if scope not in known:
            raise MissingError
        return scope, len(known) > 1


def read_offset(visit: Visit) -> int:
    """Return how much of a list is passed over; nothing for what is no number."""
    given = visit.asked("from")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 8 else 0  # noqa: PLR2004 - digits


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form, the last of each name.  Raises :class:`TooLargeError` for too many."""
    body = (await request.body()).decode("utf-8", errors="replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise TooLargeError from error
    return {name: values[-1] for name, values in fields.items()}


def show_page(
    template: str,
    title: str,
    words: Wording,
    base: str,
    session: PageSession | None = None,
    scope: Scope | None = None,
    *,
    tab: str = "",
    tabs: Sequence[str] = (),
    many: bool = False,
    **values: object,
) -> str:
    """Return a page's HTML; without a session nothing of anybody's stands around it."""
    common = {
        "w": words,
        "title": title,
        "base": base,
        "scope": scope,
        "scope_name": name_scope(scope, words, words.visitor.reader.name) if scope is not None else "",
        "many": many,
        "home": f"{base}/m/{scope.tag}" if scope is not None else base,
        "form_key": session.form_key if session is not None else "",
        "tabs": [(name, words.page.tabs[name]) for name in tabs],
        "tab": tab,
        "number": to_number,
    }
    return render(template, {**common, **values})


def name_scope(scope: Scope, words: Wording, name: str = "") -> str:
    """Return what people call a scope: "Direct chat with Anna", "Group -500"; ``name`` is whose it is, if known."""
    page, tag = words.page, scope.tag
    if scope.shared:
        return page.shared.format(name=tag.removeprefix("s_"))
    if tag.startswith("c"):
        return page.terminal
    kind, rest = tag[1], tag[2:].replace("n", "-")
    if kind == "u":
        return page.direct.format(name=name or rest)
    if kind == "t":
        group, _, topic = rest.partition("_")
        return page.topic.format(id=group, topic=topic)
    return page.group.format(id=rest)


FOLDER: Final = Path(__file__).parent
_SIGNALS_SHOWN: Final = 3
_LIKELY: Final = 0.06
"""Between what is quoted at length in a prompt and the least that stands there at all."""


def _show(value: Any) -> Any:  # Any: whatever a template prints
    """Return a text without marks of direction: a name must not turn around what stands beside it."""
    return remove_directions(value) if type(value) is str else value  # what a macro has made is no plain text


_ENVIRONMENT: Final = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    finalize=_show,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(template: str, values: Mapping[str, object]) -> str:
    """Return a page; a value that a template names and nobody gave is an error, never a gap."""
    return _ENVIRONMENT.get_template(template).render(values)


@dataclass(frozen=True, slots=True)
class Wording:
    """The words for one visitor: dates in ``zone``, names as they mean them."""

    texts: Texts
    visitor: Visitor
    zone: tzinfo | None

    @property
    def page(self) -> PageTexts:
        return self.texts.page

    def day(self, when: datetime) -> str:
        return self.texts.day(when, self.zone, weekday=True)

    def short_day(self, when: datetime) -> str:
        return self.texts.day(when, self.zone)

    def moment(self, when: datetime) -> str:
        return self.texts.moment(when, self.zone)

    def time(self, when: datetime) -> str:
        return f"{when.astimezone(self.zone) if self.zone else when:%H:%M}"

    def iso(self, when: datetime) -> str:
        """Return the moment for programs that read the page aloud or index it."""
        return (when.astimezone(self.zone) if self.zone else when).isoformat(timespec="minutes")

    def local_date(self, when: datetime) -> date:
        """Return the calendar day that a moment falls on here."""
        return (when.astimezone(self.zone) if self.zone else when).date()

    def month(self, first: date) -> str:
        """Return "2026-02" with the month's name: "February 2026" in the form used after a day."""
        return f"{self.texts.dates.months[first.month - 1]} {first.year}"

    def count(self, number: int) -> str:
        return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")

    def speaker(self, speaker: Speaker) -> str:
        return call_speaker(speaker, self.texts.memory)

    def author(self, exchange: Exchange) -> str:
        reader = self.visitor.reader
        return self.speaker(reader.identify_author(exchange.author.id, exchange.author.name, "user"))

    def item_author(self, item: MemoryItem) -> str:
        return self.speaker(self.visitor.reader.identify_item(item))

    def doer(self, deed: Deed) -> str:
        known = self.visitor.reader.identify_author(deed.by, deed.name, "user")
        return self.speaker(known) if deed.by else self.texts.lists.somebody

    def source(self, item: MemoryItem) -> str:
        source = item.provenance.source
        return self.texts.memory.sources.get(source, source)

    def kind(self, item: MemoryItem) -> str:
        return self.page.kinds.get(item.type.value, item.type.value)

    def channel(self, memory: Recalled) -> str:
        """Return which part of memory found something."""
        return self.texts.why.channels[memory.channel]

    def fit(self, memory: Recalled) -> str:
        """Return how likely a find helps, in words; "" for one that was not judged."""
        helps = memory.signals.get(HELPS)
        if helps is None:
            return ""
        return self.page.fits[0 if helps >= SURE else 1 if helps >= _LIKELY else 2]

    def reasons(self, memory: Recalled) -> str:
        """Return what carried a find, the strongest first, in the words of ``/why``."""
        kinds: dict[str, float] = {}
        for name, value in memory.signals.items():
            if name == HELPS:
                continue  # that is how well it fits
            kind = find_signal_group(name)
            kinds[kind] = kinds.get(kind, 0.0) + value
        strongest = sorted((kind for kind in kinds if kinds[kind] > 0), key=lambda kind: -kinds[kind])[:_SIGNALS_SHOWN]
        return ", ".join(self.texts.why.signals[kind] for kind in strongest if kind in self.texts.why.signals)

    def recalled(self, memory: Recalled) -> dict[str, Any]:  # Any: values for a template
        """Return a find as a template shows it."""
        number = memory.key.removeprefix("item:") if memory.channel is Channel.ITEM else ""
        return {
            "text": memory.text,
            "speaker": self.speaker(self.visitor.reader.identify(memory)),
            "said_at": memory.said_at,
            "channel": self.channel(memory),
            "fit": self.fit(memory),
            "reasons": self.reasons(memory),
            "exchange": memory.exchange,
            "item": to_number(int(number)) if number.isdecimal() else None,
        }
