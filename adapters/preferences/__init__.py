"""Prompt sections and skills from the operator's folder, always as new as the disk, and word of changes in a folder.

Each call compares the files' stamps (some ten ``stat`` calls, tens of microseconds) and reads only what changed: no
watcher to lose an event, no restart.  ``watch_changes`` watches the folder, not the file: editors replace files, and a
watch on a replaced file sees nothing any more; a slow heartbeat beside the notifications makes a lost one harmless.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

import structlog
from watchfiles import awatch

from bot.errors import ConfigInvalid
from bot.ports.preferences import PromptSection
from bot.turn import Skill

T = TypeVar("T")
_Stamp = tuple[int, int, int]
_MAX_BYTES = 200_000
"""A larger file would fill any model's context; it is a mistake."""
_FIRST = ("IDENTITY", "RULES")


class FilePreferences:
    """Reads ``prompts/*.md`` and ``skills/*/SKILL.md`` below ``directory``.

    A file that cannot be used is left out and reported once per version of it; :meth:`problems` lists them.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._prompts: _FileCache[PromptSection | None] = _FileCache(directory, _parse_section)
        self._skills: _FileCache[Skill] = _FileCache(directory, lambda _, text: read_skill(text))
        self._twins: tuple[str, ...] = ()

    def sections(self) -> tuple[PromptSection, ...]:
        """Return the prompt sections: IDENTITY and RULES first, the others by name; blank files count as absent."""
        found = [s for s in self._prompts.read(self._directory.glob("prompts/*.md")) if s is not None]
        return tuple(sorted(found, key=lambda s: (_FIRST.index(s.name) if s.name in _FIRST else len(_FIRST), s.name)))

    def skills(self) -> tuple[Skill, ...]:
        """Return the skills by name; of two with one name the first folder's counts."""
        by_name: dict[str, Skill] = {}
        twins = []
        for skill in self._skills.read(self._directory.glob("skills/*/SKILL.md")):
            if skill.name.casefold() in by_name:
                twins.append(f"skills: two skills are called {skill.name}; the first folder's is used")
            by_name.setdefault(skill.name.casefold(), skill)
        for twin in twins:
            if twin not in self._twins:
                structlog.get_logger().warning("preferences file left out", reason=twin)
        self._twins = tuple(twins)
        return tuple(by_name[name] for name in sorted(by_name))

    def problems(self) -> tuple[str, ...]:
        self.sections()
        self.skills()
        return (*self._prompts.problems(), *self._skills.problems(), *self._twins)


def _parse_section(path: Path, text: str) -> PromptSection | None:
    body = text.removeprefix("\ufeff").replace("\r\n", "\n").strip()
    return PromptSection(path.stem, body) if body else None


class _FileCache(Generic[T]):
    """The parsed files of one kind; a file is read again when its stamp changes."""

    def __init__(self, root: Path, parse: Callable[[Path, str], T]) -> None:
        self._root = root
        self._parse = parse
        self._known: dict[Path, tuple[_Stamp, T | ConfigInvalid]] = {}

    def read(self, paths: Iterable[Path]) -> list[T]:
        """Return what the readable ones of these files hold, in the order of their paths."""
        known: dict[Path, tuple[_Stamp, T | ConfigInvalid]] = {}
        for path in sorted(paths):
            stamp = _read_stamp(path)
            before = self._known.get(path)
            known[path] = before if before and before[0] == stamp else (stamp, self._parse_or_report(path))
        self._known = known
        return [value for _, value in known.values() if not isinstance(value, ConfigInvalid)]

    def problems(self) -> tuple[str, ...]:
        """Return one line per file that could not be used at the last look."""
        return tuple(
            f"{path.relative_to(self._root).as_posix()}:{value}"
            for path, (_, value) in self._known.items()
            if isinstance(value, ConfigInvalid)
        )

    def _parse_or_report(self, path: Path) -> T | ConfigInvalid:
        try:
            return self._parse(path, _read_text(path))
        except ConfigInvalid as error:
            name = path.relative_to(self._root).as_posix()
            structlog.get_logger().warning("preferences file left out", file=name, reason=str(error))
            return error


