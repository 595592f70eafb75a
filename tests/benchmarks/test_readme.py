"""The tables of figures are made of what was measured, by nobody's hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.figures import PAGES, Figure, Measured, make_page, pick_values, read_figures, read_kept, render

TURN = Figure(
    "a turn",
    "7 ms",
    "{runs[0][p50_ms]:.0f} ms, {runs[0][with model][p50_ms]:.1f} around a model, {turns:,} turns",
    "benchmarks.turn",
)
PRINTED = '{"turns": 1500, "runs": [{"p50_ms": 7.4, "other": 1, "with model": {"p50_ms": 16.25}}]}'


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_shows_what_is_kept(page: Path) -> None:
    """Who changes a figure by hand is told; ``python -m benchmarks.readme`` writes the tables."""
    assert page.read_text("utf-8") == make_page(page)
    assert "| what | here |" in page.read_text("utf-8")


def test_a_row_has_the_values_that_its_command_printed() -> None:
    """With day, commit and machine, and nothing else of it is kept."""
    values = pick_values(TURN, PRINTED)
    measured = Measured("2026-02-07", "1234abcd", "2 cores, load 1", values)

    assert values == {"runs[0][p50_ms]": 7.4, "runs[0][with model][p50_ms]": 16.25, "turns": 1500}
    assert render({"turn": TURN}, {"turn": measured}).splitlines()[2] == (
        "| a turn (`python -m benchmarks.turn`) | 7 ms, 16.2 around a model, 1,500 turns "
        "| 2026-02-07, `1234abcd`, 2 cores, load 1 |"
    )


def test_a_row_that_was_not_measured_since_says_so() -> None:
    """It keeps what stood there before."""
    assert "| 7 ms | earlier |" in render({"turn": TURN}, {})


def test_what_is_kept_fits_its_row() -> None:
    """A row that was written anew, or a name that is gone, would leave a table that cannot be made."""
    figures = read_figures()

    for name, measured in read_kept().items():
        assert "earlier" not in render({name: figures[name]}, {name: measured})
