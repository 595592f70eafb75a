"""/forget and /undo: one memory, what a search finds, or everything, with a receipt; and the way back.

Sentences that ask to forget something are answered without a language model: what they name is found by its words.
Where a sentence surely asks for that, and one thing that its author told holds all of them, it goes, and can be brought
back; else what may be meant is listed, with a button for each.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import ClassVar, Final
from unicodedata import normalize

from bot.commands.formatting import escape, find_id, make_reply, name_author, quote
from bot.commands.memory_views import tell_corrected
from bot.commands.replied import RepliedTexts, list_told
from bot.core.choices import read_choice
from bot.core.rights import May, Whose
from bot.core.shown import ShownLast, choose, split_places
from bot.errors import EmbeddingUnavailable
from bot.memory.answering.changes import MAY_CHANGE, rate_change
from bot.memory.concepts import STOP_WORDS, find_concept, list_concepts
from bot.memory.helpfulness import ANSWERING, KNOWN, MAY_ANSWER
from bot.memory.items import Origin, Recalled
from bot.memory.learning.kinds import SentenceKind, find_asking_word, tell_kinds
from bot.memory.learning.retraction import list_rests
from bot.memory.learning.speech_acts import (
    SpeechAct,
    classify_speech,
    find_forgotten,
    is_trivial,
    keep_own_words,
    names_forgetting,
    puts_on_list,
)
from bot.memory.learning.statements import states_fact
from bot.memory.learning.wishes import find_wishes
from bot.memory.names import make_key
from bot.memory.patterns import compile_bounded
from bot.memory.scope import to_number
from bot.messages import ChatKind, MessageKind
from bot.ports.embedder import AnswerReader
from bot.ports.eraser import Eraser, ErasureReceipt, ErasureTarget, ErasureUndo, KeptText, KeptTexts
from bot.ports.memory_store import MemoryEditor, MemoryQuery, Recall
from bot.ports.system import CommandCall
from bot.ports.turn_store import RepliedTo, TurnStore
from bot.turn import BUTTONS_LAST_S, EVERYTHING, Exchange, Reply, Turn
from language import alternatives, languages
from language.analyser import list_possessives
from language.command_texts import ForgetTexts
from language.registry import get_texts
from language.sentences import split_sentences
from language.texts import Texts
from language.words import fold, split_words

_AKIN: Final = 3
"""Memories that are offered because they mean something similar."""
_LOOKED_BACK: Final = 12
"""Exchanges among which the last is that told something."""
SHOWN: Final = 6
"""Candidates that are listed at once."""
_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_PREFIX: Final = re.compile(r"\b(?!i)([^\W\d_])['\u2019](?=[^\W\d_]{3})", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(rf"{alternatives(list_possessives())}\b")
_NAMES_NOTHING: Final = STOP_WORDS.union(*(each.forgetting.sweeping_words for each in languages()))
_COPIES: Final = (
    "imports",
    "summary",
    "entry",
    "trace",
    "reply",
    "document",
    "pending",
    "reminders",
    "lists",
    "title",
    "typed",
)
_LEAST_HEAD: Final = 4
"""Letters of a word that is meant by longer ones that end with it."""
_CLEARER: Final = 2.0
"""Times as likely the clause that is meant must be to name what goes, where the message says it with neither."""
_NEAR: Final = 0.1
"""From this certainty on what is nearest is offered to who wants something forgotten and did not name it as it was."""
_CODE_DIGITS: Final = 4
"""Digits of a number that is looked for as a word where no memory goes by it: somebody wants a code forgotten."""
_REF: Final = re.compile(
    r"(?:#|item:)?(?P<item>\d{1,18})|turn:(?P<turn>[a-z0-9]+)(?::\w+)?"
    r"|file:(?P<file>[a-z0-9]+)"
    rf"|(?P<copy>(?:{'|'.join(_COPIES)}):[\w.-]{{1,200}})",
    re.IGNORECASE,
)
_TYPED: frozenset[MessageKind] = frozenset({MessageKind.TEXT, MessageKind.EDITED})
_HEAD: Final = re.compile(r":(?=\s)")
"""Behind the head of a list, and in no time of day."""
_IMPORTS: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.forgetting.imports for each in languages())}", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"(?<!\d)(?!\d{4}-\d\d-)\d(?:[ ()-]?\d){5,20}")
"""What people call somebody's number: no year, amount or date."""
_BEHIND: Final = re.compile(r"[,;]\s|\s[–—-]\s")
"""Before the reason for an order."""
_PERSONS: Final = (
    frozenset[str]()
    .union(*(each.questions.asker | each.questions.together | each.questions.refers for each in languages()))
    .difference(*(each.questions.theirs | each.learning.articles for each in languages()))
)
_SAYS_WHY: Final = compile_bounded(rf"\s(?={alternatives(sorted(_PERSONS))}\b['’\s]{{1,2}}\w)", re.IGNORECASE)
"""Before a clause that gives the reason and begins with who does it: "everything about Ann she is gone"."""
_REFERS: Final = frozenset[str]().union(*(each.questions.refers for each in languages()))
"""Words for what was spoken of: "it" may be what the last answer told."""
_HALF: Final = 0.5
"""Share of the words that must stand in what can be meant."""
EDITS_LAST: Final = timedelta(seconds=BUTTONS_LAST_S)


