"""The code that keeps people's data safe, the tests that guard it, and changes that no test can notice.

Files are named by what they define, so that a renamed or moved one is still found, or its import fails.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.documents.confinement import confine, filter_calls
from adapters.page.gate import Gate
from adapters.page.sessions import Sessions
from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.proposals import SqliteProposals
from adapters.sqlite.erasure.cascade import EraseCascade
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.erasure.erasure_rows import is_erase_pending
from adapters.sqlite.erasure.tombstones import Tombstone
from adapters.sqlite.outbox.store import SqliteOutbox
from adapters.sqlite.pending.calls import SqlitePendingCalls
from adapters.sqlite.reminders.store import SqliteReminders
from adapters.sqlite.rows.outbox import enqueue_document
from adapters.telegram.access.access_control import AccessControl
from adapters.telegram.access.pairing import Pairing
from bot.commands.confirm_memory import Keep
from bot.config.live import LiveSettings
from bot.features.costs.budgets import Budgets
from bot.features.reminders.clock import ReminderClock
from bot.features.tools.confirm_call import Allow
from bot.features.transfer.importing import plan_exchanges
from bot.features.transfer.restoring import plan_turns
from bot.features.transfer.source import open_source
from bot.memory.sanitise import fence_block, hold_back_mark, make_mark, remove_mark
from bot.memory.scope import Scope
from bot.memory.secrets.financial import is_luhn
from bot.memory.secrets.redaction import Redacted, fold_spelling

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
            "tests/bot/core/test_restoring.py",
            "tests/bot/core/test_importing.py",
            "tests/bot/compose/test_import_masking.py",
            "tests/e2e/test_restore.py",
            "tests/e2e/test_import.py",
            "tests/e2e/test_import_in_chat.py",
        ),
    ),
    Target(
        "page gate",
        (Gate, Sessions),
        (
            "tests/adapters/page/test_gate_alone.py",
            "tests/adapters/page/test_gate.py",
            "tests/adapters/page/test_connections.py",
            "tests/adapters/page/test_mini_app.py",
        ),
    ),
    Target(
        "confirmations",
        (Allow, Keep, SqlitePendingCalls, SqliteProposals),
        (
            "tests/adapters/sqlite/test_pending.py",
            "tests/bot/commands/test_confirm_memory.py",
            "tests/adapters/tools",
            "tests/bot/runtime/test_tool_calls.py",
            "tests/adapters/mcp/test_consent.py",
            "tests/adapters/mcp/test_servers.py",
        ),
    ),
    Target(
        "reminders",
        (ReminderClock, SqliteReminders),
        (
            "tests/adapters/sqlite/test_reminders.py",
            "tests/bot/runtime/test_reminding.py",
            "tests/bot/runtime/test_reminder_buttons.py",
            "tests/bot/runtime/test_scheduling.py",
        ),
    ),
    Target(
        "budgets",
        (Budgets,),
        ("tests/bot/runtime/test_budgets.py", f"{_CONTRACTS}/test_usage.py", "tests/bot/core/test_costs.py"),
    ),
    Target(
        "confinement",
        (confine, filter_calls),
        ("tests/adapters/documents/test_kernel_guards.py", "tests/adapters/documents/test_hostile.py"),
    ),
)

WAIVED: dict[tuple[str, str], str] = {
    (
        file_of(AccessControl),
        "return chat_id",
    ): "a default beside the id itself, which is looked up, too: None in its place is on no list",
    (
        file_of(is_luhn),
        "and len(set(digits)) > 1",
    ): "no issuer's range holds a number of one repeated figure that passes Luhn: the condition only saves time",
    (
        file_of(is_luhn),
        "and len(set(digits)) > 1 → (2)",
    ): "as above, for two figures",
    (
        file_of(Redacted),
        "_RECENT: Final = 8",
    ): "how many results are kept to save time: what is found is the same",
    (
        file_of(Tombstone),
        "upto: tuple[int, int, int] = (0, 0, 0)",
    ): "a default for erases of single exchanges, of which nobody asks for it: only a whole scope's has an end",
    (
        file_of(Tombstone),
        'torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\\n" → (2)',
    ): "two bytes asked for where the last one is left give that one; the other change of this line is killed",
    (
        file_of(Tombstone),
        "for number, line in enumerate(lines, start=1):",
    ): "the number is only told to the operator",
    (
        file_of(LiveSettings),
        "data = file.read(_MOST_BYTES + 1) → (2)",
    ): "one byte more than may be read says too much, and so do two",
    (
        file_of(enqueue_document),
        "for part, mark in sorted(zip(said, (_USER, _ASSISTANT), strict=True), key=lambda pair: -len(pair[0])): → False",  # noqa: E501 - as the line stands
    ): "both are pairs by their types",
    (
        file_of(enqueue_document),
        "text = text.replace(part, mark, 1) if part else text → (2)",
    ): "a text that the document holds twice is stored as two marks and comes back twice",
    (
        file_of(SqliteDeliveries),
        "int(begun or lost),",
    ): "how often a reply was tried is kept for whoever looks into the file; nothing depends on it",
    (
        file_of(filter_calls),
        "return bool(libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0) == 0)",
    ): "the kernel looks at no argument behind the signal; the number of it and the answer are killed",
    (
        file_of(filter_calls),
        "if ruleset < 0:",
    ): "descriptor 0 is open in every process of ours: a set of rules never has it",
    (
        file_of(filter_calls),
        "return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program, 0, 0) == 0)",
    ): "the kernel looks at no argument behind the program; a filter that is not there is killed",
    (
        file_of(filter_calls),
        "return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)",
    ): "a kernel that knows no flags refuses any: a set that is not enforced is killed",
    (
        file_of(Gate),
        "took = round((time.perf_counter() - began) * 1000, 1)",
    ): "what the log says of the time that a page took",
    (
        file_of(plan_exchanges),
        "session_id=0,",
    ): "the store opens a session for what is imported, whatever stands here",
    (
        file_of(ReminderClock),
        "_AT_ONCE: Final = 50",
    ): "how many are read at a time: the next ones are read right behind them",
    (
        file_of(Budgets),
        "key = (model, used.cost is not None)",
    ): "only keeps what was reported and what was not apart, whichever of them is called true",
    (
        file_of(LiveSettings),
        "await asyncio.sleep(0) → pass",
    ): "a courtesy to other tasks: reading the file waits, too",
}
"""Changes that change nothing anybody could see, each with its reason.

A key is the file and the stripped source line, with " → " and the replacement where only one change of it is meant."""
