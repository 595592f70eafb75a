"""Tells what of a typed message was pasted: somebody else's words, whatever they say of themselves.

A mail, a chat, a letter, a cited line, code, a quotation, and the text that a request is about are not the author's
word.  They are told by their form, and by the words of the request around them; nobody can tell them with certainty.
What is taken for pasted although it was typed is kept and read all the same: it is only not believed as the author's,
and no tool obeys it.  The work grows with the length of the text alone.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.memory.learning.speech_acts import SpeechAct, asks_to_keep, classify_speech, strip_opening
from bot.memory.learning.wishes import find_wishes
from bot.memory.patterns import compile_bounded
from bot.memory.sanitise import remove_hidden
from language import alternatives, languages
from language.patterns import compile_at_use
from language.sentences import split_sentences

_WORDS: Final = tuple(each.pasting for each in languages())


def _compile(*sources: str, ends: str = r"(?!\w)") -> re.Pattern[str]:
    return compile_bounded(rf"(?<!\w){alternatives(sources)}{ends}", re.IGNORECASE)


_WORKS: Final = _compile(*(each.works for each in _WORDS))
_SHOWN: Final = _compile(*(each.shown for each in _WORDS))
_TEXTS: Final = _compile(*(each.texts for each in _WORDS))
_MAKES: Final = _compile(*(each.makes for each in _WORDS))
_ORIGINS: Final = _compile(*(each.origins for each in _WORDS))
_MESSAGES: Final = _compile(*(each.messages for each in _WORDS))
_COURTESY: Final = _compile(*(each.forgetting.please for each in languages()))
_WRITTEN: Final = _compile(*(each.written for each in _WORDS))
_SAID: Final = _compile(*(each.said for each in _WORDS))
_SUBJECT: Final = _compile(*(each.subjects for each in _WORDS))
_HEADER: Final = _compile(*(each.headers for each in _WORDS), *(each.subjects for each in _WORDS))
_SALUTATION: Final = _compile(*(each.salutations for each in _WORDS))
_CLOSING: Final = _compile(*(each.closings for each in _WORDS), ends=r"(?:[,.!–—\s]|$)")
_GIVEN: Final = _compile(*(each.overviews.given for each in languages()))
_SELF: Final = _compile(*(each.speech.self_subjects for each in languages()))
_PASSED_ON: Final = _compile(*(each.passed_on for each in _WORDS))

_FENCE: Final = compile_at_use(r"\s{0,3}(?:```|~~~)")
_CITED: Final = compile_at_use(r"\s{0,64}+(?:>[ \t]?)+")
_LABEL: Final = compile_at_use(r"\s{0,3}\*{0,2}([^\W\d_][^:\n]{0,30}?)\*{0,2}:(?:\s|$)(.*)")
"""A line "Word: value": its groups are the word and the value."""
_STAMPED: Final = compile_at_use(
    r"\s{0,3}[\[(]?\d{1,4}[-./:]\d[\d\s.,:/TZ-]{0,24}(?:[AaPp]\.?[Mm]\.?)?[\])]?\s{0,2}[-–—]?\s{0,2}[^\s\d:][^:\n]{0,40}:\s"
    r"|[^\n:]{1,40}(?:, \[| [–—] \D{0,12})\d[\d\s.,:/-]{2,24}(?:\s?[AaPp][Mm])?\]?:?\s{0,3}$"
)
"""The beginning of a message as chat programs copy it, with its time before or behind its author."""
_TIMED: Final = compile_at_use(
    r"\s{0,3}[^\W\d_][^\n:]{0,40}?,?\s[\[(]?[0-2]?\d[:.][0-5]\d(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?:?\s{0,3}$"
)
"""A line of a name and a time alone, as chat programs write above each message."""
_DASHES: Final = ("—", "–", " -")
_COLON: Final = re.compile(r":(?!//|\d)")
"""None of an address or a time."""
_ADDRESS: Final = compile_at_use(r"[\w.+-]{1,64}@[\w-]{1,63}\.\w")
_POINTS_UP: Final = compile_at_use(r"\s{0,3}(?:\^|[↑⬆☝👆])")
_CLOSERS: Final = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«"}
_LINE_CHARS: Final = 80
"""Of the last line of a letter, or one that a program wrote."""
_OWN_CHARS: Final = 400
"""Of what is typed before or behind a text that is pasted: more is rarely said of it."""
_TYPED_CHARS: Final = 3000
"""Of a message: more is not typed at once."""
_OPENING_WORDS, _FEW_WORDS, _SOME_WORDS, _MANY_WORDS = 2, 5, 8, 12
_HEADERS: Final = 2
_MOST_LINES: Final = 20
"""Lines by which a mail is told."""


@dataclass(frozen=True, slots=True)
class Split:
    """What of a message its author typed, and what they pasted: "" for nothing.

    A quotation leaves "…" behind, and cited lines are without the sign that cites them.
    """

    own: str
    pasted: str


@lru_cache(maxsize=64)
def split_pasted(text: str) -> Split:
    """Return what of a message is the author's own word, and what looks pasted.  A command is the author's."""
    if text.lstrip().startswith("/"):
        return Split(text, "")
    lines = text.split("\n")
    plain = [remove_hidden(line) for line in lines]
    foreign = _find_marked(plain)
    rest = [index for index, line in enumerate(plain) if line.strip() and not foreign[index]]
    block = _find_block(plain, rest)
    for index in range(block[0], block[-1] + 1) if block else ():
        foreign[index] = True
    own, quoted = _take_quotations("\n".join(line for line, other in zip(lines, foreign, strict=True) if not other))
    pasted = "\n".join(_CITED.sub("", line) for line, other in zip(lines, foreign, strict=True) if other)
    if not (quoted or any(foreign)):
        own, pasted = _cut_inline(own)
    found = "\n\n".join(part for part in (pasted.strip("\n"), *quoted) if part.strip())
    return Split(own.strip(), found) if found else Split(text, "")


def _find_marked(lines: list[str]) -> list[bool]:
    """Return for each line whether it is cited, names who is cited below it, or is code."""
    inside, marked = False, list[bool]()
    for line in lines:
        fence = _FENCE.match(line) is not None
        cited = _CITED.match(line) is not None
        if cited and marked and not marked[-1]:
            above = lines[len(marked) - 1].rstrip()
            marked[-1] = above.endswith(":") and any(sign.isdigit() for sign in above[-_OWN_CHARS:])
        marked.append(inside or fence or cited)
        inside ^= fence and line.count("```") % 2 + line.count("~~~") % 2 == 1
    return marked


def _find_block(lines: list[str], rest: list[int]) -> list[int]:
    """Return the lines, of ``rest``, that a mail, a chat, a letter or the text of a request take."""
    long = sum(len(lines[index]) for index in rest) > _TYPED_CHARS
    if len(rest) < 2:  # noqa: PLR2004  a line alone has no other before or behind it
        return rest if long else []
    start = _find_start(lines, rest)
    if start is not None:
        lead = "\n".join(lines[index] for index in rest if index < start)
        return _leave_question(lines, [index for index in rest if index >= start], asked=_asks_for_work(lead))
    lead_end = _find_lead(lines, rest)
    if lead_end is not None:
        block = [index for index in rest if index > lead_end]
        lead = "\n".join(lines[index] for index in rest if index <= lead_end)
        return _leave_question(lines, block, asked=_asks_for_work(lead))
    block = _leave_question(lines, rest, asked=False, only_works=True)
    enough = len(block) < len(rest) and _count(lines, block) >= _SOME_WORDS
    if enough:
        return block
    if long:
        first = lines[rest[0]]
        return _leave_question(
            lines, rest[1:] if len(first) <= _OWN_CHARS and _WORKS.search(first) else rest, asked=False
        )
    return []


def _find_start(lines: list[str], rest: list[int]) -> int | None:
    """Return the first line of a mail, a chat or a letter."""
    written = [index for index, line in enumerate(lines) if line.strip()]  # a mail may be all code or citation
    labels = {index: match for index in rest if (match := _LABEL.match(lines[index])) is not None}
    closings = (index for index in rest if _CLOSING.match(lines[index].lstrip()[:_LINE_CHARS]))
    last_closing = max((index for index in closings if len(lines[index]) <= _LINE_CHARS), default=-1)
    speakers = [match[1].casefold() for match in labels.values()]
    talk = len(speakers) > len(set(speakers)) or (
        len(speakers) > 1 and any(match[2].rstrip().endswith("?") for match in labels.values())
    )
    timed = {place for place, index in enumerate(rest) if _TIMED.match(lines[index])}
    chat = len(timed) > 1 and not any(place + 1 in timed or place + 1 == len(rest) for place in timed)
    for place, index in enumerate(rest):
        line = lines[index]
        passed_on = not line[:1].isalnum() and _PASSED_ON.search(line[:_LINE_CHARS])
        if passed_on or (chat and place in timed) or _STAMPED.match(line):
            return index
        at = bisect_left(written, index)
        if index in labels and _begins_mail(lines, written[at : at + _MOST_LINES], labels):
            return index
        if index in labels and talk and not _HEADER.fullmatch(labels[index][1]):
            return index
        begun = index + (len(line.split()) < _SOME_WORDS)
        if begun < last_closing and _SALUTATION.match(line.lstrip()):
            return index
    return None


def _begins_mail(lines: list[str], rest: list[int], labels: dict[int, re.Match[str]]) -> bool:
    """Whether the first of some lines are the head of a mail, and more stands below it."""
    heads = []
    for number, index in enumerate(rest):
        if index not in labels or index != rest[0] + number:
            break
        heads.append(labels[index])
    body = rest[len(heads) :]
    known = sum(_HEADER.fullmatch(each[1]) is not None for each in heads[:_HEADERS])
    addressed = any(_ADDRESS.search(each[2]) and (known or "<" in each[2]) for each in heads)
    titled = any(_SUBJECT.fullmatch(each[1]) for each in heads)
    if len(heads) >= _HEADERS and (addressed or (known >= _HEADERS and titled)):
        return bool(body)
    apart = bool(body) and len(heads) >= _HEADERS and known >= _HEADERS and body[0] > rest[len(heads) - 1] + 1
    return (apart or titled) and _count(lines, body) >= _SOME_WORDS


def _find_lead(lines: list[str], rest: list[int]) -> int | None:
    """Return the last line of a request, or of a remark, that the text behind it is about."""
    head = 0
    for place, index in enumerate(rest[:-1]):
        head += len(lines[index])
        if head > _OWN_CHARS:
            return None
        lead = "\n".join(lines[each] for each in rest[: place + 1]).rstrip()
        apart = rest[place + 1] > index + 1
        colon = lead.endswith((":", *_DASHES))
        if (colon or apart or place == 0) and _leads(lead, apart=apart, behind=_count(lines, rest[place + 1 :])):
            return index
        if colon or apart:
            return None
    return None


def _leads(lead: str, *, apart: bool, behind: int) -> bool:
    if _is_for_good(lead):
        return False
    colon = lead.endswith((":", *_DASHES))
    brief = len(lead.split()) <= _FEW_WORDS and not _MAKES.search(lead) and not _SELF.search(lead)
    if colon and brief and _COURTESY.search(lead):
        return behind >= _SOME_WORDS
    if _asks_for_work(lead):
        return colon or behind >= _FEW_WORDS
    if (colon or apart) and _asks_about_text(lead, brief=True):
        return behind >= _SOME_WORDS
    shown = _WRITTEN.search(lead) is not None or _SHOWN.search(lead) is not None
    return shown and (colon or (lead.endswith("?") and (apart or behind >= _SOME_WORDS)))


def _asks_about_text(text: str, *, brief: bool) -> bool:
    """Whether a text asks, whatever it asks for, about a text that is there already and is not said to be one's own.

    ``brief`` says that a few words count as a request whatever their form, unless they are a mere label.
    """
    found = _TEXTS.search(text)
    if found is None or _MAKES.search(text) or _SELF.search(text):
        return False
    brief = brief and found.start() > 0 and len(text.split()) <= _SOME_WORDS and not text.endswith(".")
    asking = {SpeechAct.QUESTION, SpeechAct.REQUEST}
    return brief or any(classify_speech(sentence) in asking for sentence in split_sentences(text))


def _is_for_good(text: str) -> bool:
    """Whether a text asks to keep what it says, or how to answer from now on: then it is about the author's own."""
    return any(map(asks_to_keep, split_sentences(text))) or bool(find_wishes(text))


