"""``python -m benchmarks.corrections --list FILE --json``: what is answered after something was put right or changed.

Each line of the file is a JSON object: ``lang``, ``before`` (what was told first), ``later`` (the message that corrects
or changes it), ``asks`` (a question in a new conversation), ``now`` and ``then`` (words that the answer must hold, and
must not hold as if they were true; "" where ``later`` changes nothing and ``now`` is of ``before``).
Exit code 1 when one is answered with what holds no more.  Nothing but memory answers; each line is a chat of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TypedDict

from adapters.embedding.minilm import MiniLmEmbedder
from bot.cli import one_thread_per_product
from bot.config.folders import PROJECT, find_model_folder
from harness.application import NO_RAG, RunningChats, run_chats
from language.registry import choose_texts


class Line(TypedDict):
    """One line of the file."""

    lang: str
    before: str
    later: str
    asks: str
    now: str
    then: str


async def judge(lines: list[Line]) -> list[tuple[Line, str, str]]:
    """Return every line with its verdict ("right", "stale" or "unknown") and the answer."""
    embedder = MiniLmEmbedder(find_model_folder(PROJECT / "data"))
    await embedder.prepare(lambda _: None)
    with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        async with run_chats(Path(folder), NO_RAG, embedder) as chats:
            answers = [await _ask(chats, number, line) for number, line in enumerate(lines)]
    return [(line, _rate(line, answer), answer) for line, answer in zip(lines, answers, strict=True)]


async def _ask(chats: RunningChats, chat: int, line: Line) -> str:
    for text in (line["before"], line["later"], "/new"):
        await chats.say(chat, text, language=line["lang"])
    return await chats.say(chat, line["asks"], language=line["lang"])


def _rate(line: Line, answer: str) -> str:
    earlier = choose_texts(line["lang"]).answers.earlier.partition("{")[0]
    told = "\n".join(each for each in answer.splitlines() if not each.startswith(earlier))
    if line["then"] and _holds(told, line["then"]):
        return "stale"
    return "right" if _holds(told, line["now"]) else "unknown"


def _holds(told: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", told, re.IGNORECASE) is not None


def main() -> int:
    """Judge a list and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corrections", description=__doc__)
    parser.add_argument("--list", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    one_thread_per_product()
    text: str = options.list.read_text(encoding="utf-8")
    judged = asyncio.run(judge([json.loads(line) for line in text.splitlines() if line.strip()]))
    counts = {
        lang: dict(Counter(verdict for line, verdict, _ in judged if lang in ("all", line["lang"])))
        for lang in ("all", *sorted({line["lang"] for line, *_ in judged}))
    }
    missed = [
        {"later": line["later"], "verdict": verdict, "answer": answer}
        for line, verdict, answer in judged
        if verdict != "right"
    ]
    if options.json:
        print(json.dumps({"verdicts": counts, "missed": missed}, indent=2, ensure_ascii=False))
    else:
        for lang, verdicts in counts.items():
            print(lang, *(f"{verdict} {count}" for verdict, count in sorted(verdicts.items())))
        for one in missed:
            print(f"{one['verdict']}: {one['later']} → {one['answer']!r}")
    return int(any(verdict == "stale" for _, verdict, _ in judged))


if __name__ == "__main__":
    sys.exit(main())
