"""Live settings: good versions are swapped in, bad ones change nothing."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import random
import stat
import threading
from collections.abc import AsyncIterator, Iterator, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.config.live import LiveSettings, parse_settings
from bot.config.schema import Settings
from bot.errors import ConfigInvalid

CYCLES = int(os.environ.get("MNEME_CONFIG_CYCLES", "150"))


class Desk:
    """A configuration file, the settings that follow it, and what they told."""

    def __init__(self, folder: Path, logged: Sequence[MutableMapping[str, Any]]) -> None:  # Any: of log lines
        self.file = folder / "preferences" / "runtime-config.json"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.last_good = folder / "data" / "last-good.json"
        self.changes: list[tuple[Settings, Settings]] = []
        self.logged = logged
        self.live = self.restarted()

    def restarted(self) -> LiveSettings:
        """Make new live settings, as a restart does."""
        self.live = LiveSettings(
            self.file,
            environment={},
            last_good=self.last_good,
        )
        self.live.subscribe(lambda old, new: self.changes.append((old, new)))
        self.live.load()
        return self.live

    @property
    def errors(self) -> list[str]:
        """What was told of the file."""
        return [line["reason"] for line in self.logged if line["event"] == "config rejected"]

    def write(self, text: str) -> bool:
        """Save the file as an editor that writes in place does, and reload."""
        self.file.write_text(text, encoding="utf-8")
        return self.live.reload()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk without a file yet."""
    with capture_logs() as logged:
        yield Desk(tmp_path, logged)


def test_a_missing_file_means_defaults(desk: Desk) -> None:
    """A fresh checkout is no error, however often it is looked at, and leaves no last good version."""
    assert not desk.live.reload()
    assert desk.live.current == Settings()
    assert desk.errors == []
    assert not desk.last_good.exists()


def test_a_good_edit_is_in_force_at_once_and_told(desk: Desk) -> None:
    """The subscriber sees the old and the new snapshot; the old one stays as it was."""
    before = desk.live.current

    assert desk.write('{"rag": {"enabled": false}}')
    assert not desk.live.current.rag.enabled
    assert before.rag.enabled
    assert desk.changes == [(before, desk.live.current)]


def test_a_bad_edit_keeps_the_last_good_and_is_reported_once(desk: Desk) -> None:
    """The same mistake saved again is not told again; another is; after a repair it is told anew."""
    desk.write('{"rag": {"queryMode": "mix"}}')
    for text in ('{"rag": {', '{"rag": {', '{"rag": 1}', '{"rag": {'):
        assert not desk.write(text)
        assert desk.live.current.rag.query_mode == "mix"
    told = len(desk.errors)
    desk.write("{}")
    desk.write('{"rag": {')

    assert told == 2
    assert len(desk.errors) == 3
    assert desk.live.problem is not None


def test_the_last_good_version_survives_a_restart(desk: Desk) -> None:
    """A typo made while nobody was running does not undo the configuration.

    Mutation check: loading defaults instead of the copy turns this red.
    """
    desk.write('{"telegram": {"allowedUsers": [7]}}')
    desk.file.write_text('{"telegram": {"allowedUsers": [7,]}}', encoding="utf-8")

    live = desk.restarted()

    assert live.current.telegram.allowed_users == (7,)
    assert "trailing comma" in str(live.problem)
    assert desk.file.read_text(encoding="utf-8") == '{"telegram": {"allowedUsers": [7,]}}'


def test_a_first_start_with_a_bad_file_uses_safe_defaults(desk: Desk) -> None:
    """There is no last good version yet: nobody is let in, and the error is told."""
    desk.file.write_text('{"telegram": {"allowedUsers": "everyone"}}', encoding="utf-8")

    live = desk.restarted()

    assert live.current == Settings()
    assert "telegram.allowedUsers" in desk.errors[0]


def test_only_what_is_in_force_is_called_so(desk: Desk) -> None:
    """A first start with a bad file has no last good version to speak of; later ones have."""
    desk.last_good.unlink(missing_ok=True)
    desk.file.write_text("{", encoding="utf-8")
    first = desk.restarted().in_force
    desk.write("{}")
    desk.write("{")
    then = desk.live.in_force
    again = desk.restarted().in_force

    assert first == "the defaults"
    assert then == again == "the last good settings"


def test_a_damaged_copy_is_ignored(desk: Desk) -> None:
    """When the file and its last good copy are both broken the defaults are in force."""
    desk.last_good.parent.mkdir(exist_ok=True)
    desk.last_good.write_bytes(b"\x00\xff")
    desk.file.write_text("{", encoding="utf-8")

    assert desk.restarted().current == Settings()


