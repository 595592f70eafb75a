"""Settings of single features: chats, costs, documents, servers of tools, the page, voice, the web.

Servers of tools (Model Context Protocol) are closed by default: a tool acts only after a press of a button unless it is
vouched for here, and only for the owner unless the settings let others use it.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from bot.config.section import LIVE, RESTART, TURN, ListenAddress, Secret, Section, WebAddress, setting


class ChatsSettings(Section):
    """What a chat may choose for itself."""

    group_settings: Literal["admins", "owner"] = setting(
        LIVE,
        default="admins",
        description=(
            "Who changes `/settings` of a group: those of its admins who may talk to the bot, as Telegram says at that "
            "moment, and the owner; or the owner alone. In a direct chat whoever writes there."
        ),
    )
    scope: bool = setting(
        LIVE,
        default=True,
        description=(
            "Let a chat choose whose memory it uses: a direct chat its user's or its own, a group its own or one per "
            "topic. A shared memory is joined and left here alone."
        ),
    )


_Price = Annotated[float, Field(ge=0, le=1_000_000)]
_Money = Annotated[float, Field(ge=0, le=1_000_000_000)]
_Tokens = Annotated[int, Field(ge=0, le=1_000_000_000_000)]


class PriceSettings(Section):
    """What the tokens of some models cost."""

    model: Annotated[str, Field(min_length=1, max_length=200)] = setting(
        LIVE,
        description=(
            "Model as the server names it in its answers (`/usage` shows that); `*` stands for anything, `?` for one "
            "character, and case does not matter. Required."
        ),
    )
    prompt: _Price = setting(LIVE, default=0.0, description="Price of a million tokens read.")
    cached: _Price | None = setting(
        LIVE,
        default=None,
        description="The same for tokens that the server had kept from before; `null`: as dear as the others.",
    )
    cache_write: _Price | None = setting(
        LIVE,
        default=None,
        description=(
            "The same for tokens that the server kept for later and says so (Anthropic does); `null`: 1.25 times "
            "`prompt`, which is what Anthropic takes for five minutes."
        ),
    )
    completion: _Price = setting(LIVE, default=0.0, description="Price of a million tokens written.")


class BudgetSettings(Section):
    """Limits of what model calls may use; `null` sets none. Days and months are those of UTC."""

    day_money: _Money | None = setting(LIVE, default=None, description="Money a day, in `costs.currency`.")
    month_money: _Money | None = setting(LIVE, default=None, description="Money a month.")
    day_tokens: _Tokens | None = setting(
        LIVE, default=None, description="Tokens a day, read (cached ones, too) and written together."
    )
    month_tokens: _Tokens | None = setting(LIVE, default=None, description="Tokens a month.")


class CostsSettings(Section):
    """Costs of language models."""

    currency: Annotated[str, Field(min_length=1, max_length=8)] = setting(
        LIVE, default="USD", description="What sums of money are told in: that of the prices."
    )
    prices: Annotated[tuple[PriceSettings, ...], Field(max_length=200)] = setting(
        LIVE,
        default=(),
        description=(
            "Prices by model; the first that fits counts. A change counts for all that is on the ledger, which keeps "
            "tokens and no money."
        ),
    )
    use_reported: bool = setting(
        LIVE,
        default=True,
        description=(
            "Where a server says what a call has cost (OpenRouter, Perplexity and xAI do, in US dollars), believe "
            "it before the prices. `false` where that is another currency."
        ),
    )
    chat: BudgetSettings = Field(default=BudgetSettings(), description="The budget of each chat.")
    total: BudgetSettings = Field(default=BudgetSettings(), description="The budget of all chats together.")
    warn_share: Annotated[float, Field(gt=0, le=1)] = setting(
        LIVE, default=0.8, description="Share of a budget (0..1) after which its chat, or the owner, is warned once."
    )
    background_share: Annotated[float, Field(gt=0, le=1)] = setting(
        LIVE,
        default=0.9,
        description=(
            "Share of a budget (0..1) after which only answers are paid for: learning, summaries, checks and the "
            "reading of questions wait."
        ),
    )


class DocumentSettings(Section):
    """Files and pages, read into sections apart from the bot's own process."""

    links: bool = setting(
        TURN,
        default=True,
        description="Read the pages that a message is nothing but the address of, or asks to have read.",
    )
    max_megabytes: Annotated[int, Field(ge=1, le=2000)] = setting(
        LIVE, default=20, description="Largest file that is read. Telegram's own servers hand bots no more than 20."
    )
    max_pages: Annotated[int, Field(ge=1, le=100_000)] = setting(
        LIVE, default=2000, description="Pages, slides or chapters that are read of one document; the rest is left out."
    )
    max_characters: Annotated[int, Field(ge=1000, le=100_000_000)] = setting(
        LIVE, default=5_000_000, description="Characters that are read of one document; the rest is left out."
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        LIVE, default=60, description="Seconds after which reading a document is given up."
    )
    memory_megabytes: Annotated[int, Field(ge=128, le=64_000)] = setting(
        LIVE,
        default=512,
        description="Memory of the process that reads a document; what needs more is refused. Kept on Linux alone.",
    )


SECRET_VARIABLES: Final = (
    "TELEGRAM_TOKEN",
    "LLM_API_KEY",
    "OPENAI_API_KEY",
    "RAG_API_KEY",
    "RERANK_API_KEY",
    "VOICE_API_KEY",
)
"""Those that complete the settings: :func:`bot.config.environment.apply_environment` reads no other secret."""
OWN_VARIABLES: Final = frozenset({*SECRET_VARIABLES, "MNEME_MEMORY_KEY", "LIGHTRAG_API_KEY"})
"""Secrets of Mneme itself and of its memory server: no server of tools gets them, whatever the settings say."""

