"""A disk that takes no writes: the system's limit on file sizes, set from outside on a running process."""

from __future__ import annotations

import resource
import signal

from harness.fakes.telegram import FakeTelegram
from harness.processes import Home, Running, count, running, until, waiting

ANNA = 7
PAUSED = "memory cannot be written"


def full(mneme: Running) -> None:
    resource.prlimit(mneme.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def mended(mneme: Running) -> None:
    resource.prlimit(mneme.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


async def test_a_full_disk_is_said_once_and_claims_nothing(home: Home) -> None:
    """Answers go on, none claims to have remembered, /status names the trouble; mended, all is stored by itself.

    Twice in two processes: what was said during an outage must not be taken for what was said during another.
    """
    home.configure({"rag": {"enabled": False}})
    async with running(home, "chat", "--plain") as chat:
        await chat.say("My sister Vera lives in Porto.")
        full(chat)
        first = await chat.say("My brother Pavel plays the cello.")
        known = await chat.say("Where does Vera live?")
        status = await chat.say("/status")
        mended(chat)
        await until(lambda: count(home.data, "SELECT count(*) FROM exchanges WHERE user_text LIKE '%cello%'"))
        after = await chat.say("/status")
        await chat.leave()
    async with running(home, "chat", "--plain") as chat:
        await chat.say("/new")
        full(chat)
        await chat.say("My aunt Olga keeps bees in Narva.")
        mended(chat)
        await until(lambda: count(home.data, "SELECT count(*) FROM exchanges WHERE user_text LIKE '%bees%'"))
        recalled = [await chat.say("What does Pavel play?"), await chat.say("What does Olga keep?")]
        code = await chat.leave()

    assert PAUSED in first
    assert "Noted" not in first
    assert "Porto" in known
    assert PAUSED not in known
    assert "wait in memory to be stored" in status
    assert "store: ok" in after
    assert "cello" in recalled[0]
    assert "bees" in recalled[1]
    assert code == 0


async def test_telegram_answers_from_a_full_disk_and_repeats_nothing(home: Home) -> None:
    """Filled between acceptance and answer as well as before it: one answer each, stored and indexed once later."""
    async with FakeTelegram() as telegram:
        home.configure({"telegram": {"apiUrl": telegram.url, "allowedUsers": [ANNA]}, "rag": {"enabled": False}})
        async with running(home, "run", environment={"TELEGRAM_TOKEN": telegram.token}) as mneme:
            await telegram.says("My sister Vera lives in Porto.", user=ANNA)
            await telegram.until(lambda: telegram.texts(ANNA))
            full(mneme)
            for number in range(3):
                await telegram.says(f"My locker number is QX{number}Z.", user=ANNA)
            await telegram.until(lambda: len(telegram.texts(ANNA)) == 4)
            mended(mneme)
            await until(lambda: count(home.data, "SELECT count(*) FROM exchanges WHERE user_text LIKE '%QX%'") == 3)
            code = await mneme.stop()
        async with running(home, "run", environment={"TELEGRAM_TOKEN": telegram.token}) as mneme:
            await telegram.says("/help", user=ANNA)
            await telegram.until(lambda: len(telegram.texts(ANNA)) == 5)
            mneme.signal(signal.SIGTERM)

    assert sum(PAUSED in text for text in telegram.texts(ANNA)) == 3
    assert len(telegram.texts(ANNA)) == 5
    assert waiting(home.data) == 0
    assert code == 0, home.logged()[-3000:]