def test_the_copy_is_private_and_holds_nothing_from_the_environment(tmp_path: Path) -> None:
    """The file may hold keys: mode 0600; keys from the environment are not written down."""
    file = tmp_path / "c.json"
    file.write_text('{"rag": {"apiKey": "from-file"}}', encoding="utf-8")
    copy = tmp_path / "data" / "good.json"

    live = LiveSettings(file, environment={"LLM_API_KEY": "from-env"}, last_good=copy)
    live.load()

    assert live.current.llm.api_key == "from-env"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert "from-env" not in copy.read_text(encoding="utf-8")


def test_the_copy_is_on_the_disk_before_it_has_its_name(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders are made, every byte is flushed, and one that may be read by others is closed to them again."""
    flushed: list[int] = []
    flush = os.fsync

    def noted(descriptor: int) -> None:
        flush(descriptor)
        flushed.append(os.fstat(descriptor).st_size)

    monkeypatch.setattr(os, "fsync", noted)
    desk.last_good = desk.last_good.parent / "deep" / "deeper" / "good.json"
    desk.restarted()
    desk.write('{"rag": {"topK": 9}}')
    desk.last_good.chmod(0o644)
    desk.restarted()

    assert flushed == [len('{"rag": {"topK": 9}}')]
    assert stat.S_IMODE(desk.last_good.stat().st_mode) == 0o600


def test_a_copy_that_cannot_be_finished_leaves_nothing_behind(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full half-way is not filled with drafts."""

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    desk.write('{"rag": {"topK": 9}}')

    assert desk.live.current.rag.top_k == 9
    assert list(desk.last_good.parent.iterdir()) == []


def test_an_unreadable_file_keeps_the_last_good(desk: Desk) -> None:
    """A folder in the file's place is an error like any other, and goes away with its cause."""
    desk.write('{"rag": {"topK": 9}}')
    desk.file.unlink()
    desk.file.mkdir()
    desk.live.reload()
    broken = desk.live.current.rag.top_k
    desk.file.rmdir()
    desk.write('{"rag": {"topK": 10}}')

    assert broken == 9
    assert "the file cannot be read" in desk.errors[0]
    assert desk.live.current.rag.top_k == 10


def test_a_full_disk_for_the_copy_does_not_stop_the_settings(desk: Desk) -> None:
    """The copy is a precaution; without it the new settings are in force all the same."""
    desk.last_good.parent.mkdir()
    desk.last_good.parent.rmdir()
    desk.last_good.parent.write_text("a file where the folder should be", encoding="utf-8")

    assert desk.write('{"rag": {"topK": 9}}')
    assert desk.live.current.rag.top_k == 9


async def test_a_failing_subscriber_does_not_end_live_reload(tmp_path: Path) -> None:
    """Its error is logged; the next change is taken all the same."""
    file = tmp_path / "c.json"
    seen: list[int] = []

    def fail(_: Settings, new: Settings) -> None:
        seen.append(new.rag.top_k)
        raise RuntimeError

    async def edits() -> AsyncIterator[None]:
        for top_k in (5, 6):
            file.write_text(json.dumps({"rag": {"topK": top_k}}), encoding="utf-8")
            yield

    live = LiveSettings(file, environment={}, last_good=tmp_path / "good.json")
    live.subscribe(fail)
    live.load()
    await live.watch(edits())

    assert seen == [5, 6]


def test_random_edits_and_partial_writes_never_break_it(desk: Desk) -> None:
    """After every random edit, cut or garbled write the settings are the last version that was good.

    MNEME_CONFIG_CYCLES sets the number of edits; 10,000 were run.  The oracle parses each text on its own.
    """
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    expected = Settings()
    for cycle in range(CYCLES):
        data = _edit(dice)
        if dice.random() < 0.3:
            draft = desk.file.with_suffix(".tmp")
            draft.write_bytes(data)
            draft.replace(desk.file)
        else:
            desk.file.write_bytes(data)
        with contextlib.suppress(ConfigInvalid):
            expected = parse_settings(data, desk.file.name, {})
        live = desk.restarted() if dice.random() < 0.1 else desk.live
        live.reload()

        assert live.current == expected, f"seed {seed}, cycle {cycle}"
    assert all(": expected " in error for error in desk.errors), f"seed {seed}"


def _edit(dice: random.Random) -> bytes:
    """Return a good file, or one that was cut, garbled or mistyped."""
    values: list[object] = [True, False, 0, 1, 7.5, -1, "mix", "", None, [], {}, [1, 2], 10**30]
    keys = ["enabled", "queryMode", "topK", "timeoutSeconds", "url", "maxTokens", "nope"]
    sections = ["rag", "memory", "telegram", "llm", "session", "extra"]
    content: dict[str, object] = {"rag": {"topK": dice.randint(1, 500), "enabled": dice.random() < 0.5}}
    if dice.random() < 0.4:
        content[dice.choice(sections)] = {dice.choice(keys): dice.choice(values)}
    data = bytearray(json.dumps(content, indent=dice.choice([None, 2])).encode())
    kind = dice.random()
    if kind < 0.25:
        del data[dice.randrange(len(data) + 1) :]
    elif kind < 0.5:
        data[dice.randrange(len(data))] = dice.choice(b'{}[]",:0\x00\xff e')
    return bytes(data)


def test_a_file_that_vanished_keeps_the_last_good_also_over_a_restart(desk: Desk) -> None:
    """Memory that was switched off stays off; the copy is not written over, and the file's return ends the problem."""
    off = '{"memory": {"enabled": false}}'
    desk.write(off)
    kept = desk.last_good.read_bytes()
    desk.file.unlink()

    assert not desk.live.reload()
    assert not desk.live.current.memory.enabled
    assert not desk.restarted().current.memory.enabled
    assert desk.live.problem is not None
    assert "the file is gone" in str(desk.live.problem)
    assert desk.last_good.read_bytes() == kept
    desk.write(off)
    assert desk.live.problem is None


@pytest.mark.parametrize("kind", ["pipe", "folder", "large", "device"])
def test_what_is_no_settings_file_is_refused_without_waiting_for_it(desk: Desk, kind: str) -> None:
    """A pipe that nobody writes to, a device without an end and 1.5 GB are told, not read."""
    desk.write('{"rag": {"enabled": false}}')
    desk.file.unlink()
    if kind == "pipe":
        os.mkfifo(desk.file)
    elif kind == "folder":
        desk.file.mkdir()
    elif kind == "device":
        desk.file.symlink_to("/dev/zero")
    else:
        with desk.file.open("wb") as file:
            file.truncate(1_500_000_000)

    assert not desk.live.reload()
    assert not desk.live.current.rag.enabled
    assert desk.live.problem is not None


def test_another_spelling_of_the_same_settings_is_no_change(desk: Desk) -> None:
    """Nobody is told of it, and nothing is in force that was not before."""
    desk.write('{"rag": {"enabled": false}}')
    again = desk.write('{ "rag" : { "enabled" : false } }')

    assert not again
    assert len(desk.changes) == 1


def test_a_file_may_have_a_million_bytes_and_not_one_more(desk: Desk) -> None:
    """Beyond that it is somebody's mistake, and named at its beginning."""
    settings = '{"rag": {"enabled": false}}'
    most = desk.write(settings.ljust(1_000_000))
    more = desk.write('{"rag": {"enabled": true}}'.ljust(1_000_001))

    assert (most, more) == (True, False)
    assert not desk.live.current.rag.enabled
    assert desk.live.problem is not None
    assert ":1:1" in str(desk.live.problem)


def test_of_thousands_of_unknown_keys_the_first_few_are_told(desk: Desk) -> None:
    """A file of another program costs a moment, and its report fits a screen."""
    desk.write(json.dumps({f"key{n}": n for n in range(20_000)}))

    assert 1 <= len(desk.errors[0].splitlines()) <= 20


async def test_a_file_is_read_beside_the_event_loop(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a slow disk gives the file, the loop goes on; the change is told on the loop."""
    reading, told_on = threading.Event(), []
    loop_went_on = threading.Event()
    desk.live.subscribe(lambda old, new: told_on.append(threading.current_thread()))
    understood = parse_settings

    def slowly(*arguments: object) -> Settings:
        reading.set()
        assert loop_went_on.wait(20), "the loop stood still while the file was read"
        return understood(*arguments)  # type: ignore[arg-type]  # what it was called with

    monkeypatch.setattr("bot.config.live.parse_settings", slowly)
    desk.file.write_text('{"rag": {"enabled": false}}', encoding="utf-8")

    async def once() -> AsyncIterator[None]:
        yield

    watching = asyncio.create_task(desk.live.watch(once()))
    assert await asyncio.to_thread(reading.wait, 20)
    loop_went_on.set()
    await watching

    assert told_on == [threading.current_thread()]
    assert not desk.live.current.rag.enabled
