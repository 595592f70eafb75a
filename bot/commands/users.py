"""/users: who was let in by a pairing code, and how to take that back; for the owner alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from bot.commands.language import Voice, make_reply
from bot.memory.items import Trust
from bot.ports.access import Access
from bot.ports.command import CommandCall
from bot.turn import Reply

_BUTTONS: Final = 20
"""More would not be looked through; `mneme users` lists all."""


@dataclass(frozen=True, slots=True)
class Users:
    """Lists the paired users; ``/users revoke ID`` takes a pairing back, and acts with that user's next message."""

    texts: Voice
    access: Access

    name: ClassVar[str] = "users"
    REVOKE: ClassVar[str] = "revoke"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list, or what became of a pairing."""
        texts, bot_id = self.texts(call.message).users, call.message.address.bot_id
        if call.author.trust is not Trust.OWNER:
            return make_reply(texts.owner_only)
        match call.argument.split():
            case [word, number] if word.casefold() == self.REVOKE and number.isascii() and number.isdecimal():
                user = int(number[:19])
                gone = await self.access.unpair(bot_id, user)
                return make_reply((texts.revoked if gone else texts.unknown).format(id=user))
        users = await self.access.list_paired(bot_id)
        if not users:
            return make_reply(texts.none)
        buttons = tuple(
            (texts.revoke_button.format(id=user), f"/{self.name} {self.REVOKE} {user}") for user in users[:_BUTTONS]
        )
        return make_reply(texts.head, "\n".join(f"- `{user}`" for user in users), buttons=buttons)
