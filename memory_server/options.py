"""What the memory server is handed and told: its embedder and plug-ins, its options, its environment.

The ports are structural: whatever has their methods fits, without importing this module.

Plug-ins are entry points of installed packages, loaded if a variable names them; what cannot be loaded is logged and
left out (https://packaging.python.org/en/latest/specifications/entry-points/):

    group            the entry point is                                       named in
    mneme.chunkers   a function without arguments that returns a Chunker      MEMORY_SERVER_CHUNKER
    mneme.loaders    a function without arguments that returns a Loader       MEMORY_SERVER_LOADERS, with commas

Of LightRAG's variables four are read and those named that are set and not read;
https://github.com/HKUDS/LightRAG/blob/main/env.example has them all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from dotenv import dotenv_values

from memory_server.errors import ConfigInvalid, locate_error

if TYPE_CHECKING:  # the command line is read before numpy is imported, whose threads are set by variables
    import numpy as np
    import numpy.typing as npt

Vectors: TypeAlias = "npt.NDArray[np.float32]"


class Embedder(Protocol):
    """A model that places texts in a space where near means alike."""

    @property
    def model(self) -> str:
        """Name and version: vectors of different names are never compared or mixed."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one L2-normalised row per text: shape ``(len(texts), dimension)``, in order.

        The vector of a text does not depend on the other texts of the call.
        An empty sequence gives shape ``(0, dimension)``; an empty text gives some valid vector.
        Raises :class:`~memory_server.errors.EmbeddingUnavailable`.
        """


@runtime_checkable
class WindowedEmbedder(Embedder, Protocol):
    """A model that reads so much of a text and ignores the rest, and knows where that is."""

    async def windows(self, text: str, *, topics: bool = True) -> tuple[str, ...]:
        """Return what to embed so that all of the text is read: at least one part, the first being its beginning.

        A text that is read whole is its own only window.  With ``topics`` the parts may be small, for texts to be
        found; without they are as few as can be, for questions.
        """


class Chunker(Protocol):
    """Cuts documents in place of the chunker along headings."""

    @property
    def version(self) -> str:
        """Name and version, stored with every document: those cut by another one are indexed again on ``reindex``."""

    def chunks(self, text: str, size: int, overlap: int, count: Callable[[str], int]) -> Sequence[str]:
        """Return the chunks of a text in order, of at most ``size`` tokens, about ``overlap`` of them repeated.

        ``count`` returns the tokens of a text.  Runs in a thread.  Raises
        :class:`~memory_server.errors.DocumentRejected` for a text that it can never cut.
        """


class Loader(Protocol):
    """Turns uploaded files of some kinds into text."""

    @property
    def endings(self) -> tuple[str, ...]:
        """Endings of the file names it reads, in lower case with the dot: ``(".pdf",)``."""

    def text(self, content: bytes, name: str) -> str:
        """Return the text of a file, as Markdown where it has headings; runs in a thread.

        Raises :class:`~memory_server.errors.DocumentRejected`, which says what is wrong with the file.
        """


_LONGEST_LANGUAGE = 60
_NOT_READ = (
    "LLM_BINDING",
    "LLM_BINDING_HOST",
    "LLM_BINDING_API_KEY",
    "EMBEDDING_BINDING",
    "EMBEDDING_BINDING_HOST",
    "EMBEDDING_BINDING_API_KEY",
    "EMBEDDING_DIM",
    "RERANK_BINDING",
    "RERANK_BINDING_HOST",
    "RERANK_BINDING_API_KEY",
    "RERANK_MODEL",
    "LIGHTRAG_KV_STORAGE",
    "LIGHTRAG_VECTOR_STORAGE",
    "LIGHTRAG_GRAPH_STORAGE",
    "LIGHTRAG_DOC_STATUS_STORAGE",
    "LIGHTRAG_PARSER",
    "AUTH_ACCOUNTS",
    "WHITELIST_PATHS",
    "ENABLE_LLM_CACHE",
    "ENABLE_LLM_CACHE_FOR_EXTRACT",
)
"""Variables that would matter most to somebody who relies on them, and whose names are nobody else's."""


@dataclass(frozen=True, slots=True)
class LightRagVariables:
    """LightRAG's variables that are read: CHUNK_SIZE, CHUNK_OVERLAP_SIZE, COSINE_THRESHOLD, SUMMARY_LANGUAGE.

    The chunker's window in tokens, what a vector must reach to be found, the language in which a model writes of
    entities.
    """

    chunk_tokens: int = 1200
    chunk_overlap: int = 100
    least_cosine: float = 0.0
    language: str = "English"

    def variables(self) -> dict[str, str]:
        """Return them as the variables that say the same."""
        return {
            "CHUNK_SIZE": str(self.chunk_tokens),
            "CHUNK_OVERLAP_SIZE": str(self.chunk_overlap),
            "COSINE_THRESHOLD": str(self.least_cosine),
            "SUMMARY_LANGUAGE": self.language,
        }


USUAL_VARIABLES = LightRagVariables()
LIGHTRAG_VARIABLES = tuple(USUAL_VARIABLES.variables())


def read_server_environment(data: Path) -> Mapping[str, str]:
    """Return the environment, completed by ``.env`` of the folder around the server's data and of the current one."""
    found: dict[str, str] = {}
    for folder in (Path(), data.expanduser().absolute().parent):
        found |= {name: value for name, value in dotenv_values(folder / ".env").items() if value is not None}
    return {**found, **os.environ}


