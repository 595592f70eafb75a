"""A file that leads a browser to a link: whatever stands in a program's arguments, every user of the machine can read.

It lies in a folder of its own that nobody else may open, and goes when its link is used, else when the page closes.
"""

from __future__ import annotations

import shutil
from html import escape
from pathlib import Path
from typing import Final

from adapters.page.sessions import hash_token

_FOLDER: Final = "page-link"
_PAGE: Final = (
    '<!doctype html><meta charset="utf-8"><title>Mneme</title>'
    '<meta http-equiv="refresh" content="0;url={link}"><p><a href="{link}">Mneme</a></p>\n'
)


def write_redirect(state: Path, link: str) -> Path:
    """Write the file for a link below the state folder and return where it is.  Blocks; raises ``OSError``."""
    (state / _FOLDER).mkdir(mode=0o700, exist_ok=True)
    file = _find_file(state, link.rpartition("/")[2])
    file.touch(mode=0o600)
    file.write_text(_PAGE.format(link=escape(link)), encoding="utf-8")
    return file


def delete_redirect(state: Path, token: str) -> None:
    """Delete the file of the link that ends in a token, if there is one."""
    _find_file(state, token).unlink(missing_ok=True)


def delete_redirects(state: Path) -> None:
    """Delete the files of all links."""
    shutil.rmtree(state / _FOLDER, ignore_errors=True)


def _find_file(state: Path, token: str) -> Path:
    return (state / _FOLDER / hash_token(token)).with_suffix(".html")
