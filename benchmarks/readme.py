"""Makes the tables of figures in README.md and docs/measured.md: ``python -m benchmarks.readme [NAME ... | all]``.

The benchmarks that are named are run; without a name the tables are made of what is kept.
"""

import argparse
import sys
from pathlib import Path

from harness.figures import PAGES, keep, make_page, measure, read_figures


def main() -> int:
    """Run what is named and write both tables."""
    figures = {name: figure for name, figure in read_figures().items() if figure.command}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readme", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*figures, "all", []], help=", ".join(figures))
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the conversations of recall")
    options = parser.parse_args()
    for name in figures if options.names == ["all"] else options.names:
        print(f"{name}: python -m {figures[name].command}", file=sys.stderr, flush=True)
        keep(name, measure(figures[name], options.data.absolute()))
    for page in PAGES:
        page.write_text(make_page(page), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
