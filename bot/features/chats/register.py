"""/settings: what a chat settles for itself, by buttons or typed; for the owner also what holds for the whole bot.

Every choice is a value and never "the other one": a button pressed late, or on an old message, does what it says.
In a group whoever is let in sees the settings; who may change them is asked anew for every change.

The pages of /settings: what holds now, and the choices of one setting with what they mean.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, time
from pathlib import Path
from typing import ClassVar, Final
from urllib.parse import urlsplit, urlunsplit

from bot.commands.formatting import escape, make_page, make_reply
from bot.config.fields import is_secret, list_settings, read_value
from bot.config.live import LiveSettings
from bot.config.schema import Settings
from bot.config.strict_json import format_path
from bot.core.rights import Whose
from bot.core.time_zones import find_zones, is_zone
from bot.features.chats.settings import ChatsSettings
from bot.memory.items import Trust
from bot.memory.scope import ScopeKind
from bot.messages import Address, ChatKind, InboundMessage
from bot.ports.chats import ChatSettings, ChatSettingsStore
from bot.ports.system import CommandCall
from bot.runtime.app import App
from bot.runtime.chat_rules import ChatRules, find_default_scope
from bot.turn import NextSession, Reply
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


_SHOWN = 120
"""Characters of a value that are shown."""
_HOURS: Final = re.compile(r"(\d{1,2})(?::(\d{2}))?\s*[-–—]\s*(\d{1,2})(?::(\d{2}))?")
Change = Callable[[ChatSettings], ChatSettings]


async def register(app: App) -> None:
    """Add /settings to Mneme."""
    app.rules.lets_choose = lambda settings: settings.of(ChatsSettings).scope

    async def may_change(call: CommandCall) -> bool:
        message = call.message
        if message.chat_kind is ChatKind.DIRECT or call.author.trust is Trust.OWNER:
            return True  # a direct chat has settings of its own, whoever shares its memory
        if app.settings.current.of(ChatsSettings).group_settings == "owner":
            return False
        return await app.may(call.name, message, call.scope, Whose.ALL)

    async def changed(address: Address, settings: ChatSettings) -> None:
        show_menu = app.menus.get(address.platform)
        if show_menu is not None:
            await show_menu(address, settings.language)

    operators = OperatorsPart(app.settings, app.rules, app.places.config)
    app.added.commands.append(SettingsCommand(app.chat_settings, operators, may_change, changed))
    app.added.menu.append(SettingsCommand.name)


@dataclass(frozen=True, slots=True)
class OperatorsPart:
    """What the operator has set, as /settings shows it."""

    live: LiveSettings
    rules: ChatRules
    file: Path

    def describe(self, message: InboundMessage) -> Offered:
        """Return what holds where a chat has chosen nothing."""
        settings = self.live.current
        return Offered(
            settings.language,
            settings.memory.enabled,
            settings.telegram.streaming,
            settings.time_zone,
            find_default_scope(message.chat_kind, settings),
            self.rules.list_scopes(message.chat_kind, settings),
        )

    def describe_bot(self, texts: Texts) -> str:
        """Return what differs from the defaults, by key, and the file."""
        words, live = texts.settings, self.live
        lines = [f"- `{key}` = {value}" for key, value in list_changes(live.current, words.bot_secret)]
        problem = live.problem
        return "\n\n".join(
            filter(
                None,
                (
                    f"**{words.bot_head}**" if lines else words.bot_defaults,
                    "\n".join(lines),
                    words.bot_where.format(file=f"`{self.file}`"),
                    words.bot_problem.format(problem=escape(str(problem), 600)) if problem is not None else "",
                ),
            )
        )


def list_changes(settings: Settings, secret: str) -> list[tuple[str, str]]:
    """Return key and value of every setting that differs from its default.

    A secret is told as ``secret``, and so is what holds one: of addresses neither user nor query is shown, of lists of
    sections only how many there are.
    """
    defaults = Settings()
    changes = []
    for path, field in list_settings():
        value = read_value(settings, path)
        if value != read_value(defaults, path):
            changes.append((format_path(path), secret if is_secret(field) else _show(value)))
    return changes


def _show(value: object) -> str:
    if isinstance(value, tuple) and any(not isinstance(each, int | str) for each in value):
        return f"[{len(value)}]"
    if isinstance(value, str) and "://" in value:
        parts = urlsplit(value)
        value = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    return escape(json.dumps(value, ensure_ascii=False, default=str), _SHOWN)


@dataclass(frozen=True, slots=True)
class SettingsCommand:
    """Shows, explains and changes the settings of a chat.

    ``may_change`` says whether the author may in this chat; ``changed`` is told of a chat that has other settings, and
    shows nothing of itself.
    """

    chats: ChatSettingsStore
    operated: OperatorsPart
    may_change: Callable[[CommandCall], Awaitable[bool]]
    changed: Callable[[Address, ChatSettings], Awaitable[None]]

    name: ClassVar[str] = "settings"
    BOT: ClassVar[str] = "bot"

    async def run(self, call: CommandCall) -> Reply:
        """Return a page, or what a change has come to above the first page."""
        texts = call.texts
        key, _, value = call.argument.partition(" ")
        if key.casefold() == self.BOT:
            return self._bot(call, texts)
        allowed = await self.may_change(call)
        key = _find_key(key, texts)
        if not key:
            unknown = texts.settings.unknown if call.argument else ""
            return self._page(call, texts, unknown, allowed=allowed)
        if not allowed:
            return self._page(call, texts, texts.settings.admins_only, allowed=False)
        if not value.strip():
            offered = self.operated.describe(call.message)
            text, buttons = render_choices(key, self.chats.find(call.message.address), offered, texts, call.now)
            return make_page(text, buttons=buttons)
        return await self._change(call, key, value.strip(), texts)

    def _page(self, call: CommandCall, texts: Texts, said: str, *, allowed: bool) -> Reply:
        offered = self.operated.describe(call.message)
        text, buttons = render_overview(self.chats.find(call.message.address), offered, texts)
        if call.author.trust is Trust.OWNER and call.message.chat_kind is ChatKind.DIRECT:
            buttons = (*buttons, (texts.settings.bot_button, f"/{self.name} {self.BOT}"))
        return make_page(said, text, buttons=buttons if allowed else ())

    def _bot(self, call: CommandCall, texts: Texts) -> Reply:
        if call.author.trust is not Trust.OWNER:
            return make_reply(texts.settings.owner_only)
        if call.message.chat_kind is not ChatKind.DIRECT:
            return make_reply(texts.settings.not_here)
        return make_page(self.operated.describe_bot(texts), buttons=((texts.settings.back, f"/{self.name}"),))

    async def _change(self, call: CommandCall, key: str, value: str, texts: Texts) -> Reply:
        address, offered = call.message.address, self.operated.describe(call.message)
        change, problem = await self._read(key, value, offered, texts)
        if change is None:
            text, buttons = render_choices(key, self.chats.find(address), offered, texts, call.now)
            return make_page(problem, text, buttons=buttons)
        before = self.chats.find(address)
        settings = await self.chats.adjust(address, change)
        await self.changed(address, settings)
        texts = self.operated.rules.localise(call.message).texts  # perhaps in another language now
        moved = offered.scope_of(before) != offered.scope_of(settings)
        said = _confirm(key, settings, offered, texts, call) if settings != before else ""
        page = self._page(call, texts, said, allowed=True)
        # What was said so far belongs to the other memory: the next message would not know it anyway.
        return replace(page, next_session=NextSession() if moved else None)

    async def _read(
        self, key: str, value: str, offered: Offered, texts: Texts
    ) -> tuple[Change, str] | tuple[None, str]:
        """Return what changes, or ``None`` and why the value is none."""
        match key:
            case "language":
                return _read_language(value, texts)
            case "memory" | "streaming":
                return _read_switch(key, value, texts)
            case "quiet":
                return _read_quiet(value, texts)
            case "zone":
                return await _read_zone(value, texts)
            case _:
                return _read_scope(value, offered, texts)


def _find_key(word: str, texts: Texts) -> str:
    """Return the setting that a word names, as it is typed everywhere or as the language calls it, "" for none."""
    wanted = word.casefold()
    titles = texts.settings.titles
    return next((key for key, title in titles.items() if wanted in (key, title.casefold())), "") if wanted else ""


def _read_language(value: str, texts: Texts) -> tuple[Change, str] | tuple[None, str]:
    known = {each.code: each.code for each in languages()} | {AUTO: "", DEFAULT: ""}
    known |= {each.name.casefold(): each.code for each in languages() if each.name}
    code = known.get(value.casefold())
    if code is None:
        names = ", ".join(f"{each.name or each.code} ({each.code})" for each in languages())
        return None, texts.settings.bad_language.format(languages=names)
    return lambda settings: replace(settings, language=code), ""


def _read_switch(key: str, value: str, texts: Texts) -> tuple[Change, str] | tuple[None, str]:
    words = texts.settings
    switches = {words.on.casefold(): True, words.off.casefold(): False, ON: True, OFF: False, DEFAULT: None}
    if value.casefold() not in switches:
        return None, words.bad_switch
    chosen = switches[value.casefold()]
    if key == "memory":
        # "On" is what the operator has set: nobody switches on what the operator switched off.
        return lambda settings: replace(settings, memory=False if chosen is False else None), ""
    return lambda settings: replace(settings, streaming=chosen), ""


def _read_quiet(value: str, texts: Texts) -> tuple[Change, str] | tuple[None, str]:
    hours = _read_hours(value, texts)
    if hours is None:
        return None, texts.settings.bad_quiet
    begin, end = hours
    return lambda settings: replace(settings, quiet_from=begin, quiet_to=end), ""


def _read_hours(value: str, texts: Texts) -> tuple[time, time] | tuple[None, None] | None:
    if value.casefold() in (OFF, DEFAULT, texts.settings.off.casefold(), texts.settings.no_quiet.casefold()):
        return None, None
    match = _HOURS.fullmatch(value)
    if match is None:
        return None
    try:
        begin, end = (time(int(match[at]) % 24, int(match[at + 1] or 0)) for at in (1, 3))
    except ValueError:
        return None
    far = max(int(match[1]), int(match[3])) > 24  # noqa: PLR2004 - hours of a day
    return None if far or begin == end else (begin, end)


async def _read_zone(value: str, texts: Texts) -> tuple[Change, str] | tuple[None, str]:
    if value.casefold() in (DEFAULT, AUTO, OFF):
        return lambda settings: replace(settings, time_zone=""), ""
    found = await asyncio.to_thread(find_zones, value[:60])
    if is_zone(value, found):
        return lambda settings: replace(settings, time_zone=found[0]), ""
    words = texts.settings
    similar = words.similar_zones.format(zones=", ".join(f"`{name}`" for name in found)) if found else ""
    return None, f"{words.bad_zone.format(zone=escape(value, 60))} {similar}".strip()


def _read_scope(value: str, offered: Offered, texts: Texts) -> tuple[Change, str] | tuple[None, str]:
    names = {kind.value: kind for kind in offered.scopes}
    names |= {texts.settings.scopes[kind.value].casefold(): kind for kind in offered.scopes}
    kind = names.get(value.casefold())
    if value.casefold() == DEFAULT:
        return lambda settings: replace(settings, scope=None), ""
    if kind is None:
        return None, texts.settings.settled if not offered.scopes else ""
    chosen: ScopeKind | None = None if kind is offered.scope else kind
    return lambda settings: replace(settings, scope=chosen), ""


def _confirm(key: str, settings: ChatSettings, offered: Offered, texts: Texts, call: CommandCall) -> str:
    """Return what has changed, and what that means where it is not plain."""
    words = texts.settings
    match key:
        case "memory" if settings.memory is False:
            return words.memory_off
        case "memory":
            return words.memory_on if offered.memory else words.memory_off_for_all
        case "scope":
            return words.scope_changed.get(offered.scope_of(settings).value, "")
        case "zone" if settings.time_zone:
            told = words.zone_saved.format(time=f"{settings.localise(call.now):%H:%M}")
            return f"{words.saved.format(title=words.titles[key], value=settings.time_zone)}. {told}"
    return words.saved.format(title=words.titles[key], value=offered.name(key, settings, texts))
