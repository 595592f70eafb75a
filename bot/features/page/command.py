"""/page: the page of memory, by a link for whoever runs the bot, else by Telegram's menu button."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from bot.commands.language import Voice, make_reply
from bot.memory.items import Trust
from bot.messages import ChatKind
from bot.ports.command import CommandCall
from bot.ports.page import MemoryPage
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class PageCommand:
    """Says how to open the page of one's own memory; in a group nobody, as everybody would read the link.

    ``local`` is the page on the machine that we run on, ``None`` while it is switched off, which its operator alone can
    reach; ``has_app`` says whether a platform shows the page by itself.
    """

    texts: Voice
    local: Callable[[], MemoryPage | None]
    has_app: Callable[[str], bool]
    link_minutes: Callable[[], int]

    name: ClassVar[str] = "page"

    async def run(self, call: CommandCall) -> Reply:
        """Return the way in."""
        words, page = self.texts(call.message).page, self.local()
        if call.message.chat_kind is not ChatKind.DIRECT:
            return make_reply(words.not_here)
        if self.has_app(call.message.address.platform):
            return make_reply(words.by_menu)
        if call.author.trust is not Trust.OWNER:
            return make_reply(words.not_yours)
        if page is None:
            return make_reply(words.off)
        link = await page.make_link_for(call.message, call.scope)
        return make_reply(words.link.format(minutes=self.link_minutes(), link=link))
