"""System 20's way from a question to one ranking: every stage, and what becomes of it when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType

from bot.errors import EmbeddingUnavailable, MemoryUnavailable, ModelUnavailable
from bot.memory.helpfulness import ANSWERS, BESIDE, KNOWN
from bot.memory.items import Channel, Recalled
from bot.memory.ranking.fusion import TopicOptions
from bot.memory.scope import Scope
from bot.ports.chat_model import Understood
from bot.ports.events import ContextBuilt, Event, RetrievalCompleted
from bot.ports.memory_store import MemoryQuery
from bot.ports.rag import QueryMode, RagAnswer
from systems.s20_context_building import Fusion, RetrievalOptions
from tests.cases import each_row
from tests.systems.memory_fakes import WHEN, Memories, building, exchange, recalled, said

LONG = "Where did I leave the harpsichord that I bought?\n\nAnd which train goes to Porto in the early morning?"
TOPICS = TopicOptions(single_tokens=8, chunk_tokens=12, overlap_tokens=0, per_chunk=5, per_document=1)


def _rag(chunks: int = 0, entities: int = 0, relations: int = 0) -> tuple[Recalled, ...]:
    kinds = (Channel.CHUNK, chunks), (Channel.ENTITY, entities), (Channel.RELATION, relations)
    return tuple(
        Recalled(f"{kind}:{number}", f"{kind} {number}", kind, 1 / (number + 1))
        for kind, count in kinds
        for number in range(count)
    )


def _turn(uid: str, text: str, score: float, known: float = 0.9) -> Recalled:
    signals = MappingProxyType({KNOWN: known})
    return replace(recalled(text, uid), score=score, signals=signals)


@dataclass
class Answering(Memories):
    """Memories that answer by the words of the question, and remember what they were asked."""

    by_word: tuple[tuple[str, tuple[Recalled, ...]], ...] = ()
    questions: tuple[str, ...] = ()
    long_questions: tuple[str, ...] = ()
    modes: tuple[QueryMode, ...] = ()
    refuses: str = "\0"

    def _known(self, text: str) -> tuple[Recalled, ...]:
        return next((found for word, found in self.by_word if word in text), ())

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        self.questions += (query.text,)
        return self._known(query.text)

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        self.long_questions += (question,)
        self.modes += (mode,)
        if self.refuses in question:
            return RagAnswer(note="HTTP 503")
        return RagAnswer(self._known(question))


class Reader:
    """Understands what the test says."""

    def __init__(self, understood: Understood | None = None) -> None:
        self._understood = understood

    async def understand(self, question: str) -> Understood:
        if self._understood is None:
            raise ModelUnavailable("the language model is down")
        return self._understood


class Backwards:
    """A reranker that turns the order round, or fails, or hangs."""

    def __init__(self, error: Exception | None = None, *, hangs: bool = False) -> None:
        self._error, self._hangs = error, hangs
        self.questions: list[str] = []

    async def rerank(self, question: str, found: tuple[Recalled, ...], top_k: int) -> tuple[Recalled, ...]:
        self.questions.append(question)
        if self._hangs:
            await asyncio.sleep(60)
        if self._error is not None:
            raise self._error
        return tuple(reversed(found))[:top_k]


class Rating:
    """Rates messages as the test says, 0.01 what it does not name; or fails."""

    def __init__(self, rates: dict[str, float], error: Exception | None = None) -> None:
        self._rates, self._error = rates, error
        self.read: list[tuple[str, tuple[str, ...]]] = []

    async def rate_answers(
        self, question: str, texts: Sequence[str], alike: Sequence[float | None] = ()
    ) -> tuple[float, ...]:
        self.read.append((question, tuple(texts)))
        if self._error is not None:
            raise self._error
        return tuple(self._rates.get(text, 0.01) for text in texts)

    async def rate_changes(self, question: str, earlier: str, later: Sequence[str]) -> tuple[float, ...]:
        return await self.rate_answers(earlier, later)


class Short:
    """Makes every text its first word, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    async def compress(self, question: str, found: tuple[Recalled, ...], budget_tokens: int) -> tuple[Recalled, ...]:
        if self._error is not None:
            raise self._error
        return tuple(replace(memory, text=memory.text.split()[0]) for memory in found)


def _counts(found: tuple[Recalled, ...]) -> tuple[int, ...]:
    kinds = (Channel.CHUNK, Channel.ENTITY, Channel.RELATION)
    return tuple(sum(memory.channel is kind for memory in found) for kind in kinds)


