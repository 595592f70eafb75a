"""Replays a conversation through the running bot: the real pipeline and memories, a scripted model over HTTP.

The bot's clock is the data's; between two messages there is as much time as a person takes, so that what a turn leaves
to be done beside the conversation is done before the next.
The model gives the conversation's own answers.  Requests of the conversation come with tools, those beside it ask for
something about JSON: its shape says what for.  Background answers are valid and fixed by what they are asked about, so
that two runs are the same.
"""

import asyncio
import itertools
import json
import re
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from adapters.llm.extraction import MOST_LINES
from adapters.sqlite.conversations.turns import SqliteLearningQueue, SqliteTurns
from bot.compose.pipeline import build_session_keeping
from bot.config.folders import PROJECT, Folders, find_model_folder
from bot.memory.items import Trust
from bot.memory.learning.speech_acts import SpeechAct, classify_speech
from bot.messages import Address, Author, InboundMessage
from bot.ports.embedder import Embedder
from bot.ports.turn_store import CommitResult, EndedSession, TurnRecord
from bot.runtime.app import App
from bot.runtime.application import Application
from bot.runtime.installation import set_up_logs
from bot.turn import Trace
from harness.application import NO_RAG, PLATFORM, RecordingMessenger, make_folders, open_application
from harness.fakes.openai import FakeOpenAi, Says, Step
from harness.prompt.counting import serialise
from harness.recall.dataset import Conversation, Said
from language.sentences import split_sentences
from language.tokens import count_tokens

Json = Any  # requests, and what background calls are asked about

CONVERSATION: Final = "conversation"
_SUMMARY_TOKENS: Final = 400
"""What a summary grows to before its oldest part is dropped."""
_TOPICS: Final = 6
_ITEM_WORDS: Final = (5, 40)
_LONG: Final = 20
_LINE_WORDS: Final = 12
_COUNTED: Final = re.compile(r"\w+|[^\w\s]")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Call:
    """A request and its answer; ``kind`` is :data:`CONVERSATION` or what else was asked for."""

    kind: str
    body: Json
    text: str
    """The request, serialised."""
    answer: str
    counted: int
    """Prompt tokens as the server counts and reports them: words and signs."""


@dataclass
class ConversationModel:
    """Answers every request of the conversation with ``answer``; ``calls`` are those since they were last taken."""

    answer: str = ""
    calls: list[Call] = field(default_factory=list)

    def __call__(self, body: Json) -> Step:
        """Return what the server does with a request."""
        kind, about = classify(body)
        said = self.answer if kind == CONVERSATION else _ANSWERS.get(kind, _answer_other)(about)
        text = serialise(body)
        counted = len(_COUNTED.findall(text))
        self.calls.append(Call(kind, body, text, said, counted))
        return Says(said, usage=(counted, len(_COUNTED.findall(said))))

    def take(self) -> tuple[Call, ...]:
        taken, self.calls = tuple(self.calls), []
        return taken


def classify(body: Json) -> tuple[str, Json]:
    """Return what a request is for, and what it is about if it is no part of the conversation."""
    if body.get("tools"):
        return CONVERSATION, None
    try:
        about, _ = json.JSONDecoder().raw_decode(body["messages"][-1]["content"])
    except ValueError:
        return "other", None
    if isinstance(about, list):
        return "extraction", about
    keys = about if isinstance(about, dict) else {}
    return next((kind for key, kind in _KINDS.items() if key in keys), "other"), about


_KINDS: Final = {"previous": "summary", "notes": "compression", "statements": "check", "message": "understanding"}


def _summarise(about: Json) -> str:
    """Return the summary so far and a line of topics per exchange; topics, because no sentence is to stand twice."""
    lines = [*about["previous"].splitlines(), *(_name_topics(each["user"]) for each in about["exchanges"])]
    while len(lines) > 1 and count_tokens("\n".join(lines)) > _SUMMARY_TOKENS:
        del lines[0]
    return "\n".join(lines)


