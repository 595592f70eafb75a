"""The pages of /settings: what holds now, and the choices of one setting with what they mean."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.memory.scope import ScopeKind
from bot.ports.chats import ChatSettings
from language import languages
from language.texts import Texts

ON: Final = "on"
OFF: Final = "off"
AUTO: Final = "auto"
DEFAULT: Final = "default"
_USUAL_HOURS: Final = ("22:00-07:00", "23:00-08:00")
"""Quiet hours on buttons: what most people sleep; others are typed."""
Buttons = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """What holds where a chat has chosen nothing.

    ``language`` is a code or "auto", ``zone`` an IANA name or "" for the machine's, ``scopes`` what the chat may choose
    from, empty where it may not.
    """

    language: str
    memory: bool
    streaming: bool
    zone: str
    scope: ScopeKind
    scopes: tuple[ScopeKind, ...]

    def scope_of(self, settings: ChatSettings) -> ScopeKind:
        """Return whose memory is used."""
        return settings.scope if settings.scope in self.scopes and settings.scope is not None else self.scope

    def name(self, key: str, settings: ChatSettings, texts: Texts) -> str:
        """Return the value of a setting that is in force, in words."""
        words = texts.settings
        match key:
            case "language":
                code = settings.language or self.language
                value = words.by_client if code == AUTO else name_language(code)
                set_here = bool(settings.language) or self.language == AUTO
            case "memory":
                value, set_here = words.on if self.memory and settings.memory is not False else words.off, True
            case "streaming":
                streams = self.streaming if settings.streaming is None else settings.streaming
                value, set_here = words.on if streams else words.off, settings.streaming is not None
            case "quiet":
                begin, end = settings.quiet_from, settings.quiet_to
                hours = f"{begin:%H:%M}–{end:%H:%M}" if begin is not None and end is not None else words.no_quiet
                value, set_here = hours, True
            case "zone":
                value = settings.time_zone or self.zone or words.machine_zone
                set_here = bool(settings.time_zone) or not self.zone
            case _:
                value, set_here = words.scopes[self.scope_of(settings).value], bool(self.scopes)
        return value if set_here else words.as_set.format(value=value)


def name_language(code: str) -> str:
    """Return what a language calls itself, its code where it does not say."""
    return next((each.name for each in languages() if each.code == code), "") or code


def render_overview(settings: ChatSettings, offered: Offered, texts: Texts) -> tuple[str, Buttons]:
    """Return all settings with their values, and a button for each that may be chosen."""
    titles = texts.settings.titles
    lines = [f"- {title}: {offered.name(key, settings, texts)}" for key, title in titles.items()]
    shown = [key for key in titles if key != "scope" or offered.scopes]
    return "\n".join((f"**{texts.settings.head}**", *lines)), tuple((titles[key], f"/settings {key}") for key in shown)


def render_choices(
    key: str, settings: ChatSettings, offered: Offered, texts: Texts, now: datetime
) -> tuple[str, Buttons]:
    """Return what a setting does, its value and its choices; ``now`` is the time in the chat's zone."""
    words = texts.settings
    value = offered.name(key, settings, texts)
    head = f"**{words.titles[key]}**: {value}"
    if key == "zone":
        head = f"{head} ({now:%H:%M})"
    typed = {"zone": words.type_zone, "quiet": words.type_quiet}.get(key, "")
    if key == "scope" and not offered.scopes:
        typed = words.settled
    text = "\n\n".join(filter(None, (head, words.about[key], typed)))
    choices = [(label, f"/settings {key} {choice}") for label, choice in _list_choices(key, settings, offered, texts)]
    return text, (*choices, (words.back, "/settings"))


def _list_choices(key: str, settings: ChatSettings, offered: Offered, texts: Texts) -> list[tuple[str, str]]:
    words = texts.settings
    match key:
        case "language":
            return [*((name_language(each.code), each.code) for each in languages()), (words.default, AUTO)]
        case "memory":
            return [(words.on, ON), (words.off, OFF)]
        case "streaming":
            return [(words.on, ON), (words.off, OFF), (words.default, DEFAULT)]
        case "quiet":
            return [*((hours.replace("-", "–"), hours) for hours in _USUAL_HOURS), (words.no_quiet, OFF)]
        case "zone":
            likely = dict.fromkeys(filter(None, (settings.time_zone, offered.zone, *words.zones, "UTC")))
            return [*((name, name) for name in likely), (words.default, DEFAULT)]
        case _:
            return [(words.scopes[kind.value], kind.value) for kind in offered.scopes]
