"""Folders of an installation: one for data, one for preferences, one for models.

Environment variables, completed by ``.env`` files at the start.

Secrets and the language model's address override or complete the settings file; variables of LightRAG are the memory
server's (memory_server/options.py).
A variable that is empty counts as absent.  No value of a variable is ever written to disk.
"""

import errno
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from dotenv import dotenv_values

from bot.config.schema import FEATURE_SECTIONS, Settings
from bot.config.section import OPENAI
from bot.errors import ConfigInvalid

PROJECT = Path(__file__).resolve().parents[2]
"""The checkout, or the installed package's parent."""
_SHIPPED = PROJECT / "bot" / "shipped"
"""In an installed wheel: the default ``preferences`` and the embedding ``models``, which a checkout has elsewhere."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders of one installation.

    ``data`` holds everything that must not be lost, ``preferences`` what the operator edits, ``models`` what can be
    made again.
    """

    data: Path
    preferences: Path
    models: Path
    is_new: bool = False
    """Whether the default preferences were put there just now."""

    @property
    def database(self) -> Path:
        """The one SQLite file."""
        return self.data / "mneme.db"

    @property
    def config(self) -> Path:
        """The live settings."""
        return self.preferences / "runtime-config.json"

    @property
    def last_good_config(self) -> Path:
        """The newest settings that were valid."""
        return self.data / "state" / "runtime-config.last-good.json"

    @property
    def installation(self) -> Path:
        """A copy of the installation's name, which stands in the database."""
        return self.data / "state" / "installation"

    @property
    def memory_server(self) -> Path:
        """Data of the embedded memory server."""
        return self.data / "memory-server"

    @property
    def logs(self) -> Path:
        """Log files of the terminal chat and of the memory server."""
        return self.data / "logs"

    @property
    def typed_lines(self) -> Path:
        """What was typed in the terminal chat, for its arrow keys."""
        return self.data / "state" / "chat-history"

    @property
    def outgoing(self) -> Path:
        """Files on their way to a chat: each is deleted once its reply is settled."""
        return self.data / "outgoing"

    @property
    def incoming(self) -> Path:
        """Files that are being read: each is deleted once it is, and all at the next start."""
        return self.data / "incoming"

    @property
    def received(self) -> Path:
        """Files that the terminal chat was sent: they are the user's, nothing here deletes them."""
        return self.data / "exports"

    @property
    def exports(self) -> Path:
        """``exports/*.zip``, until they are sent or erased."""
        return self.data / "exports"

    @property
    def imports(self) -> Path:
        """Files that are being imported."""
        return self.data / "imports"


def prepare_folders(data: Path | None, preferences: Path | None = None) -> Folders:
    """Return the folders, made if missing.

    ``data`` defaults to ``$MNEME_DATA``, else ``./data``.  Preferences are taken from the first that exists of: the
    argument, ``$MNEME_PREFERENCES``, ``DATA/preferences``, ``./preferences``; else the defaults are copied to
    ``DATA/preferences``.  Raises :class:`ConfigInvalid` if a folder cannot be used.
    """
    root = (data or Path(os.environ.get("MNEME_DATA") or "data")).expanduser().absolute()
    try:
        made = (root, root / "state", root / "logs", root / "memory-server")
        for folder in made:
            folder.mkdir(parents=True, exist_ok=True)
        # Made when needed, by another user perhaps: what an erase cannot look into it would take for empty.
        later = (root / name for name in ("backups", "exports", "imports", "incoming", "layouts", "outgoing"))
        for folder in (*made, *filter(Path.is_dir, later)):
            if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, "it must be ours to read and write (chown, chmod u+rwx)", folder)
        root.chmod(0o700)
        chosen, is_new = _preferences(root, preferences)
    except OSError as error:
        at = Path(error.filename or root)
        reason = f"{at} is a file" if at.is_file() else f"{at}: {error.strerror}"
        raise ConfigInvalid(
            f"the data folder {root} cannot be used ({reason}); name another with --data DIR or MNEME_DATA"
        ) from error
    return Folders(data=root, preferences=chosen, models=find_model_folder(root), is_new=is_new)


