"""Strange input becomes harmless text."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from bot.memory.sanitise import clean, flatten, remove_hidden, spell_hidden
from tests.cases import each_row

ANY = st.text(alphabet=st.characters(codec=None), max_size=200)  # lone surrogates included


@given(ANY)
def test_clean_text_can_be_stored_anywhere(text: str) -> None:
    """No NUL, no control characters, encodable, and cleaning again changes nothing."""
    result = clean(text)

    assert result.encode().decode() == result
    assert not any((ord(c) < 0x20 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0 for c in result)
    assert clean(result) == result


@given(ANY)
def test_visible_and_one_line_are_idempotent(text: str) -> None:
    """Each strength is a projection."""
    assert remove_hidden(remove_hidden(text)) == remove_hidden(text)
    assert flatten(flatten(text)) == flatten(text)
    assert "\n" not in flatten(text)


def test_split_pairs_are_joined_and_lone_surrogates_replaced() -> None:
    """An emoji that came in two halves is an emoji again."""
    assert clean("\ud83d\ude00 \ud800!") == "😀 \ufffd!"


@each_row("hidden", ["\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\u00ad", "\U000e0041", "\ufe0f"])
def test_what_nobody_sees_is_removed_for_the_prompt_only(hidden: str) -> None:
    """A join or variation mark is part of what the user wrote, but a model must not read what a person cannot."""
    assert clean(f"a{hidden}b") == f"a{hidden}b"
    assert remove_hidden(f"a{hidden}b") == "ab"


def test_line_ends_become_one_kind() -> None:
    """Carriage returns, separators and form feeds are line ends."""
    assert clean("a\r\nb\rc\u2028d\x0ce") == "a\nb\nc\nd\ne"


def test_what_is_not_printed_is_spelt() -> None:
    """Every such character of Unicode: what a person agrees to is seen.

    Unspelt, a variation selector, a Hangul filler, U+2800 and U+034F stood in confirmations unseen.
    """
    blank = {
        chr(code) for code in (0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5, *range(0xFE00, 0xFE10))
    }
    kinds = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
    unseen = {chr(code) for code in range(0x20000) if unicodedata.category(chr(code)) in kinds} | blank
    unseen |= {chr(code) for code in range(0xE0000, 0xE0200)}
    unseen -= {" ", "\n", "\t"}

    assert [f"U+{ord(char):04X}" for char in unseen if spell_hidden(f"a{char}b") != f"a‹U+{ord(char):04X}›b"] == []


@each_row("text", ["Größe, Ёлка, 日本, العربية", "a\nb\tc", "I ❤️ you 👨‍👩‍👧 👍🏽", "नमस्ते", "e\u0301"])
def test_what_is_printed_stays(text: str) -> None:
    """Letters of any script with their marks, and pictures that are made of several."""
    assert spell_hidden(text) == text
