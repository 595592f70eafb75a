"""Conversations brought along from the terminal: each message once, whatever is killed when, and whose words."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.cli.commands import app
from bot.errors import ImportRefused
from harness.processes import Answered, chat, count

MESSAGES = 450
NIGHT_S = 40_000
Json = Any  # an export as it stands in its file


def write_telegram(folder: Path, total: int = MESSAGES) -> Path:
    """Write a chat of Telegram Desktop between the user and Anna."""
    said: dict[int, tuple[str, str]] = {
        100: ("user2", "My sister Vera lives in Porto, near the river."),
        333: ("user1", "My dentist is Dr. Almeida on Rua Nova."),
        334: ("user1", "My password is hunter2secret!9 by the way."),
    }
    messages: list[Json] = [{"id": 0, "type": "service", "action": "create_group", "text": ""}]
    for number in range(1, total + 1):
        author, text = said.get(number, (f"user{1 + number % 2}", f"The parcel number {number} came in the morning."))
        name = "Bob" if author == "user1" else "Anna Lind"
        when = 1_672_531_200 + number * (NIGHT_S if number % 50 == 0 else 60)
        messages.append(
            {"id": number, "type": "message", "date_unixtime": str(when), "from": name, "from_id": author, "text": text}
        )
    path = folder / "result.json"
    path.write_text(json.dumps({"name": "Anna Lind", "type": "personal_chat", "id": 2, "messages": messages}))
    return path


def bring(data: Path, file: Path, *more: str) -> Answered:
    """Run ``mneme import`` in a process of its own."""
    return chat(data, program=("bot", "import", str(file), *more))


def run(data: Path, *arguments: str) -> Json:
    """Run ``mneme import … --json`` here and return what it says."""
    done = CliRunner().invoke(app, ["import", *arguments, "--json", "--data", str(data)], catch_exceptions=False)
    return json.loads(done.stdout)


def list_uids(data: Path) -> list[str]:
    with closing(sqlite3.connect(data / "mneme.db")) as connection:
        return [uid for (uid,) in connection.execute("SELECT uid FROM exchanges ORDER BY id")]


def test_a_killed_import_goes_on_and_every_message_is_there_once(tmp_path: Path) -> None:
    """Killed before and after the commit of batches; then questions are answered with dates and authors."""
    file = write_telegram(tmp_path)
    data = tmp_path / "data"
    for number, when in ((1, "after"), (2, "before"), (2, "after")):
        killed = chat(data, program=("tests.bot.features.transfer.kill_import", str(number), when, str(file)))
        assert killed.code == -9, killed.errors
    assert 0 < count(data, "SELECT count(*) FROM exchanges") < MESSAGES
    assert bring(data, file, "--as", "user1").code == 0

    uids = list_uids(data)
    assert len(uids) == len(set(uids)) == MESSAGES
    assert count(data, "SELECT count(*) FROM exchanges WHERE user_text LIKE '%hunter2%'") == 0
    assert count(data, "SELECT count(*) FROM items WHERE content LIKE '%Vera%'") == 0
    assert count(data, "SELECT count(*) FROM items WHERE content LIKE '%Almeida%'") == 1

    answers = chat(data, "Where does Vera live?", "Who is my dentist?", "Where does my sister live?").answers
    assert "Anna Lind" in answers[0]
    assert "2023" in answers[0]
    told = [line for answer in answers for line in answer.splitlines() if "You told me" in line]
    assert not [line for line in told if "Vera" in line]
    assert [line for line in told if "Almeida" in line and "2023" in line]


@pytest.mark.usefixtures("away")
def test_the_same_file_twice_adds_nothing(tmp_path: Path) -> None:
    """Also with its person named instead of numbered; one that is longer by a message adds that."""
    data = tmp_path / "data"
    first = run(data, str(write_telegram(tmp_path, 120)), "--as", "user1")
    again = run(data, str(write_telegram(tmp_path, 120)), "--as", "BOB")
    longer = run(data, str(write_telegram(tmp_path, 121)), "--as", "user1")

    assert (first["added"], first["known"]) == (120, 0)
    assert (again["added"], again["known"]) == (0, 120)
    assert (longer["added"], longer["known"]) == (1, 120)


@pytest.mark.usefixtures("away")
def test_a_dry_run_writes_nothing_and_says_all(tmp_path: Path) -> None:
    """Counts, people, dates, what is left out, whose memory; the database is not even made."""
    data = tmp_path / "data"
    told = run(data, str(write_telegram(tmp_path, 120)), "--dry-run")

    assert not data.exists()
    assert (told["messages"], told["leftOut"], told["memory"], told["dryRun"]) == (120, {"SERVICE": 1}, "cu1", True)
    assert {(seen["id"], seen["name"], seen["you"]) for seen in told["people"]} == {
        ("user1", "Bob", False),
        ("user2", "Anna Lind", False),
    }
    assert told["first"].startswith("2023-01-01")


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("cut.json", b'{"name": "x", "messages": [{"id": 1, "type": "message", "text": "hi', "byte"),
        ("deep.json", b'{"messages": [' + b'{"a":' * 5000, "levels"),
        ("utf16.json", '{"messages": []}'.encode("utf-16"), "UTF-8"),
        ("latin.txt", "07/02/2026, 14:30 - J\xfcrgen: hi\n".encode("latin-1"), "UTF-8"),
        ("text.txt", b"Dear diary,\n", "WhatsApp"),
        ("export.zip", b"PK\x03\x04rest", "no end"),
        ("lines.jsonl", b'{"id": 1, "chat": "c", "author": "B", "text": "x", "said_at": "yesterday"}\n', "line 1"),
        ("shape.json", b'[{"current_node": "a", "mapping": {"a": {"message": {"author": "x"}}}}]', "chatgpt"),
        ("empty.json", b"", "WhatsApp"),
        ("huge.json", b'{"messages": [{"id": 1, "text": "' + b"x" * 5_000_000 + b'"}]}', "5000000 characters"),
        ("vast.json", b'{"messages": [{"id": 1, "text": "' + b"x" * 30_000_000, "8000000 bytes"),
    ],
)
def test_a_hostile_file_is_refused_and_leaves_nothing(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """The error names the file and what is wrong; no database is made."""
    file = tmp_path / name
    file.write_bytes(content)

    with pytest.raises(ImportRefused, match=said) as refused:
        run(tmp_path / "data", str(file), "--as", "nobody")
    assert name in str(refused.value)
    assert not (tmp_path / "data" / "mneme.db").exists()


@pytest.mark.usefixtures("away")
def test_nothing_is_imported_while_it_is_not_known_who_is_the_user(tmp_path: Path) -> None:
    """The error lists who is in the file."""
    file, data = write_telegram(tmp_path, 4), tmp_path / "data"
    with pytest.raises(ImportRefused, match=r"Anna Lind \(user2\)"):
        run(data, str(file))
    with pytest.raises(ImportRefused, match="Carl"):
        run(data, str(file), "--as", "Carl")
    assert not (data / "mneme.db").exists()


@pytest.mark.usefixtures("away")
def test_the_memory_is_that_of_the_telegram_user_named(tmp_path: Path) -> None:
    """Who has the same id in the file as on Telegram need not be asked for."""
    told = run(tmp_path / "data", str(write_telegram(tmp_path, 4)), "--user", "2")

    assert (told["memory"], told["added"]) == ("tu2", 4)
    assert [seen["name"] for seen in told["people"] if seen["you"]] == ["Anna Lind"]


@pytest.mark.usefixtures("away")
def test_exports_of_all_services_are_told_apart(tmp_path: Path) -> None:
    """Each by how its file begins, or by what lies in its zip; their words are in the memory then."""
    node = {"author": {"role": "user"}, "content": {"parts": ["My cat is called Miso."]}, "create_time": 1.0, "id": "a"}
    said = {"uuid": "m", "sender": "human", "created_at": "2026-02-07T14:30:00Z", "text": "My dog is called Rex."}
    line = {"id": 1, "chat": "c", "author": "B", "text": "Hello there", "said_at": "2026-02-07T14:30:00+00:00"}
    old = {"id": 1, "type": "message", "date": "2019-02-07T14:30:00", "from": "Anna", "from_id": 42, "text": "Ahoy"}
    spoke = {"id": "1", "type": "Default", "timestamp": "2026-02-07T14:30:00+00:00", "content": "Ahoy"}
    wrote = {"sender_name": "Anna", "timestamp_ms": 1_770_465_600_000, "content": "Ahoy"}
    files = {
        "Chat.txt": "[27.02.26, 14:30:05] Anna: My boat is called Ada.\n[28.02.26, 09:00:00] Bob: nice\n",
        "conversations.json": json.dumps([{"id": "k", "current_node": "a", "mapping": {"a": {"message": node}}}]),
        "claude.json": json.dumps([{"uuid": "k", "name": "T", "chat_messages": [said]}]),
        "lines.jsonl": json.dumps(line) + "\n",
        "result.json": json.dumps({"name": "Anna", "id": 7, "messages": [old]}),
        "discord.json": json.dumps(
            {
                "guild": {"id": "1"},
                "channel": {"id": "2"},
                "messages": [{**spoke, "author": {"id": "3", "name": "Anna"}}],
            }
        ),
        "message_1.json": json.dumps({"participants": [{"name": "Anna"}], "messages": [wrote]}),
    }
    slack = {"type": "message", "user": "U1", "text": "Ahoy", "ts": "1770465600.000100"}
    with zipfile.ZipFile(tmp_path / "slack.zip", "w") as archive:
        for inside, listed in {"users.json": [], "channels.json": [], "sea/2026-02-07.json": [slack]}.items():
            archive.writestr(inside, json.dumps(listed))
    files["slack.zip"] = ""
    formats = []
    for name, content in files.items():
        if content:
            (tmp_path / name).write_text(content, encoding="utf-8")
        formats.append(
            run(
                tmp_path / "data",
                str(tmp_path / name),
                *(() if name in {"conversations.json", "claude.json"} else ("--as", "nobody")),
            )
        )

    assert [told["format"] for told in formats] == [
        "whatsapp", "chatgpt", "claude", "jsonl", "telegram", "discord", "messenger", "slack",
    ]  # fmt: skip
    assert [told["added"] for told in formats] == [2, 1, 1, 1, 1, 1, 1, 1]
    assert count(tmp_path / "data", "SELECT count(*) FROM exchanges") == 9
    contents = "SELECT count(*) FROM items WHERE content LIKE '%Miso%' OR content LIKE '%Rex%'"
    assert count(tmp_path / "data", contents) == 2
    assert count(tmp_path / "data", "SELECT count(*) FROM items WHERE content LIKE '%Ada%'") == 0