@each_row(
    ("topics", "note"),
    [
        (replace(TOPICS, most_chunks=2), "of a long message the last 2 of"),
        (None, "asked whole: the embedding model reads about 180 of its"),
    ],
)
async def test_what_is_not_searched_for_of_a_long_message_is_noted(topics: TopicOptions | None, note: str) -> None:
    """Whichever memory was asked by pieces, or whole: the trace says what was left out; of a short one nothing is."""
    long = "\n\n".join(f"Paragraph {number} is about one more thing that I bought last year." for number in range(30))
    options = RetrievalOptions(store_topics=topics, rag_topics=topics)

    turn = await building(Memories(), options=options)(said(long))
    short = await building(Memories(), options=options)(said("Where does Vera live?"))

    assert sum(each.startswith(note) for each in turn.trace.notes) == 2
    assert short.trace.notes == ()


async def test_without_a_reranker_the_room_is_shared_by_type() -> None:
    """``hybrid`` keeps 30/30/40 per cent of twenty; what was found counts whole in the trace."""
    memories = Memories(answer=RagAnswer(_rag(40, 40, 40)))
    turn = await building(memories)(said("Where does Vera live?"))

    assert _counts(turn.relevant) == (6, 6, 8)
    assert turn.trace.figures["rag_results"] == 20


async def test_limiter_and_reranker_off_keep_everything() -> None:
    """``topK`` 0."""
    memories = Memories(answer=RagAnswer(_rag(40, 40, 40)))
    turn = await building(memories, options=RetrievalOptions(top_k=0))(said("Where does Vera live?"))

    assert _counts(turn.relevant) == (40, 40, 40)


async def test_a_reranker_makes_one_ranking_over_all_types() -> None:
    """Store and LightRAG alike, cut to ``topK``."""
    memories = Memories(found=(_turn("a", "first", 3.0), _turn("b", "second", 2.0)), answer=RagAnswer(_rag(1, 1, 1)))
    system = building(memories, options=RetrievalOptions(top_k=3), reranker=Backwards())
    turn = await system(said("Where does Vera live?"))
    plain = await building(memories)(said("Where does Vera live?"))

    assert turn.relevant == tuple(reversed(plain.relevant))[:3]
    assert turn.trace.figures["reranked"] == 3


async def test_a_reranker_is_not_asked_of_nothing() -> None:
    """It may be somebody's server: a question that nothing was found for stays here."""
    reranker = Backwards()
    await building(Memories(), reranker=reranker)(said("Whose card is it?"))

    assert reranker.questions == []


async def test_a_reranker_is_not_told_secrets() -> None:
    """It may be somebody's server.  Without the masking in ``_reranked`` the card's number is in the question."""
    reranker = Backwards()
    memories = Memories(found=(_turn("a", "first", 3.0),))
    await building(memories, reranker=reranker)(said("Whose card is 4111 1111 1111 1111?"))

    assert "4111" not in reranker.questions[0]
    assert reranker.questions[0].startswith("Whose card is ")


@each_row(
    ("reranker", "note"),
    [
        (Backwards(ModelUnavailable("the reranker (Cohere) answers HTTP 500")), "rerank: the reranker (Cohere) ans"),
        (Backwards(hangs=True), "rerank: late after 0.05 s"),
    ],
)
async def test_a_reranker_that_fails_leaves_the_limiter_and_a_note(reranker: Backwards, note: str) -> None:
    """The turn goes on with the shares of the mode, and /why can say why."""
    memories = Memories(answer=RagAnswer(_rag(40, 40, 40)))
    options = RetrievalOptions(rerank_s=0.05)
    turn = await building(memories, options=options, reranker=reranker)(said("Where does Vera live?"))

    assert _counts(turn.relevant) == (6, 6, 8)
    assert turn.trace.notes[0].startswith(note)


async def test_each_topic_of_a_long_message_is_asked_and_counted() -> None:
    """Both memories get the pieces; the best of each comes first; the trace has the four counts."""
    by_word = (
        ("harpsichord", (_turn("h", "The harpsichord is in the attic.", 9.0), _turn("h", "It is old.", 8.0))),
        ("train", (_turn("t", "The train leaves at six.", 1.0),)),
    )
    memories = Answering(by_word=by_word)
    options = RetrievalOptions(store_topics=TOPICS, rag_topics=TOPICS)
    turn = await building(memories, options=options)(said(LONG))

    assert memories.questions == memories.long_questions == tuple(LONG.split("\n\n"))
    assert {memory.exchange for memory in turn.relevant[:2]} == {"h", "t"}
    counts = {name: turn.trace.figures[f"store_{name}"] for name in ("chunks", "found", "distinct", "kept")}
    assert counts == {"chunks": 2, "found": 3, "distinct": 2, "kept": 2}


