"""People's words inside our Markdown are shown as they are."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from adapters.telegram.markdown import render
from bot.commands.formatting import escape, quote, show_verbatim
from bot.memory.sanitise import spell_hidden
from tests.cases import each_row


@each_row("text", ["567-G0", "snake_case", "user@mail.com", "3 < 4", "cost $5", "a | b", "https://x.de/a_b"])
def test_ordinary_text_and_codes_are_not_touched(text: str) -> None:
    """A terminal shows Markdown as it is: no backslash where none is needed."""
    assert escape(text).replace("\\<", "<") == text


@given(st.text(alphabet="ab *_`[]()<>~|\\$&#!-+.x1", min_size=1, max_size=14).filter(str.strip))
@example(r"\[111<][")
def test_no_markup_gets_through_to_telegram(text: str) -> None:
    """Rendered, the text is there character by character and carries no entity."""
    line = " ".join(text.split())

    rendered = render(f"- {quote(text)} — Anna")

    assert f"“{line}”" in rendered.text
    assert rendered.entities == ()


@given(st.text(alphabet="ab *_`[]()<>~|\\$&#!-+.x1:=", min_size=1, max_size=14).filter(str.strip))
@example("[x] milk")
@example("[a]: https://x.de")
@example("> 2 kg flour")
@example("1. milk")
@example("#")
def test_a_text_that_stands_first_opens_nothing(text: str) -> None:
    """Neither a quotation nor a heading, list, task or definition, as something on a list or as a name.

    Red before: "[x] milk" was shown as ticked, and a definition was not shown at all.
    """
    line = " ".join(text.split())

    listed, named = (render(f"Head:\n\n{form.format(escape(text))}\n\nEnd") for form in ("- {}", "{} said today: so"))

    assert listed.text == f"Head:\n\n• {line}\n\nEnd".replace("• \n", "•\n")
    assert named.text == f"Head:\n\n{line} said today: so\n\nEnd".replace("\n said", "\nsaid")
    assert listed.entities == named.entities == ()


def test_a_long_text_is_cut_and_control_characters_vanish() -> None:
    """One line, at most as long as asked, nothing invisible, nothing that turns the line around."""
    told = escape("a\u202eb\x00\nc" + "d" * 500, 20)

    assert len(told) == 20
    assert told.startswith("ab c")
    assert told.endswith("…")


@given(st.text(max_size=40))
def test_verbatim_contains_the_exact_text(text: str) -> None:
    """Every byte is there, inside a fence that the text cannot close."""
    shown = show_verbatim(text)

    assert spell_hidden(text) in shown
    fence = re.match(r"\n(`+)\n", shown)
    assert fence is None or fence.group(1) not in text
