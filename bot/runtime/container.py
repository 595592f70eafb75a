"""Everything of which there is one, as the ports that the rest sees.

Production builds it with :func:`bot.compose.building.open_parts`; a test builds the same and replaces what it wants to
break.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from adapters.events import EventBus
from adapters.mcp.servers import McpServers
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.core.sessions import Extraction, Summary
from bot.features.costs.budgets import Budgets
from bot.features.transfer.worker import ImportWorker
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.access import Access
from bot.ports.awaited_texts import AwaitedTexts
from bot.ports.buttons import Buttons
from bot.ports.chat_model import ChatModel
from bot.ports.chat_settings import ChatSettingsStore
from bot.ports.chats import Chats
from bot.ports.chronicle import Chronicle
from bot.ports.clock import Clock
from bot.ports.deliveries import Deliveries, UncertainDeliveries
from bot.ports.document_store import DocumentSearch, DocumentStore
from bot.ports.documents import DocumentReader, PageFetcher
from bot.ports.embedder import Embedder
from bot.ports.eraser import Eraser, ErasureRecords, ErasureUndo, KeptTexts
from bot.ports.exporter import Exporter
from bot.ports.files import FileSource
from bot.ports.group_roles import GroupRoles
from bot.ports.journal import Journal
from bot.ports.learning_queue import LearningQueue
from bot.ports.memory_browser import MemoryBrowser
from bot.ports.memory_store import MemoryEditor, MemoryStore
from bot.ports.messenger import Messenger
from bot.ports.names import Names
from bot.ports.outbox import DeadLetters, Outbox
from bot.ports.page import MemoryPage
from bot.ports.pending_calls import PendingCalls
from bot.ports.preferences import Preferences
from bot.ports.proposals import Proposals
from bot.ports.recall import Recall
from bot.ports.reminders import ReminderAgenda, Reminders
from bot.ports.reranker import Reranker
from bot.ports.skill_memory import SkillMemory
from bot.ports.timeline import Timeline
from bot.ports.turn_store import Sessions, TurnStore
from bot.ports.usage import UsageLedger
from bot.ports.users import UserDirectory
from bot.runtime.chat_rules import ChatRules
from bot.runtime.housekeeping import Housekeeping
from bot.runtime.long_term_memory import LongTermMemory
from bot.runtime.model_window import ModelWindow


@dataclass(frozen=True, slots=True)
class Container:
    """The joined adapters.

    ``promote`` moves proven items of a scope up a layer; ``model`` makes the language model of the settings in force,
    ``None`` without one, ``learning`` what it does off the hot path and ``reranker`` the reranker; ``events`` tells
    what happens; ``close`` releases everything, in the right order.
    """

    places: Folders
    settings: LiveSettings
    clock: Clock
    embedder: Embedder
    journal: Journal
    turns: TurnStore
    sessions: Sessions
    learning_queue: LearningQueue
    deliveries: Deliveries
    doubts: UncertainDeliveries
    outbox: Outbox
    dead_letters: DeadLetters
    access: Access
    chats: Chats
    recall: Recall
    chronicle: Chronicle
    names: Names
    items: MemoryStore
    editor: MemoryEditor
    timeline: Timeline
    browser: MemoryBrowser
    eraser: Eraser
    undo: ErasureUndo
    records: ErasureRecords
    exporter: Exporter
    kept: KeptTexts
    longterm: LongTermMemory
    preferences: Preferences
    chosen_skills: SkillMemory
    model: Callable[[], ChatModel | None]
    learning: Callable[[], tuple[Extraction, Summary] | None]
    reranker: Callable[[], Reranker | None]
    promote: Callable[[Scope], Awaitable[int]]
    housekeeping: Housekeeping
    events: EventBus
    close: Callable[[], Awaitable[None]]
    proposals: Proposals
    buttons: Buttons
    awaited: AwaitedTexts
    pending_calls: PendingCalls
    tool_servers: McpServers
    usage: UsageLedger
    budgets: Budgets
    window: ModelWindow
    documents: DocumentStore
    document_search: DocumentSearch
    users: UserDirectory
    chat_settings: ChatSettingsStore
    rules: ChatRules
    document_reader: DocumentReader
    page_fetcher: PageFetcher
    imports: ImportWorker
    reminders: Reminders
    agenda: ReminderAgenda
    reminder_woken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a reminder may come before all that are known."""
    problems: tuple[str, ...] = ()
    troubles: dict[str, Callable[[], str]] = field(default_factory=dict)
    """By part ("store", "damage", a platform): what is wrong with it now, "" when nothing is."""
    remarks: dict[str, Callable[[], str]] = field(default_factory=dict)
    """By platform, or "config": what is worth knowing though nothing is wrong, "" when there is nothing."""
    tell_operator: dict[str, Callable[[str], Awaitable[None]]] = field(default_factory=dict)
    """By platform: sends the operator a sentence; :class:`~bot.errors.NotDelivered` asks to be tried again."""
    operator_at: dict[str, Callable[[], Address | None]] = field(default_factory=dict)
    """By platform: where the operator is told, ``None`` when nobody is named."""
    group_roles: dict[str, GroupRoles] = field(default_factory=dict)
    """By platform: who runs its groups; filled by the entry points."""
    menus: dict[str, Callable[[Address, str], Awaitable[None]]] = field(default_factory=dict)
    """By platform: shows a chat the menu of commands in a language, "" for that of each reader; never raises."""
    pages: dict[str, MemoryPage | None] = field(default_factory=dict)
    """"" the page on this machine, and by platform one that the platform opens by itself (``None``)."""
    messengers: dict[str, Messenger] = field(default_factory=dict)
    """By platform, filled by the entry points."""
    file_sources: dict[str, FileSource] = field(default_factory=dict)
    """By platform, filled by the entry points: where the files of its messages lie."""
