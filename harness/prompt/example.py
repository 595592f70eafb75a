"""The page that shows one prompt in full: an invented conversation, replayed, and its last request written down."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bot.ports.embedder import Embedder
from harness.prompt.counting import compare_prefix
from harness.prompt.replay import PROJECT, open_replay, pair_up
from harness.prompt.scripted_model import CONVERSATION, Call
from harness.prompt.transcript import render_transcript
from harness.recall.dataset import load

TALK: Final = PROJECT / "harness" / "prompt" / "example_talk.json"
PAGE: Final = PROJECT / "docs" / "prompt-example.md"
_HEAD: Final = """# One prompt in full

What a language model is given for the last message of an invented conversation.
The settings are the defaults, the prompts those that are shipped.
Nora has talked with her assistant in three earlier sessions; this is the third message of the fourth.
The page is made by `python -m benchmarks.prompt_example`; the random mark of the session's fences is replaced.
How prompts are counted stands in [prompt.md](prompt.md).
"""


async def build_page(folder: Path, embedder: Embedder | None = None) -> str:
    """Return the page; the conversation is replayed in ``folder``."""
    (conversation,), _ = load(TALK)
    exchanges, user, model = pair_up(conversation)
    session, before = None, ""
    async with open_replay(folder, begins=exchanges[0].at, user=user, model_name=model, embedder=embedder) as replay:
        for exchange in exchanges:
            if exchange.session != session:
                await replay.begin_session(exchange.at)
                session = exchange.session
            given = await replay.say(exchange.user, exchange.at, exchange.assistant)
            before = _find_request(given.calls).text
        asked = await replay.say(conversation.questions[0].text, exchanges[-1].at)
    request = _find_request(asked.calls)
    return f"{_HEAD}\n{render_transcript(request.body, compare_prefix(before, request.text))}\n"


def _find_request(calls: Sequence[Call]) -> Call:
    return next(call for call in calls if call.kind == CONVERSATION)
