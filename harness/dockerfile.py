"""Does what a Dockerfile says, without Docker: each stage in a private root over this machine's own.

The machine plays the base image: an overlay takes all that is written, nothing of the machine is changed.  COPY reads
the folder of the Dockerfile less what .dockerignore leaves out, RUN runs in a chroot, and the last stage's program as
its user with a root that cannot be written but for volumes and /tmp.  Linux, root and util-linux are needed.
Instructions that are not known here are refused, as are those that Docker would: a COPY of what is not there.
"""

import json
import os
import pwd
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_MOUNTS = (
    "mount -t overlay overlay -o lowerdir=/,upperdir={stage}/upper,workdir={stage}/work {stage}/merged && "
    "mount --rbind /dev {stage}/merged/dev && mount -t proc proc {stage}/merged/proc"
)


class DockerfileWrong(Exception):
    """What Docker would refuse, too, or what is not known here."""


@dataclass(slots=True)
class Stage:
    """A stage: where its root is kept, and what the instructions have set so far."""

    folder: Path
    environment: dict[str, str]
    place: str = "/"
    user: str = ""
    volumes: list[str] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def run(self, script: str, *, wrapped: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
        """Run shell lines in the root; ``wrapped`` comes before the chroot (Any: options of ``subprocess.run``)."""
        mounts = _MOUNTS.format(stage=shlex.quote(str(self.folder)))
        root = shlex.quote(f"{self.folder}/merged")
        inside = f"mkdir -p {shlex.quote(self.place)} && cd {shlex.quote(self.place)} && {script}"
        whole = f"{mounts} && {wrapped} chroot {root} /bin/sh -c {shlex.quote(inside)}"
        command = ["unshare", "--mount", "--pid", "--fork", "/bin/sh", "-ec", whole]
        return subprocess.run(command, env=self.environment, text=True, check=True, **options)  # noqa: S603 - the Dockerfile's

    def size(self) -> int:
        """Return the bytes that the stage adds to its base."""
        found = (path.lstat() for path in (self.folder / "upper").rglob("*"))
        return sum(stat.st_blocks * 512 for stat in found)


@dataclass(slots=True)
class Image:
    """A built image; remove it with :meth:`close`."""

    folder: Path
    stage: Stage

    def start(self, *arguments: str, typed: str) -> str:
        """Run the image's program as its user, with a root that is read-only and no network; return what it prints."""
        stage = self.stage
        writable = " && ".join(f"mount --bind $R{volume} $R{volume}" for volume in (*stage.volumes, "/tmp"))  # noqa: S108
        prepare = f"R={shlex.quote(str(stage.folder))}/merged; {writable} && mount -o remount,bind,ro $R &&"
        program = shlex.join([*stage.entry, *(arguments or stage.command)])
        as_user = f"exec setpriv --reuid {stage.user} --regid {stage.user} --clear-groups {program}"
        done = stage.run(
            f"ip link set lo up; {as_user}", wrapped=f"{prepare} unshare --net", input=typed, capture_output=True
        )
        return done.stdout

    def close(self) -> None:
        shutil.rmtree(self.folder)


def build_image(dockerfile: Path, folder: Path, *, log: Path) -> Image:
    """Do the instructions of a Dockerfile in ``folder``; what its commands print goes to ``log``."""
    context, stages, last = dockerfile.parent, dict[str, Stage](), None
    arguments: dict[str, str] = {}
    with log.open("w", encoding="utf-8") as told:
        for kind, rest in read_instructions(dockerfile.read_text("utf-8")):
            if kind == "ARG":
                name, _, value = rest.partition("=")
                arguments[name] = value
                continue
            if kind == "FROM":
                name = rest.split(" AS ")[1] if " AS " in rest else "last"
                last = stages[name] = _new_stage(folder / name)
                continue
            if last is None:
                raise DockerfileWrong(f"{kind} before FROM")
            if kind == "RUN":
                last.run(rest, stdin=subprocess.DEVNULL, stdout=told, stderr=told)
            elif kind == "COPY":
                _copy(rest, context, stages, last)
            else:
                _note(kind, rest, last)
    if last is None:
        raise DockerfileWrong("there is no FROM")
    return Image(folder, last)


def read_instructions(text: str) -> Iterator[tuple[str, str]]:
    """Return the instructions: name and the rest of the line, continued lines joined, comments left out."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")).replace("\\\n", " ")
    for line in filter(str.strip, lines.splitlines()):
        kind, _, rest = line.strip().partition(" ")
        yield kind.upper(), " ".join(rest.split())


def list_context(folder: Path) -> set[str]:
    """Return the names at the top of a build's context: those that ``.dockerignore`` (all but …) lets through."""
    lines = (folder / ".dockerignore").read_text("utf-8").split("\n")
    if "*" not in lines:
        raise DockerfileWrong(".dockerignore must leave out everything, then name what is needed")
    return {line[1:] for line in lines if line.startswith("!")}


def _new_stage(folder: Path) -> Stage:
    for name in ("upper", "work", "merged"):
        (folder / name).mkdir(parents=True)
    # The machine's Python may stand in a home folder that the image's user could not enter.
    for parent in Path(sys.base_prefix).parents:
        if parent != Path("/"):
            copied = folder / "upper" / parent.relative_to("/")
            copied.mkdir(parents=True, exist_ok=True)
    for path in (folder / "upper").rglob("*"):
        path.chmod(0o755)
    found = f"{sys.base_prefix}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    kept: Mapping[str, str] = {name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "SSL_"))}
    return Stage(folder, {**kept, "PATH": found, "HOME": pwd.getpwuid(0).pw_dir})


def _copy(rest: str, context: Path, stages: Mapping[str, Stage], stage: Stage) -> None:
    *options, where = rest.split()
    source = next((one.removeprefix("--from=") for one in options if one.startswith("--from=")), None)
    for name in (one for one in options if not one.startswith("--")):
        if source is None and name not in list_context(context):
            raise DockerfileWrong(f"COPY {name}: .dockerignore leaves it out")
        origin = context / name if source is None else stages[source].folder / "upper" / name.lstrip("/")
        target = stage.folder / "upper" / str(Path(stage.place, where)).lstrip("/")
        if origin.is_dir():
            shutil.copytree(
                origin, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__" if not source else "")
            )
        else:
            target = target / origin.name if where.endswith("/") else target
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(origin, target)


def _note(kind: str, rest: str, stage: Stage) -> None:
    if kind == "ENV":
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            stage.environment[name] = value.replace("$PATH", stage.environment["PATH"])
    elif kind == "WORKDIR":
        stage.place = rest
    elif kind == "USER":
        stage.user = rest
    elif kind == "VOLUME":
        stage.volumes.append(rest)
    elif kind == "ENTRYPOINT":
        stage.entry = json.loads(rest)
    elif kind == "CMD":
        stage.command = json.loads(rest)
    else:
        raise DockerfileWrong(f"{kind} is not known here")
