"""Adds it to Mneme."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from bot.commands.formatting import escape
from bot.config.diagnostics import format_path
from bot.config.fields import is_secret, list_settings, read_value
from bot.config.live import LiveSettings
from bot.config.schema import Settings
from bot.core.rights import Whose
from bot.features.chats.command import SettingsCommand
from bot.features.chats.pages import Offered
from bot.memory.items import Trust
from bot.messages import Address, ChatKind, InboundMessage
from bot.ports.chat_settings import ChatSettings
from bot.ports.command import CommandCall
from bot.runtime.app import App
from bot.runtime.chat_rules import ChatRules, find_default_scope
from language.texts import Texts

_SHOWN = 120
"""Characters of a value that are shown."""


async def register(app: App) -> None:
    """Add /settings to Mneme."""

    async def may_change(call: CommandCall) -> bool:
        message = call.message
        if message.chat_kind is ChatKind.DIRECT or call.author.trust is Trust.OWNER:
            return True  # a direct chat has settings of its own, whoever shares its memory
        if app.settings.current().chats.group_settings == "owner":
            return False
        return await app.may(call.name, message, call.scope, Whose.ALL)

    async def changed(address: Address, settings: ChatSettings) -> None:
        show_menu = app.menus.get(address.platform)
        if show_menu is not None:
            await show_menu(address, settings.language)

    operators = OperatorsPart(app.settings, app.rules, app.places.config)
    app.added.commands.append(SettingsCommand(app.voice, app.chat_settings, operators, may_change, changed))
    app.added.menu.append(SettingsCommand.name)


@dataclass(frozen=True, slots=True)
class OperatorsPart:
    """What the operator has set, as /settings shows it."""

    live: LiveSettings
    rules: ChatRules
    file: Path

    def describe(self, message: InboundMessage) -> Offered:
        """Return what holds where a chat has chosen nothing."""
        settings = self.live.current()
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
        lines = [f"- `{key}` = {value}" for key, value in list_changes(live.current(), words.bot_secret)]
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
