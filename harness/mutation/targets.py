"""The code that keeps people's data safe, the tests that guard it, and changes that no test can notice.

Files are named by what they define, so that a renamed or moved one is still found, or its import fails.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.documents.confinement import confine, filter_calls
from adapters.page.gate import Gate, Sessions
from adapters.sqlite.connection import migrate
from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.erasure.cascade import EraseCascade
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.erasure.erasure_rows import is_erase_pending
from adapters.sqlite.erasure.tombstones import Tombstone
from adapters.sqlite.items.evidence import SaidWords
from adapters.sqlite.lists import SqliteLists
from adapters.sqlite.outbox import SqliteOutbox
from adapters.sqlite.reminders import SqliteReminders
from adapters.sqlite.rows.codec import dump_message
from adapters.sqlite.rows.outbox import enqueue_document
from adapters.sqlite.tickets import SqliteTickets
from adapters.telegram.access import AccessControl, Pairing
from bot.commands.remember import Keep
from bot.config.live import LiveSettings
from bot.features.costs.budgets import Budgets
from bot.features.lists.matching import match_thing, read_ticked
from bot.features.lists.reading import read_added
from bot.features.reminders.clock import ReminderClock
from bot.features.tools.register import Allow
from bot.features.transfer.importing import plan_exchanges
from bot.features.transfer.restoring import plan_turns
from bot.features.transfer.source import open_source
from bot.memory.prompt.rendering import render_context
from bot.memory.prompt.selection import select_memories
from bot.memory.sanitise import fence_block, hold_back_mark, make_mark, remove_mark
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import Redacted, fold_spelling
from bot.memory.secrets.shapes import is_luhn
from systems.s20_context_building.retrieval import Retrieval

ROOT = Path(__file__).resolve().parents[2]
Definition = Callable[..., Any]  # Any: a class or function, which is looked for and not called


def file_of(definition: Definition) -> str:
    """Return the file of a class or function, relative to the root of the tree."""
    source = inspect.getsourcefile(definition)
    if source is None:
        raise LookupError(f"{definition} has no source file")
    return str(Path(source).resolve().relative_to(ROOT))


@dataclass(frozen=True, slots=True)
class Target:
    """A safety mechanism: definitions in its files, and tests (files or folders) of which one must fail."""

    name: str
    definitions: tuple[Definition, ...]
    tests: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are changed, relative to the root of the tree."""
        return tuple(dict.fromkeys(map(file_of, self.definitions)))


_CONTRACTS = "tests/contracts"