_Variable = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$",
        json_schema_extra={"spelling": "the name of an environment variable"},
    ),
]
_Seconds = Annotated[float, Field(ge=1, le=600)]
_ToolNames = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=128)], ...], Field(max_length=200)]


class McpHeader(Section):
    """A header of every request to a server; its value comes from the environment, never from this file."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,100}$")] = setting(
        LIVE, description="Its name, such as `Authorization`; required.", spelling="the name of an HTTP header"
    )
    variable: _Variable = setting(
        LIVE,
        description="The environment variable that holds its value; required.",
        spelling="the name of an environment variable",
    )
    prefix: Annotated[str, Field(max_length=50)] = setting(
        LIVE, default="", description="What stands before the value, such as `Bearer ` with its space."
    )


class McpServer(Section):
    """One server: a program on this machine (`command`) or an address (`url`)."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")] = setting(
        LIVE,
        description="Its name here; its tools are called `name__tool`. Required.",
        spelling='small letters, digits and hyphens, such as "files"',
    )
    enabled: bool = setting(LIVE, default=True, description="`false`: not started, its tools are not offered.")
    command: Annotated[str, Field(max_length=1000)] = setting(
        LIVE, default="", description="Program that speaks the protocol over its standard input and output."
    )
    args: Annotated[tuple[Annotated[str, Field(max_length=4000)], ...], Field(max_length=100)] = setting(
        LIVE, default=(), description="Its arguments."
    )
    environment: Annotated[tuple[_Variable, ...], Field(max_length=50)] = setting(
        LIVE,
        default=(),
        description="Names of environment variables that it gets beside `PATH`, `HOME` and the like.",
    )
    url: WebAddress = setting(
        LIVE, default="", description="Address of a server that speaks the protocol over HTTP (streamable HTTP)."
    )
    headers: Annotated[tuple[McpHeader, ...], Field(max_length=20)] = setting(
        LIVE, default=(), description="Headers of its requests, with values from the environment."
    )
    tools: _ToolNames = setting(
        LIVE, default=(), description="Tools that are offered to the model; empty means all it has."
    )
    read_only: _ToolNames = setting(
        LIVE,
        default=(),
        description=(
            "Tools that you vouch change nothing and may be told anything: they run without a question. All others ask "
            "by a button that shows the exact call, whatever the server says of them."
        ),
    )
    users: Literal["owner", "all"] = setting(
        LIVE, default="owner", description="Who may use its tools: the owner alone, or all who are allowed to talk."
    )
    timeout_seconds: _Seconds = setting(LIVE, default=25, description="Seconds for one call.")
    start_seconds: _Seconds = setting(
        LIVE,
        default=60,
        description="Seconds until it must have said what tools it has; nobody waits for it meanwhile.",
    )


class McpSettings(Section):
    """Tools of other programs, by the Model Context Protocol."""

    servers: Annotated[tuple[McpServer, ...], Field(max_length=20)] = setting(
        LIVE, default=(), description="The servers; see [mcp.md](mcp.md)."
    )


class PageSettings(Section):
    """The page of memory: what is remembered, to be looked at and changed in a browser."""

    enabled: bool = setting(
        RESTART,
        default=True,
        description=(
            "Let `mneme page` and `/page` open it. Nothing listens before that, and then on this machine alone unless "
            "`publicUrl` is set."
        ),
    )
    link_minutes: Annotated[int, Field(ge=1, le=120)] = setting(
        LIVE, default=10, description="Minutes in which the link of `mneme page` or `/page` may be opened, once."
    )
    session_minutes: Annotated[int, Field(ge=1, le=1440)] = setting(
        LIVE, default=60, description="Minutes without a click after which the page must be opened anew."
    )
    public_url: WebAddress = setting(
        RESTART,
        default="",
        description=(
            "Public `https://` address at which Telegram shows the page as a Mini App, to people who may talk to the "
            "bot, to each their own memory; a reverse proxy with TLS passes the calls on to `publicListen`. Empty: no "
            "Mini App."
        ),
    )
    public_listen: ListenAddress = setting(
        RESTART,
        default="127.0.0.1:8444",
        description="Where the Mini App listens, over plain HTTP: for the reverse proxy alone.",
    )


class VoiceSettings(Section):
    """Voice messages, audio files and video notes: what is said in them is written down by a model."""

    url: WebAddress = setting(
        TURN,
        default="",
        description=(
            "OpenAI-compatible endpoint with its version path, e.g. `https://api.openai.com/v1` or a whisper server's "
            "`http://localhost:8000/v1`. Empty: nobody listens, and the bot says so."
        ),
    )
    api_key: Secret = setting(
        TURN,
        default="",
        description=(
            "Its key; `VOICE_API_KEY` overrides it, and the key of `llm` fills in where both are at the same host. "
            "Local servers need none."
        ),
    )
    model: Annotated[str, Field(min_length=1, max_length=200)] = setting(
        TURN, default="whisper-1", description="Model name as the endpoint spells it."
    )
    language: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = setting(
        TURN, default="", spelling='two letters such as "en", or ""', description="Spoken language; empty: any."
    )
    max_minutes: Annotated[int, Field(ge=1, le=600)] = setting(
        TURN, default=20, description="Longest recording that is listened to."
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=3600)] = setting(
        TURN, default=120, description="Seconds after which writing one down is given up."
    )


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
