"""Logs of the running bot: what stands there, and what never does."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
import structlog

from bot.runtime.installation import set_up_logs
from harness.application import run_console
from tests.adapters.sqlite.test_faults import files_end_at

SECRET = "My sister Vera lives in Porto."


def lines(file: Path) -> list[dict[str, Any]]:
    """The log's lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


SYSTEMS = ["AttachmentReading", "ContextBuilding", "ToolLoop", "MemoryPersist", "RagIndexing", "ResponseRouting"]


async def test_a_conversation_leaves_no_text_in_the_log(tmp_path: Path) -> None:
    """Neither what was said nor what was answered, at the level "debug"; one line per turn says how long systems took.

    With the turn's text among the figures of a log line this test fails.
    """
    file = tmp_path / "mneme.log"
    async with run_console(tmp_path, log=file) as chat:
        await chat.say(SECRET)
        answer = await chat.say("Where does my sister live?")
    logged = lines(file)

    assert "Porto" in answer
    assert not any(word in file.read_text(encoding="utf-8") for word in ("Porto", "Vera", "sister"))
    turns = [line for line in logged if line["event"] == "turn"]
    assert len(turns) == 2
    assert [name for name in turns[0]["ms"] if name in SYSTEMS] == SYSTEMS
    assert all(isinstance(ms, float) for turn in turns for ms in turn["ms"].values())


def test_an_exception_is_logged_as_type_and_place(tmp_path: Path) -> None:
    """Its text may quote a message or an address with a token; also when a library logs it."""
    file = tmp_path / "mneme.log"
    set_up_logs("info", "json", file)
    for log in (structlog.get_logger().exception, logging.getLogger("vendor").exception):
        try:
            int(SECRET)
        except ValueError:
            log("it broke")
    text = file.read_text(encoding="utf-8")

    assert [line["error"] for line in lines(file)] == ["ValueError", "ValueError"]
    assert "test_logs.py" in text
    assert "Porto" not in text


def test_addresses_with_tokens_are_not_logged_by_the_client(tmp_path: Path) -> None:
    """Httpx logs every URL at INFO; that is switched off."""
    file = tmp_path / "mneme.log"
    set_up_logs("debug", "json", file)
    logging.getLogger("httpx").info("HTTP Request: POST https://api.telegram.org/bot123:SECRET/getMe")

    assert file.read_text(encoding="utf-8") == ""


def test_a_log_that_cannot_be_written_tells_no_text_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The library prints the line and every error that is being handled to standard error, with their texts.

    Red without its switch: a full disk put what was said into the service's journal.
    """
    set_up_logs("info", "json", tmp_path / "mneme.log")
    try:
        int(SECRET)
    except ValueError:
        with files_end_at(0):
            structlog.get_logger().exception("turn failed")

    assert capsys.readouterr().err == ""
