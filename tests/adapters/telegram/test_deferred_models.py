"""Models of Telegram's types that are built at their first use."""

from __future__ import annotations

import inspect
import subprocess
import sys

from aiogram import methods, types
from pydantic import BaseModel

import adapters.telegram  # noqa: F401 - imports aiogram as the product does
from harness.forking import ROOT


def test_every_type_and_method_can_be_built() -> None:
    """A name that a field mentions and its module does not know would be an error in the middle of a chat."""
    models = [
        model
        for package in (types, methods)
        for _, model in inspect.getmembers(package, inspect.isclass)
        if issubclass(model, BaseModel) and not inspect.isabstract(model)
    ]

    assert len(models) > 400
    assert [model.__name__ for model in models if model.model_rebuild(raise_errors=False) is False] == []


def test_a_start_builds_no_type_that_nobody_uses() -> None:
    """Red when aiogram is imported by itself: it builds all."""
    code = "import bot.compose.telegram; from aiogram.types import Gift, Message; print(Gift.__pydantic_complete__)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)  # noqa: S603 - our own interpreter

    assert done.stdout.strip() == "False", done.stderr
