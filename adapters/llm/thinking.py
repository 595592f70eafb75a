"""Removes a model's thinking from its answer.

Local servers hand the thoughts of reasoning models through as text: ``<think>…</think>`` and its many spellings, the
channels of the harmony format (also where a server has dropped its marks: ``analysis…assistantfinal…``) and of Gemma,
or thoughts without any beginning, because the chat template has opened them.
People want the answer, and neither the chat nor history nor memory may be filled with the rest.
A tag in code (behind a backtick, in a fenced block) is part of the answer.
"""

import re
from dataclasses import dataclass

from bot.errors import ModelUnavailable
from language.patterns import compile_at_use

_MAX_THOUGHT_CHARS = 2_000_000
_LONGEST_TAG = 160
_LT = r"(?:<|&lt;|&#0*60;|&#x0*3c;|\\u003c)"
_WORD = r"(?:think|thinking|thoughts?|reasoning|reflection|scratch_?pad|monologue)"
_ATTRIBUTES = r"""(?:\s+[\w:-]+\s?=\s?(?:"[^"<>\n]{0,60}"|'[^'<>\n]{0,60}'|[^\s<>&"']{1,60})){0,4}"""
_TAG = compile_at_use(
    rf"{_LT}\s?(?P<close>/?)\s?"
    rf"(?P<name>(?:[a-z]{{1,16}}[:_.-]){{0,3}}[a-z]{{0,16}}{_WORD}(?:[_-][a-z]{{1,16}})?){_ATTRIBUTES}\s?(?P<empty>/?)\s?"
    r"(?:>|&gt;|&#0*62;|&#x0*3e;|\\u003e)"
    r"|\[(?P<square>/?)THINK\]|◁(?P<kimi>/?)think▷"
    rf"|<\|(?:(?P<bar>/|end_(?:of_)?)|begin_(?:of_)?|start_(?:of_)?|)(?P<named>{_WORD})\|>"
    r"|<\|inner_(?:prefix|(?P<inner>suffix))\|>|<unused9(?:4|(?P<unused>5))>|<\|channel>|(?P<gemma><channel\|>)"
    r"|(?P<answer><\|(?:(?:begin|end)_of_|start_|end_)(?:solution|response)\|>)"
    r"|<\|(?P<control>channel|message|start|end|return|call)\|>"
    r"|(?-i:assistant(?P<bare>final|analysis|commentary))",
    re.IGNORECASE,
)
_NOT_FINAL = compile_at_use(rf"analysis|commentary|{_WORD}", re.IGNORECASE)
"""Channels of the harmony format that are no answer."""
_CLOSERS = ("close", "square", "kimi", "bar", "inner", "unused", "gemma")
_BARE = "|".join(
    word[:size]
    for word in ("assistantcommentary", "assistantanalysis", "assistantfinal")
    for size in range(len(word) - 1, 0, -1)
)
_BEGUN = compile_at_use(
    rf"{_LT}\s?/?\s?[\w:.-]{{0,60}}"
    rf"""{_ATTRIBUTES}(?:\s+(?:[\w:-]+(?:\s?=\s?(?:"[^"<>\n]{{0,60}}"?|'[^'<>\n]{{0,60}}'?|[^\s<>&"']{{0,60}}))?)?)?"""
    r"\s?/?\s?(?:&[gt#x0-9e]{0,8}|\\[u03]{0,4})?\Z"
    r"|<\|?[a-z_/]{0,24}\|?\Z|\[/?[a-z]{0,6}\Z|◁/?[a-z]{0,6}\Z|&(?:l|lt|#[x0-9]{0,8}|#x[0-9]{0,8}3c?)?\Z|\\u?[03]{0,3}\Z"
    rf"|(?-i:{_BARE})\Z",
    re.IGNORECASE,
)
"""The end of a text that may be the beginning of a tag."""


@dataclass(slots=True)
class ThinkingHabit:
    """Knowledge of one model: it begins with thoughts that nothing opens, or not; ``None`` until its first answer."""

    thinks_first: bool | None = None


