"""A Mneme under construction: what is there for every feature, and what features add to it.

``bot/compose/building.py`` makes it, each feature's ``register`` adds to it, and ``bot/compose`` builds the running
Mneme of it.  A test builds the same and replaces what it wants to break.
"""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from adapters.events import EventBus
from adapters.sqlite.database import Database
from bot.commands.status import HealthLine, StatusLines
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.config.schema import Settings
from bot.config.section import FeatureSection
from bot.core.delivery import Ending
from bot.core.pipeline import Answer
from bot.core.rights import May
from bot.core.sessions import Extraction, Summary
from bot.core.shown import ShownLast
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.chat_model import ChatModel
from bot.ports.chats import Access, Chats, ChatSettingsStore, GroupRoles
from bot.ports.documents import DocumentSearch
from bot.ports.embedder import Embedder, Reranker
from bot.ports.eraser import Eraser, ErasureRecords, ErasureUndo, KeptTexts
from bot.ports.leases import Leases
from bot.ports.memory_store import (
    Chronicle,
    MemoryBrowser,
    MemoryEditor,
    MemoryStore,
    Mentions,
    Names,
    Recall,
    TextRater,
    Timeline,
)
from bot.ports.messenger import Delivery, FileSource, Messenger, UncertainDeliveries
from bot.ports.preferences import Preferences
from bot.ports.rag import DeadLetters, Outbox
from bot.ports.system import AttachmentHandler, Command, System, TakeBack
from bot.ports.tickets import Buttons, Tickets
from bot.ports.tool import Tool
from bot.ports.turn_store import Journal, LearningQueue, Sessions, TurnStore
from bot.ports.when import Clock
from bot.runtime.channel import Abilities, Channel
from bot.runtime.chat_rules import ChatRules
from bot.runtime.long_term_memory import LongTermMemory
from bot.runtime.model_window import ModelWindow
from bot.runtime.storage import Housekeeping, PendingDeliveries
from bot.turn import Session, Turn, UsageKind
from language.texts import Texts
from systems.s20_context_building import Retrieval

T = TypeVar("T")


class Job(Protocol):
    """Work beside the conversation, for as long as Mneme runs."""

    async def run(self) -> None:
        """Work until cancelled; what it raises is logged, and it is begun again."""


@dataclass(slots=True)
class Additions:
    """What features add; each list keeps the order of their registration."""

    commands: list[Command] = field(default_factory=list)
    menu: list[str] = field(default_factory=list)
    """Names of commands that menus and /help list."""
    help: dict[str, str] = field(default_factory=dict)
    """By name: the line of a command that the catalogues of the languages do not know."""
    sentences: list[Answer] = field(default_factory=list)
    """Ask to be the answer to a message that is no command."""
    questions: dict[str, Callable[[Turn], Awaitable[bool]]] = field(default_factory=dict)
    """By command: say that this one is a question for the systems, whatever its form."""
    taking_back: list[TakeBack] = field(default_factory=list)
    """Take back what an exchange of the caller's, by its uid, has done, and say so; ``None`` where it did nothing."""
    systems: list[Callable[[], System]] = field(default_factory=list)
    """Make a system by the settings in force; its ``order`` is its place."""
    tools: list[Callable[[Settings], Iterable[Tool]]] = field(default_factory=list)
    attachments: list[Callable[[], Iterable[AttachmentHandler]]] = field(default_factory=list)
    """Make handlers of what comes with a message; who is asked first, is registered first."""
    at_start: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Awaited before anything is answered."""
    at_close: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Awaited once turns have ended, before the parts are closed."""
    serving: list[Callable[[], AbstractAsyncContextManager[None]]] = field(default_factory=list)
    """Entered for as long as messages are received."""
    jobs: dict[str, Job] = field(default_factory=dict)
    sole_jobs: dict[str, Job] = field(default_factory=dict)
    """Those that one of several workers does."""
    refresh: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Read again what is held in memory and another worker may have changed."""
    settling: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Wait until what starts beside the conversation is there; a script's first line waits for them, within reason."""
    changed: list[tuple[type[FeatureSection], Callable[[], None]]] = field(default_factory=list)
    """Told when other settings of a section have come into force."""
    status: list[StatusLines] = field(default_factory=list)
    checks: list[Callable[[], Awaitable[tuple[HealthLine, ...]]]] = field(default_factory=list)
    """What ``mneme check`` asks besides."""
    alerts: list[Callable[[Texts], tuple[str, str]]] = field(default_factory=list)
    """Say a part and what the operator has to know of it, "" while that is nothing."""
    erased: list[Callable[[Scope], None]] = field(default_factory=list)
    """Told of every erase, to forget what they hold in memory."""
    stoppers: list[Callable[[Turn], bool]] = field(default_factory=list)
    """Say that the language model may not be asked for a turn."""


async def _at_once(_address: Address) -> None:
    """Wait for nothing: nothing runs yet."""


def _cannot_retrieve(_reading: Callable[[], bool]) -> Retrieval:
    raise LookupError("nothing is wired yet")


