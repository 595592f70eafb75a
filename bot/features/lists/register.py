"""Lists by command, by buttons, which everybody may press who reads along, and by the model's tool; and system 25.

System 25: tell which of the memories found have been orders to a list.

"Not biscuits, Sheila brings some" took the biscuits off; to whoever asks for cake it says nothing.
"""

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from adapters.sqlite.lists import SqliteLists
from adapters.tools.requests import check_names, read_text, read_texts
from bot.commands.formatting import make_reply
from bot.errors import CommandInvalid
from bot.features.lists import reading
from bot.features.lists.keeping import ListsInUse, SentenceLists, UndoneLists, make_deed
from bot.features.lists.matching import match_thing
from bot.features.lists.reading import SHOPPING, find_list, make_key
from bot.features.lists.wording import EVERY, find_title, keep_open, write_changed, write_closed, write_open
from bot.memory.helpfulness import ORDERED
from bot.memory.items import Recalled
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import redact
from bot.memory.speakers import ANOTHERS
from bot.ports.chat_model import ToolSpec
from bot.ports.lists import LONGEST, Deed, ItemState, ListItem, Lists
from bot.ports.system import CommandCall, OnError
from bot.ports.tool import ToolResult
from bot.runtime.app import App
from bot.turn import Reply, Turn

