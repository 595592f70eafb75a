"""Options as plain values: of a call of the command line, of a server, of the endpoint of its language model."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from memory_server.errors import ConfigInvalid
from memory_server.ports import Chunker, Embedder, Loader

_WORKSPACE = re.compile(r"[A-Za-z0-9_]{1,64}")
WORKSPACE_RULE = "a workspace name is 1 to 64 letters, digits and underscores, and nothing around them"


LocalModel = Callable[[Path, Path | None], Embedder]
"""Returns the local model, given the folder of the server's data and that of the model's files, if one is named."""


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """An OpenAI-compatible chat endpoint; without a ``url`` the server works without a language model."""

    url: str = ""
    key: str = field(default="", repr=False)
    model: str = ""
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How to serve.

    ``api_key`` must not be empty.  ``port`` 0 takes a free one; ``ready_file`` receives one line of JSON
    (``{"port": …, "pid": …}``) once requests are answered.  ``parent_pid`` ends the server when that process is gone.
    ``memory_limit_mb`` bounds open workspaces, ``most_pending`` waiting documents per workspace, ``most_body_mb`` a
    request.  ``chunk_tokens`` and ``chunk_overlap`` are the chunker's window, ``least_cosine`` is what a vector must
    reach to be found, ``language`` the one in which a model writes of entities.  ``storage`` is "sqlite", or "postgres"
    with LightRAG's own POSTGRES_* environment variables.
    """

    data_dir: Path
    api_key: str = field(repr=False)
    host: str = "127.0.0.1"
    port: int = 9621
    default_workspace: str = "default"
    ready_file: Path | None = None
    parent_pid: int | None = None
    memory_limit_mb: int = 256
    most_open: int = 64
    most_pending: int = 10_000
    most_body_mb: int = 32
    attempts: int = 5
    chunk_tokens: int = 1200
    chunk_overlap: int = 100
    least_cosine: float = 0.2
    language: str = "English"
    storage: str = "sqlite"
    llm: LlmOptions = LlmOptions()

    def __post_init__(self) -> None:
        if not self.api_key:
            raise ConfigInvalid("the memory server needs an API key; it never answers anonymous requests")
        if self.storage not in {"sqlite", "postgres"}:
            raise ConfigInvalid(f'storage must be "sqlite" or "postgres", got {self.storage!r}')
        if not _WORKSPACE.fullmatch(self.default_workspace):
            raise ConfigInvalid(f"default_workspace must be letters, digits and _, got {self.default_workspace!r}")


@dataclass(frozen=True, slots=True)
class ServerCall:
    """A call of the command line: where the server keeps its data and is reached, and the model it may use.

    ``child`` says that Mneme has started it; ``local_model`` is ``None`` where this program is installed alone.
    """

    data: Path
    models: Path | None
    host: str
    port: int
    child: bool
    open_workspaces: int = 64
    local_model: LocalModel | None = None


@dataclass(frozen=True, slots=True)
class Plugins:
    """Code of others: a chunker in place of the one along headings, loaders for files that are not plain text."""

    chunker: Chunker | None = None
    loaders: tuple[Loader, ...] = ()


NO_PLUGINS = Plugins()


def workspace_name(value: str) -> str | None:
    """Return a usable workspace name, ``None`` for one that LightRAG would have to rewrite."""
    return value if _WORKSPACE.fullmatch(value) else None
