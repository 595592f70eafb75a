"""Tells what kind of sentence somebody typed: a fact, a wish, a question …, by its meaning and its letters.

A linear model (multinomial logistic regression) over the vector of the sentence, which is made for every question
anyway, over the states of its words in the middle of the embedding model, which know more of a sentence's form than
its vector, and over hashed words and letter groups.  Rules cut out names, dates and amounts; this decides in any
wording.  ``python -m benchmarks.kinds train`` makes the weights from the sentences in ``language/*/kinds.txt``, which
grow by a line, and says how often each kind is told right.
Sentences are read once, where a message comes in; who asks afterwards finds what was read, or nothing: then rules
decide alone, as they do while the embedding model is down.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

from bot.errors import EmbeddingUnavailable
from bot.memory.concepts import PEOPLE, find_concept
from bot.memory.learning.orders import Order, WordsRead, load_order_model
from bot.memory.patterns import compile_bounded, compile_words
from language import alternatives, detect_languages, languages
from language.language import Language
from language.words import split_words


class SentenceKind(StrEnum):
    """What a sentence is for.  A fact is about anybody or anything; a correction puts right or ends one told before.

    An undo takes back what was said or done last, without naming it.  What is on a list is added, done or shown; what
    is to be reminded of is asked for (``REMINDER``), cancelled, moved or shown.
    """

    FACT = "fact"
    WISH = "wish"
    REMINDER = "reminder"
    QUESTION = "question"
    OVERVIEW = "overview"
    FORGET = "forget"
    CORRECTION = "correction"
    CHATTER = "chatter"
    REQUEST = "request"
    UNDO = "undo"
    LIST_ADD = "list_add"
    LIST_DONE = "list_done"
    LIST_SHOW = "list_show"
    REMINDER_CANCEL = "reminder_cancel"
    REMINDER_MOVE = "reminder_move"
    REMINDER_SHOW = "reminder_show"


LIKELY: Final = 0.5
"""From this probability on a kind adds to what rules find."""
ASKING: Final = 0.55
"""From this probability on a sentence without a form of its own asks: of 840 unseen others 16 are as likely to.

