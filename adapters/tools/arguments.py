"""Reads the arguments of a tool call, which a model wrote and anybody may have talked it into.

Nothing is converted: a number in a string is told to be wrong, and models repair that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.errors import CommandInvalid
from bot.memory.sanitise import clean

Arguments = Mapping[str, Any]  # Any: JSON, checked below


def check_names(arguments: Arguments, *names: str) -> None:
    """Raise :class:`~bot.errors.CommandInvalid` if there are arguments of other names."""
    strange = sorted(set(arguments) - set(names))
    if strange:
        raise CommandInvalid(f"the arguments are {', '.join(names) or 'none'}; there is no {clean(strange[0])[:60]!r}")


def read_text(arguments: Arguments, name: str, *, most: int, required: bool = True) -> str:
    """Return a text of at most ``most`` characters, cleaned and stripped; "" for a missing one that is not required."""
    value = arguments.get(name)
    if value is None and not required:
        return ""
    if not isinstance(value, str):
        raise CommandInvalid(f"{name} must be a text")
    text = clean(value).strip()
    if required and not text:
        raise CommandInvalid(f"{name} must not be empty")
    if len(text) > most:
        raise CommandInvalid(f"{name} is too long: {len(text)} characters, {most} at most")
    return text


def read_integer(arguments: Arguments, name: str, *, default: int, least: int, most: int) -> int:
    """Return a whole number between ``least`` and ``most``."""
    value = arguments.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise CommandInvalid(f"{name} must be a whole number")
    if not least <= value <= most:
        raise CommandInvalid(f"{name} must lie between {least} and {most}")
    return value


def read_texts(arguments: Arguments, name: str, *, most: int) -> tuple[str, ...]:
    """Return a list of one to ``most`` short texts without repetitions."""
    value = arguments.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise CommandInvalid(f"{name} must be a list of texts")
    if len(value) > most:
        raise CommandInvalid(f"{name} holds too much: {most} at most")
    return tuple(dict.fromkeys(value))
