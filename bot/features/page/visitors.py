"""Who may see what on the page of memory: closed by default, by the way somebody came in.

Apart from what the page is made of, as every start needs this, and few the web server.
"""

from collections.abc import Awaitable, Callable

from adapters.console.plain import AUTHOR
from adapters.page.gate import Visitor
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.messages import InboundMessage
from bot.runtime.app import App


class Pages(dict[str, Callable[[InboundMessage, Scope], Awaitable[str]] | None]):
    """By "" what makes a link to the page on this machine, by platform ``None`` where the platform opens it itself.

    A link shows one scope, to whoever opens it first, once.
    """


def open_everything() -> Visitor:
    """Return whoever can open the data folder: they may choose from every memory, and "you" is the terminal's user."""
    return Visitor(None, Reader(AUTHOR.id, AUTHOR.name), author_id=0, operator=True)


def open_own(message: InboundMessage, scope: Scope) -> Visitor:
    """Return whoever asked for the page in a chat: they see the memory of that chat alone."""
    on_telegram = message.address.platform == "telegram"
    return Visitor(
        (scope,),
        message.find_reader(scope),
        message.language,
        (message.address.bot_id, message.author.id) if on_telegram else None,
        message.author.id,
        message.author.trust is Trust.OWNER,
    )


def is_owner(app: App, user_id: int) -> bool:
    """Return whether somebody is the owner now."""
    return user_id == app.settings.current.telegram.owner_id
