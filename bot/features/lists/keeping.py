"""Keeps lists by what people say: adds, ticks off, shows, without a language model and beside one.

A message that has nothing to do with lists reads nothing: kinds of sentences and words decide first, and whether a
memory has any list is known without asking the store.  Of statements that only may tick something off, those do that
name nothing but what is open.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import structlog

from bot.commands.formatting import escape
from bot.commands.replied import quote_replied
from bot.core.shown import ShownLast, choose, split_places
from bot.errors import MnemeError
from bot.features.lists import reading
from bot.features.lists.matching import (
    Act,
    FoundAct,
    doubt_ticked,
    find_act,
    find_amended,
    find_asked,
    find_closed,
    find_mentioned,
    match_taken,
    match_thing,
    may_amend,
    names_whole,
    orders_to_empty,
    read_state,
    read_ticked,
)
from bot.features.lists.reading import SHOPPING, TODO, Named, find_list
from bot.features.lists.wording import (
    EVERY,
    find_last_key,
    find_title,
    keep_open,
    make_which,
    name_list,
    write_changed,
    write_open,
    write_state,
)
from bot.memory.concepts import list_concepts
from bot.memory.learning.kinds import SURE, SentenceKind, decide_kind, tell_kinds, tell_order
from bot.memory.learning.orders import Role
from bot.memory.learning.speech_acts import OF_SPEAKER, is_question, is_trivial, keep_own_words, list_own_sentences
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import redact, remove_masks
from bot.memory.speakers import ANOTHERS
from bot.ports.lists import LONGEST, Deed, ItemState, ListItem, Lists
from bot.ports.reminders import name_message
from bot.ports.system import CommandCall
from bot.ports.turn_store import TurnStore
from bot.turn import PAGING_LASTS_S, Reply, ReplyKind, Turn
from language.texts import Texts

_NUMBERED: Final = re.compile(r"/list done (\d+)")
_CHANGES: Final = frozenset({Act.ADD, Act.TICK, Act.MAY_TICK})
_LONGEST_HEADED: Final = 2_000
"""Characters of a list under its name; more is a document."""


@dataclass(slots=True)
class ListsInUse:
    """The store of lists, and which memories have one: everybody else's messages need not ask it."""

    store: Lists
    tags: set[str] = field(default_factory=set)
    just_used: dict[str, str] = field(default_factory=dict)
    """By the key of a place: the list that its last message was about."""

    async def load(self) -> None:
        """Read which memories have lists."""
        self.tags |= await self.store.list_in_use()

    def forget(self, _: Scope) -> None:
        """Forget names of lists, which are words of somebody's."""
        self.just_used.clear()

    async def read_after(self, scope: Scope, deed: Deed) -> tuple[ListItem, ...]:
        """Return what will stand on lists once the message of a deed is stored.

        Of an edited one that takes back then what an earlier version did and this one does not.
        """

        def is_over(done: Deed | None) -> bool:
            message = done.origin == deed.origin or done.origin.startswith(f"{deed.origin}:") if done else False
            return message and done is not None and done.exchange not in ("", deed.exchange)

        left = [item for item in await self.store.read(scope) if not is_over(item.added)]
        return tuple(
            replace(item, state=ItemState.OPEN, closed=None) if is_over(item.closed) else item for item in left
        )

    async def add(self, scope: Scope, items: Sequence[ListItem]) -> tuple[ListItem, ...]:
        """Put items on their lists, as :meth:`~bot.ports.lists.Lists.add` does."""
        kept = await self.store.add(scope, items)
        self.tags.add(scope.tag)
        return kept