Of 504 that order nothing to be forgotten three are as likely to, and those take something off a list."""
BY_ORDER: Final = 0.25
"""From this probability on one that begins with its verb asks, where that is likeliest: unknown names weigh less."""
SURE: Final = 0.8
"""From this probability on it takes away: what is held for small talk by mistake would never be a memory."""
HASHED: Final = 8192
LETTERS: Final = 1.5
STATES: Final = 1.5
"""Weights of the letters and of the states beside the vector."""
_MOST_SENTENCES: Final = 8
_LONGEST: Final = 300
"""Characters of a sentence, and sentences of a message, that are read: what holds more was pasted, and is no order."""
_KEPT: Final = 1024
_PATIENCE_S: Final = 0.6
_FIRST_S: Final = 3.0
"""Seconds that the first message waits: the model is loaded meanwhile, which takes a busy machine a second or two."""
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_GROUPS: Final = (3, 4)


@dataclass(frozen=True, slots=True)
class KindModel:
    """Weights of shape (3 * dimension + HASHED + 1, ``kinds``), the last row the constants.

    ``centre`` is what the mean and the first state of sentences are on average, shape (2, dimension).
    """

    weights: Floats
    centre: Floats
    embedding: str
    """Name of the embedding model whose vectors it reads."""
    kinds: tuple[SentenceKind, ...] = tuple(SentenceKind)

    def tell(self, read: Floats, sentences: tuple[str, ...]) -> Floats:
        """Return the probability of each kind, shape (sentences, kinds), of what an embedding model reads of them.

        See :class:`~bot.ports.embedder.SentenceReader`.
        """
        import numpy as np  # noqa: PLC0415 - a command line that reads nothing should not pay for it

        odds = np.hstack([join_states(read, self.centre), hash_letters(sentences)]) @ self.weights[:-1]
        odds += self.weights[-1]
        chances = np.exp(odds - odds.max(axis=1, keepdims=True))
        shares: Floats = chances / chances.sum(axis=1, keepdims=True)
        return shares


def join_states(read: Floats, centre: Floats) -> Floats:
    """Return a row per sentence: its vector, and its mean and first state without what all have in common."""
    import numpy as np  # noqa: PLC0415 - as above

    states = read[:, 1:] - centre
    states *= STATES / np.maximum(np.linalg.norm(states, axis=2, keepdims=True), 1e-9)
    return np.hstack([read[:, 0], states.reshape(len(read), -1)])


def hash_letters(sentences: tuple[str, ...]) -> Floats:
    """Return one row of one length per sentence: its words, pairs of words, ends and letter groups, by their hash."""
    import numpy as np  # noqa: PLC0415 - as above

    rows = np.zeros((len(sentences), HASHED), dtype=np.float32)
    for place, sentence in enumerate(sentences):
        row = rows[place]
        for feature in _list_features(sentence):
            code = zlib.crc32(feature.encode("utf-8", "replace"))
            row[code % HASHED] += 1 if code >> 31 else -1
        row *= LETTERS / max(float(np.linalg.norm(row)), 1e-9)
    return rows


def _list_features(sentence: str) -> set[str]:
    tokens = _TOKEN.findall(sentence.lower())
    found = {f"w{token}" for token in tokens}
    for token in tokens:
        padded = f"<{token}>"
        found.update(f"c{padded[at : at + size]}" for size in _GROUPS for at in range(len(padded) - size + 1))
    found.update(f"b{one} {other}" for one, other in pairwise(tokens))
    if tokens:
        found.update((f"^{tokens[0]}", f"${tokens[-1]}", f"^^{' '.join(tokens[:2])}"))
    return found


@cache
def load_model() -> KindModel:
    """Return the model that comes along."""
    import numpy as np  # noqa: PLC0415 - as above

    with resources.files("bot.memory.learning").joinpath("kinds.npz").open("rb") as file, np.load(file) as packed:
        weights = packed["weights"].astype(np.float32) * packed["scale"]
        kinds = tuple(map(SentenceKind, packed["kinds"].tolist()))
        return KindModel(weights, packed["centre"].astype(np.float32), str(packed["embedding"]), kinds)


_ASKS: Final = {
    each.code: compile_bounded(rf"[?？]|\b{alternatives((each.speech.asks_with,))}\b", re.IGNORECASE)
    for each in languages()
}
_REPORTS: Final = compile_bounded(
    rf"(?<!\w){alternatives(each.pasting.said for each in languages() if each.pasting.said)}(?:\s\w+)?,?\s\Z",
    re.IGNORECASE,
)
"""Words before a clause that somebody else said: "Ira said what she wants" asks nothing."""


def find_asking_word(text: str) -> int | None:
    """Return where the first mark or word stands that stands in most questions, ``None`` where there is none.

    Of the languages that the text is likely written in: "was" asks in German alone.  Nor does what reports somebody's
    words.
    """
    found = (match for each in detect_languages(text) for match in _ASKS[each.code].finditer(text))
    asking = (each.start() for each in found if _REPORTS.search(text, 0, each.start()) is None or each[0] in "?？")
    return min(asking, default=None)


_TELLS_VALUE: Final = compile_bounded(
    rf"\s*{alternatives(each.changes.implied for each in languages())}(?!\w)[^?？]*\d[^?？]*\Z", re.IGNORECASE
)
"""A sentence about its speaker that tells a number, whatever clause stands in it: "paid back 50 of what I owe"."""
_SUBJECT: Final = compile_bounded(
    rf"\s*(?:{alternatives(each.speech.self_subjects for each in languages())}|"
    rf"{alternatives(word for each in languages() for word in (*each.questions.refers, *each.learning.articles))})\b",
    re.IGNORECASE,
)
"""What a statement begins with: who or what it is about."""
_TELLS: Final = compile_bounded(
    rf"\s*(?:{alternatives(each.changes.implied for each in languages())}"
    rf"|{alternatives(each.speech.possesses for each in languages() if each.speech.possesses)})(?!\w)",
    re.IGNORECASE,
)
"""What tells, in a language that asks by a mark, a word or its sound alone: "сдала экзамен", "у Ани аллергия"."""
_VERBS: Final = {
    each.code: compile_bounded(rf"(?<!\w){alternatives((each.speech.asks_by_order,))}(?!\w)", re.IGNORECASE)
    for each in languages()
    if each.speech.asks_by_order
}
_WITHOUT_SUBJECT: Final = {
    each.code: compile_bounded(rf"{alternatives((each.speech.leaves_out_subject,))}(?!\w)", re.IGNORECASE)
    for each in languages()
    if each.speech.asks_by_order
}
_OF_THAT: Final = {
    each.code: compile_bounded(
        rf"{alternatives((each.speech.asks_by_order,))}\s+{alternatives(each.questions.refers)}(?!\w)", re.IGNORECASE
    )
    for each in languages()
    if each.speech.asks_by_order
}
_BEFORE: Final = compile_bounded(
    rf"(?:{alternatives(each.speech.openers for each in languages())}\b[,\s]*){{0,3}}", re.IGNORECASE
)
_KEEPS: Final = compile_words(lambda each: each.forgetting.keeps)
_DESTROYS: Final = (SentenceKind.FORGET, SentenceKind.UNDO, SentenceKind.REMINDER_CANCEL)


def _list_pronouns(language: Language) -> frozenset[str]:
    asked = language.questions
    return language.learning.articles | asked.first_person | asked.refers


_LEADS_ON: Final = compile_bounded(
    rf"\d|{alternatives(each.corrections.prepositions for each in languages())}\b"
    rf"|{alternatives(each.persons.listener for each in languages())}\b"
    rf"|{alternatives(sorted(frozenset[str]().union(*map(_list_pronouns, languages()))))}\b",
    re.IGNORECASE,
)
_NEEDED: Final = compile_words(lambda each: each.lists.needed_by_others)
"""What somebody else needs is told, or asked for, and put on no list."""


def _leave_out(kinds: dict[SentenceKind, float], kind: SentenceKind) -> dict[SentenceKind, float]:
    """Return how likely the other kinds are where it is none of this one."""
    rest = max(1 - kinds[kind], 1e-9)
    return {each: 0.0 if each is kind else share / rest for each, share in kinds.items()}


def _list_excluded(sentence: str) -> tuple[SentenceKind, ...]:
    """Return what a sentence cannot be, by its form, however likely its words make that."""
    if _TELLS_VALUE.match(sentence) and find_asking_word(sentence.lstrip()) != 0:  # "darf ich Oma nach 8 anrufen"
        return (SentenceKind.QUESTION,)
    if find_asking_word(sentence) is not None:
        return ()
    language = detect_languages(sentence)[0].code
    if (verbs := _VERBS.get(language)) is None:
        return (SentenceKind.QUESTION, SentenceKind.OVERVIEW) if _TELLS.match(sentence) else ()
    begin = _skip_opening(sentence)
    verb, without = verbs.search(sentence), _WITHOUT_SUBJECT[language].match(sentence, begin)
    return (SentenceKind.QUESTION,) if without or (verb is not None and verb.start() > begin) else ()


def asks_for_keeping(sentence: str) -> bool:
    """Return whether a sentence orders to keep, or not to lose, something: it destroys nothing, whatever it names."""
    return _KEEPS.search(sentence.strip()) is not None


def _skip_opening(sentence: str) -> int:
    before = _BEFORE.match(sentence)
    return before.end() if before is not None else 0


def _asks_of_that(sentence: str) -> bool:
    """Return whether a sentence asks by its order about what was just named: "was it always"."""
    asks = _OF_THAT.get(detect_languages(sentence)[0].code)
    return asks is not None and asks.match(sentence, _skip_opening(sentence)) is not None


def begins_with_verb(sentence: str) -> bool:
    """Return whether a sentence begins with a verb by which its language asks: "is Mum in hospital"."""
    verbs = _VERBS.get(detect_languages(sentence)[0].code)
    return verbs is not None and verbs.match(sentence, _skip_opening(sentence)) is not None


def _may_be_inverted(sentence: str) -> bool:
    """Return whether a sentence may ask by the order of its words alone: it does not begin with its subject."""
    if detect_languages(sentence)[0].code not in _VERBS or _SUBJECT.match(sentence) is not None:
        return False
    return PEOPLE.isdisjoint(map(find_concept, split_words(sentence)[:1]))


def asks_by_order(sentence: str) -> bool:
    """Return whether a sentence of one clause begins with its verb and somebody or something: "darf Tjark Nüsse essen".

    What leaves out who does it goes on with where, when, how much, an article or "I": "had the roof mended".
    """
    verbs, begin = _VERBS.get(detect_languages(sentence)[0].code), _skip_opening(sentence)
    verb = verbs.match(sentence, begin) if verbs is not None and "," not in sentence else None
    rest = sentence[verb.end() :].split() if verb is not None else []
    return len(rest) > 1 and not (_LEADS_ON.match(rest[0]) or _list_excluded(sentence))


@dataclass(frozen=True, slots=True, eq=False)
class ReadKinds:
    """How likely a sentence is of each kind; nothing where it was not read.

    Each is one of its own, so that what follows from it for a sentence can be kept by both.
    """

    shares: Mapping[SentenceKind, float]
    order: Order = field(default_factory=Order)

    def __bool__(self) -> bool:
        return bool(self.shares)

    def measure(self, *kinds: SentenceKind) -> float:
        """Return how likely the sentence is of one of these kinds, 0 where it was not read."""
        return sum(self.shares.get(kind, 0.0) for kind in kinds)

    def decide(self, least: float = LIKELY) -> SentenceKind | None:
        """Return the kind that it most likely is of, ``None`` where it is not that with this probability."""
        best = max(self.shares, key=self.shares.__getitem__, default=None)
        return best if best is not None and self.shares[best] >= least else None

    @property
    def telling(self) -> float:
        """How likely it tells something."""
        return self.measure(SentenceKind.FACT, SentenceKind.CORRECTION)


_UNREAD: Final = ReadKinds({})
_read: Final[dict[bytes, ReadKinds]] = {}
"""By a digest of the sentence, the last ones read: no text is kept."""
_forgetting: Final[list[Callable[[], None]]] = []
_P = ParamSpec("_P")
_T = TypeVar("_T")


def keep_until_read(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Keep what a function tells of the last texts until more is read: then it may tell something else of them."""
    kept = lru_cache(maxsize=_KEPT)(function)
    _forgetting.append(kept.cache_clear)
    return cast("Callable[_P, _T]", kept)


