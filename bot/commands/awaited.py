"""The answer to a question of ours: the next message of whoever was asked becomes the end of a command.

Whatever else they send, a command, a forward, a picture or a press, ends the waiting: only what was surely meant is
taken.
"""

from __future__ import annotations

from dataclasses import replace

import structlog

from bot.commands.router import parse
from bot.errors import StorageUnavailable
from bot.messages import MessageKind
from bot.ports.clock import Clock
from bot.ports.tickets import AwaitedTexts
from bot.turn import Turn


async def complete_awaited(turn: Turn, awaited: AwaitedTexts, clock: Clock) -> Turn:
    """Return the turn with the whole command for its text, if that was asked for; else as it is.

    A store that cannot be read costs the question: the message is then a message like any other.
    """
    try:
        if not _may_answer(turn):
            await awaited.give_up(turn.message)
            return turn
        command = await awaited.take(turn.message, turn.scope, clock.now())
    except StorageUnavailable as error:
        structlog.get_logger().warning("awaited text not looked up", cause=str(error))
        return turn
    return turn if command is None else replace(turn, text=f"{command} {turn.text}")


def _may_answer(turn: Turn) -> bool:
    """Return whether the author typed it, as an ordinary message and nothing else."""
    messages = [entry.message for entry in turn.accepted]
    plain = all(
        message.kind is MessageKind.TEXT and message.forwarded_from is None and message.file is None
        for message in messages
    )
    return plain and parse(turn.text) is None and bool(turn.text.strip())