@dataclass(frozen=True, slots=True)
class Forget:
    """Erases from the caller's scope and nowhere else.

    Words erase at once only if all of them stand, whole and beyond doubt, in exactly one thing that is kept; else what
    can be meant is listed, each with a button that forgets it.  ``everything`` asks first.
    Of what a sentence surely orders to forget, what ``reader`` alone takes for it is beyond doubt as well.
    """

    editor: MemoryEditor
    recall: Recall
    kept: KeptTexts
    eraser: Eraser
    may: May
    turns: TurnStore
    replied: RepliedTexts
    reader: AnswerReader | None = None

    name: ClassVar[str] = "forget"

    async def run(self, call: CommandCall) -> Reply:
        """Erase, list or ask, and say what was removed."""
        texts = call.texts
        words = call.argument.lower().split()
        if call.message.replies_to and names_nothing(call.argument):
            return await self.forget_replied(call)
        if not words:
            return make_reply(texts.forget.usage)
        if words[0] in texts.forget.everything_words or words[0] == "everything":
            return await self._everything(call, texts, words[1:])
        wanted = parse_references(call.argument.split())
        if wanted is not None:
            done = await self._erase(call, wanted)
            code = call.argument.isdecimal() and len(call.argument) >= _CODE_DIGITS
            if not code or done.items or done.exchanges or not await self._find(call):
                return told(done, escape(call.argument, 60), texts.forget, named=count_named(wanted))
        return await self._search(call, texts)

    async def offer(self, call: CommandCall, *, sure: bool, worded: bool = True) -> Reply | None:
        """Return what the words of a sentence find, each with a button that forgets it.

        Where it is ``sure`` that it asks to forget, and one thing that the caller told has all of them, or alone is
        read as what they name, that is erased and told, with the button that brings it back.  One that is not
        ``worded`` as such an order, "export my photos", takes nothing that it does not find whole: ``None``.
        """
        if names_everything(call.argument):
            return await self._everything(call, call.texts, [])
        texts = call.texts
        named, found = call, tuple[KeptText, ...]()
        for words in _list_readings(call.argument, sure=sure):
            reading = replace(call, argument=words)
            read = await self._read(reading, sure=sure)
            whole = any(one.share == 1 for one in _keep_told(read))
            if whole or not _keep_told(found):
                named, found = (reading, read) if read else (named, found)
            if whole:
                break
        if sure and not any(one.share == 1 for one in found):
            found = await self._choose_read(replace(call, argument=words), found)
        call, found = named, await self._join_versions(call, found) if sure else found
        whole = len(found) == 1 or not _list_everything_words().isdisjoint(split_words(call.argument))
        told = all(_is_told_by(call, (one,)) for one in found)
        since = await self._list_changing(call, found) if found else ()
        if sure and found and whole and told and not since and (wanted := parse_references([one.ref for one in found])):
            said = await self.kept.list_texts(call.scope, wanted)
            clause = await self._find_rest(_BEHIND.split(call.argument)[0], said[0]) if len(said) == 1 else ("", "")
            shown = said if len(said) > 1 else (found[0].text,)
            reply = await self._forget(call, wanted, escape(call.argument, 60), shown, clause)
            return await self._add_left(call, reply, found[0].ref)
        return (
            await self._list(call, texts, (*found, *since))
            if worded or any(each.share == 1 for each in found)
            else None
        )

    async def _join_versions(self, call: CommandCall, found: tuple[KeptText, ...]) -> tuple[KeptText, ...]:
        """Return the one with which all others go that were found, as what it was before it was put right; else all.

        Words of others are none to go unseen.
        """
        own = 1 < len(found) <= SHOWN and all(one.author_id == call.author.id for one in found)
        for one in found if own else ():
            wanted = parse_references([one.ref])
            going = await self.kept.list_texts(call.scope, wanted) if wanted is not None else ()
            if all(other.text in going for other in found):
                return (one,)
        return found

    async def _list_changing(self, call: CommandCall, found: Sequence[KeptText]) -> tuple[KeptText, ...]:
        """Return what the caller has said since that likely changed what was found: "80.5 now" goes unseen else."""
        said = {one.text for one in found}
        query = MemoryQuery(
            text=" ".join(said),
            author_id=call.author.id,
            author_name=call.author.name,
            now=call.now,
            limit=_LOOKED_BACK,
        )
        recalled = [each for each in await self.recall.recall(call.scope, query) if each.author_id == call.author.id]
        earlier = [each for each in recalled if each.text in said]
        later = (each for each in recalled if each.changing and each.text not in said)
        return list_similar(
            each
            for each in later
            if any((rate_change(each.changing, one, one.text) or 0.0) >= MAY_CHANGE for one in earlier)
        )

    async def _find_rest(self, named: str, text: str) -> tuple[str, str]:
        """Return the clause of a message that says what words name, and what stays without it.

        Twice "" where all of it goes: what stays has all the words, or no rest or more than one is read as without it.
        """
        topic = set(list_concepts(" ".join(keep_topic_words(named))))
        rests = [each for each in list_rests(text) if not topic <= set(list_concepts(each[1]))]
        if self.reader is None or not rests:
            return "", ""
        try:
            rates = await self.reader.rate_answers(named, [part for each in rests for part in each])
        except EmbeddingUnavailable:
            return "", ""
        may = sorted((rates[2 * place], each) for place, each in enumerate(rests) if rates[2 * place + 1] < MAY_ANSWER)
        clear = len(may) == 1 or (len(may) > 1 and may[-1][0] >= _CLEARER * may[-2][0])
        return may[-1][1] if clear else ("", "")

    async def _choose_read(self, call: CommandCall, found: tuple[KeptText, ...]) -> tuple[KeptText, ...]:
        """Return the only one of what was found, or is nearest, that is read as what words name; else all of it."""
        topic = " ".join(keep_topic_words(call.argument))
        worded = {topic, call.argument} if find_asking_word(call.argument) == 0 else {topic}
        likely = _keep_told(found) or _keep_told(await self._akin(replace(call, argument=topic)))
        if self.reader is None or not 0 < len(likely) <= SHOWN:
            return found
        texts = [
            await self.kept.list_texts(call.scope, parse_references([one.ref]) or ErasureTarget()) for one in likely
        ]
        near = {"\n".join(said): one for said, one in zip(texts, likely, strict=True)}
        try:
            each = [await self.reader.rate_answers(words, list(near)) for words in worded]
        except EmbeddingUnavailable:
            return found
        rates = map(max, zip(*each, strict=True))  # of the likelier words: what was written of a key asks nothing
        may = [(one, rate) for one, rate in zip(near.values(), rates, strict=True) if rate >= MAY_ANSWER]
        if len(may) != 1 or may[0][1] < ANSWERING or _names_another_thing(call.argument, topic, may[0][0].text):
            return found
        return (replace(may[0][0], share=1.0),)

    async def _add_left(self, call: CommandCall, reply: Reply, gone: str) -> Reply:
        """Return a receipt with what is read as the same and is still there, each with a button that forgets it."""
        topic = " ".join(keep_topic_words(call.argument))
        near = tuple(one for one in _keep_told(await self._akin(replace(call, argument=topic))) if one.ref != gone)
        if self.reader is None or not near:
            return reply
        try:
            rates = await self.reader.rate_answers(topic, [one.text for one in near])
        except EmbeddingUnavailable:
            return reply
        left = tuple(one for one, rate in zip(near, rates, strict=True) if rate >= MAY_ANSWER)
        if not left:
            return reply
        offer = _list_found(left, call, call.texts)
        about = (*reply.about, *offer.about)
        return replace(
            reply, text=f"{reply.text}\n\n{offer.text}", buttons=(*reply.buttons, *offer.buttons), about=about
        )

    async def _read(self, call: CommandCall, *, sure: bool) -> tuple[KeptText, ...]:
        """Return what the words of a sentence find, all of them in one thing also where they are parts of its words."""
        found = _keep_told(await self._find(call, sure=sure))
        if sure and len(found) == 1 and _has_compounds(found[0].text, call.argument):
            return (replace(found[0], share=1.0),)
        return found

    async def _find(self, call: CommandCall, *, sure: bool = False) -> tuple[KeptText, ...]:
        """Return what the words of a call find, but for what asks to forget it: that message, and those before it.

        Where it is ``sure`` that they ask to forget, the best is enough, however many of them it holds.
        """
        if not _split_topic(call.argument)[1]:
            return await self.find_said_last(call)
        found = await self.kept.find(call.scope, keep_topic_words(call.argument))
        if not _IMPORTS.search(call.argument):  # more goes with a whole import than its file's name says
            found = tuple(one for one in found if not one.ref.startswith("imports:"))
        if filed := tuple(one for one in found if _names_file(one, call.argument)):
            return filed
        meant = tuple(
            one for one in found if not (one.ref.startswith("entry:") and find_forgotten(one.text) is not None)
        )
        likely = _keep_best(meant, sure=sure)
        likely = likely if _keep_told(likely) else _keep_best(_keep_told(meant), sure=sure) or likely
        filed = tuple(one for one in meant if _calls_file(one, call.argument))
        return (*filed, *(one for one in likely if not one.ref.startswith("file:"))) if filed else likely

    async def forget_replied(self, call: CommandCall) -> Reply:
        """Forget what the message replies to, as far as it is the caller's; offer it where that told several things."""
        texts = call.texts
        found, together = await self.replied.find(call)
        wanted = parse_references(map(format_reference, found)) if together or len(found) == 1 else None
        if wanted is None or (wanted.files and not together):
            return _list_found(found, call, texts)
        if not found:
            return make_reply(texts.forget.replied_to_nothing)
        return await self._forget(call, wanted, "", (each.text for each in found))

    async def forget_named(self, call: CommandCall, references: Sequence[str]) -> Reply:
        """Forget what references name, as far as it is the caller's, and tell it word for word."""
        wanted = parse_references(references) or ErasureTarget()
        wanted = replace(wanted, items=tuple([await find_id(self.editor, call.scope, each) for each in wanted.items]))
        said = await self.kept.list_texts(call.scope, wanted)
        return await self._forget(call, wanted, " ".join(references), said)

    async def find_said_last(self, call: CommandCall) -> tuple[KeptText, ...]:
        """Return what "that" means, () for nothing: the last thing that the caller told in this session."""
        for said in reversed(await self.turns.history(call.scope, call.session.id, _LOOKED_BACK)):
            if said.author.id == call.author.id and (told := find_statement(said)) is not None:
                return (told,)
        return ()

    async def _find_shown_last(self, call: CommandCall) -> tuple[KeptText, ...]:
        """Return the memories that the newest answer has told, () where the caller's last message was no question."""
        last = await self.turns.last(call.message.address)
        said = [each for each in await self.turns.history(call.scope, call.session.id, 1) if last is not None]
        if last is None or not said or said[-1].uid != last.exchange or said[-1].author.id != call.author.id:
            return ()
        return list_told(RepliedTo(said[-1], answer=True, trace=last.trace))

    async def _everything(self, call: CommandCall, texts: Texts, rest: list[str]) -> Reply:
        if rest and not _agrees(rest, texts):
            return await self._search(call, texts)
        if not await self.may(self.name, call.message, call.scope, Whose.ALL):
            return make_reply(texts.forget.not_yours)
        # Where others read along a word could be anybody's slip: what is agreed to is pressed.
        if rest and (call.message.chat_kind is ChatKind.DIRECT or call.message.kind is MessageKind.BUTTON):
            done = await self.eraser.erase_scope(call.scope)
            return make_reply(write_receipt(done, "", texts.forget, everything=True))
        button = (texts.forget.confirm_button, "/forget everything yes")
        return make_reply(texts.forget.confirm_everything, buttons=(button,), about=(EVERYTHING,))

    async def _forget(
        self,
        call: CommandCall,
        wanted: ErasureTarget,
        search: str,
        shown: Iterable[str] = (),
        clause: tuple[str, str] = ("", ""),
    ) -> Reply:
        """Erase what is named, or of it a ``clause``, whose rest stays; return the receipt below what is ``shown``.

        Several texts that are shown are all that goes: none is told to go along with another.
        """
        gone, rest = clause
        done = await self._erase(call, wanted, rest)
        shown = (gone,) if done.rest else tuple(shown)
        named = 0 if done.rest or len(shown) > 1 else count_named(wanted)
        receipt = told(done, search, call.texts.forget, named=named)
        return replace(receipt, text="\n\n".join((*map(quote, filter(None, shown)), receipt.text)))

    async def _erase(self, call: CommandCall, wanted: ErasureTarget, rest: str = "") -> ErasureReceipt:
        items = tuple([await find_id(self.editor, call.scope, number) for number in wanted.items])
        return await erase_allowed(self.eraser, self.may, self.name, call, replace(wanted, items=items), rest)

    async def _search(self, call: CommandCall, texts: Texts) -> Reply:
        if names_everything(call.argument):
            return await self._everything(call, texts, [])
        found = await self._find(call)
        sure = len(found) == 1 and found[0].certain and found[0].role != "assistant"  # else more goes than was named
        if sure and (wanted := parse_references([found[0].ref])):
            return await self._forget(call, wanted, escape(call.argument, 60))
        return await self._list(call, texts, found)

    async def _list(self, call: CommandCall, texts: Texts, found: tuple[KeptText, ...]) -> Reply:
        before, *reason = _BEHIND.split(call.argument, maxsplit=1)
        refers = not _REFERS.isdisjoint(split_words(before)[:1]) or (reason and names_nothing(before))
        if not found and refers:
            found = await self._find_shown_last(call)
        if not _keep_told(found) and _split_topic(call.argument)[1]:
            found = (*_keep_told(await self._akin(call)), *found)
        if not found:
            return make_reply(texts.forget.none_found.format(search=escape(call.argument, 60)))
        if not await self.may(self.name, call.message, call.scope, Whose.OTHERS):
            own = tuple(one for one in found if one.author_id == call.author.id)
            if not own:
                return make_reply(texts.forget.spared.format(count=len(found)))
            found = own
        return _list_found(found, call, texts)

    async def _akin(self, call: CommandCall) -> tuple[KeptText, ...]:
        query = MemoryQuery(
            text=call.argument, author_id=call.author.id, author_name=call.author.name, now=call.now, limit=_AKIN
        )
        recalled = await self.recall.recall(call.scope, query)
        return list_similar(turn for turn in recalled if turn.signals.get(KNOWN, 0.0) >= _NEAR)[:_AKIN]


