"""Adds it to Mneme."""

from adapters.sqlite.lists import SqliteLists
from bot.features.lists.commands import KeepLists, ShowList, ShowLists
from bot.features.lists.keeping import ListsInUse, SentenceLists, UndoneLists
from bot.features.lists.marking import OrderMarking
from bot.ports.lists import Lists
from bot.runtime.app import App


async def register(app: App) -> None:
    """Add lists to Mneme."""
    store = SqliteLists(app.database)
    lists = ListsInUse(store)
    shown = ShowList(app.voice, lists)
    app.provide(Lists, store)
    app.added.commands += [shown, ShowLists(shown)]
    app.added.menu += [shown.name, ShowLists.name]
    app.added.sentences.append(
        SentenceLists(app.voice, lists, app.clock, app.shown, lambda: app.model() is None).answer
    )
    app.added.systems.append(lambda: OrderMarking(lists, lambda: app.model() is None))
    tool = KeepLists(lists, app.voice, app.clock)
    app.added.tools.append(lambda _: (tool,))
    app.added.taking_back.append(UndoneLists(app.voice, store).take_back)
    app.added.at_start.append(lists.load)
    app.added.refresh.append(lists.load)
    app.added.erased += [lists.forget, app.shown.forget]
