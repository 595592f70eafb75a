"""Changes that no test can notice because they change nothing that anybody could see, each with its reason."""

from __future__ import annotations

WAIVED: dict[tuple[str, str], str] = {
    (
        "adapters/telegram/access/gate.py",
        "return chat_id",
    ): "a default beside the id itself, which is looked up, too: None in its place is on no list",
    (
        "bot/memory/secrets/checksums.py",
        "and len(set(digits)) > 1",
    ): "no issuer's range holds a number of one repeated figure that passes Luhn: the condition only saves time",
    (
        "bot/memory/secrets/checksums.py",
        "and len(set(digits)) > 1 → (2)",
    ): "as above, for two figures",
    (
        "bot/memory/secrets/redaction.py",
        "_RECENT: Final = 8",
    ): "how many results are kept to save time: what is found is the same",
    (
        "adapters/sqlite/erasure/tombstones.py",
        "upto: tuple[int, int] = (0, 0)",
    ): "a default for erases of single exchanges, of which nobody asks for it: only a whole scope's has an end",
    (
        "adapters/sqlite/erasure/tombstones.py",
        'torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\\n" → (2)',
    ): "two bytes asked for where the last one is left give that one; the other change of this line is killed",
    (
        "adapters/sqlite/erasure/tombstones.py",
        "for number, line in enumerate(lines, start=1):",
    ): "the number is only told to the operator",
    (
        "bot/config/live.py",
        "data = file.read(_MOST_BYTES + 1) → (2)",
    ): "one byte more than may be read says too much, and so do two",
    (
        "adapters/sqlite/rows/outbox_rows.py",
        "for part, mark in sorted(zip(said, (_USER, _ASSISTANT), strict=True), key=lambda pair: -len(pair[0])): → False",  # noqa: E501 - as the line stands
    ): "both are pairs by their types",
    (
        "adapters/sqlite/rows/outbox_rows.py",
        "text = text.replace(part, mark, 1) if part else text → (2)",
    ): "a text that the document holds twice is stored as two marks and comes back twice",
    (
        "adapters/sqlite/conversations/deliveries.py",
        "int(begun or lost),",
    ): "how often a reply was tried is kept for whoever looks into the file; nothing depends on it",
    (
        "bot/config/live.py",
        "await asyncio.sleep(0) → pass",
    ): "a courtesy to other tasks: reading the file waits, too",
}
"""The file and the stripped source line, with " → " and the replacement where only one change of it is meant; why."""