def find_statement(said: Exchange) -> KeptText | None:
    """Return what an exchange told, ``None`` where nothing was learned from it or it only asked for something."""
    states = classify_speech(said.user_text) is SpeechAct.STATEMENT or bool(find_wishes(said.user_text))
    if said.synthetic or not said.user_text or not states or find_forgotten(said.user_text) is not None:
        return None
    whose, at = said.author, said.said_at
    return KeptText(
        f"turn:{said.uid}", said.user_text, 0.0, certain=False, author_id=whose.id, author=whose.name, said_at=at
    )


async def erase_allowed(
    eraser: Eraser, may: May, command: str, call: CommandCall, wanted: ErasureTarget, rest: str = ""
) -> ErasureReceipt:
    """Erase what is named, as far as it is the caller's to forget; ``rest`` of the only message that is named stays."""
    all_of_it = await may(command, call.message, call.scope, Whose.OTHERS)
    return await eraser.erase(call.scope, wanted, author_id=call.author.id, only_own=not all_of_it, rest=rest)


def _list_found(found: tuple[KeptText, ...], call: CommandCall, texts: Texts) -> Reply:
    """Return what can be meant, each with a button that forgets it."""
    shown = found[:SHOWN]
    lines = "\n".join(_line(number, one, call, texts) for number, one in enumerate(shown, start=1))
    more = texts.forget.more if len(found) > SHOWN else ""
    about = tuple(name for name in (_about(one) for one in shown) if name)
    head = texts.forget.candidates.format(search=escape(call.argument, 60))
    refs = [format_reference(one) for one in shown]
    return make_reply(head, lines, more, buttons=_buttons(refs, texts, whole=len(found) <= SHOWN), about=about)


