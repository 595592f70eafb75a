"""What all benchmarks do at the command line: options, an empty folder to work in, figures told as lines or as JSON."""

import argparse
import asyncio
import inspect
import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import structlog

from bot.cli import one_thread_per_product

Report = dict[str, Any]  # Any: numbers, texts, and lists and objects of them
Work = Callable[..., Any]  # Any: a report as JSON or as a dataclass, or a coroutine of one


def run(
    work: Work | Mapping[str, Work],
    about: str | None,
    *,
    broken: Callable[[Any], object] = lambda _: False,  # Any: as above
) -> Any:
    """Do what the command line asks for, print the report that comes of it and return it.

    Where ``broken`` finds in it that a promise was, the program ends with code 1.
    Each parameter of ``work`` that has to be named is an option, and so is each field of its ``plan``; ``folder``,
    where it has one, is empty, and gone afterwards.  Of several works the first word of the command line names one.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    if callable(work):
        _add_options(parser, work)
    else:
        commands = parser.add_subparsers(dest="command", required=True)
        for name, each in work.items():
            _add_options(commands.add_parser(name, description=inspect.getdoc(each)), each)
    given = {name: value for name, value in vars(parser.parse_args()).items() if value is not None}
    as_json, chosen = given.pop("json"), work if callable(work) else work[given.pop("command")]
    _begin_with_one_thread()
    errors = structlog.make_filtering_bound_logger(logging.ERROR)
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr), wrapper_class=errors)
    takes = inspect.signature(chosen, eval_str=True).parameters
    if "plan" in takes:
        apart = {name: given.pop(name) for name in takes.keys() & given.keys()}
        given = {"plan": takes["plan"].annotation(**given), **apart}
    with tempfile.TemporaryDirectory(prefix="mneme-") as made:
        found = chosen(**given, **({"folder": Path(made)} if "folder" in takes else {}))
        report = asyncio.run(found) if inspect.iscoroutine(found) else found
    shown = asdict(report) if is_dataclass(report) and not isinstance(report, type) else report
    print(json.dumps(shown, ensure_ascii=False) if as_json else "\n".join(_tell(shown)))
    if broken(report):
        raise SystemExit(1)
    return report


def _begin_with_one_thread() -> None:
    """Measure with the threads of the product: numpy, which a benchmark may have loaded, makes its own when loaded."""
    # Spinning, they would count as processor time of what is measured.
    begun = "OPENBLAS_NUM_THREADS" in os.environ or "numpy" not in sys.modules
    one_thread_per_product()
    if not begun:
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - this very process, once more


def _add_options(parser: argparse.ArgumentParser, work: Work) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    takes = inspect.signature(work, eval_str=True).parameters
    named = [each for each in takes.values() if each.kind is each.KEYWORD_ONLY]
    planned = inspect.signature(takes["plan"].annotation, eval_str=True).parameters if "plan" in takes else {}
    for each in (*named, *planned.values()):
        more: dict[str, Any] = {"required": each.default is each.empty}  # Any: of argparse
        kinds = [one for one in get_args(each.annotation) if one is not NoneType] or [each.annotation]
        if each.annotation is bool:
            more["action"] = "store_true"
        elif get_origin(each.annotation) is Literal:
            more["choices"] = kinds
        else:
            more["type"] = kinds[0]
        if get_origin(each.annotation) is tuple:
            more |= {"nargs": "+", "action": "extend"}
        usual = "" if each.default in {each.empty, None, False} else f"default: {each.default}"
        parser.add_argument(f"--{each.name.replace('_', '-')}", help=usual, **more)


def _tell(report: Any) -> Iterator[str]:
    """Yield a line for each figure; what an object or a list holds is indented."""
    for name, value in report.items() if isinstance(report, dict) else enumerate(report, 1):
        if isinstance(value, (dict, list, tuple)) and value:
            yield f"{name}:"
            yield from (f"    {line}" for line in _tell(value))
        else:
            yield f"{name}: {value}"
