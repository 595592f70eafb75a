"""Exports of assistants: what was said or spoken, on the branch that was kept, and nothing that a program wrote."""

from __future__ import annotations

from pathlib import Path

from adapters.imports.messengers import read_chatgpt, read_claude
from bot.ports.transfer import LeftOut, Speaks
from tests.adapters.imports.exports import Json, list_left_out, list_messages, write

ROOT = "00000000-0000-4000-8000-000000000000"


def node(name: str, parent: str | None, role: str, content: Json, **more: Json) -> Json:
    """Return one node of a conversation with ChatGPT; a text stands for a text's content."""
    content = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    return {
        "id": name,
        "parent": parent,
        "message": {"id": name, "author": {"role": role}, "content": content, "create_time": 1.77e9, **more},
    }


def converse(*nodes: Json, leaf: str | None = None) -> Json:
    mapping = {each["id"]: each for each in nodes}
    return [{"conversation_id": "k", "title": "T", "create_time": 1.76e9, "current_node": leaf, "mapping": mapping}]


def parts(*values: Json) -> Json:
    return {"content_type": "multimodal_text", "parts": list(values)}


def test_spoken_conversations_are_words(tmp_path: Path) -> None:
    """What ChatGPT wrote down of the voice is what was said; a voice without it is counted as a voice."""
    voice = {
        "content_type": "real_time_user_audio_video_asset_pointer",
        "audio_asset_pointer": {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://a"},
    }
    spoken = {"content_type": "audio_transcription", "text": "Where is Porto?", "direction": "in"}
    answer = {"content_type": "audio_transcription", "text": "In Portugal.", "direction": "out"}
    export = converse(
        node("a", None, "user", parts(spoken, voice)),
        node("b", "a", "assistant", parts(answer, {"content_type": "audio_asset_pointer"})),
        node("c", "b", "user", parts(voice)),
        node("d", "c", "user", parts({"content_type": "image_asset_pointer"})),
        node("e", "d", "user", parts({"content_type": "image_asset_pointer"}, "What is this?")),
        leaf="e",
    )
    found = list(read_chatgpt(write(tmp_path, export)))

    said = [(each.speaks, each.text, each.attachment) for each in list_messages(found)]
    assert said == [
        (Speaks.PERSON, "Where is Porto?", ""),
        (Speaks.ASSISTANT, "In Portugal.", ""),
        (Speaks.PERSON, "What is this?", "photo"),
    ]
    assert list_left_out(found) == [LeftOut.VOICE, LeftOut.PICTURE]


def test_what_a_program_wrote_is_nobodys_word(tmp_path: Path) -> None:
    """Settings, thoughts, code and its output, quotes of pages, and whatever kind comes next are counted as hidden."""
    hidden: list[Json] = [
        {"content_type": "user_editable_context", "user_profile": "I am a pilot", "user_instructions": "Be brief"},
        {"content_type": "model_editable_context", "model_set_context": "1. Likes tea"},
        {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "c"}]},
        {"content_type": "reasoning_recap", "content": "Thought for 3 s"},
        {"content_type": "code", "language": "python", "text": "print(1)"},
        {"content_type": "execution_output", "text": "1"},
        {"content_type": "tether_quote", "text": "a page", "url": "https://example.org"},
        {"content_type": "hologram", "parts": ["x"]},
    ]
    nodes = [node(str(n), str(n - 1), "user", content) for n, content in enumerate(hidden)]
    nodes.append(node("99", str(len(hidden) - 1), "user", "system text", weight=0.0))
    nodes.append(node("100", "99", "assistant", "an answer \ue200cite\ue202turn0search1\ue201."))
    found = list(read_chatgpt(write(tmp_path, converse(*nodes, leaf="100"))))

    assert [each.text for each in list_messages(found)] == ["an answer ."]
    assert list_left_out(found) == [LeftOut.HIDDEN] * 9


def test_a_run_of_references_that_never_end_costs_no_more_than_its_length(tmp_path: Path) -> None:
    """Looked through from each beginning to the end of the text, it would take hours."""
    (said,) = list_messages(read_chatgpt(write(tmp_path, converse(node("a", None, "user", "\ue200" * 100_000)))))

    assert len(said.text) == 100_000


def test_without_a_kept_branch_the_newest_is_read_and_the_others_are_counted(tmp_path: Path) -> None:
    """Some exports name no current node."""
    export = converse(
        node("a", None, "user", "hi"),
        node("old", "a", "assistant", "first", create_time=1.77e9 + 1),
        node("new", "a", "assistant", "second", create_time=1.77e9 + 2),
    )
    found = list(read_chatgpt(write(tmp_path, export)))

    assert [each.text for each in list_messages(found)] == ["hi", "second"]
    assert list_left_out(found) == [LeftOut.VERSION]


def test_claudes_blocks_and_branches_are_read(tmp_path: Path) -> None:
    """Thoughts and calls of tools are blocks, too; answers that were made again have the same parent."""

    def message(name: str, parent: str, sender: str, *blocks: Json, **more: Json) -> Json:
        said = {"created_at": f"2026-02-07T14:30:0{name}Z", "content": list(blocks), "text": "not supported here"}
        return {"uuid": name, "parent_message_uuid": parent, "sender": sender, **said, **more}

    def text(words: str) -> Json:
        return {"type": "text", "text": words, "citations": []}

    messages = [
        message("1", ROOT, "human", text("hi")),
        message("2", "1", "assistant", text("first")),
        message("3", "1", "assistant", {"type": "thinking", "thinking": "hm"}, text("second")),
        message("4", "3", "human", files=[{"file_name": "a.pdf"}], text=""),
        message("5", "4", "assistant", {"type": "tool_use", "name": "search", "input": {}}),
    ]
    found = list(read_claude(write(tmp_path, [{"uuid": "k", "name": "T", "chat_messages": messages}])))

    assert [each.text for each in list_messages(found)] == ["hi", "second"]
    assert sorted(list_left_out(found)) == sorted([LeftOut.FILE, LeftOut.HIDDEN, LeftOut.VERSION])
