"""/list and /lists: what is open, by hand and by buttons, which everybody may press who reads along."""

import re
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.commands.formatting import Voice, make_reply
from bot.errors import CommandInvalid
from bot.features.lists import reading
from bot.features.lists.keeping import ListsInUse
from bot.features.lists.reading import SHOPPING, find_list, make_key
from bot.features.lists.wording import EVERY, find_title, write_changed, write_closed, write_open
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import redact
from bot.ports.lists import LONGEST, Deed, ItemState, ListItem
from bot.ports.system import CommandCall
from bot.turn import Reply

_ON_ONE: Final = re.compile(r"(done|drop|back)\s+#?(\d{1,10})(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_VIEW: Final = re.compile(r"(open|closed)(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_ADD: Final = re.compile(r"add\s+(.+)", re.IGNORECASE | re.DOTALL)
_UNDER: Final = re.compile(r"([^:\n,]{1,60}):(?=\s)(.*)", re.DOTALL)
_STATES: Final = {"done": ItemState.DONE, "drop": ItemState.REMOVED, "back": ItemState.OPEN}


@dataclass(frozen=True, slots=True)
class ShowList:
    """Everything about lists that is typed or pressed."""

    texts: Voice
    lists: ListsInUse

    name: ClassVar[str] = "list"

    async def run(self, call: CommandCall) -> Reply:
        """Do what the argument says: nothing, the name of a list, ``add`` things, ``done|drop|back`` a number."""
        texts, argument = self.texts(call.message), call.argument.strip()
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
        return _show(call, items, find_key(name, items), texts=self.texts, closed=view == "closed")

    async def _add(self, call: CommandCall, text: str) -> Reply:
        texts, items = self.texts(call.message), await self.lists.store.read(call.scope)
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
            raise CommandInvalid(self.texts(call.message).lists.missing.format(number=number))
        deed = Deed(call.author.id, call.author.name, call.now)
        await self.lists.store.mark(call.scope, [found.id], state, deed)
        key = find_key(view, items) if view else found.key
        items = await self.lists.store.read(call.scope)
        return _show(call, items, key, texts=self.texts, closed=state is ItemState.OPEN)


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


def _show(call: CommandCall, items: tuple[ListItem, ...], key: str, *, texts: Voice, closed: bool) -> Reply:
    write = write_closed if closed else write_open
    return replace(write(items, key, texts(call.message)), in_place=True)
