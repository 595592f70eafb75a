"""Shows what was found as it is: of each memory the sentence that shares most with the question."""

from __future__ import annotations

from collections.abc import Iterator

from bot.memory.answering.evidence import Aliases, Evidence, aliases, fit
from bot.memory.answering.question_analysis import Wanted
from bot.memory.answering.utterances import Utterance, statements, utterances
from bot.memory.items import Recalled


def nearest(
    memories: tuple[Recalled, ...], wanted: Wanted, *, asker_id: int, asker_name: str, most: int
) -> tuple[Evidence, ...]:
    """Return one statement of each of the first ``most`` memories that hold any, in the order of the memories."""
    spoken = utterances(memories, asker_id=asker_id, asker_name=asker_name)
    known = aliases(spoken)
    kept: dict[str, Evidence] = {}
    for said in spoken:
        if said.memory.key not in kept and (best := max(_pieces(said, wanted, known), key=_fit, default=None)):
            kept[said.memory.key] = best
        if len(kept) == most:
            break
    return tuple(kept.values())


def _pieces(said: Utterance, wanted: Wanted, known: Aliases) -> Iterator[Evidence]:
    for text in statements(said):
        piece = Evidence(text, said)
        yield Evidence(text, said, fit(wanted, piece, known))


def _fit(piece: Evidence) -> float:
    return piece.fit
