"""Budgets: they warn once, stop the background first and answers before they begin, and say so."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from adapters.llm.usage import MeteredChat
from adapters.sqlite.conversations.usage import SqliteUsage
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from bot.errors import BudgetSpent, CommandInvalid
from bot.features.costs.register import Budgets
from bot.features.costs.settings import BudgetSettings, CostsSettings, PriceSettings
from bot.features.costs.terminal import run_usage
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import Author
from bot.turn import Usage, UsageKind, charged_to
from harness.application import NO_RAG, ScriptedModel, run_chats, run_console
from harness.samples import SCOPE, HeldClock, WordEmbedder
from tests.adapters.llm.test_usage import complete
from tests.cases import each_row

LLM = {"url": "http://127.0.0.1:9/v1", "model": "scripted", "contextTokens": 16_000}
OWNER = Author(1000, "Anna", Trust.OWNER)
OTHER = Scope("tu43")
DAY = BudgetSettings(day_tokens=100)


@asynccontextmanager
async def counted(folder: Path, costs: CostsSettings) -> AsyncIterator[tuple[Budgets, Database, HeldClock]]:
    database, clock = Database(folder / "mneme.db", ROOMS), HeldClock(datetime(2026, 2, 27, 23, 30, tzinfo=UTC))
    await database.open()
    budgets = Budgets(SqliteUsage(database, clock.now), lambda: costs, clock)
    await budgets.load()
    yield budgets, database, clock
    await database.close()


def chats_with(folder: Path, costs: dict[str, Any], said: list[str] | None = None) -> Any:  # Any: settings as JSON
    """Run chats whose model uses two tokens a call."""
    model = ScriptedModel(lambda messages, _: "Vera lives in Porto.", (said if said is not None else []).append)
    return run_chats(folder, {**NO_RAG, "llm": LLM, "costs": costs}, WordEmbedder(), model=model)


async def test_a_chat_that_has_nothing_left_is_answered_from_memory(tmp_path: Path) -> None:
    """The other chat goes on; the owner hears which setting to raise, others hear that the owner can.

    Seen to fail with ``paid_for`` left out of the tool loop.
    """
    read: list[str] = []
    async with chats_with(tmp_path, {"chat": {"dayTokens": 4}}, read) as chats:
        for _ in range(2):
            await chats.say(0, "My sister Vera lives in Porto.")
        asked = len(read)
        stopped = await chats.say(0, "Where does my sister live?")
        told = await chats.say(0, "Where does my sister live?", author=OWNER)
        calls = len(read) - asked
        other = await chats.say(1, "Where does my sister live?")

    assert calls == 0
    assert "Porto" in stopped
    assert "Nothing is left of this chat's budget for today" in stopped
    assert "costs." not in stopped
    assert "costs.chat.dayTokens" in told
    assert other == "Vera lives in Porto."


async def test_a_raised_budget_acts_at_once(tmp_path: Path) -> None:
    """Nothing is to be restarted, and what was spent is not forgotten by a restart."""
    async with chats_with(tmp_path, {"chat": {"dayTokens": 4}}) as chats:
        for _ in range(2):
            await chats.say(0, "My sister Vera lives in Porto.")
    async with chats_with(tmp_path, {"chat": {"dayTokens": 4}}) as chats:
        stopped = await chats.say(0, "Where does she live?")
        chats.configure({**NO_RAG, "llm": LLM, "costs": {"chat": {"dayTokens": 100}}})
        raised = await chats.say(0, "Where does she live?")

    assert "Nothing is left" in stopped
    assert raised == "Vera lives in Porto."


async def test_sentences_about_money_are_no_memories(tmp_path: Path) -> None:
    """They stand under the answer, and in nothing that is kept of it."""
    async with chats_with(tmp_path, {"chat": {"dayTokens": 4}}) as chats:
        answers = [await chats.say(0, "My sister Vera lives in Porto.") for _ in range(3)]
        kept = await chats.parts.housekeeping.database.read(
            lambda db: [row[0] for row in db.execute("SELECT assistant_text FROM exchanges")]
        )

    assert "budget" in answers[-1]
    assert len(kept) == 3
    assert not any("budget" in text for text in kept)


async def test_a_budget_is_overrun_by_the_turns_under_way_alone(tmp_path: Path) -> None:
    """However many chats ask at once: what begins when it is spent asks nobody.

    Seen to fail with ``paid_for`` left out of the tool loop.
    """
    read: list[str] = []
    async with chats_with(tmp_path, {"total": {"monthTokens": 6}}, read) as chats:
        for chat in range(8):
            for number in range(4):
                await chats.tell(chat, f"Message {number} of {chat}.")
        await chats.app.answered()
        standing = chats.parts.need(Budgets).find_stop(Scope("tu1000"))

    assert standing is not None
    assert standing.spent == 2 * len(read)
    assert len(read) <= 3 + 8, "three fit, and of each chat one turn can be under way"


async def test_the_owner_is_told_of_the_budget_of_all(tmp_path: Path) -> None:
    """Once when little is left, once when nothing is; nobody else hears of it before it stops them."""
    told: list[str] = []
    async with chats_with(tmp_path, {"total": {"monthTokens": 10}}) as chats:

        async def tell(text: str) -> None:
            told.append(text)

        chats.parts.tell_operator["telegram"] = tell
        answers = []
        for _ in range(5):
            answers.append(await chats.say(0, "My sister Vera lives in Porto."))
            for _ in range(2):
                await chats.app._alerts.look()

    assert set(answers[:-1]) == {"Vera lives in Porto."}
    assert "the budget of all chats for this month" in answers[-1]
    assert told == [
        "This Mneme needs a hand: little is left of the budget of all chats for this month (costs.total.monthTokens)"
    ]


async def test_a_chat_is_warned_once_a_day(tmp_path: Path) -> None:
    """With the share that is used; the next day anew."""
    async with counted(tmp_path, CostsSettings(chat=DAY)) as (budgets, _, clock):
        warnings = []
        for _ in range(2):
            for _ in range(9):
                budgets.note(SCOPE, UsageKind.ANSWER, "m", Usage(5, 5, 1))
                warning = budgets.take_warning(SCOPE)
                warnings.append(float(warning.share) if warning else None)
            clock.move(days=1)

    assert warnings == [*[None] * 7, 0.8, None] * 2
    assert budgets.take_warning(OTHER) is None


async def test_an_answer_says_that_little_is_left(tmp_path: Path) -> None:
    """From the share on that warns, in the answer that reaches it."""
    async with chats_with(tmp_path, {"chat": {"dayTokens": 10}}) as chats:
        answers = [await chats.say(0, "My sister Vera lives in Porto.") for _ in range(4)]

    assert answers[:3] == ["Vera lives in Porto."] * 3
    assert "80 % are used: 8" in answers[3]


async def test_the_background_stops_first(tmp_path: Path) -> None:
    """Learning waits while answers are still paid for; a model is not even asked."""
    model = ScriptedModel(lambda *_: "yes")
    async with counted(tmp_path, CostsSettings(chat=DAY)) as (budgets, _, __):
        budgets.note(SCOPE, UsageKind.ANSWER, "m", Usage(90, 0, 1))
        learning, answer = (
            MeteredChat(model, kind, budgets.note, budgets.refuse_background)
            for kind in (UsageKind.LEARNING, UsageKind.ANSWER)
        )
        with charged_to(OTHER):
            await complete(learning)
        with charged_to(SCOPE):
            with pytest.raises(BudgetSpent, match=r"costs\.chat\.dayTokens"):
                await complete(learning)
            await complete(answer)

        assert budgets.find_stop(SCOPE) is None


async def test_days_and_months_begin_anew(tmp_path: Path) -> None:
    """Both are those of UTC; a clock that is set back finds what was spent before."""
    month = CostsSettings(chat=BudgetSettings(day_tokens=10, month_tokens=15))
    async with counted(tmp_path, month) as (budgets, _, clock):
        stops = []
        for hours in (0, 1, 24, -1):
            clock.move(hours=hours)
            budgets.note(SCOPE, UsageKind.ANSWER, "m", Usage(6, 0, 1))
            stops.append([each.limit.key for each in budgets.list_standings(SCOPE) if each.stops])

    assert stops == [[], [], [], ["costs.chat.dayTokens", "costs.chat.monthTokens"]]


async def test_what_was_spent_is_counted_over_a_restart_and_at_other_prices(tmp_path: Path) -> None:
    """The ledger keeps tokens: a price that was wrong is put right for the whole month."""
    priced = CostsSettings(
        prices=(PriceSettings(model="m", prompt=10.0),), total=BudgetSettings(month_money=1.0), chat=DAY
    )
    async with counted(tmp_path, CostsSettings(total=BudgetSettings(month_money=1.0))) as (budgets, database, clock):
        budgets.note(SCOPE, UsageKind.ANSWER, "m", Usage(99_999, 0, 1))
        budgets.note(OTHER, UsageKind.ANSWER, "r", Usage(1, 0, 1, cost=10_000))
        await database.write(lambda connection: connection.execute("SELECT 1").arraysize)
        before = budgets.find_stop(SCOPE)
        again = Budgets(SqliteUsage(database, clock.now), lambda: priced, clock)
        await again.load()
        stop = again.find_stop(OTHER)

    assert before is None
    assert stop is not None
    assert (stop.limit.key, str(stop.spent)) == ("costs.total.monthMoney", "1.00000")


async def test_a_month_begins_on_its_first_day_over_a_restart(tmp_path: Path) -> None:
    """The ledger is read from there on."""
    month = CostsSettings(chat=BudgetSettings(month_tokens=10))
    async with counted(tmp_path, month) as (budgets, database, clock):
        clock.at = datetime(2026, 3, 1, 12, tzinfo=UTC)
        budgets.note(SCOPE, UsageKind.ANSWER, "m", Usage(10, 0, 1))
        await database.write(lambda connection: connection.execute("SELECT 1").arraysize)
        clock.move(days=9)
        again = Budgets(SqliteUsage(database, clock.now), lambda: month, clock)
        await again.load()

        assert again.find_stop(SCOPE) is not None


async def test_a_budget_of_money_for_a_day_is_one_for_a_day(tmp_path: Path) -> None:
    """Counted in money, and not over the month."""
    day = CostsSettings(prices=(PriceSettings(model="m", prompt=10.0),), chat=BudgetSettings(day_money=1.0))
    async with counted(tmp_path, day) as (budgets, _, clock):
        spent = []
        for tokens in (90_000, 20_000):
            budgets.note(SCOPE, UsageKind.ANSWER, "m", Usage(tokens, 0, 1))
            spent.append([str(each.spent) for each in budgets.list_standings(SCOPE)])
            clock.move(days=-1)

    assert spent == [["0.900"], ["0.200"]]


async def test_old_days_are_not_kept_at_hand(tmp_path: Path) -> None:
    """However long it runs: two days and two months, for a clock that is set back."""
    async with counted(tmp_path, CostsSettings(chat=DAY)) as (budgets, _, clock):
        for _ in range(70):
            budgets.note(SCOPE, UsageKind.ANSWER, "m", Usage(1, 0, 1))
            clock.move(days=1)

        assert sorted(budgets._spans) == ["2026-04", "2026-05", "2026-05-06", "2026-05-07"]


async def test_usage_tells_tokens_and_money_and_what_is_left(tmp_path: Path) -> None:
    """Of this chat to whoever asks there, of all chats to the owner alone; models without a price to the owner."""
    costs = {
        "prices": [{"model": "scripted", "prompt": 1000, "completion": 1000}],
        "chat": {"monthMoney": 0.01},
    }
    async with chats_with(tmp_path, costs) as chats:
        for _ in range(2):
            await chats.say(0, "My sister Vera lives in Porto.")
        chats.parts.need(Budgets).note(Scope("tu1000"), UsageKind.LEARNING, "gift", Usage(5, 5, 1))
        mine, theirs = await chats.say(0, "/usage"), await chats.say(1, "/usage")
        owners, every = await chats.say(0, "/usage", author=OWNER), await chats.say(0, "/usage all", author=OWNER)
        refused, status = await chats.say(1, "/usage all"), await chats.say(0, "/status")

    assert "Today: tokens read 7, written 7, calls 3 – 0.0040 USD" in mine
    assert "scripted: tokens read 2, written 2, calls 2 – 0.0040 USD" in mine
    assert "learning from conversations: tokens read 5, written 5, calls 1" in mine
    assert "Used of this chat's budget for this month: 0.0040 USD of 0.0100 USD (40 %)" in mine
    assert "gift (costs.prices)" in owners
    assert "costs.prices" not in mine
    assert "No language model was asked" in theirs
    assert "tu1000: tokens 14, calls 3 – 0.0040 USD" in every
    assert "tu1000" not in refused
    assert "Costs: 0.0040 USD today, 0.0040 USD this month" in status


async def test_without_any_price_nothing_is_said_of_money(tmp_path: Path) -> None:
    """A model of one's own costs tokens alone."""
    async with chats_with(tmp_path, {}) as chats:
        await chats.say(0, "My sister Vera lives in Porto.")
        told, status = await chats.say(0, "/usage", author=OWNER), await chats.say(0, "/status", author=OWNER)

    assert "tokens read 1, written 1, calls 1" in told
    assert "USD" not in told + status
    assert "costs.prices" not in told


