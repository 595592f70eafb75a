"""The command that checks the wire against servers written elsewhere, against a fake server."""

from __future__ import annotations

from harness.endpoints.servers import check_llama
from harness.fakes.openai import FakeOpenAi


async def test_a_check_that_fails_says_what_was_seen() -> None:
    """Against a server that caches nothing and tells no window."""
    async with FakeOpenAi() as server:
        checks = {each.name: each for each in await check_llama(server.url.removesuffix("/v1"), "fake-model", 4096)}

    assert checks["streams an answer"].ok
    assert not checks["counts tokens, and those it had cached"].ok
    assert checks["tells the window"].seen == "AssertionError: None"
