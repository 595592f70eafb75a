"""Two channels become one ranking."""

from __future__ import annotations

from bot.memory.items import Channel, Recalled
from bot.memory.ranking.fusion import CHUNK_BONUS, fuse


def _turn(uid: str, role: str = "user", score: float = 1.0) -> Recalled:
    return Recalled(f"turn:{uid}:{role}", f"verbatim {uid}", Channel.TURN, score, exchange=uid, role=role)


def _chunk(uid: str, name: str = "", role: str = "user") -> Recalled:
    return Recalled(f"chunk:{name or uid}", f"chunk {uid}", Channel.CHUNK, 1.0, exchange=uid, role=role)


def test_one_side_alone_is_returned_as_it_is() -> None:
    """Either channel is enough."""
    assert fuse((), (_chunk("a"),)) == (_chunk("a"),)
    assert fuse((_turn("a"),), ()) == (_turn("a"),)


def test_a_chunk_of_a_found_turn_strengthens_the_turn() -> None:
    """The verbatim text stays once, lifted, and says that long-term memory found it too."""
    turns = tuple(_turn(f"t{number}", score=3.0 - number / 4) for number in range(5))

    fused = fuse(turns, (_chunk("t4"),))
    places = [memory.key for memory in fused]
    lifted = next(memory for memory in fused if memory.exchange == "t4")

    assert len(fused) == 5
    assert places.index("turn:t4:user") < 4
    assert lifted.text == "verbatim t4"
    assert lifted.score == 2.0 + CHUNK_BONUS
    assert lifted.signals[Channel.CHUNK.value] == CHUNK_BONUS


def test_what_the_store_missed_is_slotted_in_below() -> None:
    """A chunk of an unseen exchange and an entity get entries of their own, below every turn that the store found."""
    entity = Recalled("entity:Vera", "Vera is a sister", Channel.ENTITY, 1.0)

    fused = fuse(tuple(_turn(f"t{number}", score=9.0 - number / 5) for number in range(40)), (_chunk("new"), entity))

    assert {memory.key for memory in fused[40:]} == {"chunk:new", "entity:Vera"}


def test_documents_stand_among_the_turns() -> None:
    """The store cannot hold them, so that its silence says nothing: the first comes first, the next lower."""
    first, second = (Recalled(f"chunk:{name}", name, Channel.CHUNK, 1.0) for name in ("guide", "manual"))

    fused = fuse(tuple(_turn(f"t{number}", score=9.0 - number) for number in range(9)), (first, second))

    assert [memory.key for memory in fused].index("chunk:guide") == 0
    assert [memory.key for memory in fused].index("chunk:manual") == 3


def test_second_chunks_of_an_exchange_count_once() -> None:
    """Two chunks of one exchange that the store found do not push it twice."""
    once = fuse((_turn("t0"),), (_chunk("t0", "1"),))
    twice = fuse((_turn("t0"),), (_chunk("t0", "1"), _chunk("t0", "2")))

    assert once[0].score == twice[0].score


def test_the_first_found_counts_most() -> None:
    """The bonus falls with the rank, and entities count less than chunks."""
    turns = tuple(_turn(f"t{number}") for number in range(3))
    entity = Recalled("entity:Vera", "Vera", Channel.ENTITY, 1.0, exchange="t2")

    scores = {memory.exchange: memory.score for memory in fuse(turns, (_chunk("t0"), _chunk("t1"), entity))}

    assert scores["t0"] > scores["t1"] > scores["t2"] > 1.0
