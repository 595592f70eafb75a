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
        ..., "Its name, such as `Authorization`; required.", applies=LIVE, spelling="the name of an HTTP header"
    )
    variable: _Variable = setting(
        ...,
        "The environment variable that holds its value; required.",
        applies=LIVE,
        spelling="the name of an environment variable",
    )
    prefix: Annotated[str, Field(max_length=50)] = setting(
        "", "What stands before the value, such as `Bearer ` with its space.", applies=LIVE
    )


class McpServer(Section):
    """One server: a program on this machine (`command`) or an address (`url`)."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")] = setting(
        ...,
        "Its name here; its tools are called `name__tool`. Required.",
        applies=LIVE,
        spelling='small letters, digits and hyphens, such as "files"',
    )
    enabled: bool = setting(True, "`false`: not started, its tools are not offered.", applies=LIVE)
    command: Annotated[str, Field(max_length=1000)] = setting(
        "", "Program that speaks the protocol over its standard input and output.", applies=LIVE
    )
    args: Annotated[tuple[Annotated[str, Field(max_length=4000)], ...], Field(max_length=100)] = setting(
        (), "Its arguments.", applies=LIVE
    )
    environment: Annotated[tuple[_Variable, ...], Field(max_length=50)] = setting(
        (), "Names of environment variables that it gets beside `PATH`, `HOME` and the like.", applies=LIVE
    )
    url: WebAddress = setting(
        "", "Address of a server that speaks the protocol over HTTP (streamable HTTP).", applies=LIVE
    )
    headers: Annotated[tuple[McpHeader, ...], Field(max_length=20)] = setting(
        (), "Headers of its requests, with values from the environment.", applies=LIVE
    )
    tools: _ToolNames = setting((), "Tools that are offered to the model; empty means all it has.", applies=LIVE)
    read_only: _ToolNames = setting(
        (),
        "Tools that you vouch change nothing and may be told anything: they run without a question. All others ask "
        "by a button that shows the exact call, whatever the server says of them.",
        applies=LIVE,
    )
    users: Literal["owner", "all"] = setting(
        "owner", "Who may use its tools: the owner alone, or all who are allowed to talk.", applies=LIVE
    )
    timeout_seconds: _Seconds = setting(25, "Seconds for one call.", applies=LIVE)
    start_seconds: _Seconds = setting(
        60, "Seconds until it must have said what tools it has; nobody waits for it meanwhile.", applies=LIVE
    )
