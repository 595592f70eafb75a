"""Takes secrets out of a text before it is stored, indexed, logged or shown.

What never was stored cannot leak.  Precision matters as much as recall: a booking code or a PIN *hint* is what people
want remembered, so every rule asks for a checksum, an issuer's prefix, entropy beside a telling word, or a sentence
that tells a password.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.memory.secrets.folding import Finding, fold_spelling
from bot.memory.secrets.seed_phrases import find_seed_phrases
from bot.memory.secrets.shapes import find_shaped_secrets
from bot.memory.secrets.words import told_secrets

_RECENT: Final = 8
"""Texts kept with what was found in them: one turn asks several times about the same message."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets; ``kinds`` names what was taken out, in order, each once ("API key", "password")."""

    text: str
    kinds: tuple[str, ...] = ()


@lru_cache(maxsize=_RECENT)
def redact(text: str) -> Redacted:
    """Return ``text`` with every secret replaced by ``[redacted: kind]``; redacting twice changes nothing more."""
    plain = fold_spelling(text)
    found = {*find_shaped_secrets(plain.text), *told_secrets(plain.text), *find_seed_phrases(plain.text)}
    if not found:
        return Redacted(text)
    findings = [Finding(*plain.span(one.start, one.end), one.kind) for one in found]
    pieces: list[str] = []
    kinds: dict[str, None] = {}
    end = 0
    for finding in _apart(sorted(findings, key=lambda f: (f.start, -f.end))):
        pieces += (text[end : finding.start], f"[redacted: {finding.kind}]")
        kinds[finding.kind] = None
        end = finding.end
    return Redacted("".join((*pieces, text[end:])), tuple(kinds))


def is_redacted(text: str) -> bool:
    """Return whether something was taken out of ``text``."""
    return "[redacted: " in text


def _apart(findings: list[Finding]) -> list[Finding]:
    """Join findings that overlap; the first names the kind."""
    apart: list[Finding] = []
    for finding in findings:
        if apart and finding.start < apart[-1].end:
            last = apart.pop()
            finding = Finding(last.start, max(last.end, finding.end), last.kind)  # noqa: PLW2901  the joined one
        apart.append(finding)
    return apart
