"""Turn uploaded files into text."""

from __future__ import annotations

from collections.abc import Iterable

from memory_server.errors import DocumentRejected
from memory_server.ports import Loader

TEXT_ENDINGS = (
    ".txt", ".md", ".mdx", ".markdown", ".rst", ".tex", ".html", ".htm", ".csv", ".tsv", ".json", ".xml", ".yaml",
    ".yml", ".toml", ".log", ".conf", ".ini", ".properties", ".sql", ".bat", ".sh", ".c", ".h", ".cpp", ".hpp", ".py",
    ".java", ".js", ".ts", ".swift", ".go", ".rb", ".php", ".css", ".scss", ".less",
)  # fmt: skip
"""Endings of text that clients offer for upload; any other file is taken as well if it is text in UTF-8."""


def text_of(content: bytes, name: str, loaders: Iterable[Loader] = ()) -> str:
    """Return the text of a file: read by the first loader for its ending, else as plain text in UTF-8.

    Raises :class:`DocumentRejected` for what is neither; a loader is foreign code, so whatever it raises becomes that.
    """
    for loader in loaders:
        if name.casefold().endswith(loader.endings):
            try:
                return str(loader.text(content, name))
            except DocumentRejected:
                raise
            except Exception as error:
                raise DocumentRejected(f"this file cannot be read: {type(error).__name__}") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentRejected("Only plain text in UTF-8 is accepted here") from error
    if "\0" in text:
        raise DocumentRejected("Only plain text is accepted here")
    return text
