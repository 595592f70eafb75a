"""Question words of German."""

from __future__ import annotations

from typing import Final

from language.interrogatives import Interrogatives

INTERROGATIVES: Final = Interrogatives(
    when="wann|seit wann|wie lange|in welchem|an welchem",
    how_many="wie (?:viele?|oft|alt|lange)",
    named="wo|wohin|woher|wer|wen|wem|heißt|namen?",
    why=r"warum|weshalb|wieso|fühl\w*",
    several="wie (?:viele|oft)",
    advice=(
        r"wie (?:kann|könnte|soll|sollte|muss|mache|würdest|können|sollten) (?:ich|wir|man|du)|hilf (?:mir|uns)|"
        r"(?:soll|sollte|sollen|sollten|kann|könnte) (?:ich|wir|man)|(?:tipps?|ideen|vorschläge|ratschläge)|"
        r"(?:empfiehlst|rätst|würdest) du|schlägst du|welche \w+ gibt es|was gibt es für|"
        r"(?:zeig|zeige|erklär|erkläre) (?:mir|uns)|ich (?:plane|versuche|habe vor|bin dabei)"
    ),
    advice_begin=(
        r"(?:bitte )?(?:erklär|empfiehl|schreib|entwirf|plane|vergleiche|erstelle|mach|schlag)e?|bitte|"
        r"(?:kannst|könntest|würdest|können|könnten) (?:du|sie)"
        r"(?! (?:\w+ )*?(?:erinnern|daran|sagen, (?:was|wann|wo|wer|wie viele?)))"
    ),
    several_begin="welche[nr]?",
)