@dataclass(frozen=True, slots=True)
class UndoneLists:
    """Takes back what a message has done to lists."""

    store: Lists

    async def take_back(self, call: CommandCall, exchange: str, *, only_back: bool) -> Reply | None:
        """Undo it and say what is gone and what is open again; ``None`` where it had done nothing to lists.

        ``only_back``: what it put there stays.
        """
        deed = Deed(call.author.id, call.author.name, call.now)
        back = await self.store.take_back(call.scope, exchange, deed, only_opens=only_back)
        if not back:
            return None
        texts, left = call.texts, await self.store.read(call.scope)
        lines = [write_changed(back.taken_off, left, texts)] if back.taken_off else []
        lines += [write_changed(back.opened, left, texts, reopened=True)] if back.opened else []
        return Reply("\n".join(lines), ReplyKind.COMMAND)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence with what it is to a list, and the turn that it stands in; ``items`` are what is on the lists."""

    sentence: str
    act: Act
    turn: Turn
    texts: Texts
    items: tuple[ListItem, ...] = ()
    before: str | None = None
    """The list that the message before was about."""

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the lists that there are."""
        return frozenset(item.key for item in self.items)

    @property
    def named(self) -> Named | None:
        """The list that the sentence names."""
        return find_list(self.sentence, self.keys)


