"""``python -m benchmarks.reminders --json``: 100,000 reminders in one store.

Exit code 1 when one is lost or said twice.  The test suite runs it small.  ``--list FILE`` reads a list of sentences
instead (harness/reminders/lists.py says what is in a line) and ends with 1 where over 1 % are wrong without a word.
"""

from pathlib import Path

from adapters.when.reader import LanguageWhenReader
from harness.options import Report, run
from harness.reminders.lists import count_verdicts, judge_list
from harness.reminders.load import measure


async def try_reminders(
    folder: Path,
    *,
    reminders: int = 100_000,
    due: int = 1_000,
    list: Path | None = None,  # noqa: A002 - what the option is called
) -> Report:
    """Measure ``reminders`` of which ``due`` are due in the same minute, or judge a list of sentences."""
    if list is None:
        return await measure(folder, reminders=reminders, due=due)
    verdicts = judge_list(LanguageWhenReader(), list)
    wrong = [one.text for one in verdicts if one.outcome == "wrong"]
    return {"sentences": len(verdicts), "percent": count_verdicts(verdicts), "wrong": wrong}


def _is_broken(report: Report) -> bool:
    if "wrong" in report:
        return bool(len(report["wrong"]) > report["sentences"] / 100)
    return bool(report["doubled"] or report["lost"])


if __name__ == "__main__":
    run(try_reminders, __doc__, broken=_is_broken)
