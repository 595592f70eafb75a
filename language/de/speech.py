"""Patterns of German speech acts."""

from __future__ import annotations

from typing import Final

from language.speech import SpeechPatterns

_ASKED: Final = (
    r"(?:,\s*)?\s*(?:(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|wegen)\s+)?"
    r"(?:ob|was|wo|wohin|woher|womit|wann|wer|wen|wem|wessen|warum|wieso|weshalb|wie|welche[mnrs]?)\b"
)
_INTERROGATIVE: Final = r"(?:wo|wohin|woher|womit|wann|wer|wen|wem|wessen|warum|wieso|weshalb|wie|welche[mnrs]?)"
_PERSON: Final = r"(?:ich|du|er|sie|es|wir|ihr|man)"
_CAN_YOU: Final = r"(?:(?:kannst|könntest|würdest|magst|können|könnten|würden)\s+(?:du|sie)\s+)"
_LITTLE: Final = r"(?:\s+(?:bitte|mal|doch|dir|mir|das|es|auch|nochmal))*"

SPEECH: Final = SpeechPatterns(
    # "übrigens" and its like only before a sign: otherwise the verb follows, and the clause begins with them
    openers=(
        r"und|aber|oder|ach(?:\s+(?:ja|so|übrigens))?|na(?:\s+(?:ja|gut))?|naja|tja|ja|nein|nee|nö|genau|klar|ähm?|hm|"
        r"ps|(?:übrigens|außerdem|eigentlich|apropos|jedenfalls|nebenbei(?:\s+bemerkt)?|hör mal|wei(?:ß|ss)t du was|"
        r"kleine info|info|update|korrektur|falsch|stimmt|wie gesagt|nur so nebenbei|"
        r"(?:das\s+)?stimmt\s+(?:so\s+|ja\s+|doch\s+)?nicht(?:\s+mehr)?)(?=\s*[,:;–—-])"
    ),
    greetings=r"hallo|hallöchen|moin|servus|guten (?:morgen|tag|abend)|grüß (?:gott|dich|euch)|liebe grüße",
    not_addressed=(
        r"ich|du|wir|er|es|sie|mein\w*|unser\w*|ist|sind|bin|war|hat|habe|aus|oder|aber|wenn|wo|was|wer|wie|wann|warum"
    ),
    self_subjects=r"ich|mein\w*|wir|unser\w*",
    please=r"bitte,?\s+",
    halts=(
        r"stopp?|halt|hör(?:en sie)?(?: bitte)? auf|aufhören|es reicht|das reicht|genug|abbrechen|abbruch|"
        r"brich(?: das)? ab|sei still|schluss(?: jetzt)?"
    ),
    keeps=(
        rf"{_CAN_YOU}(?:dir\s+)?(?:bitte\s+)?(?:dir\s+)?(?:merken|notieren|aufschreiben|daran denken|im kopf behalten)"
        rf"|(?:merke?|notiere?|schreib)\s+(?:dir|mir|es dir){_LITTLE}(?:\s+auf)?|merken sie "
        rf"sich(?:\s+bitte)?|notiere?(?:\s+bitte)?"
        rf"|(?:speichere?|vermerke?|schreibe?|halte?|nimm|ergänze?|füge?){_LITTLE}(?:\s+(?:auf|fest|hinzu|"
        rf"ab|ein))?(?=,?\s+da(?:ss|ß)\b|\s*:)"
        rf"|(?:speichere?|vermerke?){_LITTLE}|behalte?{_LITTLE}\s+im (?:kopf|hinterkopf)"
        r"|(?:nimm|schreib|leg|speichere?)\s+(?:(?:bitte|das|es)\s+)?(?:in|auf in) (?:dein(?:e|em|en)?|"
        r"das) (?:gedächtnis|notizen|speicher)"
        r"(?:\s+auf)?|nimm (?:bitte )?in dein gedächtnis auf|(?:bitte\s+)?(?:notieren|merken|festhalten|"
        r"speichern|aufschreiben|nicht vergessen)(?=\s*:|,?\s+da(?:ss|ß)\b)"
        r"|ergänze? (?:in dem|das),? was du (?:über mich|von mir) wei(?:ß|ss)t|(?:nur )?für (?:später|die "
        r"akten)|merksatz"
        r"|denke?\s+(?:bitte\s+)?(?:daran|dran)(?=,?\s+dass)|vergiss(?:\s+bitte)?\s+nicht(?=,?\s+dass)"
        r"|(?:nur\s+)?damit du(?:\s+es)?\s+wei(?:ß|ss)t|(?:nur\s+)?zur info(?:rmation)?|fürs protokoll"
        r"|du (?:solltest|musst)\s+wissen|ich (?:will|möchte),?\s+dass du wei(?:ß|ss)t|wichtig(?=\s*:)"
    ),
    that=r"da(?:ss|ß)\s+",
    keeps_by_question=rf"(?:bitte\s+)?{_CAN_YOU}.*(?:\bda(?:ss|ß)|:)\s*$",
    not_kept=rf"wann|wo|wer|wen|wem|wie|warum|wieso|ob|wohin|woher|welche[mnrs]?|was\s+{_PERSON}",
    questions=(
        rf"(?!wie\s+(?:gesagt|immer|versprochen|besprochen|gewünscht|erwartet)\b)"
        rf"(?:{_INTERROGATIVE}\b(?!\s+{_PERSON}\b)(?![^,\n]*+,)"
        r"|wie\s+(?:viele?|alt|lange|oft|weit|groß|hoch|teuer|spät|hei(?:ß|ss)t|geht)\b"
        r"|was\s+(?:ist|sind|hat|hatte|haben|habe|hast|mag|magst|mache?|machst|macht|kostet|isst|trinkt|bedeutet|soll|"
        r"sollen|kann|kannst|wei(?:ß|ss)t|gibt|für|passiert|fährt|studiert|arbeitet|hei(?:ß|ss)t|\w+st\s+du)\b"
        r"|was\s+\w+\s+(?:ich|wir)\b(?![^,\n]*+,)"
        r"|(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|bei|nach|über|ab)\s+(?:welche[mnrs]?|wem|wen|wann|was für|"
        r"wie viel\w*)\b"
        r"|(?:ist|sind|bist|hat|haben|hast|wohnt|wohnst|lebt|lebst|arbeitet|arbeitest|mag|magst|kennst|kann|darf|"
        r"soll|muss|hei(?:ß|ss)t|isst|trinkt|spielt|gibt|geht|kommt|wei(?:ß|ss)t|erinnerst|habe|war|wird)\s+"
        r"(?:du|er|sie|es|ich|wir|ihr|mein\w{0,2}|dein\w{0,2}|unser\w{0,2}|der|das|ein\w{0,2})\b"
        r"|(?:ist|sind|wohnt|lebt|arbeitet|hei(?:ß|ss)t|isst|trinkt)\s+(?-i:[A-ZÄÖÜ])\w+)"
    ),
    wondering=(
        rf"ich\s+(?:frage|fragte|hab(?:e)?)\s+mich(?:\s+\w+){{0,2}}{_ASKED}"
        r"|ich\s+(?:würde|möchte|will|wollte|wüsste|muss)(?:\s+(?:gern\w*|mal|nur|auch|bitte|doch)){0,3}"
        rf"(?:\s+(?:wissen|fragen|erfahren))?{_ASKED}"
        r"|mich\s+(?:würde\s+)?interessier(?:t|te|en)(?:\s+(?:mal|auch|sehr))?"
        rf"{_ASKED}|mich\s+würde(?:\s+\w+)?\s+interessieren{_ASKED}"
        rf"|(?:ich\s+hab(?:e)?\s+)?(?:überhaupt\s+)?keine\s+ahnung(?:\s+mehr)?{_ASKED}"
        rf"|(?:eine\s+|kleine\s+|kurze\s+)*frage\s*[:,]"
    ),
    commands=(
        rf"(?:sag|zeig|nenn|gib|erzähl)e?{_LITTLE}\s+(?:mir|uns)\b|erinner(?:e|n sie)?\s+(?:mich|uns)\b|hilf\b|"
        r"vergiss\b(?!.{0,80}\b(?:nicht|nie)\b)|"
        r"(?:erkläre?|schreibe?|übersetze?|berechne|beschreibe?|vergleiche?|erstelle?|generiere?|entwirf|"
        r"lösche?|entferne?|"
        r"suche?|finde?|öffne|starte|prüfe?|fass|liste|buche?|bestelle?|kaufe?|mach|stelle?|rechne|zähle?|lies|kürze?|"
        r"verbessere?|empfiehl|schlage?|sortiere?|spiele?|ruf|schick)\s+(?!(?:ich|er|sie|es|wir)\b)"
        r"(?:mir|mich|uns|bitte|mal|doch|den|die|das|dem|der|ein\w{0,2}|mein\w{0,2}|unser\w{0,2}|alle|"
        r"diese\w?|folgende\w?|"
        r"meine|nach|auf|zusammen|noch|was|etwas)\b"
    ),
    wishes=(
        r"bitte\b|(?:kannst|könntest|würdest|willst|magst)\s+du\b|(?:können|könnten|würden)\s+sie\b|"
        r"ich\s+(?:will|möchte|hätte gern\w*|wünsche mir|bitte dich|bitte sie)\s*,?\s+dass\s+(?:du|sie)\b|"
        r"es wäre (?:\w+\s+)?(?:schön|nett|gut|toll|lieb),?\s+wenn (?:du|sie)\b|"
        r"(?:erinner|sag|zeig|gib|erklär|übersetz|schreib|such|find|hilf|erzähl|buch|bestell|ruf|schick|"
        r"stell|mach|weck|"
        r"berechne|beschreib|vergleich|lies)e?\s+(?:sie\s+)?"
        r"(?:mir|mich|uns|bitte|mal|doch|das|die|den|dem|einen?|ein)\b|"
        r"lass(?:t)?\s+uns\b|vergiss\s+(?:bitte\s+)?(?:nicht\b|mein\w*\b|das\b)"
    ),
    asks_memory=(
        rf"(?:{_CAN_YOU}(?:mir\s+)?(?:bitte\s+)?(?:sagen|verraten)|(?:sag|zeig|verrat|erzähl|nenn)e?{_LITTLE}),?\s+"
        r"(?:(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|bei|über)\s+)?"
        r"(?=(?:was|wo|wann|wer|wen|wem|wie|ob|warum|welche|von|über|mein|unser)\w*\b)"
        r"|erinner(?:e)?\s+mich(?:\s+bitte)?,?\s+(?:daran,?\s+)?(?=(?:wo|wann|wer|wie|was|welche)\w*\b)"
        r"|wei(?:ß|ss)t du(?:\s+noch)?\b|erinnerst du dich\b|(?:und\s+)?was ist mit\b"
    ),
    supposes=(
        r"wenn|angenommen|nehmen wir (?:mal )?an|stell(?:t|e|en sie)? (?:dir|euch|sich)(?: mal)? vor|"
        rf"falls\s+(?:{_PERSON}|der|die|das|mein\w*|jemand)|(?:hätte|wäre|könnte|würde|wär|hätt)\s+{_PERSON}"
    ),
    suppositions=(
        *("ich wünschte", "wenn ich nur", "würde gern", "würde gerne", "hätte gern", "hätte gerne", "wäre schön"),
        *("wenn du", "zum beispiel", "nur ein scherz", "nur spass", "hätte ich", "wäre ich"),
        *("könnte ich", "würde ich", "wäre gern", "wäre gerne"),
    ),
    hedges=(
        r"vielleicht|möglicherweise|wahrscheinlich|vermutlich|ich glaube|glaube ich|ich denke|denke ich|ich vermute|"
        r"nicht (?:ganz )?sicher|scheint|scheinbar|anscheinend|angeblich|offenbar|eventuell|evtl|könnte sein|kann sein"
    ),
)
