"""Requests in German to forget something."""

from __future__ import annotations

from typing import Final

from language.forgetting import ForgettingPatterns
from language.words import word_set

_OBJECT: Final = r"(?P<object>.{1,500}?)\s"
"""Stands before the verb: a question, a wish and a bare request put it last."""
_INFINITIVE: Final = "(?:vergessen|löschen|entfernen)"
_END: Final = r"\s{0,3}[.!]{0,9}$"

FORGETTING: Final = ForgettingPatterns(
    please="bitte",
    requests=(
        (
            rf"(?:(?:vergiss|vergesst|lösche?|löscht|entferne?|entfernt)|{_INFINITIVE} sie)\b"
            r"(?P<object>.{1,500})"
        ),
        rf"(?:kannst|könntest|würdest) du\s{{1,3}}{_OBJECT}{_INFINITIVE}\b",
        rf"(?:können|könnten|würden) sie\s{{1,3}}{_OBJECT}{_INFINITIVE}\b",
        rf"ich (?:möchte|will), dass (?:du|sie)\s{{1,3}}{_OBJECT}(?:vergisst|löschst|entfernst|{_INFINITIVE})\b",
        rf"(?<=bitte )(?P<object>[^,:]{{1,500}}?)\s{_INFINITIVE}{_END}",
        rf"(?P<object>[^,:]{{1,500}}?)\sbitte\s{_INFINITIVE}{_END}",
    ),
    favours="kannst|könntest|können|könnten|würdest|würden",
    about="über|von",
    ours=r"mein\w{0,2}|unser\w{0,2}|alles|was|dass",
    clauses="dass|was|wo|wer|wie",
    denials=r"\b(?:nicht|nichts|nie|niemals|kein\w{0,2}|außer)\b",
    from_memory="aus (?:dem|deinem) gedächtnis",
    empty_words=word_set(
        """
        alles bitte doch mal einfach wieder jetzt ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen
        der die das den dem des dass daß ein eine einen einem einer eines dies diese diesen dieser dieses was wer wo wie
        mein meine meinen meinem meiner meines unser unsere unseren unserem unserer dein deine deinen und oder in im an
        am auf aus bei mit nach von vom zu zum zur über um für habe hast haben bist ist sind
        """
    ),
    sweeping_words=word_set("alles"),
)
