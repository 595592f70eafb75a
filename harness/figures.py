"""The tables of figures in README.md and docs/measured.md: what they tell of each, and what was measured.

What a figure tells, and which command measures it, stands in ``figures.toml``; what that printed of it is kept in
``docs/measured.json``, with its day, commit and machine.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Any, Final

_ROOT: Final = Path(__file__).parents[1]
_FIGURES: Final = Path(__file__).with_suffix(".toml")
_KEPT: Final = _ROOT / "docs" / "measured.json"
_SHORT: Final = _ROOT / "README.md"
PAGES: Final = (_SHORT, _ROOT / "docs" / "measured.md")
_TABLE: Final = re.compile(r"(?<=<!-- made by python -m benchmarks\.readme -->\n).*?(?=<!-- end of it -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Figure:
    """A row: ``here`` names values of what ``command`` prints, ``{runs[0][cpu_ms]:.0f}``.

    ``before`` stands in its place where no command measures it; ``short`` is what the README says that it is, "" where
    the README has no such row.
    """

    what: str
    before: str = ""
    here: str = ""
    command: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """The values that a row names, and when and where they were measured."""

    day: str
    commit: str
    machine: str
    values: Mapping[str, Any]  # Any: numbers and texts


class _Named(Formatter):
    """Fills in values by the whole name of a field."""

    def get_field(self, name: str, args: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, str]:
        del args
        return named[name], name


def read_figures() -> dict[str, Figure]:
    """Return the rows by name, in their order."""
    return {name: Figure(**row) for name, row in tomllib.loads(_FIGURES.read_text("utf-8")).items()}


def read_kept() -> dict[str, Measured]:
    return {name: Measured(**one) for name, one in json.loads(_KEPT.read_text("utf-8")).items()}


def pick_values(figure: Figure, printed: str) -> dict[str, Any]:  # Any: as above
    """Return the values that a row names of what its command printed, one JSON object."""
    told = json.loads(printed)
    named = [name for _, name, _, _ in Formatter().parse(figure.here) if name]
    return {name: Formatter().get_field(name, (), told)[0] for name in named}


def render(figures: Mapping[str, Figure], kept: Mapping[str, Measured], *, short: bool = False) -> str:
    """Return the table; a ``short`` one has the rows of the README alone."""
    rows = [("what", "here", "measured"), ("---", "---", "---")]
    for name, figure in figures.items():
        here, when, measured = figure.before, "earlier", kept.get(name)
        if measured is not None:
            here = _Named().vformat(figure.here, (), measured.values)
            when = f"{measured.day}, `{measured.commit}`, {measured.machine}"
        how = f" (`python -m {figure.command}`)" if figure.command else ""
        if not short or figure.short:
            rows.append((figure.short if short else figure.what + how, here, when))
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def keep(name: str, measured: Measured) -> None:
    kept = {**read_kept(), name: measured}
    written = {each: asdict(kept[each]) for each in read_figures() if each in kept}
    _KEPT.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


def make_page(page: Path) -> str:
    """Return the text of a page with its table as it should be."""
    table = render(read_figures(), read_kept(), short=page == _SHORT)
    return _TABLE.sub(lambda _: table, page.read_text("utf-8"))


def measure(figure: Figure, data: Path) -> Measured:
    """Run a figure's command; ``data`` is the folder that it calls DATA.  A failure raises: it measures nothing."""
    load = os.getloadavg()[0]
    printed = _run(sys.executable, "-m", *shlex.split(figure.command.replace("DATA", str(data))), "--json")
    commit = _run("git", "describe", "--always", "--dirty").strip()
    machine = f"{os.cpu_count()} cores, load {load:.0f}"
    return Measured(f"{datetime.now(UTC):%Y-%m-%d}", commit, machine, pick_values(figure, printed))


def _run(*command: str) -> str:
    return subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: S603 - of our own table