def keep_read(found: Mapping[str, ReadKinds]) -> None:
    """Make :func:`tell_kinds` know sentences, in the place of those read longest ago."""
    for sentence, kinds in found.items():
        while len(_read) >= _KEPT:
            del _read[next(iter(_read))]
        _read[_digest(sentence)] = kinds
    for forget in _forgetting:
        forget()


class KindReader:
    """Reads the sentences of a message; one for all, as what was read is.

    ``embed`` is :meth:`~bot.ports.embedder.SentenceReader.read_sentences` of the embedding model of that name.
    """

    def __init__(
        self, embed: Callable[[Sequence[str]], Awaitable[tuple[Floats, tuple[WordsRead, ...]]]], model: str
    ) -> None:
        self._embed = embed
        self._trained = model == load_model().embedding
        self._patience_s = _FIRST_S

    async def read(self, sentences: tuple[str, ...]) -> None:
        """Make :func:`tell_kinds` know these sentences of one message, unless the embedding model is down."""
        wanted = tuple(each for each in sentences if _digest(each) not in _read and 0 < len(each) <= _LONGEST)
        if not wanted or len(sentences) > _MOST_SENTENCES or not self._trained:
            return
        patience_s, self._patience_s = self._patience_s, _PATIENCE_S
        try:
            async with asyncio.timeout(patience_s):
                read, states = await self._embed(wanted)
        except (EmbeddingUnavailable, TimeoutError):
            return  # recall, which embeds the same message, says so
        model, orders, found = load_model(), load_order_model(), dict[str, ReadKinds]()
        for sentence, shares, words in zip(wanted, model.tell(read, wanted).tolist(), states, strict=True):
            kinds = dict(zip(model.kinds, shares, strict=True))
            if _NEEDED.search(sentence):
                kinds = _leave_out(kinds, SentenceKind.LIST_ADD)
            by_order = asks_by_order(sentence)
            if by_order:  # an order does not name whom it is to
                kinds = _leave_out(kinds, SentenceKind.REQUEST)
            least = BY_ORDER if by_order else ASKING if _may_be_inverted(sentence) else SURE
            formless = find_asking_word(sentence) is None and not _asks_of_that(sentence)
            if formless and kinds[SentenceKind.QUESTION] < least:
                kinds[SentenceKind.QUESTION] = 0.0
            kinds |= dict.fromkeys((*_list_excluded(sentence), *(_DESTROYS if asks_for_keeping(sentence) else ())), 0.0)
            found[sentence] = ReadKinds(kinds, orders.read(sentence, words))
        keep_read(found)


@keep_until_read
def tell_kinds(sentence: str) -> ReadKinds:
    """Return how likely a sentence is of each kind."""
    return _read.get(_digest(sentence), _UNREAD)


def tell_order(sentence: str) -> Order:
    """Return the parts of a sentence that orders something; none where it was not read."""
    return tell_kinds(sentence).order


@keep_until_read
def decide_kind(sentence: str, least: float = LIKELY) -> SentenceKind | None:
    """Return the kind that a sentence most likely is of, ``None`` where it is not that with this probability."""
    return tell_kinds(sentence).decide(least)


def measure_telling(sentence: str) -> float:
    """Return how likely a sentence tells something, 0 where it was not read."""
    return tell_kinds(sentence).telling


def _digest(sentence: str) -> bytes:
    return blake2b(sentence.strip().encode("utf-8", "surrogatepass"), digest_size=16).digest()
