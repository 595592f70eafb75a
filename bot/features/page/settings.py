"""The page of memory."""

from typing import Annotated, ClassVar

from pydantic import Field

from bot.config.section import LIVE, RESTART, FeatureSection, ListenAddress, WebAddress, setting


class PageSettings(FeatureSection, applies=RESTART):
    """The page of memory: what is remembered, to be looked at and changed in a browser."""

    key: ClassVar[str] = "page"

    enabled: bool = setting(
        True,
        "Let `mneme page` and `/page` open it. Nothing listens before that, and then on this machine alone unless "
        "`publicUrl` is set.",
    )
    link_minutes: Annotated[int, Field(ge=1, le=120)] = setting(
        10, "Minutes in which the link of `mneme page` or `/page` may be opened, once.", applies=LIVE
    )
    session_minutes: Annotated[int, Field(ge=1, le=1440)] = setting(
        60, "Minutes without a click after which the page must be opened anew.", applies=LIVE
    )
    public_url: WebAddress = setting(
        "",
        "Public `https://` address at which Telegram shows the page as a Mini App, to people who may talk to the "
        "bot, to each their own memory; a reverse proxy with TLS passes the calls on to `publicListen`. Empty: no "
        "Mini App.",
    )
    public_listen: ListenAddress = setting(
        "127.0.0.1:8444", "Where the Mini App listens, over plain HTTP: for the reverse proxy alone."
    )
