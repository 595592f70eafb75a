"""The parser accepts exactly JSON and names every other thing it meets."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.strict_json import MAX_BYTES, MAX_DEPTH, parse_json
from bot.errors import ConfigInvalid
from tests.cases import each_row

MALFORMED = {
    # text: (line:column, key path, problem)
    "": ("1:1", "(whole file)", "the file is empty"),
    " \n\t ": ("2:3", "(whole file)", "the file is empty"),
    "{": ("1:2", "(whole file)", "the file ends in the middle"),
    '{"a"': ("1:5", "a", "the file ends in the middle"),
    '{"a":': ("1:6", "a", "the file ends in the middle"),
    '{"a": 1': ("1:8", "(whole file)", "the file ends in the middle"),
    '{"a": 1,': ("1:9", "(whole file)", "the file ends in the middle"),
    '{"a": "b': ("1:7", "a", "the file ends in the middle"),
    '{"a": "b\\': ("1:7", "a", "the file ends in the middle"),
    '{"a": tr': ("1:7", "a", "the file ends in the middle"),
    '{"a": [1': ("1:9", "a", "the file ends in the middle"),
    '{"a": 1,}': ("1:8", "(whole file)", "trailing comma"),
    '{"a": [1,\n]}': ("1:9", "a", "trailing comma"),
    '{"a": [,1]}': ("1:8", "a[0]", "no value"),
    '{"a": [1,,2]}': ("1:10", "a[1]", "no value"),
    "{,}": ("1:2", "(whole file)", "no key"),
    '{"a": 1 "b": 2}': ("1:9", "(whole file)", "missing comma"),
    '{"a": [1 2]}': ("1:10", "a", "missing comma"),
    '{"a": "b""c"}': ("1:10", "(whole file)", "missing comma"),
    '{"a" 1}': ("1:6", "a", "missing colon"),
    '{"a", "b"}': ("1:5", "a", "missing colon"),
    '{"a": }': ("1:7", "a", "no value"),
    '{"a": 1]': ("1:8", "(whole file)", "missing comma"),
    '{"a": [1}': ("1:9", "a", "missing comma"),
    '{"a": 1}}': ("1:9", "(whole file)", "text after the end"),
    '{"a": 1} {"b": 2}': ("1:10", "(whole file)", "text after the end"),
    "[] x": ("1:4", "(whole file)", "text after the end"),
    "]": ("1:1", "(whole file)", "no value"),
    "{a: 1}": ("1:2", "(whole file)", "no key"),
    "{1: 1}": ("1:2", "(whole file)", "no key"),
    "{'a': 1}": ("1:2", "(whole file)", "wrong quotes"),
    "{“a”: 1}": ("1:2", "(whole file)", "wrong quotes"),
    "{\"a\": 'b'}": ("1:7", "a", "wrong quotes"),
    '{"a": `b`}': ("1:7", "a", "wrong quotes"),
    '{"a": 1, "a": 2}': ("1:10", "a", "duplicate key"),
    '{"a": {"b": 1,\n"\\u0062": 1}}': ("2:1", "a.b", "duplicate key"),
    '{// x\n"a": 1}': ("1:2", "(whole file)", "comment"),
    '{"a": 1 /* x */}': ("1:9", "(whole file)", "comment"),
    '{"a": # x\n1}': ("1:7", "a", "comment"),
    '{"a": NaN}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": Infinity}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": -Infinity}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": +1}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": .5}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 5.}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 1.e3}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 012}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": -}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": --1}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 1e}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 1e+}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 0x1F}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 1_000}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 1\u0663}': ("1:8", "(whole file)", "missing comma"),
    '{"a": \u0661}': ("1:7", "a", "not a number that JSON knows"),
    '{"a": 1e999}': ("1:7", "a", "number out of range"),
    '{"a": ' + "9" * 5000 + "}": ("1:7", "a", "number out of range"),
    '{"a": True}': ("1:7", "a", "unknown word"),
    '{"a": nulla}': ("1:7", "a", "unknown word"),
    '{"a": undefined}': ("1:7", "a", "unknown word"),
    '{"a": yes}': ("1:7", "a", "unknown word"),
    '{"a": "b\nc"}': ("1:9", "a", "control character in a string"),
    '{"a": "b\tc"}': ("1:9", "a", "control character in a string"),
    '{"a": "b\x00c"}': ("1:9", "a", "control character in a string"),
    '{"a": "b\\xc"}': ("1:9", "a", "bad escape"),
    '{"a": "b\\u12g4"}': ("1:9", "a", "bad escape"),
    '{"a": "C:\\dir"}': ("1:10", "a", "bad escape"),
    '{"a": "\\ud83d"}': ("1:7", "a", "half a character"),
    '{"a": "\\ude00\\ud83d"}': ("1:7", "a", "half a character"),
    '{"a":\u00a01}': ("1:6", "a", "no value"),
    '{"a":\x0c1}': ("1:6", "a", "no value"),
    '{\x00"a": 1}': ("1:2", "(whole file)", "no key"),
    '{"a": \ufeff1}': ("1:7", "a", "byte order mark in the middle"),
    '\r\n{"a":\r\n1 1}': ("3:3", "(whole file)", "missing comma"),
    '{"ключ": {"б": 01}}': ("1:16", "ключ.б", "not a number that JSON knows"),
    "[" * 100_000: (f"1:{MAX_DEPTH + 1}", "[0][0][0][0][0][0][0][0]…", "nested too deeply"),
    '{"a":' * 100_000: (f"1:{5 * MAX_DEPTH + 1}", "a.a.a.a.a.a.a.a…", "nested too deeply"),
}


@each_row("text", MALFORMED)
def test_every_kind_of_malformed_json_is_named_and_placed(text: str) -> None:
    """The error is one line: file, line, column, key path, the problem, what was expected and what was there."""
    place, path, problem = MALFORMED[text]

    with pytest.raises(ConfigInvalid) as caught:
        parse_json(text.encode(), "c.json")

    assert str(caught.value).startswith(f"c.json:{place}: {path}: {problem}: expected ")
    assert ", got " in str(caught.value)
    assert "\n" not in str(caught.value)


@each_row(
    ("data", "problem"),
    [
        (b'{"a": "\xff"}', "c.json:1:8: (whole file): wrong encoding: expected UTF-8, got the byte 0xff"),
        (b'{"a": "\xed\xa0\x80"}', "c.json:1:8: (whole file): wrong encoding"),
        (b'{"a": "\xc0\xaf"}', "c.json:1:8: (whole file): wrong encoding"),
        ('{"a": "ж"}'.encode()[:-3], "c.json:1:8: (whole file): wrong encoding"),
        ('{"a": 1}'.encode("utf-16"), "c.json:1:1: (whole file): wrong encoding: expected UTF-8, got UTF-16 or UTF-32"),
        (b"\x00", "c.json:1:1: (whole file): no value: expected a value, got the character U+0000"),
        (b" " * (MAX_BYTES + 1), "c.json:1:1: (whole file): the file is too large"),
    ],
)
def test_bytes_that_are_no_text_are_named(data: bytes, problem: str) -> None:
    """Other encodings, overlong and cut sequences and binary files are errors like any other."""
    with pytest.raises(ConfigInvalid) as caught:
        parse_json(data, "c.json")

    assert str(caught.value).startswith(problem)


def test_a_byte_order_mark_is_accepted_and_not_counted() -> None:
    """Editors on Windows write one; positions are those that the editor shows."""
    scanned = parse_json(b'\xef\xbb\xbf{\r\n  "a": {"b": [true, null]}\r\n}', "c.json")

    assert scanned.value == {"a": {"b": [True, None]}}
    assert (scanned.position_of(("a",)).line, scanned.position_of(("a",)).column) == (2, 3)
    assert scanned.position_of(("a", "b", 1)).column == 21
    assert scanned.position_of(("a", "b", 7, "gone")).column == 9


def test_an_error_never_quotes_the_text_around_it() -> None:
    """A key pasted without quotes, or with a digit in front, is not echoed."""
    for text in ('{"apiKey": sk-secret1234567890}', '{"apiKey": 5secret1234567890}', '{"apiKey": "secret\\x"}'):
        with pytest.raises(ConfigInvalid) as caught:
            parse_json(text.encode(), "c.json")

        assert "secret" not in str(caught.value)


_TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
_LEAF = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
_JSON = st.recursive(
    _LEAF | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=10,
)


@given(_JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_what_json_writes_is_read_as_json_reads_it(value: object, indent: int | str | None, ascii_only: bool) -> None:  # noqa: FBT001  hypothesis fills it in
    """Every document that the standard library writes has the same value here."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    assert parse_json(text.encode(), "c.json").value == json.loads(text)


@given(st.text(alphabet='{}[]":,\\/ \n\t01-+.eEtrufalsn"u{}[]:,', max_size=14))
def test_nothing_is_accepted_that_json_refuses(text: str) -> None:
    """Over random near-JSON the parser accepts at most what the standard library accepts, with the same value."""
    try:
        value = parse_json(text.encode(), "c.json").value
    except ConfigInvalid:
        return

    assert json.loads(text) == value
