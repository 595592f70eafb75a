"""System 45: carry out what a message puts right of what its author said before.

"No, wait: at 8:40" is an edit of a memory in plain words: from here on the earlier sentence is in no answer and no
prompt, and the reply shows what was replaced and puts it back at a press.  Nobody corrects another's words, and a
message that is a correction by its form alone, of nothing that was said, is learned from like any other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.memory.concepts import list_concepts, tells
from bot.memory.items import Origin
from bot.memory.learning.correction import (
    Correction,
    Statement,
    begins_with_value,
    denies,
    find_corrected_value,
    find_corrections,
    looks_like_correction,
    may_correct,
    names_what_is_wrong,
)
from bot.memory.learning.speech_acts import SpeechAct, classify_speech, is_trivial, keep_own_words
from bot.memory.secrets.redaction import is_redacted, redact
from bot.messages import MessageKind
from bot.ports.memory_store import Corrected, MemoryEditor, MemoryQuery, MemoryStore
from bot.ports.system import OnError
from bot.ports.turn_store import RepliedTo, TurnStore
from bot.turn import Exchange, Reply, ReplyKind, Trace, Turn
from language.sentences import split_sentences

_LOOKED_AT: Final = 12
"""Memories among which the corrected sentence is looked for where the session does not hold it."""


@dataclass(frozen=True, slots=True)
class CorrectionSystem:
    """Replace what a message corrects.

    ``tell`` returns the lines and buttons that say so, in the turn's language; ``ask`` what is asked where somebody
    only says that what they were told is wrong.
    """

    turns: TurnStore
    editor: MemoryEditor
    items: MemoryStore
    remembering: Callable[[], bool]
    tell: Callable[[Turn, Sequence[Corrected]], Reply]
    ask: Callable[[Turn, Statement], Reply]

    order: ClassVar[int] = 45
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with what was corrected told in its reply."""
        reply = turn.reply
        if reply is None or reply.kind is ReplyKind.COMMAND or not self.remembering():
            return turn
        if turn.message.kind is MessageKind.EDITED:
            return await self._correct_anew(turn, reply)
        said, before, message = turn.typed, turn.history[-1:], turn.message
        mine = [each for each in before if each.author.id == message.author.id]
        denied = any(denies(each.user_text) for each in mine)
        denying = denies(said)
        corrects = reply.kind is not ReplyKind.NOTICE and (denied or denying or may_correct(said))
        declines = denying and any(each.synthetic and not each.echo for each in before)  # "no" to what an order asks
        corrects = corrects and not declines and not is_redacted(said)  # what puts a secret right was left out
        to = await self._find_replied(turn) if corrects and turn.parts else None
        if to is not None and to.exchange.uid not in {each.uid for each in mine}:
            return await self._correct_replied(turn, reply, to)
        if not corrects or (turn.parts and to is None) or _only_answers(said, before):
            return turn
        sounds = denying or looks_like_correction(said)
        shown = await self._list_denied(turn) if denied else await self._list_shown(turn) if sounds else ()
        if denying:
            return (
                turn if reply.kind is ReplyKind.ANSWER or not shown else replace(turn, reply=self.ask(turn, shown[0]))
            )
        found, whole = find_corrections(said, (*shown, *_list_said(turn, just_now=not shown)), denied=denied)
        if not found and (sought := said if names_what_is_wrong(said) else find_corrected_value(said)):
            found, whole = find_corrections(said, await self._list_known(turn, sought))
        done = tuple(filter(None, [await self._carry_out(turn, each) for each in found]))
        if not found and sounds:  # a crash behind the correction has run the turn again
            done = await self.editor.find_corrected(turn.scope, turn.uid)
            whole = bool(done)
        return self._note(turn, reply, done, whole=whole, all_done=len(done) >= len(found))

    async def _find_replied(self, turn: Turn) -> RepliedTo | None:
        """Return what a message replies to that holds nothing else of others; ``None`` where nothing is kept of it."""
        number = turn.message.replies_to
        if not number or any(part.origin is not Origin.QUOTED for part in turn.parts):
            return None
        return await self.turns.find_replied(turn.scope, turn.address, number)

    async def _correct_replied(self, turn: Turn, reply: Reply, to: RepliedTo) -> Turn:
        """Carry out what a reply puts right of the message that it replies to, or of what that has told of memory."""
        author = turn.message.author
        shown = _list_told(to.exchange.assistant_text, to.trace, author.id) if to.answer else ()
        own = (to.exchange,) if to.exchange.author.id == author.id and not to.exchange.synthetic else ()
        found, whole = find_corrections(turn.typed, shown or _list_stated(own, to.exchange.uid))
        done = tuple(filter(None, [await self._carry_out(turn, each) for each in found]))
        return self._note(turn, reply, done, whole=whole, all_done=len(done) >= len(found))

    async def _correct_anew(self, turn: Turn, reply: Reply) -> Turn:
        """Carry out what an edited message corrects now in the place of what it corrected before, or put that back."""
        message, said = turn.message, "" if turn.parts else turn.typed
        kept = (
            await self.turns.find_replied(turn.scope, turn.address, message.message_id) if message.message_id else None
        )
        if kept is None or kept.answer or kept.exchange.author.id != message.author.id:
            return turn
        old, done, whole = kept.exchange, [], True
        for was in await self.editor.find_corrected(turn.scope, old.uid):
            told = Statement(old.uid, was.before, last=True)
            (made, _), (found, alone) = (find_corrections(text, (told,)) for text in (old.user_text, said))
            if not made or made[0].statement != was.after:
                continue  # it was put back, or corrected again, since
            whole = whole and bool(found) and alone
            back = await self._carry_out(turn, Correction(old.uid, was.after, was.before))
            again = Correction(old.uid, was.before, found[0].statement) if found and back is not None else None
            done.append(back if again is None else await self._carry_out(turn, again))
        return self._note(turn, reply, tuple(filter(None, done)), whole=whole, all_done=True)

    def _note(self, turn: Turn, reply: Reply, done: tuple[Corrected, ...], *, whole: bool, all_done: bool) -> Turn:
        """Return the turn with what was corrected told in its reply; ``whole`` if the message says nothing else."""
        if not done:
            return turn
        told, unread = self.tell(turn, done), reply.kind is not ReplyKind.ANSWER and whole
        text = told.text if unread else f"{reply.text}\n\n{told.text}"
        kind = ReplyKind.NOTED if unread else reply.kind
        changed = replace(
            reply, text=text, kind=kind, buttons=(*reply.buttons, *told.buttons), about=(*reply.about, *told.about)
        )
        return replace(
            turn,
            reply=changed,
            corrected=whole and all_done,
            trace=turn.trace.measuring(statements_corrected=len(done)),
        )

    async def _list_shown(self, turn: Turn) -> tuple[Statement, ...]:
        """Return what the newest answer has told of the author's words: "no, she lives in …" is about that."""
        last, author = await self.turns.last(turn.address), turn.message.author
        if last is None or not turn.history or turn.history[-1].uid != last.exchange:
            return ()
        return _list_told(last.answer, last.trace, author.id)

    async def _list_denied(self, turn: Turn) -> tuple[Statement, ...]:
        """Return what the answer has told that the author has called wrong since."""
        answers = [each.assistant_text for each in turn.history[:-1][-1:]]
        known = [each for answer in answers for each in await self._list_known(turn, answer)]
        answered = frozenset(word for answer in answers for word in list_concepts(answer))
        return tuple(replace(each, last=True) for each in known if tells(answered, each.sentence))

    async def _list_known(self, turn: Turn, like: str) -> tuple[Statement, ...]:
        """Return what the author said, in whatever session, that is like a text."""
        author = turn.message.author
        query = MemoryQuery(like, author.id, author.name, turn.started_at, limit=_LOOKED_AT)
        return tuple(
            Statement(item.provenance.exchange, sentence)
            for item, _ in await self.items.items(turn.scope, query)
            if item.provenance.author_id == author.id and item.provenance.exchange
            for sentence in split_sentences(item.content)
        )

    async def _carry_out(self, turn: Turn, found: Correction) -> Corrected | None:
        masked = replace(found, statement=redact(found.statement).text)
        author, at = turn.message.author, turn.message.address
        return await self.editor.correct(turn.scope, masked, turn.uid, turn.message.sent_at, author, at)


