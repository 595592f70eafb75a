"""What a message in German is: a statement, a question, small talk, or something pasted."""

from typing import Final

from language.speech import LinkWords, PastingWords, SmallTalk, SpeechPatterns, phrases
from language.words import word_set

_WHERE: Final = r"wo(?:hin|her|r(?:an|auf|aus|in|über|um|unter)|mit|zu|durch|bei|von|vor|für|gegen|nach)?"
_INTERROGATIVE: Final = rf"(?:{_WHERE}|wann|wer|wen|wem|wessen|warum|wieso|weshalb|wie|welche[mnrs]?)"
_ASKED: Final = rf"(?:,\s*)?\s*(?:(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|wegen)\s+)?(?:ob|was|{_INTERROGATIVE})\b"
_PERSON: Final = r"(?:ich|du|er|sie|es|wir|ihr|man)"
_CAN_YOU: Final = r"(?:(?:kannst|könntest|würdest|magst|können|könnten|würden)\s+(?:du|sie)\s+)"
_LITTLE: Final = r"(?:\s+(?:bitte|mal|doch|dir|mir|das|es|auch|nochmal))*"

SPEECH: Final = SpeechPatterns(
    # "übrigens" and its like only before a sign: otherwise the verb follows, and the clause begins with them
    openers=(
        r"omg|boah|uff|puh|oje|ohje|och|hach|juhu|hurra|haha|lol|hmm|öhm|"
        r"und|u|aber|oder|ach(?:\s+(?:ja|so|übrigens))?|na(?:\s+(?:ja|gut))?|naja|tja|ja|nein|nee|nö|genau|klar|ähm?|hm|"
        r"ps|(?:übrigens|außerdem|eigentlich|apropos|jedenfalls|nebenbei(?:\s+bemerkt)?|hör mal|"
        r"kleine info|info|update|korrektur|falsch|stimmt|wie gesagt|nur so nebenbei|"
        r"(?:das\s+)?stimmt\s+(?:so\s+|ja\s+|doch\s+)?nicht(?:\s+mehr)?)(?=\s*[,:;–—-])"
    ),
    announces=(
        rf"(?:wei(?:ß|ss)t du|wisst ihr|wissen sie)(?: was|(?=, (?!(?:ob|was|da(?:ss|ß)|{_INTERROGATIVE}|"
        r"(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|bei) w\w+)\b)))|rate?t? mal"
    ),
    tells_as_news=(
        r"(?:wu(?:ss|ß)te?st du|wu(?:ss|ß)tet ihr|wu(?:ss|ß)ten sie|wei(?:ss|ß)t du|wi(?:ss|ß)t ihr|wissen sie|"
        r"(?:hast du|habt ihr|haben sie)"
        r"(?: (?:schon|eigentlich))? gehört|(?:kannst du(?: dir)?|könnt ihr(?: euch)?|können sie(?: sich)?)"
        r"(?: das)? (?:vorstellen|glauben))(?: (?:schon|eigentlich|übrigens|überhaupt))?,? da(?:ss|ß|s)"
    ),
    asks_if_told=(
        r"(?:hab(?:e)? ich(?: (?:dir|euch|ihnen))?|ich hab(?:e)?(?: (?:dir|euch|ihnen))?)(?: (?:schon|eigentlich|mal))*"
        r" (?:erzählt|gesagt|erwähnt),? da(?:ss|ß|s)"
    ),
    riddles=rf"rate?t? mal,? (?:was|{_INTERROGATIVE})\b|"
    r"weißt du,? we(?:r|n|m|ssen)\b(?=[^?!.]{0,80}\?\s+(?:mein|unser|der|die|das)[^?!.,]{0,40}[!.…]*$)",
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
    lists=(
        r"(?:schreib|setz|pack|füg|trag|notier|nimm|tu)\w{0,2}\s+\S.{0,120}?\s+(?:auf|zu|zur|in|an)\s+(?:\w+\s+){0,3}?"
        r"\w*(?:liste|zettel|kalender)\b|"
        rf"{_CAN_YOU}\S.{{0,120}}?\s+(?:auf|zu|zur|in)\s+(?:\w+\s+){{0,3}}?\w*(?:liste|zettel|kalender)\s+"
        r"(?:schreiben|setzen|packen|hinzufügen|eintragen|nehmen|tun)\b"
    ),
    keeps=(
        rf"{_CAN_YOU}(?:dir\s+)?(?:bitte\s+)?(?:dir\s+)?(?:merken|notieren|aufschreiben|daran denken|im kopf "
        rf"behalten)|(?:merke?|notiere?|schreib)\s+(?:dir|mir|es dir){_LITTLE}(?:\s+auf)?|merken sie "
        r"sich(?:\s+bitte)?|notiere?(?:\s+bitte)?|(?:speichere?|vermerke?|schreibe?|halte?|nimm|ergänze?|füge?)"
        rf"{_LITTLE}(?:\s+(?:auf|fest|hinzu|ab|ein))?(?=,?\s+da(?:ss|ß)\b|\s*:)|(?:speichere?|vermerke?){_LITTLE}|"
        rf"behalte?{_LITTLE}\s+im (?:kopf|hinterkopf)|(?:nimm|schreib|leg|speichere?)\s+(?:(?:bitte|das|es)\s+)?(?:in|"
        r"auf in) (?:dein(?:e|em|en)?|das) (?:gedächtnis|notizen|speicher)(?:\s+auf)?|nimm (?:bitte )?in dein "
        r"gedächtnis auf|(?:bitte\s+)?(?:notieren|merken|festhalten|speichern|aufschreiben|nicht vergessen)"
        r"(?=\s*:|,?\s+da(?:ss|ß)\b)|ergänze? (?:in dem|das),? was du (?:über mich|von mir) wei(?:ß|ss)t|"
        r"(?:nur )?für (?:später|die akten)|merksatz|denke?\s+(?:bitte\s+)?(?:daran|dran)(?=,?\s+dass)|"
        r"vergiss(?:\s+bitte)?\s+nicht(?=,?\s+dass)|(?:nur\s+)?damit du(?:\s+es)?\s+wei(?:ß|ss)t|(?:nur\s+)?zur "
        r"info(?:rmation)?|fürs protokoll|du (?:solltest|musst)\s+wissen|ich (?:will|möchte),?\s+dass du wei(?:ß|ss)"
        r"t|wichtig(?=\s*:)"
    ),
    that=r"da(?:ss|ß)\s+",
    orders_program=(
        r"(?:ignorier|missacht|vergiss|umgeh|übergeh)\w*\b.{0,40}\b(?:anweisung|vorgabe|regel|prompt)\w*|"
        r"(?:sag|sage|teile?|melde|erzähle?) (?:es )?de[mr] (?:nutzer|benutzer|anwender)\w*|"
        r"du bist (?:jetzt |ab jetzt |nun )?ein\w* \w*\s?(?:ki|assistent|bot)\w*|systemprompt"
    ),
    keeps_by_question=rf"(?:bitte\s+)?{_CAN_YOU}.*(?:\bda(?:ss|ß)|:)\s*$",
    not_kept=rf"wann|wo|wer|wen|wem|wie|warum|wieso|ob|wohin|woher|welche[mnrs]?|was\s+{_PERSON}",
    questions=(
        r"(?!wie\s+(?:gesagt|immer|versprochen|besprochen|gewünscht|erwartet)\b)"
        rf"(?:{_INTERROGATIVE}\b(?!\s+{_PERSON}\b)(?![^,\n]*+,)|wie\s?viele?\b|wie\s+(?:alt|lange|oft|weit|groß|hoch|"
        r"teuer|spät|hei(?:ß|ss)t|geht)\b|was\s+(?:ist|sind|war|wurde|hat|hatte|haben|habe|hast|mag|magst|mache?|machst|macht|"
        r"kostet|isst|trinkt|bedeutet|soll|sollen|darf|dürfen|muss|müssen|will|braucht|nimmt|verdient|zahlt|wiegt|"
        r"kann|kannst|wei(?:ß|ss)t|gibt|für|passiert|fährt|studiert|arbeitet|hei(?:ß|ss)t|\w+st\s+du)\b|"
        r"was\s+\w+\s+(?:ich|wir)\b(?![^,\n]*+,)|(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|bei|nach|über|ab)"
        r"\s+(?:welche[mnrs]?|wem|wen|wann|was für|wie\s?viel\w*)\b|(?:ist|sind|bist|hat|haben|hast|wohnt|wohnst|"
        r"lebt|lebst|arbeitet|arbeitest|mag|magst|kennst|kann|darf|soll|muss|hei(?:ß|ss)t|isst|trinkt|spielt|gibt|"
        r"geht|kommt|wei(?:ß|ss)t|erinnerst|war|wird)\s+(?:du|er|sie|es|ich|wir|ihr|mein\w{0,2}|dein\w{0,2}|"
        r"unser\w{0,2}|der|das|ein\w{0,2})\b|(?:\w{2,20}t|mag|darf|kann|soll|muss|will)\s+(?-i:[A-ZÄÖÜ])"
        r"\w+\s+(?:\w+\s+){0,3}?(?:noch|eigentlich|überhaupt)\b(?![^\n]{0,80}\bnicht)|"
        r"(?!(?:da(?:ss|ß)?|weil|wenn|ob|als|wo|wie|was|we[rnm]|und|u|aber|oder|denn|auch|also|damit|bevor|nachdem|"
        r"falls|obwohl|seit|bis|so|nur)\b)[^\W\d_]{2,12}\s+ich\s(?![^\n]{0,80}\bnicht)"
        r"[^\n]{0,80}\b(?:noch|schon|überhaupt|eigentlich)\b|(?:ist|sind|wohnt|lebt|arbeitet|hei(?:ß|ss)t|isst|"
        r"trinkt)\s+(?-i:[A-ZÄÖÜ])\w+)"
    ),
    asks_with=(
        rf"w(?:as|at|ie|er|e[mn]|essen|ann|arum|ieso|eshalb)|{_WHERE}|wie ?viele?|welche[rsmn]?|"
        r"^\w{2,12} (?:ich|wir|er|sie|es|ihr|du)"
    ),
    asks_by_order=(
        r"bin|bist|ist|sind|seid|war(?:en)?|ha(?:t|be?|ben|st|tten?)|kann|können|darf|soll|muss|will|wird|werden|gibt|"
        r"kommt|geht|fährt|macht|steht|stehen|hei(?:ß|ss)t|wohnt|lebt|arbeitet|spielt|isst|trinkt|mag|kostet|braucht|"
        r"liegt|hängt|gehört|nimmt|bekommt|kriegt|gibts"
    ),
    leaves_out_subject=(
        r"(?:habe?|bin|werde?)(?!\s+(?:ich|i|denn|eigentlich)\b)|(?:war|hatte|muss(?:te)?|k[ao]nn(?:te)?|w[io]ll(?:te)?|"
        r"d[au]rf(?:te)?)\s+(?:heute?|gestern|vorgestern|morgen|eben|grade?|gerade|vorhin|jetzt|nur|noch|nicht|nie|"
        r"leider|wieder|nächste\w|letzte\w|i[nm]|a[nm]|bei|beim|mit|nach|von|vom|zum|zur|auf|aus|seit|bis|für|um|über)"
        r"\b(?![^\n]*\b(?:ich|du|er|sie|es|wir|ihr|man|jemand|wer|einer|keiner|schon)\b)"
    ),
    asking=word_set(
        """
        was wo wohin woher womit wann wer wen wem wessen warum wieso weshalb wie welche welcher welches
        welchen welchem viele lange ist sind war hat habe haben kann muss soll heißt wohnt
        """
    ),
    spelled={"wat": "was", "wieviel": "wie viel", "wiviel": "wie viel", "wan": "wann"},
    not_asking=word_set(
        """
        warm wesen wand ware wahr wahn weise weiß wette wir werk wein hass kamm kahn hast mus wasser wonne
        wohl wiese wiesen hafen haken heizt lanze wehen weisen
        """
    ),
    asks_way=r"(?:wie|wo) \w+ (?:ich|wir|man)\b|(?:kann|können|könnte|darf) (?:ich|wir|man)\b",
    wondering=(
        rf"ich\s+(?:frage|fragte|hab(?:e)?)\s+mich(?:\s+\w+){{0,2}}{_ASKED}|ich\s+(?:würde|möchte|will|wollte|wüsste|"
        r"muss)(?:\s+(?:gern\w*|mal|nur|auch|bitte|doch|ja|schon|zu|echt)){0,3}(?:\s+(?:wissen|fragen|erfahren))?"
        rf"{_ASKED}|mich\s+(?:würde\s+)?interessier(?:t|te|en)(?:\s+(?:mal|auch|sehr))?{_ASKED}|"
        rf"mich\s+würde(?:\s+\w+)?\s+interessieren{_ASKED}|"
        rf"(?:ich\s+hab(?:e)?\s+)?(?:überhaupt\s+)?keine\s+ahnung(?:\s+mehr)?{_ASKED}|"
        r"(?:ich\s+)?(?:wei(?:ß|ss)\s+(?:(?:gar|grade?|gerade|leider|echt)\s+)*nicht\s+mehr|"
        r"(?:hab(?:e)?\s+)?(?:(?:ganz|leider|schon|wieder|total)\s+)*vergessen|"
        rf"erinner(?:e)?\s+mich\s+nicht(?:\s+mehr)?|komm(?:e)?\s+(?:\w+\s+)?nicht\s+(?:mehr\s+)?drauf){_ASKED}|"
        rf"mir\s+(?:fällt\s+(?:\w+\s+)?nicht\s+(?:mehr\s+)?ein|ist\s+(?:\w+\s+)?entfallen){_ASKED}|"
        r"(?:eine\s+|kleine\s+|kurze\s+)*frage\s*[:,]"
    ),
    commands=(
        rf"(?:sag|zeig|nenn|gib|erzähl)e?{_LITTLE}\s+(?:mir|uns)\b|erinner(?:e|n sie)?\s+(?:mich|uns)\b|hilf\b|"
        r"vergiss\b(?!.{0,80}\b(?:nicht|nie)\b)|(?:erkläre?|schreibe?|übersetze?|berechne|beschreibe?|vergleiche?|"
        r"erstelle?|generiere?|entwirf|lösche?|entferne?|suche?|finde?|öffne|starte|prüfe?|fass|liste|buche?|"
        r"bestelle?|kaufe?|mach|stelle?|rechne|zähle?|lies|kürze?|verbessere?|empfiehl|schlage?|sortiere?|spiele?|"
        r"ruf|schick)\s+(?!(?:ich|er|sie|es|wir)\b)(?:mir|mich|uns|bitte|mal|doch|den|die|das|dem|der|ein\w{0,2}|"
        r"mein\w{0,2}|unser\w{0,2}|alle|diese\w?|folgende\w?|meine|nach|auf|zusammen|noch|was|etwas)\b"
    ),
    wishes=(
        r"bitte\b|(?:kannst|könntest|würdest|willst|magst)\s+du\b|(?:können|könnten|würden)\s+sie\b|"
        r"ich\s+(?:will|möchte|hätte gern\w*|wünsche mir|bitte dich|bitte sie)\s*,?\s+dass\s+(?:du|sie)\b|es wäre "
        r"(?:\w+\s+)?(?:schön|nett|gut|toll|lieb),?\s+wenn (?:du|sie)\b|(?:erinner|sag|zeig|gib|erklär|übersetz|"
        r"schreib|such|find|hilf|erzähl|buch|bestell|ruf|schick|stell|mach|weck|berechne|beschreib|vergleich|lies)"
        r"e?\s+(?:sie\s+)?(?:mir|mich|uns|bitte|mal|doch|das|die|den|dem|einen?|ein)\b|lass(?:t)?\s+uns\b|"
        r"vergiss\s+(?:bitte\s+)?(?:nicht\b|mein\w*\b|das\b)"
    ),
    asks_memory=(
        rf"(?:{_CAN_YOU}(?:mir\s+)?(?:bitte\s+)?(?:sagen|verraten)|(?:sag|zeig|verrat|erzähl|nenn)e?{_LITTLE})"
        r",?\s+(?:(?:in|an|auf|mit|von|zu|für|seit|bis|um|aus|bei|über)\s+)?(?=(?:was|wo|wann|wer|wen|wem|wie|ob|"
        r"warum|welche|von|über|mein|unser|alle|beide|die|den|das)\w*\b)|erinner(?:e)?\s+mich(?:\s+(?:bitte|mal|doch|"
        r"kurz|nochmal|noch|wieder))*,?\s+(?:daran,?\s+)?(?=(?:wo|wann|wer|wie|was|welche)\w*\b)|wei(?:ß|ss)t "
        r"du(?:\s+noch)?\b|erinnerst du dich\b|(?:und\s+)?was ist mit\b"
    ),
    supposes=(
        r"wenn|angenommen|nehmen wir (?:mal )?an|stell(?:t|e|en sie)? (?:dir|euch|sich)(?: mal)? vor|"
        rf"falls\s+(?:{_PERSON}|der|die|das|mein\w*|jemand)|(?:hätte|wäre|könnte|würde|wär|hätt)\s+{_PERSON}"
    ),
    leaves_open=r"(?:würde|wäre|hätte|könnte|müsst|dürfte|sollte)\w*|wär|hätt|dann\s+(?:noch|auch)",
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


SMALL_TALK: Final = SmallTalk(
    words=word_set(
        """
        hallo hallöchen moin moinmoin servus tschuss tschüss tschüß tschüssi tschau danke dankeschön dankesehr bitte
        bitteschön ja jap jep nein nee nö doch gut prima super klasse spitze klar genau ok okay achso aha ach naja tja
        entschuldigung verstanden stimmt passt gern gerne jawohl natürlich schade echt perfekt wunderbar richtig
        """
    ),
    phrases=phrases(
        """
        weißt du was; weisst du was; rate mal; guten tag; guten morgen; guten abend; gute nacht; auf wiedersehen;
        vielen dank; danke schön; danke sehr; herzlichen dank; besten dank; tausend dank; vergelt's gott; alles klar;
        alles gut; kein problem; kein ding; gern geschehen; nichts zu danken; na klar; na gut; in ordnung; sehr gut;
        ganz gut; passt schon; ach so; ach ja; macht nichts; geht klar; freut mich; das ist schön; das ist gut;
        das freut mich; das stimmt; so ist es; schon gut
        """
    ),
    asks_assistant=(
        r"(?:(?:und|also|so|hey|ok|okay|na|sag mal|sag|sagen sie mal),? )*(?:(?:was|(?:was für|welche) "
        r"(?:sachen|dinge)) (?:kannst|könntest) du(?: mir| uns| denn| so| alles| eigentlich| noch| überhaupt| alles "
        r"so| für mich)*(?: machen| tun| helfen| bieten| anbieten)?|was (?:kann|darf|soll) ich "
        r"dich(?: so| alles| denn)*(?: fragen)|was kann ich (?:hier|mit dir)(?: so| alles)* (?:machen|tun|anfangen)|"
        r"(?:wobei|womit|wie) kannst du(?: mir| uns)?(?: so| denn| alles)* helfen|was (?:bist|machst) "
        r"du(?: denn| so| eigentlich| hier)*|wozu (?:bist|dienst) du(?: da| gut)?|wer hat dich "
        r"(?:gemacht|gebaut|programmiert|entwickelt|erfunden)|bist du (?:denn |eigentlich )?(?:eine? )?(?:echter? )?"
        r"(?:bot|chatbot|roboter|ki|mensch|maschine|programm|assistent|echt)|hast du (?:auch |eigentlich )?einen "
        r"namen|wie alt bist du|kannst du(?: dir| mich| mir)?(?: auch| sachen| dinge| etwas| was| alles)* "
        r"(?:merken|erinnern|helfen|behalten)|wie (?:funktionierst|arbeitest) du|wie (?:geht|funktioniert) "
        r"das(?: hier)?|welche befehle gibt es)"
    ),
    about_assistant=phrases(
        """
        was kannst du; was kannst du alles; was machst du; wer bist du; was bist du; wie heißt du; wie ist dein name;
        hilfe; hilf mir; ich brauche hilfe; wie funktionierst du; wie geht das hier; was können sie; wer sind sie;
        wie heißen sie; kannst du mir helfen; wobei kannst du helfen
        """
    ),
    wellbeing=phrases(
        """
        bist du da; bist du noch da; wie geht's; wie geht's dir; wie gehts; wie gehts dir; wie geht es dir;
        wie geht es ihnen; wie läuft's; alles gut bei dir; was gibt's neues
        """
    ),
    fillers=word_set("dir euch ihnen schön sehr noch mal zusammen für alles und"),
    thanks=word_set("danke dankeschön dank vergelt's"),
    farewells=word_set("tschüss tschüs tschuess tschüssi tschau wiedersehen servus nacht bald"),
    partings=(
        r"(?:(?:einen|ein|eine|noch) ){0,2}sch(?:ö|oe)ne[ns]? (?:rest)?(?:tag|abend|feierabend|wochenende|woche|"
        r"nacht|urlaub|zeit|sonntag|feiertage?|ferien)(?: noch)?(?: (?:dir|euch|ihnen|zusammen))?|(?:mach|macht)"
        r"['’]?s gut|bis (?:bald|später|morgen|dann|gleich|nachher)(?: dann)?|(?:schlaf|schlaft) (?:gut|schön)"
    ),
    hellos=word_set("hallo moin guten tag abend grüß"),
    agrees=r"ja|jap|jep|jawohl|klar|sicher|gern|gerne|genau|natürlich|mach|mach(?:e|s|['’]s| das| es)",
    declines=(
        r"nein|nee?|nö|nicht|nichts|kein\w{0,2}|lass(?: es| das|['’]?s)?(?: (?:sein|bleiben))?|stopp?|abbrechen|abbruch"
    ),
    every=r"alle[ns]?|alles|beide[ns]?|sämtliche\w*|jede[nrs]?",
    beside=word_set(
        "der die das den dem davon von ihnen und u bitte ok okay dann mal doch jetzt nummer nr punkt ich meine nimm"
    ),
)


_THIS: Final = r"(?:das|dies(?:e[nmrs]?)?|es|ihn|den|folgende[nmrs]?)"
_SMALL: Final = r"(?: (?:mir|mal|bitte|doch|eben|kurz|uns|einmal|hier|noch|schnell|mir mal)){0,3}"
_TEXT: Final = (
    r"(?:\w*(?:mails?|nachricht(?:en)?|brief(?:e|es)?|text(?:e|es)?|artikels?|kommentare?|bewertung(?:en)?|"
    r"beschwerde(?:n|brief)?|chats?|verlauf|gesprächs?|verträg?e?|vertrags?|klauseln?|gedicht(?:e|s)?|absatz|absätze|"
    r"abschnitt(?:e|s)?|anzeigen?|angebote?s?|zitate?s?|protokolle?s?|seiten?|pdfs?|antwort(?:en)?|einladung(?:en)?|"
    r"meldung(?:en)?|ausschnitt|berichte?s?|interviews?|rede|ansprache|geschichte|mitteilung(?:en)?|schreiben|"
    r"beiträge|beitrags?|posts?|sms|code|fehler(?:meldung)?|beschreibung|zettel|witz(?:e|es)?|notiz(?:en)?|tagebuch|"
    r"tagebuchs|spruch|sprüche|lied(?:er|es)?|rätsel|kapitel|formulierung|formular|parole|memo|dialogs?|"
    r"rundschreiben|liedtext|dokuments?|anweisung(?:en)?|hinweise?s?|sätze|satz))"
)

PASTING: Final = PastingWords(
    works=(
        r"übersetz(?:e|en|ung)?|zusammenfass(?:en|ung)(?! (?:von )?(?:mein|unser)\w*)|zusammengefasst|tl;?dr|"
        r"paraphrasier\w*|umformulier\w*|formulier\w*|korrigier\w*|korrekturles\w*|(?:finde?|such\w*|markiere?)"
        r"(?: \w+)? (?:die|alle) (?:\w*fehler)|lektorier\w*|redigier\w*|editier\w*|überarbeite?|sag (?:das|es) "
        r"(?:\w+ )?(?:anders|einfacher|höflich\w*|freundlich\w*|besser|kürzer)|kürz(?:e|en)?|vereinfach\w*|"
        r"umschreib\w*|interpretier\w*|(?:fasse?|fassen sie|lese?|lies|lesen sie|prüfe?|erkläre?|analysiere?|"
        rf"verbessere?|überarbeite|beurteile|bewerte|beantworte|kommentiere|schau|sieh|guck|beschreibe?){_SMALL} "
        rf"(?:{_THIS}|(?:d(?:ie|en|as)|mein\w*|sein\w*|ihr\w*|ein\w*) (?:\w+ )?{_TEXT})|fasse?{_SMALL} "
        rf"(?:zusammen|den|die|das)|(?:schreibe?|stelle?){_SMALL} {_THIS}|(?:kannst|könntest|magst|würdest) "
        rf"du{_SMALL} {_THIS}(?: \w+){{0,5}} (?:zusammenfassen|kürzen|erklären|lesen|prüfen|bringen|übertragen|"
        rf"verbessern|überarbeiten|beantworten|umschreiben|übersetzen|anschauen|ansehen)|(?:bring|übertrag)e?{_SMALL} "
        rf"{_THIS}(?: \w+){{0,2}} (?:in|ins|auf)|mach(?:e|en sie)?{_SMALL} (?:das|es|daraus|dies)(?: \w+)? "
        r"(?:kürzer|einfacher|freundlicher|höflicher|förmlicher|länger|besser)|was (?:bedeutet|heißt|besagt|meint|"
        r"will|möchte|meinen|wollen) (?:das|dies\w*|es|er|sie|der|die|man|denn)\b|was sagt (?:das|der|die|er|sie|man)"
        r"\b(?!(?: \w+)? über (?:mich|uns))|was steht (?:da|hier|drin|in)|was ist das|"
        rf"was (?:hältst|denkst|meinst|sagst) du (?:davon|dazu|darüber|(?:von|zu|über) (?:{_THIS}|dieser|dem) )|"
        r"was (?:soll|sollte|kann|könnte|würdest|muss|antworte|schreibe?|sage?) (?:ich|man|du|wir)(?: \w+){0,3} "
        r"(?:antworten|sagen|schreiben|reagieren|darauf|dazu|zurück|drauf)|was antworte ich|"
        r"worum (?:geht|gehts|ging)|wovon handelt|wie (?:antworte|reagiere|schreibe?|sage?|sagt|klingt|wirkt|liest|"
        r"verstehst)(?: (?:ich|man|du|wir|sich|das))?|wie (?:soll|sollte|kann|könnte|würdest) (?:ich|man|du|wir)"
        r"(?: \w+){0,3} (?:antworten|reagieren|sagen|schreiben|formulieren|verstehen|übersetzen)|"
        rf"(?:ist|sind|war|klingt|stimmt|wirkt) {_THIS}(?: \w+){{0,3}} (?:betrug|spam|phishing|legal|echt|wahr|fake|"
        r"abzocke|seriös|rechtens|erlaubt|richtig|okay?|unhöflich|höflich|so|ernst|masche|scherz|gut|gültig|fair|"
        rf"in ordnung)|stimmt {_THIS}|(?:heißt|bedeutet) {_THIS}|darf (?:der|die|er|sie|man)(?: \w+)? (?:das|so)|"
        r"(?:der|welche[nr]?|den|was für ein) (?:\w+ )?(?:ton|tonfall|kernaussage|kernpunkte?)|"
        r"die (?:kernaussagen|kernpunkte|wichtigsten (?:punkte|aussagen))|(?:schreib|formulier|gib mir|entwirf|mach)"
        r"e? (?:mir )?(?:eine )?antwort (?:auf|darauf)|hilf mir(?: \w+){0,3} (?:antwort\w*|versteh\w*)|deine meinung"
    ),
    shown=(
        r"(?:dies(?:e[nmrs]?)?|das|die|der|den|dem|des|eine[nmrs]?|ein|meine[nmrs]?|seine[nmrs]?|ihre[nmrs]?|"
        rf"unsere[nmrs]?|folgende[nmrs]?)(?: \w+){{0,2}} {_TEXT}|folgende[nmrs]?|(?:das|dies) "
        r"(?:hier )?(?:schrieb|schreibt|kam|stand|hat)|schau mal,? was|hab(?:e)? (?:ich )?(?:das|dies)(?: hier)? "
        r"(?:bekommen|gekriegt|erhalten|gefunden)"
    ),
    texts=(
        rf"(?:d(?:ie|er|as|en|em|es)|dies\w*|sein\w*|ihr\w*)(?: \w+){{0,2}} (?:{_TEXT}|aufs[aä]tz\w*|grammatik|wörter|"
        r"rechtschreibung|silben|zeichen|stil|autor|hausaufgabe\w*)|welche sprache|grammatik"
    ),
    makes=(
        r"schreibe?|verfasse?|erstelle?|erzeuge?|empfiehl|finde?|erzähle?|erfinde?|plane?|bestelle?|kaufe?|schicke?|"
        r"drucke?|erinnere?|such\w*|schlage?"
    ),
    origins=(
        r"(?:das|dies|es)(?: hier)? (?:ist|war|steht|stand|kommt|kam|stammt|hing|lag)(?: \w+){0,3}? "
        rf"(?:aus|in|im|auf|von|vom|am|bei)(?: \w+){{0,3}} (?:{_TEXT}|forum|gruppe|kanal|zeitung|zeitschrift|website|"
        r"webseite|internet|netz|reddit|facebook|twitter|instagram|telegram|whatsapp|linkedin|wikipedia|youtube|buch|"
        r"broschüre|prospekt|aushang|plakat|brett|schild|postfach|jemand\w*|fremden)|(?:das|dies|es)(?: hier)? "
        r"(?:hat|haben)(?: mir| uns)? (?!ich\b|wir\b)\w+(?: \w+){0,4} (?:geschrieben|geschickt|gepostet|gesagt|"
        r"gemailt)|(?:schrieb|schreibt|schickt|schickte|postete)(?: mir| uns)?(?: (?!ich\b|wir\b)\w+){0,3} "
        r"(?:das|dies)\b"
    ),
    messages=(rf"(?:{_TEXT}|whatsapp|telegram|signal|slack|dm|mailbox|postkarte|ticket)(?: \w+)? (?:von|vom)"),
    written=(
        r"schrieb(?:en)?|schreib(?:t|en)|geschrieben|schickte?n?|schickt|geschickt|gesendet|gemailt|mailte?|postete?|"
        r"gepostet|simste?|weitergeleitet|veröffentlicht|gesimst|hinterließ(?:en)?|hinterlassen|hingelegt|hingehängt|"
        r"gelegt|reingeworfen|notierte?|whatsappt"
    ),
    said=r"sagt|sagte|sagen|gesagt|meint|meinte|fragt|fragte|gefragt|antwortet|antwortete|geantwortet|behauptet|"
    r"heißt es",
    headers=r"von|an|cc|bcc|datum|gesendet|antwort an",
    subjects=r"betreff|aw|wg",
    salutations=(
        r"sehr geehrte[rsnm]?\b|guten tag,? (?:herr|frau)\b|liebe[rs]? "
        r"(?!tagebuch\b|mneme\b|assistent\w*\b|bot\b)\w+|hallo zusammen|hallo alle|liebste[rs]?\b|an alle"
    ),
    closings=(
        r"mit (?:\w+ ){1,2}(?:grüßen|gruß)|(?:(?:viele|liebe|beste|herzliche|schöne|freundliche) )?grüße|"
        r"(?:lieben|herzlichen|schönen) gruß|gruß|hochachtungsvoll|mfg|lg|vg|"
        r"(?:dein|deine|euer|eure|ihr|ihre) \w+$|bis bald|alles (?:gute|liebe)"
    ),
    passed_on=r"ursprüngliche nachricht|weitergeleitete nachricht|original-?nachricht|anfang der weitergeleiteten",
)


LINKS: Final = LinkWords(
    reading=r"(?:bitte,?\s+)?(?:kannst du\s+|könntest du\s+)?(?:mal\s+)?"
    r"(?:lies|lese|öffne|schau|sieh|guck|fass|erklär)\w*\b(?:\s+(?:bitte|mal|dir|das|diese[ns]?|hier|an|zusammen))*"
)
