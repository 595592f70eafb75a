"""Settings of the web: pages that are fetched."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bot.config.section import LIVE, TURN, Section, setting

_Hosts = Annotated[tuple[Annotated[str, Field(pattern=r"^[a-z0-9._:-]+$", max_length=253)], ...], Field(max_length=100)]


class WebSettings(Section):
    """Pages of the public web; this machine and private networks are out of reach."""

    fetch: bool = setting(
        TURN,
        default=True,
        description=(
            "Let the model read pages (`web_fetch`): once it has read anything that the user did not write, only "
            "addresses typed in the message; it asks for others, showing the exact address."
        ),
    )
    max_megabytes: Annotated[int, Field(ge=1, le=1000)] = setting(
        LIVE, default=10, description="Largest page that is fetched, unpacked."
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=600)] = setting(
        LIVE, default=20, description="Seconds after which fetching a page is given up."
    )
    allow_private: _Hosts = setting(
        LIVE,
        default=(),
        description=(
            "Hosts of private networks that may be fetched all the same, such as `nas.lan` or `192.168.1.20`; no page "
            "elsewhere can lead to them."
        ),
    )
