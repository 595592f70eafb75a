"""What questions in German ask for, and what tells that a sentence answers them."""

from typing import Final

from language.questions import (
    AboutPatterns,
    AnswerPatterns,
    Cues,
    Interrogatives,
    OverviewPatterns,
    Persons,
    QuestionPatterns,
    ToldPatterns,
)
from language.words import CAPITAL, word_set

_WORD: Final = (
    r"(?:was|wo|wohin|woher|womit|wofür|worüber|woran|worauf|wovon|wann|wer|wen|wem|wessen|warum|wieso|weshalb|wozu|wie|"
    r"wie ?viele?|welche[mnrs]?|(?:in|an|am|auf|bei|mit|von|zu|zum|zur|für|seit|bis|ab|um|aus|über|nach|gegen|wegen) "
    r"(?:wem|wen|wann|wo|wie|was|welche[mnrs]?))\b"
)
_SUBJECT: Final = (
    r"(?:ich|du|er|sie|es|wir|ihr|man|jemand|mein\w*|dein\w*|sein\w*|unser\w*|der|die|das|den|dem|dies\w*|eine?|"
    rf"(?-i:{CAPITAL})\w*)\b"
)
_INVERTED: Final = (
    r"(?:ist|sind|war|waren|bin|bist|hat|hatte|hatten|habe|hast|haben|kann|kannst|können|wird|wirst|werden|soll|sollte|"
    rf"muss|müssen|darf|will|mag|weißt|gibt|geht|heißt|wohnt|arbeitet)\s+{_SUBJECT}"
)
_KIND: Final = r"welche[mnrs]?|was für eine?[mnrs]?|was für"
_NUMBERED: Final = (
    r"(?:\w*nummer|\w*code|\w*pin|preis|\w*größe|alter|postleitzahl|plz|kennzeichen|\w*zahl|kontostand|miete|gehalt|"
    r"gewicht)"
)