def _is_told_by(call: CommandCall, found: tuple[KeptText, ...]) -> bool:
    """Return whether one thing alone was found, with all the words, which the caller told.

    A document is never it, nor a list, of which only a part may be meant, nor what only asked for it.
    """
    if len(found) != 1 or not found[0].ref.startswith(("item:", "turn:")):
        return False
    if _only_asks(found[0].text):
        return False
    head = _HEAD.search(found[0].text)
    if puts_on_list(found[0].text) or (head is not None and "," in found[0].text[head.end() :]):
        return False
    return found[0].share == 1 and found[0].author_id == call.author.id


def _names_file(found: KeptText, words: str) -> bool:
    """Return whether words hold the whole name of a document, with its ending: answers that quoted it are not meant."""
    name = found.text.partition(": ")[0].partition(" (")[0].lower()
    return found.ref.startswith("file:") and "." in name and name in words.lower()


def _calls_file(found: KeptText, words: str) -> bool:
    """Return whether words hold a document's name without its ending, or all of them stand in its name or title."""
    name, _, title = found.text.partition(": ")[0].partition(" (")
    stem, topic = (set(list_concepts(each)) for each in (name.rpartition(".")[0], " ".join(keep_topic_words(words))))
    if not found.ref.startswith("file:") or not topic:
        return False
    return (bool(stem) and stem <= topic) or topic <= stem | set(list_concepts(title))


