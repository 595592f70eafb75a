"""Folders of an installation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.config.folders import prepare_folders
from bot.errors import ConfigInvalid


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of this machine counts, and the current folder is empty."""
    monkeypatch.delenv("MNEME_DATA", raising=False)
    monkeypatch.delenv("MNEME_PREFERENCES", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def test_a_data_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    """Memories are nobody else's business."""
    found = prepare_folders(tmp_path / "data")

    assert found.data.stat().st_mode & 0o777 == 0o700
    assert found.logs.is_dir()
    assert found.database.parent == found.data


def test_without_an_argument_the_environment_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``MNEME_DATA`` and ``MNEME_PREFERENCES``, for containers."""
    monkeypatch.setenv("MNEME_DATA", str(tmp_path / "mine"))
    monkeypatch.setenv("MNEME_PREFERENCES", str(tmp_path / "preferences"))
    found = prepare_folders(None)

    assert (found.data, found.preferences) == (tmp_path / "mine", tmp_path / "preferences")


def test_preferences_beside_the_data_come_before_those_of_the_current_folder(tmp_path: Path) -> None:
    """An installation keeps its own."""
    (tmp_path / "here" / "preferences").mkdir()
    first = prepare_folders(tmp_path / "data").preferences
    (tmp_path / "data" / "preferences").mkdir()
    second = prepare_folders(tmp_path / "data").preferences

    assert first == tmp_path / "here" / "preferences"
    assert second == tmp_path / "data" / "preferences"


def test_without_preferences_the_shipped_ones_are_copied(tmp_path: Path) -> None:
    """A first start has something to edit."""
    found = prepare_folders(tmp_path / "data")

    assert found.preferences == tmp_path / "data" / "preferences"
    assert found.config.is_file()
    assert (found.preferences / "prompts").is_dir()
    assert (found.is_new, prepare_folders(tmp_path / "data").is_new) == (True, False)


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """The error says which folder and which option."""
    (tmp_path / "file").write_text("not a folder", encoding="ascii")

    with pytest.raises(ConfigInvalid, match="--data"):
        prepare_folders(tmp_path / "file" / "data")


def test_a_folder_inside_that_another_user_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A back-up that nobody can list is not deleted with what it holds: "gone from every file" would be untrue.

    Red where only the folders were looked at that every start makes.
    """
    theirs = tmp_path / "data" / "backups"
    theirs.mkdir(parents=True)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != theirs)

    with pytest.raises(ConfigInvalid, match=r"backups: it must be ours to read and write \(chown"):
        prepare_folders(tmp_path / "data")
