"""Long-term memory that dies, hangs or talks nonsense costs no answer, and nothing said meanwhile."""

from __future__ import annotations

import signal
import time
from contextlib import suppress

import psutil
import pytest

from harness.fakes.faulty_http import Fault
from harness.fakes.lightrag import FakeLightRag
from harness.processes import Home, Running, count, documents, running, until, waiting

DEADLINE_S = 6.0
"""The budget of a query is 0.8 s and of the whole context 1 s; the rest is a busy machine."""
SAID = ("My brother Pavel plays the cello.", "Pavel was born in Riga in 1979.", "Where was Pavel born?")


async def told(chat: Running) -> tuple[list[str], float]:
    """Say everything and return the answers and the longest wait, in seconds."""
    answers, longest = [], 0.0
    for line in SAID:
        began = time.monotonic()
        answers.append(await chat.say(line))
        longest = max(longest, time.monotonic() - began)
    return answers, longest


@pytest.mark.server
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hanging"])
async def test_an_embedded_server_that_stops_answering_costs_nothing(number: signal.Signals, home: Home) -> None:
    """Every message is answered in time; what was said is indexed once the server is back."""
    home.configure({})
    async with running(home, "chat", "--plain") as chat:
        await chat.say("My aunt Olga keeps bees in Narva.")
        server = await chat.memory_server()
        server.send_signal(number)
        answers, longest = await told(chat)
        with suppress(psutil.NoSuchProcess):
            server.send_signal(signal.SIGCONT)
        await until(lambda: waiting(home.data) == 0)
        code = await chat.leave()

    assert "Riga" in answers[-1]
    assert longest < DEADLINE_S
    assert len(documents(home.data)) == count(home.data, "SELECT count(*) FROM exchanges WHERE source <> ''") > 2
    assert code == 0


@pytest.mark.parametrize("fault", [Fault.ERROR_BEFORE, Fault.ERROR_AFTER, Fault.GARBAGE, Fault.HTML, Fault.DRIP])
async def test_a_server_that_talks_nonsense_costs_nothing(fault: Fault, home: Home) -> None:
    """As above, with another server that answers 500, garbage, a web page or a byte at a time, until it is healed."""
    async with FakeLightRag(fault=lambda _: fault) as rag:
        home.configure({"rag": {"url": rag.url, "apiKey": "secret", "timeoutSeconds": 1}})
        async with running(home, "chat", "--plain") as chat:
            await chat.say("/help")
            answers, longest = await told(chat)
            rag.http.fault = lambda _: None
            await until(lambda: waiting(home.data) == 0)
            code = await chat.leave()
        sources = [found.source for tag in list(rag.workspaces) for found in rag.processed(tag)]

    assert "Riga" in answers[-1]
    assert longest < DEADLINE_S
    assert len(sources) == len(set(sources)) == count(home.data, "SELECT count(*) FROM exchanges WHERE source <> ''")
    assert code == 0
