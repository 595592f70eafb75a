"""From a message to the command it names or completes, and from a command's failure to a sentence.

After a question of ours the next message of whoever was asked becomes the end of a command.  Whatever else they send, a
command, a forward, a picture or a press, ends the waiting: only what was surely meant is taken.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import structlog

from bot.commands.formatting import escape, make_reply
from bot.errors import CommandInvalid, MnemeError, StorageUnavailable
from bot.messages import MessageKind
from bot.ports.system import Command, CommandCall
from bot.ports.tickets import Asked, TicketKind, Tickets
from bot.turn import Reply, Turn
from language.texts import Texts

_COMMAND: Final = re.compile(r"\s*+/([^\W\d_]\w{0,31})(?:@\w++)?(?:\s++(.*))?", re.DOTALL)
"""``/name argument``; "/etc/hosts" and "/ name" are ordinary text."""


def parse(text: str) -> tuple[str, str] | None:
    """Return the command's lower-case name and its argument, stripped; ``None`` for ordinary text."""
    match = _COMMAND.fullmatch(text)
    return (match.group(1).lower(), (match.group(2) or "").strip()) if match else None


class CommandRouter:
    """Answers commands; everything else is none of its business.

    Two commands of one name are a mistake of whoever joins them.
    """

    def __init__(self, commands: Iterable[Command]) -> None:
        self._commands = {command.name: command for command in commands}

    async def answer(self, turn: Turn) -> Reply | None:
        """Return the reply to a command, ``None`` if the message is none.

        A forwarded command is somebody else's text and an edited one was carried out before: neither is obeyed.
        """
        message = turn.message
        parsed = parse(turn.text)
        if parsed is None or any(part.message.forwarded_from is not None for part in turn.accepted):
            return None
        name, argument = parsed
        texts = message.texts
        command = self._commands.get(name)
        if command is None:
            return self._unknown(name, texts)
        if message.kind is MessageKind.EDITED:
            return make_reply(texts.basic.edited_command)
        call = CommandCall.by(turn, name, argument)
        try:
            return await command.run(call)
        except CommandInvalid as error:
            return make_reply(str(error))
        except MnemeError as error:
            structlog.get_logger().warning("command failed", command=name, cause=type(error).__name__)
            return make_reply(texts.notice.command_failed)

    def _unknown(self, name: str, texts: Texts) -> Reply:
        near = difflib.get_close_matches(name, self._commands, n=1, cutoff=0.6)
        hint = texts.basic.did_you_mean.format(name=near[0]) if near else "/help"
        return make_reply(f"{texts.basic.unknown_command.format(name=escape(name))} {hint}")


async def complete_awaited(turn: Turn, tickets: Tickets) -> Turn:
    """Return the turn with the whole command for its text, if that was asked for; else as it is.

    A store that cannot be read costs the question: the message is then a message like any other.
    """
    message = turn.message
    asked = Asked(turn.scope, message.address, message.author.id)
    try:
        if not _may_answer(turn):
            await tickets.withdraw(TicketKind.TEXT, asked)
            return turn
        used = await tickets.use(TicketKind.TEXT, asked, message.update_id, turn.started_at)
    except StorageUnavailable as error:
        structlog.get_logger().warning("awaited text not looked up", cause=str(error))
        return turn
    return turn if used is None else replace(turn, text=f"{used.content[0]} {turn.text}")


def _may_answer(turn: Turn) -> bool:
    """Return whether the author typed it, as an ordinary message and nothing else."""
    messages = [entry.message for entry in turn.accepted]
    plain = all(
        message.kind is MessageKind.TEXT and message.forwarded_from is None and message.file is None
        for message in messages
    )
    return plain and parse(turn.text) is None and bool(turn.text.strip())
