"""Scopes: names that nobody shares by accident."""

from __future__ import annotations

import re

import pytest

from bot.errors import ConfigInvalid, ScopeMissing
from bot.memory.scope import Installation, Scope, ScopeKind, build_scope
from tests.cases import each_row

NAME = "a" + "7" * 15


@each_row("tag", ["", "tu", "u42", "TU42", "tu 42", "tu-42", "tu42\n", "../tu42", "xx42", "ü"])
def test_what_is_no_scope_is_refused(tag: str) -> None:
    """A memory call without an owner never reaches a store."""
    with pytest.raises(ScopeMissing, match="every memory call must say whose memory it is"):
        Scope(tag)


@each_row("name", ["", "short", "7" * 16, "a" * 15, "a" * 17, "A" + "7" * 15, NAME + "\n"])
def test_what_is_no_installation_is_refused(name: str) -> None:
    """A letter and fifteen letters or digits: no name is the beginning of another."""
    with pytest.raises(ConfigInvalid):
        Installation(name)


def test_workspaces_of_two_installations_and_of_two_scopes_differ() -> None:
    """The name tells both, in signs that a header and a file name can carry."""
    names = {
        Installation(name).workspace(Scope(tag)) for name in (NAME, "b" + NAME[1:]) for tag in ("cu1", "tu42", "tcn9")
    }

    assert len(names) == 6
    assert all(re.fullmatch(r"[a-z0-9_]{1,64}", name) for name in names)
    assert f"{NAME}_cu1" in names


def test_a_scope_reads_as_its_tag() -> None:
    """In a file name or a log line a scope stands as its tag."""
    assert str(Scope("tu42")) == "tu42"


@each_row(
    ("kind", "ids", "tag"),
    [
        (ScopeKind.USER, {"user_id": 42, "chat_id": -100}, "tu42"),
        (ScopeKind.CHAT, {"user_id": 42, "chat_id": -100}, "tcn100"),
        (ScopeKind.CHAT, {"user_id": 42, "chat_id": 100}, "tc100"),
        (ScopeKind.CHAT, {"user_id": 42, "chat_id": 0}, "tc0"),
        (ScopeKind.CHAT, {"user_id": 42, "chat_id": -100, "topic_id": 7}, "tcn100"),
        (ScopeKind.TOPIC, {"user_id": 42, "chat_id": -100, "topic_id": 7}, "ttn100_7"),
        (ScopeKind.TOPIC, {"user_id": 42, "chat_id": -100}, "tcn100"),
    ],
)
def test_ids_become_a_tag_in_one_way(kind: ScopeKind, ids: dict[str, int], tag: str) -> None:
    """Person, chat, topic; the sign of a group's id and the platform's letter keep them apart."""
    assert build_scope(kind, platform="telegram", **ids) == Scope(tag)  # type: ignore[arg-type]  # no "shared" among the ids
    assert build_scope(kind, platform="console", **ids) == Scope("c" + tag[1:])  # type: ignore[arg-type]  # as above


def test_no_two_platforms_share_a_scope() -> None:
    """Also those whose names begin alike, or look like an id: "teams" and "telegram" had both been ``t``."""
    platforms = ("telegram", "console", "teams", "t", "c", "tu1", "u1", "p", "pteams", "matrix", "teams2")
    kinds = (ScopeKind.USER, ScopeKind.CHAT, ScopeKind.TOPIC)
    made = [
        build_scope(kind, platform=platform, user_id=1, chat_id=chat, topic_id=topic)
        for platform in platforms
        for kind in kinds
        for chat, topic in ((-1, 2), (1, 2))
    ]

    assert len(set(made)) == len(platforms) * 5  # a user's scope does not depend on the chat
    assert sum(scope.personal for scope in set(made)) == len(platforms)
    assert not any(scope.shared for scope in made)


@each_row("platform", ["", "Teams", "ms-teams", "a_b"])
def test_a_platform_needs_a_plain_name(platform: str) -> None:
    """One that could be read as part of an id is refused."""
    with pytest.raises(ScopeMissing, match="a platform needs a name"):
        build_scope(ScopeKind.USER, platform=platform, user_id=1, chat_id=1)


@each_row("name", ["", "Family", "my family", "_family", "family_", "a__b", "familie-1", "семья"])
def test_a_shared_memory_needs_a_plain_name(name: str) -> None:
    """A name that could be mistaken for another is refused."""
    with pytest.raises(ScopeMissing, match="shared memory needs a name"):
        build_scope(ScopeKind.SHARED, platform="telegram", user_id=1, chat_id=1, shared=name)


def test_a_shared_memory_has_its_name() -> None:
    """Whoever asks, wherever."""
    named = build_scope(ScopeKind.SHARED, platform="telegram", user_id=1, chat_id=1, shared="a_b")

    assert named == Scope("s_a_b")
    assert named.shared
    assert not named.personal
