"""System 30: whatever goes wrong, the turn ends with a reply that keeps what there is."""

from __future__ import annotations

import asyncio

import pytest

from adapters.llm.openai import OpenAiChat
from bot.errors import StorageUnavailable
from bot.memory.items import Trust
from bot.messages import Author
from bot.turn import Reply, ReplyKind
from harness.fakes.openai import Breaks, Fails, FakeOpenAi, Hangs, Says
from systems.s30_tool_loop import ToolLoopLimits
from tests.systems.tool_loop_fakes import TEXTS, VERA, DraftingMessenger, Drafts, Gadget, loop_with, said


def text_of(reply: Reply | None) -> str:
    assert reply is not None
    return reply.text


async def test_a_refused_key_names_the_setting(server: FakeOpenAi, model: OpenAiChat) -> None:
    """The reply tells the owner which setting to change, and is not taken for an answer."""
    server.script.append(Fails(401, "bad key"))
    turn = await loop_with(model)(said("Where does Vera live?", author=Author(42, "Anna", Trust.OWNER)))

    assert "llm.apiKey or LLM_API_KEY" in text_of(turn.reply)
    assert turn.reply is not None
    assert turn.reply.kind is ReplyKind.RECALLED
    assert "answer: model failed" in turn.trace.notes


async def test_a_dead_model_leaves_the_answer_from_memory(server: FakeOpenAi, model: OpenAiChat) -> None:
    """Where memories were found, the user gets them with the notice."""
    server.script.append(Fails(503))
    turn = await loop_with(model)(said("Where does Vera live?", relevant=(VERA,)))

    said_then, told = text_of(turn.reply).split("\n\n")
    assert said_then == "You told me: my sister Vera lives in Porto."
    assert told.startswith(TEXTS.loop.failed.format(reason="")[:20])
    assert turn.trace.memories == (VERA,)


async def test_a_broken_stream_keeps_what_was_said(server: FakeOpenAi, model: OpenAiChat) -> None:
    """The partial text stays, with the reason under it."""
    server.script.append(Breaks("Vera lives in"))
    turn = await loop_with(model)(said("Where does Vera live?", relevant=(VERA,)))

    assert text_of(turn.reply).startswith(f"Vera lives in\n\n{TEXTS.loop.broke_off.format(reason='')[:20]}")
    assert turn.usage.calls == 1


async def test_stop_ends_at_once_and_keeps_the_text(server: FakeOpenAi, model: OpenAiChat) -> None:
    """/stop is answered while the model hangs, with what it had written."""
    server.script.append(Hangs("Once upon a time"))
    messenger = DraftingMessenger()
    turn = said("Tell me a story")
    running = asyncio.create_task(loop_with(model, messenger=messenger)(turn))
    while "Once upon a time" not in messenger.shown:
        await messenger.drew.wait()
        messenger.drew.clear()
    turn.stop.set()
    done = await asyncio.wait_for(running, 60)

    assert text_of(done.reply) == f"Once upon a time\n\n{TEXTS.loop.stopped}"
    assert "answer: stopped by the user" in done.trace.notes


async def test_stop_in_a_tool_leaves_a_valid_history(server: FakeOpenAi, model: OpenAiChat) -> None:
    """Every call that the model made has a result, made up where it was cut off."""
    server.script.append(Says("Let me see.", calls=(("look", "{}"), ("look", '{"more": 1}'))))
    look = Gadget(takes_s=30.0)
    turn = said("Look twice")
    running = asyncio.create_task(loop_with(model, look)(turn))
    await look.began.wait()
    turn.stop.set()
    done = await asyncio.wait_for(running, 60)

    assert text_of(done.reply) == f"Let me see.\n\n{TEXTS.loop.stopped}"
    assert [(run.ok, run.synthetic) for run in done.tool_runs] == [(False, True), (False, True)]


async def test_the_wall_time_ends_a_turn(server: FakeOpenAi, model: OpenAiChat) -> None:
    """A model that hangs costs the turn its limit and no more."""
    server.script.append(Hangs())
    turn = await asyncio.wait_for(loop_with(model, limits=ToolLoopLimits(wall_s=0.2))(said("Hello")), 60)

    assert text_of(turn.reply) == TEXTS.loop.out_of_time.format(seconds="0.2")


async def test_the_call_limit_ends_a_turn_that_only_calls_tools(server: FakeOpenAi, model: OpenAiChat) -> None:
    """The last round is announced to the model; calls of the last answer get made-up results."""
    server.script.extend(Says("", calls=(("look", f'{{"n": {number}}}'),)) for number in range(5))
    look = Gadget()
    turn = await loop_with(model, look, limits=ToolLoopLimits(model_calls=3))(said("Look around"))

    assert text_of(turn.reply) == TEXTS.loop.out_of_calls
    assert len(look.ran) == 2
    assert [run.synthetic for run in turn.tool_runs] == [False, False, True]
    assert "answer now" in server.requests[2]["messages"][-1]["content"]


async def test_a_cancelled_turn_cancels_the_model_call(server: FakeOpenAi, model: OpenAiChat) -> None:
    """Shutting down leaves no request and no task behind."""
    server.script.append(Hangs("Once"))
    messenger = DraftingMessenger()
    running = asyncio.create_task(loop_with(model, messenger=messenger)(said("Tell me a story")))
    await messenger.drew.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert [task for task in asyncio.all_tasks() if "ToolLoop" in repr(task) or "LiveDraft" in repr(task)] == []


async def test_a_full_disk_costs_the_draft_its_record_and_not_the_answer(server: FakeOpenAi, model: OpenAiChat) -> None:
    """When the draft's id cannot be stored the answer is still given."""
    server.script.append(Says("Porto.", pause_s=0.02))
    drafts = Drafts(error=StorageUnavailable("disk full"))
    turn = await loop_with(model, messenger=DraftingMessenger(), drafts=drafts)(said("Where?"))

    assert text_of(turn.reply) == "Porto."
    assert turn.draft_id == 900