class ThinkingFilter:
    """Passes text on as it streams, without thoughts.

    While ``habit`` does not say that a model begins with its answer, nothing is passed on before the thoughts or the
    answer have ended.  ``retracted`` says that what was passed on so far turned out to be thoughts.
    """

    def __init__(self, habit: ThinkingHabit | None = None) -> None:
        self.habit = habit or ThinkingHabit(thinks_first=False)
        self.retracted = False
        self._waits = self.habit.thinks_first is not False
        self._held = self._pending = self._carry = self._header = self._lead = ""
        self._state = "answer"
        self._open: list[str] = []
        self._thought = self._fences = 0
        self._said = False

    def feed(self, text: str) -> str:
        """Return what of the text so far belongs to the answer and was not returned yet."""
        self._held += text
        out = ""
        while (tag := _TAG.search(self._held)) is not None:
            before, self._held = self._held[: tag.start()], self._held[tag.end() :]
            out += self._pass_on(before)
            if self._state == "answer" and self._is_code():
                out += self._pass_on(tag[0])
            else:
                out = self._take_tag(tag, out)
        begun = _BEGUN.search(self._held[-_LONGEST_TAG:])
        end = len(self._held) - (len(begun[0]) if begun else 0)
        plain, self._held = self._held[:end], self._held[end:]
        return out + self._pass_on(plain)

    def note_thoughts_apart(self) -> None:
        """Take note that the server gives thoughts outside the text: what comes in it is the answer."""
        if self.habit.thinks_first is None and not self._said:
            self.habit.thinks_first = self._waits = False

    def finish(self) -> str:
        """Return what was held back and turned out to be answer."""
        rest, self._held = self._held, ""
        out = self._pass_on(rest)
        if self.habit.thinks_first is None and self._said:
            self.habit.thinks_first = False
        return self._release() + out

    def _pass_on(self, text: str) -> str:
        """Return ``text`` as far as it is answer and need not wait."""
        if self._state == "answer":
            if not self._said:
                text = self._lead + text
                if not text.strip():
                    self._lead = text
                    return ""
                text = text.lstrip() if self._thought else text
            self._said = True
            self._fences += (self._carry + text).count("```")
            self._carry = re.sub("```$", "", self._carry + text)[-2:]
            if not self._waits:
                return text
            self._pending += text
            return ""
        self._thought += len(text)
        if self._thought > _MAX_THOUGHT_CHARS:
            raise ModelUnavailable("the language model thinks without end")
        self._header += text if self._state == "header" else ""
        return ""

    def _take_tag(self, tag: re.Match[str], out: str) -> str:
        """Take a tag and return what of the text before it, ``out``, is answer."""
        control, bare, was = (tag["control"] or "").lower(), tag["bare"], self._state
        if tag["answer"]:  # a frame around the answer says nothing itself
            return out
        self._thought += 1
        self._lead = ""
        closes = bare == "final" or any(tag[closer] for closer in _CLOSERS)
        final = bare == "final" or (control == "message" and was == "header" and "final" in self._header)
        if (was == "answer" and (closes or control == "message")) or (final and (self._said or self._pending)):
            # Nothing had opened it: all that was said so far are thoughts, or the name of a channel.
            self._header, out = self._header if was == "header" else self._pending + out, ""
            self._retract()
        if control == "message":
            self._state = "thoughts" if _NOT_FINAL.search(self._header) else "answer"
        elif control:
            self._state, self._header = "header", ""
            self._open.clear()
        elif not tag["empty"]:
            self._nest((tag["name"] or tag["named"] or "").lower(), closes=closes)
        if not self._pending.strip():  # thoughts that are opened by a tag are not begun without one
            out += self._release()
        return out

    def _nest(self, name: str, *, closes: bool) -> None:
        """Open or close thoughts; a pair of another name inside of them ends nothing."""
        if not closes:
            self._open.append(name)
        elif name in self._open[1:] and name != self._open[0]:
            del self._open[self._open.index(name) :]
        else:
            if self._open and name != self._open[0] and self._pending.strip():
                self._retract()  # it closes what the template has opened
            self._open.clear()
        self._state = "thoughts" if self._open else "answer"

    def _retract(self) -> None:
        self.retracted = self.retracted or (self._said and not self._waits)
        self.habit.thinks_first = True
        self._waits = self._said = False
        self._pending = self._carry = ""
        self._fences = 0

    def _release(self) -> str:
        """Return what waited."""
        pending, self._pending, self._waits = self._pending, "", False
        return pending

    def _is_code(self) -> bool:
        return self._carry.endswith("`") or self._fences % 2 == 1


_APART_HOSTS = frozenset(
    {
        *("api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "api.mistral.ai"),
        *("api.deepseek.com", "api.x.ai", "openrouter.ai", "api.cohere.ai", "api.cohere.com"),
    }
)
"""Vendors whose interface gives thoughts apart from the answer."""
_THINKS = compile_at_use(
    r"think|reason|distill|nemotron|magistral|deep|open-?r|s1k|(?<![a-z0-9])(?:r1|r0|o1|cot|grpo|s1)(?![a-z0-9])",
    re.IGNORECASE,
)
"""Words in the names of models that were taught to think."""
_PLAIN = compile_at_use(
    r"(?:(?:meta-)?(?:code)?llama-?[234](?!\d)|gemma-?[123](?!\d)|(?:code)?qwen-?(?:1\.5|2|2\.5)(?![\d.])"
    r"|(?:open-)?mi[sx]tral|ministral|phi-?[34](?!\d)|gpt-(?:3\.5|4)(?!\d)|claude-|gemini-|command-r|tinyllama|aya-"
    r"|smollm2?(?!\d)|olmo-?2(?!\d)|granite-?3\.[01](?!\d)|zephyr|vicuna)",
    re.IGNORECASE,
)
"""Families without a thinking mode, as the last part of a model's name begins."""


def begins_with_thoughts(host: str, model: str) -> bool | None:
    """Return ``False`` for a model that surely begins with its answer, ``None`` where only its first answer tells.

    Thoughts without an opening tag come from a chat template that opens them in the prompt: the model's own server
    would have to take them out, and those that people run themselves often do not.  Nobody can tell them from an answer
    while they stream, however many characters are looked at, so that an unknown model's first answer is shown whole.
    Known are the vendors that keep thoughts apart, and families of models that do not think; what turns out otherwise
    is taken out of the answer all the same, and known from then on.
    """
    if host.partition(":")[0].lower() in _APART_HOSTS:
        return False
    name = model.rpartition("/")[2]
    return False if _PLAIN.match(name) and not _THINKS.search(model) else None
