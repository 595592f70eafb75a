"""What German sentences do."""

from __future__ import annotations

from typing import Final

from language.speech import SpeechPatterns

_ASKED: Final = (
    r"(?:,\s*)?\s*(?:(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|wegen)\s+)?"
    r"(?:ob|was|wo|wohin|woher|womit|wann|wer|wen|wem|wessen|warum|wieso|weshalb|wie|welche[mnrs]?)\b"
)

SPEECH: Final = SpeechPatterns(
    greetings=r"hallo|moin|servus|guten (?:morgen|tag|abend)|grüß (?:gott|dich|euch)",
    not_addressed=(
        r"ich|du|wir|er|es|sie|mein\w*|unser\w*|ist|sind|bin|war|hat|habe|aus|oder|aber|wenn|wo|was|wer|wie|wann|warum"
    ),
    self_subjects=r"ich|mein\w*|wir|unser\w*",
    wondering=(
        rf"ich\s+(?:frage|fragte|hab(?:e)?)\s+mich(?:\s+\w+){{0,2}}{_ASKED}"
        r"|ich\s+(?:würde|möchte|will|wollte|wüsste|muss)(?:\s+(?:gern\w*|mal|nur|auch|bitte|doch)){0,3}"
        rf"(?:\s+(?:wissen|fragen|erfahren))?{_ASKED}"
        r"|mich\s+(?:würde\s+)?interessier(?:t|te|en)(?:\s+(?:mal|auch|sehr))?"
        rf"{_ASKED}|mich\s+würde(?:\s+\w+)?\s+interessieren{_ASKED}"
        rf"|(?:ich\s+hab(?:e)?\s+)?(?:überhaupt\s+)?keine\s+ahnung{_ASKED}"
    ),
    wishes=(
        r"bitte\b|(?:kannst|könntest|würdest|willst|magst)\s+du\b|(?:können|könnten|würden)\s+sie\b|"
        r"ich\s+(?:will|möchte|hätte gern\w*|wünsche mir|bitte dich|bitte sie)\s*,?\s+dass\s+(?:du|sie)\b|"
        r"es wäre (?:\w+\s+)?(?:schön|nett|gut|toll|lieb),?\s+wenn (?:du|sie)\b|"
        r"(?:erinner|sag|zeig|gib|erklär|übersetz|schreib|such|find|hilf|erzähl|buch|bestell|ruf|schick|stell|mach|weck|"
        r"berechne|beschreib|vergleich|lies)e?\s+(?:sie\s+)?"
        r"(?:mir|mich|uns|bitte|mal|doch|das|die|den|dem|einen?|ein)\b|"
        r"lass(?:t)?\s+uns\b|vergiss\s+(?:bitte\s+)?(?:nicht\b|mein\w*\b|das\b)"
    ),
)
