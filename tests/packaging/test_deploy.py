"""Containers and units: what they name is there.  ``python -m benchmarks.install image`` does what the image says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.config.folders import PROJECT
from harness.dockerfile import list_context, read_instructions

UNITS = sorted((PROJECT / "deploy").glob("*.service"))


def test_the_image_copies_every_package_and_only_what_is_let_through() -> None:
    """Each COPY finds its source, in the context; what the wheel is made of is copied; nothing runs as root."""
    instructions = [*read_instructions((PROJECT / "Dockerfile").read_text("utf-8"))]
    copied = {
        name for kind, rest in instructions if kind == "COPY" and "--from" not in rest for name in rest.split()[:-1]
    }
    project = {
        "bot",
        "systems",
        "adapters",
        "memory_server",
        "language",
        "postgres_session",
        "preferences",
        "hatch_build.py",
    }

    assert {name for name in copied if not (PROJECT / name).exists()} == set()
    assert copied - list_context(PROJECT) == set()
    assert project - copied == set()
    assert [rest for kind, rest in instructions if kind == "USER"] == ["10001"]


def test_containers_are_closed_and_keep_their_data_in_volumes() -> None:
    """Each of ours has a read-only root, no capabilities and a volume; no port is open to other machines."""
    composed = _read_services()
    ours = {name: one for name, one in composed["services"].items() if one["image"] == "mneme"}
    mounted = {each.split(":")[0] for one in composed["services"].values() for each in one["volumes"]}
    folders = {name for name in mounted if name.startswith(".")}

    assert set(ours) == {"mneme", "worker-1", "worker-2", "memory-server"}
    for one in ours.values():
        assert (one["read_only"], one["cap_drop"]) == (True, ["ALL"])
        assert all(port.startswith("127.0.0.1:") for port in one.get("ports", ()))
    assert mounted - folders == set(composed["volumes"])
    assert all((PROJECT / name).exists() for name in folders)


def test_the_proxy_passes_calls_to_the_workers_where_they_are_told_to_listen() -> None:
    """What it names are services of ours; path and port are those that the page tells to set."""
    told = (PROJECT / "docs" / "scaling.md").read_text("utf-8")
    file = (PROJECT / "deploy" / "Caddyfile").read_text("utf-8")
    asked = re.search(r"handle (\S+) \{\s+reverse_proxy (.+) \{", file)
    assert asked is not None
    services = _read_services()["services"]
    workers = sorted(name for name, one in services.items() if one.get("command") == ["worker"])
    listen = re.search(r'"webhookListen": "0\.0\.0\.0:(\d+)"', told)
    assert listen is not None

    assert asked[2].split() == [f"{name}:{listen[1]}" for name in workers]
    assert f'"webhookUrl": "https://bot.example{asked[1]}"' in told
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in services["proxy"]["volumes"]


def _read_services() -> dict[str, Any]:  # Any: YAML
    composed: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text("utf-8"))
    return composed


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_understands_every_line(unit: Path, tmp_path: Path) -> None:
    """Nothing is said against a unit whose program is there; an unknown setting would be."""
    text = unit.read_text("utf-8").replace("/opt/mneme/bin/mneme", sys.executable)
    (tmp_path / unit.name).write_text(text, encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - of the system
        ["systemd-analyze", "verify", str(tmp_path / unit.name)],  # noqa: S607 - the one on the path
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
