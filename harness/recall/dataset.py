"""Reads conversations in the LoCoMo format, repairing what is dirty and counting what is not repairable.

Format: a list of ``{sample_id, conversation: {speaker_a, speaker_b, session_1_date_time, session_1: [{speaker,
dia_id, text, blip_caption?}]}, qa: [{question, evidence, category}]}`` (Maharana et al. 2024).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

_DATE_FORMATS: Final = (
    "%I:%M %p on %d %B, %Y",
    "%Y/%m/%d (%a) %H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d",
    "%d %B, %Y",
    "%d %B %Y",
    "%B %d, %Y",
)
_SESSION: Final = re.compile(r"session_(\d+)")
_EVIDENCE: Final = re.compile(r"[A-Z]*:?\d+:\d+")
_ASSISTANTS: Final = frozenset({"assistant", "bot", "ai", "system", "model", "chatgpt", "gpt"})
_NO_DATE: Final = datetime(2024, 1, 1, 9, tzinfo=UTC)

Json = Any  # the file's content is checked field by field


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of a conversation."""

    id: str
    speaker: str
    text: str
    session: int
    at: datetime

    @property
    def by_assistant(self) -> bool:
        return self.speaker.casefold() in _ASSISTANTS


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question, the ids of the turns that answer it, its number in the file, and who asks ("" for nobody there)."""

    index: int
    text: str
    evidence: tuple[str, ...]
    category: str
    asker: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in order, and questions about them."""

    name: str
    said: tuple[Said, ...]
    questions: tuple[Labelled, ...]


@dataclass(slots=True)
class Repairs:
    """What had to be done to the labels."""

    repaired: int = 0
    dropped: int = 0
    without_evidence: int = 0
    undated_sessions: int = 0
    unread_dates: list[str] = field(default_factory=list)


def load(path: Path) -> tuple[tuple[Conversation, ...], Repairs]:
    """Return the conversations of a file and what was repaired in them."""
    repairs = Repairs()
    content = json.loads(path.read_text(encoding="utf-8"))
    samples = content if isinstance(content, list) else [content]
    return tuple(_conversation(sample, place, repairs) for place, sample in enumerate(samples)), repairs


def _conversation(sample: Json, place: int, repairs: Repairs) -> Conversation:
    said = tuple(_turns(sample["conversation"], repairs))
    known = {_plain(turn.id): turn.id for turn in said}
    human = {turn.speaker for turn in said if not turn.by_assistant}
    asker = next(iter(human)) if len(human) == 1 and any(turn.by_assistant for turn in said) else ""
    questions = tuple(
        _question(entry, index, known, asker, repairs) for index, entry in enumerate(sample.get("qa", []))
    )
    return Conversation(str(sample.get("sample_id", place)), said, questions)


def _turns(conversation: Json, repairs: Repairs) -> Iterator[Said]:
    numbers = sorted(
        int(match[1])
        for key, value in conversation.items()
        if (match := _SESSION.fullmatch(key)) and isinstance(value, list)
    )
    at = _NO_DATE
    for number in numbers:
        read = _date(conversation.get(f"session_{number}_date_time"), repairs)
        at = read or at + timedelta(days=1)
        for place, turn in enumerate(conversation[f"session_{number}"]):
            text = str(turn.get("text") or turn.get("clean_text") or "")
            if turn.get("blip_caption"):
                text = f"{text} [photo: {turn['blip_caption']}]".strip()
            identity = str(turn.get("dia_id") or f"D{number}:{place + 1}")
            yield Said(identity, str(turn["speaker"]), text, number, at + timedelta(seconds=30 * place))


def _date(written: Json, repairs: Repairs) -> datetime | None:
    if not written:
        repairs.undated_sessions += 1
        return None
    text = re.sub(r"\s+", " ", str(written)).strip()
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(text.replace(" am ", " AM ").replace(" pm ", " PM "), form).replace(tzinfo=UTC)
        except ValueError:  # the next format may fit
            continue
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        repairs.unread_dates.append(text)
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _question(entry: Json, index: int, known: dict[str, str], asker: str, repairs: Repairs) -> Labelled:
    labels = entry.get("evidence_clean", entry.get("evidence")) or []
    evidence: list[str] = []
    for label in [labels] if isinstance(labels, str) else labels:
        parts = [str(label)] if _plain(str(label)) in known else _EVIDENCE.findall(str(label))
        found = [known[_plain(part)] for part in parts if _plain(part) in known]
        repairs.dropped += max(len(parts), 1) - len(found)
        repairs.repaired += sum(turn != label for turn in found)
        evidence += found
    if not evidence:
        repairs.without_evidence += 1
    return Labelled(
        index=index,
        text=str(entry["question"]),
        evidence=tuple(dict.fromkeys(evidence)),
        category=str(entry.get("category", "")),
        asker=str(entry.get("asker", asker)),
    )


def _plain(label: str) -> str:
    """Return a label in one spelling: "D:11:26", "D30:05" and "d30:5" name what they mean."""
    numbers = re.findall(r"\d+", label)
    return ":".join(str(int(number)) for number in numbers) if numbers else label.strip().casefold()
