"""Options that every command of the terminal has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None, typer.Option("--data", help="Folder where everything lives.  Default: $MNEME_DATA, else ./data.")
]
Preferences = Annotated[
    Path | None,
    typer.Option("--preferences", help="Folder with runtime-config.json, prompts/ and skills/."),
]
