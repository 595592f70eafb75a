"""The recall benchmark measures what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.recall.dataset import load
from harness.recall.metrics import Judged, auroc, measure


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
