"""The benchmark of the prompt counts what it says, and a short run of it from beginning to end."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from harness.prompt.counting import (
    TurnFinder,
    compare_prefix,
    count_repeats,
    serialise,
    take_apart,
)
from harness.prompt.measuring import Record, choose_questions, measure_prompts, summarise
from harness.prompt.replay import CONVERSATION, GREETING, NOTHING, ConversationModel, DataClock, classify, pair_up
from harness.recall.dataset import Conversation, Labelled, Said, load
from harness.samples import WordEmbedder
from language.tokens import count_tokens
from tests.cases import each_row

BEGIN = datetime(2024, 3, 1, 9, tzinfo=UTC)
RELEVANT = """# Relevant Memory

What stands between the two lines with the mark ab12ab12 was said earlier.

<<<relevant ab12ab12
- [2024-03-01 | Nora] My sister Vera moved to Porto last spring with her two dogs. / She likes it.
- [2024-03-02 | assistant] Porto has a lighthouse.
(3 more not shown)
relevant ab12ab12>>>"""


def request(system: str, *said: str, tools: tuple[str, ...] = ()) -> dict[str, Any]:  # Any: JSON
    """Return a request whose messages after the first are the user's and the assistant's in turn."""
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "system", "content": system}, *messages]}
    return {**body, "tools": [{"type": "function", "function": {"name": tool}} for tool in tools]} if tools else body


def test_a_request_is_read_in_the_order_of_a_server() -> None:
    """What leads as system comes first, then the tools, then the messages in their order, later system ones too."""
    body = request("Be brief.", "Hi", "Hello", tools=("clock",))
    body["messages"].insert(2, {"role": "system", "content": "Now."})

    text = serialise(body)

    places = [text.index(part) for part in ("Be brief.", '"clock"', "Hi", "Now.", "Hello")]
    assert places == sorted(places)


def test_the_common_prefix_ends_where_two_requests_differ() -> None:
    """History that grows is the same up to its old end; a first request has nothing before it."""
    before = serialise(request("Be brief.", "My name is Nora."))
    now = serialise(request("Be brief.", "My name is Nora.", "Noted.", "And I live in Porto."))

    grown, first, other = (compare_prefix(*pair) for pair in ((before, now), ("", now), (f"x{before}", now)))

    assert (grown.tokens, grown.whole_tokens) == (count_tokens(before), count_tokens(now))
    assert grown.new_tokens == count_tokens(now) - count_tokens(before)
    assert first.tokens == other.tokens == 0
    assert first.new_tokens == count_tokens(now)


def test_memory_is_what_is_fenced_under_its_heading() -> None:
    """Sections count whole, entries without their heads; what follows under another heading is none."""
    shown = take_apart(
        request(f"# Rules\n\nBe brief.\n\n{RELEVANT}\n\n# Available Tools\n\n- clock: time", "Hi")
    ).memory

    assert shown.lines == (
        "My sister Vera moved to Porto last spring with her two dogs. / She likes it.",
        "Porto has a lighthouse.",
    )
    assert shown.tokens == count_tokens(f"{RELEVANT}\n\n")
    assert shown.by_section == {"Relevant Memory": shown.tokens}


def test_memory_is_found_in_a_message_of_its_own_and_not_in_what_people_say() -> None:
    """Wherever the prompt puts it, it is memory and no history; the same heading in somebody's words is neither."""
    apart = request("Be brief.", "# Memory\n\nis what I call it", "I see.", "x")
    apart["messages"].insert(3, {"role": "user", "content": RELEVANT})

    assert len(take_apart(apart).memory.lines) == 2
    assert take_apart(apart).history == ("# Memory\n\nis what I call it", "I see.")
    assert take_apart(request("# Relevant Memory\n\nNothing fits.", "Hi")).memory.tokens > 0
    assert take_apart(request("Be brief.", f"{RELEVANT}\n\nWhere is Vera?")).memory.sections == (RELEVANT,)


