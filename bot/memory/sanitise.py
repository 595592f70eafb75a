"""Makes any text safe to store, send and show, in one place.

Three strengths: :func:`clean` keeps all that a person can see or that a language needs and is applied once, where text
comes in; :func:`remove_hidden` also drops characters that nobody sees but a model reads (zero-width, bidirectional,
tags);
:func:`flatten` is for names and titles that stand inside a line of their own.
Where a transcript is read by its lines, a line end inside somebody's text would let them speak for others
("hi⏎Bob: I agree"), and so would a name with a colon or a line end in it: :func:`flatten_name` and
:func:`flatten_text` take them away.

Fences keep remembered text from passing for anything else in what a model reads.  Nothing here tries to recognise words
that are meant to command the model.  What holds is structural: a memory is one line, cannot open a heading, a role or a
tag, and cannot hold the mark of the fence it stands behind.  The mark is one per session, so that the front of a prompt
need not change.  It is derived from a key that this process made at random and that is kept nowhere, so that no text
can know it; and were it ever given away, that would not help: it is taken out of every text on its way into a prompt,
and of every answer and argument on its way out.
"""

import hashlib
import hmac
import html
import re
import string
import unicodedata
from collections.abc import Iterable
from typing import Final

_NEWLINES: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
HIDDEN: Final = (
    "["
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners, fillers, Mongolian selectors
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f"  # zero-width, bidirectional marks, embeddings, overrides, isolates
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"  # blank letters, variation selectors, byte order mark
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # musical formatting, tag characters ("ASCII smuggling")
    "]"
)
"""What :func:`remove_hidden` drops, as a regular expression for one character."""
_HIDDEN: Final = re.compile(HIDDEN)
_DIRECTIONS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\U000e0000-\U000e007f]")
_SPACES: Final = re.compile(r"\s+")
_NOT_WORDS: Final = re.compile(r"\W+")


def clean(text: str) -> str:
    """Return ``text`` without NUL, control characters and lone surrogates; line ends become line feeds.

    Split surrogate pairs are joined, lone surrogates become U+FFFD: databases, JSON parsers and LightRAG refuse them.
    Cleaning twice changes nothing.
    """
    if text.isprintable():  # most messages of one line: nothing here is a printable character
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _CONTROLS.sub("", _NEWLINES.sub("\n", text))


def remove_hidden(text: str) -> str:
    """Return cleaned ``text`` without zero-width, bidirectional, filler and tag characters.

    What a person sees and what a model reads are then the same (Unicode TR36, "Unicode security considerations").
    """
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub("", clean(text))


def is_quoted(quote: str, source: str) -> bool:
    """Return whether the words of ``quote`` stand in ``source`` in this order; case and punctuation do not count."""
    words = _list_words(quote)
    return bool(words.strip()) and words in _list_words(source)


def _list_words(text: str) -> str:
    return f" {_NOT_WORDS.sub(' ', remove_hidden(text).casefold()).strip()} "


def remove_directions(text: str) -> str:
    """Return ``text`` without marks that turn around what stands beside it on its line, or that nobody sees."""
    return _DIRECTIONS.sub("", text)


