"""A model's Markdown as Telegram shows it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.markdown import count_units, render
from adapters.telegram.splitting import split
from bot.commands.formatting import fold
from harness.fakes.telegram.validation import checked_entities
from tests.cases import each_row

BITS = st.sampled_from(
    ["**", "*", "_", "`", "```", "~~", "||", "[", "](http://a.b)", "\n", "\n\n", "- ", "1. ", "> ", "# ", "|", "|--|",
     "<b>", "</b>", "<!--", "$", "$$", "\\", "\\(", "\\)", "word ", "😀", "é", "List<String>", "&amp;", "    ", "\0"]
)  # fmt: skip


@each_row(
    ("markdown", "text", "types"),
    [
        ("**bold** and *it* and `x`", "bold and it and x", ["bold", "italic", "code"]),
        ("a List<String> and vector<vector<int>> b", "a List<String> and vector<vector<int>> b", []),
        ("<div>\nshown *too*\n</div>", "<div>\nshown too\n</div>", ["italic"]),
        ("if a || b || c", "if a || b || c", []),
        ("costs $5, not 10$ today", "costs $5, not 10$ today", []),
        ("$x^2 + \\alpha$", "x² + α", ["code"]),
        ("```py\nprint('<x>')\n```", "print('<x>')", ["pre"]),
        ("[site](https://a.b) [bad](javascript:x)", "site bad", ["text_link"]),
        ("| a | b |\n|--|--|\n| 1 | 2 |", "a | b\n--+--\n1 | 2", ["pre"]),
        ("**x `y` z**", "x y z", ["bold", "code", "bold"]),
        ("> a\n> > b", "a\nb", ["blockquote"]),
        ("# Title", "Title", ["underline", "bold"]),
        ("- a\n- b", "• a\n• b", []),
        ("snake_case_name stays", "snake_case_name stays", []),
        ("2*3*4 and 2**3**4 and a~~b~~c", "2*3*4 and 2**3**4 and a~~b~~c", []),
        ("(a+b)*c*(d)", "(a+b)*c*(d)", []),
        ("5*x* + 3*y* or *a*b", "5*x* + 3*y* or *a*b", []),
        ("**2*3*4**", "2*3*4", ["bold"]),
        ("call __init__ in __init__.py", "call __init__ in __init__.py", []),
        ("__two words__ and **__main__**", "two words and __main__", ["bold", "bold"]),
        ("**H**ypertext, **Vera**s", "Hypertext, Veras", ["bold", "bold"]),
        ("这是**重要**的", "这是重要的", ["bold"]),
    ],
)
def test_markdown_becomes_text_and_entities(markdown: str, text: str, types: list[str]) -> None:
    """Formatting becomes entities, and nothing that was written vanishes."""
    shown = render(markdown)

    assert (shown.text, [entity.type for entity in shown.entities]) == (text, types)


def test_offsets_count_utf16_units() -> None:
    """After an emoji, which is two units, the bold word starts at three."""
    [bold] = render("😀 **bold**").entities

    assert (bold.offset, bold.length) == (3, 4)


def test_markdown_that_shows_nothing_is_shown_as_it_is() -> None:
    """An empty link would be an empty message; its source is better than that."""
    assert render("[](x)").text == "[](x)"
    assert render("   ").text == ""


def test_links_outlive_styles_when_there_are_too_many_entities() -> None:
    """Telegram reads a hundred entities: bold is given up before a link is."""
    shown = render("**a** " * 150 + "[link](https://a.b)")

    assert len(shown.entities) == 100
    assert shown.entities[-1].type == "text_link"


@given(st.lists(BITS, max_size=30).map("".join))
def test_any_markdown_gives_entities_that_telegram_accepts(markdown: str) -> None:
    """Whatever a model writes, text and entities pass the strict rules."""
    shown = render(markdown)
    entities = [
        {"type": entity.type, "offset": entity.offset, "length": entity.length, "url": entity.url}
        for entity in shown.entities
    ]

    assert shown.text == shown.text.strip()
    assert checked_entities(entities, shown.text) == entities
    assert bool(shown.text) == bool(markdown.replace("\0", " ").strip())


@given(st.text(st.characters(codec=None, categories=("L", "N", "P", "S", "Z", "C")), max_size=60))
def test_any_text_at_all_can_be_rendered(text: str) -> None:
    """Surrogates, controls and every other character are survived."""
    assert count_units(render(text).text) >= 0


WORD = st.text(st.sampled_from("abzXY019éжЯß"), min_size=1, max_size=4)
SIGNS = st.text(st.sampled_from("*_~"), min_size=1, max_size=3)


@given(st.lists(st.tuples(WORD, SIGNS), min_size=1, max_size=8), WORD)
def test_signs_inside_a_word_stay(pieces: list[tuple[str, str]], last: str) -> None:
    """Formulas and names are no emphasis, whatever their signs pair up to.

    Red while only CommonMark's rule held, which is for the underscore alone: 2*3*4 was shown as 234.
    """
    text = "".join(word + signs for word, signs in pieces) + last

    assert render(text).text == text
    assert render(f"so {text} is").text == f"so {text} is"


@given(st.text(st.sampled_from("abzXY019_"), min_size=1, max_size=8))
def test_a_name_between_double_underscores_stays(name: str) -> None:
    """``__init__`` is a name."""
    text = f"see __{name}__ there"

    assert render(text).text == text


@given(WORD, st.sampled_from(("*", "**", "_", "~~")))
def test_a_word_apart_is_emphasised(word: str, sign: str) -> None:
    """What stands between spaces goes on being formatted."""
    shown = render(f"so {sign}{word}{sign} is")

    assert shown.text == f"so {word} is"
    assert len(shown.entities) == 1


@each_row(
    ("quoted", "kind"),
    [
        ("> one\n> two\n> three\n> four", "blockquote"),
        ("> one\n> two\n> three\n> four\n> five", "expandable_blockquote"),
        ("> - one\n> - two\n>\n> three\n> four", "expandable_blockquote"),
        ("> " + "word " * 50, "blockquote"),
        ("> " + "слово " * 60, "expandable_blockquote"),
    ],
)
def test_a_long_quotation_is_folded(quoted: str, kind: str) -> None:
    """Telegram shows three lines of it until somebody opens it; of text around it nothing is folded."""
    shown = render(f"Sources:\n\n{quoted}\n\nAsk on.")

    [entity] = [entity for entity in shown.entities if "quote" in entity.type]
    assert entity.type == kind
    assert shown.text.startswith("Sources:")
    assert entity.offset > 0
    assert entity.end < len(shown.text)


def test_a_folded_quotation_is_split_like_any_text() -> None:
    """Each message of it is a quotation that stands alone, and no line is lost."""
    lines = [f"{number}. what Vera said of Porto, at some length" for number in range(300)]
    parts = split(fold(*lines))

    assert len(parts) > 1
    assert all([entity.type for entity in render(part).entities] == ["expandable_blockquote"] for part in parts)
    assert [line for part in parts for line in render(part).text.split("\n")] == lines


@each_row(
    ("markdown", "shown"),
    [
        ("2. b\n1. a", "2. b\n1. a"),
        ("2024. won\n2023. lost", "2024. won\n2023. lost"),
        ("> 4. q\n> 2. r", "4. q\n2. r"),
        ("7) a\n9) b", "7) a\n9) b"),
        ("1. a\n\n   4. x\n   2. y\n2. b", "1. a\n\n4. x\n2. y\n2. b"),
        ("5. e\n6. f", "5. e\n6. f"),
        ("1. a\n1. b\n1. c", "1. a\n2. b\n3. c"),
    ],
)
def test_a_list_keeps_its_numbers(markdown: str, shown: str) -> None:
    """Whoever types the number that a list shows means that point of it: red where Markdown counts anew."""
    assert re.sub(r"\n\s+", "\n", render(markdown).text) == re.sub(r"\n\s+", "\n", shown)
