"""Scopes by configuration: whose memory a message uses."""

from __future__ import annotations

from bot.config.memory_schema import MemorySettings
from bot.config.schema import Settings
from bot.messages import ChatKind
from bot.runtime.chat_rules import find_scope
from harness.application import console_message
from tests.adapters.telegram.fakes import StaticChats
from tests.cases import each_row


@each_row(
    ("direct", "group", "in_direct", "in_group", "in_topic"),
    [
        ("user", "chat", "cu42", "ccn100", "ccn100"),
        ("chat", "topic", "cc1", "ccn100", "ctn100_7"),
        ("shared", "shared", "s_family", "s_family", "s_family"),
        ("user", "user", "cu42", "cu42", "cu42"),
    ],
)
def test_the_scope_follows_the_settings(direct: str, group: str, in_direct: str, in_group: str, in_topic: str) -> None:
    """Person, chat, topic or a shared name; a topic's scope outside a topic is the chat's."""
    settings = Settings(
        memory=MemorySettings.model_validate({"scopeDirect": direct, "scopeGroup": group, "sharedName": "family"})
    )
    tags = [
        find_scope(each, settings, StaticChats()).tag
        for each in (
            console_message("hi"),
            console_message("hi", kind=ChatKind.GROUP, chat=-100),
            console_message("hi", kind=ChatKind.GROUP, chat=-100, topic=7),
        )
    ]

    assert tags == [in_direct, in_group, in_topic]


def test_a_private_memory_never_surfaces_in_a_group_by_default() -> None:
    """The same person in a group has another memory."""
    settings = Settings()

    assert find_scope(console_message("hi"), settings, StaticChats()) != find_scope(
        console_message("hi", kind=ChatKind.GROUP, chat=-100), settings, StaticChats()
    )
