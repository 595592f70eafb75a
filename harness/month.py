"""A month of use against a model server that keeps books of its own, under a clock that is turned by hand.

The server decides how many tokens every call has used and, for some models, what it costs; it knows whose call it was
by a word of the conversation.  Nothing of its books is taken from what the assistant counted.
"""

import asyncio
import itertools
import json
import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from bot.compose.pipeline import build_session_keeping
from bot.features.costs.register import Budgets
from bot.features.costs.terminal import render_usage
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import Address, Author, InboundMessage
from bot.ports.usage import PriceList, UsageLedger
from bot.runtime.application import Application
from harness.application import NO_RAG, PLATFORM, RecordingMessenger, make_folders, open_application
from harness.fakes.openai import FakeOpenAi, Json, Says
from harness.samples import HeldClock, WordEmbedder

MONTH: Final = "2026-03"
_BEFORE: Final = datetime(2026, 2, 27, 9, 30, tzinfo=UTC)
_FIRST_USER: Final = 5000
_CHAT: Final = re.compile(r"chat-(\d+)-")
_MODELS: Final = ("house/large", "router/mixed", "local/free")
"""Asked in turn, a third of the days each: one with a price, one that reports costs, one of neither."""
_PRICES: Final = (Decimal("2.50"), Decimal("0.25"), Decimal("10.00"))
"""Of the first model, per million tokens: read, cached, written."""
_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """How many chats talk, how often a day, for how many days from two before the month on, and the seed of chance."""

    chats: int = 5
    messages: int = 6
    days: int = 35
    seed: int = 1


@dataclass(slots=True)
class Entry:
    """What the server has on its books for one chat and model."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    calls: int = 0
    money: Decimal = Decimal(0)


@dataclass(slots=True)
class Books:
    """The server's books of the month, by the tag of a chat's scope and by model."""

    clock: HeldClock
    chance: random.Random
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    calls: int = 0

    def answer(self, body: Json) -> Says:
        """Answer a call, and write it down if it falls into the month."""
        said, chance = json.dumps(body["messages"]), self.chance
        tag = f"tu{_FIRST_USER + int(_CHAT.findall(said)[-1])}"
        prompt, completion = chance.randrange(50, 40_000), chance.randrange(1, 3_000)
        cached = chance.choice((0, chance.randrange(prompt)))
        usage = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        model, money = str(body["model"]), Decimal(0)
        if model == _MODELS[0]:
            fresh, kept, written = _PRICES
            money = ((prompt - cached) * fresh + cached * kept + completion * written) / _MILLION
        elif model == _MODELS[1]:
            money = Decimal(chance.randrange(10**9)) / 10**9
            usage["cost"] = float(money)
        self.calls += 1
        if f"{self.clock.now():%Y-%m}" == MONTH:
            entry = self.entries.setdefault((tag, model), Entry())
            entry.prompt, entry.cached = entry.prompt + prompt, entry.cached + cached
            entry.completion, entry.calls = entry.completion + completion, entry.calls + 1
            entry.money += money
        text = '{"items": []}' if "max_tokens" in body else "Noted, and thank you."
        return Says(text, pieces=1, report=(("usage", usage),))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A month as the server's books have it and as the ledger has it.

    ``wrong`` names every chat and model of which any count or sum differs; money is compared exactly.
    """

    chats: int
    calls_in_all: int
    calls: int
    tokens: int
    money: str
    booked_money: str
    kinds: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def broken(self) -> bool:
        """Whether anything is not the same to the last token and cent."""
        return bool(self.wrong) or not self.calls


