"""The language of a terminal, from its environment."""

from __future__ import annotations

import pytest

from bot.compose.entry_points import read_locale


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, ""),
        ({"LANG": "ru_RU.UTF-8"}, "ru_RU.UTF-8"),
        ({"LANG": "en_GB", "LC_MESSAGES": "ru_RU"}, "ru_RU"),
        ({"LANG": "ru_RU", "LC_ALL": "C", "LC_MESSAGES": "ru_RU"}, "C"),
        ({"LANG": "ru_RU", "LC_ALL": ""}, "ru_RU"),
    ],
)
def test_the_locale_is_found_as_posix_says(environment: dict[str, str], language: str) -> None:
    """One variable overrides the other; an empty one does not count."""
    assert read_locale(environment) == language
