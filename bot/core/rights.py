"""Who may do what: one table of commands, asked wherever a command touches what somebody said.

Buttons, typed commands and awaited texts all arrive as commands, so that the table knows nothing of them.  Whoever
writes in a direct chat is the owner of its memory, unless that is shared with others.
"""

from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Final

from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import ChatKind, InboundMessage
from bot.ports.chats import GroupRoles


class Role(IntEnum):
    """What somebody is to the memory that a message uses; each may do what the ones below it may."""

    STRANGER = 0
    """Writes in an open group, and was let in nowhere else."""
    MEMBER = 1
    ADMIN = 2
    """Runs the group, as its platform says."""
    OWNER = 3
    """The operator; in a direct chat its person."""


class Whose(StrEnum):
    """What a command touches."""

    OWN = "own"
    """Nothing, or words of whoever gives it."""
    OTHERS = "others"
    """Words of somebody else."""
    ALL = "all"
    """The whole memory or the chat itself, whoever said what."""


@dataclass(frozen=True, slots=True)
class Right:
    """The least role for each kind of thing that a command touches."""

    own: Role = Role.STRANGER
    others: Role = Role.ADMIN
    all: Role = Role.ADMIN


_ANYBODY: Final = Right(Role.STRANGER, Role.STRANGER, Role.STRANGER)
_ADMINS: Final = Right(Role.ADMIN)
_OWNER: Final = Right(Role.OWNER, Role.OWNER, Role.OWNER)
_OWN_WORDS: Final = Right()
"""Own words are anybody's, others' and everything are the admins'."""
_OWN_REQUESTS: Final = Right(others=Role.OWNER, all=Role.OWNER)
"""Who is to be reminded decides when, and who asked ends the answer: an admin of the group is none of them."""

RIGHTS: Final[Mapping[str, Right]] = MappingProxyType(
    {
        **dict.fromkeys(("start", "help", "status", "why", "usage", "ask", "sessions", "skill", "page"), _ANYBODY),
        **dict.fromkeys(("new", "again", "compact", "remember", "keep", "allow", "tools", "list", "lists"), _ANYBODY),
        **dict.fromkeys(("memory", "forget", "undo", "docs", "settings"), _OWN_WORDS),
        **dict.fromkeys(("remind", "reminders", "stop"), _OWN_REQUESTS),
        **dict.fromkeys(("export", "import"), _ADMINS),
        "users": _OWNER,
    }
)
"""By the name of the command.  What a command shows of itself is for all; what is refused says whose it is."""

May = Callable[[str, InboundMessage, Scope, Whose], Awaitable[bool]]
"""Whether the author of a message may do what a command does to this in a memory, asked anew every time."""


def is_allowed(command: str, whose: Whose, role: Role) -> bool:
    """Return whether a role may do this; a command that is not in the table may do nothing."""
    right = RIGHTS.get(command)
    return right is not None and role >= {Whose.OWN: right.own, Whose.OTHERS: right.others, Whose.ALL: right.all}[whose]


def build_may(listed: Callable[[], Container[int]], roles: Mapping[str, GroupRoles]) -> May:
    """Return what asks the table, anew every time: of the users who are ``listed``, and of the platform (``roles``).

    A platform is asked only where the answer depends on a role.
    """

    async def may(command: str, message: InboundMessage, scope: Scope, whose: Whose) -> bool:
        if is_allowed(command, whose, Role.STRANGER):
            return True
        return is_allowed(command, whose, await find_role(listed(), roles, message, scope))

    return may


async def find_role(
    listed: Container[int], roles: Mapping[str, GroupRoles], message: InboundMessage, scope: Scope
) -> Role:
    """Return what the author of a message is to a memory; one that chats share has no admins but the operator."""
    direct = message.chat_kind is ChatKind.DIRECT
    if message.author.trust is Trust.OWNER or (direct and not scope.shared):
        return Role.OWNER
    asked = roles.get(message.address.platform)
    if (
        asked is not None
        and not direct
        and not scope.shared
        and await asked.is_admin(message.address, message.author.id)
    ):
        return Role.ADMIN
    return Role.MEMBER if direct or message.author.id in listed else Role.STRANGER
