"""Selection: how results of long-term memory share the room."""

from __future__ import annotations

from bot.memory.items import Channel, Recalled
from bot.memory.ranking.fusion import CHANNEL_SHARES, limit_by_channel
from tests.cases import each_row


def _found(chunks: int, entities: int, relations: int) -> tuple[Recalled, ...]:
    kinds = (Channel.CHUNK, chunks), (Channel.ENTITY, entities), (Channel.RELATION, relations)
    return tuple(
        Recalled(f"{kind}:{number}", "text", kind, 1 / (number + 1)) for kind, count in kinds for number in range(count)
    )


def _counted(found: tuple[Recalled, ...]) -> tuple[int, ...]:
    return tuple(
        sum(memory.channel is kind for memory in found) for kind in (Channel.CHUNK, Channel.ENTITY, Channel.RELATION)
    )


@each_row(
    ("mode", "counts"),
    [("global", (6, 7, 7)), ("local", (12, 4, 4)), ("hybrid", (6, 6, 8)), ("mix", (6, 6, 8)), ("naive", (20, 0, 0))],
)
def test_each_mode_has_its_shares(mode: str, counts: tuple[int, int, int]) -> None:
    """Of plenty of each kind the mode's per cent are kept."""
    assert _counted(limit_by_channel(_found(40, 40, 40), mode, 20)) == counts
    assert sum(CHANNEL_SHARES[mode]) == 100


def test_room_left_free_goes_to_the_others() -> None:
    """Without entities and relations chunks get all of it."""
    assert _counted(limit_by_channel(_found(40, 0, 0), "mix", 20)) == (20, 0, 0)


def test_other_channels_are_not_counted() -> None:
    """Verbatim turns of the store pass the limiter untouched."""
    turn = Recalled("turn:x1:user", "text", Channel.TURN, 1.0)

    assert turn in limit_by_channel((*_found(9, 9, 9), turn), "mix", 3)
