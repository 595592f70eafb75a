"""Lists: adds their commands, what reads them out of sentences, and system 25, to Mneme.

System 25: tell which of the memories found have been orders to a list.

"Not biscuits, Sheila brings some" took the biscuits off; to whoever asks for cake it says nothing.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from adapters.sqlite.lists import SqliteLists
from bot.features.lists.commands import KeepLists, ShowList, ShowLists
from bot.features.lists.keeping import ListsInUse, SentenceLists, UndoneLists
from bot.memory.helpfulness import ORDERED
from bot.memory.items import Recalled
from bot.ports.lists import Lists
from bot.ports.system import OnError
from bot.runtime.app import App
from bot.turn import Turn


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
