"""Every error of the memory server, in one tree.

    MemoryServerError
    ├── Temporary               trying again later may help
    │   ├── StorageUnavailable  a workspace cannot be written or read now (disk full, database away)
    │   ├── EmbeddingUnavailable  the embedding model or endpoint cannot be reached
    │   │   └── WindowExceeded  a text was longer than the endpoint reads, which is known from now on
    │   └── ModelUnavailable    the language model is down, slow or limits our rate
    ├── ModelRefused            the model's provider refuses us: key, credit, unknown model
    ├── ContextTooLong          the prompt does not fit the model
    ├── DocumentRejected        this document will never be accepted
    ├── ConfigInvalid           a setting is wrong; the text says which, where and what was expected
    ├── ScopeMissing            memory was touched without naming whose
    └── Corrupt                 the file of a workspace is damaged; it is kept and set aside

The text of an error says what happened, where, and which setting to change; it never holds a secret or a stored text.
"""

import traceback
from pathlib import Path


class MemoryServerError(Exception):
    """Something went wrong that the memory server knows how to report."""


class Temporary(MemoryServerError):
    """Trying again later may help."""


class StorageUnavailable(Temporary):
    """A workspace cannot be written or read now."""


class EmbeddingUnavailable(Temporary):
    """The embedding model or endpoint cannot be reached."""


class WindowExceeded(EmbeddingUnavailable):
    """A text was longer than the embeddings endpoint reads; its limit is known from now on."""


class ModelUnavailable(Temporary):
    """The language model is down, slow or limits our rate."""


class ModelRefused(MemoryServerError):
    """The model's provider refuses us: key, credit or model name."""


class ContextTooLong(MemoryServerError):
    """The prompt does not fit the model."""


class DocumentRejected(MemoryServerError):
    """This document will never be accepted."""


class ConfigInvalid(MemoryServerError):
    """A setting is wrong; the text says which, where and what was expected."""


class ScopeMissing(MemoryServerError):
    """Memory was touched without naming whose memory it is."""


class Corrupt(MemoryServerError):
    """The file of a workspace is damaged; it is kept and set aside."""


def locate_error(error: BaseException) -> str:
    """Return type, file and line of an error; never its message, which may hold a text of a chat."""
    frames = traceback.extract_tb(error.__traceback__)
    last = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{last}"