def _is_sure(sentence: str) -> bool:
    """Return whether a sentence that may order to forget something surely does.

    What it names may look like a fact, "forget that my sister lives in Porto", or a question, "forget where she lives".
    """
    shares = tell_kinds(sentence).shares
    best = max((kind for kind in shares if kind not in _NAMED), key=shares.__getitem__, default=None)
    return best is SentenceKind.FORGET and "?" not in sentence


_ASKING: Final = frozenset({SpeechAct.QUESTION, SpeechAct.REQUEST})
_NAMED: Final = (SentenceKind.FACT, SentenceKind.CHATTER, SentenceKind.QUESTION)


def _has_compounds(text: str, words: str) -> bool:
    """Return whether each word that says what is meant stands in a text, or ends one there: "party", "Gartenparty".

    A long number is one without being called that.
    """
    said = split_words(text)
    meant = frozenset(map(find_concept, said)) | frozenset(
        key for each in said if len(key := make_key(each)) >= _LEAST_HEAD
    )
    numbered = _NUMBER.search(text) is not None
    return all(
        (numbered and find_concept(word) == find_concept("number"))
        or not meant.isdisjoint((find_concept(word), make_key(word)))
        or (len(word) >= _LEAST_HEAD and any(each.endswith(word) for each in said))
        for word in map(fold, keep_topic_words(words))
    )