async def test_a_topic_that_fails_is_told_from_one_that_nobody_spoke_of() -> None:
    """A failure is noted and costs its own results alone; no hit is no note."""
    chunk = Recalled("chunk:1", "The train leaves at six.", Channel.CHUNK, 1.0)
    failing = Answering(by_word=(("train", (chunk,)),), refuses="harpsichord")
    silent = Answering(by_word=(("train", (chunk,)),))
    options = RetrievalOptions(store_topics=TOPICS, rag_topics=TOPICS)
    failed = await building(failing, options=options)(said(LONG))
    empty = await building(silent, options=options)(said(LONG))

    assert [memory.key for memory in failed.relevant] == [memory.key for memory in empty.relevant] == ["chunk:1"]
    assert (failed.trace.notes, empty.trace.notes) == (("HTTP 503",), ())


async def test_topics_can_be_switched_off() -> None:
    """Then a long message is one question."""
    memories = Answering()
    await building(memories, options=RetrievalOptions(store_topics=None, rag_topics=None))(said(LONG))

    assert memories.questions == memories.long_questions == (LONG,)


async def test_a_window_of_the_conversation_is_asked_with_the_message() -> None:
    """The store is asked each message, LightRAG the window as Markdown with authors and times."""
    memories = Answering(past=(exchange(1, "I bought a harpsichord.", "Lovely."), exchange(2, "It is red.", "I see.")))
    await building(memories, options=RetrievalOptions(window=2))(said("Where is it?"))

    assert memories.questions == ("Where is it?", "It is red.", "I see.")
    assert memories.long_questions[0].startswith("## Message 1\n\nAnna, 2026-02-07 13:32+00:00\n\nIt is red.")
    assert memories.long_questions[0].endswith("Where is it?")


async def test_what_a_model_reads_out_of_a_question_is_asked_as_well() -> None:
    """Other wordings and the invented answer go to both memories, the mode to LightRAG."""
    understood = Understood(("Which town is Vera's home?",), "Vera lives in Lisbon.", QueryMode.LOCAL)
    memories = Answering(by_word=(("town", (_turn("v", "Vera moved to Porto.", 1.0),)),))
    turn = await building(memories, understanding=Reader(understood))(said("Where does Vera live?"))

    assert memories.questions == ("Where does Vera live?", "Which town is Vera's home?", "Vera lives in Lisbon.")
    assert set(memories.modes) == {QueryMode.LOCAL}
    assert [memory.text for memory in turn.relevant] == ["Vera moved to Porto."]
    assert "Lisbon" not in turn.context


async def test_a_question_that_no_model_reads_is_asked_as_it_is() -> None:
    """The failure is a note; the memories are there."""
    memories = Memories(found=(_turn("v", "Vera lives in Porto.", 1.0),))
    turn = await building(memories, understanding=Reader())(said("Where does Vera live?"))

    assert "Porto" in turn.context
    assert turn.trace.notes == ("understanding: the language model is down",)


@each_row(("known", "doubted"), [(0.9, False), (0.1, True)])
async def test_the_prompt_says_when_memory_does_not_know(known: float, doubted: bool) -> None:  # noqa: FBT001 - a column
    """Below the floor the model is told to say "I don't know"; the memories still stand there."""
    memories = Memories(found=(_turn("v", "Vera lives in Porto.", 1.0, known),))
    turn = await building(memories)(said("What is the name of my dentist?"))

    assert ("say that you do not know it" in turn.context) == doubted
    assert "Porto" in turn.context
    assert turn.trace.figures["known"] == (not doubted)


async def test_a_floor_of_nothing_never_doubts() -> None:
    """``knownFloor`` 0."""
    memories = Memories(found=(_turn("v", "Vera lives in Porto.", 1.0, 0.01),))
    turn = await building(memories, options=RetrievalOptions(known_floor=0.0))(said("What is my dentist's name?"))

    assert "say that you do not know it" not in turn.context


TWICE = (
    _turn("a", "Vera lives in Porto near the old harbour.", 3.0),
    _turn("b", "Vera lives in Porto near the old harbour!", 2.9),
    _turn("c", "Her bakery opens at six.", 2.0),
)


