"""Inversions: messages that overtook each other; 0 is the only pass.

Chats write without waiting for answers while the model, the messenger and the memory server fail at random.
"""

import random
import re
import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from sqlite3 import connect

from bot.errors import DeliveryUnknown, ModelUnavailable, NotDelivered
from bot.ports.chat_model import ChatMessage, ToolSpec
from harness.application import RecordingMessenger, ScriptedModel, chat_of, run_chats
from harness.chaos.figures import Facts, Recording, unrecorded
from harness.fakes.faulty_http import Fault, Request
from harness.fakes.lightrag import FakeLightRag
from harness.samples import WordEmbedder

_NUMBER = re.compile(r"N(\d{3})N")
_FAULTS = tuple(fault for fault in Fault if fault not in {Fault.FLOOD, Fault.DRIP})
"""Both only cost time and traffic here; the adapter's own tests have them."""
_KEY = "secret"


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is tried; ``faults`` is the share of requests, model calls and sends that go wrong."""

    chats: int = 10_000
    messages: int = 10
    faults: float = 0.3
    seed: int = 1
    settle_s: float = 1800.0


@dataclass(slots=True)
class Figures:
    """Counts; an inversion is a message that stands before one that was written earlier in its chat."""

    messages: int = 0
    faults: int = 0
    replies: int = 0
    exchanges: int = 0
    documents: int = 0
    waiting: int = 0
    double: int = 0
    history_inversions: int = 0
    reply_inversions: int = 0
    index_inversions: int = 0
    seconds: float = 0.0
    seed: int = 0

    @property
    def broken(self) -> int:
        return self.history_inversions + self.reply_inversions + self.index_inversions


@dataclass(slots=True)
class Weather:
    """What goes wrong, by one seed."""

    plan: Plan
    dice: random.Random
    figures: Figures = field(default_factory=Figures)

    def messenger(self, _chat_id: int) -> None:
        """Lose a send or its outcome."""
        if self._strikes(0.1):
            if self.dice.random() < 0.2:
                raise NotDelivered("too many requests", retry_after_s=0.0)
            raise DeliveryUnknown("the connection broke after the request")

    def model(self, messages: tuple[ChatMessage, ...], _tools: tuple[ToolSpec, ...]) -> str:
        """Break off, or repeat the number of the message."""
        number = _NUMBER.findall(messages[-1].content)[-1]
        if self._strikes(0.1):
            raise ModelUnavailable(f"model overloaded N{number}N")
        return f"I have read number N{number}N and will think about it."

    def server(self, request: Request) -> Fault | None:
        """Fail in one of the ways of a server and a network."""
        return self.dice.choice(_FAULTS) if request.path != "/health" and self._strikes(1.0) else None

    def _strikes(self, share: float) -> bool:
        struck = self.dice.random() < self.plan.faults * share
        self.figures.faults += struck
        return struck


async def inversions(plan: Plan, folder: Path, record: Recording = unrecorded) -> Figures:
    """Run the plan and count; ``record`` is told what was said, shown and stored."""
    weather, began = Weather(plan, random.Random(plan.seed)), time.monotonic()
    figures, messenger = weather.figures, RecordingMessenger(fault=weather.messenger)
    async with FakeLightRag(key=_KEY, fault=weather.server, seed=plan.seed) as rag:
        rag.http.late_s = 0.05
        # Short time-outs, because a third of the requests hang; the small cache is for memory, nothing is asked twice.
        settings = {
            "rag": {"url": rag.url, "apiKey": _KEY, "timeoutSeconds": 0.3, "queryBudgetSeconds": 0.05},
            "llm": {"contextTokens": 8000},
        }
        async with run_chats(
            folder, settings, WordEmbedder(), model=ScriptedModel(weather.model), messenger=messenger
        ) as bot:
            order = [chat for chat in range(plan.chats) for _ in range(plan.messages)]
            weather.dice.shuffle(order)
            said, told = [0] * plan.chats, list[tuple[int, str]]()
            for chat in order:
                told.append((chat, f"Number N{said[chat]:03d}N: the parcel of Vera stands in the red garage."))
                await bot.tell(*told[-1])
                said[chat] += 1
            await bot.app.answered()
            await bot.parts.longterm.settle(plan.settle_s)
            figures.waiting = (await bot.parts.outbox.counts()).waiting
    stored = {
        tag: [document for document in workspace.documents.values() if not document.original]
        for tag, workspace in rag.workspaces.items()
    }
    listed = tuple((tag, each.source, each.text) for tag, found in stored.items() for each in found)
    record(Facts(tuple(told), tuple((chat_of(chat_id), text) for chat_id, text in messenger.sent), listed))
    figures.messages, figures.replies = len(order), len(messenger.sent)
    figures.documents = len(listed)
    figures.index_inversions = sum(_backwards(each.text for each in found) for found in stored.values())
    _count(figures, messenger, folder)
    figures.seconds, figures.seed = round(time.monotonic() - began, 1), plan.seed
    return figures


def _count(figures: Figures, messenger: RecordingMessenger, folder: Path) -> None:
    replies: dict[int, list[str]] = {}
    for chat_id, text in messenger.sent:
        replies.setdefault(chat_of(chat_id), []).append(text)
    figures.reply_inversions = sum(map(_backwards, replies.values()))
    with closing(connect(folder / "data" / "mneme.db")) as connection:
        rows = connection.execute("SELECT scope_no, user_text FROM exchanges ORDER BY id").fetchall()
    history: dict[int, list[str]] = {}
    for scope_no, text in rows:
        history.setdefault(scope_no, []).append(text)
    figures.exchanges = len(rows)
    figures.history_inversions = sum(map(_backwards, history.values()))
    figures.double = len(rows) - len(set(rows))


def _backwards(texts: Iterable[str]) -> int:
    numbers = [int(found.group(1)) for text in texts if (found := _NUMBER.search(text))]
    return sum(later < earlier for earlier, later in pairwise(numbers))