def test_a_request_is_taken_apart_by_what_its_pieces_are_for() -> None:
    """Wishes and the summary are no memory of the newest message, nor is the time; a question is no history."""
    front = (
        "Be brief.\n\n# Standing Wishes\n\nKeep to it.\n\n<<<wishes ab12ab12\n- [x] Metric units.\nwishes ab12ab12>>>"
    )
    summary = "# Earlier In This Conversation\n<<<summary ab12ab12\n- [x] Of dogs.\nsummary ab12ab12>>>"
    body = request(front, f"{summary}\n\nMy first words", "I see.", "Where is Vera?", tools=("clock",))
    body["messages"].insert(3, {"role": "system", "content": f"Now: Friday\n\n{RELEVANT}"})

    layout = take_apart(body)

    assert layout.front == (*layout.front[:1], "Be brief.\n\n")
    assert "clock" in layout.front[0]
    assert layout.wishes.lines == ("Metric units.",)
    assert layout.summary.lines == ("Of dogs.",)
    assert layout.history == ("My first words", "I see.")
    assert layout.memory.sections == (RELEVANT,)
    assert layout.context == ("Now: Friday\n\n",)
    joined = request("Be brief.", "Now: Friday\n\n# Relevant Memory\n(nothing)\n\nWhere is Vera?")
    assert take_apart(joined).memory.sections == ("# Relevant Memory\n(nothing)\n\n",)
    assert take_apart(joined).context == ("Now: Friday\n\n",)
    wished = "# Standing Wishes\n\nKeep to it.\n\n<<<wishes ab12ab12\n- [x] Metric units.\nwishes ab12ab12>>>"
    for told, memory in (
        (RELEVANT, (RELEVANT,)),
        ("# Relevant Memory\n(nothing)", ("# Relevant Memory\n(nothing)\n\n",)),
    ):
        grouped = take_apart(request("Be brief.", f"Now: Friday\n\n{wished}\n\n{told}\n\nWhere is Vera?"))
        assert grouped.wishes.lines == ("Metric units.",)
        assert tuple(each.lstrip() for each in grouped.memory.sections) == memory
        assert grouped.context == ("Now: Friday\n\n",)
        assert grouped.history == ()
    alone = take_apart(request("Be brief.", f"Now: Friday\n\n{wished}\n\n# Memory\n\nis mine"))
    assert (alone.wishes.lines, alone.memory.sections) == (("Metric units.",), ())
    assert set(layout.count()) == {"front", "wishes", "summary", "history", "memory", "context"}


def test_a_sentence_repeats_when_memory_says_what_stands_there_already() -> None:
    """In the history or earlier in memory, whatever its signs; short ones and repeats of the people are left out."""
    history = ("I have moved to Porto this spring!", "Thank you.", "I have moved to Porto this spring!")

    assert count_repeats((), history) == 0
    assert count_repeats(("Well then. / i have moved to Porto - this spring", "Thank you."), history) == 1
    assert count_repeats(("Vera keeps two dogs at home.", "Vera keeps two dogs at home."), ()) == 1
    assert count_repeats(("Vera keeps two dogs at home.",), history) == 0


def test_a_turn_is_recognised_by_a_stretch_of_words_that_it_alone_holds() -> None:
    """A passage of it is enough, cut or escaped; words that two turns share name neither."""
    common = "let me know if there is anything else you need from me"
    finder = TurnFinder(
        {
            "D1:1": "My sister Vera moved to Porto last spring with her two dogs. She likes it there.",
            "D1:2": f"How lovely for all of them, {common}",
            "D1:3": f"I see what you mean by that now, {common}",
            "D1:4": "Yes, both!",
        }
    )

    assert finder.find("- [2024] … VERA moved to Porto last spring / with her two…") == {"D1:1"}
    assert finder.find("She likes it there.") == {"D1:1"}
    assert finder.find(common) == frozenset()
    assert finder.find("Yes, both!") == {"D1:4"}
    assert finder.find("Nothing of the kind was ever said by anybody in here.") == frozenset()
    assert finder.find_any(("Yes, both!", f"How lovely for all of them, {common}")) == {"D1:2", "D1:4"}


@each_row(
    ("about", "kind"),
    [
        ({"previous": "", "exchanges": []}, "summary"),
        ([{"exchange": 1, "user": "x"}], "extraction"),
        ({"question": "?", "notes": {}}, "compression"),
        ({"question": "?", "statements": []}, "check"),
        ({"other": 1}, "other"),
    ],
)
def test_a_background_call_is_told_by_what_it_is_about(about: object, kind: str) -> None:
    """Only requests with tools belong to the conversation, whatever they say."""
    asked = json.dumps(about)

    assert classify(request("Do it.", asked))[0] == kind
    assert classify(request("Do it.", asked, tools=("clock",)))[0] == CONVERSATION


def test_the_scripted_summary_grows_and_stays_bounded() -> None:
    """It goes on from the one before; its oldest part gives way."""
    model, summary = ConversationModel(), ""
    for number in range(100):
        told = {"previous": summary, "exchanges": [{"user": f"The harbour number {number} has lighthouses everywhere"}]}
        step = model(request("Condense.", json.dumps(told)))
        summary = getattr(step, "text", "")

    assert "lighthouses" in summary
    assert count_tokens(summary) <= 400
    assert [call.kind for call in model.take()] == ["summary"] * 100
    assert model.take() == ()


