"""The words of /settings in English."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.settings_texts import SettingsTexts

SETTINGS: Final = SettingsTexts(
    own_name="English",
    zones=("Europe/London", "America/New_York", "America/Los_Angeles", "Australia/Sydney"),
    head="Settings of this chat",
    titles=MappingProxyType(
        {
            "language": "Language",
            "memory": "Memory",
            "streaming": "Live answers",
            "quiet": "Quiet hours",
            "zone": "Time zone",
            "scope": "Whose memory",
        }
    ),
    about=MappingProxyType(
        {
            "language": "The language of my own words here: notices, buttons, the menu.",
            "memory": (
                "Off: what is said here from then on is neither kept, searched nor learned from; I know it until the "
                "conversation ends. What I remember stays as it is, and is there again when you switch memory on."
            ),
            "streaming": "On: you see an answer while it is written. Off: it comes when it is whole.",
            "quiet": "At these times I send nothing that you have not just asked for; it comes when they are over.",
            "zone": "Dates and times are told in this zone, and quiet hours and reminders go by it.",
            "scope": "Which memory I read and write here. Another choice moves nothing: each memory stays where it is.",
        }
    ),
    on="on",
    off="off",
    default="As the operator set it",
    as_set="{value} (as the operator set it)",
    by_client="as your app is set",
    no_quiet="none",
    machine_zone="that of the server",
    scopes=MappingProxyType(
        {
            "user": "yours",
            "chat": "this chat's",
            "topic": "one for each topic",
            "shared": "shared by several chats",
        }
    ),
    scope_changed=MappingProxyType(
        {
            "user": "From now on I use your own memory here. What this chat's own memory holds stays there.",
            "chat": (
                "From now on all of this chat uses one memory of its own. What was remembered elsewhere stays there "
                "and "
                "is not searched here."
            ),
            "topic": (
                "From now on each topic has a memory of its own, and none knows what is said in the others. What the "
                "chat's memory holds stays there and is not searched in topics."
            ),
        }
    ),
    memory_off="Memory is off here: I keep nothing of what is said from now on. What I remember stays; /forget erases.",
    memory_on="Memory is on here.",
    memory_off_for_all="The operator has switched memory off for everybody, so it stays off here.",
    not_kept=(
        "Memory is off here, so I keep nothing of that; I know it until this conversation ends (/settings memory)."
    ),
    back="‹ Back",
    saved="{title}: {value}",
    admins_only="Only admins of this group who may talk to me, and my owner, change its settings.",
    owner_only="Only my owner sees the settings of the bot.",
    not_here="I tell the settings of the bot in our own chat alone.",
    settled="Whose memory is used here is settled by the operator.",
    unknown=(
        "I do not know that setting. There are: /settings language, memory, streaming, quiet, zone, scope – each with "
        "a "
        "value behind it or alone."
    ),
    bad_language="I speak: {languages}. With auto I follow your app.",
    bad_switch="That can be on, off or default.",
    bad_quiet="Write quiet hours like this: /settings quiet 22:00-07:30, or /settings quiet off",
    bad_zone="I know no time zone {zone}. Write it like this: /settings zone Europe/Berlin",
    similar_zones="Perhaps one of these: {zones}",
    zone_saved="It is {time} there now.",
    type_zone="Any other: /settings zone Europe/Berlin",
    type_quiet="Any others: /settings quiet 22:00-07:30",
    bot_button="Settings of the bot",
    bot_head="Settings of the bot that differ from their defaults",
    bot_where="They are changed in {file}, and most act at once; docs/configuration.md lists all of them.",
    bot_defaults="All settings have their defaults.",
    bot_secret="(set, not shown)",  # noqa: S106 - no password
    bot_problem="Careful: that file has a mistake, so the last good version is in force. {problem}",
)
