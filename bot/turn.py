"""One message and its way through the pipeline, as immutable data.

A system receives a :class:`Turn` and returns a new one; nothing is changed in place, so that a system that fails
leaves the turn as it was.

Who makes a call to a model in the background knows neither the ledger nor, often, the chat: the work is charged where
it begins (:func:`charged_to`), and everything that is awaited or started in there belongs to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property, partial
from types import MappingProxyType
from typing import Final

from bot.files import InboundFile, OutboundFile, Picture
from bot.memory.document import render_document, source_name
from bot.memory.items import MemoryItem, Origin, Part, Recalled, Trust, get_lowest_trust, merge_forwarded
from bot.memory.pasting import Split, split_pasted
from bot.memory.patterns import cut_for_rules
from bot.memory.scope import Scope
from bot.memory.speakers import fold_name
from bot.messages import TOLD_IN_WORDS, Accepted, Address, Author, InboundMessage, MessageKind, list_foreign_parts
from language.texts import Texts


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several model calls, as the server counts them; 0 where it says nothing.

    ``cached`` are those of ``prompt`` that it had read before and need not read again, ``reasoning`` those of
    ``completion`` that nobody sees.  ``cost`` is what it says the call costs, in billionths of a unit of its currency,
    ``None`` where it does not say.  ``cache_writes`` are those of ``prompt`` that it kept for later, for a price.
    """

    prompt: int = 0
    completion: int = 0
    calls: int = 0
    cached: int = 0
    reasoning: int = 0
    cost: int | None = None
    cache_writes: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.calls + other.calls,
            self.cached + other.cached,
            self.reasoning + other.reasoning,
            _add_costs(self.cost, other.cost),
            self.cache_writes + other.cache_writes,
        )


