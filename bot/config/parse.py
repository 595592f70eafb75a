"""From bytes to :class:`Settings`, or to one text that says everything that is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.config.crosscheck import conflicts
from bot.config.diagnostics import Complaint, Path, invalid
from bot.config.environment import with_environment
from bot.config.scanner import Scanned, scan
from bot.config.schema import Settings
from bot.config.shape import field_at, is_secret, spelling_of, unknown_keys

_EXPECTED = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "string_type": "a text in double quotes",
    "model_type": "an object { … }",
    "model_attributes_type": "an object { … }",
    "tuple_type": "a list [ … ]",
    "missing": "a value, this key is required",
}
_MOST = 10
"""Mistakes of a kind that are told at once: a file of another program has thousands."""
_WITH_LIMIT = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
    "string_too_long": ("characters: at most", "max_length"),
    "too_long": ("elements: at most", "max_length"),
}
_HARMLESS = re.compile(r"https?:[/\w.:-]{0,60}|localhost[/\w.:-]{0,60}|[a-z_]{1,20}|[-+0-9.,]{1,20}", re.IGNORECASE)
"""Texts that may be echoed: a word, a number, a plain address; never what may be a key or hold a password."""


def settings_from(data: bytes, name: str, environment: Mapping[str, str]) -> Settings:
    """Return the settings that the file ``name`` with these bytes and this environment mean.

    Raises :class:`~bot.errors.ConfigInvalid`: one line per mistake with file, line, column, key path, what was expected
    and what was there.  Secrets are never shown.
    """
    scanned = scan(data, name)
    complaints = list(islice(unknown_keys(scanned), _MOST))
    settings = Settings()
    try:
        settings = Settings.model_validate_json(scanned.text, by_alias=True, by_name=False)
    except ValidationError as error:
        # An unknown key was told already, with a hint; pydantic's own text may quote values.
        wrong = (c for e in error.errors() if e["type"] != "extra_forbidden" for c in _of_schema(e, scanned))
        complaints += islice(wrong, _MOST)
    if complaints:
        raise invalid(name, complaints) from None
    settings = with_environment(settings, environment)
    complaints = [
        Complaint(scanned.place(c.path), c.path, "settings contradict each other", c.expected, c.got)
        for c in conflicts(settings)
    ]
    if complaints:
        raise invalid(name, complaints)
    return settings


def _of_schema(error: ErrorDetails, scanned: Scanned) -> Iterator[Complaint]:
    path: Path = error["loc"]
    missing = error["type"] == "missing"
    place = scanned.place(path[:-1] if missing else path)
    problem = "missing value" if missing else "wrong value"
    got = "nothing" if missing else _got(error["input"], path)
    yield Complaint(place, path, problem, _expected(error), got)


def _expected(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind in _WITH_LIMIT:
        words, limit = _WITH_LIMIT[kind]
        bound = context[limit]
        return f"{words} {bound:g}" if isinstance(bound, float) else f"{words} {bound}"
    if kind == "literal_error":
        return str(context["expected"])
    if kind == "string_pattern_mismatch":
        field = field_at(error["loc"])
        return spelling_of(field) if field else "another spelling"
    return error["msg"].removeprefix("Input should be ")


def _got(value: Any, path: Path) -> str:  # Any: JSON
    """Say what was there without giving a secret away."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    field = field_at(path)
    if field is None or is_secret(field):
        return "a text" if isinstance(value, str) else "a number"
    if isinstance(value, int | float):
        return str(value)
    return f'"{value}"' if _HARMLESS.fullmatch(value) else f"a text of {len(value)} characters"
