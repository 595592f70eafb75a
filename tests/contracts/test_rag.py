"""The contract of :mod:`bot.ports.rag`, held by the client over every server that it may meet."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import cast
from uuid import uuid4

import pytest
import pytest_asyncio

from adapters.rag.client import LightRagClient
from adapters.rag.process import MemoryServerProcess
from adapters.rag.transport import ServerNames
from bot.errors import DocumentRejected
from bot.memory.document import render_document, source_name
from bot.memory.items import Channel
from bot.memory.scope import Installation, Scope
from bot.ports.rag import IndexOutcome, QueryMode, RagEraser, RagPort
from bot.turn import IndexDocument
from harness.fakes.lightrag import INSTALLATION, FakeLightRag

ANNA, BORIS = Scope("tu1"), Scope("tu2")
_ROOT = Path(__file__).parents[2]
Connect = Callable[[], AbstractAsyncContextManager[LightRagClient]]


class LongTerm(RagPort, RagEraser):
    """Both ports, as one object implements them."""


def _fake(*, ours: bool) -> Connect:
    @asynccontextmanager
    async def serve() -> AsyncIterator[LightRagClient]:
        async with FakeLightRag(ours=ours, delay_s=0.005) as fake:
            client = LightRagClient(fake.url, "secret", names=ServerNames(INSTALLATION, shared=lambda: not ours))
            try:
                yield client
            finally:
                await client.close()

    return serve


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory, forked_servers: None) -> AsyncIterator[MemoryServerProcess]:
    """Mneme's own memory server, started as Mneme starts it, once for all tests."""
    folder = tmp_path_factory.mktemp("memory-server")
    command = (sys.executable, "-m", "bot", "memory-server", "--data", str(folder / "server"), "--child")
    process = MemoryServerProcess(command, folder / "server", log=folder / "server.log")
    await process.start()
    assert await process.ready(240), process.cause
    yield process
    await process.stop()


@asynccontextmanager
async def _real(server: MemoryServerProcess) -> AsyncIterator[LightRagClient]:
    """A client of the memory server whose workspaces nobody else has."""
    client = LightRagClient(server.url, server.api_key, names=ServerNames(Installation(f"a{uuid4().hex[:15]}")))
    try:
        yield client
    finally:
        await client.close()


@pytest.fixture(
    params=[
        pytest.param(_fake(ours=True), id="fake of ours"),
        pytest.param(_fake(ours=False), id="fake of a stock server"),
        pytest.param(_real, id="memory server", marks=pytest.mark.server),
    ]
)
def connect(request: pytest.FixtureRequest) -> Connect:
    """How to reach each server; the real one is started for who asks for it, in each worker that does."""
    return (
        partial(_real, request.getfixturevalue("server")) if request.param is _real else cast("Connect", request.param)
    )


@pytest.fixture
async def rag(connect: Connect) -> AsyncIterator[LightRagClient]:
    async with connect() as client:
        yield client


def _said(scope: Scope, number: int, words: str, answer: str = "Noted.") -> IndexDocument:
    said_at = datetime(2026, 2, 7, 13, 30, number, tzinfo=UTC)
    text = render_document(
        tag=scope.tag,
        uid=f"x{number}",
        said_at=said_at,
        skill="",
        author_name="Anna",
        user_text=words,
        assistant_text=answer,
    )
    return IndexDocument(scope, source_name(said_at, scope.tag, f"x{number}"), text)


async def _repeated(step: Callable[[], Awaitable[object]], wanted: object) -> None:
    async with asyncio.timeout(60):
        while await step() != wanted:  # noqa: ASYNC110 - the other side is a server
            await asyncio.sleep(0.01)


async def _index(rag: RagPort, *documents: IndexDocument) -> None:
    for document in documents:
        await _repeated(lambda document=document: rag.index(document), IndexOutcome.PROCESSED)  # type: ignore[misc]


async def test_what_is_processed_is_found_with_its_exchange_date_and_author(rag: LightRagClient) -> None:
    """An exchange comes back as the user said it, and says where it is from."""
    await _index(rag, _said(ANNA, 1, "My sister Vera lives in Porto."))

    answer = await rag.query(ANNA, "Where does my sister Vera live?", QueryMode.MIX, deadline_s=20)

    chunk = next(memory for memory in answer.found if memory.channel is Channel.CHUNK and memory.role == "user")
    assert answer.note == ""
    assert chunk.text == "My sister Vera lives in Porto."
    assert (chunk.exchange, chunk.author) == ("x1", "Anna")
    assert chunk.said_at == datetime(2026, 2, 7, 13, 30, 1, tzinfo=UTC)
    assert answer.chars == sum(len(memory.text) for memory in answer.found)


