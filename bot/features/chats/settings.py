"""What a chat may choose for itself."""

from typing import ClassVar, Literal

from bot.config.section import LIVE, FeatureSection, setting


class ChatsSettings(FeatureSection, applies=LIVE):
    """What a chat may choose for itself."""

    key: ClassVar[str] = "chats"

    group_settings: Literal["admins", "owner"] = setting(
        "admins",
        "Who changes `/settings` of a group: those of its admins who may talk to the bot, as Telegram says at that "
        "moment, and the owner; or the owner alone. In a direct chat whoever writes there.",
    )
    scope: bool = setting(
        True,
        "Let a chat choose whose memory it uses: a direct chat its user's or its own, a group its own or one per "
        "topic. A shared memory is joined and left here alone.",
    )