async def test_near_duplicates_and_likeness_are_options() -> None:
    """Off, the order is the ranking's; on, a repetition is left out, or comes after what is new."""
    memories = Memories(found=TWICE)
    plain, distinct, diverse = [
        (await building(memories, options=options)(said("Vera?"))).relevant
        for options in (RetrievalOptions(), RetrievalOptions(distinct=True), RetrievalOptions(diversity=0.7))
    ]

    assert [memory.exchange for memory in plain] == ["a", "b", "c"]
    assert [memory.exchange for memory in distinct] == ["a", "c"]
    assert [memory.exchange for memory in diverse] == ["a", "c", "b"]


async def test_ranks_can_be_fused_instead_of_scores() -> None:
    """Reciprocal rank fusion: what both found comes first."""
    chunk = Recalled("chunk:1", "Her bakery opens at six.", Channel.CHUNK, 1.0, role="user", exchange="c")
    memories = Memories(found=TWICE, answer=RagAnswer((chunk,)))
    turn = await building(memories, options=RetrievalOptions(fusion=Fusion.RANK))(said("Vera?"))

    assert [memory.exchange for memory in turn.relevant] == ["c", "a", "b"]


LENGTHY = " ".join(["The weather was fine that day."] * 30) + " Vera lives in Porto."


@each_row("compressor", [None, Short(ModelUnavailable("down"))])
async def test_compression_keeps_the_sentences_that_count(compressor: Short | None) -> None:
    """Without a model, and when it fails, sentences that share nothing with the question are left out."""
    memories = Memories(found=(_turn("v", LENGTHY, 1.0),))
    options = RetrievalOptions(compress=True, budget_tokens=60)
    turn = await building(memories, options=options, compressor=compressor)(said("Where does Vera live?"))

    assert turn.relevant[0].text == "[…] Vera lives in Porto."
    assert turn.trace.notes == (("compression: down",) if compressor else ())


async def test_compression_by_a_model() -> None:
    """Its shorter texts stand in the prompt."""
    memories = Memories(found=(_turn("v", LENGTHY, 1.0),))
    options = RetrievalOptions(compress=True, budget_tokens=60)
    turn = await building(memories, options=options, compressor=Short())(said("Where does Vera live?"))

    assert turn.relevant[0].text == "The"


async def test_events_tell_of_retrieval_and_prompt() -> None:
    """In order, with what was found and what was missing."""
    told: list[Event] = []
    memories = Memories(found=TWICE[:1], broken={"rag": MemoryUnavailable("HTTP 503")})
    system = building(memories, publish=told.append)
    turn = await replace(system, publish=told.append)(said("Where does Vera live?"))

    retrieved, built = told
    assert isinstance(retrieved, RetrievalCompleted)
    assert retrieved.question == "Where does Vera live?"
    assert [memory.exchange for memory in retrieved.found] == ["a"]
    assert retrieved.notes == ("long-term memory unavailable: MemoryUnavailable",)
    assert built == ContextBuilt(turn)


BAKERY = tuple(_turn(f"e{number}", f"The oven was looked at {number} times.", 0.5 - number / 10) for number in range(9))


async def test_what_answers_moves_to_the_front_and_what_nobody_read_stays_behind() -> None:
    """Two at a time are read beside the question until one answers; the others count as beside it, where they stood."""
    rating = Rating({BAKERY[2].text: 0.95})
    turn = await building(Memories(found=BAKERY), reader=rating)(said("Who repaired the oven?"))
    read = [(memory.key, memory.signals[ANSWERS]) for memory in turn.relevant]

    assert [texts for _, texts in rating.read] == [(BAKERY[0].text, BAKERY[1].text), (BAKERY[2].text, BAKERY[3].text)]
    assert read[0] == (BAKERY[2].key, 0.95)
    assert [key for key, _ in read[1:]] == [memory.key for memory in BAKERY if memory is not BAKERY[2]]
    assert [rate for _, rate in read[4:]] == [BESIDE] * 5


async def test_without_a_model_more_is_read_at_once() -> None:
    """Several messages may be the answer, and nobody reads on; none of the first is what makes the others be read."""
    rating = Rating({BAKERY[0].text: 0.95})
    none = Rating({})
    for reader in (rating, none):
        await building(Memories(found=BAKERY), reader=reader, options=RetrievalOptions(by_sentence=True))(said("Who?"))

    assert rating.read == [("Who?", tuple(memory.text for memory in BAKERY[:3]))]
    assert [len(texts) for _, texts in none.read] == [3, 3]