def _asks_for_work(text: str) -> bool:
    """Whether a text asks to do something with a text: "I translate novels" does not."""
    for sentence in split_sentences(text):
        found = _WORKS.search(sentence)
        if found is None:
            continue
        plain = strip_opening(sentence.strip())
        short = len(sentence[: found.start()].split()) <= _OPENING_WORDS and not _SELF.match(plain)
        if short or classify_speech(sentence) in {SpeechAct.QUESTION, SpeechAct.REQUEST}:
            return True
    return False


def _leave_question(lines: list[str], block: list[int], *, asked: bool, only_works: bool = False) -> list[int]:
    """Return ``block`` without the question or request at its end that is about it.

    ``asked`` says that the request stands before it: then its end is a part of it.  ``only_works`` says that nothing
    but the request tells that there is a text: then a paragraph of its own asks to do something with it.
    """
    if asked or len(block) < 2:  # noqa: PLR2004  nothing stands before it
        return block
    gaps = [place for place in range(1, len(block)) if block[place] > block[place - 1] + 1]
    apart = gaps[-1] if gaps else 0
    for start in dict.fromkeys((apart, len(block) - 1)):
        last = "\n".join(lines[index] for index in block[start:]).strip()
        if start == 0 or len(last) > _OWN_CHARS or find_wishes(last) or _LABEL.match(last) or _STAMPED.match(last):
            continue
        works = _asks_for_work(last) and (start == apart or not only_works)
        works = works or any(_ORIGINS.search(each) for each in split_sentences(last))
        if works or _POINTS_UP.match(last) or (last.endswith("?") and not only_works):
            return block[:start]
    return block


