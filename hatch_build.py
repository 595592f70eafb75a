"""Adds to a wheel what a checkout has elsewhere: models, default preferences, LightRAG.

Models are made here, so that an installed Mneme makes nothing at its first start.
LightRAG is copied without what is never loaded, its licence with it: as a dependency it would bring packages for
spreadsheets, cloud models and Chinese collation, none of which is imported here.
Used for the memory server's own wheel, too, which gets LightRAG alone.
"""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_RELEASE = "0.1.0"
_INTERFACES = ("lightrag/api/webui", "lightrag/api/static")


def find_version() -> str:
    """Return the release and, where git can tell, the commit: pip installs nothing over the same version.

    Its time comes first, so that what is newer is the greater version, also in a clone without history.
    """
    git = shutil.which("git")
    if git is None or not Path(__file__).with_name(".git").exists():
        return _RELEASE
    ask = [git, "-C", str(Path(__file__).parent), "log", "-1", "--format=%ct.g%h"]
    commit = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603 - git
    return f"{_RELEASE}+{commit}" if commit else _RELEASE


class CustomBuildHook(BuildHookInterface[Any]):  # Any: the configuration of whichever builder
    """The hook that ``pyproject.toml`` names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say which files go where; an editable installation finds all of them in the checkout."""
        if version == "editable":
            return
        added: dict[str, str] = build_data["force_include"]
        added |= self._list_lightrag()
        if self.metadata.name == "mneme":
            added[str(Path(self.root) / "preferences")] = "bot/shipped/preferences"
            added |= {str(path): f"bot/shipped/models/{path.name}" for path in self._provide_models()}

    def _list_lightrag(self) -> dict[str, str]:
        found = distribution("lightrag-hku")
        if f"lightrag-hku=={found.version}" not in self.config["dependencies"]:
            raise RuntimeError(f"lightrag-hku {found.version} is installed, pyproject.toml names another version")
        unused = *_INTERFACES, *Path(__file__).with_name("requirements-unused.txt").read_text("utf-8").split()
        kept: dict[str, str] = {}
        for file in found.files or ():
            name = file.as_posix()
            if file.suffix == ".pyc" or any(each.match(one) for each in (file, *file.parents) for one in unused):
                continue
            if name.startswith("lightrag/"):
                kept[str(file.locate())] = f"memory_server/bundled/{name}"
            elif file.name == "LICENSE":
                kept[str(file.locate())] = "memory_server/bundled/lightrag/LICENSE"
        return kept

    def _provide_models(self) -> list[Path]:
        """Return the models' files: those that set-up has made beside this Python, else made now."""
        code = (
            "import sys; from pathlib import Path; from adapters.embedding.files import ModelFiles, provide_models; "
            "made = ModelFiles(Path(sys.prefix, 'share', 'mneme')); "
            "files = made if made.read_sums() else provide_models(Path('build', 'models'), print); "
            "files.check(); print(*files.listed(), files.sums, sep='\\n')"
        )
        path = os.pathsep.join([self.root, *filter(None, sys.path)])
        done = subprocess.run(  # noqa: S603 - our own code
            [sys.executable, "-c", code],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        lines = done.stdout.splitlines()
        return [Path(self.root, line) for line in lines if Path(self.root, line).is_file()]
