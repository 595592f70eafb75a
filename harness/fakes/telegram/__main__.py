"""``python -m harness.fakes.telegram --port N``: the fake as a process of its own, until it is killed."""

from __future__ import annotations

import argparse
import asyncio
import sys

from harness.fakes.telegram.server import FakeTelegram


async def _serve(token: str, port: int) -> None:
    async with FakeTelegram(token, port=port) as telegram:
        sys.stdout.write(f"{telegram.url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", default="42:TEST-token-of-the-fake")
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.token, arguments.port))
