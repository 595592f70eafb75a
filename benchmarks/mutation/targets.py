"""The code that keeps people's data safe, and the tests that guard it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A safety mechanism: its files, and the tests (files or folders) of which one must fail for every change."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


_STORE = "adapters/sqlite"
_CONTRACTS = "tests/contracts"

TARGETS = (
    Target(
        "gate",
        ("adapters/telegram/access/gate.py",),
        ("tests/adapters/telegram/test_gate_rules.py", "tests/adapters/telegram/test_gate.py"),
    ),
    Target(
        "pairing",
        ("adapters/telegram/access/pairing.py",),
        ("tests/adapters/telegram/test_pairing.py", "tests/adapters/telegram/test_gate.py"),
    ),
    Target(
        "scope",
        ("bot/memory/scope.py",),
        ("tests/bot/memory/test_scope.py", "tests/bot/compose/test_scopes.py"),
    ),
    Target("fences", ("bot/memory/prompt/fencing.py",), ("tests/bot/memory/prompt",)),
    Target(
        "redaction",
        tuple(f"bot/memory/secrets/{name}.py" for name in ("checksums", "folding", "redaction")),
        ("tests/bot/memory/secrets",),
    ),
    Target(
        "erase",
        tuple(f"{_STORE}/{name}.py" for name in ("eraser", "erasure", "erasure_rows")),
        (
            "tests/adapters/sqlite/test_erased_bytes.py",
            f"{_CONTRACTS}/test_eraser.py",
            "tests/adapters/sqlite/test_undo.py",
            "tests/bot/compose/test_erases_last.py",
            "tests/adapters/sqlite/test_derived_index.py",
            "tests/adapters/sqlite/test_erased_parts.py",
        ),
    ),
    Target(
        "tombstones",
        (f"{_STORE}/tombstones.py",),
        (
            "tests/adapters/sqlite/test_tombstones.py",
            "tests/adapters/sqlite/test_undo.py",
            "tests/bot/compose/test_erases_last.py",
            "tests/adapters/sqlite/test_erased_bytes.py",
        ),
    ),
    Target(
        "journal",
        (f"{_STORE}/journal.py",),
        (f"{_CONTRACTS}/test_journal.py", "tests/adapters/sqlite/test_retention.py", f"{_CONTRACTS}/test_turns.py"),
    ),
    Target(
        "outbox",
        (f"{_STORE}/outbox.py", f"{_STORE}/outbox_rows.py"),
        (
            f"{_CONTRACTS}/test_outbox.py",
            "tests/adapters/sqlite/test_outbox_order.py",
            "tests/bot/runtime/test_dead_letters.py",
        ),
    ),
    Target(
        "deliveries",
        (f"{_STORE}/deliveries.py",),
        (
            f"{_CONTRACTS}/test_deliveries.py",
            "tests/bot/runtime/test_aftercare.py",
            "tests/adapters/sqlite/test_retention.py",
        ),
    ),
    Target(
        "config swap",
        ("bot/config/live.py",),
        ("tests/bot/config/test_live.py", "tests/bot/compose/test_settings_in_force.py"),
    ),
)
