"""Logs of the client: a person can grep them, and nobody reads a message there."""

from __future__ import annotations

import asyncio

from structlog.testing import capture_logs

from adapters.rag.indexer import Indexer
from bot.ports.rag import IndexOutcome, QueryMode
from bot.turn import IndexDocument
from harness.fakes.faulty_http import Fault
from harness.fakes.lightrag import FakeLightRag
from tests.adapters.rag.fixtures import ANNA, BRISK, SystemClock, client_of, document
from tests.adapters.rag.memory_outbox import MemoryOutbox
from tests.adapters.rag.test_indexer import ScriptedRag


async def test_figures_and_causes_are_logged_and_no_texts() -> None:
    """Characters retrieved, characters indexed, query failed, index failed: lines without what was said or asked."""
    said = document(ANNA, 1, "My sister Vera lives in Porto.")
    outbox = MemoryOutbox()
    outbox.put(said)
    faults = [Fault.ERROR_BEFORE]
    with capture_logs() as lines:
        async with FakeLightRag(fault=lambda _: faults.pop() if faults else None) as fake:
            client = client_of(fake)
            indexer = Indexer(outbox, client, client, SystemClock(), times=BRISK)
            worker = asyncio.create_task(indexer.run())
            await indexer.settle(240)
            answer = await client.query(ANNA, "Where does Vera live?", QueryMode.MIX, deadline_s=10)
            faults.append(Fault.UNAVAILABLE)
            await client.query(ANNA, "Who is Vera?", QueryMode.MIX, deadline_s=10)
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)
            await client.close()
    events = {line["event"]: line for line in lines}

    assert f"rag query: {answer.chars} characters retrieved" in events
    assert f"rag index: {len(said.text)} characters indexed" in events
    assert events["rag query failed"]["cause"] == "long-term memory unavailable: HTTP 503"
    assert events["rag index failed"]["cause"] == "long-term memory unavailable: HTTP 500"
    assert not any(word in str(lines) for word in ("Vera", "Porto", "sister", "secret"))


async def test_a_defect_names_its_place_and_not_its_text() -> None:
    """The text of an unforeseen error may quote the document, so only its kind and place are logged."""

    def does(document: IndexDocument) -> IndexOutcome:
        raise ValueError(document.text)

    outbox, rag = MemoryOutbox(), ScriptedRag(does)
    outbox.put(document(ANNA, 1, "My sister Vera lives in Porto."))
    with capture_logs() as lines:
        indexer = Indexer(outbox, rag, rag, SystemClock(), times=BRISK)
        worker = asyncio.create_task(indexer.run())
        await indexer.settle(240)
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)

    assert "ValueError at test_logs.py" in str(lines)
    assert "Vera" not in str(lines)
    assert "Vera" not in str(outbox.list_dead())
