"""The operator is told what needs a hand: once, in time, and not again by a restart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.errors import DeliveryUnknown, NotDelivered, StorageUnavailable
from bot.runtime.alerts import OwnerAlerts
from language.registry import get_texts
from language.texts import Texts


@dataclass
class Clock:
    at: datetime = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return 0.0


@dataclass
class Bot:
    """An installation with troubles, and an operator who reads."""

    file: Path
    wrong: dict[str, str] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)
    failure: Exception | None = None
    store_broken: bool = False

    def alerts(self) -> OwnerAlerts:
        """What a start makes."""
        troubles = {name: self._trouble(name) for name in ("store", "telegram", "damage")}
        texts = get_texts("en")
        return OwnerAlerts(troubles, self._counted, {"here": self._tell}, lambda: texts, self.clock, self.file)

    def _trouble(self, name: str) -> Callable[[], str]:
        return lambda: self.wrong.get(name, "")

    async def _counted(self, texts: Texts) -> Mapping[str, str]:
        if self.store_broken:
            raise StorageUnavailable("disk full")
        return {"dead letters": self.wrong.get("dead letters", "")}

    async def _tell(self, text: str) -> None:
        if self.failure is not None:
            raise self.failure
        self.read.append(text)


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    return Bot(tmp_path / "alerts.json")


async def test_a_lasting_trouble_is_told_once_and_its_end_too(bot: Bot) -> None:
    """It is told at the second look, not again at the next hundred, and when it is over."""
    alerts = bot.alerts()
    bot.wrong["store"] = "the disk is full"
    for _ in range(100):
        await alerts.look()
    bot.wrong.clear()
    for _ in range(100):
        await alerts.look()

    assert bot.read == ["This Mneme needs a hand: the disk is full", "Solved: the disk is full"]


async def test_what_is_gone_at_the_next_look_was_no_trouble(bot: Bot) -> None:
    """A restart that overlaps for a second does not wake anybody."""
    alerts = bot.alerts()
    for _ in range(5):
        bot.wrong["telegram"] = "another instance is running"
        await alerts.look()
        bot.wrong.clear()
        await alerts.look()

    assert bot.read == []


async def test_a_restart_does_not_tell_it_again_but_a_day_does(bot: Bot) -> None:
    """What was told is kept over restarts; a trouble nobody mends is told every day."""
    bot.wrong["dead letters"] = "gave up: 3"
    for _ in range(3):
        alerts = bot.alerts()
        await alerts.look()
        await alerts.look()
    bot.clock.at += timedelta(days=1)
    await alerts.look()

    assert bot.read == ["This Mneme needs a hand: gave up: 3"] * 2


async def test_a_trouble_that_comes_and_goes_is_told_once_an_hour(bot: Bot) -> None:
    """Sixty changes in an hour are two sentences."""
    alerts = bot.alerts()
    for minute in range(60):
        bot.wrong = {"telegram": "409"} if minute % 6 < 3 else {}
        await alerts.look()
        bot.clock.at += timedelta(minutes=1)

    assert len(bot.read) == 2


@pytest.mark.parametrize(("failure", "told"), [(NotDelivered("down"), 1), (DeliveryUnknown("cut off"), 0)])
async def test_what_surely_did_not_arrive_is_told_later(bot: Bot, failure: Exception, told: int) -> None:
    """A sentence that may have arrived is not repeated."""
    alerts = bot.alerts()
    bot.wrong["store"], bot.failure = "the disk is full", failure
    await alerts.look()
    await alerts.look()
    bot.failure = None
    await alerts.look()

    assert len(bot.read) == told


async def test_a_store_that_cannot_be_asked_keeps_nothing_else_from_the_operator(bot: Bot) -> None:
    """Counting fails; what the parts say is told."""
    alerts = bot.alerts()
    bot.wrong["damage"], bot.store_broken = "mneme.db was damaged", True
    await alerts.look()
    await alerts.look()

    assert bot.read == ["This Mneme needs a hand: mneme.db was damaged"]


@pytest.mark.parametrize("content", ["", "[]", '{"store": 7}', "\x00", '{"store": ["yesterday", "x", false]}'])
async def test_a_damaged_note_of_what_was_told_is_no_obstacle(bot: Bot, content: str) -> None:
    """The worst that it costs is a sentence too many."""
    bot.file.write_text(content, encoding="utf-8")
    alerts = bot.alerts()
    bot.wrong["store"] = "the disk is full"
    await alerts.look()
    await alerts.look()

    assert len(bot.read) == 1