@dataclass(frozen=True, slots=True)
class SentenceLists:
    """Answers messages about lists.

    Beside a model only what is surely meant for a list is taken, and where nothing else is said.
    """

    lists: ListsInUse
    turns: TurnStore
    shown: ShownLast

    async def answer(self, turn: Turn) -> Reply | None:
        """Return what was done to lists, or what stands there; ``None`` for any other message."""
        before = self.lists.just_used.pop(turn.address.key, None)
        if not turn.is_own:
            return None
        texts = turn.texts
        told = _list_sentences(turn)
        found, following = list[tuple[str, FoundAct]](), before is not None
        for each in told:
            found.append((each, find_act(remove_masks(each), following=following)))
            following = following or found[-1][1].act is not None
        sure = all(one.sure or (one.act is None and is_trivial(each)) for each, one in found)
        if not (turn.without_model or sure):
            return None
        wanted = [_Said(each, one.act, turn, texts, before=before) for each, one in found if one.act is not None]
        if turn.scope.tag not in self.lists.tags and all(each.act is not Act.ADD for each in wanted):
            return None
        try:
            done = await self._mark_placed(turn, told, texts) or await self._amend(turn, told, before, texts)
            done = done or await self._put_back(turn, told, texts)
            replies = [] if done else [reply for each in wanted if (reply := await self._do(each)) is not None]
        except MnemeError as error:
            structlog.get_logger().warning("list not kept", cause=type(error).__name__)
            return Reply(texts.notice.command_failed, ReplyKind.NOTICE)
        return done or _join(replies)

    async def _mark_placed(self, turn: Turn, told: Sequence[str], texts: Texts) -> Reply | None:
        """Return what was ticked that a message names by nothing but its place among what was shown last."""
        numbers = self.shown.find_numbers(turn, _NUMBERED)
        places, rest = split_places(told[0]) if numbers and len(told) == 1 else ((), "")
        state, chosen = read_state(rest, tell_kinds(told[0] if told else "")), choose(numbers, places)
        if state is None or not chosen:
            return None
        ids = [item.id for item in await self.lists.store.read(turn.scope) if item.number in chosen]
        deed = make_deed(turn)
        done = await self.lists.store.mark(turn.scope, ids, state, deed)
        items = await self.lists.read_after(turn.scope, deed)
        return Reply(write_changed(done, items, texts), ReplyKind.NOTED) if done else None

    async def _amend(self, turn: Turn, told: Sequence[str], before: str | None, texts: Texts) -> Reply | None:
        """Return what stands on a list in the place of what a message corrects, ``None`` where it corrects none."""
        listed = len(told) == 1 and turn.scope.tag in self.lists.tags
        if not listed or _asks(told[0]) or not may_amend(told[0], following=before is not None):
            return None
        deed = make_deed(turn)
        standing = [item for item in await self.lists.store.read(turn.scope) if _stands(item, deed)]
        found = find_amended(told[0], standing, before)
        if found is None:
            return None
        old, text = found
        gone = await self.lists.store.mark(turn.scope, [old.id], ItemState.REMOVED, deed)
        origin = reading.name_origin(deed, old.key, text)
        fresh = await self.lists.add(turn.scope, [ListItem(old.key, old.title, text, replace(deed, origin=origin))])
        self._note_used(turn, old.key)
        items = await self.lists.read_after(turn.scope, deed)
        lines = (write_changed(gone, items, texts), write_changed(fresh, items, texts))
        return Reply("\n".join(filter(None, lines)), ReplyKind.NOTED)

    async def _put_back(self, turn: Turn, told: Sequence[str], texts: Texts) -> Reply | None:
        """Return what stands on its list anew that was ticked or taken off, ``None`` where a message orders no such."""
        if len(told) != 1 or turn.scope.tag not in self.lists.tags:
            return None
        if not (things := reading.find_returned(told[0], find_list(told[0]))):
            return None
        deed = make_deed(turn)
        closed = find_closed(things, await self.lists.store.read(turn.scope))
        if not closed:
            return None
        origins = [replace(deed, origin=reading.name_origin(deed, old.key, old.text)) for old in closed]
        wanted = [ListItem(old.key, old.title, old.text, by) for old, by in zip(closed, origins, strict=True)]
        fresh = await self.lists.add(turn.scope, wanted)
        self._note_used(turn, closed[0].key)
        return Reply(write_changed(fresh, await self.lists.read_after(turn.scope, deed), texts), ReplyKind.NOTED)

    async def _do(self, said: _Said) -> Reply | None:
        items = await self.lists.store.read(said.turn.scope) if said.turn.scope.tag in self.lists.tags else ()
        does: dict[Act, Callable[[_Said], Awaitable[Reply | None]]] = {
            Act.ADD: self._add,
            Act.TICK: self._tick,
            Act.SHOW: self._show,
            Act.MAY_TICK: self._tick,
            Act.MAY_ASK: self._tell,
        }
        before = self.lists.just_used.get(said.turn.address.key, said.before)
        said = replace(said, items=items, before=before)
        reply = await self._change(said) or await does[said.act](said)
        if reply is None and said.act is Act.MAY_TICK and decide_kind(said.sentence) is SentenceKind.LIST_ADD:
            reply = await self._add(said) if reading.takes(said.sentence) else None  # asks what is meant
        return reply

    async def _change(self, said: _Said) -> Reply | None:
        """Return what was put on a list and taken off by a sentence that orders both, ``None`` for any other.

        Where it is not sure to be about a list, all that it takes off must stand on one.
        """
        named, deed, order = said.named, make_deed(said.turn), tell_order(said.sentence)
        if said.act not in _CHANGES or _asks(said.sentence):
            return None
        over = [order.pick(Role.TICKED), order.pick(Role.REMOVED)]
        if order.pick(Role.ADDED) and any(over):
            things = reading.read_added(said.sentence, named)
        else:
            things, over[1] = reading.read_both(said.sentence, named)
        if not things or not any(over):
            return None
        standing = [item for item in said.items if _stands(item, deed) and item.key in _list_keys(said, named)]
        (ticked, taken), missing = zip(*(match_taken(each, standing) for each in over), strict=True)
        sure = tell_kinds(said.sentence).measure(SentenceKind.LIST_ADD, SentenceKind.LIST_DONE) >= SURE
        lost = [thing for things in missing for thing in things]
        if lost and not sure:
            return None
        meant = [*ticked, *taken]
        known = {item.key for each in meant for item in each.items}
        key = known.pop() if len(known) == 1 else _choose_list(said, named, things)
        gone = list[ListItem]()
        for each, state in ((ticked, ItemState.DONE), (taken, ItemState.REMOVED)):
            ids = [item.id for one in each if one.clear for item in one.items]
            gone += await self.lists.store.mark(said.turn.scope, ids, state, deed) if ids else ()
        replies = [await self._keep(said, named, key, things)]
        if gone:
            items = await self.lists.read_after(said.turn.scope, deed)
            replies.insert(0, Reply(write_changed(gone, items, said.texts), ReplyKind.NOTED))
        replies += [_tell_missing(said, lost, key)] if lost else []
        unclear = [item for each in meant if not each.clear for item in each.items]
        return _join([*replies, *([make_which(unclear, said.texts, removed=True)] if unclear else [])])

    async def _add(self, said: _Said) -> Reply | None:
        turn, named = said.turn, said.named
        things = reading.read_added(said.sentence, named)
        if named is not None and (not things or not any(map(list_concepts, things))):
            things = await self._read_replied(turn)
        takes = reading.takes(said.sentence)
        if (
            said.before is not None
            and named is None
            and not takes
            and (over := await self._mark_alike(said, things)) is not None
        ):
            return over
        key = _choose_list(said, named, things)
        orders = named is not None or said.before is not None or _orders(said.sentence)
        headed = len(things) > 1 and reading.is_headed(said.sentence) and reading.wants_bought(said.sentence)
        orders = orders or (headed and decide_kind(said.sentence, SURE) is SentenceKind.LIST_ADD)
        if not things or not (orders or key in said.keys):
            return None
        if key != TODO and (takes or any(map(reading.holds_order, things))):
            return await self._tick(said) or Reply(said.texts.lists.unclear, ReplyKind.COMMAND)
        return await self._keep(said, named, key, things)

    async def _keep(self, said: _Said, named: Named | None, key: str, things: Sequence[str]) -> Reply:
        """Put things on a list and return what was put there, what stood there already, and that there is no room."""
        turn = said.turn
        deed = make_deed(turn)
        title = named.title if named is not None and named.key == key else ""
        title = find_title(key, said.items) or title
        wanted = [
            ListItem(key, title, thing, replace(deed, origin=reading.name_origin(deed, key, thing))) for thing in things
        ]
        kept = await self.lists.add(turn.scope, wanted)
        self._note_used(turn, key)
        items = await self.lists.read_after(turn.scope, deed)
        self.shown.note(turn, tuple(f"/list done {item.number}" for item in keep_open(items, key)))
        there = {item.id for item in said.items if item.added.origin not in {each.added.origin for each in wanted}}
        fresh, known = ([item for item in kept if (item.id in there) is how] for how in (False, True))
        lines = [write_changed([replace(each, state=ItemState.OPEN) for each in fresh], items, said.texts)]
        lines.append(write_changed(known, items, said.texts, known=True))
        if len(kept) < len(wanted):
            full = said.texts.lists.full
            lines.append(full.format(list=name_list(key, title, said.texts), count=len(keep_open(items))))
        return Reply("\n".join(filter(None, lines)), ReplyKind.NOTED)

    async def _read_replied(self, turn: Turn) -> tuple[str, ...]:
        """Return the things that a message names which this one replies to: "put that on the shopping list"."""
        said = await quote_replied(self.turns, turn) if turn.message.quote is not None else ""
        own = reading.read_added(redact(clean(said)).text, find_list(said))
        return (redact(clean(said)).text[:LONGEST],) if said.startswith(ANOTHERS) else own

    async def _mark_alike(self, said: _Said, things: Sequence[str]) -> Reply | None:
        """Return what is over like what a message before said to be: "bread, too" behind "got milk"."""
        here = [item for item in said.items if item.key == said.before]
        closed = [(item.closed.at, item.state) for item in here if item.closed is not None]
        last, state = max(closed, default=(None, ItemState.DONE))
        deed = make_deed(said.turn)
        standing = [item for item in here if _stands(item, deed)]
        meant = [match_thing(each, standing, loosely=False) for each in things]
        if last is None or any(item.added.at > last for item in here):
            return None
        if not meant or not all(each.items and each.clear for each in meant):
            return None
        ids = [item.id for each in meant for item in each.items]
        done = await self.lists.store.mark(said.turn.scope, ids, state, deed)
        self._note_used(said.turn, said.before or "")
        items = await self.lists.store.read(said.turn.scope)
        return Reply(write_changed(done, items, said.texts), ReplyKind.NOTED) if done else None

    async def _tick(self, said: _Said) -> Reply | None:
        named, deed = said.named, make_deed(said.turn)
        if named is not None and named.key and named.key not in said.keys:
            return None
        standing = [item for item in said.items if _stands(item, deed)]
        if named is not None and named.key:
            standing = [item for item in standing if item.key == named.key]
        elif reading.EVERYTHING.search(said.sentence):
            last = find_last_key(standing)
            standing = [item for item in standing if item.key == last]
        if orders_to_empty(said.sentence, named):
            return await self._empty(said, standing)
        sure = said.act is Act.TICK or decide_kind(said.sentence) is SentenceKind.LIST_DONE
        forgets = decide_kind(said.sentence, SURE) is SentenceKind.FORGET
        if forgets and said.before is None and not self.shown.find_numbers(said.turn, _NUMBERED):
            standing = [item for item in standing if names_whole(said.sentence, item)]  # else a memory may be meant
        all_of_it = sure or said.before is not None
        ticked = read_ticked(said.sentence, named, standing, sure=sure, all_of_it=all_of_it, forgets=forgets)
        ticked = doubt_ticked(said.sentence, ticked)
        if not ticked.items and not ticked.unclear:
            return None
        self._note_used(said.turn, (*ticked.items, *ticked.unclear)[0].key)
        state = ItemState.REMOVED if ticked.removed else ItemState.DONE
        done = await self.lists.store.mark(said.turn.scope, [item.id for item in ticked.items], state, deed)
        items = await self.lists.read_after(said.turn.scope, deed)
        asked = make_which(ticked.unclear, said.texts, removed=ticked.removed) if ticked.unclear else None
        told = Reply(write_changed(done, items, said.texts), ReplyKind.NOTED) if done else None
        missing = _tell_missing(said, ticked.missing, done[0].key) if done and ticked.missing else None
        return _join([each for each in (told, missing, asked) if each is not None])

    async def _empty(self, said: _Said, standing: Sequence[ListItem]) -> Reply | None:
        """Return what was taken off the list that a sentence names, or else means, with a button for the way back."""
        keys = {item.key for item in standing}
        key = next(iter(keys)) if len(keys) == 1 else said.before
        if key not in keys or key is None:
            return None
        self._note_used(said.turn, key)
        deed, ids = make_deed(said.turn), [item.id for item in standing if item.key == key]
        gone = await self.lists.store.mark(said.turn.scope, ids, ItemState.REMOVED, deed)
        items = await self.lists.read_after(said.turn.scope, deed)
        back = (said.texts.lists.closed_button.format(count=len(gone)), f"/list closed ={key}")
        return Reply(
            write_changed(gone, items, said.texts),
            ReplyKind.NOTED,
            (back,),
            buttons_last_s=PAGING_LASTS_S,
            for_all=True,
        )

    async def _show(self, said: _Said) -> Reply | None:
        named = said.named
        asked, thing = find_asked(said.sentence, named, said.items)
        if asked:
            return write_state(asked, said.turn.message, said.turn.scope, said.texts)
        if named is not None and named.key and named.key not in said.keys:
            only = len(said.keys) == 1 and decide_kind(said.sentence, SURE) is SentenceKind.LIST_SHOW
            return write_open(said.items, EVERY, said.texts) if only else None
        key = named.key if named is not None and named.key else ""
        if named is not None:
            every = reading.EVERYTHING.search(said.sentence) or reading.SEVERAL.search(said.sentence)
            key = key or (EVERY if every else find_last_key(said.items))
        elif mentioned := find_mentioned(said.sentence, said.keys):
            key = mentioned
        elif SHOPPING in said.keys and reading.wants_bought(said.sentence):
            key = SHOPPING
        likely = decide_kind(said.sentence)
        whether = is_question(said.sentence) or reading.ASKS_IF.match(said.sentence)
        on_it = whether and likely in (None, SentenceKind.LIST_SHOW) and not reading.asks_openly(said.sentence)
        if thing and named is not None and on_it:
            return replace(_tell_missing(said, (thing,), key), kind=ReplyKind.COMMAND)
        if named is not None and thing and not whether and OF_SPEAKER.match(said.sentence):
            return None  # "I'll have a look at the list"
        elsewhere = thing and named is None and on_it  # "is there any cake left?"
        if not said.items or elsewhere or (thing and likely is not SentenceKind.LIST_SHOW):
            return None
        shown = {item.key for item in keep_open(said.items)}
        self._note_used(said.turn, key or (shown.pop() if len(shown) == 1 else ""))
        return write_open(said.items, key or EVERY, said.texts)

    async def _tell(self, said: _Said) -> Reply | None:
        """Return what became of what a question names that stands or stood on a list, or what its list holds."""
        asked, _ = find_asked(said.sentence, None, said.items)
        if not asked:
            key = find_mentioned(said.sentence, said.keys) if reading.wants_bought(said.sentence) else ""
            key = key or reading.find_asked_for(said.sentence, said.keys)
            return write_open(said.items, key, said.texts) if key else None
        return write_state(asked, said.turn.message, said.turn.scope, said.texts)

    def _note_used(self, turn: Turn, key: str) -> None:
        if key and key != EVERY:  # "it" behind all of them is none
            self.lists.just_used[turn.address.key] = key


