"""Settings of long-term memory: LightRAG, embedded or somewhere else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bot.config.section import LIVE, TURN, Secret, Section, WebAddress, setting


class RerankSettings(Section):
    """A second, dearer look at what was found."""

    provider: Literal["off", "cohere", "jina", "flashrank", "plugin"] = setting(
        TURN,
        default="off",
        description=(
            "Who reorders the results: `cohere` and `jina` over HTTP with a key, `flashrank` locally when installed, "
            "`plugin` the one that `rag.rerank.plugin` names. The first two are sent questions and memories. `off`, "
            "because of that, and because the others need a package; then `topK` is split over chunks, entities and "
            "relations by query mode."
        ),
    )
    plugin: Annotated[str, Field(max_length=100)] = setting(
        TURN, default="", description="Name of a reranker's entry point in the group `mneme.rerankers`."
    )
    url: WebAddress = setting(TURN, default="", description="Address of the provider; empty means its public one.")
    api_key: Secret = setting(TURN, default="", description="Key of the provider; `RERANK_API_KEY` overrides it.")
    model: Annotated[str, Field(max_length=200)] = setting(
        TURN, default="", description="Model name; empty means the provider's current default."
    )
    top_k: Annotated[int, Field(ge=0, le=200)] = setting(
        TURN,
        default=20,
        description=(
            "Results kept over all types, 0 for all. 20 fills the prompt's budget without crowding it. Without a "
            "reranker it bounds what LightRAG found, with one everything."
        ),
    )
    timeout_seconds: Annotated[float, Field(ge=0.05, le=30)] = setting(
        TURN,
        default=0.5,
        description="Seconds for one rerank call; it runs inside the turn's deadline, so the default leaves room.",
    )


class EmbeddedSettings(Section):
    """The memory server that Mneme starts itself when `rag.url` is empty."""

    port: Annotated[int, Field(ge=0, le=65535)] = setting(
        LIVE, default=0, description="Loopback port; 0 takes a free one, so that two Mnemes never collide."
    )
    open_workspaces: Annotated[int, Field(ge=1, le=10_000)] = setting(
        LIVE, default=64, description="Workspaces (scopes) kept open at once; the longest unused is closed first."
    )
    start_timeout_seconds: Annotated[float, Field(ge=1, le=600)] = setting(
        LIVE, default=60, description="Seconds the server may take to become healthy; turns never wait for it."
    )


class RagSettings(Section):
    """Long-term memory."""

    enabled: bool = setting(
        LIVE,
        default=True,
        description=(
            "`false` stops reading and writing long-term memory within the current turn; waiting rows stay on disk and "
            "go on when it is `true` again."
        ),
    )
    url: WebAddress = setting(
        LIVE,
        default="",
        description="LightRAG server, e.g. `http://localhost:9621`. Empty: Mneme starts its own on loopback.",
    )
    api_key: Secret = setting(
        LIVE,
        default="",
        description="Sent as `X-API-Key`; `RAG_API_KEY` overrides it. The embedded server makes its own.",
    )
    query_mode: Literal["local", "global", "hybrid", "naive", "mix"] = setting(
        TURN, default="hybrid", description="How LightRAG searches; `hybrid` looks at entities and at relations."
    )
    timeout_seconds: Annotated[float, Field(ge=0.1, le=600)] = setting(
        LIVE, default=10, description="Seconds in total for one indexing request; no turn waits for it."
    )
    query_budget_seconds: Annotated[float, Field(ge=0.05, le=30)] = setting(
        TURN,
        default=0.8,
        description="Seconds in total for one query; the turn waits at most this long, so it stays under a second.",
    )
    index_min_length: Annotated[int, Field(ge=0, le=100_000)] = setting(
        TURN,
        default=50,
        description=(
            "Characters of question and answer below which an exchange is not indexed, unless a fact was stated: short "
            "talk only adds noise."
        ),
    )
    shared_workspace: bool = setting(
        LIVE,
        default=False,
        description=(
            "Allow several chats on a stock LightRAG server, which has one workspace for all. `false`, because names "
            "mentioned in two chats are merged there."
        ),
    )
    top_k: Annotated[int, Field(ge=1, le=500)] = setting(
        LIVE, default=60, description="Entities and relations asked for; LightRAG's usual depth."
    )
    chunk_top_k: Annotated[int, Field(ge=1, le=200)] = setting(
        LIVE, default=20, description="Text chunks asked for; LightRAG's usual depth."
    )
    relations: bool = setting(LIVE, default=True, description="Put relations between entities into the prompt as well.")
    cache_seconds: Annotated[float, Field(ge=0, le=86_400)] = setting(
        LIVE,
        default=60,
        description="Seconds a query's result may be reused in the same scope; an erase drops it. 0: never.",
    )
    index_workers: Annotated[int, Field(ge=1, le=64)] = setting(
        LIVE, default=4, description="Scopes indexed at the same time; within a scope order is kept."
    )
    rerank: RerankSettings = Field(default=RerankSettings(), description=RerankSettings.__doc__)
    embedded: EmbeddedSettings = Field(default=EmbeddedSettings(), description=EmbeddedSettings.__doc__)