async def test_the_operator_reads_all_chats_in_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By chat and model, exact, for a month that is named; what is no month is said to be none."""
    async with chats_with(tmp_path, {"prices": [{"model": "s*", "prompt": 3, "completion": 0.5}]}) as chats:
        await chats.say(0, "My sister Vera lives in Porto.")
        await chats.say(1, "My brother lives in Rome.")
        await chats.say(1, "/forget everything yes")
        folders = chats.folders
    capsys.readouterr()

    await run_usage(folders, month=None, as_json=True)
    told = json.loads(capsys.readouterr().out)
    await run_usage(folders, month="2001-02", as_json=False)
    empty = capsys.readouterr().out
    with pytest.raises(CommandInvalid):
        await run_usage(folders, month="soon", as_json=False)

    assert {chat: sums["money"] for chat, sums in told["chats"].items()} == {"tu1000": "0.0000035", "": "0.0000035"}
    assert told["models"]["scripted"]["prompt"] == told["total"]["prompt"] == 2
    assert told["total"]["money"] == "0.000007"
    assert "no model was asked in 2001-02" in empty


async def test_without_a_model_there_is_no_budget_to_speak_of(tmp_path: Path) -> None:
    """A limit of nothing does not make memory apologise for a model that nobody configured."""
    async with run_console(tmp_path, {**NO_RAG, "costs": {"chat": {"dayTokens": 0}}}) as chat:
        answer = await chat.say("My sister Vera lives in Porto.")

    assert "budget" not in answer


@each_row(("named", "money"), [({}, "12.5"), ({"cacheWrite": 3}, "3")])
def test_tokens_that_a_server_keeps_have_a_price_of_their_own(named: dict[str, Any], money: str) -> None:
    """A quarter more than those that it only reads, unless the price list says otherwise."""
    costs = CostsSettings(prices=(PriceSettings.model_validate({"model": "*", "prompt": 10, **named}),))

    assert costs.list_prices().compute(Usage(1_000_000, 0, 1, cache_writes=1_000_000), "any").money == Decimal(money)