def read_lightrag_variables(environment: Mapping[str, str]) -> LightRagVariables:
    """Return what the variables say; one that is empty counts as not set.

    Raises :class:`~memory_server.errors.ConfigInvalid`, which names the variable and what it may be.
    """
    usual = USUAL_VARIABLES
    size = _number(environment, "CHUNK_SIZE", 64, 32_768, usual.chunk_tokens)
    overlap = _number(environment, "CHUNK_OVERLAP_SIZE", 0, size - 1, min(usual.chunk_overlap, size // 2))
    language = environment.get("SUMMARY_LANGUAGE", "").strip() or usual.language
    if len(language) > _LONGEST_LANGUAGE or not language.isprintable():
        raise ConfigInvalid(f"SUMMARY_LANGUAGE: the name of a language expected, at most {_LONGEST_LANGUAGE} letters")
    return LightRagVariables(size, overlap, _share(environment, "COSINE_THRESHOLD", usual.least_cosine), language)


def name_unread_variables(environment: Mapping[str, str], *more: str) -> str:
    """Return the sentence about LightRAG's variables that are set and not read, ``more`` among them; "" for none."""
    found = [name for name in (*more, *_NOT_READ) if environment.get(name, "").strip()]
    return f"variables of LightRAG that are not read by Mneme: {', '.join(found)}" if found else ""


def _number(environment: Mapping[str, str], name: str, least: int, most: int, usual: int) -> int:
    given = environment.get(name, "").strip()
    if not given:
        return usual
    if not (given.isascii() and given.isdigit() and len(given) <= len(str(most)) and least <= int(given) <= most):
        raise ConfigInvalid(f"{name}: a whole number of tokens from {least} to {most:,} expected")
    return int(given)


def _share(environment: Mapping[str, str], name: str, usual: float) -> float:
    given = environment.get(name, "").strip()
    try:
        share = float(given) if given else usual
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ConfigInvalid(f"{name}: a number from 0 to 1 expected")
    return share


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


def read_database_url(environment: Mapping[str, str]) -> str:
    """Return the address of the database that the environment chooses, "" for files; its driver reads it.

    ``MEMORY_SERVER_DATABASE_URL`` names it, else ``DATABASE_URL``, else LightRAG's POSTGRES_* variables.  Raises
    :class:`ConfigInvalid` for another storage, or where nothing names a database.
    """
    storage = environment.get("MEMORY_SERVER_STORAGE", "sqlite")
    if storage not in {"sqlite", "postgres"}:
        raise ConfigInvalid(f'MEMORY_SERVER_STORAGE must be "sqlite" or "postgres", got {storage!r}')
    if storage == "sqlite":
        return ""
    if url := environment.get("MEMORY_SERVER_DATABASE_URL") or environment.get("DATABASE_URL"):
        return url
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "DATABASE"}
    given = {key: value for key, name in names.items() if (value := environment.get(f"POSTGRES_{name}", ""))}
    if not given:
        raise ConfigInvalid(
            "MEMORY_SERVER_STORAGE=postgres needs MEMORY_SERVER_DATABASE_URL=postgresql://user:password@host:5432/name"
        )
    return " ".join(f"{key}='{_quote(value)}'" for key, value in given.items())


def _quote(value: str) -> str:
    return value.replace("\\", r"\\").replace("'", r"\'")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How to serve.

    ``api_key`` must not be empty.  ``port`` 0 takes a free one.  ``parent_pid`` ends the server when that process is
    gone.  ``memory_limit_mb`` bounds open workspaces, ``most_pending`` waiting documents per workspace,
    ``most_body_mb`` a request.  ``database_url`` names the PostgreSQL that holds the workspaces, "" files.
    """

    data_dir: Path
    api_key: str = field(repr=False)
    host: str = "127.0.0.1"
    port: int = 9621
    parent_pid: int | None = None
    memory_limit_mb: int = 256
    most_open: int = 64
    most_pending: int = 10_000
    most_body_mb: int = 32
    attempts: int = 5
    database_url: str = field(default="", repr=False)
    lightrag: LightRagVariables = USUAL_VARIABLES
    llm: LlmOptions = LlmOptions()

    def __post_init__(self) -> None:
        if not self.api_key:
            raise ConfigInvalid("the memory server needs an API key; it never answers anonymous requests")


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


def is_workspace_name(value: str) -> bool:
    """Return whether a workspace may be called so: LightRAG would have to rewrite any other name."""
    return _WORKSPACE.fullmatch(value) is not None


def named_chunker() -> Chunker | None:
    """Return the plug-in that cuts documents, ``None`` for our own."""
    name = os.environ.get("MEMORY_SERVER_CHUNKER", "").strip()
    chunker: Chunker | None = _load("mneme.chunkers", name) if name else None
    return chunker


def named_loaders() -> tuple[Loader, ...]:
    """Return the plug-ins that read files, in the order in which they are named."""
    names = (name.strip() for name in os.environ.get("MEMORY_SERVER_LOADERS", "").split(","))
    return tuple(each for name in names if name and (each := _load("mneme.loaders", name)) is not None)


def _load(group: str, name: str) -> Any | None:  # Any: the group says which port it implements
    found = next(iter(entry_points(group=group, name=name)), None)
    import structlog  # noqa: PLC0415 - what serves imports it without rich, see commands.py

    log = structlog.get_logger()
    if found is None:
        log.error("plug-in not found", group=group, name=name)
        return None
    try:
        return found.load()()
    except Exception as error:  # noqa: BLE001 - the edge to foreign code: it may raise anything at import or when called
        log.error("plug-in not loaded", group=group, name=name, error=locate_error(error))  # noqa: TRY400 - its text may hold anything
        return None
