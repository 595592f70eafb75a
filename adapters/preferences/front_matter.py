"""Reads what stands at the head of a skill's file, between its first two lines of dashes."""

from typing import Any

import yaml

from bot.errors import ConfigInvalid


class _StrictLoader(yaml.SafeLoader):
    """Refuses duplicate keys, of which YAML would silently keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002  Any, bool: the base class's signature
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"duplicate key {key.value!r}", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def read_front_matter(front: str) -> dict[Any, Any]:  # Any: YAML
    """Return keys and values of YAML.  Raises :class:`~bot.errors.ConfigInvalid` with the line of the file."""
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
