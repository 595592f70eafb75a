"""What is remembered by command or edited is known like anything said; what it replaces is known no longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.turn import ToolCall
from harness.application import ScriptedModel, run_chats, run_console
from harness.samples import WordEmbedder

_TOLD = (
    ("en", "My dentist is Dr. Lind", "Who is my dentist?", "My dentist is Dr. Kovacs", "Lind", "Kovacs"),
    (
        "de",
        "Meine Zahnärztin ist Frau Lind",
        "Wer ist meine Zahnärztin?",
        "Meine Zahnärztin ist Frau Kovacs",
        "Lind",
        "Kovacs",
    ),
    ("ru", "Мой стоматолог — доктор Линд", "Кто мой стоматолог?", "Мой стоматолог — доктор Ковач", "Линд", "Ковач"),
)


@pytest.mark.parametrize(("language", "told", "asked", "edited", "old", "new"), _TOLD)
@pytest.mark.parametrize("command", ["/remember ", ""], ids=["by command", "in passing"])
async def test_what_holds_is_answered(
    tmp_path: Path, command: str, language: str, told: str, asked: str, edited: str, old: str, new: str
) -> None:
    """From the next question on, over /new, and again after the old words were put back."""
    async with run_console(tmp_path, {"rag": {"enabled": False}, "language": language}) as talk:
        await talk.say(command + told)
        known = await talk.say(asked)
        await talk.say(f"/memory edit 1 {edited}")
        held = await talk.say(asked)
        await talk.say("/new")
        afresh = await talk.say(asked)
        listed = await talk.say("/memory")
        history = await talk.say("/memory history")
        await talk.say(f"/memory edit 1 {told}")
        back = await talk.say(asked)
        await talk.say("/forget 1")
        gone = await talk.say(asked)

    assert old in known
    assert all(new in answer and old not in answer for answer in (held, afresh, listed))
    assert old in history
    assert old in back
    assert new not in back
    assert old not in gone
    assert new not in gone


async def test_the_rest_of_a_message_stays_known(tmp_path: Path) -> None:
    """An edit takes out the sentence that it replaces, and what was said first can still be seen."""
    async with run_console(tmp_path) as talk:
        await talk.say("My plumber is Mr. Kovacs. My sister Vera lives in Porto, near the old harbour.")
        listed = await talk.say("/memory")
        number = next(line for line in listed.splitlines() if "Kovacs" in line).partition(":")[0].strip("- ")
        await talk.say(f"/memory edit {number} My plumber is Mr. Novak")
        plumber = await talk.say("Who is my plumber?")
        sister = await talk.say("Where does Vera live?")

    assert "Novak" in plumber
    assert "Kovacs" not in plumber
    assert "Porto" in sister


async def test_no_prompt_holds_what_was_replaced(tmp_path: Path) -> None:
    """Neither as a memory nor as history: what a model reads says one thing."""
    seen: list[str] = []

    def answer(messages: tuple[object, ...], _: tuple[object, ...]) -> str | ToolCall:
        seen.append(repr(messages))
        return "All right."

    settings = {"rag": {"enabled": False}, "llm": {"enabled": True}}
    async with run_chats(tmp_path, settings, WordEmbedder(), model=ScriptedModel(answer)) as chats:
        await chats.say(0, "My plumber is Mr. Kovacs.")
        await chats.say(0, "/memory edit 1 My plumber is Mr. Novak")
        await chats.say(0, "Who is my plumber?")
        await chats.say(0, "/new")
        await chats.say(0, "Who was it again that repairs my pipes, my plumber?")

    asked = [prompt for prompt in seen if "plumber?" in prompt]
    assert len(asked) >= 2
    assert all("Novak" in prompt and "Kovacs" not in prompt for prompt in asked)


async def test_an_answer_keeps_what_it_says_of_what_an_edit_left_as_it_was(tmp_path: Path) -> None:
    """Red while it lost each sentence of which three words stood anywhere in what was replaced."""
    prompts: list[str] = []

    def answer(messages: tuple[object, ...], _: tuple[object, ...]) -> str:
        prompts.append(repr(messages))
        return "The pump in the cellar can wait. The dentist lives in Berlin, you said."

    settings = {"rag": {"enabled": False}, "llm": {"enabled": True}}
    async with run_chats(tmp_path, settings, WordEmbedder(), model=ScriptedModel(answer)) as chats:
        await chats.say(0, "My dentist lives in Berlin and will mend the pump in the cellar.")
        await chats.say(0, "Thanks, what about it?")
        await chats.say(0, "/memory edit 1 My dentist lives in Izmir and will mend the pump in the cellar.")
        await chats.say(0, "What else?")

    assert "The pump in the cellar can wait." in prompts[-1]
    assert "Berlin" not in prompts[-1]
