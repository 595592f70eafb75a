"""Where the names of a map stand: those that are named together near each other, none over another's label.

Forces place them (Fruchterman and Reingold, 1991), from a spiral that begins with the most named, then labels are
pushed apart until none overlap.  No chance in it: the same names always make the same map.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from unicodedata import category, east_asian_width

import numpy as np
import numpy.typing as npt

from bot.ports.memory_browser import KnownName, NameLink

Places = npt.NDArray[np.float64]
_ROUNDS: Final = 160
_PUSHES: Final = 400
_GOLDEN: Final = np.pi * (3 - np.sqrt(5))
_SIZE, _NOTE_SIZE = 13.0, 11.0
"""Letters of a label and of its note, as the style sheet has them."""
_WIDTHS: Final = MappingProxyType({"W": 1.0, "F": 1.0, "Lu": 0.68, "Ll": 0.54, "Nd": 0.56, "Zs": 0.3, "Mn": 0.0})
"""Widths of characters in heights of the letters, by East Asian width, else by category, as in a sans-serif font."""
_WIDTH: Final = 0.45
_SLIM, _BROAD = frozenset("fijlrtIJ"), frozenset("mwMWжмшщыюфЖМШЩЫЮФ")
_SLIMMER, _BROADER = 0.6, 1.4
_LINE, _ABOVE = 1.5, 1.15
"""Height of a line, and of its part above the foot of the letters, in heights of the letters.

That is more than most fonts need: a browser may be set to larger letters.
"""
_LONGEST: Final = 16
_GAP: Final = 7.0
_LEAST, _MOST = 7.0, 18.0
"""Radius of a sign, in units of the drawing."""
_DRAWN_IN: Final = 0.7
_STRONGEST: Final = 3
"""Links drawn from each name, the strongest first: more of them would hide which matter."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A name on the map: the middle of its sign, its radius, and the label that stands below with its note.

    Whatever font a browser has, it fits the words into these widths.
    """

    name: KnownName
    x: float
    y: float
    radius: float
    label: str
    note: str = ""
    label_width: float = 0.0
    note_width: float = 0.0

    @property
    def label_y(self) -> float:
        return round(self.y + self.radius + _ABOVE * _SIZE, 1)

    @property
    def note_y(self) -> float:
        return round(self.y + self.radius + _LINE * _SIZE + _ABOVE * _NOTE_SIZE, 1)


@dataclass(frozen=True, slots=True)
class Line:
    """A link between two spots, and how broad it is drawn."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """A map of ``width`` by ``height`` units."""

    width: int
    height: int
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]


def draw_map(
    names: Sequence[KnownName], links: Sequence[NameLink], notes: Sequence[str], *, width: int, height: int
) -> DrawnMap:
    """Return the map of some names; ``notes`` say who each is, in a word or two, "" for nothing.

    As many names fit as labels do: some 18 into 360 by 520 units, some 40 into 960 by 560.
    """
    if not names:
        return DrawnMap(width, height, (), ())
    place = {name.id: number for number, name in enumerate(names)}
    weights = np.zeros((len(names), len(names)))
    for link in links:
        one, other = place[link.one], place[link.other]
        weights[one, other] = weights[other, one] = 1 + np.log(link.count)
    labels = [_cut(name.shown) for name in names]
    radii = _size([name.count for name in names])
    spans = [(_measure(label, _SIZE), _measure(note, _NOTE_SIZE)) for label, note in zip(labels, notes, strict=True)]
    half = np.array(
        [
            (max(*widths, 2 * radius) / 2 + _GAP, radius + _LINE * (_SIZE + (_NOTE_SIZE if note else 0)) / 2 + 4)
            for widths, note, radius in zip(spans, notes, radii, strict=True)
        ]
    )
    places = _push_apart(_spread(weights, width, height), half, width, height)
    spots = tuple(
        # The box holds the sign and the label below it: the sign is its upper part.
        Spot(name, round(float(x), 1), round(float(y - box[1] + radius + 1), 1), round(radius, 1), label, note, *widths)
        for name, (x, y), box, radius, label, note, widths in zip(
            names, places, half, radii, labels, notes, spans, strict=True
        )
    )
    return DrawnMap(width, height, spots, _join(spots, weights))


def _cut(shown: str) -> str:
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1].rstrip() + "…"


def _measure(text: str, size: float) -> float:
    """Return how broad a text is in letters of a size: a mean of fonts, to which the browser's own is fitted."""
    return round(size * sum(map(_measure_letter, text)), 1)