def _list_readings(words: str, *, sure: bool) -> Iterator[str]:
    """Return what an order may name: all of it, what stands before a reason, and each without the order's own words.

    Those are left out last, and only where it is ``sure`` that it is one: what is named may hold them.
    """
    ends = [found.start() for pattern in (_BEHIND, _SAYS_WHY) if (found := pattern.search(words)) is not None]
    before = [words, *(words[:end] for end in ends if not names_everything(words[:end]))]
    yield words
    shorter = [" ".join(each for each in split_words(part) if each not in _list_order_words()) for part in before]
    yield from (each for each in (*before[1:], *(shorter if sure else ())) if not names_nothing(each))


@cache
def _list_order_words() -> frozenset[str]:
    return frozenset[str]().union(*(each.forgetting.order_words for each in languages()))


def _names_another_thing(said: str, topic: str, text: str) -> bool:
    """Return whether a topic has a word in common with a text and one more: "the garage key" is not the garage code.

    Whoever says where, who or what tells of the thing itself.
    """
    concepts, there = frozenset(list_concepts(topic)), frozenset(list_concepts(text))
    return not concepts.isdisjoint(there) and not concepts <= there and find_asking_word(said.strip()) != 0


def _keep_told(found: Iterable[KeptText]) -> tuple[KeptText, ...]:
    """Return what was found without what only asked about it, or ordered something."""
    return tuple(one for one in found if not _only_asks(one.text))


def _only_asks(text: str) -> bool:
    """Return whether a text asks or orders, and tells nothing: a number that stands in it is told."""
    acts = {classify_speech(each) for each in split_sentences(text)}
    return bool(acts) and acts <= _ASKING and not any(map(str.isdigit, text)) and not states_fact(text)


def _keep_best(found: tuple[KeptText, ...], *, sure: bool) -> tuple[KeptText, ...]:
    best = max((one.share for one in found), default=0.0)
    return keep_likely(found, least=min(best, _HALF) if sure else _HALF)


def _agrees(rest: list[str], texts: Texts) -> bool:
    return len(rest) == 1 and (rest[0] in texts.forget.yes_words or rest[0] == "yes")


def count_named(wanted: ErasureTarget) -> int:
    """Return how many memories are named, by themselves or by their messages; 0 where anything may hold some."""
    return 0 if wanted.copies or wanted.files else len(wanted.items) + len(wanted.exchanges)


def told(done: ErasureReceipt, search: str, texts: ForgetTexts, *, named: int = 0) -> Reply:
    """Return a receipt as a reply, with the button that takes the erase back while that is possible.

    ``named`` memories were asked for: what went along with their messages is told apart.
    """
    reply = make_reply(write_receipt(done, search, texts, named=named))
    if not done.undo:
        return reply
    return replace(reply, buttons=((texts.undo_button, f"/undo {done.undo}"),), buttons_last_s=done.undo_s)


def _line(number: int, found: KeptText, call: CommandCall, texts: Texts) -> str:
    ref = format_reference(found)
    if found.said_at is None:
        return f"{number}. {quote(found.text)}: `/forget {ref}`"
    reader = call.message.find_reader(call.scope)
    author = name_author(reader.identify_part(found.author_id, found.author, found.role), texts.memory)
    day = texts.day(found.said_at, call.now.tzinfo)
    whose = ", ".join(filter(None, (author, day)))
    return f"{number}. {quote(found.text)} — {whose}: `/forget {ref}`"


