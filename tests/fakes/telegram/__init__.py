"""A strict fake of Telegram's Bot API over real HTTP."""

from __future__ import annotations

from tests.fakes.telegram.chats import Shown
from tests.fakes.telegram.floods import Fault
from tests.fakes.telegram.server import FakeTelegram

__all__ = ["FakeTelegram", "Fault", "Shown"]