async def simulate(plan: Plan, folder: Path) -> Comparison:
    """Let chats talk for a month, learn from their sessions each night, and compare what is on the books."""
    clock = HeldClock(_BEFORE)
    books = Books(clock, random.Random(plan.seed))
    async with FakeOpenAi(default=books.answer) as server, _running(folder, server.url, clock) as (app, choose_model):
        numbers = itertools.count(1)
        for day in range(plan.days):
            choose_model(_MODELS[day % len(_MODELS)])
            for number in range(plan.messages):
                texts = (_say(chat, day, number) for chat in range(plan.chats))
                await asyncio.gather(
                    *(app.accept(_message(chat, text, next(numbers), clock.now())) for chat, text in enumerate(texts))
                )
                await app.answered()
                clock.move(minutes=37)
            keeping = replace(build_session_keeping(app.parts), compact_after_tokens=1)
            for chat in range(plan.chats):
                session = await app.parts.turns.session(Address(PLATFORM, 1, _FIRST_USER + chat))
                await keeping.compact(Scope(f"tu{_FIRST_USER + chat}"), session)
                await app.accept(_message(chat, "/new", next(numbers), clock.now()))
            await app.answered()
            await keeping.learn()
            clock.at = _BEFORE + timedelta(days=day + 1)
        await app.parts.housekeeping.tidy()  # whatever was noted is stored with something else
        first = datetime(2026, 3, 1, tzinfo=UTC).date()
        rows = await app.parts.need(UsageLedger).add_up(first, first.replace(day=31))
        prices = app.parts.need(Budgets).list_prices()
    return _compare(books, render_usage(rows, prices, MONTH), rows, prices)


@asynccontextmanager
async def _running(
    folder: Path, url: str, clock: HeldClock
) -> AsyncIterator[tuple[Application, Callable[[str], None]]]:
    fresh, kept, written = map(float, _PRICES)
    price = {"model": "house/*", "prompt": fresh, "cached": kept, "completion": written}

    def settings(model: str) -> dict[str, Any]:  # Any: settings as JSON
        llm = {"url": url, "model": model, "contextTokens": 64_000}
        recall = {
            "understanding": {"expansion": True, "deadlineSeconds": 30},
            "check": {"mode": "flag", "judge": "model", "deadlineSeconds": 60},
        }
        memory = {"contextDeadlineSeconds": 30}  # a call that is cut off is on the server's books alone
        return {**NO_RAG, "llm": llm, "recall": recall, "memory": memory, "costs": {"prices": [price]}}

    folders = make_folders(folder, settings(_MODELS[0]))
    messengers = {PLATFORM: RecordingMessenger()}
    async with open_application(folders, WordEmbedder(), clock=clock, messengers=messengers) as app:

        def choose_model(model: str) -> None:
            folders.config.write_text(json.dumps(settings(model)), encoding="utf-8")
            app.parts.settings.reload()

        yield app, choose_model


def _say(chat: int, day: int, number: int) -> str:
    return f"This is chat-{chat}- on day {day}: my meeting number {number} is in room {chat * 100 + number}."


def _message(chat: int, text: str, number: int, now: datetime) -> InboundMessage:
    user = _FIRST_USER + chat
    author = Author(user, f"User {chat}", Trust.USER)
    return InboundMessage(Address(PLATFORM, 1, user), number, number, author, text, now, language="en")


def _compare(
    books: Books,
    report: dict[str, Any],  # Any: JSON
    rows: tuple[Any, ...],  # Any: rows of the ledger
    prices: PriceList,
) -> Comparison:
    found: dict[tuple[str, str], Entry] = {}
    for row in rows:
        entry, cost = found.setdefault((row.scope, row.model), Entry()), prices.compute(row.used, row.model)
        entry.prompt, entry.cached = entry.prompt + row.used.prompt, entry.cached + row.used.cached
        entry.completion, entry.calls = entry.completion + row.used.completion, entry.calls + row.used.calls
        entry.money += cost.money
    wrong = [
        f"{tag} {model}: booked {books.entries.get((tag, model))}, counted {found.get((tag, model))}"
        for tag, model in sorted(books.entries.keys() | found.keys())
        if books.entries.get((tag, model)) != found.get((tag, model))
    ]
    booked = sum((entry.money for entry in books.entries.values()), Decimal(0))
    total = report["total"]
    if Decimal(total["money"]) != booked:
        wrong.append(f"in all: booked {booked}, reported {total['money']}")
    return Comparison(
        chats=len(report["chats"]),
        calls_in_all=books.calls,
        calls=total["calls"],
        tokens=total["prompt"] + total["completion"],
        money=total["money"],
        booked_money=f"{booked:f}",
        kinds=tuple(sorted({row.kind.value for row in rows})),
        wrong=tuple(wrong),
    )
