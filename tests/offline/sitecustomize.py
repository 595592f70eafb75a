"""Refuses every connection and every look-up of a name that leaves this machine.

An audit hook sees what any library does, sockets opened in C included.  Python imports a module of this name at its
start wherever it finds one, so that processes started by a test are guarded by ``PYTHONPATH`` alone.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
LEFT: list[str] = []
"""What this process has tried to reach outside; a test that did fails even if somebody swallowed the error."""
_OWN_NAMES = {"", "localhost", "localhost.localdomain", "ip6-localhost"}
_LOOKUPS = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_SENDS = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1}


class NetworkUsed(RuntimeError):
    """A test, or something it started, tried to leave this machine."""


def outside(host: object) -> bool:
    """Whether a host is somebody else's: neither loopback, nor an address to listen on, nor a name of this machine."""
    if host is None:
        return False
    name = _name(host).partition("%")[0]
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name.lower() not in _OWN_NAMES
    return not (address.is_loopback or address.is_unspecified)


def _name(host: object) -> str:
    return host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)


def _audit(event: str, arguments: tuple[Any, ...]) -> None:  # Any: what the events carry
    if event in _LOOKUPS:
        host = arguments[0]
    elif event in _SENDS:
        address = arguments[_SENDS[event]]
        if not isinstance(address, tuple):  # a Unix socket's path, or a connection made before
            return
        host = address[0]
    else:
        return
    if outside(host):
        LEFT.append(_name(host))
        raise NetworkUsed(f"tests use no network but loopback; this one tried to reach {host!r}")


def inherited(path: str | None) -> str:
    """Return a ``PYTHONPATH`` that guards the processes started with it, too."""
    return os.pathsep.join([str(FOLDER), *(path.split(os.pathsep) if path else [])])


sys.modules["tests.offline.sitecustomize"] = sys.modules[__name__]  # one record, under whichever name it came first
sys.addaudithook(_audit)
