"""Long chunks with a fact at their beginning, middle or end, and the place of that fact among what is found.

Each document is 750 words about something else with one sentence put into it, cut with the default chunk size; each
question asks for one of these sentences among all documents.  Per mode and place: how many chunks with the sentence
stand first, how many are found at all, and of how many.  With the local model, through HTTP in this process.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import httpx

from harness.memory_server.serving import MODES, serving
from memory_server.options import Embedder

PLACES = ("first", "middle", "last")
TOPICS = """
    gardening sailing astronomy beekeeping carpentry pottery chess baking cycling weaving painting fishing climbing
    history geology music theatre photography birds trains bridges rivers castles markets harbours forests deserts
    glaciers islands volcanoes libraries museums schools hospitals stations airports stadiums temples farms mills
    """.split()  # noqa: SIM905 - forty quoted words would be no list to read
NAMES = """
    Adler Bramley Calder Draper Ellwood Farrow Gresham Hollis Ingram Jarvis Kessler Lomax Marden Norris Oakley Paxton
    Quincy Rowell Selby Tanner Upton Vickers Wexler Yardley Zeller Ashby Birch Conway Denby Easton Foley Garner Hadley
    Ivers Joyner Kendal Lowry Milner Nevin Orton
    """.split()  # noqa: SIM905 - as above
DISHES = ("lentil soup", "cherry pie", "grilled trout", "rye bread", "plum jam", "onion tart", "barley stew")


@dataclass(frozen=True, slots=True)
class Hidden:
    """A document, the fact in it, where it stands, and the question for it."""

    text: str
    fact: str
    place: str
    question: str


@dataclass(frozen=True, slots=True)
class Ranks:
    """How many of ``asked`` facts stood first, and how many were found."""

    first: int
    found: int
    asked: int


def hidden(number: int, words: int = 750) -> Hidden:
    """Return document ``number``; the places take turns."""
    rng = random.Random(number)
    topic, name = TOPICS[number % len(TOPICS)], NAMES[number % len(NAMES)]
    around: list[str] = []
    while sum(len(sentence.split()) for sentence in around) < words:
        around.append(_filling(rng, topic))
    place = PLACES[number % len(PLACES)]
    fact = f"{name} ordered {rng.choice(DISHES)} at the harvest dinner on {1 + number % 28} May."
    around.insert({"first": 0, "middle": len(around) // 2, "last": len(around)}[place], fact)
    return Hidden(" ".join(around), fact, place, f"What did {name} order at the dinner?")


def _filling(rng: random.Random, topic: str) -> str:
    verb = rng.choice(("describes", "explains", "mentions", "shows", "compares", "lists", "covers", "introduces"))
    first, second = rng.sample(("methods", "tools", "people", "places", "seasons", "materials", "costs", "rules"), 2)
    like = rng.choice(("old", "new", "common", "simple", "careful", "local", "famous", "quiet"))
    return f"This part of the notes on {topic} {verb} {like} {first} and {second} that everybody there should know."


async def measure(folder: Path, embedder: Embedder, count: int) -> dict[str, dict[str, Ranks]]:
    """Index ``count`` documents and ask for the fact of each, in every mode."""
    documents = [hidden(number) for number in range(count)]
    async with serving(folder, embedder) as (server, client):
        for number, document in enumerate(documents):
            body = {"text": document.text, "file_source": f"{number}.txt"}
            (await client.post("/documents/text", json=body)).raise_for_status()
        await server.worker.wait_until_idle()
        return {mode: await _ranks(client, documents, mode) for mode in MODES}


async def _ranks(client: httpx.AsyncClient, documents: list[Hidden], mode: str) -> dict[str, Ranks]:
    places: dict[str, list[int]] = defaultdict(list)
    for document in documents:
        answer = await client.post("/query/data", json={"query": document.question, "mode": mode})
        answer.raise_for_status()
        chunks = answer.json()["data"].get("chunks", [])
        rank = next((place for place, chunk in enumerate(chunks, 1) if document.fact in chunk["content"]), 0)
        places[document.place].append(rank)
    return {
        place: Ranks(ranks.count(1), sum(rank > 0 for rank in ranks), len(ranks)) for place, ranks in places.items()
    }
