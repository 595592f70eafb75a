"""Requests judged by themselves, whatever the chats hold: without the published description by aiogram's models."""

from __future__ import annotations

import functools
import json
import re
import types
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, Union, get_args, get_origin

from aiogram import methods
from aiogram.methods import TelegramMethod
from pydantic import BaseModel, ValidationError

from harness.fakes.telegram.description import published

_Json = Any  # JSON as it was sent


class Models:
    """Judges requests as :class:`harness.fakes.telegram.description.Description` does, but for lengths and ranges."""

    def knows(self, method: str) -> bool:
        """Whether there is such a method."""
        return method.lower() in _by_name()

    def decoded(self, method: str, form: Mapping[str, str]) -> dict[str, _Json]:
        """Return the values of a form as the declared types say."""
        model = _by_name().get(method.lower())
        fields = model.model_fields if model is not None else {}
        return {
            name: _value(set(_plain(fields[name].annotation)), raw) if name in fields else raw
            for name, raw in form.items()
        }

    def problems(self, method: str, params: Mapping[str, _Json]) -> list[str]:
        """Return what is wrong with a request, in words; empty if nothing is."""
        try:
            built = _by_name()[method.lower()].model_validate(params)
        except ValidationError as error:
            return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        return list(_unknown(built, ""))


@functools.cache
def _by_name() -> dict[str, type[TelegramMethod[Any]]]:
    return {
        kind.__api_method__.lower(): kind
        for kind in vars(methods).values()
        if isinstance(kind, type) and issubclass(kind, TelegramMethod) and kind is not TelegramMethod
    }


def _plain(annotation: Any) -> Iterator[Any]:  # Any: annotations
    if get_origin(annotation) in {Union, types.UnionType}:
        for each in get_args(annotation):
            yield from _plain(each)
    else:
        yield annotation


def _value(kinds: set[Any], raw: str) -> _Json:
    if str in kinds:
        return int(raw) if int in kinds and re.fullmatch(r"-?\d+", raw) else raw
    try:
        return json.loads(raw)
    except ValueError:
        return raw


def _unknown(value: object, path: str) -> Iterator[str]:
    """Yield every field, at any depth, that its model does not have."""
    if isinstance(value, BaseModel):
        for name in value.model_extra or ():
            yield f"{path}{name}: no such field"
        for name in value.model_fields_set & set(type(value).model_fields):
            yield from _unknown(getattr(value, name), f"{path}{name}.")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _unknown(each, f"{path}{number}.")


class Judge(Protocol):
    """Knows the methods and what their parameters may be."""

    def knows(self, method: str) -> bool:
        """Whether there is such a method."""
        ...

    def decoded(self, method: str, form: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of a form as JSON."""
        ...

    def problems(self, method: str, params: Mapping[str, Any]) -> list[str]:
        """Return what is wrong with a request, in words."""
        ...


def judge() -> Judge:
    """Return the published description, or aiogram's models where it is not at hand."""
    return published() or Models()
