"""What is said of a server of tools: how it is reached, what it gets, and what it may do."""

from typing import Annotated, Literal

from pydantic import Field

from bot.config.section import LIVE, Section, WebAddress, setting

_Variable = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$", json_schema_extra={"spelling": "the name of an environment variable"}
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
        LIVE, default=(), description="Names of environment variables that it gets beside `PATH`, `HOME` and the like."
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
