"""Folders of an installation: one for data, one for preferences, one for models."""

import errno
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

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
    def started(self) -> Path:
        """What the last start has begun with."""
        return self.data / "state" / "started.json"

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
