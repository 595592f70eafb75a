"""Folding: what looks alike is masked alike, and it is what was written that goes."""

from __future__ import annotations

from bot.memory.secrets.redaction import fold_spelling, redact
from tests.cases import each_row


@each_row(
    ("text", "result"),
    [
        ("pay 4111  1111\t1111\n1111 now", "pay [redacted: card number] now"),
        ("4111\u202f1111\u200b 1111\u00a01111", "[redacted: card number]"),
        ("４１１１ １１１１ １１１１ １１１１", "[redacted: card number]"),
        ("11 22 33 44 55 66 77 88 99 10 4111 1111 1111 1111", "11 22 33 44 55 66 77 88 99 10 [redacted: card number]"),
        ("4111\n1111\n1111\n1111", "[redacted: card number]"),
        ("DE89\u2009 3704 0044 0532 0130 00", "[redacted: IBAN]"),
        ("p\u200bassword: hunter2", "p\u200bassword: [redacted: password]"),
        ("ｐａｓｓｗｏｒｄ： hunter2", "ｐａｓｓｗｏｒｄ： [redacted: password]"),
        ("use hunter2 as the password", "use [redacted: password] as the password"),
        ('use "open sesame now" as password', 'use "[redacted: password]" as password'),
        ("пин карты 4711", "пин карты [redacted: PIN]"),
        ("WLAN-Schlüssel: Blume77", "WLAN-Schlüssel: [redacted: password]"),
        ("WLAN-Schlu\u0308ssel: Blume77", "WLAN-Schlu\u0308ssel: [redacted: password]"),
        ("my password is copper horse battery staple.", "my password is [redacted: password]."),
        ('the password is "the quick brown fox"', 'the password is "[redacted: password]"'),
        ("legal winner thank year wave sausage worth useful legal winner thank yellow", "[redacted: seed phrase]"),
    ],
)
def test_what_is_hidden_in_signs_is_masked_as_it_is_written(text: str, result: str) -> None:
    """Blanks of all kinds, wide figures and letters of their own accents are seen through."""
    assert redact(text).text == result


@each_row("text", ["", "plain words", "a  b\t c \n d", "ﬁne １２ e\u0301", "\u200b\u202e", "x\u00a0\u00a0y\r\n z"])
def test_each_letter_knows_where_it_stood(text: str) -> None:
    """Every span of the plain spelling is a span of the text."""
    plain = fold_spelling(text)

    assert len(plain.places) == len(plain.text)
    assert list(plain.places) == sorted(plain.places)
    assert "  " not in plain.text
    assert all(0 <= plain.span(n, n + 1)[0] < len(text) for n in range(len(plain.text)))