_ON_ONE: Final = re.compile(r"(done|drop|back)\s+#?(\d{1,10})(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_VIEW: Final = re.compile(r"(open|closed)(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_ADD: Final = re.compile(r"add\s+(.+)", re.IGNORECASE | re.DOTALL)
_UNDER: Final = re.compile(r"([^:\n,]{1,60}):(?=\s)(.*)", re.DOTALL)
_STATES: Final = {"done": ItemState.DONE, "drop": ItemState.REMOVED, "back": ItemState.OPEN}


@dataclass(frozen=True, slots=True)
class ShowList:
    """Everything about lists that is typed or pressed."""

    lists: ListsInUse

    name: ClassVar[str] = "list"

    async def run(self, call: CommandCall) -> Reply:
        """Do what the argument says: nothing, the name of a list, ``add`` things, ``done|drop|back`` a number."""
        texts, argument = call.texts, call.argument.strip()
        if argument in ("help", "?"):
            return make_reply(texts.lists.usage)
        if match := _ADD.fullmatch(argument):
            return await self._add(call, match[1])
        items = await self.lists.store.read(call.scope)
        if match := _ON_ONE.fullmatch(argument):
            return await self._mark(call, items, _STATES[match[1].lower()], int(match[2]), match[3] or "")
        match = _VIEW.fullmatch(argument)
        view, name = (match[1].lower(), match[2] or "") if match else ("open", argument)
        if not items:
            return make_reply(texts.lists.none, in_place=True)
        return _show(call, items, find_key(name, items), closed=view == "closed")

    async def _add(self, call: CommandCall, text: str) -> Reply:
        texts, items = call.texts, await self.lists.store.read(call.scope)
        under = _UNDER.fullmatch(text.strip())
        named = find_list(under[1], [item.key for item in items]) if under else None
        key = find_key(under[1], items) if under else EVERY
        key = SHOPPING if key == EVERY else key
        title = named.title if named is not None else under[1].strip() if under else ""
        things = reading.split_things(redact(clean(under[2] if under else text)).text, frozenset())[: reading.MOST]
        if not things or any(len(thing) > LONGEST for thing in things):
            raise CommandInvalid(texts.lists.usage)
        deed = Deed(call.author.id, call.author.name, call.now)
        title = find_title(key, items) or ("" if key in texts.lists.names else title)
        kept = await self.lists.add(call.scope, [ListItem(key, title, thing, deed) for thing in things])
        return make_reply(write_changed(kept, await self.lists.store.read(call.scope), texts))

    async def _mark(
        self, call: CommandCall, items: tuple[ListItem, ...], state: ItemState, number: int, view: str
    ) -> Reply:
        """Change one item and show the list that it stands on, or the view that the button stood under."""
        found = next((item for item in items if item.number == number), None)
        if found is None:
            raise CommandInvalid(call.texts.lists.missing.format(number=number))
        deed = Deed(call.author.id, call.author.name, call.now)
        await self.lists.store.mark(call.scope, [found.id], state, deed)
        key = find_key(view, items) if view else found.key
        items = await self.lists.store.read(call.scope)
        return _show(call, items, key, closed=state is ItemState.OPEN)


@dataclass(frozen=True, slots=True)
class ShowLists:
    """All lists under a name of its own."""

    shown: ShowList

    name: ClassVar[str] = "lists"

    async def run(self, call: CommandCall) -> Reply:
        """Show what is open on each."""
        return await self.shown.run(replace(call, argument=""))


def find_key(name: str, items: tuple[ListItem, ...]) -> str:
    """Return the key of the list that a name means, of a button's view as it stands; ``EVERY`` for no name."""
    name = name.strip()
    if not name or name == EVERY:
        return EVERY
    if name.startswith("="):
        return name[1:]
    named = find_list(name, [item.key for item in items])
    if named is not None:
        return named.key or EVERY
    named = find_list(f"{name} list")
    return named.key if named is not None and named.key else make_key(name) or EVERY


def _show(call: CommandCall, items: tuple[ListItem, ...], key: str, *, closed: bool) -> Reply:
    write = write_closed if closed else write_open
    return replace(write(items, key, call.texts), in_place=True)


_STATES_BY_ACTION = {"done": ItemState.DONE, "remove": ItemState.REMOVED}


@dataclass(frozen=True, slots=True)
class KeepLists:
    """The tool ``lists``."""

    lists: ListsInUse

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
        texts = turn.texts
        if action == "show":
            there = [each for each in items if key in (EVERY, each.key)]
            asker = turn.message.author.id
            others = any(each.added.by != asker or each.text.startswith(ANOTHERS) for each in there)
            return ToolResult(write_open(items, key, texts).text if items else "there are no lists", outside=others)
        named = read_texts(arguments, "items", most=reading.MOST)
        if action == "add":
            changed = await self._add(turn, key, named, items)
        elif action in _STATES_BY_ACTION:
            meant = [match_thing(each, keep_open(items, key), loosely=True) for each in named]
            if not all(each.items and each.clear for each in meant):
                raise CommandInvalid("not all of that is open, or it may mean several; look with action show")
            ids = [item.id for each in meant for item in each.items]
            changed = await self.lists.store.mark(turn.scope, ids, _STATES_BY_ACTION[action], make_deed(turn))
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
        key, deed = SHOPPING if key == EVERY else key, make_deed(turn)
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


@dataclass(frozen=True, slots=True)
class OrderMarking:
    """Marks what put something on a list of this memory or took it off; a model tells that by itself."""

    lists: ListsInUse

    order: ClassVar[int] = 25
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with its memories, marked."""
        if not turn.relevant or not turn.without_model or turn.scope.tag not in self.lists.tags:
            return turn
        items = await self.lists.store.read(turn.scope)
        orders = {deed.exchange for item in items for deed in (item.added, item.closed) if deed and deed.exchange}

        def mark(found: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
            return tuple(
                replace(each, signals={**each.signals, ORDERED: 1.0}) if each.exchange in orders else each
                for each in found
            )

        readings = tuple(replace(each, relevant=mark(each.relevant)) for each in turn.readings)
        return replace(turn, relevant=mark(turn.relevant), readings=readings)


async def register(app: App) -> None:
    """Add lists to Mneme."""
    store = SqliteLists(app.database)
    lists = ListsInUse(store)
    shown = ShowList(lists)
    app.provide(Lists, store)
    app.added.commands += [shown, ShowLists(shown)]
    app.added.menu += [shown.name, ShowLists.name]
    app.added.sentences.append(SentenceLists(lists, app.turns, app.shown).answer)
    app.added.systems.append(lambda: OrderMarking(lists))
    tool = KeepLists(lists)
    app.added.tools.append(lambda _: (tool,))
    app.added.taking_back.append(UndoneLists(store).take_back)
    app.added.at_start.append(lists.load)
    app.added.refresh.append(lists.load)
    app.added.erased += [lists.forget, app.shown.forget]
