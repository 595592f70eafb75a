"""Removes a model's thinking from its answer.

Local servers hand the thoughts of reasoning models through as text: ``<think>…</think>`` and its many spellings, the
channels of the harmony format, or thoughts without any beginning, because the chat template has opened them.
People want the answer, and neither the chat nor history nor memory may be filled with the rest.
A tag in code (behind a backtick, in a fenced block) is part of the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.errors import ModelUnavailable

_MAX_THOUGHT_CHARS = 2_000_000
_LONGEST_TAG = 40
_WORD = r"(?:[a-z]{1,12}:)?(?:think|thinking|thought|thoughts|reasoning|reflection)"
_TAG = re.compile(
    rf"<\s?(?P<close>/?)\s?{_WORD}\s?>|\[(?P<square>/?)THINK\]|◁(?P<kimi>/?)think▷"
    r"|<\|(?:(?P<bar>end_of_|END_)|begin_of_|START_)(?:thought|thinking)\|>"
    r"|<\|(?P<control>channel|message|start|end|return|call)\|>",
    re.IGNORECASE,
)
_BEGUN = re.compile(r"(?:<[\s/]{0,2}[a-z:]{0,32}\s?|<\|[a-z_]{0,20}\|?|\[/?[a-z]{0,6}|◁/?[a-z]{0,6})\Z", re.IGNORECASE)
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

    __slots__ = (
        "_carry",
        "_fences",
        "_header",
        "_held",
        "_lead",
        "_pending",
        "_said",
        "_state",
        "_thought",
        "_waits",
        "habit",
        "retracted",
    )

    def __init__(self, habit: ThinkingHabit | None = None) -> None:
        self.habit = habit or ThinkingHabit(thinks_first=False)
        self.retracted = False
        self._waits = self.habit.thinks_first is not False
        self._held = self._pending = self._carry = self._header = self._lead = ""
        self._state = "answer"
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
        control, was = (tag["control"] or "").lower(), self._state
        self._thought += 1
        self._lead = ""
        closes = bool(tag["close"] or tag["square"] or tag["kimi"] or tag["bar"])
        if was == "answer" and (closes or control == "message"):
            # Nothing had opened it: all that was said so far are thoughts, or the name of a channel.
            self._header, out = self._pending + out, ""
            self._retract()
        if control == "message":
            self._state = "thoughts" if re.search("analysis|commentary", self._header) else "answer"
        elif control:
            out += self._release()
            self._state, self._header = "header", ""
        elif closes:
            self._state = "answer"
        else:
            out += self._release()
            self._state = "thoughts"
        return out

    def _retract(self) -> None:
        self.retracted = self.retracted or (self._said and not self._waits)
        self.habit.thinks_first = True
        self._waits = self._said = False
        self._pending = self._carry = ""
        self._fences = 0

    def _release(self) -> str:
        """Return what waited: thoughts that are opened by a tag are not begun without one."""
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
_THINKS = re.compile(
    r"think|reason|distill|nemotron|magistral|deep|open-?r|s1k|(?<![a-z0-9])(?:r1|r0|o1|cot|grpo|s1)(?![a-z0-9])",
    re.IGNORECASE,
)
"""Words in the names of models that were taught to think."""
_PLAIN = re.compile(
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
