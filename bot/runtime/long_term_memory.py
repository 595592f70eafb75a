"""Long-term memory as one thing, whatever the settings say now: the embedded server, another one, or none.

The client asks for address and key at every call, so that a changed ``rag.url`` applies to the next request.  While no
address is configured the server is a child process of ours, from the first text to index or the first question to what
it holds on.

The server's workspaces are kept in step with the conversation store.  What the server has lost is queued once more,
scope by scope: every answer of our server says which incarnation of a workspace it is about, and another one than
before, or none, means that the file was damaged, deleted or replaced by another server's.  Documents keep their names,
so that whatever is there already is recognised.
"""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

import structlog

from adapters.rag.client import LightRagClient, ServerKind, health, identify_server
from adapters.rag.indexer import Indexer
from adapters.rag.process import MemoryServerProcess, ServerState, Watch
from adapters.rag.query import QuerySize
from adapters.rag.transport import ServerNames
from adapters.sqlite.outbox import WorkspaceRecords
from bot.config.environment import read_environment
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.config.memory_schema import EmbeddedSettings, RagSettings
from bot.errors import MemoryUnavailable, StorageUnavailable, WorkspaceTaken
from bot.memory.document import parse_source
from bot.memory.items import Channel
from bot.memory.scope import Installation, Scope
from bot.memory.secrets.redaction import redact
from bot.ports.events import ExchangeIndexed, Publish
from bot.ports.rag import IndexOutcome, Outbox, QueryMode, RagAnswer
from bot.ports.when import Clock
from bot.runtime.scheduling import supervise
from bot.turn import IndexDocument
from memory_server.errors import ConfigInvalid
from memory_server.options import LightRagVariables, read_lightrag_variables

_REFUSED = (
    "this LightRAG server keeps all chats in one workspace and already holds another chat; "
    "set rag.sharedWorkspace to true if that is meant, or leave rag.url empty for Mneme's own server"
)
_RECHECK_S = 30.0
_LOOK_S = 0.2


