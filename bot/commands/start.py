"""/start: say who is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from bot.commands.formatting import escape
from bot.commands.help import Help
from bot.commands.language import Voice, make_reply
from bot.ports.command import CommandCall
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class Start:
    """Greets; ``model`` returns the language model's name, "" without one.

    ``/start TOPIC`` explains a topic, ``help`` lists the commands: a link to the bot can name one.  Other text behind
    /start is ignored.
    """

    texts: Voice
    model: Callable[[], str]
    help: Help

    name: ClassVar[str] = "start"

    async def run(self, call: CommandCall) -> Reply:
        """Return the greeting."""
        topic = call.argument.strip().casefold()
        if topic == self.help.name:
            return await self.help.run(call)
        if (explained := self.texts(call.message).chat.topics.get(topic)) is not None:
            return make_reply(explained)
        texts = self.texts(call.message).basic
        name = f", {escape(call.author.name, 60)}" if call.author.name else ""
        return make_reply(texts.start.format(name=name), "" if self.model() else texts.start_without_model)