QUESTIONS: Final = QuestionPatterns(
    searches=(
        r"(?:(?:ich|wir) )?(?:(?:such(?:e|en)?|find(?:e|en)?(?= (?:\w+ ){1,4}(?:nicht|nirgends|nirgendwo)\b))"
        r"(?: (?:grad|gerade|noch|nur|mal|immer|schon)){0,3}) "
        r"(?:den|die|das|mein\w{0,2}|unser\w{0,2}|sein\w{0,2}|ihr\w{0,2})\b"
    ),
    place=(
        r"wo|wohin|woher|worin|woraus|(?:welche[mnrs]?|was für eine?[mnrs]?) "
        r"(?:stadt|land|ort|dorf|straße|adresse|platz|gegend|stadtteil|viertel|stock|etage|raum|zimmer|hafen|bahnhof)|"
        r"(?:wie (?:ist|lautet)|was ist)(?: \w+){0,3}? \w*(?:adresse|anschrift)"
    ),
    time=(
        r"wann|wie ?viel uhr|wie spät|wie lange (?:ist|war) es her|"
        r"(?:welche[mnrs]?|was für eine?[mnrs]?) (?:tag|wochentag|jahr|monat|datum|uhrzeit|woche|zeit)|"
        r"(?:wie (?:ist|lautet)|was ist|der wievielte|am wievielten)(?: \w+){0,3}? (?:datum|uhrzeit|termin)|"
        r"am wievielten|der wievielte"
    ),
    number=(
        r"wie ?viel(?:e[nrms]?)?|wie (?:alt|groß|lang|lange|hoch|weit|oft|häufig|schwer|teuer|breit|tief|schnell|hoch)|"
        r"was koste(?:te?n?|n)|was wiegt|was (?:hat|haben)(?: \w+){1,5}? (?:gekostet|gewogen)|"
        r"was (?:be)?zahl(?:e|en|st|t)|"
        rf"(?:wie (?:ist|war|lautet|heißt)|was ist|welche[mnrs]?)(?: \w+){{0,4}}? {_NUMBERED}|"
        rf"(?:mein|unser)e?(?: \w+){{0,2}} {_NUMBERED}"
    ),
    hour=r"wie ?viel uhr|wie spät|welche[mnrs]? uhrzeit",
    amount=r"wie ?viel(?:e[nrms]?)?(?! uhr)|wie lange?|was koste(?:te?n?|n)|was (?:hat|haben)(?: \w+){1,5}? gekostet",
    person=(
        r"wer|wen|wem|wessen|wie (?:hei(?:ß|ss)(?:e|t|en|est)|hie(?:ß|ss)(?:en|est)?|nenn(?:e|t|en)|nannte[nt]?)|"
        r"(?:wie (?:ist|war|lautet)|was ist)(?: [\w'’]+){0,4}? \w*namen?"
    ),
    gathering=(
        r"wer (?:alles )?(?:(?:kommt|geht|fährt|reist|erscheint)\b|(?:ist|macht|nimmt|war|wird)\b.{0,50}?\b"
        r"(?:dabei|mit|da|teil|eingeladen)\b)"
    ),
    naming=r"hei(?:ß|ss)(?:e|t|en|est)|hie(?:ß|ss)(?:e?n|est)?|\w*namens?|genannt|nenn(?:e|t|en)|nannte[nt]?",
    reason="warum|wieso|weshalb|weswegen|wozu|aus welchem grund|aus welchen gründen",
    yes_no=(
        r"^(?:ist|sind|war|waren|bin|bist|hat|hatte|hatten|habe|hab|hast|haben|kann|kannst|können|darf|darfst|muss|musst|"
        r"müssen|soll|sollte|will|willst|wird|werde|werden|mag|magst|gibt es)\b|"
        rf"^(?!{_WORD})\w{{2,}}(?:t|e|st|en|ß)\s+{_SUBJECT}(?=[^\n]{{0,300}}\?\s*$)|^ob\b"
    ),
    place_words=word_set(
        "stadt land ort straße platz gegend adresse anschrift liegt liegen steht stehen steckt befindet finde "
        "finden findet suche such suchen nirgends"
    ),
    time_words=word_set("uhr uhrzeit zeit datum tag tages jahr jahre monat stunde spät"),
    person_words=word_set("name namen namens heißt heiße heißen hieß nennt genannt person leute"),
    number_words=word_set("alt alter jahre jahren hoch groß lang lange weit oft teuer schwer"),
    which=f"(?:in |an |auf |mit |bei |aus |zu |für |von )?(?:{_KIND})",
    no_kind="ist|sind|war|waren|hat|habe",
    about_asker=(
        r"\b(?:über mich|von mir|was (?:weißt|merkst) du(?: noch)?\??$|was hast du dir(?: alles)? gemerkt\??$|"
        r"(?:woran|was) erinnerst du dich(?: noch)?\??$|"
        r"was habe? ich dir(?: schon| bisher| alles)* (?:erzählt|gesagt)\??$)"
    ),
    before_subject=(
        "(?<!was )(?:ist|war)|hat|hatte|wird|kann|soll|will|muss|mag|isst|trinkt|wohnt|lebt|arbeitet|macht|kommt|fährt"
    ),
    demonstratives="der|die|das",
    own_name=(
        r"wie heiße? ich\b|(?:wie (?:ist|lautet|war)|was ist)\s+(?:noch ?mal\s+|nochmal\s+)?mein\s+"
        r"(?:voller |eigener )?(?:vor|nach|familien)?name\b|"
        r"(?:weißt|kennst) du\s+(?:noch,?\s+|noch\s+)?(?:wie ich heiße|meinen namen)|wer bin ich\b"
    ),
    occupation=(
        r"was (?:macht|mache|machen|ist|sind|bin|war|waren)\s+.{1,40}?\s+(?:beruflich|von beruf)(?:\s+[\w-]+){0,2}\W*$|"
        r"als was arbeite[tn]?\s+.{1,40}$|was arbeite[tn]?\s+.{1,40}$|"
        rf"was macht(?: eigentlich| denn)?\s+(?:mein\w*\s+\w+|(?-i:{CAPITAL})\w+)(?:\s+(?:so|eigentlich|denn"
        rf"|jetzt))*\W*$"
    ),
    occupied=word_set("beruflich beruf macht mache machen arbeitet arbeite arbeiten"),
    first_person=word_set(
        "ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer unseres"
    ),
    asker=word_set("ich mich mir"),
    together=word_set("wir uns unser unsere unseren unserem unserer unseres"),
    sums=(
        r"(?:(?:das )?macht (?:das )?(?:alles )?)?(?:insgesamt|zusammen(?:gerechnet|genommen)?)|"
        r"alles (?:in allem|zusammen)|gesamt|in (?:der )?summe|unterm strich"
    ),
    until=r"bisher|bislang|bis (?:jetzt|heute|dato)|schon|inzwischen|mittlerweile",
    along="mit|samt",
    wide="zeug|sachen|kram|kosten|ausgaben",
    numbered=r"(?:\w*größe|\w*nummer|nr|zimmer|seite|stufe|klasse|haus|teil|code|pin)\.?",
    paying=(
        r"(?:ein|rein)?(?:gebracht|bringen|gekommen)|erwirtschaftet|(?:rein)?gesteckt|investiert|draufgegangen|"
        r"hin(?:gelegt|geblättert)|(?:aus|her)?gegeben|(?:be|ge|ein)?zahl(?:t|en|te|ten)|(?:ge)?kost(?:et|en|ete)|verdient\w*|schuld(?:e|en|et|ig)|"
        r"(?:ein|ab)?(?:genommen|nehmen)|getankt|dagelassen|geld|umsatz|einnahmen|erlös"
    ),
    spending=r"(?:aus)gegeben|draufgegangen|(?:rein)?gesteckt|hin(?:gelegt|geblättert)|dagelassen",
    bought_for="für",
    was="war(?:en)?",
    refunds=r"(?:zurück|rück)?erstatt\w+|(?:wieder|zurück)(?:be(?:kommen|kam)|gekriegt|erhalten)|(?:bekam|bekomme|"
    r"krieg\w{0,2}|mir|uns)(?=\b[^,;.]*\d[^,;.]{0,60}?\bzurück)|\d\S*(?: \w+)? zurück (?:von|vom|für)",
    earning=r"verdient\w*|lohn|gehalt|rente|eingenommen|einnahmen|umsatz|erlös|verkauf\w*|(?:ein|rein)(?:gebracht|gekommen)|erwirtschaftet",
    shares=r"zu je|je|à",
    priced=r"zu|für(?=\W{1,3}\d+(?:[.,]\d+)?\W{0,3}(?:\w+ )?(?:das stück|pro stück|je))",
    thousands=r"k|\s(?:tausend|tsd)",
    apiece=r"das stück|pro \w+|je|jeweils|jede[rs]?",
    prices=r"im (?:jahr|monat)|(?:monat|jähr|wöchent)lich|kost(?:et|en|ete)|beträgt|betragen|preis|je|pro",
    trades=r"(?:ver|ge|ein)kauf\w*|kauf\w*|abgesetzt|bestell\w*|geliefert",
    begins=f"{_WORD}|{_INVERTED}",
    joins=word_set("und u sowie oder"),
    too=word_set("auch dann noch nochmal außerdem"),
    continues=rf"(?:{_WORD}|{_INVERTED})\s+\S",
    listed=(
        rf"{_WORD}(?:\s+\w+)?\s+(?:ist|sind|war|waren|bin|hat|hatte|habe|haben|kann|muss|heißt|heiße|wohnt|wohne|arbeitet|"
        r"fliegt|fliege|kostet|wird)\s+\S"
    ),
    who="wer|was|welche[mnrs]?",
    supposes="wenn|falls|als|sobald|während",
    refers=word_set("er sie ihn ihm ihr ihre ihren ihrer ihrem sein seine seinen seinem seiner"),
    points=(
        r"(?:der|die|das|den|dem)(?=\W*$|\s+(?:ge\w+|da|denn|noch|nochmal|eigentlich|so|jetzt|an|auf|aus|her|hin|mit)\b)|"
        r"dies\w*|da(?:für|mit|von|zu|bei|nach|rauf|ran|rin|hin|her)?|dort\w*"
    ),
    he=word_set("er ihn ihm sein seine seinen seinem seiner"),
    she=word_set("sie ihr ihre ihren ihrer ihrem"),
    theirs=word_set("ihr ihre ihren ihrer ihrem sein seine seinen seinem seiner"),
    again=r"noch ?ma?l",
    formerly="vorher",
    anew=r"(?:(?:und|also|aber|na)\s+)?(?:was ist\s+)?(?:jetzt?|nun|inzwischen|mittlerweile)",
    sources=(
        r"(?:(?:und|aber|hm+|moment)[,\s]+)?(?:warum|wieso|weshalb|woher|wieso das|quelle|"
        r"wer (?:sagt|behauptet|schreibt)(?: denn)?(?: (?:das|so ?was))?|"
        r"(?:von wem|wessen nachricht) (?:ist|war|kommt|stammt) das|"
        r"(?:woher|wo ?von) (?:weißt|weisst|kennst|hast) (?:du )?(?:das|dies)(?: (?:denn|eigentlich|alles))?|"
        r"(?:woher|wieso) wissen sie (?:das|dies)(?: (?:denn|eigentlich))?|"
        r"wie (?:kommst(?: du)?|kommen sie) (?:darauf|drauf|auf das)|"
        r"(?:warum|wieso) (?:sagst|meinst|denkst|glaubst) (?:du )?das|"
        r"wer hat (?:(?:dir|ihnen|uns) )?(?:das|dies) (?:denn )?(?:gesagt|erzählt|geschrieben|behauptet|geschickt)|"
        r"wann hab(?:e)? ich (?:dir |ihnen )?das (?:denn )?(?:gesagt|erzählt|geschrieben))"
    ),
    earlier=(
        r"(?:(?:und|u|n|aber)\s+)?(?:(?:was|wie(?:\s?viel)?|wer|wo|wann)\s+(?:(?:war(?:en)?(?:\s+(?:das|es))?|wars)\s+)?)?"
        r"(?:davor|vorher|zuvor|früher|bis dahin|ursprünglich)"
    ),
    turns_to=r"(?:und\s+)?(?:was|wie)\s+(?:ist|sieht|steht)(?:['’]?s|\s+(?:es|das))?\s+(?:mit|bei)|und|u",
)


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