class LongTermMemory:
    """Implements ``RagPort`` and ``RagEraser`` over the server in force, and keeps its indexer running.

    On a server that has one workspace for all, the first scope that is used owns it; others are refused unless
    ``rag.sharedWorkspace`` says that the operator knows.  Their documents wait in the outbox.
    """

    def __init__(
        self,
        places: Folders,
        live: LiveSettings,
        outbox: Outbox,
        records: WorkspaceRecords,
        installation: Installation,
        clock: Clock,
        publish: Publish,
        withheld: Callable[[Scope], Awaitable[frozenset[str]]],
    ) -> None:
        self._live = live
        self.installation = installation
        """Whose name every workspace of ours carries."""
        self._places = places
        self._publish = publish
        self._withheld = withheld
        self._variables, self._complaint = LightRagVariables(), ""
        try:
            self._variables = read_lightrag_variables(read_environment(places))
        except ConfigInvalid as error:
            self._complaint = f"{error}; the usual values of all four are in force"
            structlog.get_logger().error("variable of the memory server not used", reason=str(error))
        self._served = live.current.rag.embedded
        """The settings that the child was started with, or is when it is."""
        self._child = MemoryServerProcess(
            _command(places, self._served),
            places.memory_server,
            log=places.logs / "memory-server.log",
            environment=_environment() | self._variables.variables(),
            on_ready=self._on_ready,
            watch=Watch(start_s=self._served.start_timeout_seconds),
        )
        self._rebuilding = Rebuilding(records)
        self.client = LightRagClient(
            self._url,
            self._key,
            names=ServerNames(installation, shared=self._shared),
            heard=self._rebuilding.heard,
            size=lambda: QuerySize(top_k=self._rag.top_k, chunk_top_k=self._rag.chunk_top_k),
            index_timeout_s=lambda: self._rag.timeout_seconds,
            cache_ttl_s=lambda: self._rag.cache_seconds,
        )
        self.indexer = Indexer(
            outbox,
            self,
            self,
            clock,
            workers=lambda: self._rag.index_workers,
            enabled=lambda: self._rag.enabled,
            begin=self._begin,
        )
        self._started = False
        self._kind: ServerKind | None = None
        self._owner = _Owner(places)
        self._refused: set[Scope] = set()
        """Whose documents wait for as long as the settings are as they are."""
        self._changed = asyncio.Event()
        self._address_file = places.data / "state" / "memory-server-address"
        self._attached = ""

    @property
    def _rag(self) -> RagSettings:
        return self._live.current.rag

    async def run_indexing(self) -> None:
        """Hand over what waits for it, until cancelled: one process alone does."""
        background = (
            asyncio.create_task(supervise("indexer", self.indexer.run), name="indexer"),
            asyncio.create_task(supervise("rebuilding", self._rebuilding.run), name="rebuilding"),
        )
        try:
            await asyncio.wait(background)
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)

    async def run(self) -> None:
        """Run the child for as long as it is wanted, until cancelled."""
        try:
            while True:
                self._changed.clear()
                await self._follow()
                try:
                    async with asyncio.timeout(None if self._embedded else _RECHECK_S):
                        await self._changed.wait()
                except TimeoutError:
                    continue
        finally:
            await self._child.stop()
            await self.client.close()

    def settings_changed(self) -> None:
        """Look at the settings again: start or stop the child, ask the other server what it is."""
        self._kind = None
        self._refused.clear()
        self._owner.admit()
        self._changed.set()
        self.client.hurry()
        self.indexer.wake()

    def start(self) -> None:
        """Have the embedded server started, if it is the one in force and does not run yet; returns at once."""
        if self._embedded and self._rag.enabled and not self._attached and not self._started:
            self._started = True
            self._changed.set()

    def attach(self) -> None:
        """Use the embedded server of the Mneme that runs on this folder now, instead of a child of our own."""
        with suppress(OSError):
            self._attached = self._address_file.read_text(encoding="ascii").strip()

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        """Return what is known; see :class:`~bot.ports.rag.RagPort`.  A secret in the question stays here."""
        if not self._rag.enabled or not self._has_begun():
            return RagAnswer()
        began = time.monotonic()
        if self.client.asking:
            with suppress(MemoryUnavailable, TimeoutError):  # then it is asked as one that may be shared
                async with asyncio.timeout(deadline_s / 2):
                    await self._know_kind()
        deadline_s -= time.monotonic() - began
        if not self._may_use(scope):
            return RagAnswer(note=_REFUSED)
        asked = redact(question).text
        answer = await self.client.query(scope, asked, mode, deadline_s=deadline_s, documents_only=documents_only)
        try:
            answer = _sifted(answer, await self._withheld(scope))
        except StorageUnavailable:
            return RagAnswer(note="long-term memory not shown: the store cannot say what was erased")
        return answer if self._rag.relations else _without_relations(answer)

    async def index(self, document: IndexDocument) -> IndexOutcome:
        await self._know_kind()
        if not self._may_use(document.scope, take=True):
            self._refused.add(document.scope)
            raise WorkspaceTaken(_REFUSED)
        outcome = await self.client.index(document)
        if outcome is IndexOutcome.PROCESSED:
            self._publish(ExchangeIndexed(document.scope, document.source))
        return outcome

    async def erase(self, scope: Scope, source: str) -> bool:
        await self._know_kind()
        return await self.client.erase(scope, source)

    async def erase_scope(self, scope: Scope) -> bool:
        await self._know_kind()
        return await self.client.erase_scope(scope)

    async def health(self) -> tuple[str, str]:
        """Return "ok", "degraded" or "down" and why."""
        if not self._rag.enabled:
            return "ok", "switched off (rag.enabled)"
        if not self._has_begun():
            return "ok", "nothing to know yet: the embedded memory server starts with the first text"
        if self._embedded and not self._attached and self._child.state is not ServerState.READY:
            return "degraded", self._child.cause or "the embedded memory server is starting"
        state, reason = await health(self.client)
        if state == "ok" and self._embedded and self._complaint:
            return "degraded", self._complaint
        if state == "ok" and not self._embedded and not self._rag.shared_workspace and self._owner.has_refused():
            return "degraded", _REFUSED
        return state, reason

    async def ready(self, timeout_s: float) -> bool:
        """Wait until the embedded server is up; ``True`` at once with another one, and while none is needed."""
        return not self._embedded or not self._has_begun() or await self._child.ready(timeout_s)

    def _has_begun(self) -> bool:
        """Whether there is a server that may know something; ours is started if it holds anything."""
        if self._embedded and not self._attached and not self._started:
            files = (self._places.memory_server / "workspaces").glob("*.sqlite3")
            if self._rebuilding.knows_any or next(files, None) is not None:
                self.start()
            return self._started
        return True

    async def settle(self, timeout_s: float) -> bool:
        """Wait until everything said is indexed; ``False`` if that takes longer, or cannot be: see :attr:`refusal`."""
        if not self._rag.enabled:
            return True
        settling = asyncio.create_task(self.indexer.settle(timeout_s), name="settle")
        try:
            while not self._refused:
                if (await asyncio.wait((settling,), timeout=_LOOK_S))[0]:
                    return settling.result()
            return False
        finally:
            settling.cancel()
            await asyncio.gather(settling, return_exceptions=True)

    @property
    def refusal(self) -> str:
        """Why documents wait for as long as the settings are as they are, "" if none does."""
        return _REFUSED if self._refused else ""

    @property
    def kept_in_one(self) -> bool:
        """Whether the server is known to keep everything in one workspace."""
        return not self._embedded and self._kind is ServerKind.STOCK

    def newly_refused(self, scope: Scope) -> bool:
        """Whether a chat's memory stays out of the server, and the chat was not told so before."""
        return not self._may_use(scope) and self._owner.refuse(scope)

    @property
    def _embedded(self) -> bool:
        return not self._rag.url

    def _url(self) -> str:
        return str(self._rag.url) or self._attached or self._child.url()

    def _key(self) -> str:
        return self._child.api_key() if self._embedded else str(self._rag.api_key)

    def _begin(self) -> bool:
        self.start()
        return bool(self._url())

    def _shared(self) -> bool:
        """Whether everything is (as long as we do not know: may be) kept in one workspace."""
        return not self._embedded and self._kind is not ServerKind.OURS

    async def _follow(self) -> None:
        """Make the child and our knowledge of the server fit the settings."""
        if self._embedded and self._rag.enabled:
            if self._started:
                await self._serve(self._rag.embedded)
            return
        if not self._embedded:
            await self._child.stop()
            if self._rag.enabled and self._kind is None:
                try:
                    await self._ask_kind()
                except MemoryUnavailable as error:
                    structlog.get_logger().warning("memory server not reached", cause=str(error))

    async def _serve(self, wanted: EmbeddedSettings) -> None:
        """Have the child running with these settings: one that runs with others is stopped and started again.

        Nothing is lost by that: questions are answered without long-term memory meanwhile, documents wait.
        """
        if wanted != self._served:
            self._child.adjust(_command(self._places, wanted), wanted.start_timeout_seconds)
            if _command(self._places, wanted) != _command(self._places, self._served):
                structlog.get_logger().info("memory server is started again: rag.embedded has changed")
                await self._child.stop()
            self._served = wanted
        await self._child.start()

    async def _know_kind(self) -> None:
        """Find out what another server is before names are made for it; raises :class:`MemoryUnavailable`."""
        if not self._embedded and self._kind is None:
            await self._ask_kind()

    async def _ask_kind(self) -> None:
        self._kind = await identify_server(self.client)
        structlog.get_logger().info("memory server found", kind=self._kind.value)

    def _may_use(self, scope: Scope, *, take: bool = False) -> bool:
        if not self.kept_in_one or self._rag.shared_workspace:
            return True
        return self._owner.is_(scope, take=take)

    def _on_ready(self) -> None:
        with suppress(OSError):  # only `mneme check` asks
            self._address_file.write_text(self._child.url(), encoding="ascii")
        self.client.hurry()
        self.indexer.hurry()


