"""Stop buttons: bound to a turn, its chat and its asker, and to nothing that outlives the answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.live_draft import StopButtons
from bot.errors import ButtonRefused
from bot.messages import Author, InboundMessage, MessageKind
from tests.cases import each_row
from tests.systems.memory_fakes import said


def pressed(data: str, *, user: int | None = None, chat: int | None = None) -> InboundMessage:
    """The asker's press in the chat of the turn, or somebody else's elsewhere."""
    message = replace(said("hi").message, kind=MessageKind.BUTTON, text=data)
    if user is not None:
        message = replace(message, author=Author(user, "Bert"))
    return message if chat is None else replace(message, address=replace(message.address, chat_id=chat))


def test_it_ends_its_own_turn_alone() -> None:
    """Two answers are being written; the other goes on."""
    stops, one, two = StopButtons(), said("hi"), said("ho")
    with stops.offer(one, "Stop") as (_, first), stops.offer(two, "Stop") as (_, second):
        assert stops.press(pressed(first))
        assert stops.press(pressed(first))

    assert first != second
    assert (one.stop.is_set(), two.stop.is_set()) == (True, False)


@each_row(("user", "chat", "spent"), [(999, None, False), (None, -77, False)])
def test_somebody_elses_or_somewhere_elses_is_refused(user: int | None, chat: int | None, spent: bool) -> None:  # noqa: FBT001 - a column of a table
    """Whoever reads along in a group may not end it; data copied into another chat means nothing there."""
    stops, turn = StopButtons(), said("hi")
    with stops.offer(turn, "Stop") as (_, data), pytest.raises(ButtonRefused) as told:
        stops.press(pressed(data, user=user, chat=chat))

    assert told.value.spent is spent
    assert not turn.stop.is_set()


def test_afterwards_it_is_spent() -> None:
    """The answer is there, or another process had shown the button: it may be taken away."""
    stops = StopButtons()
    with stops.offer(said("hi"), "Stop") as (_, data):
        pass
    with pytest.raises(ButtonRefused) as told:
        stops.press(pressed(data))

    assert told.value.spent
    assert not stops.press(pressed("another button's data"))
