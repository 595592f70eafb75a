"""Words that name nothing by themselves, and the stem that makes two forms of a word one.

The lists hold function words, pronouns and the commonest verbs of chat: what is left between them is mostly nouns.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from typing import ClassVar

import snowballstemmer

_EN = """
a an the this that these those some any no every each either neither both all few several many much more most
less least other another such same own one ones two three i me my mine myself we us our ours you your yours he
him his she her hers it its they them their theirs who whom whose which what when where why how whether if then
else than as of at by for with about against between into through during before after above below to from up
down in out on off over under again further once here there near and but or nor so yet because while until
although though unless since not only just also too very quite rather really still already always never ever
often sometimes usually maybe perhaps please ok okay yes no well oh hey hi hello thanks thank sorry sure am is
are was were be been being do does did doing done have has had having can could shall should will would may
might must let lets get gets got getting gotten go goes going went gone come comes came coming make makes made
making take takes took taken taking give gives gave given giving know knows knew known knowing think thinks
thought say says said saying tell tells told telling ask asks asked asking see sees saw seen seeing look looks
looked looking want wants wanted need needs needed like likes liked love loves loved use uses used using try
tries tried trying work works worked feel feels felt seem seems seemed keep keeps kept put puts set sets run
runs ran move moves moved live lives lived call calls called mean means meant start starts started stop stops
stopped help helps helped show shows showed shown find finds found leave leaves left buy buys bought sell sold
pay paid send sends sent read reads write writes wrote written talk talks talked speak speaks spoke remember
remembers remembered forget forgot remind reminds happen happens happened believe hope hopes hoped guess plan
plans planned decide decided agree agreed add adds added change changes changed check checks checked deploy
deploys deployed fix fixes fixed build builds built prefer prefers preferred enjoy enjoys enjoyed visit visits
visited meet meets met bring brings brought become becomes became begin began open opens opened close closed
turn turns turned wait waits waited seems goes good great nice bad new old big small little long short high low
best better worse worst right wrong able sure glad happy sad fine cool awesome amazing interesting important
different first second last next previous lot lots bit kind sort way ways thing things something anything
everything nothing someone anyone everyone nobody stuff etc eg ie vs via per am pm today yesterday tomorrow now
later soon ago yet far much even instead actually basically probably definitely certainly especially however
therefore moreover otherwise don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't i'm i've i'd
i'll you're you've it's that's there's we're we've they're let's what's noted user assistant dont im ive
currently recently finally nearly almost around within without across along toward towards upon welcome
"""

_RU = """
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот от
меня еще ещё нет о из ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам
сказал ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб чтобы без
будто человек чего раз тоже себе под жизнь будет ж тогда кто этот того потому этого какой совсем ним здесь этом
один почти мой тем нее неё сейчас были куда зачем всех никогда можно при наконец два об другой хоть после над
больше тот через эти нас про всего них какая много разве три эту моя впрочем хорошо свою этой перед иногда лучше
чуть том нельзя такой им более всегда конечно всю между это эта моё мои мое моего моей моих мою нам нами наш
наша наше наши нашей нашего твой твоя твои ваш ваша ваши свой своя свои своего своей который которая которое
которые которого которой которых очень просто вообще например также поэтому потом пока привет спасибо пожалуйста
ок окей ага угу хочу хочет хотим могу может можем нужно нужен нужна буду будем будут есть стоит люблю любит
нравится знаю знает думаю думает говорю говорит сказала скажи помни запомни напомни напиши сделай сделал сделала
делаю делает живу живет живёт работаю работает иду идет идёт пойду пошел пошла поехал поехала еду едет купил
купила дай дала дал взял взяла стал стала стало начал начала сегодня завтра вчера сейчас скоро новый новая новое
новые старый хороший хорошая большой большая маленький первый второй последний следующий прошлый какой-то что-то
кто-то где-то когда-то то-есть т.е т.д т.п др пр
"""

_DE = """
der die das den dem des ein eine einer einen einem und oder aber nicht ich du er sie es wir ihr mich mir mein meine dein
sein ihre unser ist sind war waren hat haben habe hatte wird werden kann können muss mit von zu im in am an auf für bei
nach aus über unter vor wenn dass weil auch noch schon nur sehr
"""

STOP = frozenset(_EN.split()) | frozenset(_RU.split()) | frozenset(_DE.split())

_FIRST_PERSON_WORDS = """
i me my mine we us our ours i'm i've i'd i'll we're we've im ive я мне меня мной мой моя моё мое мои моего
моей моих мою мы нас нам наш наша наше наши нашей нашего
"""
FIRST_PERSON = frozenset(_FIRST_PERSON_WORDS.split())

_KIN_WORDS = """
sister brother mother father mom mum dad wife husband son daughter friend boss colleague neighbour neighbor
partner girlfriend boyfriend aunt uncle cousin grandmother grandfather teacher doctor manager сестра сестре
сестру брат брата брату мама маме маму папа папе жена жене муж мужа сын сына дочь дочери друг друга подруга
подруге коллега начальник тётя дядя бабушка дедушка mr mrs ms dr
"""
KIN = frozenset(_KIN_WORDS.split())
_PLACE_BEFORE_WORDS = """
in from near to at around toward towards в из на до под возле около через во
"""
PLACE_BEFORE = frozenset(_PLACE_BEFORE_WORDS.split())
_PLACE_VERBS_WORDS = """
live lives lived living move moved moving travel travelled traveled fly flew flight visit visited visiting
born trip arrive arrived stay staying stayed живу живёт живет жил жила живем живём переехал переехала
переезжаю еду едет поехал поехала летит летим лечу родился родилась поездка приехал приехала был была
"""
PLACE_VERBS = frozenset(_PLACE_VERBS_WORDS.split())
_ORG_BEFORE_WORDS = """
at for join joined company startup работаю работает компании компания фирма банк
"""
ORG_BEFORE = frozenset(_ORG_BEFORE_WORDS.split())
ORG_MARK = re.compile(
    r"\b(inc|ltd|llc|gmbh|corp|corporation|university|college|institute|bank|foundation|agency|studio|labs?|"
    r"ооо|оао|зао|пао|ао|банк|университет|институт|компания|фонд)\b",
    re.IGNORECASE,
)

_RU_VERB = re.compile(
    r"(?:[аеиоуыяё]ть(?:ся)?|[аеиуюя](?:ешь|ем|ете|ют|ут|ет|ит|ят|ат)(?:ся)?|"
    r"[аеиыя](?:л|ла|ло|ли)(?:сь|ся)?|ую|аю|яю|ся|сь)$"
)
_RU_NOUN = re.compile(
    r"(?:ость|память|печать|кровать|совет|билет|привет|пакет|обед|ответ|свет|цвет|завет|балет|"
    r"интернет|кабинет|бюджет|минут|маршрут|институт|салат|халат|формат|аппарат|канал|журнал|"
    r"файл|материал|персонал|портал|филиал|вокзал|отдел|предел|стол|пол|школа|сила|скала|"
    r"неделя|дела|числа|масла)$"
)
_EN_VERB = re.compile(r"[a-z]{2}(?:ed|ly|ize|ized|izes|ise|ised)$")
_EN_ING_NOUNS_WORDS = """
meeting building wedding training morning evening painting parking ring king spring string engineering
marketing pricing billing booking shopping camping hiking climbing thing
"""
_EN_ING_NOUNS = frozenset(_EN_ING_NOUNS_WORDS.split())

_RU_ENDING_LIST = """
ами ями ого его ому ему ыми ими ам ям ах ях ой ей ою ею ую ом ем ым им ых их ая ые ый ью а е и о у ы ь ю я й
"""
_RU_ENDINGS = sorted(_RU_ENDING_LIST.split(), key=len, reverse=True)

_CYRILLIC = re.compile(r"[а-яё]")


def fold(word: str) -> str:
    """Return a word in lower case, composed, with ё as е: what is compared."""
    return unicodedata.normalize("NFKC", word).lower().replace("ё", "е").replace("’", "'")


_FOLDED_STOP = frozenset(fold(word) for word in STOP)


def is_stop(word: str) -> bool:
    """Return whether a folded word names nothing."""
    return word in _FOLDED_STOP


def is_verb(word: str) -> bool:
    """Return whether a folded word looks like a verb or an adverb by its ending."""
    if _CYRILLIC.search(word):
        return bool(_RU_VERB.search(word)) and not _RU_NOUN.search(word)
    return bool(_EN_VERB.search(word)) or (word.endswith("ing") and word not in _EN_ING_NOUNS and len(word) > 4)  # noqa: PLR2004 - "king", "ring"


class Stems:
    """Stems of words, remembered: at most ``limit`` of them, then it starts anew.

    Snowball's stemmers keep state, so threads take turns: two at once end in an IndexError.
    """

    _turn: ClassVar[threading.Lock] = threading.Lock()
    """The class's, because LightRAG copies its configuration deeply and a lock cannot be copied."""

    def __init__(self, limit: int = 50_000) -> None:
        self._limit = limit
        self._known: dict[str, str] = {}
        self._english = snowballstemmer.stemmer("english")

    def key(self, name: str) -> str:
        """Return what two forms of a name have in common."""
        return " ".join(self._stem(word) for word in fold(name).split())

    def _stem(self, word: str) -> str:
        with self._turn:
            if (known := self._known.get(word)) is None:
                if len(self._known) >= self._limit:
                    self._known.clear()
                known = self._known[word] = self._stemmed(word)
            return known

    def _stemmed(self, word: str) -> str:
        if any(c.isdigit() for c in word):
            return word
        return _russian_stem(word) if _CYRILLIC.search(word) else str(self._english.stemWord(word))


def _russian_stem(word: str) -> str:
    """Return a word without its case ending.

    The Snowball stemmer is made for search and takes Иван for a participle (ива, but Иваном: иван); names must not
    fall apart, so only endings of nouns and adjectives go, at least three letters stay, and a surname keeps its -ов.
    """
    if word.endswith("ей") and word[-3:-2] not in "жчшщциь":
        return word[:-1]
    for ending in _RU_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004 - said above
            return word[: -len(ending)]
    return word
