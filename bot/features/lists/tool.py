"""Lets the model show and keep lists: what was done is told to the user in our own words, below the answer."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from adapters.tools.requests import check_names, read_text, read_texts
from bot.commands.formatting import Voice
from bot.errors import CommandInvalid
from bot.features.lists import reading
from bot.features.lists.commands import find_key
from bot.features.lists.keeping import ListsInUse, make_deed
from bot.features.lists.matching import match_thing
from bot.features.lists.reading import SHOPPING
from bot.features.lists.wording import EVERY, find_title, keep_open, write_changed, write_open
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import redact
from bot.ports.chat_model import ToolSpec
from bot.ports.lists import LONGEST, ItemState, ListItem
from bot.ports.tool import ToolResult
from bot.ports.when import Clock
from bot.turn import Turn

_STATES = {"done": ItemState.DONE, "remove": ItemState.REMOVED}


@dataclass(frozen=True, slots=True)
class KeepLists:
    """The tool ``lists``."""

    lists: ListsInUse
    texts: Voice
    clock: Clock

    spec: ClassVar[ToolSpec] = ToolSpec(
        "lists",
        "Show or change the shopping, to-do and other lists of this chat. What is open stands here alone: memory also "
        "holds what was bought long ago.",
        {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["show", "add", "done", "remove"]},
                "list": {"type": "string", "description": "its name; left out for all, or the shopping list"},
                "items": {"type": "array", "items": {"type": "string"}, "description": "in the user's words"},
            },
            "required": ["action"],
            "additionalProperties": False,
        },
    )
    writes: ClassVar[bool] = True
    outside: ClassVar[bool] = False

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str | ToolResult:  # Any: JSON from the model
        """Do it and return how the list stands."""
        check_names(arguments, "action", "list", "items")
        action = read_text(arguments, "action", most=20)
        items = await self.lists.store.read(turn.scope)
        key = find_key(read_text(arguments, "list", most=60, required=False), items)
        texts = self.texts(turn.message)
        if action == "show":
            return write_open(items, key, texts).text if items else "there are no lists"
        named = read_texts(arguments, "items", most=reading.MOST)
        if action == "add":
            changed = await self._add(turn, key, named, items)
        elif action in _STATES:
            meant = [match_thing(each, keep_open(items, key), loosely=True) for each in named]
            if not all(each.items and each.clear for each in meant):
                raise CommandInvalid("not all of that is open, or it may mean several; look with action show")
            ids = [item.id for each in meant for item in each.items]
            changed = await self.lists.store.mark(turn.scope, ids, _STATES[action], make_deed(turn, self.clock))
        else:
            raise CommandInvalid("action is show, add, done or remove")
        told = write_changed(changed, await self.lists.store.read(turn.scope), texts)
        return ToolResult(f"The user reads below your answer, so do not repeat it: {told}", said=told)

    def is_requested(self, _turn: Turn, arguments: dict[str, Any]) -> bool:  # Any: JSON
        """Return whether it only looks: what is changed while text from outside is read, is refused."""
        return arguments.get("action") == "show"

    async def _add(
        self, turn: Turn, key: str, named: tuple[str, ...], items: tuple[ListItem, ...]
    ) -> tuple[ListItem, ...]:
        key, deed = SHOPPING if key == EVERY else key, make_deed(turn, self.clock)
        texts = [redact(clean(each)).text.strip()[:LONGEST] for each in named]
        title = find_title(key, items)
        return await self.lists.add(
            turn.scope,
            [
                ListItem(key, title, text, replace(deed, origin=reading.name_origin(deed, key, text)))
                for text in texts
                if text
            ],
        )
