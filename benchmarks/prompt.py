"""``python -m benchmarks.prompt --data FILE``: what the language model is given, message by message.

A conversation in the LoCoMo format is replayed through the running bot with a scripted model, then its questions are
asked in new sessions.  Interrupted (Ctrl-C), it prints what it has.
"""

import asyncio
import sys
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from harness.options import Report, run
from harness.prompt.measuring import Record, measure_prompts, summarise
from harness.recall.dataset import load


async def measure(
    folder: Path, *, data: Path, sample: tuple[str, ...] = (), limit: int | None = None, questions: int | None = None
) -> Report:
    """Measure the conversations of a file, or those that ``sample`` names.

    Of each the first ``limit`` exchanges are replayed, and of the questions about them so many asked, evenly chosen.
    """
    conversations, repairs = load(data)
    chosen = [each for each in conversations if not sample or each.name in sample]
    if not chosen:
        raise SystemExit(f"no such sample; the file has: {', '.join(each.name for each in conversations)}")
    records, interrupted = list[Record](), False
    try:
        with Progress(console=Console(file=sys.stderr)) as progress:
            task = progress.add_task("", total=None)
            for conversation in chosen:
                records.append(Record(conversation.name))

                def show(what: str, done: int, total: int, name: str = conversation.name) -> None:
                    progress.update(task, description=f"{name}: {what}", completed=done, total=total)

                await measure_prompts(
                    conversation,
                    folder / conversation.name,
                    records[-1],
                    limit=limit,
                    questions=questions,
                    progress=show,
                )
    except asyncio.CancelledError:
        interrupted = True
    return {
        **summarise(records),
        "conversations": {record.name: summarise([record]) for record in records},
        "plan": {"exchanges": limit, "questions": questions},
        "interrupted": interrupted,
        "repairs": asdict(repairs),
    }


if __name__ == "__main__":
    sys.exit(130 if run(measure, __doc__)["interrupted"] else 0)