def make_deed(turn: Turn) -> Deed:
    """Return what the author of a turn does to a list by its message."""
    message, author = turn.message, turn.message.author
    origin = name_message(message.address, message.message_id) if message.message_id else turn.uid
    return Deed(author.id, author.name, turn.started_at, turn.uid, origin)


def _tell_missing(said: _Said, things: Sequence[str], key: str) -> Reply:
    """Return that things do not stand on a list."""
    name = name_list(key, find_title(key, said.items), said.texts)
    names = ", ".join(map(escape, things))
    return Reply(said.texts.lists.not_there.format(items=f"“{names}”", list=name), ReplyKind.NOTED)


def _stands(item: ListItem, deed: Deed) -> bool:
    """Return whether something is open, or was until the message of ``deed``, which may be run again."""
    return item.state is ItemState.OPEN or (item.closed is not None and item.closed.origin == deed.origin)


def _list_sentences(turn: Turn) -> tuple[str, ...]:
    """Return the sentences of a message, a list under its name as one."""
    analysed = turn.analysed
    whole = keep_own_words(redact(clean(analysed)).text).strip()
    if len(whole) <= _LONGEST_HEADED and "?" not in whole and reading.begins_list(whole) is not None:
        return (whole,)
    return tuple(part for each in list_own_sentences(analysed) for part in _split_emptying(each))


