"""Reads a completion: server-sent events, text, tool calls, from the chunks of a stream or one whole response.

Servers differ in what they leave out (indexes, ids, usage, the last marker), so everything is optional here but one
thing: a completion must end on purpose, or it is a broken one.
Shapes: https://platform.openai.com/docs/api-reference/chat-streaming

A model's thinking is no part of its answer.  Local servers hand it through as text: ``<think>…</think>`` and its many
spellings, the channels of the harmony format (also where a server has dropped its marks:
``analysis…assistantfinal…``) and of Gemma, or thoughts without any beginning, because the chat template has opened
them.  A tag in code (behind a backtick, in a fenced block) is part of the answer.
"""

import codecs
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Any

from adapters.llm.endpoint import read_object, read_provider_error
from adapters.llm.usage import read_usage
from bot.errors import ModelUnavailable
from bot.ports.chat_model import Completed
from bot.turn import ToolCall, Usage
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


DONE = "[DONE]"
_APART = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
"""Where servers put the thoughts that they have taken out of the answer, as text."""
_SAID = frozenset({None, "text", "output_text", "refusal"})
"""Kinds of content parts that are answer; others are thoughts, pictures, sound."""


class CompletionAssembler:
    """One completion in the making.

    ``done`` says that the server declared the end; ``malformed`` counts chunks that could not be read.
    """

    def __init__(self, source: str, model: str, settings: str = "llm", habit: ThinkingHabit | None = None) -> None:
        self._source, self._model, self._settings = source, model, settings
        self._text: list[str] = []
        self._calls = ToolCallAssembler(source)
        self._thinking = ThinkingFilter(habit)
        self._usage = Usage(calls=1)
        self._finish = self._held = ""
        self.done = False
        self.malformed = 0

    def take(self, data: str) -> str:
        """Take one event's data and return the text it adds, "" if none.

        Raises the error that the provider reports inside the stream.
        """
        if data.strip() == DONE:
            self.done = True
            return ""
        chunk = _parse_object(data)
        if chunk is not None:
            return self.take_object(chunk)
        lines = data.splitlines()
        if len(lines) > 1:
            return "".join(self.take(line) for line in lines)
        self.malformed += 1
        return ""

    def take_object(self, chunk: dict[str, Any]) -> str:  # Any: JSON of a foreign server
        """Take one parsed chunk, or a whole non-streamed response, and return the text it adds."""
        if chunk.get("error") or chunk.get("object") == "error":
            raise read_provider_error(chunk, self._source, self._settings)
        self._usage = read_usage(chunk, self._usage)
        if isinstance(chunk.get("model"), str):
            self._model = chunk["model"] or self._model
        choices = chunk.get("choices")
        choice = _find_first_choice(choices)
        if choice is None:
            return ""
        if isinstance(choice.get("finish_reason"), str):
            self._finish = choice["finish_reason"]
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return ""
        calls = delta.get("tool_calls")
        calls = calls if isinstance(calls, list) else []
        if not calls and isinstance(of_old := delta.get("function_call"), dict):
            calls = [{"function": of_old}]
        for place, call in enumerate(calls):
            self.malformed += not self._calls.take(call, place if len(calls) > 1 else None)
        if _holds_thoughts(delta):
            self._thinking.note_thoughts_apart()
        text = _read_content(delta.get("content")) + _read_content(delta.get("refusal"))
        return self._keep_answer(self._thinking.feed(self._hold_half_pair(text)))

    def take_whole(self, body: bytes) -> str:
        """Take the body of a response that was not streamed (or was, under a wrong label) and return its text."""
        parser = SseParser()
        if body.lstrip()[:5] in {b"data:", b"event"} or body.lstrip()[:1] == b":":
            return "".join(self.take(event) for event in (*parser.feed(body), *parser.finish()))
        response = _parse_object(body.decode("utf-8", "replace"))
        if response is None:
            self.malformed += 1
            return ""
        text = self.take_object(response)
        self.done = bool(response.get("choices"))
        return text

    def take_rest(self) -> str:
        """Return the text that was held back until the end."""
        held, self._held = self._held, ""
        return self._keep_answer(self._thinking.feed(_repair_surrogates(held)) + self._thinking.finish())

    def build_completed(self) -> Completed:
        """Return the finished completion.

        Raises :class:`~bot.errors.ModelUnavailable` when the stream ended before the answer did, or held no answer.
        """
        if not (self._finish or self.done):
            what = "sent garbage" if self.malformed and not self._text else "broke off in the middle of an answer"
            raise ModelUnavailable(f"the language model at {self._source} {what}")
        calls = self._calls.build_calls()
        finish = self._finish or ("tool_calls" if calls else "stop")
        return Completed("".join(self._text), calls, finish, self._usage, self._model)

    def _keep_answer(self, text: str) -> str:
        if self._thinking.retracted:
            self._thinking.retracted = False
            self._text.clear()
        if text:
            self._text.append(text)
        return text

    def _hold_half_pair(self, text: str) -> str:
        """Hold a half surrogate pair back: servers that count in UTF-16 cut emoji in two."""
        text = self._held + text
        self._held = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        return _repair_surrogates(text.removesuffix(self._held)) if text else ""


