"""Long-term memory that dies, hangs or talks nonsense costs no answer, and nothing said meanwhile."""

from __future__ import annotations

import signal
from contextlib import suppress

import psutil
import pytest

from harness.fakes.faulty_http import Fault
from harness.fakes.lightrag import FakeLightRag
from harness.processes import Home, Running, count, documents, running, until, waiting

SAID = ("My brother Pavel plays the cello.", "Pavel was born in Riga in 1979.", "Where was Pavel born?")


async def told(chat: Running) -> list[str]:
    """Say everything and return the answers; one that waits for the server is none in time."""
    return [await chat.say(line) for line in SAID]


@pytest.mark.server
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hanging"])
async def test_an_embedded_server_that_stops_answering_costs_nothing(number: signal.Signals, home: Home) -> None:
    """Every message is answered meanwhile; what was said is indexed once the server is back."""
    home.configure({})
    async with running(home, "chat", "--plain") as chat:
        await chat.say("My aunt Olga keeps bees in Narva.")
        server = await chat.memory_server()
        server.send_signal(number)
        answers = await told(chat)
        with suppress(psutil.NoSuchProcess):
            server.send_signal(signal.SIGCONT)
        await until(lambda: waiting(home.data) == 0)
        code = await chat.leave()

    assert "Riga" in answers[-1]
    assert len(documents(home.data)) == count(home.data, "SELECT count(*) FROM exchanges WHERE source <> ''") > 2
    assert code == 0


@pytest.mark.parametrize("fault", [Fault.ERROR_BEFORE, Fault.ERROR_AFTER, Fault.GARBAGE, Fault.HTML, Fault.DRIP])
async def test_a_server_that_talks_nonsense_costs_nothing(fault: Fault, home: Home) -> None:
    """As above, with another server that answers 500, garbage, a web page or a byte at a time, until it is healed."""
    async with FakeLightRag(fault=lambda _: fault) as rag:
        home.configure({"rag": {"url": rag.url, "apiKey": "secret", "timeoutSeconds": 1}})
        async with running(home, "chat", "--plain") as chat:
            await chat.say("/help")
            answers = await told(chat)
            rag.http.fault = lambda _: None
            await until(lambda: waiting(home.data) == 0)
            code = await chat.leave()
        sources = [found.source for tag in list(rag.workspaces) for found in rag.processed(tag)]

    assert "Riga" in answers[-1]
    assert len(sources) == len(set(sources)) == count(home.data, "SELECT count(*) FROM exchanges WHERE source <> ''")
    assert code == 0
