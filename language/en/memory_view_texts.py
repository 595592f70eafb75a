"""The sentences of looking at memory in the chat in English."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.memory_view_texts import MemoryViewTexts

MEMORY_VIEWS: Final = MemoryViewTexts(
    kinds=MappingProxyType(
        {
            "decision": "Decisions",
            "constraint": "Rules",
            "failure": "Problems",
            "fix": "Solutions",
            "preference": "Likes and habits",
            "project_fact": "Facts",
            "task_state": "Tasks",
            "command_result": "Results",
        }
    ),
    times=MappingProxyType({"week": "This week", "month": "This month", "year": "This year", "older": "Older"}),
    by_kind="By kind",
    by_person="By person",
    by_time="By time",
    pinned="Pinned",
    history="Replaced",
    home="All memories",
    back="‹ Back",
    people_head="Who said it, and whom or what it is about:",
    times_head="When it was said:",
    kinds_head="By kind:",
    counted="{name}: {total}",
    said_by="Said by {name}",
    about="About {name}",
    nobody="somebody unknown",
    gone="Memory {id} is not there any more. This is what is there now:",
    none_here="Nothing is there any more.",
    opened="Memory {id} · {kind}",
    from_message="From the message: {text}",
    cut="… and {count} more characters",
    replaced_head="It took the place of:",
    replaced_by="Replaced by {id}: {text}",
    withdrawn="Withdrawn: the message that said it was edited.",
    used="Used for answers: {count}",
    used_last="Used for answers: {count}, last on {day}",
    never_used="Not used for an answer yet.",
    restated="Said again: {count}",
    edit="Edit",
    pin="Pin",
    unpin="Unpin",
    forget="Forget",
    cancel="Cancel",
    put_back="Put back",
    ask_edit="Your next message within {minutes} minutes becomes the new text of memory {id}. Now it says:",
    ask_edit_group="Reply to this within {minutes} minutes with the new text of memory {id}. Now it says:",
    changed="Memory {id} has changed meanwhile. Nothing was done; this is how it is now:",
    confirm_forget="Shall I forget memory {id}? With it goes what it comes from:",
    answered="I answered: {text}",
    learned="Remembered from it:",
    open_number="Open {number}",
    pressed="“{label}” chosen.",
)