def _parse_object(data: str) -> dict[str, Any] | None:  # Any: JSON of a foreign server
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and value:  # Gemini wraps its errors in a list
        value = value[0]
    return value if isinstance(value, dict) else None


def _find_first_choice(choices: object) -> dict[str, Any] | None:  # Any: as above
    """Return the choice of index 0, the only one that was asked for; a server may leave its index out."""
    listed = choices if isinstance(choices, list) else ()
    return next((one for one in listed if isinstance(one, dict) and one.get("index") in (0, None)), None)


def _read_content(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # content parts, as Mistral sends them
        return "".join(_read_part(part) for part in content if isinstance(part, dict) and part.get("type") in _SAID)
    return ""


def _read_part(part: dict[str, Any]) -> str:  # Any: as above
    text = part.get("text") or part.get("refusal")
    return text if isinstance(text, str) else ""


def _holds_thoughts(delta: dict[str, Any]) -> bool:  # Any: as above
    """Return whether thoughts came outside the text: in a field, in OpenRouter's details, in a part of their own."""
    content = delta.get("content")
    parts = content if isinstance(content, list) else ()
    return (
        any(isinstance(delta.get(name), str) and delta[name].strip() for name in _APART)
        or bool(delta.get("reasoning_details"))
        or any(isinstance(part, dict) and part.get("type") in {"thinking", "reasoning"} for part in parts)
    )


def _repair_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone halves, which no encoder downstream would take."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if text else ""


_MAX_CALLS = 128


@dataclass(slots=True)
class _Slot:
    """One call while it grows; ``position`` is its index, or its place among several that came at once."""

    position: tuple[str, int] | None
    id: str = ""
    name: str = ""
    arguments: str = ""


class ToolCallAssembler:
    """Puts the tool calls of one completion together, in the order in which they began.

    By the protocol a piece says by its index where it belongs; servers are known that give every call index 0, no index
    at all, no id, one id to all calls, or every piece an id of its own, so that each is used as far as it tells calls
    apart, then the place among pieces that came together, then the beginning of a name or of other arguments.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._slots: list[_Slot] = []

    def take(self, piece: object, place: int | None = None) -> bool:
        """Add a piece; ``False`` if it cannot be read.  ``place`` is its place among several that came at once.

        Raises :class:`~bot.errors.ModelUnavailable` when calls come without end.
        """
        if not isinstance(piece, dict) or not isinstance(function := piece.get("function"), dict):
            return False
        name, call_id = str(function.get("name") or ""), str(piece.get("id") or "")
        arguments = function.get("arguments")
        # Some servers send the object itself.
        text = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
        slot = self._find_slot(_read_position(piece.get("index"), place), call_id, name, text)
        slot.id, slot.name = slot.id or call_id, slot.name or name
        begun = slot.arguments.strip()
        if begun.startswith("{") and text.startswith(begun):  # all of it so far, once more
            slot.arguments = text
        elif text.lstrip().startswith("{") and (name or begun != "{}") and read_object(begun) is not None:
            self._add_slot(_Slot(slot.position, slot.id, slot.name, text))
        else:
            slot.arguments = text if begun == "{}" and text.strip() else slot.arguments + text
        return True

    def build_calls(self) -> tuple[ToolCall, ...]:
        return tuple(
            ToolCall(slot.id or f"call_{number}", slot.name, slot.arguments or "{}")
            for number, slot in enumerate(self._slots)
            if slot.name
        )

    def _find_slot(self, position: tuple[str, int] | None, call_id: str, name: str, text: str) -> _Slot:
        """Return the call a piece belongs to, by its id and position, by one of them, else the last; or a new one."""
        newest = self._slots[::-1]
        of_id = [slot for slot in newest if call_id and slot.id == call_id]
        here = [slot for slot in newest if position is not None and slot.position == position]
        both = [slot for slot in of_id if position is None or slot in here]
        fitting = both or here or ([] if name and position is not None else of_id or newest)
        if fitting and not _begins_another(fitting[0], call_id, name, text):
            return fitting[0]
        return self._add_slot(_Slot(position, call_id))

    def _add_slot(self, slot: _Slot) -> _Slot:
        if len(self._slots) >= _MAX_CALLS:
            raise ModelUnavailable(f"the language model at {self._source} asks for tools without end")
        self._slots.append(slot)
        return slot


def _begins_another(slot: _Slot, call_id: str, name: str, text: str) -> bool:
    """Return whether a piece with this name begins another call than the one that it would fit."""
    if not (name and slot.name) or name != slot.name:
        return bool(name and slot.name)
    begun, more = slot.arguments.strip(), text.strip()
    goes_on = more and not (begun and more.startswith("{")) and read_object(begun) is None
    return bool(call_id and slot.id) and call_id != slot.id and not goes_on


def _read_position(index: object, place: int | None) -> tuple[str, int] | None:
    if isinstance(index, int) and not isinstance(index, bool):
        return ("index", index)
    return None if place is None else ("place", place)


MAX_LINE_CHARS = 8_000_000
"""More than any chunk of a sane server: a line that never ends is garbage, not an answer."""


class SseParser:
    """Cuts a byte stream of server-sent events into their data, however the network sliced it.

    ``httpx``'s line iterator will not do: it also splits at U+2028, U+0085 and form feeds, which stand unescaped in
    JSON.  The format is the WHATWG one (https://html.spec.whatwg.org/multipage/server-sent-events.html) with three
    indulgences: a last event without its blank line counts, a bare JSON line counts as data, and events may lack blank
    lines between them (see :meth:`feed`).
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._buffer = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> tuple[str, ...]:
        """Return the data of the events that this chunk completes.

        Raises :class:`~bot.errors.ModelUnavailable` when a line grows without end.
        """
        self._buffer += self._decoder.decode(chunk)
        held = "\r" if self._buffer.endswith("\r") else ""  # its \n may come with the next chunk
        text = self._buffer.removesuffix(held).replace("\r\n", "\n").replace("\r", "\n")
        *lines, rest = text.split("\n")
        self._buffer = rest + held
        if len(self._buffer) > MAX_LINE_CHARS:
            raise ModelUnavailable("the language model server sends a line without end")
        return tuple(event for line in lines for event in self._take_line(line))

    def finish(self) -> tuple[str, ...]:
        """Return what an end without a blank line left over."""
        rest = self._buffer + self._decoder.decode(b"", final=True)
        self._buffer = ""
        return (*self._take_line(rest.rstrip("\r")), *self._take_line(""))

    def _take_line(self, line: str) -> tuple[str, ...]:
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        elif line.startswith("{"):
            self._data.append(line)
        elif not line and self._data:
            event = "\n".join(self._data)
            self._data.clear()
            return (event,)
        return ()


async def read_events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str]:
    """Yield the data of each event; comments, names and ids are left out."""
    parser = SseParser()
    async for chunk in chunks:
        for event in parser.feed(chunk):
            yield event
    for event in parser.finish():
        yield event
