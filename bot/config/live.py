"""Settings that follow their file: each good version is swapped in whole, a bad one changes nothing.

The last good text is kept beside the data, so that a typo made while Mneme was down does not undo the configuration.
The operator's file itself is only ever read.

Parses settings from bytes; an error tells every mistake at once.

Checked in this order: JSON, unknown keys and the schema, then the environment is applied and settings that contradict
each other are found.
"""

import asyncio
import contextlib
import difflib
import os
import re
import stat
from collections.abc import AsyncIterable, Callable, Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.config.environment import OWN_VARIABLES, apply_environment
from bot.config.fields import find_field, is_secret, list_fields, list_sections, spelling_of
from bot.config.schema import Settings
from bot.config.section import Conflict
from bot.config.strict_json import Diagnostic, Document, KeyPath, Position, build_error, format_path, parse_json
from bot.errors import ConfigInvalid
from bot.files import write_whole
from language import languages

_EXPECTED = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "string_type": "a text in double quotes",
    "model_type": "an object { … }",
    "model_attributes_type": "an object { … }",
    "tuple_type": "a list [ … ]",
    "missing": "a value, this key is required",
}
_HTTPS = 443
_WEBHOOK_PORTS = frozenset({_HTTPS, 80, 88, 8443})
_MOST = 10
"""Mistakes of a kind that are told at once: a file of another program has thousands."""
_WITH_LIMIT = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
    "string_too_long": ("characters: at most", "max_length"),
    "too_long": ("elements: at most", "max_length"),
}
_HARMLESS = re.compile(r"https?:[/\w.:-]{0,60}|localhost[/\w.:-]{0,60}|[a-z_]{1,20}|[-+0-9.,]{1,20}", re.IGNORECASE)
"""Texts that may be echoed: a word, a number, a plain address; never what may be a key or hold a password."""


def parse_settings(data: bytes, name: str, environment: Mapping[str, str]) -> Settings:
    """Return the settings that the file ``name`` with these bytes and this environment mean.

    Raises :class:`~bot.errors.ConfigInvalid`: one line per mistake with file, line, column, key path, what was expected
    and what was there.  Secrets are never shown.
    """
    document = parse_json(data, name)
    diagnostics = list(islice(_find_unknown_keys(document), _MOST))
    settings = Settings()
    try:
        settings = Settings.model_validate_json(document.text, by_alias=True, by_name=False)
    except ValidationError as error:
        # An unknown key was told already, with a hint; pydantic's own text may quote values.
        wrong = (c for e in error.errors() if e["type"] != "extra_forbidden" for c in _of_schema(e, document))
        diagnostics += islice(wrong, _MOST)
    if diagnostics:
        raise build_error(name, diagnostics) from None
    settings = apply_environment(settings, environment)
    diagnostics = [
        Diagnostic(document.position_of(c.path), c.path, "settings contradict each other", c.expected, c.got)
        for c in _find_conflicts(settings)
    ]
    if diagnostics:
        raise build_error(name, diagnostics)
    return settings


def _of_schema(error: ErrorDetails, document: Document) -> Iterator[Diagnostic]:
    path: KeyPath = error["loc"]
    missing = error["type"] == "missing"
    place = document.position_of(path[:-1] if missing else path)
    problem = "missing value" if missing else "wrong value"
    got = "nothing" if missing else _got(error["input"], path)
    yield Diagnostic(place, path, problem, _expected(error), got)


