"""``python -m benchmarks.prompt --data FILE``: what the language model is given, message by message.

A conversation in the LoCoMo format is replayed through the running bot with a scripted model, then its questions are
asked in new sessions.  Interrupted (Ctrl-C), it prints what it has; with ``--keep`` the next run goes on from there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from adapters.embedding.e5 import E5Embedder
from bot.cli import one_thread_per_product
from bot.config.folders import find_model_folder
from harness.prompt.figures import Record, Report, summarise
from harness.prompt.measuring import KeptRecords, Plan, measure_prompts
from harness.recall.dataset import Conversation, load

_WIDTH = 120
_GROUPS = ("turns", "questions", "nothing_relevant")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 0 when everything was replayed and asked, 130 when it was interrupted."""
    options = _parser().parse_args(arguments)
    one_thread_per_product()
    conversations, repairs = load(options.data)
    chosen = [each for each in conversations if not options.sample or each.name in options.sample]
    if not chosen:
        print(f"no such sample; the file has: {', '.join(each.name for each in conversations)}", file=sys.stderr)
        return 2
    plan = Plan(options.limit, options.questions, options.long_term)
    records: list[Record] = []
    interrupted = False
    try:
        asyncio.run(_measure(chosen, plan, records, KeptRecords(options.keep, options.data, plan)))
    except KeyboardInterrupt:
        interrupted = True
    report: Report = {
        "all": summarise(records),
        "conversations": {record.name: summarise([record], details=True) for record in records},
        "plan": asdict(plan),
        "interrupted": interrupted,
        "repairs": asdict(repairs),
    }
    if options.json:
        print(json.dumps(report))
    else:
        _show(report["all"])
    return 130 if interrupted else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompt", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="conversations in the LoCoMo format")
    parser.add_argument("--sample", action="append", default=[], help="only this conversation (may be repeated)")
    parser.add_argument("--limit", type=int, help="replay the first N exchanges, ask what lies within them")
    parser.add_argument("--questions", type=int, help="ask N questions, spread evenly over those of the file")
    parser.add_argument("--long-term", action="store_true", help="with LightRAG: a memory server is started and filled")
    parser.add_argument("--keep", type=Path, help="a file for conversations that are done: none is measured twice")
    parser.add_argument("--json", action="store_true", help="with every message's figures")
    return parser


async def _measure(conversations: Sequence[Conversation], plan: Plan, records: list[Record], kept: KeptRecords) -> None:
    with Progress(console=Console(file=sys.stderr)) as progress, tempfile.TemporaryDirectory(prefix="mneme-") as folder:
        task = progress.add_task("the embedding model", total=None)
        model = E5Embedder(find_model_folder(Path(folder)))
        model.load()
        model.close()
        for conversation in conversations:
            record = kept.find(conversation.name)
            if record is not None:
                records.append(record)
                continue
            record = Record(conversation.name)
            records.append(record)

            def show(what: str, done: int, total: int, name: str = conversation.name) -> None:
                progress.update(task, description=f"{name}: {what}", completed=done, total=total)

            await measure_prompts(conversation, Path(folder) / conversation.name, plan, record, progress=show)
            kept.add(record)


def _show(report: Report) -> None:
    console = Console(width=max(Console().width, _WIDTH))
    table = Table("per message", *(name.replace("_", " ") for name in _GROUPS))
    names = dict.fromkeys(name for group in _GROUPS for name in report[group] if name != "evidence")
    for name in names:
        table.add_row(name.replace("_", " "), *(_tell(report[group].get(name, "")) for group in _GROUPS))
    console.print(table)
    evidence = report["questions"].get("evidence", {})
    rows = {
        "overall": evidence["overall"],
        "with adversarial": evidence["all"],
        "wishes and preferences": evidence["wishes"],
        **evidence["categories"],
    }
    columns = list(evidence["all"])
    table = Table("evidence", *(name.replace("_", " ") for name in columns))
    for name, row in rows.items():
        table.add_row(name, *(f"{row.get(column, '')}" for column in columns))
    console.print(table)
    table = Table("background calls", "")
    for name, value in report["background"].items():
        table.add_row(name.replace("_", " "), _tell(value))
    console.print(table)


def _tell(value: Any) -> str:  # Any: a number, or numbers by name
    return "\n".join(f"{name}: {part}" for name, part in value.items()) if isinstance(value, dict) else str(value)


if __name__ == "__main__":
    sys.exit(main())
