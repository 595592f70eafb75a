"""The leaves of JSON: strings, numbers and the three words."""

from __future__ import annotations

import json
import math
import re
import unicodedata

_SPACE = " \t\n\r"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[+\-.0-9A-Za-z_]+")
_HARMLESS = re.compile(r"[+\-.0-9eExX_]{1,20}|[+-]?(?:NaN|Infinity)")
_WORD = re.compile(r"[^\W\d]\w*")
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_WORDS = {"true": True, "false": False, "null": None}
_ALMOST = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "None": "null", "NULL": "null"}
_MAX_DIGITS = 40


class Fault(Exception):
    """Something that is not JSON, at an offset; it never leaves this package."""

    def __init__(self, at: int, problem: str, expected: str, got: str, hint: str = "") -> None:
        super().__init__(problem)
        self.at, self.problem, self.expected, self.got, self.hint = at, problem, expected, got, hint


def is_space(char: str) -> bool:
    """Whether JSON counts this as white space: four characters, not what Unicode says."""
    return char in _SPACE


def seen(text: str, at: int) -> str:
    """Name the character at an offset; only one, because the next may begin a secret."""
    if at >= len(text):
        return "the end of the file"
    char = text[at]
    if char.isprintable() and not char.isspace():
        return f"'{char}'" if char == '"' else f'"{char}"'
    return f"the character U+{ord(char):04X} ({unicodedata.name(char, 'control character')})"


def read_string(text: str, start: int) -> tuple[str, int]:
    """Return the string whose opening quote is at ``start`` and the offset behind its closing quote."""
    at = start + 1
    while at < len(text) and text[at] != '"':
        char = text[at]
        if char == "\\":
            match = _ESCAPE.match(text, at)
            if match is None:
                if at + 1 >= len(text):
                    at += 1
                    break
                raise Fault(at, "bad escape", r"one of \" \\ \/ \b \f \n \r \t \uXXXX", "another", r"write \\ for \ ")
            at = match.end()
        elif char < " ":
            hint = r"close the string with a quote or write \n" if char in "\r\n" else ""
            raise Fault(at, "control character in a string", "printable text", seen(text, at), hint)
        else:
            at += 1
    if at >= len(text):
        raise Fault(start, "the file ends in the middle", 'a closing "', "the end of the file")
    value = str(json.loads(text[start : at + 1]))
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise Fault(start, "half a character", r"surrogates in pairs (\ud83d\ude00)", "a single one")
    return value, at + 1


def read_number(text: str, start: int) -> tuple[int | float, int]:
    """Return the number at ``start`` and the offset behind it."""
    like = _NUMBER_LIKE.match(text, start)
    word = like.group() if like else text[start]
    if not _NUMBER.fullmatch(word):
        hint = "NaN and Infinity are not JSON" if word[-1].isalpha() else "no +, no leading 0, digits around the point"
        got = word if _HARMLESS.fullmatch(word) else "a bare word"
        raise Fault(start, "not a number that JSON knows", "a number such as 10, -1 or 0.5", got, hint)
    if len(word) > _MAX_DIGITS:
        raise Fault(start, "number out of range", f"at most {_MAX_DIGITS} digits", f"{len(word)} characters")
    value: int | float = float(word) if any(c in word for c in ".eE") else int(word)
    if isinstance(value, float) and not math.isfinite(value):
        raise Fault(start, "number out of range", "a number below 1.8e308", "a larger one")
    return value, start + len(word)


def read_word(text: str, start: int) -> tuple[bool | None, int]:
    """Return ``true``, ``false`` or ``null`` at ``start`` and the offset behind it."""
    match = _WORD.match(text, start)
    word = match.group() if match else text[start]
    if word in _WORDS:
        return _WORDS[word], start + len(word)
    if start + len(word) == len(text) and any(known.startswith(word) for known in _WORDS):
        raise Fault(start, "the file ends in the middle", "true, false or null", "the end of the file")
    if word in ("NaN", "Infinity"):
        raise Fault(start, "not a number that JSON knows", "a number such as 10, -1 or 0.5", word)
    hint = f"write {_ALMOST[word]}" if word in _ALMOST else "texts stand in double quotes"
    raise Fault(start, "unknown word", "true, false, null or a text in double quotes", "a bare word", hint)