PERSONS: Final = Persons(
    asker="[Ii]ch|[Mm]ein|[Mm]eine[mnrs]?|mich|mir",
    speakers=r"[Ii]ch|[Mm]ein\w*|[Mm]ich|[Mm]ir|[Ww]ir|[Uu]ns\w*",
    first_person=word_set(
        "ich mir mich mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer"
    ),
    turned={f"mein{ending}": f"dein{ending}" for ending in ("", "e", "en", "em", "er", "es")},
    listener="du|dein|deine|dich|dir",
    asks_what_was_answered=(
        r"\bdu\s+(?:\w+\s+){0,2}(?:gesagt|empfohlen|vorgeschlagen|gegeben|geschrieben|erwähnt)\b|\berinner\w* mich\b"
    ),
    asks_what_was_told=r"\b(?:ich\s+(?:\w+\s+){0,5}(?:gesagt|erzählt|erwähnt)|(?:sagte|erzählte|erwähnte) ich)\b",
    together="beide|und",
)


CUES: Final = Cues(
    number=r"eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zweimal|erste\w*|zweite\w*",
    reason=r"weil|damit|deshalb|fühl\w+",
    news=(
        r"gerade|neulich|kürzlich|endlich|gestern|heute|übrigens|letzte[nrs]? \w+|vor \w+ (?:tag|woche|monat|jahr)\w*"
    ),
    wish=(
        r"bevorzug\w+|(?:ich|wir) (?:\w+ )?(?:mag|mögen|liebe|lieben|hasse|hassen)|mag ich|mögen wir|meine vorlieben?|"
        r"lieblings\w+|(?:ich|wir|mir|uns) (?:\w+ ){1,6}?lieber|lieber als|von nun an|ab (?:jetzt|sofort)|künftig|"
        r"(?:wenn|falls|immer wenn|jedes mal, wenn) ich (?:\w+ ){0,6}?(?:frage|bitte)|ich (?:will|möchte), dass du"
    ),
    wish_begin=r"(?:bitte )?(?:\w+en? (?:\w+ )?)?(?:immer|niemals|nie)|vermeide\w*|in zukunft",
)


