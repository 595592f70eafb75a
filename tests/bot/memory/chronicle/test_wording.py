"""A model's line stands for a line of its own exchange, or for none."""

from __future__ import annotations

from bot.memory.chronicle import LINE_TOKENS, choose_lines, find_reworded
from language.tokens import count_tokens
from tests.cases import each_row

LONG = (
    "After weeks of back and forth with Vera and the landlord about the flat by the river, and although it costs more "
    "than we wanted, we decided to move to Porto in May."
)
LONG_DE = (
    "Nach langem Hin und Her mit meiner Schwester Vera, und obwohl es mehr kostet, als wir wollten, haben wir uns "
    "entschieden, im Mai nach Porto zu ziehen."
)
LONG_RU = (
    "После долгих споров с сестрой Верой и хозяином, и хотя это дороже, чем мы хотели, мы решили в мае переехать в "
    "Порту."
)


@each_row(
    ("said", "line"),
    [
        (LONG, "We decided to move to Porto in May."),
        (LONG_DE, "Wir ziehen im Mai nach Porto."),
        (LONG_RU, "Мы решили в мае переехать в Порту."),
        (f"Hello! {LONG} Thanks a lot for listening.", "We move to Porto in May."),
    ],
)
def test_it_stands_for_what_the_cut_line_leaves_out(said: str, line: str) -> None:
    """What matters is often said last, where the rules have cut: the whole sentence is compared."""
    assert line not in choose_lines(said, "")[0].text
    assert count_tokens(line) <= LINE_TOKENS
    assert find_reworded(line, said) == 0


def test_of_two_lines_that_one_is_taken_which_it_is_about() -> None:
    """The other stays as it is."""
    said = "We decided to sell the old boat in the harbour. I moved to Riga with my two dogs last May."
    texts = [line.text for line in choose_lines(said, "")]
    boat, riga = "We sell the old boat.", "I moved to Riga with two dogs."

    assert len(texts) == 2
    assert "boat" in texts[find_reworded(boat, said) or 0]
    assert "Riga" in texts[find_reworded(riga, said) or 0]
    assert find_reworded(boat, said) != find_reworded(riga, said)


@each_row(
    ("said", "line"),
    [
        ("We decided not to move to Porto this spring.", "We decided to move to Porto."),
        ("We decided to move to Porto this spring.", "We decided not to move to Porto."),
        ("Wir haben uns entschieden, nicht nach Porto zu ziehen.", "Wir ziehen nach Porto."),
        ("Мы решили не переезжать в Порту этой весной.", "Мы решили переезжать в Порту."),
    ],
)
def test_it_says_no_opposite(said: str, line: str) -> None:
    """By words alone such a line is grounded; without the look at negations it is taken, and this is red."""
    assert find_reworded(line, said) is None


@each_row(
    ("said", "line", "other"),
    [
        ("We decided to rent it for 800 euros.", "We rent it for 800 euros.", "We rent it for 900 euros."),
        ("We decided to rent it for 8.50 €.", "We rent it for 8.50 €.", "We rent it for 8.50 $."),
        ("We decided to meet three lawyers.", "We meet 3 lawyers.", "We meet four lawyers."),
        ("We decided to move to Porto in June.", "We move to Porto in June.", "We move to Porto in July."),
        ("Wir haben uns entschieden, am Montag zu streiken.", "Wir streiken am Montag.", "Wir streiken am Dienstag."),
        ("Мы решили уехать в Порту в среду.", "Мы решили уехать в среду.", "Мы решили уехать в Порту в пятницу."),
    ],
)
def test_it_says_no_other_number_or_day(said: str, line: str, other: str) -> None:
    """By words alone such a line is grounded; without the look at amounts it is taken, and this is red."""
    assert find_reworded(line, said) == 0
    assert find_reworded(other, said) is None


@each_row(
    ("said", "line"),
    [
        ("It costs more than we wanted, but we decided to move to Porto in May.", "We decided to move to Porto."),
        ("Es kostet viel, aber wir haben uns entschieden, nach Porto zu ziehen.", "Wir ziehen nach Porto."),
        ("Это дорого, но мы решили переехать в Порту.", "Мы решили переехать в Порту."),
    ],
)
def test_a_contrast_is_no_negation(said: str, line: str) -> None:
    """It may be left out."""
    assert find_reworded(line, said) == 0


@each_row("said", ["Thanks!", "", "I like tea with lemon in the morning."])
def test_where_no_line_is_about_the_same_it_stands_for_none(said: str) -> None:
    """Small talk has no line at all."""
    assert find_reworded("We decided to move to Porto.", said) is None