def test_the_scripted_extraction_words_the_chronicle_of_long_messages() -> None:
    """The first words of the first twelve, by their numbers, so that the benchmark pays for them."""
    long = "My sister Vera moved to Porto in May with her two dogs and the cat of our late aunt. " * 2
    told = [{"exchange": number, "user": "It rains." if number == 2 else long} for number in range(1, 20)]
    model = ConversationModel()
    said = json.loads(getattr(model(request("Extract.", json.dumps(told))), "text", ""))

    assert list(said["digest"]) == [str(number) for number in (1, *range(3, 14))]
    assert set(said["digest"].values()) == {"My sister Vera moved to Porto in May with her two dogs"}
    assert len(said["items"]) == 18


def test_of_two_people_the_first_is_the_user_and_the_other_the_model() -> None:
    """Turns in a row are one message, and what is missing on either side is made up."""
    said = [("Nora", "Hi Ben"), ("Nora", "It rains"), ("Ben", "Here too"), ("Nora", "Bye")]
    turns = [Said(f"D1:{place}", who, text, 1, BEGIN) for place, (who, text) in enumerate(said, 1)]
    turns.append(Said("D2:1", "Ben", "Good morning", 2, BEGIN))

    exchanges, user, model = pair_up(Conversation("c", tuple(turns), ()))

    assert (user, model) == ("Nora", "Ben")
    assert [(each.user, each.assistant) for each in exchanges] == [
        ("Hi Ben\nIt rains", "Here too"),
        ("Bye", NOTHING),
        (GREETING, "Good morning"),
    ]
    assert [each.turns for each in exchanges] == [("D1:1", "D1:2", "D1:3"), ("D1:4",), ("D2:1",)]


def test_only_questions_are_asked_whose_evidence_was_said() -> None:
    """Of more than are wanted a selection is spread over all."""
    questions = [Labelled(number, "?", (f"D{number}",), "1") for number in range(10)]

    assert [one.index for one in choose_questions(questions, frozenset({"D2", "D5"}), None)] == [2, 5]
    assert [one.index for one in choose_questions(questions, frozenset(f"D{n}" for n in range(10)), 2)] == [0, 5]
    assert choose_questions(questions, frozenset(), 3) == ()


def test_the_clock_of_the_data_never_goes_back() -> None:
    """An earlier date than now leaves it as it is."""
    clock = DataClock(BEGIN)
    clock.set(BEGIN + timedelta(days=2))
    clock.set(BEGIN)

    assert clock.now() >= BEGIN + timedelta(days=2)


TALK = [
    ("My sister Vera moved to Porto last spring with her two dogs.", "Porto is a fine town for dogs and for people."),
    ("I work as a gardener in the botanical garden of Riga.", "The palm house there is worth a visit on its own."),
    ("My old bicycle was stolen in front of the town library.", "I am sorry; tell the police the number of its frame."),
    ("I have ordered forty tulip bulbs for the bed by the gate.", "Plant them in October, as deep as three bulbs."),
    ("The allotment meeting is on Tuesday evening at seven.", "I hope that they agree about the new water pump."),
]


async def test_a_conversation_of_ten_turns_is_measured_from_beginning_to_end(tmp_path: Path) -> None:
    """Every message makes one request, history makes the second prompt longer, and what was said is found again."""
    turns = [
        {"speaker": speaker, "dia_id": f"D1:{2 * number + place}", "text": text}
        for number, pair in enumerate(TALK)
        for place, (speaker, text) in enumerate(zip(("user", "assistant"), pair, strict=True), 1)
    ]
    data = tmp_path / "talk.json"
    conversation = {"session_1_date_time": "9:00 am on 1 March, 2024", "session_1": turns}
    asked = {"question": "Where does my sister Vera live now?", "evidence": ["D1:1"], "category": "single"}
    data.write_text(json.dumps([{"sample_id": "made", "conversation": conversation, "qa": [asked]}]), encoding="utf-8")
    (made,), _ = load(data)
    record = Record(made.name)

    await measure_prompts(made, tmp_path / "bot", record, embedder=WordEmbedder())
    report = summarise([record])

    assert report["turns"]["messages"] == len(TALK)
    assert report["messages_without_a_request"] == 0
    first, second = record.turns[:2]
    assert second["prompt_tokens"] > first["prompt_tokens"] == first["new_tokens"]
    assert 0 < second["comparable_new"] < second["comparable"] == second["prompt_tokens"]
    assert report["background"]["calls"] == {"extraction": 1}
    (question,) = record.questions
    assert question["prompt_tokens"] == question["new_tokens"]
    assert question["memory_tokens"] > 0
    assert question["in_memory_percent"] == question["in_prompt_percent"] == 100.0
    assert question["in_history_percent"] == 0.0
    assert report["questions"]["evidence"]["categories"]["single"]["in_prompt_percent"] == 100.0
    assert report["nothing_relevant"]["messages"] > 0
    assert report["turns"]["build_ms_p50"] > 0
