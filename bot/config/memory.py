"""Settings of short-term memory and of whose memory a message belongs to."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bot.config.section import LIVE, TURN, Section, setting

_Count = Annotated[int, Field(ge=0, le=100)]


class LayerLimits(Section):
    """How many items of each layer may stand in one prompt."""

    working: _Count = setting(TURN, default=6, description="Tasks in progress; few, because they age within days.")
    episodic: _Count = setting(
        TURN, default=8, description="What happened; the largest group, because it is the least sorted."
    )
    semantic: _Count = setting(TURN, default=8, description="Facts and preferences.")
    procedural: _Count = setting(TURN, default=4, description="How things are done; long texts, so few of them.")


class MemorySettings(Section):
    """Short-term memory: verbatim turns and structured items."""

    enabled: bool = setting(
        LIVE, default=True, description="`false` reads and writes no memory of any kind, within the current turn."
    )
    recall_enabled: bool = setting(
        TURN, default=True, description="Search the verbatim turns of the scope for each message."
    )
    items_enabled: bool = setting(
        TURN, default=True, description="Derive structured items and put the fitting ones in front."
    )
    disclosure: Literal["index", "summary", "selective_detail", "full"] = setting(
        TURN,
        default="selective_detail",
        description=(
            "How much of an item the prompt shows: counts only, titles, details for the best ones, or everything. The "
            "default spends the budget where the score is."
        ),
    )
    top_k_per_layer: LayerLimits = Field(default=LayerLimits(), description=LayerLimits.__doc__)
    relevance_floor: Annotated[float, Field(ge=0, le=1)] = setting(
        TURN, default=0.15, description="Relevance (0..1) below which an item stays out; pinned items always stand."
    )
    soft_tokens: Annotated[int, Field(ge=0, le=100_000)] = setting(
        TURN, default=600, description="Tokens after which only summaries are added to the memory pack."
    )
    max_tokens: Annotated[int, Field(ge=0, le=100_000)] = setting(
        TURN, default=1000, description="Tokens the memory pack never exceeds, charged on what is rendered."
    )
    context_deadline_seconds: Annotated[float, Field(ge=0.05, le=30)] = setting(
        TURN,
        default=1.0,
        description="Seconds for all memory reads of a turn together; then it goes on without the rest.",
    )
    answer_deadline_seconds: Annotated[float, Field(ge=0.05, le=60)] = setting(
        TURN,
        default=10.0,
        description=(
            "Seconds for the store without a language model, when memory is all there is to answer from, if they are "
            "more than `memory.contextDeadlineSeconds`."
        ),
    )
    undo_seconds: Annotated[float, Field(ge=0, le=3600)] = setting(
        LIVE,
        default=60.0,
        description=(
            "Seconds for which `/undo` brings back what `/forget` took; nothing finds it meanwhile, and then its last "
            "byte goes. 0 erases for good at once; a terminal chat does so when it ends."
        ),
    )
    scope_direct: Literal["user", "chat", "shared"] = setting(
        TURN, default="user", description="Whose memory a direct chat uses; `user` is the person's own."
    )
    scope_group: Literal["user", "chat", "topic", "shared"] = setting(
        TURN,
        default="chat",
        description=(
            "Whose memory a group uses. `chat`, so that a private memory never surfaces in a group; with `user` it can."
        ),
    )
    shared_name: Annotated[str, Field(max_length=40, pattern=r"^([a-z0-9]+(_[a-z0-9]+)*)?$")] = setting(
        TURN,
        default="",
        description="Name of the shared memory (lower-case letters, digits, `_`) for the scope `shared`.",
        spelling="lower-case letters, digits and single _",
    )