TARGETS = (
    Target(
        "gate",
        (AccessControl,),
        ("tests/adapters/telegram/test_access_rules.py", "tests/adapters/telegram/test_access.py"),
    ),
    Target(
        "pairing",
        (Pairing,),
        ("tests/adapters/telegram/test_pairing.py", "tests/adapters/telegram/test_access.py"),
    ),
    Target(
        "scope",
        (Scope,),
        ("tests/bot/memory/test_scope.py", "tests/bot/compose/test_scopes.py"),
    ),
    Target(
        "fences",
        (fence_block, make_mark, remove_mark, hold_back_mark),
        ("tests/bot/memory/prompt/test_fencing.py", "tests/bot/memory/prompt", "tests/promises/test_front.py"),
    ),
    Target(
        "redaction",
        (is_luhn, fold_spelling, Redacted),
        ("tests/bot/memory/secrets",),
    ),
    Target(
        "erase",
        (SqliteEraser, EraseCascade, is_erase_pending),
        (
            "tests/adapters/sqlite/test_erased_bytes.py",
            f"{_CONTRACTS}/test_eraser.py",
            "tests/adapters/sqlite/test_undo.py",
            "tests/bot/compose/test_erases_last.py",
            "tests/adapters/sqlite/test_exchange_index.py",
            "tests/adapters/sqlite/test_erased_parts.py",
            "tests/adapters/sqlite/test_candidates.py",
            "tests/adapters/sqlite/turn_search",
        ),
    ),
    Target(
        "tombstones",
        (Tombstone,),
        (
            "tests/adapters/sqlite/test_tombstones.py",
            "tests/adapters/sqlite/test_undo.py",
            "tests/bot/compose/test_erases_last.py",
            "tests/adapters/sqlite/test_erased_bytes.py",
        ),
    ),
    Target(
        "journal",
        (SqliteJournal,),
        (f"{_CONTRACTS}/test_journal.py", "tests/adapters/sqlite/test_retention.py", f"{_CONTRACTS}/test_turns.py"),
    ),
    Target(
        "outbox",
        (SqliteOutbox, enqueue_document),
        (
            f"{_CONTRACTS}/test_outbox.py",
            "tests/adapters/sqlite/test_outbox_order.py",
            "tests/bot/runtime/test_dead_letters.py",
            "tests/adapters/sqlite/test_deferred.py",
        ),
    ),
    Target(
        "deliveries",
        (SqliteDeliveries,),
        (
            f"{_CONTRACTS}/test_deliveries.py",
            "tests/bot/runtime/test_delivery_recovery.py",
            "tests/adapters/sqlite/test_retention.py",
            "tests/bot/runtime/test_edits.py",
            "tests/bot/runtime/test_buttons.py",
        ),
    ),
    Target(
        "config swap",
        (LiveSettings,),
        (
            "tests/bot/config/test_live.py",
            "tests/bot/compose/test_settings_in_force.py",
            "tests/bot/runtime/test_settings_while_running.py",
            "tests/bot/compose/test_every_setting.py",
        ),
    ),
    Target(
        "import trust",
        (plan_turns, plan_exchanges, open_source),
        (
            "tests/bot/features/transfer/test_restoring.py",
            "tests/bot/features/transfer/test_importing.py",
            "tests/bot/features/transfer/test_import_masking.py",
            "tests/e2e/test_restore.py",
            "tests/bot/features/transfer/test_import.py",
            "tests/bot/features/transfer/test_import_in_chat.py",
        ),
    ),
    Target(
        "page gate",
        (Gate, Sessions),
        (
            "tests/bot/features/page/test_gate_alone.py",
            "tests/bot/features/page/test_gate.py",
            "tests/bot/features/page/test_connections.py",
            "tests/bot/features/page/test_mini_app.py",
        ),
    ),
    Target(
        "confirmations",
        (Allow, Keep, SqliteTickets),
        (
            "tests/adapters/sqlite/test_tickets.py",
            "tests/bot/commands/test_confirm_memory.py",
            "tests/adapters/tools",
            "tests/bot/features/tools/test_tool_calls.py",
            "tests/adapters/mcp/test_consent.py",
            "tests/adapters/mcp/test_servers.py",
        ),
    ),
    Target(
        "reminders",
        (ReminderClock, SqliteReminders),
        (
            "tests/adapters/sqlite/test_reminders.py",
            "tests/bot/features/reminders/test_reminding.py",
            "tests/bot/features/reminders/test_reminder_buttons.py",
            "tests/bot/runtime/test_scheduling.py",
        ),
    ),
    Target(
        "lists",
        (SqliteLists, read_added, read_ticked, match_thing),
        (
            f"{_CONTRACTS}/test_lists.py",
            "tests/bot/features/lists/test_reading.py",
            "tests/bot/features/lists/test_keeping.py",
        ),
    ),
    Target(
        "budgets",
        (Budgets,),
        ("tests/bot/features/costs/test_budgets.py", f"{_CONTRACTS}/test_usage.py", "tests/bot/core/test_costs.py"),
    ),
    Target(
        "codec",
        (dump_message,),
        ("tests/adapters/sqlite/test_codec.py", f"{_CONTRACTS}/test_turns.py", f"{_CONTRACTS}/test_journal.py"),
    ),
    Target(
        "migrations",
        (migrate,),
        (
            "tests/adapters/sqlite/test_old_stores.py",
            "tests/adapters/sqlite/test_tickets.py",
            "tests/adapters/sqlite/test_database.py",
        ),
    ),
    Target(
        "supersession",
        (SaidWords,),
        (
            f"{_CONTRACTS}/test_memory.py",
            "tests/bot/commands/test_memory.py",
            "tests/promises/test_replaced.py",
        ),
    ),
    Target(
        "prompt assembly",
        (render_context, select_memories),
        ("tests/bot/memory/prompt", "tests/systems/test_s20_context_building.py"),
    ),
    Target(
        "retrieval",
        (Retrieval,),
        ("tests/systems/test_s20_retrieval.py", "tests/systems/test_s20_longterm.py"),
    ),
    Target(
        "confinement",
        (confine, filter_calls),
        ("tests/adapters/documents/test_confinement.py", "tests/adapters/documents/test_hostile.py"),
    ),
)

_DEFINED = {definition.__name__: definition for target in TARGETS for definition in target.definitions}
WAIVED: dict[tuple[str, str], str] = {
    (file_of(_DEFINED[one["in"]]), one["line"]): one["reason"]
    for one in map(json.loads, Path(__file__).with_name("waived.jsonl").read_text(encoding="utf-8").splitlines())
}
"""Changes that change nothing anybody could see, each with its reason.

A key is the file and the stripped source line, with " → " and the replacement where only one change of it is meant."""
