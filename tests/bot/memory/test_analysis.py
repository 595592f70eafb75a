"""Rules look at the first pages of a message, and masking at all of it."""

from __future__ import annotations

from bot.memory.learning.statements import find_facts
from bot.memory.patterns import MOST_ANALYSED, cut_for_rules, describe_unanalysed
from bot.memory.secrets.redaction import redact

LONG = "lorem ipsum " * (MOST_ANALYSED // 12 + 50)


def test_a_usual_message_is_analysed_as_a_whole() -> None:
    """Nothing is cut."""
    assert cut_for_rules("My cat is called Miso.") == "My cat is called Miso."


def test_a_long_message_is_analysed_up_to_a_word_and_that_is_said() -> None:
    """Twenty thousand characters are read by rules; the sentence says of how many."""
    read = cut_for_rules(LONG)

    assert MOST_ANALYSED - 64 <= len(read) <= MOST_ANALYSED
    assert LONG.startswith(read)
    assert read.split()[-1] in {"lorem", "ipsum"}
    assert str(len(LONG)) in describe_unanalysed(LONG)


def test_one_word_without_an_end_is_cut_anyway() -> None:
    """There is no place to cut at."""
    assert cut_for_rules("a" * 100_000) == "a" * MOST_ANALYSED


def test_facts_beyond_the_limit_are_not_learned_but_secrets_there_are_masked() -> None:
    """Masking has no limit: what is stored whole must be masked whole."""
    text = f"My cat is called Miso.\n{LONG}\nMy dog is called Rex. My password is Tr0ub4dor&3x!"

    assert [fact.sentence for fact in find_facts(text)] == ["My cat is called Miso."]
    assert "Tr0ub4dor" not in redact(text).text
