"""The words of /settings, as data: a language is one value of :class:`SettingsTexts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SettingsTexts:
    """/settings; the mappings are by the keys of settings: language, memory, streaming, quiet, zone, scope."""

    own_name: str = ""
    """What the language calls itself."""
    zones: tuple[str, ...] = ()
    """Time zones in which many of its speakers live, as IANA names; as many as English has."""
    head: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    """On buttons and in the list; what may be typed for the key, too."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What a setting does, above its choices."""
    on: str = ""
    off: str = ""
    default: str = ""
    """A choice: what the operator has set."""
    as_set: str = ""
    """Behind ``{value}``, which the operator has set."""
    by_client: str = ""
    """The language: whatever the writer's app is in."""
    no_quiet: str = ""
    machine_zone: str = ""
    scopes: Mapping[str, str] = field(default_factory=dict)
    """Whose memory is used, by "user", "chat", "topic" and "shared"."""
    scope_changed: Mapping[str, str] = field(default_factory=dict)
    """What it means that another memory is used from now on, by the first three."""
    memory_off: str = ""
    memory_on: str = ""
    memory_off_for_all: str = ""
    not_kept: str = ""
    """In place of an acknowledgement, while memory is off."""
    back: str = ""
    saved: str = ""
    """With {title} and {value}."""
    admins_only: str = ""
    owner_only: str = ""
    not_here: str = ""
    """To an owner who asks for the bot's settings where others read along."""
    settled: str = ""
    """Whose memory it is cannot be chosen here."""
    unknown: str = ""
    bad_language: str = ""
    """With {languages}."""
    bad_switch: str = ""
    bad_quiet: str = ""
    bad_zone: str = ""
    """With {zone}."""
    similar_zones: str = ""
    """With {zones}: names that were perhaps meant."""
    zone_saved: str = ""
    """With {time}: what the clock shows there now."""
    type_zone: str = ""
    type_quiet: str = ""
    bot_button: str = ""
    bot_head: str = ""
    bot_where: str = ""
    """With {file}: where settings are changed."""
    bot_defaults: str = ""
    bot_secret: str = ""
    """In place of the value of a secret that is set."""
    bot_problem: str = ""
    """With {problem}: the file is not in force as it stands."""