def spell_hidden(text: str) -> str:
    """Return ``text`` with each character that is not printed spelt out, ``‹U+034F›``; line ends and tabs stay.

    Not printed is what Unicode calls a default ignorable, format, control, unassigned or private character, or a blank
    other than the space.  Selectors and joiners between pictures belong to those and stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if _is_seen(char, text[place - 1 : place], text[place + 1 : place + 2]) else f"‹U+{ord(char):04X}›"
        for place, char in enumerate(text)
    )


def _is_seen(char: str, before: str, after: str) -> bool:
    if char in "\n\t" or (char.isprintable() and not _HIDDEN.match(char)):
        return True
    pictured = _is_picture(before) or before == "\ufe0f"
    return (char == "\ufe0f" and _is_picture(before)) or (char == "\u200d" and pictured and _is_picture(after))


def _is_picture(char: str) -> bool:
    return bool(char) and unicodedata.category(char) in {"So", "Sk"}


def flatten(text: str, limit: int = 200) -> str:
    """Return visible ``text`` on one line, cut to ``limit`` characters with "…"."""
    line = _SPACES.sub(" ", remove_hidden(text)).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


_LINE_END: Final = re.compile(r"(?<![ \t])[ \t]*+\n\s*+")
_COLONS: Final = re.compile("[:：﹕︰ː˸։׃܃܄᠄⁚∶꞉𝄈]+")
"""The colon and what looks like one."""
_NAME_CHARS: Final = 60
_MARK: Final = " ⏎ "


def flatten_name(name: str, fallback: str = "user") -> str:
    """Return a name that can stand before a colon; ``fallback`` where nothing of it is left."""
    return flatten(_COLONS.sub(" ", flatten(name, _NAME_CHARS)), _NAME_CHARS) or fallback


def flatten_text(text: str) -> str:
    """Return visible ``text`` on one line, with a mark for each of its line ends, whatever sign made them."""
    return _LINE_END.sub(_MARK, remove_hidden(text).strip())


_FENCE_MARK: Final = re.compile(r"[A-Za-z0-9]{8,64}")
_MARK_LETTERS: Final = 12
"""56 bits: nobody guesses that in a chat.  Letters, because they cost a prompt half of what figures do."""
_LINES: Final = re.compile(r"(?<!\s)[^\S\n]*+\n\s*+")
_TAG: Final = re.compile(r"<(?=[A-Za-z/|!?<])")
_TAG_END: Final = re.compile(r"(?<=[|>])>")
_ROLE: Final = re.compile(r"\[(?=/?(?:INST|SYS|system|assistant|user|tool)\b)", re.IGNORECASE)
_IMAGE: Final = re.compile(r"!(?=\[)")
_SIGNS: Final = re.compile(r"[<>\[!`~]")
"""What the patterns above and below begin or end with, as far as it is printable ASCII."""
_UNSEEN: Final = rf"(?:{HIDDEN}|[\s\x00-\x1f\x7f-\x9f\\`*_~|\[\]()<>!#^=+$\"'])"
"""A character that is not printed or blank, or a sign that Markdown or HTML may take for its own."""
_ALL_UNSEEN: Final = re.compile(f"{_UNSEEN}+")
_REFERENCE: Final = r"&(?:#[xX]?[0-9A-Fa-f]{1,8}|[A-Za-z][A-Za-z0-9]{1,31}(?=;));?|%[2-7][0-9A-Fa-f]"
_TARGET: Final = r"\((?:[^()]|\([^()]{0,200}\)){0,2000}"
_SIGNS_OF_MARKUP: Final = re.compile(f"{_REFERENCE}|{_UNSEEN}")
_MARKUP: Final = re.compile(rf"<[^<>]{{1,500}}>|\](?:{_TARGET}\)|\[[^\[\]]{{0,200}}\])|{_REFERENCE}|{_UNSEEN}")
"""The same, and what is not shown as a whole: tags, and where links lead."""
_BEGUN_MARKUP: Final = re.compile(rf"(?:<[^<>]{{0,500}}|\](?:{_TARGET}(?:\([^()]{{0,200}})?|\[[^\[\]]{{0,200}}))\Z")
_BEGUN_REFERENCE: Final = re.compile(r"(?:&#?[A-Za-z0-9]{0,31}|%[2-7]?)\Z")
_BRACKETS: Final = str.maketrans("[]|", "()/")
_LONGEST_NAME: Final = 40
_TICKS: Final = re.compile(r"`{3,}|~{3,}")
_HIDING: Final = re.compile(r"[&%<]|\][(\[]")
"""Without one of these nothing vanishes from a text but single signs."""


def escape_line(text: str) -> str:
    """Return ``text`` as one line without hidden characters, tags, chat template marks, code fences and images.

    A line end becomes " / "; what a person reads stays the same but for the signs that machines read.
    """
    if text.isascii() and text.isprintable() and not _SIGNS.search(text):
        return text.strip()  # most memories, and a prompt holds a hundred of them
    line = _LINES.sub(" / ", remove_hidden(text).strip())
    line = _TAG_END.sub("›", _TAG.sub("‹", line))
    return _TICKS.sub("'''", _IMAGE.sub("", _ROLE.sub("(", line)))


def escape_name(name: str) -> str:
    """Return an escaped author's name of at most 40 characters that cannot end the head of its line."""
    return escape_line(name).translate(_BRACKETS)[:_LONGEST_NAME].strip()


