"""Reads one document from its standard input and writes the sections to its output, as a line of JSON each.

Run by :mod:`adapters.documents.reader`, one process per document: what a document does to it dies with it.
The last line says what the document is, or why it cannot be read.
"""

import json
import mimetypes
import re
import resource
import sys
from typing import Any, BinaryIO, Final

from adapters.documents.confinement import confine
from adapters.documents.formats import read_sections
from adapters.documents.recognition import recognise
from adapters.documents.source import ReadingLimits, Source
from bot.errors import DocumentUnreadable

_KIBIBYTE: Final = 1024
_PEAK: Final = re.compile(rb"VmHWM:\s*(\d+) kB")


def main(arguments: list[str]) -> int:
    """Read the document; the arguments are its suffix and its limits as JSON."""
    limits = ReadingLimits(**json.loads(arguments[1]))
    mimetypes.init(())  # the system's own list is out of reach, and tells nothing
    sys.modules["numpy"] = None  # type: ignore[assignment]  # openpyxl does without, and starts in a third of the time
    memory = _open_memory_figures()
    held = confine(memory=limits.memory, seconds=limits.seconds)
    with open(0, "rb", closefd=False) as file:
        source = Source(file, "", arguments[0], limits)
        try:
            written = _write_sections(source)
            last = {"title": source.title, "kind": source.kind, "pages": source.pages, "cut": source.cut}
            if not written:
                last = {"why": "empty", "message": "there is no text in the document"}
        except DocumentUnreadable as error:
            last = {"why": error.why, "message": str(error)}
        except MemoryError:
            last = {"why": "too_large", "message": "reading the document needs more memory than it may take"}
        except RecursionError:
            last = {"why": "damaged", "message": "the document is nested beyond measure"}
    _write({**last, "peak": _measure_peak(memory), "held": held})
    return 0


def _open_memory_figures() -> BinaryIO | None:
    """Return Linux's figures of this process, opened while files can be; ``None`` elsewhere."""
    try:
        return open("/proc/self/status", "rb")  # noqa: PTH123 - stays open to the end of the process
    except OSError:
        return None


def _measure_peak(figures: BinaryIO | None) -> int:
    """Return the most memory that this process had, in bytes: ``getrusage`` would count its parent's at the start."""
    if figures is None:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    figures.seek(0)
    found = _PEAK.search(figures.read())
    return int(found[1]) * _KIBIBYTE if found is not None else 0


def _write_sections(source: Source) -> int:
    """Write the sections that the limit of characters leaves; returns how many characters they hold."""
    source.kind = recognise(source.file, source.suffix)
    written = 0
    for section in read_sections(source):
        left = source.limits.characters - written
        text = section.text[:left]
        if text.strip():
            _write({"headings": section.headings, "text": text, "page": section.page})
        written += len(text)
        if len(section.text) > left:
            source.cut = True
            break
    return written


def _write(line: dict[str, Any]) -> None:  # Any: JSON
    sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
