"""Loads the protocol's library without cryptography, 17 MB on the disk and 7 in memory that no client calls.

Its clients import its servers, which seal with it what they hand to those who call them.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final

_SEALS: Final = {
    "cryptography.exceptions": "InvalidTag",
    "cryptography.hazmat.primitives.ciphers.aead": "AESGCM",
    "cryptography.hazmat.primitives.hashes": "SHA256",
    "cryptography.hazmat.primitives.kdf.hkdf": "HKDF",
}
"""What the library's servers take from which of its modules."""


@contextmanager
def sealing_nothing() -> Iterator[None]:
    """Let empty modules stand for those of cryptography that are not loaded, for as long as something is imported."""
    stand_ins = {name: ModuleType(name) for name in _SEALS if name not in sys.modules}
    for name, module in stand_ins.items():
        setattr(module, _SEALS[name], type(_SEALS[name], (), {}))
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]
