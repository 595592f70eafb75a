"""The settings that the running Mneme started with: ``mneme check``, another process, compares them with the disk.

Only hashes are kept, keyed anew at each start, because some of the values are secrets.
"""

import hmac
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

import structlog

from bot.config.fields import find_application, list_settings, read_value
from bot.config.folders import VARIABLES, Folders, read_dotenv_files, read_environment
from bot.config.schema import Settings
from bot.config.section import Applies
from bot.config.strict_json import format_path
from memory_server.options import LIGHTRAG_VARIABLES, name_unread_variables

_TOKEN = "TELEGRAM_TOKEN"  # noqa: S105 - the name of a variable


def describe_waiting_settings(names: tuple[str, ...]) -> str:
    """Return the sentence about changes that wait for a restart, "" when there are none."""
    return f"takes effect at the next start: {', '.join(names)}" if names else ""


def describe_unread_variables(places: Folders, settings: Settings) -> str:
    """Return the sentence about variables of LightRAG that do nothing here, "" for none.

    Another server has an environment of its own; the embedded one has no model that would write in a language.
    """
    return name_unread_variables(
        read_environment(places), *(LIGHTRAG_VARIABLES if settings.rag.url else ("SUMMARY_LANGUAGE",))
    )


def record_start(places: Folders, settings: Settings) -> None:
    """Keep what this process has started with.  What cannot be written costs a remark of ``mneme check``."""
    key = secrets.token_hex(32)
    kept = {"key": key, "values": _hashes(key, _read_at_start(places, settings, os.environ))}
    try:
        draft = _file(places).with_suffix(".new")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(kept), encoding="ascii")
        draft.replace(_file(places))
    except OSError as error:
        structlog.get_logger().warning("start not noted", reason=error.strerror)


def list_waiting_settings(places: Folders, settings: Settings) -> tuple[str, ...]:
    """Return what stands on the disk now and is not in force in the Mneme that runs on this folder."""
    try:
        kept = json.loads(_file(places).read_text(encoding="ascii"))
        key, values = str(kept["key"]), dict(kept["values"])
    except (OSError, ValueError, KeyError, TypeError):
        return ()  # nobody has noted anything that can be compared
    now = _hashes(key, _read_at_start(places, settings, os.environ))
    return tuple(name for name, value in now.items() if name in values and values[name] != value)


def _read_at_start(places: Folders, settings: Settings, process: Mapping[str, str]) -> dict[str, str]:
    """Return what is read at the start alone: settings, and variables of ``.env`` that the process does not override.

    A shell that asks may lack the variables that the service was given, so that those are not compared.
    """
    found = {
        format_path(path): repr(read_value(settings, path))
        for path, field in list_settings()
        if find_application(field) is _AT_START
    }
    if process.get(_TOKEN):
        del found["telegram.token"]
    written = read_dotenv_files(places.data)
    names = [name for name in (*VARIABLES, *LIGHTRAG_VARIABLES) if name != _TOKEN and not process.get(name)]
    return found | {f"{name} (.env)": written.get(name, "").strip() for name in names}


_AT_START = Applies.RESTART


def _hashes(key: str, values: Mapping[str, str]) -> dict[str, str]:
    return {name: hmac.digest(key.encode(), value.encode(), "sha256").hex() for name, value in values.items()}


def _file(places: Folders) -> Path:
    return places.data / "state" / "started.json"