def _only_answers(said: str, before: Sequence[Exchange]) -> bool:
    """Return whether a message says the value that it was asked for just before."""
    asked = any(each.assistant_text.rstrip().endswith("?") for each in before)
    return asked and begins_with_value(said) and not looks_like_correction(said)


def _list_told(answer: str, trace: Trace, author_id: int) -> tuple[Statement, ...]:
    answered = frozenset(list_concepts(answer))
    told = (one for one in trace.memories if one.author_id == author_id and one.role == "user" and one.exchange)
    return tuple(
        Statement(memory.exchange, sentence, last=True)
        for memory in told
        for sentence in split_sentences(keep_own_words(memory.text))
        if tells(answered, sentence)
    )


def _list_said(turn: Turn, *, just_now: bool) -> tuple[Statement, ...]:
    """Return what the author stated in this session, newest first.

    What the newest message stated may be meant by "it" where that was ``just_now``.
    """
    own = [each for each in reversed(turn.history) if each.author.id == turn.message.author.id and not each.synthetic]
    last = next((each.uid for each in own if not is_trivial(each.user_text)), "")
    return _list_stated(own, last if just_now else "")


def _list_stated(said: Sequence[Exchange], last: str) -> tuple[Statement, ...]:
    """Return what exchanges state; "it" may mean what the one called ``last`` does."""
    return tuple(
        Statement(exchange.uid, sentence, last=exchange.uid == last)
        for exchange in said
        for sentence in reversed(split_sentences(keep_own_words(exchange.user_text)))
        if classify_speech(sentence) is SpeechAct.STATEMENT
    )
