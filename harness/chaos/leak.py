"""Leaks: words of one chat in anything of another; 0 is the only pass.

Every chat tells codes that name it, and asks for those of others; the model gives away everything that it was sent.
Meanwhile settings change, whole chats are erased, turns are cancelled and the application is restarted.
"""

import asyncio
import json
import random
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.chat_model import ChatMessage, ToolSpec
from bot.turn import ToolCall
from harness.application import PLATFORM, RecordingMessenger, RunningChats, ScriptedModel, chat_of, run_chats, tag_of
from harness.archives import export_to, read_texts
from harness.fakes.lightrag import FakeLightRag
from harness.samples import WordEmbedder

CODE = re.compile(r"[QW](\d{3})X\d{3}")
"""A canary (Q) names the chat that told it, a mark (W) the chat that asks."""
_THINGS = ("violin", "parcel", "locker", "garage", "ferry", "cellar", "archive", "bicycle", "safe", "kennel")
_WAVE = 64
_TOLD_AT_ONCE = 10
_KEY = "secret"


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is tried; ``lives`` is the number of starts of the application."""

    chats: int = 200
    canaries: int = 50
    questions: int = 20_000
    cancellations: int = 5_000
    lives: int = 5
    seed: int = 1
    erased: float = 0.1
    """Share of the chats that are erased while others ask."""


@dataclass(slots=True)
class Figures:
    """Counts.  ``foreign`` is by place, ``own_found`` of ``own_asked`` shows that memory was working meanwhile."""

    prompts: int = 0
    prompts_with_memories: int = 0
    replies: int = 0
    cancelled: int = 0
    reloads: int = 0
    erases: int = 0
    own_asked: int = 0
    own_found: int = 0
    foreign: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    seed: int = 0

    @property
    def broken(self) -> int:
        """How often a chat's words were found in another's."""
        return sum(self.foreign.values())


Overhearing = Callable[[str, int | None, str], None]


def unheard(_place: str, _owner: int | None, _text: str) -> None:
    """Keep nothing."""


class Chats:
    """The people: what they say, what they may see, and what they saw."""

    def __init__(self, plan: Plan, overhear: Overhearing = unheard) -> None:
        self.plan = plan
        self.overhear = overhear
        self.dice = random.Random(plan.seed)
        self.figures = Figures(seed=plan.seed)
        self.messenger = RecordingMessenger()
        self.model = ScriptedModel(self._give_away, self._read)
        self.erased: set[int] = set()
        self._marks = 0

    def fact(self, chat: int, number: int) -> str:
        return f"The {_thing(number)} of {_owner(chat)} has the code Q{chat:03d}X{number:03d} since last spring."

    def question(self, chat: int, about: int, number: int) -> str:
        """Return a question that names a subject of the chat ``about``."""
        self._marks = (self._marks + 1) % 1000
        return f"W{chat:03d}X{self._marks:03d}: what is the code of the {_thing(number)} of {_owner(about)}?"

    def check(self, place: str, owner: int | None, text: str) -> None:
        """Count what ``text`` holds of others than ``owner``; ``None`` for a text that may hold one chat's words."""
        self.overhear(place, owner, text)
        named = {int(chat) for chat in CODE.findall(text)}
        self._count(place, len(named - {owner}) if owner is not None else max(len(named) - 1, 0))

    def check_free(self, place: str, text: str) -> None:
        """Count what ``text`` holds of anybody: here it should be nothing at all."""
        self._count(place, len(CODE.findall(text)))

    def _count(self, place: str, foreign: int) -> None:
        self.figures.foreign[place] = self.figures.foreign.get(place, 0) + foreign

    def _read(self, prompt: str) -> None:
        self.figures.prompts += 1
        self.figures.prompts_with_memories += "<<<relevant " in prompt
        self.check("prompts", None, prompt)

    def _give_away(self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...]) -> str | ToolCall:
        last = messages[-1]
        if tools and last.role == "user" and self.dice.random() < 0.2:
            return self.model.call("memory_search", query=last.content[-200:])
        found = {match.group() for message in messages for match in CODE.finditer(message.content)}
        return "I was sent these: " + ", ".join(sorted(code for code in found if code[0] == "Q")[:30])

    def saw(self, bot: RunningChats) -> None:
        """Look at what has been sent since the last look."""
        for chat_id, text in bot.messenger.sent:
            self.figures.replies += 1
            self.check("replies", chat_of(chat_id), text)
        bot.messenger.sent.clear()


