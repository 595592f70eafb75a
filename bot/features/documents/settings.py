"""How documents are read, and pages of the web."""

from typing import Annotated, ClassVar

from pydantic import Field

from bot.config.section import LIVE, TURN, FeatureSection, setting


class DocumentSettings(FeatureSection, applies=LIVE):
    """Files and pages, read into sections apart from the bot's own process."""

    key: ClassVar[str] = "documents"

    links: bool = setting(
        True, "Read the pages that a message is nothing but the address of, or asks to have read.", applies=TURN
    )
    max_megabytes: Annotated[int, Field(ge=1, le=2000)] = setting(
        20, "Largest file that is read. Telegram's own servers hand bots no more than 20."
    )
    max_pages: Annotated[int, Field(ge=1, le=100_000)] = setting(
        2000, "Pages, slides or chapters that are read of one document; the rest is left out."
    )
    max_characters: Annotated[int, Field(ge=1000, le=100_000_000)] = setting(
        5_000_000, "Characters that are read of one document; the rest is left out."
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        60, "Seconds after which reading a document is given up."
    )
    memory_megabytes: Annotated[int, Field(ge=128, le=64_000)] = setting(
        512, "Memory of the process that reads a document; what needs more is refused. Kept on Linux alone."
    )


_Hosts = Annotated[tuple[Annotated[str, Field(pattern=r"^[a-z0-9._:-]+$", max_length=253)], ...], Field(max_length=100)]


class WebSettings(FeatureSection, applies=LIVE):
    """Pages of the public web; this machine and private networks are out of reach."""

    key: ClassVar[str] = "web"

    fetch: bool = setting(
        True,
        "Let the model read pages (`web_fetch`): once it has read anything that the user did not write, only "
        "addresses typed in the message; it asks for others, showing the exact address.",
        applies=TURN,
    )
    max_megabytes: Annotated[int, Field(ge=1, le=1000)] = setting(10, "Largest page that is fetched, unpacked.")
    timeout_seconds: Annotated[float, Field(ge=1, le=600)] = setting(
        20, "Seconds after which fetching a page is given up."
    )
    allow_private: _Hosts = setting(
        (),
        "Hosts of private networks that may be fetched all the same, such as `nas.lan` or `192.168.1.20`; no page "
        "elsewhere can lead to them.",
    )
