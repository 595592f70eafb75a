"""``python -m benchmarks.rights --json``: every deed × every role; exit 1 where one is not as the table says."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

from bot.core.rights import RIGHTS, Role, Whose, is_allowed
from harness.rights import try_everything, try_page


def main() -> int:
    """Run it and print the table of rights beside what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcomes = asyncio.run(try_everything(Path(folder) / "group")) + asyncio.run(try_page(Path(folder) / "page"))
    table = {
        command: {whose: [role.name.lower() for role in Role if is_allowed(command, whose, role)] for whose in Whose}
        for command in RIGHTS
    }
    tried = [
        {
            "command": each.command,
            "deed": each.deed,
            "whose": each.whose,
            "role": each.role.name.lower(),
            "allowed": each.allowed,
            "happened": each.happened,
        }
        for each in outcomes
    ]
    wrong = [each for each in tried if each["allowed"] != each["happened"]]
    if options.json:
        sys.stdout.write(json.dumps({"table": table, "tried": tried, "wrong": wrong}) + "\n")
    else:
        for each in tried:
            mark = "" if each["allowed"] == each["happened"] else "  WRONG"
            sys.stdout.write(" ".join(str(value) for value in each.values()) + mark + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
