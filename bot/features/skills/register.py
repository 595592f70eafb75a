"""/skill: switch a skill on or off for this conversation."""

from dataclasses import dataclass
from typing import ClassVar, Final

import structlog
from cachetools import LRUCache

from adapters.sqlite.conversations.turns import SqliteSkillMemory
from bot.commands.formatting import escape, make_reply
from bot.errors import StorageUnavailable
from bot.memory.skills import OFF
from bot.messages import Address
from bot.ports.preferences import Preferences
from bot.ports.system import CommandCall
from bot.runtime.app import App
from bot.turn import Reply, Session
from language.texts import SkillTexts

_PLACES: Final = 10_000


async def register(app: App) -> None:
    """Add the choice of skills to Mneme."""
    memory = SqliteSkillMemory(app.database)
    choices = SkillChoices(memory)
    app.provide(SqliteSkillMemory, memory)
    app.chosen_skill = choices.chosen
    app.added.at_start.append(choices.restore)
    app.added.refresh.append(choices.restore)
    app.added.commands.append(SkillSwitch(app.preferences, choices))
    app.added.menu.append(SkillSwitch.name)


class SkillChoices:
    """What was chosen by command in the running session of each place; ``memory`` keeps it over restarts."""

    def __init__(self, memory: SqliteSkillMemory) -> None:
        self._memory = memory
        self._chosen: LRUCache[str, tuple[int, str]] = LRUCache(_PLACES)

    async def restore(self) -> None:
        """Take up what was chosen before a restart; to be awaited before anything is answered.

        A store that cannot be read costs the choices: the skill of a session's last exchange then goes on by itself.
        """
        try:
            kept = await self._memory.list_kept()
        except StorageUnavailable as error:
            structlog.get_logger().warning("chosen skills not read", cause=str(error))
            return
        for key, session_id, name in kept:
            self._chosen[key] = (session_id, name)

    async def choose(self, address: Address, session: Session, name: str) -> None:
        """Remember the choice; the longest unused places are forgotten.

        A disk that does not write costs it with the next restart only.
        """
        self._chosen[address.key] = (session.id, name)
        try:
            await self._memory.keep(session.id, name)
        except StorageUnavailable as error:
            structlog.get_logger().warning("chosen skill not stored", cause=str(error))

    def chosen(self, address: Address, session: Session) -> str | None:
        """Return the skill chosen in this session, "off", or ``None`` if nothing was."""
        session_id, name = self._chosen.get(address.key, (None, ""))
        return name if session_id == session.id else None


@dataclass(frozen=True, slots=True)
class SkillSwitch:
    """Lists the skills, or makes one sticky until another or ``/skill off``."""

    preferences: Preferences
    choices: SkillChoices

    name: ClassVar[str] = "skill"

    async def run(self, call: CommandCall) -> Reply:
        """Return what is active now."""
        texts = call.texts.skill
        names = {skill.name.casefold(): skill.name for skill in self.preferences.skills()}
        wanted = call.argument.casefold()
        if not wanted:
            return make_reply(*self._listing(call, texts))
        if wanted == OFF:
            await self.choices.choose(call.message.address, call.session, OFF)
            return make_reply(texts.off)
        if wanted not in names:
            return make_reply(texts.unknown.format(name=escape(call.argument, 64)), *self._listing(call, texts))
        await self.choices.choose(call.message.address, call.session, names[wanted])
        return make_reply(texts.on.format(name=escape(names[wanted])))

    def _listing(self, call: CommandCall, texts: SkillTexts) -> tuple[str, ...]:
        skills = self.preferences.skills()
        if not skills:
            return (texts.none,)
        active = self.choices.chosen(call.message.address, call.session)
        lines = [
            f"- {escape(s.name)}{f' ({texts.active})' if s.name == active else ''} – {escape(s.description)}"
            for s in skills
        ]
        return (texts.head, "\n".join(lines))