def _buttons(refs: Sequence[str], texts: Texts, *, whole: bool) -> tuple[tuple[str, str], ...]:
    """Return a button for each that is listed, and one for all if that is the ``whole`` of what was found."""
    each = tuple((texts.forget.this_one.format(number=number), f"/forget {ref}") for number, ref in enumerate(refs, 1))
    every = ((texts.forget.all_of_them, " ".join(("/forget", *refs))),) if len(refs) > 1 and whole else ()
    return (*each, *every)


def _about(found: KeptText) -> str:
    """Name a memory for the buttons below it; a copy has no version of its own."""
    kind = found.ref.partition(":")[0]
    return f"item:{format_reference(found)}" if kind == "item" else found.ref if kind == "turn" else ""


def keep_topic_words(words: str) -> tuple[str, ...]:
    """Return the words of a search that say what it is about: "everything about my sister" is about a sister."""
    said, told = _split_topic(words)
    return tuple(told or said)


def names_everything(words: str) -> bool:
    """Return whether a search is about nothing but everything: "everything you know about me"."""
    said, told = _split_topic(words)
    return not told and not _list_everything_words().isdisjoint(word.lower() for word in said)


@cache
def _list_everything_words() -> frozenset[str]:
    return frozenset(word for each in languages() for word in get_texts(each.code).forget.everything_words)


def names_nothing(words: str) -> bool:
    """Return whether a search is about nothing that it names: "that", "this please"; also an empty one."""
    return not names_everything(words) and not _split_topic(words)[1]


def _split_topic(words: str) -> tuple[list[str], list[str]]:
    """Return the words of a search, and those of them that say what it is about."""
    said = _WORD.findall(_POSSESSIVE.sub("", normalize("NFKC", words)))
    names = set(_PREFIX.findall(words))  # the D of D'Angelo is no stop word
    return said, [word for word in said if word in names or fold(word) not in _NAMES_NOTHING]


def parse_references(words: Iterable[str]) -> ErasureTarget | None:
    """Return what references name, items by the numbers that people see; ``None`` if a word is no reference."""
    items, exchanges, copies, files = [], [], [], []
    for word in words:
        match = _REF.fullmatch(word)
        if match is None:
            return None
        if match["item"]:
            items.append(int(match["item"]))
        elif match["turn"]:
            exchanges.append(match["turn"].lower())
        elif match["file"]:
            files.append(match["file"].lower())
        else:
            copies.append(match["copy"])
    return ErasureTarget(tuple(items), tuple(exchanges), tuple(copies), files=tuple(files))


def format_reference(found: KeptText) -> str:
    """Return what /forget takes for a result: an item goes by the number that people see."""
    kind, _, key = found.ref.partition(":")
    return str(to_number(int(key))) if kind == "item" else found.ref


def keep_likely(found: tuple[KeptText, ...], *, least: float = _HALF) -> tuple[KeptText, ...]:
    """Return what can be meant: all that hold every word, or, if nothing does, what holds half of them."""
    least = 1.0 if any(one.share == 1 for one in found) else least
    return tuple(one for one in found if one.share >= least)


def list_similar(recalled: Iterable[Recalled]) -> tuple[KeptText, ...]:
    """Return what only means something similar, as results that hold none of the words."""
    found: dict[str, KeptText] = {}
    for turn in recalled:
        if turn.exchange:
            one = KeptText(
                f"turn:{turn.exchange}",
                turn.text,
                0.0,
                certain=False,
                author_id=turn.author_id,
                author=turn.author,
                role=turn.role,
                said_at=turn.said_at,
            )
            found.setdefault(turn.exchange, one)
    return tuple(found.values())


def write_receipt(
    done: ErasureReceipt, ref: str, texts: ForgetTexts, *, named: int = 0, everything: bool = False
) -> str:
    """Return the receipt in words; ``ref`` names what was asked for, in case there was nothing of the kind."""
    removed = (
        (texts.files, done.files),
        (texts.exchanges, done.exchanges),
        (texts.items, done.items),
        (texts.beside, max(0, done.items - named) if named else 0),
        (texts.answers, done.answers),
        (texts.documents, done.documents),
    )
    lines = [sentence.format(count=count) for sentence, count in removed if count]
    lines += [texts.rest.format(text=quote(done.rest))] if done.rest else []
    spared = texts.spared.format(count=done.spared) if done.spared else ""
    if not lines and not done.pending and not done.residue and not everything:
        return spared or texts.missing.format(ref=ref)
    if done.undo and done.pending:
        lines.append(texts.withheld)
    elif done.pending:
        lines.append(texts.pending)
    elif done.documents:
        lines.append(texts.confirmed)
    lines.append(texts.residue.format(count=len(done.residue)) if done.residue else texts.verified)
    head = texts.done_everything if everything else texts.done
    undo = texts.undoable.format(seconds=f"{done.undo_s:g}") if done.undo else ""
    return "\n\n".join(part for part in (head, "\n".join(f"- {line}" for line in lines), spared, undo) if part)


