"""Requests in German to forget something."""

from __future__ import annotations

from typing import Final

from language.forgetting import ForgettingPatterns
from language.words import word_set

_OBJECT: Final = r"(?P<object>.{1,500}?)\s"
"""Stands before the verb: a question, a wish and a bare request put it last."""
_INFINITIVE: Final = "(?:vergessen|löschen|entfernen)"
_MEMORY: Final = (
    r"(?:(?:dein(?:em|en|er)?|dem|den|ihrem|ihren)\s)?(?:gedächtnis|speicher|notizen|erinnerung(?:en)?|"
    r"unterlagen|daten)\b"
)
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
    orders=(
        (
            r"(?:vergiss|vergesst|vergessen sie|tilge?|streiche?|verwirf)\b(?!\s+(?:es|das)\s{0,3}(?:[.,!]|"
            r"$)|.{0,60}\b(?:nicht|nie)\b)"
            r"(?P<object>.{1,300})"
        ),
        (
            r"(?:nimm|nehmt|nehmen sie|streiche?|wirf|lösche?|entferne?|tilge?|"
            r"hole?)\b(?P<object>.{1,300}?)\s(?:aus|von|in)\s"
            rf"{_MEMORY}"
        ),
        (
            r"(?!ich\b)(?P<object>(?:(?!\b(?:wir|er|sie|man|nicht|nie|zu)\b).){1,300}?)[:,]?\s(?:[–—-]\s)?"
            rf"(?:(?:bitte|darfst du|kannst du|sollst du|könntest du|würdest du|darf|kann|soll|aus {_MEMORY})\s){{1,3}}"
            r"(?:wieder\s)?(?:vergessen|löschen|streichen|tilgen|entfernen|rauswerfen|wegwerfen)\b"
        ),
        r"(?P<object>alles(?:\s\w+){0,4}?)\s(?:vergessen|löschen)\s{0,3}(?:[.!]|$)",
        r"wirf\b(?P<object>.{1,200}?)\sweg\b",
        r"(?P<object>.{1,200}?)\s(?:[–—-]\s)?(?:behalte?|merke?|speichere?) (?:dir )?(?:das|es|sie|ihn) nicht\b",
        (
            rf"(?P<object>(?:(?!\b(?:ich|wir|er|sie|man)\b).){{1,300}}?)\s(?:nehme?|"
            rf"nimm)\s(?:ich\s)?(?:zurück|(?:bitte\s)?aus {_MEMORY})"
        ),
        (
            r"(?:kannst|könntest|würdest|können|könnten|würden) (?:du|sie)\b(?P<object>(?:(?!\bnicht\b).){1,300}?)\s"
            r"(?:vergessen|löschen|streichen|tilgen)\b"
        ),
        r"(?:merke?|behalte?|speichere?)\s(?:dir\s)?(?P<object>.{1,200}?)\snicht (?:mehr|länger|weiter)\b",
        r"(?P<object>.{1,200}?)\ssollst du (?:dir )?nicht (?:mehr )?(?:merken|wissen|behalten|speichern)\b",
        (
            r"ich (?:möchte|will) nicht,? dass du\b(?P<object>.{1,200}?)\b"
            r"(?:weißt|weisst|merkst|behältst|speicherst)\b"
        ),
        r"ich (?:möchte|will) nicht,? dass du (?:weiter |noch |länger )?(?:weißt|weisst),?(?P<object>.{1,200})",
        (
            r"(?:lösche?|streiche?|entferne?)\s(?=(?:(?:die|diese|meine|den|alle|das)\s)?(?:\w+\s)?"
            r"(?:notiz\w*|erinnerung\w*|eintr\w+)\b)(?P<object>.{1,300})"
        ),
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
