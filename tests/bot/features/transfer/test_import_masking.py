"""Nothing of a foreign file reaches memory unmasked: every field that holds a text is tried, of every format."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from adapters.archive.records import dump_line
from adapters.imports.formats import Format
from adapters.sqlite.database import Database
from adapters.sqlite.import_jobs import SqliteImportJobs
from adapters.sqlite.rooms import ROOMS
from bot.features.transfer.jobs import build_import_worker, place_file
from bot.features.transfer.source import name_file
from bot.memory.chunking import DocumentChunk
from bot.memory.items import ItemType, Layer, MemoryItem, Origin, Part, Provenance, Trust
from bot.memory.scope import Scope
from bot.messages import Author
from bot.ports.transfer import (
    ArchivedDocument,
    ArchivedItem,
    ArchivedRow,
    ArchivedSession,
    ArchivedTurn,
    ImportJob,
    ImportRequest,
    JobState,
)
from bot.runtime.chat_rules import SystemClock
from bot.runtime.installation import load_live_settings, open_chat_settings
from harness.application import NO_RAG, make_folders
from harness.archives import pack_archive
from tests.cases import each_row

Json = Any  # an export as it stands in its file
SECRET: Final = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
SAID: Final = "My sister Vera lives in Porto."
NOON: Final = datetime(2026, 2, 7, 12, tzinfo=UTC)
UID: Final = "a1b2c3"

TELEGRAM: Final = {
    "name": "Bob",
    "type": "personal_chat",
    "id": 2,
    "messages": [
        {
            "id": 1,
            "type": "message",
            "date": "2026-02-07T15:30:00",
            "date_unixtime": "1770474600",
            "from": "Bob",
            "from_id": "user9",
            "forwarded_from": "Carl",
            "media_type": "video_file",
            "mime_type": "video/mp4",
            "file": "videos/a.mp4",
            "file_name": "a.mp4",
            "title": "T",
            "performer": "P",
            "place_name": "Home",
            "address": "Street 1",
            "text": [SAID, {"type": "text_link", "text": "here", "href": "https://example.org"}],
            "poll": {"question": "Where to?", "answers": [{"text": "Porto"}]},
            "contact_information": {"first_name": "Vera", "last_name": "L", "phone_number": "+351 1"},
            "game_title": "Chess",
            "invoice_information": {"title": "Boat", "description": "A day"},
        }
    ],
}
CHATGPT: Final = [
    {
        "conversation_id": "k",
        "title": "T",
        "create_time": 1.76e9,
        "current_node": "b",
        "mapping": {
            name: {
                "id": name,
                "parent": parent,
                "message": {
                    "id": name,
                    "author": {"role": role, "name": "N"},
                    "content": {"content_type": "text", "parts": [SAID]},
                    "create_time": 1.77e9,
                    "metadata": {"attachments": [{"name": "a.pdf", "mime_type": "application/pdf"}], "model_slug": "m"},
                },
            }
            for name, parent, role in (("a", None, "user"), ("b", "a", "assistant"))
        },
    }
]
CLAUDE: Final = [
    {
        "uuid": "k",
        "name": "T",
        "chat_messages": [
            {
                "uuid": role,
                "sender": role,
                "created_at": "2026-02-07T14:30:00Z",
                "text": SAID,
                "content": [{"type": "text", "text": SAID}],
                "attachments": [{"file_name": "a.txt", "file_type": "txt", "extracted_content": "c"}],
                "files": [{"file_name": "a.png"}],
            }
            for role in ("human", "assistant")
        ],
    }
]
DISCORD: Final = {
    "guild": {"id": "9", "name": "Sea"},
    "channel": {"id": "5", "type": "GuildTextChat", "category": "C", "name": "trip", "topic": "boats"},
    "messages": [
        {
            "id": "1",
            "type": "Default",
            "timestamp": "2026-02-07T13:00:00+00:00",
            "content": SAID,
            "author": {"id": "77", "name": "anna", "nickname": "Anna"},
            "attachments": [{"fileName": "sea.png", "url": "https://example.org/a"}],
            "embeds": [{"title": "Build", "description": "D", "fields": [{"name": "Took", "value": "3 s"}]}],
            "stickers": [{"name": "Wave"}],
            "reactions": [{"emoji": {"name": "x"}}],
        }
    ],
}
MESSENGER: Final = {
    "participants": [{"name": "Zoe"}],
    "messages": [
        {
            "sender_name": "Zoe",
            "timestamp_ms": 1_770_465_600_000,
            "content": SAID,
            "share": {"link": "https://example.org", "share_text": "look"},
            "photos": [{"uri": "a.jpg"}],
        }
    ],
    "title": "Zoe",
    "thread_path": "inbox/zoe_1",
}
SLACK_PEOPLE: Final = [{"id": "U1", "name": "anna", "profile": {"display_name": "Anna", "real_name": "Anna Lind"}}]
SLACK_DAY: Final = [
    {
        "type": "message",
        "user": "U1",
        "username": "anna",
        "text": f"{SAID} <@U1> <https://example.org|the flat> <#C9|sea>",
        "ts": "1770465600.000100",
        "user_profile": {"real_name": "Carl"},
        "files": [{"name": "a.png", "title": "A", "mimetype": "image/png"}],
        "attachments": [{"text": "t", "title": "u"}],
    }
]
JSONL: Final = {
    "id": "1",
    "chat": "c",
    "author": "u1",
    "author_name": "Bob",
    "text": SAID,
    "said_at": "2026-02-07T14:30:00+00:00",
    "role": "user",
    "forwarded_from": "Carl",
}
WHATSAPP: Final = [
    "07.02.26, 14:30 - ",
    "Bob",
    ": ",
    SAID,
    "\n07.02.26, 14:31 - ",
    "Bob",
    ": ",
    "a.jpg (file attached)\n",
]
RECORDS: Final[dict[str, Json]] = {
    "sessions": ArchivedSession(1, "telegram:1:7:0", NOON, NOON, "Boats", "travel"),
    "turns": ArchivedTurn(
        UID,
        1,
        NOON,
        42,
        "Anna",
        Trust.USER,
        SAID,
        "Good.",
        Trust.BOT,
        (Part(Origin.FORWARDED, "The gate is B17.", "Bob"),),
        "travel",
        chronicle=("Vera lives in Porto.",),
    ),
    "items": ArchivedItem(
        MemoryItem(
            Layer.SEMANTIC,
            ItemType.FACT,
            "Vera",
            SAID,
            Provenance(42, "Anna", "chat", Trust.USER, NOON, UID),
            "0" * 32,
            tags=("people",),
            created_at=NOON,
            updated_at=NOON,
            subject="sister",
            id=1,
        ),
        sources=(UID,),
    ),
    "settings": ArchivedRow(
        "settings",
        {
            "platform": "telegram",
            "chat_id": 7,
            "language": "de",
            "memory": None,
            "streaming": 1,
            "time_zone": "UTC",
            "quiet_from": "22:00",
            "quiet_to": "07:00",
        },
    ),
    "lists": ArchivedRow(
        "lists",
        {
            "key": "boat",
            "list": "Boat list",
            "text": "rope",
            "state": "done",
            "added_by": 42,
            "added_name": "Anna",
            "added_at": "2026-02-07T12:00:00+00:00",
            "exchange": UID,
            "closed_by": 42,
            "closed_name": "Anna",
            "closed_at": "2026-02-08T12:00:00+00:00",
            "closed_exchange": UID,
        },
    ),
    "reminders": ArchivedRow(
        "reminders",
        {
            "text": "Call Vera",
            "due": "2999-02-07T12:00:00+00:00",
            "start": "2999-02-07T12:00:00",
            "zone": "UTC",
            "rule": "FREQ=DAILY;INTERVAL=1",
            "asker_id": 42,
            "asker_name": "Anna",
            "place": "telegram:1:7:0",
            "language": "en",
            "exchange": UID,
        },
    ),
    "documents": ArchivedDocument(
        "d1",
        "a.pdf",
        "Boats",
        "PDF",
        "https://example.org",
        42,
        "Anna",
        Trust.USER,
        NOON,
        1,
        False,
        "0" * 64,
        UID,
        (DocumentChunk(("Sails",), "The gate is B17.", 1),),
    ),
}


def fill(sample: Json) -> Iterator[Json]:
    """Yield the sample again and again, each time with the secret in another of its texts."""

    def walk(value: Json, path: tuple[Json, ...]) -> Iterator[tuple[Json, ...]]:
        if isinstance(value, str):
            yield path
        keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        for key in keys:
            yield from walk(value[key], (*path, key))

    for *path, last in walk(sample, ()):
        copy = at = deepcopy(sample)
        for step in path:
            at = at[step]
        at[last] = SECRET
        yield copy


def list_files(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Write the samples, and yield each with whether it is to be believed."""
    folder.mkdir()
    plain = {
        Format.TELEGRAM: ("json", fill(TELEGRAM)),
        Format.CHATGPT: ("json", fill(CHATGPT)),
        Format.CLAUDE: ("json", fill(CLAUDE)),
        Format.DISCORD: ("json", fill(DISCORD)),
        Format.MESSENGER: ("json", fill(MESSENGER)),
        Format.JSONL: ("jsonl", fill(JSONL)),
        Format.WHATSAPP: ("txt", map("".join, fill(WHATSAPP))),
    }
    for wanted, (ending, filled) in plain.items():
        for number, content in enumerate(filled):
            path = folder / f"{wanted}{number}.{ending}"
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
            yield path, False
    days = [(SLACK_PEOPLE, day) for day in fill(SLACK_DAY)] + [(people, SLACK_DAY) for people in fill(SLACK_PEOPLE)]
    for number, (people, day) in enumerate(days):
        path = folder / f"slack{number}.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("users.json", json.dumps(people))
            archive.writestr("trip/2026-02-07.json", json.dumps(day))
        yield path, False
    lines = {name: json.loads(dump_line(record)) for name, record in RECORDS.items()}
    for name, line in lines.items():
        for number, filled in enumerate(fill(line)):
            path = folder / f"mneme-{name}{number}.zip"
            pack_archive(path, {each: [filled if each == name else lines[each]] for each in lines})
            yield path, True
            yield path, False


