"""The guard around the tests themselves."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys

import httpx
import pytest

from tests.offline import sitecustomize as offline

ELSEWHERE = "192.0.2.1"
"""https://www.rfc-editor.org/rfc/rfc5737: an address that nobody has."""


async def test_connections_elsewhere_are_refused() -> None:
    """By socket, by asyncio, by a client library, by name or number: each is refused by name, and kept."""
    with socket.socket() as plain, pytest.raises(offline.NetworkUsed, match="loopback"):
        plain.connect((ELSEWHERE, 80))
    with socket.socket(type=socket.SOCK_DGRAM) as datagrams, pytest.raises(offline.NetworkUsed):
        datagrams.sendto(b"x", (ELSEWHERE, 53))
    with pytest.raises(offline.NetworkUsed):
        await asyncio.open_connection(ELSEWHERE, 80)
    with pytest.raises(offline.NetworkUsed):
        socket.getaddrinfo("example.org", 80)
    async with httpx.AsyncClient() as client:
        with pytest.raises(offline.NetworkUsed):
            await client.get("http://example.org/")
    kept, offline.LEFT[:] = list(offline.LEFT), []

    assert {ELSEWHERE, "example.org"} == set(kept)
    assert len(kept) == 5


def test_this_machine_can_be_reached() -> None:
    """Loopback by number and by name, and addresses to listen on."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()[:2]):
        listening = socket.getaddrinfo("0.0.0.0", 0)  # noqa: S104 - only looked up
        own = socket.getaddrinfo("localhost", 0)

    assert listening
    assert own
    assert offline.LEFT == []


def test_processes_started_by_a_test_stay_here_too() -> None:
    """A child inherits the guard with its environment."""
    program = f"import socket; socket.create_connection(('{ELSEWHERE}', 80), 1)"
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=dict(os.environ)
    )

    assert done.returncode != 0
    assert "NetworkUsed" in done.stderr
