"""Completions from the chunks that different servers send."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.llm.stream import CompletionAssembler, SseParser, ThinkingFilter, ThinkingHabit
from bot.errors import ContextTooLong, ModelRefused, ModelUnavailable
from bot.turn import ToolCall, Usage
from tests.cases import each_row


def chunk(delta: Any, finish: str | None = None) -> str:
    return json.dumps({"choices": [{"delta": delta, "finish_reason": finish}]})


def assembled(*chunks: str) -> CompletionAssembler:
    assembly = CompletionAssembler("example.org", "m")
    for one in chunks:
        assembly.take(one)
    assembly.take_rest()
    return assembly


def call(name: str | None = None, arguments: Any = None, **fields: Any) -> Any:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {"tool_calls": [{"function": function, **fields}]}


def test_calls_are_joined_by_index() -> None:
    """OpenAI: the id and name come first, the arguments in pieces, two calls interleaved."""
    done = assembled(
        chunk(call("a", "", index=0, id="x")),
        chunk(call("b", "", index=1, id="y")),
        chunk(call(None, '{"q"', index=0)),
        chunk(call(None, "{}", index=1)),
        chunk(call(None, ": 1}", index=0), "tool_calls"),
    ).build_completed()

    assert done.tool_calls == (ToolCall("x", "a", '{"q": 1}'), ToolCall("y", "b", "{}"))


def test_calls_without_index_or_id_are_kept_apart() -> None:
    """Gemini: whole calls, all with index 0 or none at all; older Ollama: arguments as an object."""
    done = assembled(
        chunk(call("a", "{}", index=0, id="x")),
        chunk(call("b", "{}", index=0, id="y")),
        chunk(call("c", {"k": "v"}, id="z"), "stop"),
    ).build_completed()

    assert done.tool_calls == (
        ToolCall("x", "a", "{}"),
        ToolCall("y", "b", "{}"),
        ToolCall("z", "c", '{"k": "v"}'),
    )


def test_a_repeated_name_is_not_doubled() -> None:
    """Some gateways repeat the name in every piece."""
    done = assembled(
        chunk(call("search", '{"q":', index=0, id="x")), chunk(call("search", "1}", index=0, id="x"), "stop")
    ).build_completed()

    assert done.tool_calls == (ToolCall("x", "search", '{"q":1}'),)


def test_content_may_be_null_parts_or_missing() -> None:
    """Null, lists of parts, unknown fields and empty choices are read for what they hold."""
    done = assembled(
        chunk({"role": "assistant", "content": None, "reasoning_content": "hm"}),
        chunk({"content": [{"type": "text", "text": "Por"}, {"type": "image"}]}),
        json.dumps({"choices": []}),
        json.dumps({"usage": None}),
        chunk({"content": "to"}, "stop"),
        json.dumps({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": None}}),
    ).build_completed()

    assert (done.text, done.usage) == ("Porto", Usage(7, 0, 1))


def test_unreadable_chunks_are_counted_and_passed_over() -> None:
    """One broken chunk costs its text, not the answer."""
    assembly = assembled(chunk({"content": "Por"}), '{"choices": [{"del', "", chunk({"content": "to"}, "stop"))

    assert assembly.build_completed().text == "Porto"
    assert assembly.malformed == 2


def test_events_run_together_are_read_one_by_one() -> None:
    """Servers that forget the blank line between events are understood."""
    done = assembled(
        "\n".join((chunk({"content": "Por"}), chunk({"content": "to"}, "stop"), "[DONE]"))
    ).build_completed()

    assert done.text == "Porto"


def test_an_end_without_finish_is_a_break() -> None:
    """Text that just ends is not passed off as an answer; with the last marker it is one."""
    with pytest.raises(ModelUnavailable, match="broke off"):
        assembled(chunk({"content": "Vera lives"})).build_completed()

    assert assembled(chunk({"content": "Porto"}), "[DONE]").build_completed().finish_reason == "stop"


def test_an_emoji_cut_in_two_is_joined() -> None:
    """Half a surrogate pair waits for the other half, and a lone one becomes a replacement character."""
    done = assembled(chunk({"content": "a\ud83c"}), chunk({"content": "\udfe0b\ud83c"}, "stop")).build_completed()

    assert done.text == "a🏠b\ufffd"


@each_row(
    ("error", "kind"),
    [
        ({"error": {"message": "Rate limit", "code": 429}}, ModelUnavailable),
        ({"error": {"message": "overloaded", "type": "overloaded_error"}}, ModelUnavailable),
        ({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}, ModelRefused),
        ({"error": "the request exceeds the available context size"}, ContextTooLong),
        ({"object": "error", "message": "maximum context length is 4096 tokens", "code": 400}, ContextTooLong),
    ],
)
def test_errors_inside_the_stream_are_raised(error: Any, kind: type[Exception]) -> None:
    """Providers that have begun to stream report their errors there."""
    with pytest.raises(kind):
        assembled(json.dumps(error))


def test_endless_tool_calls_are_refused() -> None:
    """A model that runs away in tool calls is cut off."""
    with pytest.raises(ModelUnavailable):
        assembled(*(chunk(call("a", "{}", id=str(number))) for number in range(200)))


KEYS = st.sampled_from(
    [
        "choices",
        "delta",
        "message",
        "content",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "index",
        "id",
        "usage",
        "finish_reason",
        "text",
    ]
)


@each_row("field", ["content", "tool_calls", "role"])
@each_row("value", [7, True, "text", {"a": 1}, [7], [None], [{"function": 7}], [{"function": {"name": []}}]])
def test_fields_of_a_wrong_type_are_survived(field: str, value: Any) -> None:
    """A server that is confused about types costs at most the field."""
    done = assembled(chunk({field: value}), chunk({"content": "Porto"}, "stop")).build_completed()

    assert done.text.endswith("Porto")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
        max_leaves=20,
    )
)
def test_any_json_is_survived(value: Any) -> None:
    """Whatever JSON a server sends, only errors of ours come out."""
    assembly = CompletionAssembler("example.org", "m")
    try:
        assembly.take(json.dumps({"choices": [value]}))
        assembly.take(json.dumps(value))
        assembly.take_rest()
        assembly.build_completed()
    except (ModelUnavailable, ModelRefused, ContextTooLong):
        pass  # that is how garbage ends


_NAMES = (
    *("think", "Think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "antThinking"),
    *("antml:thinking", "seed:think", "mm:think", "longcat_think", "inner_monologue", "think_fast", "chain_of_thought"),
)
"""Of Qwen and DeepSeek, EXAONE and Gemini, Reflection, Claude, Seed, MiniMax, LongCat."""
_PAIRS = (
    *((f"<{name}>", f"</{name}>") for name in _NAMES),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    (r"\u003cthink\u003e", r"\u003c/think\u003e"),
    ("<|channel|>thought<|message|>", "<|end|><|channel|>final<|message|>"),
    ("&#60;think&#62;", "&#x3C;/think&#x3E;"),
    ('<think effort="high" n=2>', "</think>"),
    ("<thinking>", "</think>"),
    ("< think >", "</ think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|think|>", "<|/think|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|><|begin_of_solution|>"),
    ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<unused94>thought\n", "<unused95>"),
    ("<|channel>thought\n", "<channel|>"),
    ("analysis", "assistantfinal"),
    ("analysis", "assistantcommentary to=functions.f {}assistantfinal"),
    *(
        (begin, f"<|end|><|start|>assistant<|channel|>{channel}<|message|>")
        for begin in ("<|channel|>analysis<|message|>", "analysis<|message|>")
        for channel in ("final", "final <|constrain|>json")
    ),
    (
        "<|channel|>analysis<|message|>",
        (
            "<|end|><|start|>assistant<|channel|>commentary to=f <|constrain|>json<|message|>{}<|call|>"
            "<|start|>assistant<|channel|>final<|message|>"
        ),
    ),
    ("<think>", "<scratchpad>a</scratchpad>b</think>"),
    ("<think>", "the tag <thinking> begins</think>"),
)
"""What opens and closes thoughts in the formats that models and servers publish."""


@each_row(
    ("text", "answer"),
    [
        *((f"{begin}hm 1 < 2 & hm{end}Porto & more", "Porto & more") for begin, end in _PAIRS),
        *((f"{begin}{end}Porto", "Porto") for begin, end in _PAIRS),
        *(
            (f"By the sea:\n{begin}b{end}Porto", "By the sea:\nPorto")
            for begin, end in _PAIRS
            if "analysis" not in begin and "message" not in begin
        ),
        ("<think>hm\nhm</think>\n\nPorto", "Porto"),
        ("  <think></think>Porto", "Porto"),
        ("Write `<think>` and `</think>` in Porto", "Write `<think>` and `</think>` in Porto"),
        ("Write `&lt;think&gt;`, a < b &amp; c &lt;b&gt;", "Write `&lt;think&gt;`, a < b &amp; c &lt;b&gt;"),
        ("```\n<think>x</think>\n```", "```\n<think>x</think>\n```"),
        ("<thin", "<thin"),
        ("The assistant", "The assistant"),
        ('<b>Porto</b> <a href="x">y</a>', '<b>Porto</b> <a href="x">y</a>'),
        ("<think/>Porto", "Porto"),
        ("<think>never ends", ""),
        (" Porto", " Porto"),
        ("<think>a</think>\n<think>b</think>\nPorto", "Porto"),
        ("1 < 2 and a <|b", "1 < 2 and a <|b"),
    ],
)
def test_thinking_is_left_out_wherever_it_is_cut(text: str, answer: str) -> None:
    """Blocks of thoughts go, in every spelling; everything else stays, in one piece, in two or letter by letter."""
    for pieces in (list(text), *([text[:cut], text[cut:]] for cut in range(len(text)))):
        assert _complete(pieces, None)[1] == answer


@each_row(("begin", "end"), _PAIRS)
def test_thoughts_are_in_no_completion_wherever_the_stream_is_cut(begin: str, end: str) -> None:
    """Of a model of which nothing is known: no frame holds a word of them, with or without what opens them."""
    for opened in (begin, ""):
        text = f"{opened}hm{end}Porto"
        for pieces in (list(text), *([text[:cut], text[cut:]] for cut in range(len(text)))):
            assert _complete(pieces, ThinkingHabit()) == ("Porto", "Porto")


def _complete(pieces: list[str], habit: ThinkingHabit | None) -> tuple[str, str]:
    """Return what was shown while it came, and the answer."""
    assembly = CompletionAssembler("example.org", "m", habit=habit)
    shown = "".join(assembly.take_object({"choices": [{"delta": {"content": each}}]}) for each in pieces)
    assembly.take("[DONE]")
    return shown + assembly.take_rest(), assembly.build_completed().text


def test_thoughts_without_a_beginning_are_not_shown_for_a_moment() -> None:
    """Until a model's first answer has ended nobody knows; afterwards its habit is known."""
    thoughts, answer, habit = "The user wants the city.\n", "Porto, by the sea", ThinkingHabit()
    for _ in range(2):
        shown = ThinkingFilter(habit)
        frames = [shown.feed(letter) for letter in f"{thoughts}</think>\n\n{answer}"]

        assert "".join(frames) + shown.finish() == answer
        assert len([frame for frame in frames if frame]) > 10
        assert habit.thinks_first is True


