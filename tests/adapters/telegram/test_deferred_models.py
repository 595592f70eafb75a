"""Models of Telegram's types that are built at their first use."""

from __future__ import annotations

import inspect
import sys

from aiogram import methods, types
from pydantic import BaseModel

import adapters.telegram  # noqa: F401 - imports aiogram as the product does
from harness.forking import fork


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
    process = fork(_exit_with_whether_built)  # from one that has imported what a start imports
    process.join(240)

    assert process.exitcode == 0


def _exit_with_whether_built() -> None:
    sys.exit(types.Gift.__pydantic_complete__)
