"""Reads one ``SKILL.md``: YAML front matter with ``name`` and ``description``, then the instructions.

The format is that of Agent Skills (https://agentskills.io/specification); other keys of the front matter are allowed
and ignored, so that skills written for other assistants work here.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from bot.errors import ConfigInvalid
from bot.turn import Skill

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"[^\W_][\w-]{0,63}")
_DESCRIPTION_MAX = 1024


class _StrictLoader(yaml.SafeLoader):
    """Refuses duplicate keys, of which YAML would silently keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002  Any, bool: the base class's signature
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"duplicate key {key.value!r}", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def read_skill(text: str) -> Skill:
    """Return the skill that a ``SKILL.md`` describes.

    Raises :class:`~bot.errors.ConfigInvalid` with what is wrong and, for YAML, the line.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    match = _FRONT.match(text)
    if match is None:
        raise ConfigInvalid("1: no front matter: expected --- name: … description: … --- at the start")
    front = _mapping(match.group(1))
    name, description, body = front.get("name"), front.get("description"), text[match.end() :].strip()
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name.casefold() == "off":
        raise ConfigInvalid('name: expected 1 to 64 letters, digits, "-" or "_", and not "off"')
    if not isinstance(description, str) or not 0 < len(description.strip()) <= _DESCRIPTION_MAX:
        raise ConfigInvalid(f"description: expected a text of 1 to {_DESCRIPTION_MAX} characters")
    if not body:
        raise ConfigInvalid("no instructions after the front matter")
    return Skill(name, " ".join(description.split()), body)


def _mapping(front: str) -> dict[Any, Any]:  # Any: YAML
    try:
        value = yaml.load(front, _StrictLoader)  # noqa: S506  a SafeLoader, stricter
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise ConfigInvalid(f"{line}: front matter is not YAML: {error.problem}") from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise ConfigInvalid(f"1: front matter is not YAML: {type(error).__name__}") from error
    if not isinstance(value, dict):
        raise ConfigInvalid("1: front matter: expected keys and values")
    return value
