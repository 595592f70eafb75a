"""Settings of how memory is searched, how answers come out of it, and how well that goes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bot.config.section import LIVE, TURN, Section, setting

_Tokens = Annotated[int, Field(ge=0, le=100_000)]
_Count = Annotated[int, Field(ge=1, le=200)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Seconds = Annotated[float, Field(ge=0.05, le=60)]


class TopicSettings(Section):
    """A message about several things is asked piece by piece."""

    enabled: bool = setting(TURN, default=True, description="`false` asks every message whole.")
    single_tokens: _Tokens = setting(TURN, default=200, description="Tokens up to which a message stays one question.")
    chunk_tokens: Annotated[int, Field(ge=8, le=100_000)] = setting(
        TURN,
        default=1800,
        description="Tokens of a piece at most; pieces are paragraphs, longer ones are cut at sentences.",
    )
    overlap_tokens: _Tokens = setting(
        TURN, default=150, description="Tokens of a piece that are repeated in the next one."
    )
    max_chunks: Annotated[int, Field(ge=1, le=50)] = setting(
        TURN, default=8, description="Pieces asked at most, the last ones; they are asked in parallel."
    )
    per_chunk: _Count = setting(TURN, default=5, description="Results taken of each piece.")
    per_document: _Count = setting(
        TURN, default=1, description="Results kept of one document over all pieces, the best ones."
    )
    dedup: Literal["exchange", "result"] = setting(
        TURN, default="exchange", description="What counts as one document: an exchange, or the very same result."
    )
    minimum_similarity: _Share = setting(
        TURN,
        default=0.0,
        description="Certainty (store) or score (LightRAG) below which a result of a piece is dropped.",
    )
    whole: bool = setting(TURN, default=False, description="Ask the whole message as well as its pieces.")


class StoreTopicSettings(TopicSettings):
    """The same for the store: its turns are short, so a sentence or two is a topic."""

    single_tokens: _Tokens = setting(TURN, default=30, description="Tokens up to which a message stays one question.")
    chunk_tokens: Annotated[int, Field(ge=8, le=100_000)] = setting(
        TURN,
        default=24,
        description="Tokens of a piece at most: a sentence or two, because the turns it looks for are short.",
    )
    overlap_tokens: _Tokens = setting(
        TURN, default=0, description="Tokens of a piece that are repeated in the next one."
    )
    max_chunks: Annotated[int, Field(ge=1, le=50)] = setting(
        TURN, default=12, description="Pieces asked at most, the last ones; a piece costs a few milliseconds."
    )
    per_chunk: _Count = setting(TURN, default=30, description="Results taken of each piece.")
    per_document: _Count = setting(
        TURN, default=2, description="Results kept of one exchange: what was said and answered."
    )


class SearchSettings(Section):
    """Exact or approximate search of what was said."""

    exact_passages: Annotated[int, Field(ge=0, le=1_000_000)] = setting(
        TURN, default=3000, description="Passages of a chat up to which all are scored; of a longer one candidates."
    )
    candidates: Annotated[int, Field(ge=50, le=100_000)] = setting(
        TURN,
        default=400,
        description="Candidates by words, by meaning and by date, each; their neighbours come on top.",
    )


class UnderstandingSettings(Section):
    """A language model reads the message before memory is asked; each switch is off, because it costs a model call."""

    expansion: bool = setting(TURN, default=False, description="Search up to three other wordings as well.")
    hyde: bool = setting(
        TURN, default=False, description="Search for the likeness of an invented answer as well (HyDE)."
    )
    routing: bool = setting(
        TURN, default=False, description="Let the model choose LightRAG's query mode for each message."
    )
    deadline_seconds: _Seconds = setting(
        TURN,
        default=2.0,
        description="Seconds for it, before and on top of the memories' own; then the message is asked as is.",
    )


class CheckSettings(Section):
    """Whether the model's answer is borne out by the memories it was shown."""

    mode: Literal["off", "flag", "reject"] = setting(
        TURN,
        default="off",
        description=(
            "`flag` adds a warning to an answer that is not, `reject` puts what memory says in its place. `off`, "
            "because it costs a model call per answer and a streamed answer was seen before it."
        ),
    )
    judge: Literal["model", "words"] = setting(
        TURN, default="model", description="`model` asks the language model, `words` compares names, numbers and words."
    )
    floor: _Share = setting(TURN, default=0.5, description="Share of the answer's statements that must be borne out.")
    deadline_seconds: _Seconds = setting(
        TURN, default=10.0, description="Seconds for it; then the answer stands as it is."
    )


class EvaluationSettings(Section):
    """Measures a sample of live answers behind the conversation; the log tells the shares, never a text."""

    every: Annotated[int, Field(ge=0, le=1_000_000)] = setting(
        LIVE, default=0, description="Evaluate every n-th answer that used memories; 0 none."
    )
    judge: Literal["model", "words"] = setting(
        LIVE, default="words", description="`words` costs nothing, `model` is a call to the language model per sample."
    )


class RecallSettings(Section):
    """How memory is searched, and how answers come out of it; effects are measured in docs/recall.md."""

    topics: StoreTopicSettings = Field(default=StoreTopicSettings(), description=StoreTopicSettings.__doc__)
    long_term_topics: TopicSettings = setting(
        TURN, default=TopicSettings(), description="The same for LightRAG, whose documents are whole exchanges."
    )
    search: SearchSettings = Field(default=SearchSettings(), description=SearchSettings.__doc__)
    window_messages: Annotated[int, Field(ge=0, le=50)] = setting(
        TURN,
        default=0,
        description="Earlier messages of the conversation that are asked together with the current one.",
    )
    fusion: Literal["score", "rank"] = setting(
        TURN,
        default="score",
        description="How the store and LightRAG become one ranking; `rank` is reciprocal rank fusion, which is worse.",
    )
    distinct: bool = setting(
        TURN, default=False, description="Leave out results that say almost the same as a better one."
    )
    diversity: _Share = setting(
        TURN, default=0.0, description="Weight of variety against relevance (maximal marginal relevance); 0 none."
    )
    compression: Literal["off", "extractive", "abstractive"] = setting(
        TURN,
        default="off",
        description=(
            "Fit what was found into the prompt's budget: `extractive` keeps the sentences that share most with the "
            "message, `abstractive` lets the model shorten them (extractive without one). `off` shows the best whole."
        ),
    )
    known_floor: _Share = setting(
        TURN,
        default=0.4,
        description='Certainty of the best result below which the honest answer is "I don\'t know"; 0 never says so.',
    )
    without_model: Literal["extractive", "direct"] = setting(
        TURN,
        default="extractive",
        description=(
            "Answers without a language model: `extractive` quotes the sentences that answer, `direct` lists what was "
            "found."
        ),
    )
    strategy: Annotated[str, Field(max_length=100)] = setting(
        TURN,
        default="",
        description="Plug-in (entry point `mneme.retrieval`) in place of the store's search; empty: none.",
    )
    understanding: UnderstandingSettings = Field(
        default=UnderstandingSettings(), description=UnderstandingSettings.__doc__
    )
    check: CheckSettings = Field(default=CheckSettings(), description=CheckSettings.__doc__)
    evaluation: EvaluationSettings = Field(default=EvaluationSettings(), description=EvaluationSettings.__doc__)