@dataclass(slots=True)
class App:
    """The joined parts.

    ``promote`` moves proven items of a scope up a layer; ``model`` makes the language model of the settings in force,
    ``None`` without one, ``learning`` what it does off the hot path and ``reranker`` the reranker; ``events`` tells
    what happens; ``close`` releases everything, in the right order.
    """

    places: Folders
    settings: LiveSettings
    clock: Clock
    database: Database
    embedder: Embedder
    may: May
    journal: Journal
    turns: TurnStore
    sessions: Sessions
    learning_queue: LearningQueue
    deliveries: PendingDeliveries
    doubts: UncertainDeliveries
    outbox: Outbox
    dead_letters: DeadLetters
    access: Access
    chats: Chats
    chat_settings: ChatSettingsStore
    rules: ChatRules
    recall: Recall
    rater: TextRater
    chronicle: Chronicle
    mentions: Mentions
    names: Names
    items: MemoryStore
    editor: MemoryEditor
    timeline: Timeline
    browser: MemoryBrowser
    eraser: Eraser
    undo: ErasureUndo
    records: ErasureRecords
    kept: KeptTexts
    longterm: LongTermMemory
    preferences: Preferences
    model: Callable[[], ChatModel | None]
    learning: Callable[[], tuple[Extraction, Summary] | None]
    reranker: Callable[[], Reranker | None]
    window: ModelWindow
    promote: Callable[[Scope], Awaitable[int]]
    housekeeping: Housekeeping
    events: EventBus
    tickets: Tickets
    buttons: Buttons
    close: Callable[[], Awaitable[None]]
    leases: Leases | None = None
    """Of a worker that shares the store with others."""
    problems: tuple[str, ...] = ()
    added: Additions = field(default_factory=Additions)
    shown: ShownLast = field(default_factory=ShownLast)
    troubles: dict[str, Callable[[], str]] = field(default_factory=dict)
    """By part ("store", "damage", a platform): what is wrong with it now, "" when nothing is."""
    remarks: dict[str, Callable[[], str]] = field(default_factory=dict)
    """By platform, or "config": what is worth knowing though nothing is wrong, "" when there is nothing."""
    tell_operator: dict[str, Callable[[str], Awaitable[None]]] = field(default_factory=dict)
    """By platform: sends the operator a sentence; :class:`~bot.errors.NotDelivered` asks to be tried again."""
    operator_at: dict[str, Callable[[], Address | None]] = field(default_factory=dict)
    """By platform: where the operator is told, ``None`` when nobody is named."""
    group_roles: dict[str, GroupRoles] = field(default_factory=dict)
    """By platform: who runs its groups."""
    menus: dict[str, Callable[[Address, str], Awaitable[None]]] = field(default_factory=dict)
    """By platform: shows a chat the menu of commands in a language, "" for that of each reader; never raises."""
    messengers: dict[str, Messenger] = field(default_factory=dict)
    """By platform."""
    abilities: dict[str, Abilities] = field(default_factory=dict)
    """By platform: what it can do; what is not named here can what most can."""
    file_sources: dict[str, FileSource] = field(default_factory=dict)
    """By platform: where the files of its messages lie."""
    clients: dict[str, Any] = field(default_factory=dict)  # Any: a library's own, for features of just that platform
    """By platform: the client of its library."""
    documents_to_search: DocumentSearch | None = None
    """Searched beside what was said, where a feature keeps documents."""
    meter: Callable[[ChatModel, UsageKind], ChatModel] = lambda model, _: model
    """Wraps a model whose calls are to be counted and bounded."""
    make_retrieval: Callable[[Callable[[], bool]], Retrieval] = _cannot_retrieve
    """Makes what both memories are asked by; it is told how to ask whether long-term memory is on."""
    chosen_skill: Callable[[Address, Session], str | None] = lambda *_: None
    """The skill that was chosen by command in a session, "off", or ``None``."""
    answered: Callable[[Address], Awaitable[None]] = _at_once
    """Waits until what a restart left of a chat is answered."""
    unsettled: Callable[[Delivery, Ending], None] = lambda *_: None
    """Takes deliveries whose fate is to be found out, or whose turn has not come."""
    rebuild: Callable[[], None] = lambda: None
    """Makes the pipeline anew, when what it was made of has changed."""
    wake: Callable[[Scope], None] = lambda _: None
    """Has what came into a scope embedded, and taken to long-term memory."""
    _ports: dict[type, object] = field(default_factory=dict)

    def provide(self, port: type[T], part: T) -> None:
        """Let other features use a part of this one, by its port."""
        self._ports[port] = part

    def find(self, port: type[T]) -> T | None:
        """Return what a feature provides for a port, ``None`` where none does."""
        return self._ports.get(port)  # type: ignore[return-value]  # provide() has seen to it

    def need(self, port: type[T]) -> T:
        """Return what a feature provides for a port.  Raises ``LookupError`` where none does."""
        part = self.find(port)
        if part is None:
            raise LookupError(f"no feature provides {port.__name__}")
        return part

    def add_channel(self, channel: Channel) -> None:
        """Have messages of a platform answered there; before Mneme runs."""
        name = channel.name
        self.messengers[name], self.abilities[name] = channel.messenger, channel.abilities
        self.rules.admits[name] = channel.admits
        optional: tuple[tuple[dict[str, Any], object], ...] = (  # Any: each holds what the channel has of its kind
            (self.file_sources, channel.files),
            (self.group_roles, channel.roles),
            (self.menus, channel.show_menu),
            (self.tell_operator, channel.tell_operator),
            (self.operator_at, channel.operator_at),
            (self.troubles, channel.trouble),
            (self.remarks, channel.remark),
            (self.clients, channel.client),
        )
        for by_platform, part in optional:
            if part is not None:
                by_platform[name] = part

    def find_abilities(self, platform: str) -> Abilities:
        """Return what a platform can do."""
        return self.abilities.get(platform, Abilities())

    def find_model(self, kind: UsageKind) -> ChatModel | None:
        """Return the model of the settings in force, its calls noted under ``kind``; ``None`` without one."""
        model = self.model()
        return None if model is None else self.meter(model, kind)


OpenApp = Callable[[Folders, LiveSettings], Awaitable[App]]
"""Opens the store of an installation and joins everything to it; whoever opens it closes it."""

Register = Callable[[App], Awaitable[None]]
"""Adds a feature."""