def _name_topics(text: str) -> str:
    longest = sorted(set(_WORD.findall(text)), key=lambda word: (-len(word), word))[:_TOPICS]
    return f"Spoken of: {', '.join(longest)}."


def _extract(about: Json) -> str:
    """Return items and lines of the chronicle, word for word."""
    items: list[Json] = []
    digest: dict[str, str] = {}
    for exchange in about:
        sentences = split_sentences(exchange["user"])
        if len(exchange["user"].split()) > _LONG and len(digest) < MOST_LINES:
            digest[str(exchange["exchange"])] = " ".join(sentences[0].split()[:_LINE_WORDS])
        for sentence in sentences:
            words = sentence.split()
            if _ITEM_WORDS[0] <= len(words) <= _ITEM_WORDS[1] and classify_speech(sentence) is SpeechAct.STATEMENT:
                items.append({"exchange": exchange["exchange"], "quote": sentence})
                break
    return json.dumps({"items": items, "digest": digest}, ensure_ascii=False)


def _answer_other(_about: Json) -> str:
    return "{}"


_ANSWERS: Final = {"summary": _summarise, "extraction": _extract}


GREETING: Final = "Hello!"
"""What the user says where the data lets the other one begin."""
NOTHING: Final = "OK."
"""What the model answers where the data has no answer."""
_USER: Final = 1000
_PLACE: Final = Address(PLATFORM, 1, _USER)
_BESIDE: Final = ("compaction", "refresh items")
"""Names of tasks that a turn leaves behind."""
_LATER: Final = timedelta(hours=1)
"""From the last turn to the questions."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message of the user and the model's answer; ``turns`` names what of the data stands in them."""

    user: str
    assistant: str
    at: datetime
    session: int
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """What a message made of model calls, and the trace of its turn."""

    calls: tuple[Call, ...]
    trace: Trace


def pair_up(conversation: Conversation) -> tuple[tuple[Spoken, ...], str, str]:
    """Return the exchanges, the user's name and the model's, "" for an assistant.

    Of two people the one who speaks first is the user.  Turns of one speaker in a row are one message.
    """
    assistants = {said.speaker for said in conversation.said if said.by_assistant}
    people = list(dict.fromkeys(said.speaker for said in conversation.said if not said.by_assistant))
    user = people[0]
    model = "" if assistants else next(iter(people[1:]), "")
    exchanges: list[Spoken] = []
    for _, told in itertools.groupby(conversation.said, key=lambda said: said.session):
        waiting: list[Said] = []
        for by_user, run in itertools.groupby(told, key=lambda said: said.speaker == user):
            if by_user:
                waiting = list(run)
                continue
            exchanges.append(_join(waiting, list(run)))
            waiting = []
        if waiting:
            exchanges.append(_join(waiting, []))
    return tuple(exchanges), user, model


def _join(user: Sequence[Said], model: Sequence[Said]) -> Spoken:
    both = (*user, *model)
    return Spoken(
        "\n".join(said.text for said in user) or GREETING,
        "\n".join(said.text for said in model) or NOTHING,
        both[0].at,
        both[0].session,
        tuple(said.id for said in both),
    )


class DataClock:
    """Goes on from the moment it was set to, never back."""

    def __init__(self, at: datetime) -> None:
        self._at, self._set = at, time.monotonic()

    def set(self, at: datetime) -> None:
        """Let it be ``at`` now, unless it is later already."""
        self._at, self._set = max(at, self.now()), time.monotonic()

    def now(self) -> datetime:
        return self._at + timedelta(seconds=time.monotonic() - self._set)

    def monotonic(self) -> float:
        return time.monotonic()


class ReplayedTurns(SqliteTurns):
    """The store, with the trace of the last turn; questions are kept as history only.

    So no question is remembered, and their order does not matter.
    """

    trace = Trace()
    asking = False

    async def commit(self, record: TurnRecord) -> CommitResult:
        self.trace = record.trace
        if self.asking and record.exchange is not None:
            exchange = replace(record.exchange, synthetic=True)
            record = replace(record, exchange=exchange, items=(), document=None)
        return await super().commit(record)