def _expected(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind in _WITH_LIMIT:
        words, limit = _WITH_LIMIT[kind]
        bound = context[limit]
        return f"{words} {bound:g}" if isinstance(bound, float) else f"{words} {bound}"
    if kind == "literal_error":
        return str(context["expected"])
    if kind == "string_pattern_mismatch":
        field = find_field(error["loc"])
        return spelling_of(field) if field else "another spelling"
    return error["msg"].removeprefix("Input should be ")


def _got(value: Any, path: KeyPath) -> str:  # Any: JSON
    """Say what was there without giving a secret away."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    field = find_field(path)
    if field is None or is_secret(field):
        return "a text" if isinstance(value, str) else "a number"
    if isinstance(value, int | float):
        return str(value)
    return f'"{value}"' if _HARMLESS.fullmatch(value) else f"a text of {len(value)} characters"


def _find_unknown_keys(document: Document) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every key the schema does not have, with the nearest one that it has."""
    # The value is not shown: a misspelt "apikey" holds a secret.
    for path, section in _objects(document.value, Settings, ()):
        for key in _keys_at(document.value, path):
            if key not in list_fields(section):
                hint = _hint(path, key, list_fields(section))
                where = (*path, key)
                yield Diagnostic(document.position_of(where), where, "unknown key", "a known key", "another", hint)


def _hint(path: KeyPath, key: str, siblings: Collection[str]) -> str:
    """Look among the neighbours first, then everywhere, then point to the documentation."""
    plain = key.lower().replace("_", "").replace("-", "")
    everywhere = [known for known in _all_paths(Settings, ()) if len(known) > 1]
    if key in [format_path(known) for known in everywhere]:
        return "write one object inside the other instead of a dot"
    near = difflib.get_close_matches(plain, [name.lower() for name in siblings], n=1, cutoff=0.6)
    if near:
        return f'did you mean "{next(name for name in siblings if name.lower() == near[0])}"?'
    far = difflib.get_close_matches(plain, {str(known[-1]).lower() for known in everywhere}, n=1, cutoff=0.75)
    if far:
        places = [format_path(known) for known in everywhere if str(known[-1]).lower() == far[0]]
        return f"did you mean {' or '.join(places[:3])}?"
    return f"the keys {f'of {format_path(path)}' if path else 'at the top'} are in docs/configuration.md"


def _all_paths(model: type[BaseModel], path: KeyPath) -> Iterator[KeyPath]:
    for key in list_fields(model):
        yield (*path, key)
        if section := list_sections(model).get(key):
            yield from _all_paths(section, (*path, key))


def _objects(
    value: Any, model: type[BaseModel], path: KeyPath
) -> Iterator[tuple[KeyPath, type[BaseModel]]]:  # Any: JSON
    """Yield the path of every object that the schema calls a section."""
    if not isinstance(value, dict):
        return
    yield path, model
    for key, section in list_sections(model).items():
        if key not in value:
            continue
        if isinstance(value[key], list):
            for index, element in enumerate(value[key]):
                yield from _objects(element, section, (*path, key, index))
        else:
            yield from _objects(value[key], section, (*path, key))


def _keys_at(value: Any, path: KeyPath) -> tuple[str, ...]:  # Any: JSON
    for step in path:
        value = value[step]
    return tuple(value)


def _find_conflicts(settings: Settings) -> Iterator[Conflict]:
    yield from _memory(settings)
    yield from _model(settings)
    yield from _reranker(settings)
    yield from _zone(settings)
    yield from _language(settings)
    yield from _ids(settings)
    yield from _webhook(settings)
    for section in settings.list_features():
        yield from section.find_conflicts(OWN_VARIABLES)


def _webhook(settings: Settings) -> Iterator[Conflict]:
    """Telegram calls webhooks by TLS on four ports; only a Bot API server of one's own may do otherwise."""
    # https://core.telegram.org/bots/api#setwebhook
    telegram = settings.telegram
    if not telegram.webhook_url or telegram.api_url:
        return
    expected = "an https:// address on port 443, 80, 88 or 8443, which is where Telegram calls (or telegram.apiUrl)"
    try:
        address = urlsplit(telegram.webhook_url)
        port = address.port or _HTTPS
    except ValueError:
        yield Conflict(("telegram", "webhookUrl"), expected, "an address that cannot be read")
        return
    if address.scheme != "https" or port not in _WEBHOOK_PORTS:
        yield Conflict(("telegram", "webhookUrl"), expected, f"{address.scheme} on port {port}")


def _ids(settings: Settings) -> Iterator[Conflict]:
    """Telegram numbers people upwards and groups downwards from zero."""
    telegram = settings.telegram
    if telegram.owner_id is not None and telegram.owner_id <= 0:
        yield Conflict(("telegram", "ownerId"), "the positive id of a person", str(telegram.owner_id))
    for index, user in enumerate(telegram.allowed_users):
        if user <= 0 and user not in telegram.allowed_chats:
            expected = "the positive id of a person, or a group of telegram.allowedChats for its anonymous admins"
            yield Conflict(("telegram", "allowedUsers", index), expected, str(user))
    for index, chat in enumerate(telegram.allowed_chats):
        if chat >= 0:
            yield Conflict(("telegram", "allowedChats", index), "the negative id of a group", str(chat))


def _memory(settings: Settings) -> Iterator[Conflict]:
    memory = settings.memory
    if memory.soft_tokens > memory.max_tokens:
        expected = f"at most memory.maxTokens ({memory.max_tokens})"
        yield Conflict(("memory", "softTokens"), expected, str(memory.soft_tokens))
    if settings.rag.query_budget_seconds > memory.context_deadline_seconds:
        expected = f"at most memory.contextDeadlineSeconds ({memory.context_deadline_seconds:g})"
        yield Conflict(("rag", "queryBudgetSeconds"), expected, f"{settings.rag.query_budget_seconds:g}")
    if "shared" in (memory.scope_direct, memory.scope_group) and not memory.shared_name:
        yield Conflict(("memory", "sharedName"), "a name, because a scope is shared", "none")


_LEAST_WINDOW = 1000
"""Tokens below which no prompt fits."""


def _model(settings: Settings) -> Iterator[Conflict]:
    llm = settings.llm
    if llm.enabled and llm.url and not llm.model:
        yield Conflict(("llm", "model"), "a model name (or LLM_MODEL), because llm.url is set", "none")
    if llm.enabled and llm.model and not llm.url:
        yield Conflict(("llm", "url"), "an address (or LLM_URL), because llm.model is set", "none")
    if llm.context_tokens and llm.context_tokens < _LEAST_WINDOW:
        yield Conflict(("llm", "contextTokens"), f"0, or at least {_LEAST_WINDOW}", str(llm.context_tokens))
    if llm.context_tokens and settings.session.compact_after_tokens > llm.context_tokens:
        expected = f"at most llm.contextTokens ({llm.context_tokens})"
        yield Conflict(("session", "compactAfterTokens"), expected, str(settings.session.compact_after_tokens))
    if llm.context_tokens and llm.max_tokens is not None and llm.max_tokens >= llm.context_tokens:
        yield Conflict(("llm", "maxTokens"), f"less than llm.contextTokens ({llm.context_tokens})", str(llm.max_tokens))


def _reranker(settings: Settings) -> Iterator[Conflict]:
    rerank = settings.rag.rerank
    if rerank.provider in ("cohere", "jina") and not rerank.api_key:
        yield Conflict(("rag", "rerank", "apiKey"), f"a key (or RERANK_API_KEY) for {rerank.provider}", "none")


def _zone(settings: Settings) -> Iterator[Conflict]:
    if not settings.time_zone:
        return
    try:
        ZoneInfo(settings.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield Conflict(("timeZone",), "an IANA name such as Europe/Lisbon", "an unknown zone")


def _language(settings: Settings) -> Iterator[Conflict]:
    there = ("auto", *(each.code for each in languages()))
    if settings.language not in there:
        yield Conflict(("language",), f"one of {', '.join(there)}", settings.language)


_MOST_BYTES = 1_000_000
"""A larger file is a mistake, and is not read."""


_NOTHING = bytes(bytearray(b"{}"))
"""What is read where there never was a file; told from a file of the same text by being this very object."""
_UNREAD = b""


class LiveSettings:
    """The newest good version of ``path``.

    ``last_good`` is a copy of that version's text with mode 0600 (the file may hold keys); without ``keep`` it is read
    and never written.
    A missing file means the defaults, unless there was one before: then it has vanished, and the last good version
    stays in force, over restarts too.
    """

    def __init__(self, path: Path, *, environment: Mapping[str, str], last_good: Path, keep: bool = True) -> None:
        self._path = path
        self._environment = dict(environment)
        self._last_good = last_good
        self._keep = keep
        self._on_change: Callable[[Settings, Settings], None] | None = None
        self.current = Settings()
        """The settings in force."""
        self._seen: bytes | None = None
        self._had_file = False
        self._told: set[str] = set()
        self._problem: ConfigInvalid | None = None
        self._fallen_back = False

    def subscribe(self, on_change: Callable[[Settings, Settings], None]) -> None:
        """Call ``on_change(old, new)`` after every swap from now on, in place of whoever was called before.

        The first :meth:`load` is none.
        """
        self._on_change = on_change

    def time_zone(self) -> str:
        """Return the operator's time zone as an IANA name, "" for the machine's."""
        return self.current.time_zone

    def is_remembering(self) -> bool:
        """Return whether memory is on now."""
        return self.current.memory.enabled

    def uses_long_term_memory(self) -> bool:
        """Return whether long-term memory is read and written now."""
        return self.current.memory.enabled and self.current.rag.enabled

    def keeps_items(self) -> bool:
        """Return whether structured memories are made and read now."""
        return self.current.memory.items_enabled

    @property
    def problem(self) -> ConfigInvalid | None:
        """What is wrong with the file now, ``None`` when it is in force."""
        return self._problem

    @property
    def in_force(self) -> str:
        """What is in force while there is a problem, as a phrase: there is no last good version before the first."""
        return "the defaults" if self._fallen_back else "the last good settings"

    def load(self) -> Settings:
        """Read the file for the first time and return the settings in force.

        With a bad file these are the last good ones, or the defaults if there never were any; :attr:`problem` says so.
        """
        try:
            data = self._read()
            self.current = self._parsed(data)
        except ConfigInvalid as error:
            self._refuse(error)
            self.current = self._from_last_good()
        else:
            self._accept(data)
        return self.current

    def reload(self) -> bool:
        """Read the file again; ``True`` if other settings are in force now."""
        return self._swap(self._look())

    def _look(self) -> tuple[bytes, Settings] | ConfigInvalid | None:
        """Read and understand the file, ``None`` when it is as it was; may take long, and touches nothing in force."""
        try:
            data = self._read()
            return None if data == self._seen else (data, self._parsed(data))
        except ConfigInvalid as error:
            return error

    def _swap(self, looked: tuple[bytes, Settings] | ConfigInvalid | None) -> bool:
        if looked is None:
            return False
        if isinstance(looked, ConfigInvalid):
            self._refuse(looked)
            return False
        data, new = looked
        self._accept(data)
        old, self.current = self.current, new
        if new == old:
            return False
        structlog.get_logger().info("config changed", file=str(self._path))
        if self._on_change:
            self._on_change(old, new)
        return True

    async def watch(self, changes: AsyncIterable[None]) -> None:
        """Reload at every change until cancelled (or until the changes end); a failing subscriber is only logged."""
        async for _ in changes:
            try:
                self._swap(await asyncio.to_thread(self._look))  # no file may hold up the chats
            except Exception:  # noqa: BLE001  worker edge: no subscriber may end live reload
                structlog.get_logger().exception("config change handler failed")
            await asyncio.sleep(0)

    def _read(self) -> bytes:
        try:
            return _contents(self._path)
        except FileNotFoundError as error:
            if not self._had_file and not self._last_good.exists():
                return _NOTHING
            raise self._unreadable("the file is gone", 'the file, or one that holds "{}" for the defaults') from error
        except _Unfit as error:
            raise self._unreadable(str(error)) from error
        except OSError as error:
            raise self._unreadable(error.strerror or type(error).__name__) from error

    def _unreadable(self, got: str, expected: str = "a readable file") -> ConfigInvalid:
        self._seen = _UNREAD  # whatever stands there next is read, also if it is what stood there before
        return build_error(self._path.name, [Diagnostic(Position(1, 1), (), "the file cannot be read", expected, got)])

    def _parsed(self, data: bytes) -> Settings:
        self._seen = data
        return parse_settings(data, self._path.name, self._environment)

    def _refuse(self, error: ConfigInvalid) -> None:
        self._problem = error
        if str(error) in self._told:
            return
        self._told.add(str(error))
        structlog.get_logger().error("config rejected", file=str(self._path), reason=str(error))

    def _accept(self, data: bytes) -> None:
        self._problem = None
        self._fallen_back = False
        self._told.clear()
        if data is _NOTHING:  # there is no file: that is no version to come back to
            return
        self._had_file = True
        if not self._keep:
            return
        try:
            _write_private(self._last_good, data)
        except OSError as error:
            structlog.get_logger().warning("config copy not written", reason=error.strerror)

    def _from_last_good(self) -> Settings:
        try:
            return parse_settings(_contents(self._last_good), self._last_good.name, self._environment)
        except FileNotFoundError:
            return self._defaults()
        except (OSError, _Unfit, ConfigInvalid) as error:
            structlog.get_logger().error("last good config unusable", reason=str(error))
            return self._defaults()

    def _defaults(self) -> Settings:
        self._fallen_back = True
        try:
            return parse_settings(b"{}", self._path.name, self._environment)
        except ConfigInvalid:
            return Settings()


class _Unfit(Exception):
    """What stands at the path is no file that could hold settings."""


def _contents(path: Path) -> bytes:
    """Return what a file holds; raises ``OSError``, or :class:`_Unfit` for pipes, devices, folders and large files."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise _Unfit("something that is no file")
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise _Unfit(f"more than {_MOST_BYTES:,} bytes")
    return data


def _write_private(path: Path, data: bytes) -> None:
    """Replace the file atomically and durably, readable by its owner only."""
    with contextlib.suppress(FileNotFoundError):
        if path.read_bytes() == data:
            path.chmod(0o600)
            return
    write_whole(path, data)
