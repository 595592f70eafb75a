"""The recall benchmark measures what it says."""

from __future__ import annotations

import json
import random
from pathlib import Path

import httpx
import pytest
import respx

from adapters.rag.client import LightRagClient
from adapters.rag.transport import ServerNames
from bot.memory.scope import Scope
from bot.ports.rag import QueryMode
from harness.fakes.lightrag import INSTALLATION
from harness.recall.cached_rag import CachedRag
from harness.recall.dataset import TALKS, first_person, load, together, typos, user_and_assistant
from harness.recall.documents import make_documents
from harness.recall.metrics import Judged, auroc, measure
from tests.cases import each_row


def test_dirty_labels_are_repaired_or_dropped_and_counted(tmp_path: Path) -> None:
    """Joined, mistyped and unknown labels; missing dates; other category words."""
    turns = [{"speaker": "A", "dia_id": f"D1:{number}", "text": f"text {number}"} for number in range(1, 4)]
    questions = [
        {"question": "q1", "evidence": ["D1:1; D1:2"], "category": 1},
        {"question": "q2", "evidence": ["D:1:03"], "category": "single-hop"},
        {"question": "q3", "evidence": ["D9:9"], "category": 4},
        {"question": "q4"},
    ]
    sample = {"sample_id": "s", "conversation": {"speaker_a": "A", "session_1": turns}, "qa": questions}
    path = tmp_path / "data.json"
    path.write_text(json.dumps([sample]), encoding="utf-8")

    (conversation,), repairs = load(path)

    assert [question.evidence for question in conversation.questions] == [("D1:1", "D1:2"), ("D1:3",), (), ()]
    assert (repairs.repaired, repairs.dropped, repairs.without_evidence) == (3, 1, 2)
    assert repairs.undated_sessions == 1
    assert conversation.questions[1].category == "single-hop"


def test_metrics_are_those_of_the_definitions() -> None:
    """Recall, reciprocal rank, nDCG and recall within a budget of one ranking, by hand."""
    judged = Judged("4", frozenset({"a", "b"}), ("x", "a", *"cdefghijkl", "b"), (400, 200, *[100] * 10, 100))

    overall = measure([judged])["overall"]

    assert isinstance(overall, dict)
    assert overall["recall@1"] == 0
    assert overall["recall@5"] == overall["recall@10"] == 50
    assert overall["recall@20"] == 100
    assert overall["mrr"] == 50
    assert overall["ndcg@10"] == pytest.approx(100 * 0.63093 / 1.63093, abs=0.01)
    assert (overall["recall@500tokens"], overall["recall@1000tokens"], overall["recall@2000tokens"]) == (0, 50, 100)


def test_adversarial_questions_are_outside_the_overall() -> None:
    """Category 5 counts in "all" alone; questions without evidence nowhere."""
    rows = [
        Judged("5", frozenset({"a"}), (), ()),
        Judged("4", frozenset({"a"}), ("a",), (9,)),
        Judged("4", frozenset(), ("a",), (9,)),
    ]

    result = measure(rows)

    assert result["overall"] != result["all"]
    assert isinstance(result["all"], dict)
    assert result["all"]["questions"] == 2


def test_auroc_is_the_chance_of_the_right_order() -> None:
    """Perfect, reversed and half."""
    import numpy as np  # noqa: PLC0415 - used here alone

    known = np.array([True, True, False, False])

    assert auroc(np.array([4.0, 3.0, 2.0, 1.0]), known) == 1
    assert auroc(np.array([1.0, 2.0, 3.0, 4.0]), known) == 0
    assert auroc(np.array([4.0, 1.0, 3.0, 2.0]), known) == 0.5


def test_transforms_keep_labels_and_change_what_they_say() -> None:
    """First person has an asker, the assistant is verbose, typos spare the turns."""
    (conversation,), _ = load(TALKS / "en.json")
    chance = random.Random(1)

    mine = first_person(conversation, chance)
    chat = user_and_assistant(conversation, chance)
    misspelt = typos(conversation, chance)

    assert mine.questions[0].text == "What course did I sign up for?"
    assert mine.questions[0].asker == "Anna"
    assert {turn.speaker for turn in chat.said} == {"user", "assistant"}
    assert min(len(turn.text.split()) for turn in chat.said if turn.by_assistant) > 100
    assert misspelt.said == conversation.said
    assert misspelt.questions != conversation.questions
    assert all(
        one.evidence == other.evidence for one, other in zip(chat.questions, conversation.questions, strict=True)
    )


@each_row("language", ["en", "ru", "de"])
def test_every_talk_has_the_same_labels(language: str) -> None:
    """The translations differ in words only."""
    (conversation,), repairs = load(TALKS / f"{language}.json")
    (english,), _ = load(TALKS / "en.json")

    assert repairs.dropped == 0
    assert [q.evidence for q in conversation.questions] == [q.evidence for q in english.questions]


def test_messages_of_three_questions_have_the_evidence_of_all() -> None:
    """Each question is in one message at most, and none is lost but a rest of one or two."""
    (conversation,), _ = load(TALKS / "en.json")
    asked = [one for one in conversation.questions if one.evidence]

    messages = together(conversation)

    assert len(messages) == len(asked) // 3
    for message in messages:
        inside = [one for one in asked if one.text in message.text]
        assert set(message.evidence) == {turn for one in inside for turn in one.evidence}


async def test_sources_of_one_run_share_what_lightrag_said(respx_mock: respx.Router) -> None:
    """A question is asked once per mode; what it had cost is told to whoever hears it again."""
    route = respx_mock.post("http://rag.test/query/data").mock(
        return_value=httpx.Response(200, json={"status": "success", "data": {}, "metadata": {}})
    )
    client = LightRagClient("http://rag.test", "", names=ServerNames(INSTALLATION))
    heard, scope = CachedRag(client), Scope("tu1")
    for mode in (QueryMode.MIX, QueryMode.MIX, QueryMode.NAIVE):
        await heard.query(scope, "Where does Vera live?", mode, deadline_s=5)
    await client.close()

    assert route.call_count == 2
    assert heard.saved_ms > 0


def test_every_fact_of_the_documents_stands_in_them() -> None:
    """Each in a document of its own; the same seed makes the same documents."""
    made = make_documents()
    kinds = {question.kind for question in made.questions}

    assert kinds == {"same words", "other words", "two documents"}
    assert len(made.questions) == 60
    for question in made.questions:
        holding = [[name for name, text in made.documents.items() if fact in text] for fact in question.facts]
        assert all(len(names) >= 1 for names in holding), question
        assert len({names[0] for names in holding}) == len(question.facts)
    assert made == make_documents()
