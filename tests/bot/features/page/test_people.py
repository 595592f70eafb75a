"""The map and its pages: everybody within reach, nobody on top of somebody else, the same map each time."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from adapters.page.gate import Visitor
from adapters.page.looking import draw_map
from bot.memory.names import NameKind
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.ports.memory_store import KnownName, NameLink
from harness.application import NO_RAG, run_console
from harness.page import Circle, OpenedPage, fill, open_page
from harness.samples import NOON
from tests.cases import each_row

SCOPE = Scope("tu42")
ANNA = Visitor((SCOPE,), Reader(42, "Anna", alone=True))


def names(count: int) -> tuple[KnownName, ...]:
    """Made-up names of many lengths."""
    return tuple(
        KnownName(
            number + 1, "Wolfeschlegelstein"[: 3 + number % 15], NameKind.PERSON, 1 + 90 // (number + 1), NOON, NOON
        )
        for number in range(count)
    )


@each_row(("count", "width", "height"), [(1, 360, 180), (5, 360, 240), (18, 360, 540), (40, 960, 560)])
def test_no_label_stands_on_another(count: int, width: int, height: int) -> None:
    """Neither on a phone nor in a window, and everything stands within the drawing."""
    shown = names(count)
    links = tuple(NameLink(one.id, other.id, 3) for one, other in pairwise(shown))
    drawn = draw_map(shown, links, [""] * count, width=width, height=height)
    again = draw_map(shown, links, [""] * count, width=width, height=height)
    boxes = [(spot.x, spot.y + spot.radius + 10, len(spot.label) * 3.6, 6.5) for spot in drawn.spots]

    assert drawn == again
    assert len(drawn.spots) == count
    for x, y, half, half_height in boxes:
        assert half - 1 <= x <= width - half + 1
        assert half_height <= y <= height - half_height
    for (x1, y1, half1, high1), (x2, y2, half2, high2) in combinations(boxes, 2):
        assert abs(x1 - x2) >= half1 + half2 - 1 or abs(y1 - y2) >= high1 + high2 - 1


def test_those_who_are_joined_stand_nearer() -> None:
    """Two groups of six: a name's own group is nearer than the other, on average."""
    shown = names(12)
    links = tuple(
        NameLink(one.id, other.id, 5) for one, other in combinations(shown, 2) if (one.id <= 6) == (other.id <= 6)
    )
    spots = {spot.name.id: spot for spot in draw_map(shown, links, [""] * 12, width=960, height=560).spots}

    def apart(pairs: list[tuple[int, int]]) -> float:
        return sum(
            abs(complex(spots[one].x - spots[other].x, spots[one].y - spots[other].y)) for one, other in pairs
        ) / len(pairs)

    within = [(one, other) for one, other in combinations(range(1, 13), 2) if (one <= 6) == (other <= 6)]
    across = [(one, other) for one in range(1, 7) for other in range(7, 13)]
    assert apart(within) < 0.6 * apart(across)


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[OpenedPage]:
    """A page over a circle of thirty people."""
    async with run_console(tmp_path, NO_RAG) as chat, open_page(chat.app.parts) as opened:
        await fill(chat.app.parts, Circle.of(30), 60, SCOPE)
        yield opened


async def test_everybody_is_on_the_map_or_the_list(page: OpenedPage) -> None:
    """Each is a link to a page of their own; the list holds all, page by page, the map the most named."""
    async with page.visit(ANNA) as visitor:
        shown = (await visitor.get("/m/tu42/people")).text
        text = await visitor.read("/m/tu42/people")
        found = await visitor.read("/m/tu42/people?q=vera")
        nobody = await visitor.read("/m/tu42/people?q=zebra")
    narrow = shown.split('class="map narrow"')[1].split("</svg>")[0]
    wide = shown.split('class="map wide"')[1].split("</svg>")[0]

    assert len(re.findall(r'<a href="[^"]+/m/tu42/people/\d+"', narrow)) == 18
    assert len(re.findall(r'<a href="[^"]+/m/tu42/people/\d+"', wide)) > 30
    assert "Vera" in text
    assert "Sister" in text
    assert "Otto" not in found
    assert "Nothing was found." in nobody


async def test_a_page_tells_what_is_known(page: OpenedPage) -> None:
    """Kind, relation, dates, memories, who is named beside them, and where it was said."""
    async with page.visit(ANNA) as visitor:
        shown = (await visitor.get("/m/tu42/people?q=vera")).text
        found = re.search(r'<li><a href="([^"]+/m/tu42/people/\d+)">Vera</a>', shown)
        assert found is not None
        person = await visitor.read(found[1])
        missing = await visitor.get("/m/tu42/people/99999")
        wrong = await visitor.get("/m/tu42/people/x1")

    assert "person · Sister" in person
    assert "My sister Vera lives in Porto." in person
    assert "Named together with" in person
    assert "Porto" in person.split("Named together with")[1]
    assert missing.status_code == wrong.status_code == 404


async def test_a_relation_is_told_in_the_readers_language(page: OpenedPage) -> None:
    """It is kept as a concept that all languages share."""
    async with page.visit(Visitor((SCOPE,), language="de")) as visitor:
        german = await visitor.read("/m/tu42/people?q=vera")

    assert "Schwester" in german