_MY: Final = r"(?i:\b(?:mein|unser)(?:e[mnrs]?)?)"

_TRADE: Final = (
    r"(?:er|erin|ist|istin|or|orin|eur|eurin|arzt|ärztin|ant|antin|ent|entin|ologe|ologin|mann|frau|wirt|wirtin|"
    r"koch|köchin|anwalt|anwältin|loge|login|at|in)\b"
)
"""How the words for trades end."""

ANSWERS: Final = AnswerPatterns(
    owner=word_set("von"),
    inside=word_set("in auf"),
    place=(
        r"\b(?:in|im|ins|an|am|ans|auf|aus|aufs|bei|beim|nach|zu|zum|zur|unter|unterm|über|hinter|vor|vorm|neben|"
        r"zwischen|von|vom|gegenüber|nahe)\s+(?!\d|\w+tag\b|mittwoch|januar|jänner|februar|märz|april|mai\b|juni|juli|"
        r"august|september|oktober|november|dezember|sommer|winter|frühling|herbst|morgen\b|abend\b)\w+|"
        r"\b(?:daheim|zuhause|drinnen|draußen|hier|dort|oben|unten|adresse)\b|"
        r"\b\w+(?:straße|str\.|weg|platz|gasse|allee)\b"
    ),
    time=(
        r"\d|\b(?:am|bis|ab|jeden) (?:mo|di|mi|do|fr|sa|so)\b|"
        r"\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|januar|jänner|februar|märz|april|"
        r"mai\b|juni|juli|august|september|oktober|november|dezember|heute|morgen|übermorgen|gestern|vorgestern|mittag|"
        r"mitternacht|vormittag|nachmittag|abend|nacht|woche|monat|jahr|frühling|frühjahr|sommer|herbst|winter|"
        r"wochenende|ostern|pfingst|weihnacht|silvester|vor kurzem|neulich|täglich)|\b(?:halb|viertel|um) (?:\d|"
        r"eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)"
    ),
    number=(
        r"\d|\b(?:ein(?:e[mnrs]?)?|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|"
        r"vierzig|fünfzig|hundert|tausend|einmal|zweimal|dreimal|dutzend|paar|"
        r"(?:all)?(?:täglich|wöchentlich|monatlich|jährlich)|jede[nrsm]? \w+|\w+zehn|\w+zig)\b|\b(?-i:[A-Z]{4,})\b"
    ),
    reason=r"\b(?:weil|da|denn|damit|wegen|deshalb|deswegen|darum|aufgrund|um \w+ zu|um .{1,40} zu|sonst)\b",
    before_nouns=word_set(
        """
        der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine meinen
        meinem meiner meines dein deine deinen deinem deiner deines sein seine seinen seinem seiner seines ihr ihre
        ihren ihrem ihrer ihres unser unsere unseren unserem unserer unseres euer eure euren eurem eurer dieser diese
        dieses diesen diesem jeder jede jedes jeden jedem welcher welche welches welchen welchem viele viel wenig wenige
        alle allen manche einige mehrere beide zum zur im am beim vom ins ans aufs fürs unterm zwei drei vier fünf
        sechs sieben acht neun zehn wie um
        """
    ),
    adjective=r"[^\W\d_]{2,30}e[nmrs]?",
    noun_ending="ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|tät|nummer|termin|zeit|tag|name",
    introduces=(
        r"\b(?:mein (?:vor|nach|familien|voller )?name (?:ist|lautet)|ich (?:heiße|werde)|(?:alle|sie|freunde) "
        r"nennen mich|nenn(?:e|t)? mich|man nennt mich)\s+\S"
    ),
    is_called=(
        r"(?:(?:Hi|Hallo|Hey|Moin|Servus)\W+)?(?:[Ii]ch bin(?:['’]?s,?)?|[Hh]ier (?:ist|spricht)) (?:übrigens )?"
        rf"(?:die |der )?{CAPITAL}[\w'’-]+(?:,? übrigens)?\W*"
    ),
    is_a=(
        rf"\b(?i:ich) bin (?:(?i:von beruf|gelernte[rn]?|selbstständige[rn]?|freie[rn]?|eine?) )?(?-i:{CAPITAL})\w*"
        rf"{_TRADE}"
    ),
    is_one=(
        rf"\b(?i:ist|war|wird|arbeitet als) (?:(?i:von beruf|gelernte[rn]?|jetzt|eine?)"
        rf" )?(?-i:{CAPITAL})\w*{_TRADE}|\b(?i:ist|war|wird)(?i: früher| jetzt| von beruf)? (?-i:{CAPITAL})\w+\W*$"
    ),
    age=(
        r"\b(?:wird|werde|wurde)\s+(?:\w+\s+){1,3}\d{1,3}\b(?![:.,]\d)(?! uhr)|"
        r"\b(?:ist|bin|sind|wird|werde|wurde)\s+(?:jetzt |schon |gerade |erst |bald )?\d{1,3}\b(?![:.,]\d)(?! uhr)"
        rf"|\b(?-i:{CAPITAL})\w+\s*\(\d{{1,2}}\)"
    ),
    near="mein|unser",
    aliases=(
        rf"{_MY}\s+(?:[a-zäöüß]+\s+)?(?P<kin>\w+),?\s+(?P<name>{CAPITAL}\w+)",
        rf"{_MY}\s+(?P<kin>\w+)\s+(?i:heißt|nennt sich|hieß)\s+(?P<name>{CAPITAL}\w+)",
        rf"{_MY}\s+(?P<kin>\w+)\s+(?i:ist|war)\s+(?P<name>{CAPITAL}\w+)\W*$",
        rf"\b(?P<name>{CAPITAL}\w+)\s+(?i:ist|—|-|–|war)\s*{_MY}\s+(?P<kin>\w+)",
    ),
    there=word_set("es dort da"),
    alone=r"es (?:gibt|gab|geht (?:mir|uns)|regnet|schneit)\b|da (?:ich|wir)\b",
    unnamed=r"sie haben(?: (?:jetzt|gerade|endlich))? (?:de[nmr]|die|das|mein\w{0,2}|unser\w{0,2})\b",
    several=(
        r"\b(?:meinen?|unseren?|die|seinen?|ihren?|zwei|drei|alle|beiden?) (?:\w+ )?\w{2,}(?:e[nr]|ern?|eln|s|te)\b|"
        r"\bund (?:meine?|unsere?|die|der|(?-i:[A-ZÄÖÜ])\w)|\b(?:leute|familie|kinder|eltern)\b"
    ),
)


