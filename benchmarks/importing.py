"""How fast a long conversation is imported while the bot answers: ``python -m benchmarks.importing [--json]``.

A generated chat of Telegram Desktop is handed in as ``mneme import`` does, beside a running application that is asked
a question every second.  Reported are messages a second, what a message takes of a processor until it is written and
until it is embedded as well, the pauses of the answers beside those of a bot that only answers, and peak memory.
"""

import asyncio
import json
import random
import resource
import statistics
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from bot.config.folders import find_model_folder
from bot.features.transfer.terminal import ImportCommand, run_import
from bot.runtime.installation import only_mneme
from harness.application import NO_RAG, RunningChats, run_chats
from harness.options import Report, run

_WORDS = ("parcel", "harbour", "ticket", "violin", "garden", "train", "kettle", "window", "bridge", "letter", "museum")
_TOPICS = ("My sister {} lives in {}.", "We met {} near {} yesterday.", "The {} is behind the {} again.", "{}? {}!")


def write_chat(path: Path, messages: int) -> None:
    """Write a chat between two people, message by message."""
    dice = random.Random(20260207)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"name": "Anna", "type": "personal_chat", "id": 2, "messages": [\n')
        for number in range(messages):
            begin = dice.choice(_TOPICS).format(dice.choice(_WORDS).title(), dice.choice(_WORDS))
            text = f"{begin} {' '.join(dice.choices(_WORDS, k=dice.randrange(3, 25)))} {number}."
            author = 1 + number % 2
            fields = {
                "id": number + 1,
                "type": "message",
                "date_unixtime": str(1_600_000_000 + number * 300),
                "from": "Bob" if author == 1 else "Anna",
                "from_id": f"user{author}",
                "text": text,
            }
            file.write(("," if number else "") + json.dumps(fields) + "\n")
        file.write("]}")


_ASKED_BEFORE = 20
"""Questions to a bot that does nothing else."""


async def ask(chats: RunningChats, done: asyncio.Event, took: list[float]) -> None:
    """Ask once a second and note how long each answer took."""
    while not done.is_set():
        await ask_once(chats, took)
        await asyncio.sleep(max(0.0, 1 - took[-1]))


async def ask_once(chats: RunningChats, took: list[float]) -> None:
    """Ask, and note how long the answer took."""
    began = time.perf_counter()
    await chats.say(1, "Where does my sister live?")
    took.append(time.perf_counter() - began)


async def measure(folder: Path, *, messages: int = 10_000) -> Report:
    """Import so many messages and return the figures."""
    file = folder / "result.json"
    await asyncio.to_thread(write_chat, file, messages)
    embedder = E5Embedder(find_model_folder(folder / "data"))
    async with run_chats(folder, NO_RAG, embedder, level="warning") as chats:
        await chats.say(1, "My sister Vera lives in Porto.")
        idle: list[float] = []
        await ask_once(chats, idle)  # loads what a question needs
        await chats.app.embedding.wait_until_rested()
        spent = time.process_time()
        for _ in range(_ASKED_BEFORE):
            await ask_once(chats, idle)
        await chats.app.embedding.wait_until_rested()
        answering = (time.process_time() - spent) / _ASKED_BEFORE
        took: list[float] = []
        done = asyncio.Event()
        asking = asyncio.create_task(ask(chats, done, took))
        began, spent = time.perf_counter(), time.process_time()
        # On a thread of its own, as a terminal is a process of its own: it only hands in and waits.
        asked = ImportCommand(file, who="user1", platform="console", as_json=True)
        with only_mneme(chats.folders), redirect_stdout(sys.stderr):
            await asyncio.to_thread(lambda: asyncio.run(run_import(chats.folders, asked)))
        seconds = time.perf_counter() - began
        done.set()
        await asking
        written = time.process_time() - spent - len(took) * answering
        await chats.say(1, "My brother lives in Oslo.")  # wakes what embeds
        await chats.app.embedding.wait_until_rested()
        embedded = time.process_time() - spent - (len(took) + 1) * answering
    took.sort()
    idle = sorted(idle[1:])
    return {
        "messages": messages,
        "seconds": round(seconds, 1),
        "perSecond": round(messages / seconds, 1),
        "writtenCpuMs": round(1000 * written / messages, 2),
        "embeddedCpuMs": round(1000 * embedded / messages, 2),
        "answers": len(took),
        "answerMedianMs": round(1000 * statistics.median(took), 1),
        "answer95Ms": round(1000 * took[int(0.95 * (len(took) - 1))], 1),
        "answer95MsBefore": round(1000 * idle[int(0.95 * (len(idle) - 1))], 1),
        "answerMaxMs": round(1000 * took[-1], 1),
        "peakMb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


if __name__ == "__main__":
    run(measure, __doc__)
