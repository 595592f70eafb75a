"""How ``mneme page`` opens a browser: by a file, as everybody on the machine may read a program's arguments."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from harness.forking import fork_program
from harness.processes import Home, Running, clean_environment, until

_BROWSER = """
import json, pathlib, re, sys, urllib.parse, urllib.request
file = pathlib.Path(urllib.parse.urlsplit(sys.argv[1]).path)
link = re.search(r'url=([^"]+)', file.read_text())[1]
seen = {"arguments": sys.argv, "link": link, "modes": [each.stat().st_mode & 0o777 for each in (file, file.parent)]}
seen["status"] = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(link).status
seen["left"] = file.exists()
done = pathlib.Path(__file__).with_suffix(".json")
done.with_suffix(".new").write_text(json.dumps(seen))
done.with_suffix(".new").rename(done)
"""


async def test_no_argument_of_the_browser_opens_the_page(tmp_path: Path) -> None:
    """The file that does is the owner's alone and goes with the link's use; a browser that is waited for is served."""
    home, browser = Home(tmp_path / "home"), tmp_path / "browser.py"
    home.configure({"rag": {"enabled": False}})
    browser.write_text(_BROWSER, encoding="utf-8")
    ours, terminal = os.openpty()
    environment = clean_environment({"BROWSER": f"{sys.executable} {browser} %s"})
    with (tmp_path / "errors.log").open("wb") as errors:
        streams = (terminal, terminal, errors.fileno())
        process = await asyncio.to_thread(fork_program, "bot", ("page", *home.options()), environment, streams)
    os.close(terminal)
    mneme = Running(process, -1, ours)
    try:
        seen_at = browser.with_suffix(".json")
        await until(seen_at.exists)
    finally:
        mneme.signal(signal.SIGINT)
        await mneme.wait()
        os.close(ours)
    seen = json.loads(seen_at.read_text(encoding="utf-8"))

    assert seen["link"].rpartition("/")[2] not in " ".join(seen["arguments"])
    assert "http" not in " ".join(seen["arguments"])
    assert seen["modes"] == [0o600, 0o700]
    assert (seen["status"], seen["left"]) == (200, False)
    assert not (home.data / "state" / "page-link").exists()