@dataclass(frozen=True, slots=True)
class SentenceForgetting:
    """Answers messages that ask for nothing but to forget something."""

    forget: Forget
    shown: ShownLast

    async def answer(self, turn: Turn) -> Reply | None:
        """Return what would go, or what went; ``None`` for any other message."""
        message, replies = turn.message, turn.message.replies_to != 0
        foreign = any(part.origin is not Origin.QUOTED or not replies for part in turn.parts)
        if foreign or any(entry.message.kind not in _TYPED for entry in turn.accepted):
            return None
        whole = keep_own_words(turn.analysed).strip()
        sentences = [each for each in split_sentences(whole) if not is_trivial(each)]
        named = [words for each in sentences if (words := find_forgotten(each)) is not None]
        about = " ".join(filter(None, named)) if len(named) == len(sentences) else find_forgotten(whole)
        if not sentences or not about:
            return None
        call = CommandCall.by(turn, self.forget.name, about)
        quoted = message.quote.text if message.quote is not None else ""
        if replies and (names_nothing(about) or (not names_everything(about) and _has_compounds(quoted, about))):
            return await self.forget.forget_replied(call)
        places, rest = split_places(about)
        if places and names_nothing(rest):  # what is not known to be shown is not looked for by such words
            meant = choose(self.shown.find_forgettable(turn), places)
            nothing = message.texts.forget.none_found.format(search=escape(about, 60))
            return await self.forget.forget_named(call, meant) if meant else make_reply(nothing)
        worded = [names_forgetting(each) for each in sentences]  # "they changed it. forget the code"
        sure = all(worded) and not replies and all(map(_is_sure, sentences))
        return await self.forget.offer(call, sure=sure, worded=any(worded))

    async def answer_choice(self, turn: Turn) -> Reply | None:
        """Return what comes of a message that says which of what was just offered shall go; ``None`` for any other.

        One thing that is offered alone goes at a "yes"; of several, or where all is more than was shown, it is asked.
        """
        offered = self.shown.list_just_shown(turn)
        only = all(command.startswith(f"/{self.forget.name} ") for command in offered)
        refs = self.shown.find_forgettable(turn) if offered and only else ()
        choice = read_choice(turn.analysed) if refs and turn.without_model and turn.is_own else None
        if choice is None:
            return None
        texts, whole = turn.texts, len(refs) == 1 or len(offered) > len(refs)
        if choice.none:
            return make_reply(texts.forget.left)
        every = choice.every or (choice.agrees and len(refs) == 1 and not choice.places)
        meant = refs if every and whole else choose(refs, choice.places)
        if meant:
            return await self.forget.forget_named(CommandCall.by(turn, self.forget.name), meant)
        return make_reply(texts.forget.which, buttons=_buttons(refs, texts, whole=whole))


@dataclass(frozen=True, slots=True)
class Undo:
    """Brings back the caller's newest erase, of an admin's anybody's; a button names the one that it stands under."""

    eraser: ErasureUndo
    editor: MemoryEditor
    may: May

    name: ClassVar[str] = "undo"

    async def run(self, call: CommandCall) -> Reply:
        """Bring it back and say what came back."""
        anyones = await self.may(self.name, call.message, call.scope, Whose.OTHERS)
        back = await self.bring_back(call, call.argument, anyones=anyones)
        return back or make_reply(call.texts.forget.nothing_to_undo)

    async def bring_back(self, call: CommandCall, erase: str, *, anyones: bool = False) -> Reply | None:
        """Return what came back of an erase, "" for the caller's newest; ``None`` where that can not be taken back."""
        texts = call.texts.forget
        back = await self.eraser.undo(call.scope, call.author.id, erase, anyones=anyones)
        if back is None:
            return None
        return make_reply(texts.undone, "\n".join(f"- {line}" for line in texts.list_back(asdict(back))))

    async def put_back(self, call: CommandCall, since: datetime) -> Reply | None:
        """Put back what the caller's newest edit since then, and of the last ten minutes, has replaced."""
        since = max(since, call.now - EDITS_LAST)
        edit = await self.editor.take_back(call.scope, since, call.now, call.author, call.message.address)
        return None if edit is None else tell_corrected((edit,), call.texts)
