"""Orders in words to take back what was done or told last: "undo that", "scratch what I just did".

"That" is what the same person's newest message in the conversation did, whatever it was, in a reply what the message
did that it replies to, or to whose answer: features are asked for what is theirs.  A message that only told something
is forgotten, with the button that brings it back.  What was taken back is noted, so that a second order takes back what
was before instead of the first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import ClassVar, Final

import structlog

from bot.commands.forget import EDITS_LAST, Forget, Undo, find_statement, told
from bot.commands.formatting import make_reply, quote
from bot.commands.memory_views import tell_corrected
from bot.core.rights import Whose
from bot.core.shown import ShownLast
from bot.errors import MnemeError
from bot.memory.answering.follow_ups import asks_earlier
from bot.memory.learning.correction import Correction, begins_with_value, find_contrasts, strip_opening
from bot.memory.learning.kinds import SURE, SentenceKind, decide_kind, tell_kinds
from bot.memory.learning.rewording import holds_value
from bot.memory.learning.speech_acts import (
    asks_to_forget,
    asks_to_halt,
    is_trivial,
    keep_own_words,
    list_telling_sentences,
    puts_on_list,
    strip_greeting,
    wants_answer,
    wants_reminder,
)
from bot.memory.patterns import compile_bounded
from bot.messages import MessageKind
from bot.ports.eraser import ErasureTarget
from bot.ports.system import CommandCall, TakeBack
from bot.ports.tickets import Asked, Buttons, TicketKind, Tickets
from bot.ports.when import Clock
from bot.turn import BUTTONS_LAST_S, Exchange, Reply, Turn
from language import alternatives, languages
from language.words import split_words

_LOOKED_BACK: Final = 50
"""Exchanges of the session among which the last is that did something."""
_NEAR: Final = 4
"""Those of them that are meant by who wants something back, and loses nothing by that."""
_LONGEST: Final = 120
"""Characters of an order: a longer message says more than that."""
_CORRECTS: Final = 0.2
"""Likelihood from which on a sentence may as well put right what it would take back: "oops, EasyJet, my mistake"."""
_INSTANT: Final = timedelta(seconds=1)
"""Times are compared by the second where a store rounds them."""


@cache
def _compile_undoing() -> re.Pattern[str]:
    words = [each.forgetting for each in languages()]
    please = alternatives(each.please for each in words)
    undoes = alternatives(each.undoes for each in words)
    return compile_bounded(rf"(?:{please},?\s+)?{undoes}(?:,?\s+{please})?\W{{0,9}}", re.IGNORECASE)


@cache
def _compile_dropping() -> re.Pattern[str]:
    words = [each.forgetting for each in languages()]
    please = alternatives(each.please for each in words)
    drops = alternatives(each.drops_last for each in words)
    return compile_bounded(rf"(?<!\w)(?:{please},?\s+)?{drops}(?!\w)(?:,?\s+{please})?", re.IGNORECASE)


def asks_to_undo(text: str, *, only_sure: bool) -> bool:
    """Return whether a message is nothing but an order to take back what was done last, without naming it.

    ``only_sure``: by its kind, not by a pattern alone.
    """
    if len(text) > _LONGEST or asks_earlier(text) or wants_answer(text):
        return False
    if not only_sure and _drops_last(text):  # "one" of "the last one" is no value
        return True
    said = list_telling_sentences(text)
    if any(strong and begins_with_value(bare) for bare, strong, _ in map(strip_opening, said)):
        return False  # "scratch that, 7"
    worded = said and len(split_words(text)) > 1  # a word that orders it is one of those for it
    undoes = worded and all(decide_kind(each, SURE) is SentenceKind.UNDO for each in said)
    if undoes and not any(tell_kinds(each).measure(SentenceKind.CORRECTION) >= _CORRECTS for each in said):
        return True
    return not only_sure and (_names_undoing(text) or _undoes_for_a_reason(text))


def _undoes_for_a_reason(text: str) -> bool:
    """Return whether a message takes something back and says why, and nothing that is right instead."""
    said = strip_opening(keep_own_words(text).strip())[0]
    order, sign, reason = said.partition(",")
    before, ends, last = said.rpartition(". ")  # "they are all mouldy. undo"
    leads = bool(ends) and _names_undoing(last) and before.count(".") == 0 and all(map(_is_reason, before.split(",")))
    return leads or (bool(sign) and _names_undoing(order) and _is_reason(reason))


def _drops_last(text: str) -> bool:
    """Return whether a message orders to drop the last thing, whatever opens it, and says at most why."""
    said = strip_greeting(keep_own_words(text).strip())
    found = _compile_dropping().search(said)
    before = said[: found.start()].rstrip(" ,.!…–—-") if found is not None else ""
    if found is None or not (is_trivial(before) or strip_opening(f"{before}, it")[0] == "it"):
        return False
    behind = said[found.end() :].lstrip()
    begins = behind[:1] in {"", ",", ";", "–", "—", "-", "!", "."} or is_trivial(behind) or _gives_reason(behind)
    return begins and _is_reason(behind.lstrip(" ,;.!–—-"))


def _gives_reason(behind: str) -> bool:
    """Return whether words right behind an order begin a clause: "he paid ages ago"."""
    return next(iter(split_words(behind)), "") in _list_subjects()


@cache
def _list_subjects() -> frozenset[str]:
    return frozenset[str]().union(*(each.questions.asker | each.questions.refers for each in languages()))


def _is_reason(clause: str) -> bool:
    """Return whether a clause behind an order may say why, and neither what is right instead nor what else to do."""
    said = split_words(clause)
    more = said[:1] and said[0] in frozenset[str]().union(*(each.questions.joins for each in languages()))
    does = puts_on_list(clause) or wants_reminder(clause) or clause.endswith("?")
    return not (more or does or holds_value(clause) or begins_with_value(clause) or find_contrasts(clause))


def _names_undoing(text: str) -> bool:
    """Return whether a message says with the words for it to take something back: "scrap the last one" may not."""
    return _compile_undoing().fullmatch(strip_greeting(keep_own_words(text).strip())) is not None


@cache
def _compile_restoring() -> re.Pattern[str]:
    restores = alternatives(each.forgetting.restores for each in languages())
    return compile_bounded(rf"(?<!\w){restores}(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Before:
    """What was taken back of late: when the last time was, and which exchanges and erases."""

    at: datetime | None = None
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentenceUndo:
    """Answers messages that ask for nothing but to take back what was done last."""

    forget: Forget
    undo: Undo
    tickets: Tickets
    buttons: Buttons
    clock: Clock
    features: Sequence[TakeBack]
    shown: ShownLast

    async def answer(self, turn: Turn) -> Reply | None:
        """Take it back and say what it was; ``None`` for any other message."""
        edited = any(entry.message.kind is MessageKind.EDITED for entry in turn.accepted)
        if edited or not turn.is_own:
            return None
        if turn.without_model and asks_to_halt(turn.analysed) and not _names_undoing(turn.analysed):
            return await self._halt(turn)
        if not asks_to_undo(turn.analysed, only_sure=not turn.without_model):
            return None
        undoes = _names_undoing(turn.analysed) or asks_to_undo(turn.analysed, only_sure=True)
        if self.shown.means(turn, turn.analysed) and not undoes:
            return None
        call = CommandCall.by(turn, self.undo.name)
        nothing = make_reply(turn.texts.forget.nothing_done)
        try:
            restores = not turn.parts and not (asks_to_forget(turn.analysed) or _drops_last(turn.analysed))
            quoted, offered = bool(turn.parts), self.shown.find_offered(turn)
            return await self._take_back(call, turn.uid, quoted=quoted, restores=restores, offered=offered) or nothing
        except MnemeError as error:
            structlog.get_logger().warning("nothing taken back", cause=type(error).__name__)
            return make_reply(turn.texts.notice.command_failed)

    async def _halt(self, turn: Turn) -> Reply:
        """Take back the order just carried out, else say that nothing runs: "stop" forgets nothing that was told."""
        ordered = any(each.synthetic and each.author.id == turn.message.author.id for each in turn.history[-1:])
        back = await self.take_back_done(CommandCall.by(turn, self.undo.name)) if ordered else None
        return back or make_reply(turn.texts.basic.nothing_to_stop)

    async def take_back_done(self, call: CommandCall) -> Reply | None:
        """Take back what the caller did last, or did by what they reply to; what was only told stays.

        ``None`` where that is nothing of the last ten minutes.
        """
        quoted = bool(call.message.replies_to)
        since = call.now - EDITS_LAST
        anyones = await self.undo.may(self.undo.name, call.message, call.scope, Whose.OTHERS)
        return await self._take_back(call, "", quoted=quoted, restores=not quoted, since=since, anyones=anyones)

    async def _take_back(
        self,
        call: CommandCall,
        uid: str,
        *,
        quoted: bool,
        restores: bool,
        since: datetime | None = None,
        offered: datetime | None = None,
        anyones: bool = False,
    ) -> Reply | None:
        """Return what was taken back, ``None`` for nothing; ``since`` a time on, nothing that was only told.

        Nor what was told before the caller was ``offered`` to have something forgotten: that is not meant.
        ``anyones`` brings back what others forgot as well.
        """
        words, asked = call.texts.forget, Asked(call.scope, call.message.address, call.author.id)
        before = _load(await self.tickets.find(TicketKind.UNDONE, asked, call.now))
        if uid in before.done:  # a crash behind it has run the turn again
            return make_reply(words.taken_back_already)
        history = await self.forget.turns.history(call.scope, call.session.id, _LOOKED_BACK)
        own = [each for each in reversed(history) if each.author.id == call.author.id and each.uid != uid]
        own = [each for each in own if since is None or each.said_at >= since]
        if quoted:  # a reply means what it replies to, and nothing else
            own = await self._list_replied(call)
            if (back := await self._bring_back_replied(call)) is not None:
                return back
            if own and own[0].uid in before.done:
                return make_reply(words.taken_back_already)
        forgets = since is None
        if offered is not None and not quoted and not (own and own[0].said_at >= offered):
            found = await self._restore(call, offered, "", before, anyones=anyones) if restores else None
        else:
            found = await self._find_last(call, own, before, restores=restores, forgets=forgets, anyones=anyones)
        if found is None:
            return None
        reply, undone, at = found
        again = not quoted and before.at is not None and at <= before.at
        again = again or (forgets and bool(own) and at < own[0].said_at)
        made = await self.undo.eraser.list_erases(call.scope, call.author.id, call.now)  # an undo may have erased
        done = (*before.done, *filter(None, (undone, uid)), *(each.uid for each in made))[-_LOOKED_BACK:]
        now = self.clock.now()
        await self.tickets.issue(TicketKind.UNDONE, asked, (now.isoformat(), *done), now, BUTTONS_LAST_S)
        return replace(reply, text=f"{words.taken_back_before}\n\n{reply.text}") if again else reply

    async def _list_replied(self, call: CommandCall) -> list[Exchange]:
        """Return what the message replies to, or what was answered so, [] where that is not the caller's."""
        message = call.message
        replied = await self.forget.turns.find_replied(call.scope, message.address, message.replies_to)
        return [replied.exchange] if replied is not None and replied.exchange.author.id == call.author.id else []

    async def _bring_back_replied(self, call: CommandCall) -> Reply | None:
        """Bring back what the receipt tells to be forgotten that the message replies to, as its button does."""
        asked = Asked(call.scope, call.message.address, call.author.id)
        for command in await self.buttons.list_open(asked, call.message.replies_to, call.now):
            name, _, erase = command.partition(" ")
            if name == f"/{self.undo.name}":
                return await self.undo.run(replace(call, argument=erase))
        return None

    async def _find_last(
        self,
        call: CommandCall,
        own: Sequence[Exchange],
        before: _Before,
        *,
        restores: bool,
        forgets: bool,
        anyones: bool,
    ) -> tuple[Reply, str, datetime] | None:
        """Take back the newest of what commands and messages have done.

        Returns what it was, which exchange or erase is undone now, and from which time on it was done.
        "Forget the last sentence" brings nothing back that was forgotten: it is not for that that it ``restores``.
        What was told before a question, or an order that did nothing, is not meant.
        """
        wants_back = _compile_restoring().search(call.message.text) is not None
        nothing_since = True
        for each in own[:_NEAR] if wants_back else own:
            found = await self._restore(call, each.said_at, each.uid, before, anyones=anyones) if restores else None
            if found is not None:
                return found
            if each.uid in before.done:
                continue
            forget = forgets and nothing_since
            if (back := await self._undo_exchange(call, each, forgets=forget, only_back=wants_back)) is not None:
                return back, each.uid, each.said_at
            nothing_since = nothing_since and is_trivial(each.user_text)
        return await self._restore(call, call.session.started_at, "", before, anyones=anyones) if restores else None

    async def _restore(
        self, call: CommandCall, since: datetime, exchange: str, before: _Before, *, anyones: bool
    ) -> tuple[Reply, str, datetime] | None:
        """Take back the newest erase since an exchange, else an edit; of an erase that is final say that it is."""
        erases = await self.undo.eraser.list_erases(call.scope, call.author.id, since, anyones=anyones)
        erase = next((each for each in erases if each.uid not in before.done), None)
        if erase is not None and (back := await self.undo.bring_back(call, erase.uid, anyones=anyones)) is not None:
            return back, erase.uid, erase.made_at
        edits = max(since, before.at + _INSTANT if before.at else since, erase.made_at if erase else since)
        if (back := await self.undo.put_back(call, edits)) is not None:
            return back, exchange, edits
        return None if erase is None else (make_reply(call.texts.forget.lapsed), erase.uid, erase.made_at)

    async def _undo_exchange(
        self, call: CommandCall, exchange: Exchange, *, forgets: bool, only_back: bool
    ) -> Reply | None:
        for take_back in self.features:
            if (reply := await take_back(call, exchange.uid, only_back=only_back)) is not None:
                return reply
        reply = await self._put_back(call, exchange)
        return await self._forget(call, exchange) if reply is None and forgets and not only_back else reply

    async def _put_back(self, call: CommandCall, exchange: Exchange) -> Reply | None:
        """Put back what a message has corrected in plain words, where it did nothing else."""
        editor = self.forget.editor
        back = []
        if not exchange.synthetic:
            return None
        for was in await editor.find_corrected(call.scope, exchange.uid):
            former = Correction(exchange.uid, was.after, was.before)
            author, at = call.author, call.message.address
            back.append(await editor.correct(call.scope, former, exchange.uid, call.now, author, at))
        corrected = tuple(filter(None, back))
        return tell_corrected(corrected, call.texts) if corrected else None

    async def _forget(self, call: CommandCall, exchange: Exchange) -> Reply | None:
        if find_statement(exchange) is None:
            return None
        forget, texts = self.forget, call.texts
        if not await forget.may(forget.name, call.message, call.scope, Whose.OWN):
            return None
        wanted = ErasureTarget(exchanges=(exchange.uid,))
        done = await forget.eraser.erase(call.scope, wanted, author_id=call.author.id, only_own=True)
        receipt = told(done, "", texts.forget, named=1)
        return replace(receipt, text=texts.forget.taken_back.format(text=quote(exchange.user_text)))


@dataclass(frozen=True, slots=True)
class UndoLast:
    """Takes back what the caller did last; a button names the erase that it stands under."""

    sentences: SentenceUndo

    name: ClassVar[str] = Undo.name

    async def run(self, call: CommandCall) -> Reply:
        """Take it back and say what it was; where that is nothing, bring back what was forgotten before."""
        back = None if call.argument else await self.sentences.take_back_done(call)
        return back or await self.sentences.undo.run(call)


def _load(content: tuple[str, ...] | None) -> _Before:
    return _Before(datetime.fromisoformat(content[0]), content[1:]) if content else _Before()
