"""Sentences of a document as quotations: speaker, date, words.

An exchange is rendered as ``Ref: … / Date: … / Skill: … / User (Anna): … / Assistant: …``; any other text is one voice
without a name.  Each sentence becomes a quotation that stands on its own: speaker, date, words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from language.sentences import split_sentences as split

LONGEST = 280
"""Characters of a quotation; what is longer is cut at a word."""

_HEADER = re.compile(r"^(Ref|Date|Skill): (.*)$")
_VOICE = re.compile(r"^(?:User \(([^)\n]{0,80})\)|User|Assistant): ?")
_LIST_MARK = re.compile(r"^\s*(?:[-*•>#]+|\d{1,2}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence.  ``speaker`` is a name, "Assistant" or "" when nobody is named; ``date`` as the document has it."""

    text: str
    speaker: str
    date: str

    @property
    def quoted(self) -> str:
        """The sentence with who said it and when."""
        text = self.text if len(self.text) <= LONGEST else self.text[:LONGEST].rsplit(" ", 1)[0] + "…"
        if not self.speaker:
            return text
        return f"{self.speaker} ({self.date}): {text}" if self.date else f"{self.speaker}: {text}"


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a document in order."""
    date, speaker = "", ""
    found: list[Sentence] = []
    body: list[str] = []

    def finish() -> None:
        found.extend(Sentence(part, speaker, date) for part in _split("\n".join(body)))
        body.clear()

    fenced, headed = False, True
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if headed and (header := _HEADER.match(line)):
            date = header[2][:10] if header[1] == "Date" else date
            continue
        voice = _VOICE.match(line)
        if voice and not fenced:
            finish()
            headed = False
            speaker = voice[1] or ("Assistant" if line.startswith("Assistant") else "User")
        said = line[voice.end() :] if voice and not fenced else line
        if said.strip():
            body.append(said)
    finish()
    return found


def _split(text: str) -> list[str]:
    stripped = (_LIST_MARK.sub("", part).strip() for part in split(text))
    return [part for part in stripped if part]