def find_folders(data: Path | None, preferences: Path | None = None) -> Folders:
    """Return the same folders as :func:`prepare_folders` without making any: for commands that write nothing.

    Where there are no preferences yet, those that would be copied are read.
    """
    root = (data or Path(os.environ.get("MNEME_DATA") or "data")).expanduser().absolute()
    named = preferences or (Path(value) if (value := os.environ.get("MNEME_PREFERENCES")) else None)
    places = (root / "preferences", Path.cwd() / "preferences", _shipped_preferences())
    chosen = next((folder for folder in places if folder.is_dir()), root / "preferences")
    return Folders(data=root, preferences=(named or chosen).expanduser().absolute(), models=root / "models")


def find_model_folder(data: Path) -> Path:
    """Return where the local models are kept: in the installed wheel, beside its packages, else in the data folder."""
    if (shipped := _SHIPPED / "models").is_dir():
        return shipped
    shared = Path(sys.prefix) / "share" / "mneme"
    try:
        shared.mkdir(parents=True, exist_ok=True)
    except OSError:
        return data / "models"
    return shared if os.access(shared, os.W_OK) else data / "models"


def _preferences(data: Path, preferences: Path | None) -> tuple[Path, bool]:
    named = preferences or (Path(value) if (value := os.environ.get("MNEME_PREFERENCES")) else None)
    if named is not None:
        named = named.expanduser().absolute()
        named.mkdir(parents=True, exist_ok=True)
        return named, False
    for folder in (data / "preferences", Path.cwd() / "preferences"):
        if folder.is_dir():
            return folder, False
    target = data / "preferences"
    shutil.copytree(_shipped_preferences(), target)
    return target, True


def _shipped_preferences() -> Path:
    return next(folder for folder in (_SHIPPED / "preferences", PROJECT / "preferences") if folder.is_dir())


SECRET_VARIABLES: Final = (
    "TELEGRAM_TOKEN",
    "LLM_API_KEY",
    "OPENAI_API_KEY",
    "RAG_API_KEY",
    "RERANK_API_KEY",
    "DATABASE_URL",
    *(name for section in FEATURE_SECTIONS for name in section.variables),
)
"""Those that complete the settings: :func:`apply_environment` reads no other secret."""
OWN_VARIABLES: Final = frozenset({*SECRET_VARIABLES, "MNEME_MEMORY_KEY", "LIGHTRAG_API_KEY"})
"""Secrets of Mneme itself and of its memory server: no server of tools gets them, whatever the settings say."""
VARIABLES: Final = ("LLM_URL", "LLM_MODEL", *SECRET_VARIABLES)
"""Names that :func:`apply_environment` reads."""


def apply_environment(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """Return the settings as the environment completes them."""

    def given(name: str, otherwise: str) -> str:
        return environment.get(name, "").strip() or otherwise

    rag, llm, telegram = settings.rag, settings.llm, settings.telegram
    rerank = rag.rerank.model_copy(update={"api_key": given("RERANK_API_KEY", rag.rerank.api_key)})
    url = given("LLM_URL", llm.url)
    key = given("LLM_API_KEY", llm.api_key)
    if not key and urlsplit(url).hostname == OPENAI:
        key = given("OPENAI_API_KEY", "")
    llm = llm.model_copy(update={"url": url, "api_key": key, "model": given("LLM_MODEL", llm.model)})
    return settings.model_copy(
        update={
            **{each.key: each.complete(environment, url, key) for each in settings.list_features()},
            "rag": rag.model_copy(update={"api_key": given("RAG_API_KEY", rag.api_key), "rerank": rerank}),
            "llm": llm,
            "storage": settings.storage.model_copy(update={"url": given("DATABASE_URL", settings.storage.url)}),
            "telegram": telegram.model_copy(update={"token": given("TELEGRAM_TOKEN", telegram.token)}),
        }
    )


def read_environment(places: Folders) -> Mapping[str, str]:
    """Return the environment, completed by ``.env`` of the data folder and of the current one (in this order)."""
    return {**read_dotenv_files(places.data), **os.environ}


def read_dotenv_files(data: Path) -> dict[str, str]:
    """Return the variables in ``.env`` of the data folder and of the current one."""
    found: dict[str, str] = {}
    for folder in (Path(), data):
        values = dotenv_values(folder / ".env")
        found |= {name: value for name, value in values.items() if value is not None}
    return found