async def test_no_field_of_a_foreign_file_brings_a_secret_along(tmp_path: Path) -> None:
    """Whatever comes of a file, imported or refused with a reason, no file of the installation holds the secret.

    Mutation check: red without ``mask_names``, and for any field of ``restoring`` that is taken as it is.
    """
    folders = make_folders(tmp_path / "home", NO_RAG)
    live, database = load_live_settings(folders), Database(folders.database, ROOMS)
    await database.open()

    async def tell(_: object) -> None:
        """Tell nobody."""

    _, settings = await open_chat_settings(database)
    worker = await build_import_worker(folders, live, database, SystemClock(), added=tell, tell=tell, settings=settings)
    jobs, ends = SqliteImportJobs(database, SystemClock().now), list[JobState]()
    for number, (path, believed) in enumerate(list_files(tmp_path / "files")):
        own = ("user9", "owner", "human", "77", "u1", "U1", "Zoe", "Bob", "42") if number % 2 else ()
        request = ImportRequest(Author(42, "Anna"), own, believed=believed)
        job = ImportJob(
            f"t{number}", Scope(f"tu{number + 1}"), 42, name_file(path.name), request, 1, state=JobState.WAITING
        )
        place = place_file(worker.folder, job)
        place.parent.mkdir(parents=True)
        place.write_bytes(path.read_bytes())
        await jobs.add(job)
        await worker.work_once()
        found = await jobs.find(job.token)
        ends += [found.state] if found is not None else []
    await database.close()

    kept = {path.name: path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file()}
    assert ends.count(JobState.DONE) > ends.count(JobState.REFUSED) > 5
    assert any(b"[redacted: " in content for content in kept.values())
    assert {name for name, content in kept.items() if SECRET.encode() in content} == set()


@each_row("name", [f"{SECRET}.jsonl", f"a.{SECRET}", f"folder/{SECRET}/../{SECRET}"])
def test_no_name_of_a_file_brings_a_secret_along(name: str) -> None:
    """The file lies below the data folder under a name of ours, with the ending that tells its format."""
    assert SECRET not in name_file(name)
    assert name_file(name).endswith(".jsonl") == name.endswith(".jsonl")