async def test_what_somebody_else_said_is_read_with_their_name() -> None:
    """Who says "I" in a message wrote it; who says so in a question asks it."""
    mine, other = BAKERY[0], replace(BAKERY[1], author="Bob", author_id=7)
    rating = Rating({})
    await building(Memories(found=(mine, other)), reader=rating)(said("When do I bake?"))

    assert rating.read[0][1] == (mine.text, f"Bob: {other.text}")


async def test_a_reader_that_fails_leaves_the_ranking() -> None:
    """It is noted; what asks nothing is not read at all."""
    broken = Rating({}, EmbeddingUnavailable("the model file is damaged"))
    turn = await building(Memories(found=BAKERY), reader=broken)(said("Who repaired the oven?"))
    told = Rating({})
    await building(Memories(found=BAKERY), reader=told)(said("I baked bread."))

    assert [memory.key for memory in turn.relevant] == [memory.key for memory in BAKERY]
    assert any("answers" in note for note in turn.trace.notes)
    assert not any(ANSWERS in memory.signals for memory in turn.relevant)
    assert told.read == []


async def test_what_was_said_since_is_read_beside_the_likeliest_answer() -> None:
    """By who said it, in another message: the few that are most alike to the answer, however far down they stand."""
    told, *since = (replace(one, said_at=WHEN + timedelta(days=number)) for number, one in enumerate(BAKERY))
    told, near, far = replace(told, vector=bytes((9, 1))), bytes((9, 2)), bytes((1, 9))
    other, before = replace(since[0], author="Bob", author_id=7), replace(since[1], said_at=WHEN - timedelta(days=1))
    unlike, alike = replace(since[2], vector=far), [replace(one, vector=near) for one in since[3:5]]
    comparing = Rating({alike[1].text: 0.9})
    memories = Memories(found=(unlike, other, told, before, *alike))
    rating = Rating({told.text: 0.95})
    turn = await building(memories, reader=rating, changes=comparing)(said("Who repaired the oven?"))
    changing = {memory.key: dict(memory.changing) for memory in turn.relevant if memory.changing}

    assert comparing.read == [(told.text, tuple(one.text for one in alike))]
    assert [list(changing[one.key]) for one in alike] == [[told.key]] * 2
    assert [changing[one.key][told.key] >= 0.9 for one in alike] == [False, True]


async def test_what_is_about_something_else_must_sound_more_like_a_change() -> None:
    """What tells a change of another thing sounds like one of this; without a vector nobody knows what it is about."""
    told, *since = (replace(one, said_at=WHEN + timedelta(days=number)) for number, one in enumerate(BAKERY[:4]))
    told, vectors = replace(told, vector=bytes((9, 1))), (bytes((0, 9)), bytes((9, 2)), b"")
    rates = []
    for vector in vectors:
        later, comparing = replace(since[0], vector=vector), Rating({since[0].text: 0.6})
        memories, rating = Memories(found=(told, later)), Rating({told.text: 0.95})
        turn = await building(memories, reader=rating, changes=comparing)(said("Who repaired the oven?"))
        rates += [each.changing[told.key] for each in turn.relevant if each.changing]

    assert rates[0] < round(rates[2], 6) == 0.6 < rates[1]


async def test_older_answers_are_read_beside_the_likeliest_one() -> None:
    """Which holds in their place; what hardly answers is not."""
    old, beside, new = (replace(one, said_at=WHEN + timedelta(days=number)) for number, one in enumerate(BAKERY[:3]))
    comparing = Rating({new.text: 0.8})
    rating = Rating({new.text: 0.95, old.text: 0.4})
    turn = await building(Memories(found=(new, old, beside)), reader=rating, changes=comparing)(said("Who looked?"))

    assert comparing.read == [(old.text, (new.text,))]
    assert {memory.key: dict(memory.changing) for memory in turn.relevant if memory.changing} == {
        new.key: {old.key: 0.8}
    }


async def test_nothing_is_read_beside_what_hardly_answers() -> None:
    """And a model that fails leaves what was found, with a note."""
    told, since = (replace(one, said_at=WHEN + timedelta(days=number)) for number, one in enumerate(BAKERY[:2]))
    broken = Rating({}, EmbeddingUnavailable("the model file is damaged"))
    memories, rated = Memories(found=(told, since)), Rating({told.text: 0.95})
    idle = Rating({})
    await building(memories, reader=Rating({}), changes=idle)(said("Who repaired the oven?"))
    turn = await building(memories, reader=rated, changes=broken)(said("Who repaired the oven?"))

    assert idle.read == []
    assert [memory.key for memory in turn.relevant] == [told.key, since.key]
    assert any("changes" in note for note in turn.trace.notes)
