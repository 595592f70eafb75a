"""Pools that are not trusted after a cancelled request."""

from __future__ import annotations

import asyncio
import ssl

import httpx
import pytest

from adapters.rag.transport import ConnectionPool


async def test_certificates_are_verified_for_https() -> None:
    """An https address gets a client that demands a valid certificate, whatever was asked before it.

    Mutation check: a pool that ignores the kind of address lends a client that verifies nothing.
    """
    pool = ConnectionPool(2)
    async with pool.client(secure=False):
        pass
    async with pool.client(secure=True) as http:
        transport = http._transport
        assert isinstance(transport, httpx.AsyncHTTPTransport)
        context = transport._pool._ssl_context
    await pool.close()

    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


async def test_a_client_is_kept_while_requests_end_well() -> None:
    """Connections are reused as long as nothing was cancelled."""
    pool = ConnectionPool(2)
    async with pool.client(secure=False) as first:
        pass
    async with pool.client(secure=False) as second:
        pass
    await pool.close()

    assert first is second


async def test_a_retired_client_is_closed_with_its_last_request() -> None:
    """A time-out retires the client; a request that still runs on it may end first."""
    pool = ConnectionPool(2)
    async with pool.client(secure=False) as running:
        with pytest.raises(TimeoutError):
            async with pool.client(secure=False) as cancelled:
                raise TimeoutError
        async with pool.client(secure=False) as fresh:
            pass
        closed_early = running.is_closed
    while not running.is_closed:  # noqa: ASYNC110 - it is closed in the background
        await asyncio.sleep(0)
    await pool.close()

    assert cancelled is running
    assert fresh is not running
    assert not closed_early