class ReplayedLearning(SqliteLearningQueue):
    """The queue of ended sessions, shown to the replay alone: the bot's own look every 30 s comes at any time."""

    reader: asyncio.Task[None] | None = None

    async def due(self, now: datetime, limit: int) -> tuple[EndedSession, ...]:
        """Return the sessions whose time has come to whom they are for."""
        return await super().due(now, limit) if asyncio.current_task() is self.reader else ()


@dataclass
class Replay:
    """A running bot and the one person who speaks to it."""

    app: Application
    clock: DataClock
    model: ConversationModel
    author: Author
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def turns(self) -> ReplayedTurns:
        assert isinstance(self.app.parts.turns, ReplayedTurns)
        return self.app.parts.turns

    async def say(self, text: str, at: datetime, answer: str = NOTHING) -> Given:
        """Send a message, let it be answered and let all that follows be done; return what came of it."""
        self.clock.set(at)
        self.model.answer = answer
        number = next(self._numbers)
        message = InboundMessage(_PLACE, number, number, self.author, text, at, language="en")
        await self.app.accept(message)
        await self.app.answered(_PLACE)
        await _finish(lambda task: task.get_name().startswith(_BESIDE))
        await self.app.embedding.wait_until_rested()
        return Given(self.model.take(), self.turns.trace)

    async def begin_session(self, at: datetime) -> Given:
        """Begin a new session and learn from the one that ended."""
        given = await self.say("/new", at)
        queue = self.app.parts.learning_queue
        assert isinstance(queue, ReplayedLearning)
        queue.reader = asyncio.create_task(build_session_keeping(self.app.parts).learn(), name="replayed learning")
        await queue.reader
        await self.app.embedding.wait_until_rested()
        return replace(given, calls=(*given.calls, *self.model.take()))

    async def ask(self, text: str, at: datetime) -> Given:
        """Ask in a new session, leaving no memory of it."""
        self.turns.asking = True
        try:
            await self.say("/new", at + _LATER)
            return await self.say(text, at + _LATER)
        finally:
            self.turns.asking = False


async def _finish(wanted: Callable[[asyncio.Task[Any]], bool]) -> None:  # Any: tasks of any result
    while tasks := [task for task in asyncio.all_tasks() if wanted(task) and not task.done()]:
        await asyncio.wait(tasks)


@asynccontextmanager
async def open_replay(
    folder: Path, *, begins: datetime, user: str, model_name: str = "", embedder: Embedder | None = None
) -> AsyncIterator[Replay]:
    """Run a bot with default settings and the shipped prompts in a folder, its model being scripted.

    ``model_name`` is who the model is told to be; ``embedder`` stands in for the local model.
    """
    clock, model = DataClock(begins), ConversationModel()
    async with FakeOpenAi(default=model) as server:
        folders = _lay_out(folder, {**NO_RAG, "llm": {"url": server.url, "model": "scripted"}}, model_name)
        set_up_logs("info", "json", folders.logs / "mneme.log")

        def alter(parts: App) -> App:
            database = parts.housekeeping.database
            turns = ReplayedTurns(database, now=clock.now)
            return replace(parts, turns=turns, sessions=turns, learning_queue=ReplayedLearning(database))

        messengers = {PLATFORM: RecordingMessenger()}
        async with open_application(folders, embedder, clock=clock, messengers=messengers, alter=alter) as app:
            yield Replay(app, clock, model, Author(_USER, user, Trust.USER))


def _lay_out(folder: Path, settings: dict[str, Any], model_name: str) -> Folders:  # Any: settings as JSON
    """Make the folders of an installation with the shipped prompts and skills."""
    shutil.copytree(PROJECT / "preferences", folder / "preferences", dirs_exist_ok=True)
    folders = make_folders(folder, settings)
    if model_name:
        identity = folders.preferences / "prompts" / "IDENTITY.md"
        identity.write_text(f"{identity.read_text(encoding='utf-8')}\nYour name is {model_name}.\n", encoding="utf-8")
    return replace(folders, models=find_model_folder(folders.data))
