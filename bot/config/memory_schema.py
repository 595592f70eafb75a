"""Settings of memory: items and scopes, search and answers, long-term memory (LightRAG)."""

from typing import Annotated, Literal

from pydantic import Field

from bot.config.section import LIVE, TURN, Secret, Section, WebAddress, setting

_ItemCount = Annotated[int, Field(ge=0, le=100)]
_Tokens = Annotated[int, Field(ge=0, le=100_000)]
_Count = Annotated[int, Field(ge=1, le=200)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Seconds = Annotated[float, Field(ge=0.05, le=60)]


class LayerLimits(Section, applies=TURN):
    """How many items of each layer may stand in one prompt."""

    working: _ItemCount = setting(6, "Tasks in progress; few, because they age within days.")
    episodic: _ItemCount = setting(8, "What happened; the largest group, because it is the least sorted.")
    semantic: _ItemCount = setting(8, "Facts and preferences.")
    procedural: _ItemCount = setting(4, "How things are done; long texts, so few of them.")


class MemorySettings(Section, applies=TURN):
    """Short-term memory: verbatim turns and structured items."""

    enabled: bool = setting(
        True, "`false` reads and writes no memory of any kind, within the current turn.", applies=LIVE
    )
    recall_enabled: bool = setting(True, "Search the verbatim turns of the scope for each message.")
    items_enabled: bool = setting(True, "Derive structured items and put the fitting ones in front.")
    disclosure: Literal["index", "summary", "selective_detail", "full"] = setting(
        "selective_detail",
        "How much of an item the prompt shows: counts only, titles, details for the best ones, or everything. The "
        "default spends the budget where the score is.",
    )
    top_k_per_layer: LayerLimits = Field(default=LayerLimits(), description=LayerLimits.__doc__)
    relevance_floor: _Share = setting(
        0.15, "Relevance (0..1) below which an item stays out; pinned items always stand."
    )
    soft_tokens: _Tokens = setting(600, "Tokens after which only summaries are added to the memory pack.")
    max_tokens: _Tokens = setting(1000, "Tokens the memory pack never exceeds, charged on what is rendered.")
    wish_tokens: _Tokens = setting(
        600,
        "Tokens for `# Standing Wishes`; of more wishes the newest stand there, and the others come up as items "
        "do. 0 shows none there.",
    )
    context_deadline_seconds: Annotated[float, Field(ge=0.05, le=30)] = setting(
        1.0, "Seconds for all memory reads of a turn together; then it goes on without the rest."
    )
    answer_deadline_seconds: _Seconds = setting(
        10.0,
        "Seconds for the store without a language model, when memory is all there is to answer from, if they are "
        "more than `memory.contextDeadlineSeconds`.",
    )
    undo_seconds: Annotated[float, Field(ge=0, le=3600)] = setting(
        60.0,
        "Seconds for which `/undo` brings back what `/forget` took; nothing finds it meanwhile, and then its last "
        "byte goes. 0 erases for good at once; a terminal chat does so when it ends.",
        applies=LIVE,
    )
    scope_direct: Literal["user", "chat", "shared"] = setting(
        "user", "Whose memory a direct chat uses; `user` is the person's own."
    )
    scope_group: Literal["user", "chat", "topic", "shared"] = setting(
        "chat",
        "Whose memory a group uses. `chat`, so that a private memory never surfaces in a group; with `user` it can.",
    )
    shared_name: Annotated[str, Field(max_length=40, pattern=r"^([a-z0-9]+(_[a-z0-9]+)*)?$")] = setting(
        "",
        "Name of the shared memory (lower-case letters, digits, `_`) for the scope `shared`.",
        spelling="lower-case letters, digits and single _",
    )


class TopicSettings(Section, applies=TURN):
    """A message about several things is asked piece by piece."""

    enabled: bool = setting(True, "`false` asks every message whole.")
    single_tokens: _Tokens = setting(200, "Tokens up to which a message stays one question.")
    chunk_tokens: Annotated[int, Field(ge=8, le=100_000)] = setting(
        1800, "Tokens of a piece at most; pieces are paragraphs, longer ones are cut at sentences."
    )
    overlap_tokens: _Tokens = setting(150, "Tokens of a piece that are repeated in the next one.")
    max_chunks: Annotated[int, Field(ge=1, le=50)] = setting(
        8, "Pieces asked at most, the last ones; they are asked in parallel."
    )
    per_chunk: _Count = setting(5, "Results taken of each piece.")
    per_document: _Count = setting(1, "Results kept of one document over all pieces, the best ones.")
    dedup: Literal["exchange", "result"] = setting(
        "exchange", "What counts as one document: an exchange, or the very same result."
    )
    minimum_similarity: _Share = setting(
        0.0, "Certainty (store) or score (LightRAG) below which a result of a piece is dropped."
    )
    whole: bool = setting(False, "Ask the whole message as well as its pieces.")


class StoreTopicSettings(TopicSettings, applies=TURN):
    """The same for the store: its turns are short, so a sentence or two is a topic."""

    single_tokens: _Tokens = setting(
        30, "Tokens up to which a message stays one question; up to twice as many where it asks once."
    )
    chunk_tokens: Annotated[int, Field(ge=8, le=100_000)] = setting(
        24, "Tokens of a piece at most: a sentence or two, because the turns it looks for are short."
    )
    overlap_tokens: _Tokens = setting(0, "Tokens of a piece that are repeated in the next one.")
    max_chunks: Annotated[int, Field(ge=1, le=50)] = setting(
        12, "Pieces asked at most, the last ones; a piece costs a few milliseconds."
    )
    per_chunk: _Count = setting(30, "Results taken of each piece.")
    per_document: _Count = setting(2, "Results kept of one exchange: what was said and answered.")


class SearchSettings(Section, applies=TURN):
    """Exact or approximate search of what was said."""

    exact_passages: Annotated[int, Field(ge=0, le=1_000_000)] = setting(
        3000, "Passages of a chat up to which all are scored; of a longer one candidates."
    )
    candidates: Annotated[int, Field(ge=50, le=100_000)] = setting(
        100, "Candidates by words and by meaning: of all, of named days, of who is meant; neighbours on top."
    )


class UnderstandingSettings(Section, applies=TURN):
    """A language model reads the message before memory is asked; each switch is off, because it costs a model call."""

    expansion: bool = setting(False, "Search up to three other wordings as well.")
    hyde: bool = setting(False, "Search for the likeness of an invented answer as well (HyDE).")
    routing: bool = setting(False, "Let the model choose LightRAG's query mode for each message.")
    deadline_seconds: _Seconds = setting(
        2.0, "Seconds for it, before and on top of the memories' own; then the message is asked as is."
    )


class CheckSettings(Section, applies=TURN):
    """Whether the model's answer is borne out by the memories it was shown."""

    mode: Literal["off", "flag", "reject"] = setting(
        "off",
        "`flag` adds a warning to an answer that is not, `reject` puts what memory says in its place. `off`, "
        "because it costs a model call per answer and a streamed answer was seen before it.",
    )
    judge: Literal["model", "words"] = setting(
        "model", "`model` asks the language model, `words` compares names, numbers and words."
    )
    floor: _Share = setting(0.5, "Share of the answer's statements that must be borne out.")
    deadline_seconds: _Seconds = setting(10.0, "Seconds for it; then the answer stands as it is.")


class EvaluationSettings(Section, applies=LIVE):
    """Measures a sample of live answers behind the conversation; the log tells the shares, never a text."""

    every: Annotated[int, Field(ge=0, le=1_000_000)] = setting(
        0, "Evaluate every n-th answer that used memories; 0 none."
    )
    judge: Literal["model", "words"] = setting(
        "words", "`words` costs nothing, `model` is a call to the language model per sample."
    )


class RecallSettings(Section, applies=TURN):
    """How memory is searched, and how answers come out of it; effects are measured in docs/recall.md."""

    topics: StoreTopicSettings = Field(default=StoreTopicSettings(), description=StoreTopicSettings.__doc__)
    long_term_topics: TopicSettings = setting(
        TopicSettings(), "The same for LightRAG, whose documents are whole exchanges."
    )
    search: SearchSettings = Field(default=SearchSettings(), description=SearchSettings.__doc__)
    window_messages: Annotated[int, Field(ge=0, le=50)] = setting(
        0, "Earlier messages of the conversation that are asked together with the current one."
    )
    fusion: Literal["score", "rank"] = setting(
        "score", "How the store and LightRAG become one ranking; `rank` is reciprocal rank fusion, which is worse."
    )
    distinct: bool = setting(False, "Leave out results that say the same as a better one.")
    diversity: _Share = setting(0.0, "Weight of variety against relevance (maximal marginal relevance); 0 none.")
    compression: Literal["off", "extractive", "abstractive"] = setting(
        "off",
        "Fit what was found into the prompt's budget: `extractive` keeps the sentences that share most with the "
        "message, `abstractive` lets the model shorten them (extractive without one). `off` shows the best whole.",
    )
    known_floor: _Share = setting(
        0.3, 'Certainty of the best result below which the honest answer is "I don\'t know"; 0 never says so.'
    )
    help_floor: _Share = setting(
        0.015,
        "Probability that a memory helps with the message, below which the prompt does without it; the first six "
        "that a question finds need three tenths of it, and nothing where one of them is clearly alike in meaning. "
        "Higher shows less, 0 fills the budget. Pinned items always stand.",
    )
    without_model: Literal["extractive", "direct"] = setting(
        "extractive",
        "Answers without a language model: `extractive` quotes the sentences that answer, `direct` lists what was "
        "found.",
    )
    strategy: Annotated[str, Field(max_length=100)] = setting(
        "", "Plug-in (entry point `mneme.retrieval`) in place of the store's search; empty: none."
    )
    understanding: UnderstandingSettings = Field(
        default=UnderstandingSettings(), description=UnderstandingSettings.__doc__
    )
    check: CheckSettings = Field(default=CheckSettings(), description=CheckSettings.__doc__)
    evaluation: EvaluationSettings = Field(default=EvaluationSettings(), description=EvaluationSettings.__doc__)


class RerankSettings(Section, applies=TURN):
    """A second, dearer look at what was found."""

    provider: Literal["off", "cohere", "jina", "flashrank", "plugin"] = setting(
        "off",
        "Who reorders the results: `cohere` and `jina` over HTTP with a key, `flashrank` locally when installed, "
        "`plugin` the one that `rag.rerank.plugin` names. The first two are sent questions and memories. `off`, "
        "because of that, and because the others need a package; then `topK` is split over chunks, entities and "
        "relations by query mode.",
    )
    plugin: Annotated[str, Field(max_length=100)] = setting(
        "", "Name of a reranker's entry point in the group `mneme.rerankers`."
    )
    url: WebAddress = setting("", "Address of the provider; empty means its public one.")
    api_key: Secret = setting("", "Key of the provider; `RERANK_API_KEY` overrides it.")
    model: Annotated[str, Field(max_length=200)] = setting(
        "", "Model name; empty means the provider's current default."
    )
    top_k: Annotated[int, Field(ge=0, le=200)] = setting(
        20,
        "Results kept over all types, 0 for all. 20 fills the prompt's budget without crowding it. Without a "
        "reranker it bounds what LightRAG found, with one everything.",
    )
    timeout_seconds: Annotated[float, Field(ge=0.05, le=30)] = setting(
        0.5, "Seconds for one rerank call; it runs inside the turn's deadline, so the default leaves room."
    )


class EmbeddedSettings(Section, applies=LIVE):
    """The memory server that Mneme starts itself when `rag.url` is empty."""

    port: Annotated[int, Field(ge=0, le=65535)] = setting(
        0, "Loopback port; 0 takes a free one, so that two Mnemes never collide."
    )
    open_workspaces: Annotated[int, Field(ge=1, le=10_000)] = setting(
        64, "Workspaces (scopes) kept open at once; the longest unused is closed first."
    )
    start_timeout_seconds: Annotated[float, Field(ge=1, le=600)] = setting(
        60, "Seconds the server may take to become healthy; turns never wait for it."
    )


class RagSettings(Section, applies=LIVE):
    """Long-term memory."""

    enabled: bool = setting(
        True,
        "`false` stops reading and writing long-term memory within the current turn; waiting rows stay on disk and "
        "go on when it is `true` again.",
    )
    url: WebAddress = setting(
        "", "LightRAG server, e.g. `http://localhost:9621`. Empty: Mneme starts its own on loopback."
    )
    api_key: Secret = setting("", "Sent as `X-API-Key`; `RAG_API_KEY` overrides it. The embedded server makes its own.")
    query_mode: Literal["local", "global", "hybrid", "naive", "mix"] = setting(
        "hybrid", "How LightRAG searches; `hybrid` looks at entities and at relations.", applies=TURN
    )
    exchanges: bool = setting(
        False,
        "`true` asks LightRAG for what was said as well, not for documents alone. The store knows what was said "
        "and ranks it better; where it is off or gives no answer LightRAG is asked for everything anyway.",
        applies=TURN,
    )
    timeout_seconds: Annotated[float, Field(ge=0.1, le=600)] = setting(
        10, "Seconds in total for one indexing request; no turn waits for it."
    )
    query_budget_seconds: Annotated[float, Field(ge=0.05, le=30)] = setting(
        0.8,
        "Seconds in total for one query; the turn waits at most this long, so it stays under a second.",
        applies=TURN,
    )
    index_min_length: _Tokens = setting(
        50,
        "Characters of question and answer below which an exchange is not indexed, unless a fact was stated: short "
        "talk only adds noise.",
        applies=TURN,
    )
    shared_workspace: bool = setting(
        False,
        "Allow several chats on a stock LightRAG server, which has one workspace for all. `false`, because names "
        "mentioned in two chats are merged there.",
    )
    top_k: Annotated[int, Field(ge=1, le=500)] = setting(
        20, "Entities and relations asked for. LightRAG's 60 takes three times as long and finds no more."
    )
    chunk_top_k: _Count = setting(20, "Text chunks asked for; LightRAG's usual depth.")
    relations: bool = setting(True, "Put relations between entities into the prompt as well.")
    cache_seconds: Annotated[float, Field(ge=0, le=86_400)] = setting(
        60, "Seconds a query's result may be reused in the same scope; an erase drops it. 0: never."
    )
    index_workers: Annotated[int, Field(ge=1, le=64)] = setting(
        4, "Scopes indexed at the same time; within a scope order is kept."
    )
    rerank: RerankSettings = Field(default=RerankSettings(), description=RerankSettings.__doc__)
    embedded: EmbeddedSettings = Field(default=EmbeddedSettings(), description=EmbeddedSettings.__doc__)