_SUMMARY: Final = r"(?:überblick|übersicht|zusammenfassung|rückblick|rückschau|zwischenstand|resümee)"

OVERVIEWS: Final = OverviewPatterns(
    order=(
        r"in welcher (?:\w+ )?(?:reihenfolge|abfolge)|der reihe nach|in (?:der |zeitlicher |chronologischer |"
        r"richtiger )?reihenfolge|chronologisch\w*|(?:der|den|die|wie war|ein\w*)(?: der| die)? (?:zeitlich\w* )?"
        r"(?:ablauf|abfolge|reihenfolge|zeitverlauf|chronik|chronologie)|zeitstrahl|zeitleiste|was (?:kam|war) zuerst|"
        r"schritt für schritt,? was (?:ich|wir)"
    ),
    change=(
        r"was hat sich(?: [\wäöüß-]+){0,12}? (?:ge|ver)ändert|was hat sich(?: [\wäöüß-]+){0,12}? getan|"
        r"was hat sich(?: [\wäöüß-]+){0,12}? (?:entwickelt|verbessert|verschlechtert)|"
        r"was (?:ist|war)(?: [\wäöüß-]+){0,6}? anders geworden|"
        r"(?:wie|inwiefern) (?:hat|haben) sich(?: [\wäöüß-]+){1,12}? "
        r"(?:entwickelt|verändert|geändert|gewandelt|verbessert|verschlechtert)|"
        r"wie (?:ist|sind|lief|liefen)(?: [\wäöüß-]+){1,10}? (?:verlaufen|vorangekommen|gelaufen|weitergegangen)|"
        r"(?:welche|was für|wie viele?) (?:\w+ )?(?:fortschritte?|veränderung(?:en)?|änderung(?:en)?|"
        r"entwicklung(?:en)?)|wie weit (?:bin ich|sind wir)"
    ),
    summary=(
        r"fass(?:e|t|en sie)?(?: [\wäöüß-]+){0,14}? zusammen|zusammenfassen|zusammenzufassen|resümier\w*|"
        r"rekapitulier\w*|"
        rf"(?:gib|gebt|geben|mach|mache|schreib|schreibe|erstell|erstelle|zeig|liefere|hätte|brauche|möchte|will|"
        rf"kannst|könntest)(?: [\wäöüß-]+){{0,6}}? {_SUMMARY}"
    ),
    decisions=(
        r"was (?:haben wir|habe? ich|hatten wir|hatte ich)(?: [\wäöüß-]+){0,10}? (?:beschlossen|entschieden|vereinbart|"
        r"abgemacht|ausgemacht|festgelegt|verabredet)|"
        r"(?:worauf|wofür|wogegen|auf was|für was)(?: [\wäöüß-]+)? (?:haben|hatten|habe?|hatte) (?:wir uns|ich mich)"
        r"(?: [\wäöüß-]+){0,10}? (?:geeinigt|verständigt|entschieden|festgelegt)|"
        r"(?:welche|was für) (?:\w+ )?(?:entscheidung(?:en)?|beschlüsse|vereinbarung(?:en)?|abmachung(?:en)?) "
        r"(?:haben|hatten|habe?|hatte) (?:wir|ich)|(?:alle|unsere|meine|die) (?:entscheidungen|beschlüsse|"
        r"vereinbarungen)(?:, die)? (?:wir|ich|auf|aus|vom|von)"
    ),
    everything=(
        r"alles,? was (?:ich|wir)|alles,? was du|alles,? worüber (?:ich|wir)|"
        r"alles (?:über|von|zu) (?:mich|mir|mein\w*|uns|unser\w*)|(?:weißt|weisst|hast|kennst) du (?:\w+ )?alles|"
        r"was (?:habe?|hatte) ich dir alles|was (?:haben|hatten) wir alles|was alles|(?:sag|erzähl|nenn|"
        r"zeig)\w* mir alles davon"
    ),
    shared=(
        r"(?<!für )(?<!in )(?:mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|unsre[nmrs]?)|wir|uns|"
        r"ich(?! (?:soll|sollte|muss|müsste|kann|könnte|darf|will|möchte|brauche)\b)"
    ),
    advice=(
        r"(?:soll|sollte|sollten|sollen|muss|müsste|müssen|darf|dürfen|kann|könnte|können) (?:ich|wir|man)|"
        r"(?:ich|wir|man)(?: [\wäöüß-]+){0,8}? (?:soll|sollte|sollten|sollen|muss|müssen)|nehme ich|mache ich"
    ),
    given=(
        r"(?:dies(?:e[nmrs]?)?|den|das|die) (?:folgende[nmrs]? |angehängte[nmrs]? |obige[nmrs]? |verlinkte[nmrs]? )?"
        r"(?:artikel|texte?|aufsatz|seiten?|dokumente?|dateien?|datei|pdf|links?|e-?mails?|videos?|absatz|absätze)|"
        r"folgende[nmrs]?|unten|angehängt\w*|https?:|www\."
    ),
    asks=(
        r"(?:bitte )?(?:erzähl|erzähle|sag|sage|nenn|nenne|zähl|zähle|liste|fass|fasse|gib|zeig|zeige|beschreib|"
        r"beschreibe|ordne|mach|mache|schreib|schreibe|erstell|erstelle|rekapituliere|resümiere|geh|gehe)\b|"
        r"ich (?:hätte|möchte|brauche|will|würde) (?:gern|gerne|bitte|eine|einen|wissen|alles)"
    ),
    talk=word_set(
        """
        erzählt erzählen erzähl erzähle gesagt sagen sag sage gesprochen sprechen gespräch gespräche gesprächen geredet
        reden besprochen besprechen erwähnt erwähnen unterhalten unterhaltung unterhaltungen reihenfolge reihe abfolge
        ablauf chronologisch zeitlich zeitlicher zusammen fass fasse zusammenfassung überblick übersicht gib mach mache
        auflisten liste nenn nenne alles bisher letzten letzte letztes letzter woche wochen monat monate monaten jahr
        jahre tag tage seit geändert verändert entwickelt getan fortschritte fortschritt entwicklung gemacht beschlossen
        entschieden entscheidungen geeinigt vereinbart getroffen weißt kurz kurze kurzen ausführlich gelaufen verlaufen
        """
    ),
)