def _measure_letter(letter: str) -> float:
    named = _WIDTHS.get(east_asian_width(letter)) or _WIDTHS.get(category(letter), _WIDTH)
    return named * (_SLIMMER if letter in _SLIM else _BROADER if letter in _BROAD else 1)


def _size(counts: Sequence[int]) -> list[float]:
    most = max(counts)
    return [float(_LEAST + (_MOST - _LEAST) * np.sqrt(count / most)) for count in counts]


def _spread(weights: Places, width: int, height: int) -> Places:
    """Return places by forces: all push each other away, links pull, and a little everything to the middle."""
    size = len(weights)
    turns = np.arange(size) * _GOLDEN
    reach = np.sqrt((np.arange(size) + 0.5) / size) * 0.45
    places = np.stack([np.cos(turns) * reach, np.sin(turns) * reach], axis=1)
    ideal = 1 / np.sqrt(size)
    pull = weights / (weights.max() or 1)
    for step in range(_ROUNDS):
        apart = places[:, None] - places[None]
        far = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-3)
        force = (ideal**2 / far**2 - pull * far / ideal)[..., None] * apart
        moves = force.sum(axis=1) - places * 0.6
        length = np.maximum(np.sqrt((moves**2).sum(axis=1, keepdims=True)), 1e-9)
        places += moves / length * np.minimum(length, 0.12 * (1 - step / _ROUNDS))
    # What nothing joins drifts far out: drawn nearer, it leaves the room to those that are joined.
    reach = np.maximum(np.sqrt((places**2).sum(axis=1, keepdims=True)), 1e-9)
    places *= (reach / reach.max()) ** (_DRAWN_IN - 1)
    low, high = places.min(axis=0), places.max(axis=0)
    shares = (places - low) / np.maximum(high - low, 1e-9)
    result: Places = np.array([0.12, 0.1]) * (width, height) + shares * np.array([0.76, 0.8]) * (width, height)
    return result


def _push_apart(places: Places, half: Places, width: int, height: int) -> Places:
    """Move boxes that overlap away from each other by the shorter way, and all of them into the drawing."""
    size = len(places)
    upper = np.triu(np.ones((size, size), dtype=bool), 1)
    limit = np.array([width, height], dtype=np.float64)
    for _ in range(_PUSHES):
        places = np.clip(places, half, limit - half)
        apart = places[None] - places[:, None]
        over = half[None] + half[:, None] - np.abs(apart)
        hits = np.argwhere((over.min(axis=2) > 0.01) & upper)  # noqa: PLR2004 - a hundredth of a unit is no overlap
        if not len(hits):
            break
        for one, other in hits:
            axis = int(over[one, other, 1] < over[one, other, 0])
            ahead = 1.0 if apart[one, other, axis] >= 0 else -1.0
            step = (over[one, other, axis] / 2 + 0.2) * ahead
            places[one, axis] -= step
            places[other, axis] += step
    return np.clip(places, half, limit - half)


def _join(spots: Sequence[Spot], weights: Places) -> tuple[Line, ...]:
    drawn: dict[tuple[int, int], float] = {}
    for one in range(len(spots)):
        for other in np.argsort(-weights[one], kind="stable")[:_STRONGEST]:
            if weights[one, other] > 0:
                drawn[min(one, int(other)), max(one, int(other))] = float(weights[one, other])
    return tuple(
        Line(spots[one].x, spots[one].y, spots[other].x, spots[other].y, round(min(1 + weight, 5), 1))
        for (one, other), weight in sorted(drawn.items())
    )
