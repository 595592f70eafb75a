"""Settings about what chats may settle for themselves."""

from __future__ import annotations

from bot.config.section import LIVE, Section, setting


class ChatsSettings(Section):
    """What a chat may choose for itself."""

    scope: bool = setting(
        LIVE,
        default=True,
        description=(
            "Let a chat choose whose memory it uses: a direct chat its user's or its own, a group its own or one per "
            "topic. A shared memory is joined and left here alone."
        ),
    )