_TOLD: Final = r"(?:erzählt|gesagt|geschrieben|berichtet|mitgeteilt|erwähnt)"
_ALL: Final = "(?: (?:denn|alles|schon|so)){0,2}"

_SO: Final = "(?:und |na |also |sag mal,? )?"
_STILL: Final = "(?: (?:denn|so|alles|noch|eigentlich|bei mir|bei uns|schon|da))*"
_HAVE: Final = "(?:hab['’]?e? ich|haben wir)"
_SOON: Final = "(?: (?:in (?:der )?|die )?nächste[nr]? zeit)?"
_PLANNED: Final = "(?: (?:an|vor|geplant|los|zu tun|zu erledigen|machen|erledigen|auf dem (?:plan|zettel|programm)))?"

TOLD: Final = ToldPatterns(
    asks=(
        rf"(?:und )?was (?:habe?|hatte) ich(?: dir)?{_ALL} {{when}}{_ALL}(?: dir)? {_TOLD}",
        r"was (?:erzählte|sagte) ich(?: dir)? {when}",
        rf"{{when}},? was habe ich(?: dir)?(?: alles)? {_TOLD}",
        r"was hast du(?: dir)? {when}(?: von mir| über mich)?(?: alles)? (?:gelernt|gemerkt|notiert|erfahren)",
        r"(?:worüber|über was) haben wir {when} (?:gesprochen|geredet|geschrieben)",
        rf"(?:zeig|sag|nenn)e?(?: mir)?(?: bitte)?,? (?:alles,? )?was ich(?: dir)? {{when}}{_ALL} {_TOLD}(?: habe?)?",
    ),
    last=(
        rf"was (?:habe?|hatte) ich(?: dir)? (?:zuletzt|als letztes|gerade(?: eben)?|eben)(?: dir)? {_TOLD}|"
        rf"was war das letzte,? (?:was|das) ich(?: dir)? {_TOLD} habe?"
    ),
    spans={
        "heute?(?: früh| morgen| abend| nachmittag| vormittag)?": ("day", 0),
        "gestern(?: früh| morgen| abend| nachmittag)?": ("day", 1),
        "vorgestern": ("day", 2),
        "diese woche|in dieser woche": ("week", 0),
        "(?:letzte|vorige|vergangene) woche|in der (?:letzten|vorigen|vergangenen) woche": ("week", 1),
        "(?:nächste|kommende) woche|in der (?:nächsten|kommenden) woche": ("week", -1),
        "(?:am|dieses|das|übers) wochenende": ("weekend", 0),
        "(?:am )?(?:nächste[sn]|kommende[sn]) wochenende": ("weekend", -1),
        "diesen monat|in diesem monat": ("month", 0),
        "(?:im )?(?:nächsten|kommenden) monat": ("month", -1),
        "dieses jahr|in diesem jahr": ("year", 0),
        "(?:letztes|voriges|vergangenes) jahr|im (?:letzten|vorigen|vergangenen) jahr": ("year", 1),
        "(?:(?:im|fürs) )?(?:neuen?|nächste[ns]?|kommende[ns]?) jahr|(?:für )?das neue jahr": ("year", -1),
        "(?:letzten|vorigen|vergangenen) monat|im (?:letzten|vorigen|vergangenen) monat": ("month", 1),
    },
    weekday="(?:am |letzten |am letzten )?{weekday}",
    plans=(
        (
            rf"{_SO}was (?:{_HAVE}|steht|liegt|gibt(?:['’]?s| es)|mache? ich|machen wir|muss ich|müssen wir){_STILL}"
            rf" {{when}}{_STILL}{_PLANNED}"
        ),
        rf"{_SO}was (?:steht|liegt){_STILL} an {{when}}",
        rf"{_SO}was (?:ist|is|wird|läuft|wäre){_STILL} {{when}}{_STILL}(?: (?:geplant|los|dran|an|vor))?",
        (
            rf"{_SO}(?:{_HAVE}|ist|is|steht|liegt|gibt(?:['’]?s| es)){_STILL} {{when}}{_STILL} (?:et|irgend(?:et)?)?was"
            rf"{_STILL}{_PLANNED}"
        ),
        rf"{_SO}{_HAVE}{_STILL} (?:et|irgend(?:et)?)?was {{when}}{_PLANNED}",
        rf"{_SO}(?:{_HAVE}|bin ich|sind wir) {{when}}{_STILL} (?:zeit|frei|termine|verplant|verabredet)",
        (
            rf"{_SO}(?:welche|was für) (?:termine|pläne) (?:{_HAVE}|stehen|gibt(?:['’]?s| es)){_STILL} {{when}}"
            rf"{_PLANNED}"
        ),
        rf"{_SO}(?:meine|unsere|die|zeige?(?: mir)? (?:meine|die)) (?:termine|pläne)(?: für| an)? {{when}}",
        rf"{_SO}wie sieht(?:['’]?s)?(?: mein| der| die| meine| bei mir| es)? {{when}}(?: bei mir)? aus",
    ),
    ahead="(?:(?:in|für|während) )?(?:den |die )?(?:nächsten|kommenden|folgenden) (?:{count} )?{unit}",
    units={"tagen?": 1, "wochen": 7, "monaten?": 31},
    since="seit(?: (?:anfang|beginn|ende))?(?: (?:de[rsm]|dieser|dieses))?",
    whole={"wochenbeginn|woche": "week", "monats(?:anfang|beginn)?": "month", "jahres(?:anfang|beginn)?": "year"},
    in_month="(?:(?:im|für|für den) )?(?:(?:anfang|mitte|ende) )?",
    coming=(
        rf"(?:(?:steht|stehen|liegt|liegen)(?=.{{0,60}}\b(?:an|vor|bevor|vor (?:mir|uns)){_SOON}$)|"
        r"komm(?:t|en)(?=.{0,60}\bauf (?:mich|uns) zu\b|(?: \w+){0,2} noch$)|erwartet(?= (?:mich|uns)\b)|"
        rf"{_HAVE}(?=.{{0,60}}\bvor(?: mir| uns)?$)|als nächstes|"
        r"ansteht|anstehen|geplant|demnächst|pläne|termine?n?|kalender|terminplan)"
    ),
    asks_coming=(
        rf"{_SO}(?:was\b|welche\w{{0,2}}\b|irgend\w{{2,6}}\b|steh(?:t|en)\b|lieg(?:t|en)\b|{_HAVE}|gibt(?:['’]?s| es)|"
        r"zeige?\b|nenne? mir|sage? mir|(?:alle )?(?:meine|unsere) (?:\w+ )?termine$)"
    ),
    coming_words=word_set(
        """
        die irgendwas irgendwelche alles gibt gibts gibt's bevor steht stehen liegt liegen kommt kommen nächsten nächste
        nächster nächstes kommenden kommender zeit bald wichtiges wichtige na los dran sonst denn
        """
    ),
    over=(
        r"war(?:en|st)?|hatten?|gingen|ging|gabs?|kamen?|gestern|vorgestern|(?:letzte|vorige|vergangene)[nrs]?|"
        r"vor \w{1,12} (?:tag|woche|monat|jahr)\w*|"
        r"(?:hab['’]?e?|haben|hat|bin|ist|sind) (?:[^.!?]{1,60} )?(?!(?:geplant|gebucht|gemacht)\b)ge\w{2,20}(?:t|en)"
    ),
)