class _Owner:
    """Which scope owns a stock server's only workspace: kept in a file, so that a restart does not change it."""

    def __init__(self, places: Folders) -> None:
        self._file = places.data / "state" / "stock-server-scope"
        self._refusals = places.data / "state" / "stock-server-refused"
        self._tag = ""

    def is_(self, scope: Scope, *, take: bool) -> bool:
        if not self._tag and self._file.is_file():
            self._tag = self._file.read_text(encoding="utf-8").strip()
        if not self._tag and take:
            self._tag = scope.tag
            self._file.write_text(scope.tag, encoding="utf-8")
        return self._tag in {"", scope.tag}

    def refuse(self, scope: Scope) -> bool:
        """Note that a scope was refused; ``True`` the first time."""
        known = self._refusals.read_text(encoding="utf-8").splitlines() if self._refusals.is_file() else []
        if scope.tag in known:
            return False
        self._refusals.write_text("\n".join([*known, scope.tag]) + "\n", encoding="utf-8")
        return True

    def has_refused(self) -> bool:
        """Whether any scope was refused since the settings changed."""
        return self._refusals.is_file()

    def admit(self) -> None:
        """Forget who was refused: the settings are others."""
        self._refusals.unlink(missing_ok=True)


def _environment() -> dict[str, str]:
    """Return what the child needs of our environment: none of our secrets."""
    # LightRAG would read them from .env when it is imported; one heap for all threads keeps its memory small.
    secrets = ("TELEGRAM_", "LLM_", "OPENAI_", "RAG_", "RERANK_", "VOICE_", "DATABASE_URL")
    needed = {name: value for name, value in os.environ.items() if not name.startswith(secrets)}
    lean = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    return {**lean, **needed, "PYTHON_DOTENV_DISABLED": "1"}