def _cut_inline(text: str) -> tuple[str, str]:
    """Return a line's request and the text behind its colon, or behind a sentence about a given text; "" for none.

    What only says whose the text is, "memo from the office: …", asks nothing and goes with it.
    """
    head, *parts = _COLON.split(text, maxsplit=1)
    behind, colon = "".join(parts), ":" if parts else ""
    line = colon and "\n" not in head and len(head) <= _OWN_CHARS
    asks = _asks_for_work(head) or _asks_about_text(head, brief=False)
    if line and behind.strip() and _is_theirs(head) and not asks and not _is_for_good(head):
        return "", text
    if not line or not asks:
        head, colon = next(iter(split_sentences(text[:_OWN_CHARS])), ""), ""
        behind = text[len(head) :] if text.startswith(head) else ""
        given = len(behind.split()) >= _SOME_WORDS and _GIVEN.search(head) is not None and _asks_for_work(head)
        behind = behind if given else ""
    return (text, "") if not behind.strip() or _is_for_good(head) else (head + colon, behind.strip())


def _is_theirs(head: str) -> bool:
    return _MESSAGES.search(head) is not None and not _SELF.search(head)


def _take_quotations(text: str) -> tuple[str, list[str]]:
    """Return a text without its longer quotations of others, and these."""
    spans = list(_list_quotations(text))
    if not spans:
        return text, []
    bare = _replace(text, spans)
    if _is_for_good(bare):
        return text, []
    works = _asks_for_work(bare)
    cued = works or any(each.search(bare) for each in (_WRITTEN, _SAID, _SHOWN))
    long = []
    for begin, end in spans:
        before, after = text[max(begin - 2, 0) : begin].strip(" ")[-1:], text[end : end + 2].strip(" .")[:1]
        alone = before in {"", "\n"} and after in {"", "\n"}
        least = _FEW_WORDS if alone or works or before == "?" or (cued and before == ":") else _MANY_WORDS
        if len(text[begin:end].split()) >= least:
            long.append((begin, end))
    return _replace(text, long), [text[begin + 1 : end - 1] for begin, end in long]


def _replace(text: str, spans: list[tuple[int, int]]) -> str:
    """Return a text with "…" in place of each span."""
    ends = [0, *(end for _, end in spans)]
    begins = [*(begin for begin, _ in spans), len(text)]
    return "…".join(text[end:begin] for end, begin in zip(ends, begins, strict=True))


def _list_quotations(text: str) -> Iterator[tuple[int, int]]:
    """Yield where quotations begin and end, none within another."""
    at = 0
    gone: set[str] = set()
    for opening in re.finditer(r"[\"“„«]", text):
        begin, sign = opening.start(), opening[0]
        if begin < at or sign in gone:
            continue
        ends = [found for closer in _CLOSERS[sign] if (found := text.find(closer, begin + 1)) >= 0]
        if not ends:
            gone.add(sign)
            continue
        at = min(ends) + 1
        yield begin, at


def _count(lines: list[str], indexes: list[int]) -> int:
    return sum(len(lines[index].split()) for index in indexes)