def test_a_model_that_begins_with_its_answer_is_shown_at_once_from_the_second_answer_on() -> None:
    """The first answer comes whole, the next ones as they grow."""
    habit = ThinkingHabit()
    first = ThinkingFilter(habit)

    assert [first.feed("Por"), first.feed("to"), first.finish()] == ["", "", "Porto"]

    second = ThinkingFilter(habit)

    assert [second.feed("Por"), second.feed("to"), second.finish()] == ["Por", "to", ""]


@each_row(
    "text",
    [
        "<think>hm, 19 °C</think>Porto – 19 °C 🌊",
        "hm\n</think>Porto – 19 °C 🌊",
        "analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Porto – 19 °C 🌊",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Porto – 19 °C 🌊",
    ],
)
def test_a_stream_cut_at_any_byte_gives_the_same_answer(text: str) -> None:
    """Network packets end anywhere, also inside a character or a tag."""
    chunks = [{"choices": [{"index": 0, "delta": {"content": text[at : at + 5]}}]} for at in range(0, len(text), 5)]
    data = "".join(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    wire = data.encode()
    for cut in range(len(wire)):
        parser, assembly = SseParser(), CompletionAssembler("example.org", "m", habit=ThinkingHabit())
        events = (*parser.feed(wire[:cut]), *parser.feed(wire[cut:]), *parser.finish())
        shown = "".join(assembly.take(event) for event in events) + assembly.take_rest()

        assert shown == assembly.build_completed().text == "Porto – 19 °C 🌊"


def _calls(*deltas: list[dict[str, Any]]) -> list[tuple[str, str]]:
    assembly = CompletionAssembler("example.org", "m")
    for calls in deltas:
        assembly.take_object({"choices": [{"delta": {"tool_calls": calls}}]})
    assembly.take("[DONE]")
    return [(call.name, call.arguments) for call in assembly.build_completed().tool_calls]


_ONE, _TWO = '{"q": {"n": 1}, "to": "Porto"}', '{"q": {"n": 2}, "to": "Lisbon"}'


@each_row("names", [("search", "date"), ("search", "search")])
@each_row(
    "marks",
    [
        lambda call, piece: {"index": call, **({} if piece else {"id": f"c{call}"})},
        lambda call, piece: {"index": call, "id": f"c{call}"},
        lambda call, piece: {"index": call, "id": "same"},
        lambda call, piece: {"index": call, **({} if piece else {"id": "same"})},
        lambda call, piece: {"index": call, "id": f"c{call}.{piece}"},
        lambda call, piece: {"index": call},
        lambda call, piece: {"index": 0, "id": f"c{call}"},
        lambda call, piece: {"index": 0, **({} if piece else {"id": f"c{call}"})},
        lambda call, piece: {"index": 0, "id": f"c{call}.{piece}"},
        lambda call, piece: {"index": 0, "id": "same"},
        lambda call, piece: {"index": 0},
        lambda call, piece: {"id": f"c{call}"},
        lambda call, piece: {"id": f"c{call}"} if not piece else {},
        lambda call, piece: {"id": f"c{call}.{piece}"},
        lambda call, piece: {"id": "same"},
        lambda call, piece: {},
    ],
)
def test_no_call_is_lost_or_merged(marks: Callable[[int, int], dict[str, Any]], names: tuple[str, str]) -> None:
    """Whatever marks a server gives, whether it repeats names, wherever arguments are cut; by turns where marks tell.

    A piece with a name and an id of its own that brings nothing, or an object, begins a call: nobody could tell.
    """
    for cut, repeats in product(range(len(_ONE) + 1), (False, True)):
        if repeats and marks(0, 1).get("id") == "c0.1" and _ONE[cut:].lstrip()[:1] in {"{", ""} and cut:
            continue
        calls = [
            [
                {
                    **marks(number, piece),
                    "function": {"arguments": said} | ({"name": name} if repeats or not piece else {}),
                }
                for piece, said in enumerate((text[:cut], text[cut:]))
            ]
            for number, (text, name) in enumerate(zip((_ONE, _TWO), names, strict=True))
        ]
        one_by_one, by_turns = [*calls[0], *calls[1]], [each for pair in zip(*calls, strict=True) for each in pair]
        told = marks(0, 1).get("index") != marks(1, 1).get("index") or marks(0, 1).get("id") == "c0"
        for order in (one_by_one, by_turns) if told else (one_by_one,):
            assert _calls(*([each] for each in order)) == [(names[0], _ONE), (names[1], _TWO)], (cut, order)


def test_calls_that_come_together_are_told_apart_by_place() -> None:
    """Two pieces of one chunk belong to two calls, and so do those that go on with them; of one id, too."""
    for marks in ({}, {"id": "same"}):
        begin = [{**marks, "function": {"name": name, "arguments": "{"}} for name in ("a", "a")]
        end = [{**marks, "function": {"arguments": f'"n": {n}}}'}} for n in (1, 2)]

        assert _calls(begin, end) == [("a", '{"n": 1}'), ("a", '{"n": 2}')]


def test_a_call_that_is_sent_again_as_a_whole_is_one() -> None:
    """Some servers end with all of it, or send all of it so far every time."""
    texts = (_ONE[:9], _ONE[:20], _ONE, _ONE)
    pieces = [[{"index": 0, "id": "c", "function": {"name": "search", "arguments": text}}] for text in texts]

    assert _calls(*pieces) == [("search", _ONE)]


def test_the_function_call_of_old_is_a_call() -> None:
    """As OpenAI had it before ``tool_calls``; a server that sends both means one."""
    for cut in range(len(_ONE)):
        old, both = CompletionAssembler("example.org", "m"), CompletionAssembler("example.org", "m")
        for piece in ({"name": "search", "arguments": _ONE[:cut]}, {"arguments": _ONE[cut:]}):
            old.take(chunk({"role": "assistant", "content": None, "function_call": piece}))
            both.take(chunk({"function_call": piece, "tool_calls": [{"index": 0, "id": "x", "function": piece}]}))
        old.take(chunk({}, "function_call"))
        both.take(chunk({}, "tool_calls"))

        assert [(each.name, each.arguments) for each in old.build_completed().tool_calls] == [("search", _ONE)]
        assert both.build_completed().tool_calls == (ToolCall("x", "search", _ONE),)


def test_a_refusal_is_shown_and_other_choices_are_not() -> None:
    """A refusal is what the model says; of several choices only the first was asked for."""
    assembly = CompletionAssembler("example.org", "m")
    other = assembly.take_object({"choices": [{"index": 1, "delta": {"content": "no"}}]})
    shown = assembly.take_object(
        {"choices": [{"index": 1, "delta": {"content": "x"}}, {"index": 0, "delta": {"refusal": "I cannot do that."}}]}
    )

    assert (other, shown) == ("", "I cannot do that.")


@each_row(
    "message",
    [
        {"content": "In Porto.", "reasoning_content": "SECRET"},
        {
            "content": "In Porto.",
            "reasoning": "SECRET",
            "reasoning_details": [{"type": "reasoning.text", "text": "SECRET"}],
        },
        {"content": "In Porto.", "thinking": "SECRET", "thinking_blocks": [{"type": "thinking", "thinking": "SECRET"}]},
        {
            "content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": "SECRET"}]},
                {"type": "text", "text": "In Porto."},
            ]
        },
        {"content": [{"type": "reasoning", "text": "SECRET"}, {"type": "output_text", "text": "In Porto."}]},
        {"content": [{"type": "redacted_thinking", "data": "SECRET", "text": "SECRET"}, {"text": "In Porto."}]},
        {"content": "<think>SECRET</think>In Porto."},
        {"content": "SECRET</think>In Porto."},
        {"content": "<|begin_of_thought|>SECRET<|end_of_thought|>In Porto."},
        {"content": "<|START_THINKING|>SECRET<|END_THINKING|>In Porto."},
        {"content": "<|channel|>analysis<|message|>SECRET<|end|><|channel|>final<|message|>In Porto."},
    ],
)
@each_row("key", ["delta", "message"])
def test_thoughts_are_no_part_of_the_answer(message: dict[str, Any], key: str) -> None:
    """Wherever a server puts them: fields, parts, tags; streamed letter by letter or whole.

    Mutation check: with every part's ``text`` read, the parts of kind "reasoning" and "redacted_thinking" stand here.
    """
    assembler = CompletionAssembler("host", "model", habit=ThinkingHabit())
    content = message["content"]
    pieces = list(content) if key == "delta" and isinstance(content, str) else [content]
    shown = ""
    for piece in pieces:
        chunk = {"choices": [{"index": 0, key: {**message, "content": piece}}]}
        shown += assembler.take_object(chunk)
    assembler.take("[DONE]")
    shown += assembler.take_rest()

    assert shown.strip() == "In Porto."
    assert assembler.build_completed().text.strip() == "In Porto."