def _sifted(answer: RagAnswer, withheld: frozenset[str]) -> RagAnswer:
    """Return an answer without what is erased here and not there yet; "" withholds the whole workspace.

    What long-term memory has put together of several documents may hold a piece of an erased one.
    """
    if not withheld or not answer.found:
        return answer
    gone = {named.uid for named in map(parse_source, withheld) if named is not None}
    found = tuple(memory for memory in answer.found if memory.exchange and memory.exchange not in gone)
    found = () if "" in withheld else found
    return replace(answer, found=found, chars=sum(len(memory.text) for memory in found))


def _without_relations(answer: RagAnswer) -> RagAnswer:
    found = tuple(memory for memory in answer.found if memory.channel is not Channel.RELATION)
    return replace(answer, found=found, chars=sum(len(memory.text) for memory in found))


def _command(places: Folders, embedded: EmbeddedSettings) -> tuple[str, ...]:
    return (
        sys.executable,
        "-m",
        "bot.compose.memory_server",
        "--data",
        str(places.memory_server),
        "--models",
        str(places.models),
        "--port",
        str(embedded.port),
        "--open-workspaces",
        str(embedded.open_workspaces),
        "--child",
    )


_NOWHERE: Final = "none"
"""What a server calls a workspace that does not exist."""


class Rebuilding:
    """:meth:`heard` may be called at any time and returns at once; :meth:`run` does the work."""

    def __init__(self, records: WorkspaceRecords) -> None:
        self._records = records
        self._known: dict[Scope, str] | None = None
        self._news: dict[Scope, str] = {}
        self._told = asyncio.Event()

    @property
    def knows_any(self) -> bool:
        """Whether a workspace is known to have been there, gone or not."""
        return any(incarnation != _NOWHERE for incarnation in (self._known or {}).values())

    def heard(self, scope: Scope, incarnation: str) -> None:
        """Note which workspace has answered."""
        if self._known is None or self._known.get(scope) != incarnation:
            self._news[scope] = incarnation
            self._told.set()

    async def run(self) -> None:
        """Queue again what was lost, until cancelled; raises :class:`~bot.errors.StorageUnavailable`."""
        if self._known is None:
            self._known = await self._records.list_incarnations()
        while True:
            await self._told.wait()
            self._told.clear()
            for scope, incarnation in list(self._news.items()):
                await self._compare(self._known, scope, incarnation)
                if self._news.get(scope) == incarnation:
                    del self._news[scope]

    async def _compare(self, known: dict[Scope, str], scope: Scope, incarnation: str) -> None:
        before = known.get(scope, _NOWHERE)
        if before == incarnation:
            return
        if before != _NOWHERE and (count := await self._records.queue_documents(scope)):
            structlog.get_logger().warning(
                "workspace lost; made again from the store", scope=scope.tag, documents=count
            )
        await self._records.record_incarnation(scope, incarnation)
        known[scope] = incarnation