def _split_emptying(sentence: str) -> tuple[str, ...]:
    """Return an order to empty a list, and what is ordered behind it; any other sentence as it is."""
    order, rest = reading.split_order(sentence)
    return (order, rest) if rest and orders_to_empty(order, reading.find_list(order)) else (sentence,)


def _list_keys(said: _Said, named: Named | None) -> frozenset[str]:
    return frozenset({named.key}) if named is not None and named.key else said.keys


def _asks(sentence: str) -> bool:
    """Return whether a sentence likely asks, and changes no list: "who said that Tom can't have cheese?"."""
    return tell_kinds(sentence).decide() is SentenceKind.QUESTION


def _orders(sentence: str) -> bool:
    """Whether a sentence orders something to be put on a list or bought, rather than says that it is needed."""
    return reading.puts(sentence) or reading.begins_with_buying(sentence)


def _choose_list(said: _Said, named: Named | None, things: Sequence[str]) -> str:
    """Return the list that something belongs on: the one that is named, used just now, of its kind, or used last."""
    if named is not None and named.key:
        return named.key
    tasks = reading.are_tasks(things, said.sentence)
    if said.before is not None and not (tasks and said.before == SHOPPING):
        return said.before
    if named is not None and said.items:
        return find_last_key(said.items)
    if tasks:
        return TODO
    last = find_last_key(said.items)
    things_to_buy = reading.wants_bought(said.sentence) or (last == TODO and SHOPPING in said.keys)
    return SHOPPING if things_to_buy else last


def _join(replies: Sequence[Reply]) -> Reply | None:
    """Return replies as one; with something noted among them, all is."""
    if not replies:
        return None
    kinds = {reply.kind for reply in replies}
    return Reply(
        "\n\n".join(reply.text for reply in replies),
        ReplyKind.NOTED if ReplyKind.NOTED in kinds else ReplyKind.COMMAND,
        tuple(button for reply in replies for button in reply.buttons),
        buttons_last_s=max(reply.buttons_last_s for reply in replies),
        for_all=True,
    )
