"""``python -m benchmarks.corrections --list FILE --json``: what is answered after something was put right or changed.

Each line of the file is a JSON object: ``language``, ``question`` (asked in a new conversation) and one of
``first`` and ``then`` with ``now`` (any of these an answer must hold) and ``old`` (none of these may it tell as if it
still held); the same with ``still``, where ``then`` changes nothing; ``told``, a list, with ``right`` (none: the answer
is not known).  ``--model`` reads the prompt in the place of the answer, by the same rules.
Exit code 1 when one is answered with what holds no more.  Each line is a chat of its own.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from adapters.embedding.e5 import E5Embedder
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.prompt.rendering import REPLACED
from bot.ports.chat_model import ChatMessage, ToolSpec
from harness.application import NO_RAG, RunningChats, ScriptedModel, run_chats, tag_of
from harness.options import Report, run
from language.registry import choose_texts


@dataclass(frozen=True)
class Line:
    """One line of the file, of whichever form."""

    language: str
    told: tuple[str, ...]
    question: str
    holds: tuple[str, ...]
    old: tuple[str, ...] = ()
    kind: str = ""

    @classmethod
    def read(cls, row: dict[str, Any]) -> Line:
        """Return the line of a JSON object."""
        told = row.get("told") or (row["first"], row["then"])
        holds = next(row[name] for name in ("now", "still", "right") if name in row)
        kind = row.get("kind") or ("stays" if "still" in row else "")
        return cls(row["language"], tuple(told), row["question"], tuple(holds), tuple(row.get("old", ())), kind)


@dataclass
class Judged:
    """A line, what came of it and whether one of its messages was taken for an edit.

    ``verdict`` is "right", "near" (told beside "I don't know"), "before" (told as what held before), "stale",
    "wrong" (an answer that holds nothing of the right one) or "unknown".
    """

    line: Line
    verdict: str
    answer: str
    edited: bool = False


@dataclass
class _Prompts:
    """A model that keeps the last prompt that was shown to it for an answer."""

    seen: dict[str, str] = field(default_factory=dict)

    def answer(self, messages: tuple[ChatMessage, ...], _: tuple[ToolSpec, ...]) -> str:
        """Keep it by what was asked, and say little."""
        self.seen[messages[-1].content] = "\n".join(each.content for each in messages[:-1])
        return "Good."

    def find(self, question: str) -> str:
        return next((prompt for asked, prompt in self.seen.items() if question in asked), "")


async def judge(folder: Path, lines: Sequence[Line], *, model: bool) -> list[Judged]:
    """Return every line with what came of it."""
    embedder = E5Embedder(find_model_folder(PROJECT / "data"))
    embedder.load()
    prompts = _Prompts()
    settings = {**NO_RAG, "llm": {"enabled": model, "model": "scripted", "url": "http://localhost:1"}}
    scripted = ScriptedModel(prompts.answer) if model else None
    async with run_chats(folder, settings, embedder, model=scripted, level="warning") as chats:
        answers = [await _ask(chats, number, line) for number, line in enumerate(lines)]
    edited = _find_edited(folder)
    if model:
        answers = [prompts.find(line.question) for line in lines]
    rate = _rate_prompt if model else _rate_answer
    return [
        Judged(line, rate(line, answer), answer, tag_of(number) in edited)
        for number, (line, answer) in enumerate(zip(lines, answers, strict=True))
    ]


async def _ask(chats: RunningChats, chat: int, line: Line) -> str:
    for text in (*line.told, "/new"):
        await chats.say(chat, text, language=line.language)
    return await chats.say(chat, line.question, language=line.language)


def _find_edited(folder: Path) -> frozenset[str]:
    """Return the tags of the scopes in which a message has been replaced."""
    store = next(folder.rglob("*.db"))
    with sqlite3.connect(store) as connection:
        rows = connection.execute(
            "SELECT DISTINCT tag FROM exchanges JOIN scopes ON scopes.no = scope_no WHERE replaced_by IS NOT NULL"
        )
        return frozenset(tag for (tag,) in rows)


def _rate_answer(line: Line, answer: str) -> str:
    phrases = choose_texts(line.language).answers
    starts = tuple(each.opening().strip() for each in (phrases.earlier, phrases.earlier_undated))
    known = not answer.startswith((phrases.unknown, phrases.unread, phrases.perhaps.opening().strip()))
    before = [each for each in answer.splitlines() if each.strip().startswith(starts)]
    told = "\n".join(each for each in answer.splitlines() if each not in before)
    if not line.holds:
        return "wrong" if known else "right"
    verdict = _rate(line, told, "\n".join(before))
    return verdict if known or verdict not in {"right", "wrong"} else "near" if verdict == "right" else "unknown"


def _rate_prompt(line: Line, prompt: str) -> str:
    lines = [each for each in prompt.splitlines() if each.startswith("- [")]
    before = [each for each in lines if REPLACED in each]
    verdict = _rate(line, "\n".join(each for each in lines if each not in before), "\n".join(before))
    return "unknown" if verdict == "wrong" else verdict


def _rate(line: Line, told: str, before: str) -> str:
    if any(_holds(told, words) for words in line.old):
        return "stale"
    if any(_holds(told, words) for words in line.holds):
        return "right"
    return "before" if any(_holds(before, words) for words in line.holds) else "wrong"


def _holds(told: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}", told, re.IGNORECASE) is not None


async def measure(
    folder: Path,
    *,
    list: Path,  # noqa: A002 - what the option is called
    model: bool = False,
) -> Report:
    """Judge a list, and count verdicts in all, by language and by kind."""
    written = await asyncio.to_thread(list.read_text, encoding="utf-8")
    lines = [Line.read(json.loads(line)) for line in written.splitlines() if line.strip()]
    judged = await judge(folder, lines, model=model)
    counts: dict[str, Counter[str]] = {}
    for one in judged:
        for name in ("all", one.line.language, one.line.kind):
            counts.setdefault(name, Counter())[one.verdict] += 1
    missed = [asdict(one) for one in judged if one.verdict != "right"]
    return {"verdicts": counts, "edited": sum(one.edited for one in judged), "missed": missed}


if __name__ == "__main__":
    run(measure, __doc__, broken=lambda report: "stale" in report["verdicts"]["all"])