def _add_costs(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


class UsageKind(StrEnum):
    """What a call was made for; all but answers are background."""

    ANSWER = "answer"
    SUMMARY = "summary"
    LEARNING = "learning"
    SEARCH = "search"
    """Reading a question before memory is asked, and shortening what was found."""
    CHECK = "check"


_CHARGED: Final[ContextVar[Scope | None]] = ContextVar("charged scope", default=None)


@contextmanager
def charged_to(scope: Scope) -> Iterator[None]:
    """Charge every model call in this block, and in tasks begun in it, to a scope."""
    before = _CHARGED.set(scope)
    try:
        yield
    finally:
        _CHARGED.reset(before)


def find_charged() -> Scope | None:
    """Return the scope that pays for what runs now, ``None`` outside of any conversation."""
    return _CHARGED.get()


@dataclass(frozen=True, slots=True)
class Session:
    """A stretch of conversation; ``/new`` and idleness end it.  Memories belong to the scope and survive it."""

    id: int
    started_at: datetime
    summary: str = ""
    trust: Trust = Trust.FILE
    """How far the summary may be believed: no further than anything that it summarises."""
    epoch: int | None = None
    """How often something of the scope that it was asked for had been erased, ``None`` where nobody knows."""
    heard: int | None = None
    """The number of that scope's newest exchange."""


@dataclass(frozen=True, slots=True)
class SaidIn:
    """What one message of an exchange says, so that an edit of that message alone leaves what the others say.

    ``file`` is the recording that came with it, by the platform's id, and ``heard`` what was said there.
    """

    message_id: int
    text: str = ""
    file: str = ""
    heard: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was said and answered: the verbatim truth that every memory is derived from.

    ``user_text`` is what the author typed, "" when all they sent is somebody else's: that stands in ``parts``.
    ``id`` orders the exchanges of a store and is 0 until stored.
    """

    scope: Scope
    uid: str
    """Stable name of the exchange within its scope, ``[a-z0-9]+``: made from the journal entry, so that a turn that is
    run again after a crash is the same exchange."""
    session_id: int
    author: Author
    user_text: str
    assistant_text: str
    said_at: datetime
    skill: str = ""
    synthetic: bool = False
    """History only (limit notice, apology, memory switched off): not learned from, not recalled, not indexed."""
    echo: bool = False
    """The answer only repeats memory or acknowledges: it is shown in history and is never evidence of anything."""
    message_id: int = 0
    """The message in its chat, of several the first; it ties an edited message to the exchange it replaces."""
    revises: int = 0
    """The one of its messages that was edited: this exchange replaces the one of the same place and ``message_id``."""
    parts: tuple[Part, ...] = ()
    """What the author did not write: forwarded, pasted, quoted, brought by a file or a tool."""
    answer_trust: Trust = Trust.BOT
    """How far the answer may be believed: no further than anything that the model had read for it."""
    messages: tuple[SaidIn, ...] = ()
    """What each message says, of several or of one that was heard; () where the texts above are all that is known."""
    id: int = 0

    @property
    def forwarded(self) -> Part | None:
        """What was forwarded or pasted, ``None`` when nothing was."""
        return merge_forwarded(self.parts) if self.parts else None

    @property
    def said(self) -> str:
        """What the message says, whoever's words they are: typed and pasted, or else forwarded."""
        forwarded = self.forwarded
        if forwarded is None or (self.user_text and forwarded.origin is not Origin.PASTED):
            return self.user_text
        return f"{self.user_text}\n\n{forwarded.text}" if self.user_text else forwarded.text

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts of it, in the order in which they are shown."""
        return (*(part.text for part in self.parts), self.user_text, self.assistant_text)

    def trust_for(self, reader_id: int) -> Trust:
        """Return how far all of it may be believed by somebody: what another typed is, to them, outside text."""
        own = self.author.trust if self.author.id == reader_id else min(self.author.trust, Trust.FILE)
        return min(get_lowest_trust(self.parts, own), self.answer_trust if self.assistant_text.strip() else own)


class ReplyKind(StrEnum):
    """What a reply is; only answers are worth remembering."""

    ANSWER = "answer"
    RECALLED = "recalled"
    """Assembled from memory alone, without a language model: it says nothing that is not remembered already."""
    NOTED = "noted"
    """An acknowledgement without a language model."""
    COMMAND = "command"
    NOTICE = "notice"


BUTTONS_LAST_S: Final = 600.0
"""How long a button may be pressed that changes something: long enough to think, too short to be forgotten armed."""
PAGING_LASTS_S: Final = 86_400.0
"""The same for one that only shows more."""
_SPOKEN: Final = frozenset({"voice", "video_note"})
"""Kinds of files in which somebody speaks here and now; an audio file may be anybody's words."""
EVERYTHING: Final = "everything"
"""In ``Reply.about``: the whole memory of the scope as it is now, counts included."""


@dataclass(frozen=True, slots=True)
class CalledTool:
    """What the call of a foreign tool has brought, for the conversation to go on with.

    ``told`` says in our words what was done; ``result`` is text from outside, and ``tool`` the name of its source.
    """

    tool: str
    told: str
    result: str


@dataclass(frozen=True, slots=True)
class NextSession:
    """The session that goes on behind a reply: a new one, or an earlier one of the same place, by its id.

    ``title`` is what the new one is called; an id that the place or the scope does not know changes nothing.
    """

    title: str = ""
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back to the chat, in the Markdown that language models write."""

    text: str
    kind: ReplyKind = ReplyKind.ANSWER
    buttons: tuple[tuple[str, str], ...] = ()
    """Pairs of label and the command that a press carries out, once: for the asker alone, if not ``for_all``."""
    next_session: NextSession | None = None
    """Commit ends the session, and this one goes on: the answer to ``/new``, for one."""
    buttons_last_s: float = BUTTONS_LAST_S
    for_all: bool = False
    """Whoever reads along may press the buttons, too: what they are about is everybody's."""
    about: tuple[str, ...] = ()
    """What the buttons are about ("item:7", "turn:ab", :data:`EVERYTHING`): when it has changed, they do nothing."""
    in_place: bool = False
    """The answer to a press takes the place of the message whose button was pressed: the next page of a listing."""
    file: OutboundFile | None = None
    """Goes along with the text."""
    known: bool = True
    """Whether memory, asked alone, has answered; ``False`` where that needs a model, or is not known for certain."""
    called: CalledTool | None = None
    """A command has called a tool: the model finds what came of it in the history of the session."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asks for; ``arguments`` is the raw JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A tool call and what came of it.  ``synthetic`` marks results made up to keep the history valid."""

    call: ToolCall
    output: str
    ok: bool
    synthetic: bool = False
    tainted: bool = False
    """The output holds text from outside (web, file): nothing in this turn may be trusted as the user's own word."""


@dataclass(frozen=True, slots=True)
class Skill:
    """Instructions from a ``SKILL.md``."""

    name: str
    description: str
    body: str


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """One exchange as the document that long-term memory receives.

    ``source`` is its unique and stable file name, ``text`` the rendered body (see :mod:`bot.memory.document`).
    ``deferred``: long-term memory is switched off, and the document waits until it is on again.
    """

    scope: Scope
    source: str
    text: str
    deferred: bool = False

    @classmethod
    def from_exchange(cls, exchange: Exchange, namesakes: frozenset[str] = frozenset()) -> IndexDocument:
        """Render the document of an exchange; an answer that only repeats memory is left out of it.

        ``namesakes`` are the names that several people bear there: who has one of them is told by number.
        """
        text = render_document(
            tag=exchange.scope.tag,
            uid=exchange.uid,
            said_at=exchange.said_at,
            skill=exchange.skill,
            author_name=exchange.author.name,
            user_text=exchange.user_text,
            assistant_text="" if exchange.echo else exchange.assistant_text,
            forwarded=exchange.forwarded,
            answer_trust=exchange.answer_trust,
            author_id=exchange.author.id if fold_name(exchange.author.name) in namesakes else 0,
        )
        return cls(exchange.scope, source_name(exchange.said_at, exchange.scope.tag, exchange.uid), text)


class StopSignal(asyncio.Event):
    """Set by /stop while a turn runs; the tool loop ends at the next safe point and keeps what it has."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a turn did, for ``/why`` and for its log line: figures and reasons, never texts of others.

    ``memories`` are the memories that stood in the prompt; ``notes`` plain sentences such as
    "long-term memory unavailable: HTTP 503"; ``durations_ms`` per system name; ``figures`` sizes and counts.
    """

    memories: tuple[Recalled, ...] = ()
    notes: tuple[str, ...] = ()
    durations_ms: Mapping[str, float] = field(default_factory=partial(MappingProxyType, {}))
    figures: Mapping[str, int] = field(default_factory=partial(MappingProxyType, {}))

    def noting(self, note: str) -> Trace:
        """Return the trace with one more note."""
        return replace(self, notes=(*self.notes, note))

    def using(self, memories: tuple[Recalled, ...]) -> Trace:
        """Return the trace with these as the memories that were used."""
        return replace(self, memories=memories)

    def measuring(self, **figures: int) -> Trace:
        """Return the trace with more figures."""
        return replace(self, figures=MappingProxyType({**self.figures, **figures}))


@dataclass(frozen=True, slots=True)
class Reading:
    """What both memories found for one of several questions of a message, best first.

    ``unread`` says that the store could not be read in time.
    """

    question: str
    relevant: tuple[Recalled, ...]
    unread: bool = False


def _is_said(message: InboundMessage) -> bool:
    spoken = message.file is not None and message.file.kind in _SPOKEN
    return message.kind in (MessageKind.TEXT, MessageKind.EDITED) or spoken


@dataclass(frozen=True)  # no slots: what follows from the fields is found once
class Turn:
    """One message on its way through the systems.

    ``accepted`` holds the journal entries that this turn answers: one, or the parts of an album or split paste.
    ``exchange``, ``items`` and ``document`` are what systems 50 and 55 plan; system 60 commits all of it together with
    the reply in one transaction and only then sends.
    """

    accepted: tuple[Accepted, ...]
    scope: Scope
    session: Session
    started_at: datetime
    text: str
    stop: StopSignal
    without_model: bool = False
    """Whether rules and memory answer alone: there is no language model."""
    meant: str = ""
    """What the message asks, with whom it only refers to named from the history; "" where it asks as it stands."""
    history: tuple[Exchange, ...] = ()
    relevant: tuple[Recalled, ...] = ()
    """What both memories found, fused, best first; system 20 puts the best of it into the prompt."""
    unread: bool = False
    """Whether the store could not be read in time: what is not in ``relevant`` may be remembered all the same."""
    readings: tuple[Reading, ...] = ()
    """The same for each of several questions, where each was searched for by itself."""
    skill: Skill | None = None
    system_prompt: str = ""
    """What the model is told in every message of the session alike: who it is, its rules, the skill, the tools."""
    summary: str = ""
    """What stands for the older part of the session before its history, fenced."""
    context: str = ""
    """What the model is told for this message alone: the time, in groups the asker's wishes, what memory found."""
    mark: str = field(default="", repr=False)
    """The mark of the session's fences: in no text that is shown, kept or given to a tool."""
    handled_files: frozenset[str] = frozenset()
    """Ids of the files about which all is said: read, or why not.  Of other attachments nothing is known."""
    receipts: tuple[str, ...] = ()
    """What the author is told of the files that came along, one line each: that one was read, or why it could not be.
    They are the reply where nothing was typed, and stand under an answer that is made without a model."""
    focus: tuple[str, ...] = ()
    """Documents, by uid, that the message is about and that alone are searched for it; () for all of memory."""
    told: tuple[str, ...] = ()
    """What the model is told of the files that came along, for this message alone: sentences of ours, never theirs."""
    edited: int = 0
    """The message whose edit this turn answers; of several in one exchange the others are as they were."""
    said: tuple[SaidIn, ...] = ()
    """What the messages of this turn have said until now, where it is an edit, and what was heard in theirs."""
    pictures: tuple[Picture, ...] = field(default=(), repr=False)
    """What came along for the model to look at, in the order in which it was sent."""
    reply: Reply | None = None
    tool_runs: tuple[ToolRun, ...] = ()
    usage: Usage = field(default_factory=Usage)
    exchange: Exchange | None = None
    items: tuple[MemoryItem, ...] = ()
    corrected: bool = False
    """Whether the message says nothing but a correction that was carried out: then what holds is stored already."""
    document: IndexDocument | None = None
    draft_id: int | None = None
    """Message id of the streamed draft in the chat: the final text is edited into it, which is safe to repeat."""
    trust: Trust = Trust.OWNER
    """How far what was read for this turn may be believed: what of memory stands in the prompt, what tools showed."""
    trace: Trace = Trace()

    @cached_property
    def message(self) -> InboundMessage:
        """The first message of the turn: its author, address and date are the turn's."""
        return self.accepted[0].message

    @cached_property
    def texts(self) -> Texts:
        """What the author is told, in their language."""
        return self.message.texts

    @cached_property
    def address(self) -> Address:
        """Where the answer goes."""
        return self.message.address

    @property
    def uid(self) -> str:
        """The name of the exchange that this turn makes, if it makes one."""
        return name_exchange(self.accepted[0].id)

    @cached_property
    def files(self) -> tuple[InboundFile, ...]:
        """The files that came along and can be fetched, in the order in which they were sent."""
        return tuple(entry.message.file for entry in self.accepted if entry.message.file is not None)

    @property
    def unknown_attachments(self) -> tuple[str, ...]:
        """What came along that nobody has read or spoken of, by kind and once each."""
        messages = (entry.message for entry in self.accepted)
        unread = (each for each in messages if each.file is None or each.file.id not in self.handled_files)
        kinds = dict.fromkeys(message.attachment for message in unread if message.attachment)
        return tuple(kind for kind in kinds if kind not in self.told_attachments)

    @property
    def told_attachments(self) -> frozenset[str]:
        """What came along and says in words what it is, by kind: a poll, a place, a sticker."""
        messages = (entry.message for entry in self.accepted if entry.message.file_name)
        return frozenset(message.attachment for message in messages if message.attachment in TOLD_IN_WORDS)

    @cached_property
    def typed(self) -> str:
        """What the author wrote in this turn, and nothing of what they passed on or pasted."""
        return self._split.own

    @cached_property
    def is_own(self) -> bool:
        """Whether the author typed or spoke all of it now: a command, a press, a forward and a caption are not that."""
        messages = [entry.message for entry in self.accepted]
        forwarded = any(message.forwarded_from is not None for message in messages)
        return all(map(_is_said, messages)) and not forwarded and bool(self.typed.strip())

    @property
    def is_kept(self) -> bool:
        """Whether its reply makes it an exchange: a command's does not, nor one to a file without a word beside it."""
        if self.reply is None or self.reply.called is not None or self.message.kind is MessageKind.EDITED:
            return self.reply is not None
        return self.reply.kind is not ReplyKind.COMMAND and bool(self.text.strip() or self.pictures)

    @cached_property
    def _split(self) -> Split:
        """What came as the author's, without what was pasted into it; nobody pastes into what they say aloud."""
        spoken = any(file.kind in _SPOKEN for file in self.files)
        return Split(self._written, "") if spoken else split_pasted(self._written)

    @cached_property
    def _written(self) -> str:
        messages = (entry.message for entry in self.accepted)
        forwarded = [message.text for message in messages if message.forwarded_from is not None]
        if not forwarded:
            return self.text
        own = (entry.message.text for entry in self.accepted if entry.message.forwarded_from is None)
        return "\n".join(text for text in own if text)

    @cached_property
    def analysed(self) -> str:
        """What rules look at of what the author wrote; it is stored, masked and shown to the model as a whole."""
        return cut_for_rules(self.typed)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What of this turn its author did not write."""
        return (
            *(part for entry in self.accepted for part in list_foreign_parts(entry.message)),
            *(Part(Origin.PASTED, text) for text in (self._split.pasted,) if text),
            *(Part(Origin.FILE, picture.name) for picture in self.pictures if picture.name),
            *(Part(Origin.TOOL, "", run.call.name, trust=Trust.TOOL) for run in self.tool_runs if run.tainted),
        )

    @property
    def prompt_trust(self) -> Trust:
        """How far the least of what the model reads in this turn may be believed, history included."""
        reader = self.message.author.id
        return min((get_lowest_trust(self.parts, self.trust), *(each.trust_for(reader) for each in self.history)))

    @property
    def tainted(self) -> bool:
        """Whether the model reads text from outside: then nothing is changed but what the author's own words ask."""
        return self.prompt_trust <= Trust.FILE


FOUND_IN_WORDS: Final = frozenset(
    {"message", "texts", "address", "files", "typed", "is_own", "_split", "_written", "analysed"}
)
"""What follows from the messages and the text of a turn alone."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def name_exchange(entry_id: int) -> str:
    """Return an exchange's name: the journal entry's id in base 36, the same however often the turn is run."""
    number, digits = abs(entry_id), "" if entry_id >= 0 else "x"
    out = ""
    while True:
        number, rest = divmod(number, 36)
        out = _DIGITS[rest] + out
        if number == 0:
            return digits + out