_MORE: Final = (
    r"(?: (?:so|alles|noch|noch alles|denn|schon|bisher|eigentlich|genau|jetzt|alle|mehr|etwas|was|nochmal|mal|bitte))*"
)
_ON: Final = "(?:über['’]?[nms]?|von|vom|zu|zum|zur|an|am)"
_FROM_ME: Final = rf"(?:,? (?:was|alles,? was) (?:ich|du)(?: dir)?{_MORE})?"

ABOUT: Final = AboutPatterns(
    before=_ON,
    lists=(
        (
            r"was (?:steht|ist|hab(?:e)? ich|haben wir|muss|soll)(?: noch| alles| denn| so| jetzt| schon)* auf {whom}"
            r"(?<=liste|ettel)"
        ),
        (
            r"(?:zeig|lies|nenn|gib)e?(?: mir| uns)?(?: mal| bitte)*(?: alles)?(?: von| auf)? {whom}(?<=liste|ettel)"
            r"(?: vor)?"
        ),
    ),
    asks=(
        (
            rf"was (?:(?:weißt|weisst|erinnerst|kennst|hast) du|wissen wir)(?: dich| dir)?{_MORE} {_ON} {{whom}}"
            r"(?: gemerkt| behalten| notiert)?"
        ),
        (
            r"was (?:(?:hast|findest) du|(?:steht|liegt|ist|findet sich|gibt(?:['’]?s| es))"
            rf"(?= (?:\w+ )?(?:bei dir|in deine[nm]? )))(?: alles| so)?(?: bei dir| in deine[nm]? \w+)?{_MORE} {_ON}"
            r" {whom}(?: stehen| vor(?:liegen)?| drin| gespeichert| notiert| vermerkt)?"
        ),
        rf"was (?:habe?|hatte) ich(?: dir)?{_MORE} {_ON} {{whom}}{_MORE} {_TOLD}",
        rf"(?:erzähl|sag|berichte?|erinner)e?(?: mir| mich)?{_MORE} {_ON} {{whom}}",
        (
            rf"(?:sag|zeig|nenn|erzähl|erinner)e?(?: mir| mich)?{_MORE},? was (?:ich|du)(?: dir)?{_MORE} {_ON} {{whom}}"
            rf"{_MORE} (?:{_TOLD} habe?|weißt|weisst)"
        ),
        (
            rf"fass(?:e)?(?: mir| mal| bitte| kurz| alles)*(?: zusammen)?{_FROM_ME} {_ON} {{whom}}{_MORE}"
            rf"(?: {_TOLD} habe?| weißt)?(?: zusammen)?"
        ),
        rf"(?:alle )?(?:infos?|informationen|details|notizen) {_ON} {{whom}}",
        rf"(?:eine |kurze |gib mir eine )*zusammenfassung {_ON} {{whom}}",
        rf"(?:hast|weißt) du{_MORE} (?:etwas|was|irgendwas|irgendetwas) {_ON} {{whom}}",
        rf"alles(?:,? was du)? {_ON} {{whom}}(?: weißt)?",
        r"(?:und )?(?:was|wie) (?:ist|war)(?: denn| eigentlich| jetzt| so| da| das)* mit {whom}(?: los| neu)?",
        r"(?:was|wie) ist der (?:aktuelle |neueste )?stand (?:bei|beim|mit|von|vom|der|in sachen|in) {whom}",
        r"(?:was|wie) (?:treibt|geht es|geht['’]?s) {whom}(?: so| gerade| jetzt)*",
        (
            r"was (?:gibt(?:['’]?s| es)|läuft)(?: denn| so| eigentlich)*(?: neues)? (?:mit|bei|beim|von|zu|zum"
            r"|zur|in|im|auf|an|am) {whom}(?: neues)?"
        ),
        r"gibt (?:es|['’]?s) (?:etwas |was )?neues (?:von|bei|zu|beim|vom|in|im|auf) {whom}",
        r"wie (?:steht es|ist der stand|sieht es aus) (?:um|bei|mit|beim) {whom}",
        r"(?:bring mich|bringen sie mich) (?:bei|zu|über) {whom} auf (?:den|die) (?:neuesten |aktuellen )?stand",
    ),
    changed=(
        r"was (?:ist|wurde)(?: denn| eigentlich)? aus {whom}(?: geworden)?",
        r"wie (?:lief|liefen|läuft)(?: das| es)?(?: mit| bei)? {whom}",
        r"wie (?:ist|sind) {whom} gelaufen",
        (
            rf"was hat sich{_MORE} (?:bei|in|an|auf|mit|beim|im|am|zu|zur|zum|um) {{whom}}{_MORE} "
            r"(?:(?:ge|ver)ändert|getan|entwickelt)"
        ),
        (
            rf"was (?:ist|war){_MORE} (?:bei|in|an|auf|mit|beim|im|am|zu|zur|zum) {{whom}}{_MORE} "
            r"(?:passiert|geschehen|anders(?: geworden)?|neu|los)"
        ),
    ),
    who=r"wer (?:ist|war|sind|waren)(?: denn| eigentlich| noch ?mal| gleich)* {whom}",
)