def _read_stamp(path: Path) -> _Stamp:
    try:
        stat = path.stat()
    except OSError:
        return (0, 0, 0)
    return (stat.st_mtime_ns, stat.st_size, stat.st_ino)


def _read_text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigInvalid(f"1: cannot be read: {error.strerror}") from error
    if len(data) > _MAX_BYTES:
        raise ConfigInvalid(f"1: too large: {len(data)} bytes, at most {_MAX_BYTES}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigInvalid(f"{line}: not UTF-8") from error


_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PLAIN = re.compile(r"([a-z-]+): ([^\W\d_][^:#\n]{5,})\n")
"""A line of YAML that says nothing but its key and its words: with fewer letters they might be "false" or "null"."""
_NAME = re.compile(r"[^\W_][\w-]{0,63}")
_DESCRIPTION_MAX = 1024


def read_skill(text: str) -> Skill:
    """Return the skill that a ``SKILL.md`` describes: YAML front matter (name, description), then the instructions.

    The format is that of Agent Skills (https://agentskills.io/specification); other keys of the front matter are
    allowed and ignored, so that skills written for other assistants work here.
    Raises :class:`~bot.errors.ConfigInvalid` with what is wrong and, for YAML, the line.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    match = _FRONT.match(text)
    if match is None:
        raise ConfigInvalid("1: no front matter: expected --- name: … description: … --- at the start")
    front = _read_front(match.group(1))
    name, description, body = front.get("name"), front.get("description"), text[match.end() :].strip()
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name.casefold() == "off":
        raise ConfigInvalid('name: expected 1 to 64 letters, digits, "-" or "_", and not "off"')
    if not isinstance(description, str) or not 0 < len(description.strip()) <= _DESCRIPTION_MAX:
        raise ConfigInvalid(f"description: expected a text of 1 to {_DESCRIPTION_MAX} characters")
    if not body:
        raise ConfigInvalid("no instructions after the front matter")
    return Skill(name, " ".join(description.split()), body)


def _read_front(front: str) -> dict[Any, Any]:  # Any: YAML
    """Return keys and values; YAML is loaded where not all lines are plain.  Raises as :func:`read_skill`."""
    lines = front.splitlines(keepends=True)
    found = [match for line in lines if line[:-1].isprintable() and (match := _PLAIN.fullmatch(line))]
    plain = {match[1]: match[2].rstrip() for match in found}
    if len(plain) == len(lines):
        return plain
    from adapters.preferences.front_matter import read_front_matter  # noqa: PLC0415 - see above

    return read_front_matter(front)


async def watch_changes(
    directory: Path, *, debounce_ms: int = 200, heartbeat_s: float = 5.0, stop: asyncio.Event | None = None
) -> AsyncIterator[None]:
    """Yield after each burst of changes below ``directory``, and every ``heartbeat_s`` seconds.

    Ends when ``stop`` is set.  A folder that is missing or cannot be watched is looked at by the heartbeat alone until
    it can be.
    """
    stop = stop or asyncio.Event()
    told = False
    while not stop.is_set():
        try:
            async for _ in awatch(
                directory,
                watch_filter=None,
                debounce=debounce_ms,
                rust_timeout=int(heartbeat_s * 1000),
                yield_on_timeout=True,
                stop_event=stop,
            ):
                told = False
                yield
        except (OSError, RuntimeError) as error:  # watchfiles raises RuntimeError when inotify has no watches left
            if not told:
                structlog.get_logger().warning("folder not watched", folder=directory.name, reason=type(error).__name__)
                told = True
        try:
            async with asyncio.timeout(heartbeat_s):  # wait_for may swallow a cancellation in Python 3.11
                await stop.wait()
        except TimeoutError:
            yield
