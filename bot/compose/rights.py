"""What somebody is to a memory: asked of the settings and of the platform, anew every time."""

from __future__ import annotations

from bot.core.rights import May, Role, Whose, is_allowed
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import ChatKind, InboundMessage
from bot.runtime.container import Container


async def find_role(parts: Container, message: InboundMessage, scope: Scope) -> Role:
    """Return what the author of a message is to a memory; one that chats share has no admins but the operator."""
    direct = message.chat_kind is ChatKind.DIRECT
    if message.author.trust is Trust.OWNER or (direct and not scope.shared):
        return Role.OWNER
    roles = parts.group_roles.get(message.address.platform)
    known = not direct and not scope.shared and roles is not None
    if known and roles is not None and await roles.is_admin(message.address, message.author.id):
        return Role.ADMIN
    listed = message.author.id in parts.settings.current().telegram.allowed_users
    return Role.MEMBER if listed or direct else Role.STRANGER


def build_may(parts: Container) -> May:
    """Return what asks the table of rights; platforms are asked only where the answer depends on a role."""

    async def may(command: str, message: InboundMessage, scope: Scope, whose: Whose) -> bool:
        if is_allowed(command, whose, Role.STRANGER):
            return True
        return is_allowed(command, whose, await find_role(parts, message, scope))

    return may
