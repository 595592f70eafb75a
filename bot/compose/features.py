"""The features of Mneme: each is a folder in ``bot/features`` and a line here.

Its module ``register`` has a function of that name, which adds it to an :class:`~bot.runtime.app.App`; its module
``cli``, if it has one, adds commands of the terminal.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, cast

import typer

if TYPE_CHECKING:  # a command that needs no parts is there at once
    from bot.runtime.app import App, OpenApp, Register

FEATURES: Final = (
    "voice",
    "documents",
    "skills",
    "chats",
    "transfer",
    "costs",
    "reminders",
    "lists",
    "abilities",
    "page",
    "tools",
    "users",
    "metrics",
)
"""In the order in which they are asked: the first that takes an attachment or a sentence has it."""


async def register_features(app: App) -> None:
    """Add every feature."""
    for name in FEATURES:
        await cast("Register", import_module(f"bot.features.{name}.register").register)(app)


def add_feature_commands(cli: typer.Typer, open_app: OpenApp) -> None:
    """Add the terminal's commands of every feature; those that need its parts open them by ``open_app``."""
    for name in FEATURES:
        if find_spec(f"bot.features.{name}.cli") is not None:
            import_module(f"bot.features.{name}.cli").add_commands(cli, open_app)
