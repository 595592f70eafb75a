"""Long pastes that a client cut into several messages."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.core.dispatch import SplitMessages
from bot.messages import Address, Author, InboundMessage

FIRST = InboundMessage(
    address=Address("telegram", 42, 7),
    update_id=1,
    message_id=10,
    author=Author(7, "Anna"),
    text="x" * 4096,
    sent_at=datetime(2026, 2, 7, tzinfo=UTC),
)


def test_parts_of_a_paste_share_a_group_id() -> None:
    """Two full messages and the rest, written within a second, are one."""
    pastes = SplitMessages()
    groups = []
    for message_id, text in ((10, FIRST.text), (11, FIRST.text), (12, "the rest"), (13, "another thing")):
        message = replace(FIRST, message_id=message_id, text=text)
        pastes.join(message)  # as if the disk had been full the first time
        joined = pastes.join(message)
        pastes.remember(joined)
        groups.append(joined.group_id)

    assert groups == ["paste:10", "paste:10", "paste:10", None]


def test_a_paste_has_an_end() -> None:
    """Who goes on and on makes several of them, and others are answered in between; red without a most."""
    pastes = SplitMessages()
    groups = []
    for message_id in range(10, 131):
        joined = pastes.join(replace(FIRST, message_id=message_id))
        pastes.remember(joined)
        groups.append(joined.group_id)

    assert [groups.count(f"paste:{first}") for first in (10, 60, 110)] == [50, 50, 21]


def test_others_later_messages_and_commands_do_not_join() -> None:
    """Only the same author's next words, at once, belong to a paste."""
    for other in (
        replace(FIRST, message_id=11, text="later", sent_at=FIRST.sent_at + timedelta(seconds=2)),
        replace(FIRST, message_id=11, text="other", author=Author(8, "Ben")),
        replace(FIRST, message_id=11, text="/new"),
    ):
        pastes = SplitMessages()
        pastes.remember(pastes.join(FIRST))

        assert pastes.join(other).group_id is None


def test_a_redelivered_part_keeps_its_group_id() -> None:
    """After a crash the first part comes again and is named the same."""
    assert SplitMessages().join(FIRST).group_id == SplitMessages().join(FIRST).group_id == "paste:10"