async def leaks(plan: Plan, folder: Path, overhear: Overhearing = unheard) -> Figures:
    """Run the plan and return what was found; ``overhear`` is told every text with its place and owner."""
    chats, began = Chats(plan, overhear), time.monotonic()
    async with FakeLightRag(key=_KEY) as rag:
        for life in range(plan.lives):
            async with _open(chats, rag, folder) as bot:
                if life == 0:
                    await _tell(chats, bot)
                await _ask(chats, bot, plan.questions // plan.lives, plan.cancellations // plan.lives)
                if life == plan.lives - 1:
                    await _calm(chats, bot, rag)
        _search(chats, rag, folder)
    chats.figures.seconds = round(time.monotonic() - began, 1)
    return chats.figures


def _open(chats: Chats, rag: FakeLightRag, folder: Path) -> Any:  # Any: the generator's own context type
    level = "debug" if chats.plan.chats <= 50 else "info"
    return run_chats(folder, _settings(rag), WordEmbedder(), model=chats.model, messenger=chats.messenger, level=level)


def _settings(rag: FakeLightRag, **other: Any) -> dict[str, Any]:  # Any: settings as JSON
    settings: dict[str, Any] = {
        "rag": {"url": rag.url, "apiKey": _KEY, **other.pop("rag", {})},
        "session": {"compactAfterTokens": 600},
        "llm": {"contextTokens": 8000},
    }
    return settings | other


async def _tell(chats: Chats, bot: RunningChats) -> None:
    """Let everybody say everything, and have it indexed."""
    plan = chats.plan
    everything = [(chat, number) for number in range(plan.canaries) for chat in range(plan.chats)]
    for at in range(0, len(everything), _WAVE * _TOLD_AT_ONCE):
        for chat, number in everything[at : at + _WAVE * _TOLD_AT_ONCE]:
            await bot.tell(chat, chats.fact(chat, number))
        await bot.app.answered()
        chats.saw(bot)
    await bot.parts.longterm.settle(600)


async def _ask(chats: Chats, bot: RunningChats, questions: int, cancellations: int) -> None:
    """Ask in waves, each with its share of cancellations, reloads and erases."""
    plan, dice = chats.plan, chats.dice
    waves = max(questions // _WAVE, 1)
    for wave in range(waves):
        asking = [asyncio.create_task(_question(chats, bot)) for _ in range(questions // waves)]
        for _ in range(cancellations * (wave + 1) // waves - cancellations * wave // waves):
            await asyncio.sleep(dice.uniform(0, 0.002))
            chats.figures.cancelled += _cancel(dice, asking)
        _reload(chats, bot)
        if len(chats.erased) < plan.chats * plan.erased and (wave == 0 or dice.random() < 0.3):
            await _erase(chats, bot)
        await asyncio.gather(*asking, return_exceptions=True)
        await bot.app.answered()
        chats.saw(bot)


async def _question(chats: Chats, bot: RunningChats) -> None:
    dice, plan = chats.dice, chats.plan
    chat, about = dice.randrange(plan.chats), dice.randrange(plan.chats)
    await asyncio.sleep(dice.uniform(0, 0.01))
    await bot.tell(chat, chats.question(chat, about, dice.randrange(plan.canaries)))


def _cancel(dice: random.Random, asking: list[asyncio.Task[None]]) -> int:
    """Cancel somebody's accepting or running turn; what is journaled is answered after the next start."""
    running = [task for task in asyncio.all_tasks() if task.get_name().startswith(f"chat {PLATFORM}")]
    candidates = running + [task for task in asking if not task.done()]
    return int(bool(candidates) and dice.choice(candidates).cancel())


def _reload(chats: Chats, bot: RunningChats) -> None:
    dice = chats.dice
    rag = {"enabled": dice.random() < 0.8, "queryMode": dice.choice(("local", "global", "hybrid", "naive", "mix"))}
    memory = {"recallEnabled": dice.random() < 0.8, "itemsEnabled": dice.random() < 0.8}
    url = json.loads(bot.folders.config.read_text(encoding="utf-8"))["rag"]["url"]
    llm = {"enabled": dice.random() < 0.7, "contextTokens": 8000}
    session = {"compactAfterTokens": 600}
    bot.configure({"rag": {"url": url, "apiKey": _KEY, **rag}, "memory": memory, "llm": llm, "session": session})
    chats.figures.reloads += 1


async def _erase(chats: Chats, bot: RunningChats) -> None:
    chat = chats.dice.randrange(chats.plan.chats)
    chats.erased.add(chat)
    await bot.parts.eraser.erase_scope(Scope(tag_of(chat)))
    chats.figures.erases += 1


async def _calm(chats: Chats, bot: RunningChats, rag: FakeLightRag) -> None:
    """With everything on, let everybody ask for their own: a memory that finds nothing leaks nothing either."""
    bot.configure(_settings(rag))
    for chat in range(chats.plan.chats):
        if chat not in chats.erased:
            number = chats.dice.randrange(chats.plan.canaries)
            answer = await bot.say(chat, chats.question(chat, chat, number))
            chats.figures.own_asked += 1
            chats.figures.own_found += f"Q{chat:03d}X{number:03d}" in answer
    chats.saw(bot)
    for key, (_, cached) in bot.parts.longterm.client.cache._answers.items():  # noqa: SLF001 - caches are looked into
        chats.check("caches", _owner_of(key[0].tag), " ".join(memory.text for memory in cached.found))
    for chat in range(chats.plan.chats):
        tag, now = tag_of(chat), bot.parts.clock.now()
        path = bot.folders.exports / f"{tag}.zip"
        await asyncio.to_thread(export_to, bot.parts.housekeeping.database, Scope(tag), path, now)
        trace = await bot.parts.turns.last(Address(PLATFORM, 1, 1000 + chat))
        shown = "" if trace is None else f"{trace.question} {trace.answer} {trace.trace}"
        chats.check("traces", chat, shown)


def _search(chats: Chats, rag: FakeLightRag, folder: Path) -> None:
    """Look into everything that is left behind."""
    for tag, workspace in rag.workspaces.items():
        for document in workspace.documents.values():
            chats.check("memory server", _owner_of(tag), document.text)
    for tag, text in databases(folder / "data" / "mneme.db"):
        chats.check("database", _owner_of(tag), text)
    for path, text in files(folder / "data"):
        if path.parent.name == "exports":
            chats.check("exports", _owner_of(path.stem), read_texts(path))
        elif path.suffix != ".db":
            chats.check_free("logs and other files", text)


def _owner_of(tag: str) -> int:
    return chat_of(int(tag.rpartition("tu")[2]))


def _thing(number: int) -> str:
    return f"{_THINGS[number % len(_THINGS)]} {number}"


def _owner(chat: int) -> str:
    syllables = ("ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu")
    return "".join(syllables[int(figure)] for figure in f"{chat:03d}").capitalize()


def databases(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the tag of a scope and a row of it as text, for every table whose rows belong to a scope.

    Rows are numbered ``scope_no << 32 | seq``, or name the scope in a column of their own.
    """
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        tags = dict(connection.execute("SELECT no, tag FROM scopes").fetchall())
        for table, scope_no in (
            ("exchanges", "scope_no"),
            ("items", "scope_no"),
            ("traces", "id >> 32"),
            ("summaries", "scope_no"),
            ("outbox", "scope_no"),
            ("deliveries", "scope_no"),
            ("items_fts", "rowid >> 32"),
            ("recall_utterances", "exchange >> 32"),
        ):
            for owner, *row in connection.execute(f"SELECT {scope_no}, * FROM {table}"):  # noqa: S608 - names from above
                yield tags[owner], " ".join(_text(value) for value in row)


def files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield every file of a folder with its content, whatever it is, as text."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path, path.read_bytes().decode("utf-8", "replace")


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
