"""Every setting says when a change of it acts."""

from __future__ import annotations

import json

from bot.config.fields import (
    find_application,
    is_group,
    is_secret,
    list_changed,
    list_fields,
    list_settings,
    section_of,
)
from bot.config.schema import Settings
from bot.config.section import Applies, Section
from bot.config.strict_json import format_path
from harness.configuration import reference
from tests.cases import each_row


def _undeclared(model: type[Section], path: str = "") -> list[str]:
    found: list[str] = []
    for key, field in list_fields(model).items():
        section = section_of(field)
        if section is not None:
            found += _undeclared(section, f"{path}{key}.")  # type: ignore[arg-type]  # sections are all there is
        if not is_group(field):
            try:
                find_application(field)
            except ValueError:
                found.append(f"{path}{key}")
    return found


def test_every_setting_declares_when_it_applies() -> None:
    """Also those of nested sections and of lists; a field made without ``setting`` is found."""

    class Careless(Section):
        """A section with a field that says nothing."""

        field: int = 3

    assert _undeclared(Settings) == []
    assert _undeclared(Careless) == ["field"]


def test_the_page_says_what_needs_a_restart() -> None:
    """The settings that are read at the start alone are marked there, and no others."""
    page = reference().splitlines()
    marked = {line.split("`")[1] for line in page if line.endswith("| **restart** |")}

    assert marked == {
        format_path(path) for path, field in list_settings() if find_application(field) is Applies.RESTART
    }
    assert marked == {
        "storage.url",
        "storage.workerTermSeconds",
        "telegram.token",
        "telegram.apiUrl",
        "telegram.webhookUrl",
        "telegram.webhookListen",
        "plugins.channels",
        "plugins.subscribers",
        "metrics.listen",
        "metrics.tracesUrl",
        "page.enabled",
        "page.publicUrl",
        "page.publicListen",
    }


def test_declaring_keeps_what_the_type_says() -> None:
    """A token is still a secret."""
    assert is_secret(dict(list_settings())["telegram", "token"])


@each_row(
    ("new", "names"),
    [
        ({"telegram": {"token": "1:a", "apiUrl": "http://x"}}, ("telegram.token", "telegram.apiUrl")),
        (
            {"telegram": {"webhookUrl": "https://x", "webhookListen": "[::1]:80"}},
            ("telegram.webhookUrl", "telegram.webhookListen"),
        ),
        ({"plugins": {"subscribers": ["ear"], "tools": ["dice"]}}, ("plugins.subscribers",)),
        ({"language": "ru", "llm": {"fallbacks": [{"model": "m"}]}}, ()),
    ],
)
def test_changes_that_need_a_restart_are_named(new: dict[str, object], names: tuple[str, ...]) -> None:
    """By their keys in the file, never with their values."""
    settings = Settings.model_validate_json(json.dumps(new))

    assert list_changed(Settings(), settings, Applies.RESTART) == names