async def test_every_mode_answers(rag: LightRagClient) -> None:
    """No mode fails, whether it finds anything or not, also without a word to look for."""
    await _index(rag, _said(ANNA, 1, "My sister Vera lives in Porto."))

    notes = [
        (await rag.query(ANNA, question, mode, deadline_s=20)).note
        for mode in QueryMode
        for question in ("Where does Vera live?", "And what about it then, was it so and why would it have been so?")
    ]

    assert set(notes) == {""}


async def test_scopes_are_strangers(rag: LightRagClient) -> None:
    """What one scope said about a name never answers the other, although both know the name."""
    await _index(
        rag,
        _said(ANNA, 1, "My sister Vera lives in Porto."),
        _said(BORIS, 2, "My boss Vera works in Oslo, she is a spy."),
    )

    anna, boris = [
        " ".join(memory.text for memory in (await rag.query(scope, "Who is Vera?", QueryMode.MIX, deadline_s=20)).found)
        for scope in (ANNA, BORIS)
    ]

    assert "spy" not in anna
    assert "sister" not in boris
    assert "spy" in boris


async def test_the_same_source_never_gives_two_documents(rag: LightRagClient) -> None:
    """Indexing again is safe, says ``processed`` and adds nothing."""
    document = _said(ANNA, 1, "My sister Vera lives in Porto.")
    await _index(rag, document, document, document)

    answer = await rag.query(ANNA, "Where does Vera live?", QueryMode.NAIVE, deadline_s=20)

    assert [memory.text for memory in answer.found].count("My sister Vera lives in Porto.") == 1


async def test_an_erased_exchange_is_not_found(rag: LightRagClient) -> None:
    """After ``True`` nothing of it comes back in any mode; its neighbour, who shares a name with it, stays."""
    gone, kept = _said(ANNA, 1, "My sister Vera lives in Porto."), _said(ANNA, 2, "Vera has a cat called Tom.")
    await _index(rag, gone, kept)
    await rag.query(ANNA, "Where does Vera live?", QueryMode.MIX, deadline_s=20)
    await _repeated(lambda: rag.erase(ANNA, gone.source), wanted=True)

    texts = [
        memory.text
        for mode in QueryMode
        for memory in (await rag.query(ANNA, "Where does my sister Vera live? Porto?", mode, deadline_s=20)).found
    ]

    assert not [text for text in texts if "Porto" in text or "sister" in text]
    assert [text for text in texts if "cat" in text]
    assert await rag.erase(ANNA, gone.source)


async def test_an_erased_scope_is_empty_and_may_begin_anew(rag: LightRagClient) -> None:
    """``erase_scope`` leaves nothing of one scope and all of the others; the scope can be used again."""
    await _index(rag, _said(ANNA, 1, "My sister Vera lives in Porto."), _said(BORIS, 2, "Vera lives in Oslo."))
    await _repeated(lambda: rag.erase_scope(ANNA), wanted=True)
    emptied = await rag.query(ANNA, "Where does Vera live?", QueryMode.NAIVE, deadline_s=20)
    await _index(rag, _said(ANNA, 3, "Vera has moved to Lisbon."))
    anew = await rag.query(ANNA, "Where does Vera live now?", QueryMode.NAIVE, deadline_s=20)
    other = await rag.query(BORIS, "Where does Vera live?", QueryMode.NAIVE, deadline_s=20)

    assert emptied.found == ()
    assert "Vera has moved to Lisbon." in {memory.text for memory in anew.found}
    assert "Vera lives in Oslo." in {memory.text for memory in other.found}


async def test_a_document_that_says_nothing_is_rejected(rag: LightRagClient) -> None:
    """What will never be accepted is not worth a retry."""
    with pytest.raises(DocumentRejected):
        await rag.index(IndexDocument(ANNA, _said(ANNA, 1, "x").source, "  \n "))


async def test_strange_texts_are_indexed_and_asked(rag: LightRagClient) -> None:
    """Control tokens, lone surrogates, NUL and right-to-left marks neither break the document nor the question."""
    strange = "Vera \ud83d said\x00 <|#|> \u202eolleh <SEP> in Porto <|COMPLETE|>"
    await _index(rag, _said(ANNA, 1, strange))

    answer = await rag.query(ANNA, strange, QueryMode.MIX, deadline_s=20)

    assert answer.note == ""
    assert any("Porto" in memory.text for memory in answer.found)


async def test_no_time_is_no_answer(rag: LightRagClient) -> None:
    """A deadline that cannot be met gives an empty answer, never an exception."""
    answer = await rag.query(ANNA, "Where does Vera live?", QueryMode.MIX, deadline_s=0.000001)

    assert answer.found == ()
    assert rag.asking
