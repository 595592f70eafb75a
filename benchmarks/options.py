"""Options of a command made from the fields of a plan."""

from __future__ import annotations

import argparse
from dataclasses import MISSING, fields
from typing import Any


def add_fields(parser: argparse.ArgumentParser, plan: Any, **meanings: str) -> None:  # Any: a dataclass
    """Add an option for each field of a dataclass, with its default; ``meanings`` are helps by name."""
    for field in fields(plan):
        option, default = f"--{field.name.replace('_', '-')}", field.default
        if default is False:
            parser.add_argument(option, action="store_true", help=meanings.get(field.name))
        elif default is not MISSING:
            parser.add_argument(option, type=type(default), default=default, help=meanings.get(field.name))