_MARKDOWN: Final = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|[`*<]|\](?=[(\[])|\$(?=[^$\n]*\$)|(?<!\w)_|_(?!\w)|~(?=~)|(?<=~)~|\|(?=\|)|(?<=\|)\||&(?=#?\w+;)"
)
_OPENS: Final = re.compile(r"\d{1,9}+(?=[.)](?:\s|\Z))|(?=>|#{1,6}(?:\s|\Z)|[+-](?:[\s-]|\Z)|\[(?:[ xX]\]|[^\]]*+\]:))")
"""What stands before the sign that opens a block at the beginning: a quotation, heading, list, task or definition."""
_LINK: Final = re.compile(r"(?<!\\)(\\*+)\](?=[(\[])")


def escape_markup(text: str) -> str:
    """Return a text with a backslash before what Markdown would not show as it is."""
    escaped, opens = _MARKDOWN.sub(lambda match: "\\" + match.group(), text), _OPENS.match(text)
    return escaped if opens is None else f"{opens[0]}\\{escaped[opens.end() :]}"


def expose_links(text: str) -> str:
    """Return a text whose links are seen as they were written: none hides its address behind other words."""
    return _LINK.sub(r"\1\1\]", text)


def make_mark(key: bytes, *names: object) -> str:
    """Return the mark that ``key`` gives to what ``names`` name: 12 small letters.

    HMAC-SHA256 (RFC 2104), so that no mark says anything of the key or of another mark.
    """
    digest = hmac.new(key, "\0".join(map(str, names)).encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    number, letters = int.from_bytes(digest), ""
    for _ in range(_MARK_LETTERS):
        number, rest = divmod(number, len(string.ascii_lowercase))
        letters += string.ascii_lowercase[rest]
    return letters


def fence_block(label: str, lines: Iterable[str], mark: str) -> str:
    """Return ``lines`` between two lines that carry ``mark``; the mark itself is taken out of the lines.

    ``mark`` is 8 to 64 letters or figures that no text can know (:func:`make_mark`); anything else raises
    ``ValueError``.
    """
    if not _FENCE_MARK.fullmatch(mark):
        raise ValueError("the mark of a fence is 8 to 64 random letters or figures")
    body = "\n".join(remove_mark(_LINES.sub(" / ", line) if "\n" in line else line, mark) for line in lines)
    return f"<<<{label} {mark}\n{body}\n{label} {mark}>>>"


def list_fenced(text: str, mark: str) -> list[str]:
    """Return what stands in ``text`` between the lines of :func:`fence_block` that carry ``mark``."""
    fence = re.compile(rf"^(?:<<<\w+ {re.escape(mark)}|\w+ {re.escape(mark)}>>>)$", re.MULTILINE)
    return [block.strip("\n") for block in fence.split(text)[1::2]] if mark else []


def remove_mark(text: str, mark: str) -> str:
    """Return ``text`` with "…" for every ``mark`` that it shows, or that stands in a tag or behind a link.

    In capitals, with signs inside that are not printed or that Markdown and HTML make nothing of, in references to
    characters.  What stood around a mark cannot become one, because no mark holds "…".  Without a mark nothing is
    changed.
    """
    if not _HIDING.search(text) and not _shows(text.lower(), mark.lower()):
        return text  # nearly every text, and a prompt holds hundreds
    for vanishing in (_SIGNS_OF_MARKUP, _MARKUP) if mark else ():
        if mark.lower() in _strip(text, vanishing).lower():
            shown, places = _locate(text, vanishing)
            for found in reversed(list(re.finditer(re.escape(mark.lower()), shown))):
                begin, end = places[found.start()][0], places[found.end() - 1][1]
                text = f"{text[:begin]}…{text[end:]}"
    return text


def _shows(text: str, mark: str) -> bool:
    """Whether a text of small letters holds a mark, with signs inside that vanish; most lack one of its letters."""
    return all(letter in text for letter in mark) and mark in _ALL_UNSEEN.sub("", text)


def hold_back_mark(text: str, mark: str) -> str:
    """Return a text that is still being written without its marks, nor what may be the beginning of one at its end."""
    text = remove_mark(text, mark)
    end, whole = len(text), _BEGUN_REFERENCE.sub("", text)
    ways = {(text, _SIGNS_OF_MARKUP), (whole, _SIGNS_OF_MARKUP), (_BEGUN_MARKUP.sub("", whole), _MARKUP)}
    for told, vanishing in ways if mark else ():
        shown = _strip(told, vanishing).lower()
        begun = next((size for size in range(len(mark) - 1, 0, -1) if shown.endswith(mark[:size].lower())), 0)
        end = min(end, _locate(told, vanishing)[1][-begun][0]) if begun else end
    return text[:end]


def _locate(text: str, vanishing: re.Pattern[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return what ``text`` shows, in small letters, and where each of these letters stands, from and to."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    end = 0
    for each in (*vanishing.finditer(text), None):
        begin = len(text) if each is None else each.start()
        letters += [char.lower()[:1] for char in text[end:begin]]
        places += [(place, place + 1) for place in range(end, begin)]
        if each is not None and (said := _show(each)):
            letters.append(said.lower()[:1])
            places.append(each.span())
        end = len(text) if each is None else each.end()
    return "".join(letters), places


def _strip(text: str, vanishing: re.Pattern[str]) -> str:
    """Return what ``text`` shows; nearly no text holds a reference, and without one this is done at once."""
    return vanishing.sub(_show if "&" in text or "%" in text else "", text)


def _show(vanishing: re.Match[str]) -> str:
    """Return what is shown of a piece of markup: the character of a reference, unless nobody sees it."""
    said = vanishing[0]
    if said[0] == "&":
        char = html.unescape(f"{said.removesuffix(';')};")
        return char if len(char) == 1 and not _SIGNS_OF_MARKUP.match(char) else ""
    return chr(int(said[1:], 16)) if said[0] == "%" else ""
