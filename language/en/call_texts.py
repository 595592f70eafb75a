"""The sentences about calls of foreign tools in English."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.call_texts import CallTexts

CALLS: Final = CallTexts(
    ask="I do this only if you want it. Make exactly this call? {text}",
    agree="Do it",
    done="Done: {tool} of {server} answered:",
    nothing="Done: {tool} of {server} answered without a word.",
    failed="{tool} of {server} did not do it:",
    unsure="Nobody knows whether {tool} of {server} has done it; I do not do it again by myself:",
    too_late="That question is not open any more. Nothing was done. Ask me again.",
    history="(The user agreed, and {tool} of {server} was called. Above is what it answered.)",
    owner_only="Only the owner of this bot may do that.",
    none="No tool servers are configured (mcp.servers).",
    head="Tools of other programs:",
    states=MappingProxyType({"starting": "starting", "ready": "ready", "down": "not there"}),
    asks="asks first",
    runs="runs by itself",
    held="held: it says something else than when it was approved: {text}",
    approve="Approve {tool}",
    approved="{tool} of {server} may be used as it describes itself now.",
    changed="{tool} of {server} describes itself in another way by now. Look again: /tools",
)
