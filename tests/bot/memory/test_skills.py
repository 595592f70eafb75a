"""The skill that a message calls for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.memory.skills import choose_skill
from tests.cases import each_row


@dataclass(frozen=True)
class Card:
    """A skill as the choice sees it."""

    name: str
    description: str


DEVOPS = Card("devops", "Deploys services with Docker Compose, health checks and rollbacks.")
NOTES = Card(
    "meeting-notes", "Minutes of a meeting: decisions, action items, owners. Протокол встречи, решения и задачи."
)
SKILLS = (DEVOPS, NOTES)


@each_row(
    ("text", "sticky", "chosen"),
    [
        ("/skill off", "devops", DEVOPS),
        ("/skill meeting-notes", "off", None),
        ("Deploy using Docker Compose with health checks", "", DEVOPS),
        ("Write meeting notes, please", "", NOTES),
        ("Оформи протокол: решения, задачи", "", NOTES),
        ("ask our devops team", "", DEVOPS),
        ("Where does Vera live?", "", None),
        ("Where does Vera live?", "devops", DEVOPS),
        ("the meeting is at five", "", None),
        ("my health is fine", "", None),
        ("what decisions and action items?", "devops", NOTES),
        ("Deploy using Docker Compose", "off", None),
        ("go on", "removed-skill", None),
        ("", "", None),
    ],
)
def test_a_skill_is_chosen_by_name_by_topic_or_stays(text: str, sticky: str, chosen: Card | None) -> None:
    """What the message is about wins, then the active one; "off" holds, and a command is not obeyed here."""
    assert choose_skill(text, SKILLS, sticky) == chosen
