"""The page that shows one prompt in full: an invented conversation, replayed, its last request and what that costs."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bot.config.folders import PROJECT
from bot.ports.embedder import Embedder
from harness.prompt.counting import Prefix, compare_prefix, take_apart
from harness.prompt.replay import CONVERSATION, Call, open_replay, pair_up
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


Json = Any  # a request as it was sent

_MARK: Final = re.compile(r"<<<\w+ ([A-Za-z0-9]{8,64})$", re.MULTILINE)
_SHOWN_MARK: Final = "0123456789abcdef"
"""In place of the random mark, so that two transcripts of one state of the code are the same."""
_BLOCK: Final = "~~~~~"


def render_transcript(body: Json, prefix: Prefix) -> str:
    """Return a request as Markdown; ``prefix`` is what it has in common with the request before."""
    messages = body["messages"]
    first = next((place for place, each in enumerate(messages) if each["role"] != "system"), len(messages))
    parts = []
    for place, message in enumerate(messages):
        text = _hide_marks(message.get("content") or "", body)
        name = "the front" if place < first else _name(place, messages)
        parts.append(f"### {place + 1}. `{message['role']}`, {name}\n\n{_BLOCK}text\n{text}\n{_BLOCK}")
        if place == first - 1 and body.get("tools"):
            tools = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in body["tools"])
            parts.append(f"### Tools, read behind the front\n\n{_BLOCK}json\n{tools}\n{_BLOCK}")
    return "\n\n".join((*parts, _render_costs(body, prefix)))


def _name(place: int, messages: Json) -> str:
    if place == len(messages) - 1:
        return "what was just said"
    return "for this message alone" if messages[place]["role"] == "system" else "the conversation so far"


def _hide_marks(text: str, body: Json) -> str:
    whole = "\n".join(each.get("content") or "" for each in body["messages"])
    for mark in sorted(set(_MARK.findall(whole)), key=len, reverse=True):
        text = text.replace(mark, _SHOWN_MARK)
    return text


def _render_costs(body: Json, prefix: Prefix) -> str:
    rows = "\n".join(f"| {name} | {tokens} |" for name, tokens in take_apart(body).count().items() if tokens)
    percent = round(100 * prefix.tokens / prefix.whole_tokens, 1)
    return (
        "### What it costs\n\n| part | tokens |\n|---|---|\n"
        f"{rows}\n| **all** | **{prefix.whole_tokens}** |\n\n"
        f"{prefix.tokens} of them ({percent} %) are the same as in the request before, from the first on: "
        "a server that keeps what it has read reads only the others."
    )
