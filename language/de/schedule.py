"""When something is, in German: days and months, times and repetitions, requests to be reminded."""

from typing import Final

from language.schedule import Calendar, ReminderPatterns, ScheduleWords, count
from language.words import word_set

_SHORT: Final = r"(?=\.|,? ?\d| (?:um|und|bis|früh|abend|vormittag|nachmittag)\b|[-–/]|, ?(?:mo|di|mi|do|fr|sa|so)\b)"
"""What follows the abbreviation of a day, which may be another word elsewhere: "so", "do", "mi"."""
_DAY: Final = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
_PART: Final = "(?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht)s?"
_AT: Final = "(?:um|gegen|ab|bis|so um|auf|für)"

SCHEDULE: Final = ScheduleWords(
    numbers=count(
        r"eins|ein(?=und|\suhr) zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn "
        "vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig"
    )
    | count("dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig", 30, 10),
    compound_number="{one}und{ten}",
    articles="ein(?:e[rmn]?)?|ner|nem|ne",
    ordinals=count(
        "ersten? zweiten? dritten? vierten? fünften? sechsten? siebten? achten? neunten? zehnten? elften? "
        "zwölften? dreizehnten? vierzehnten? fünfzehnten? sechzehnten? siebzehnten? achtzehnten? neunzehnten? "
        "zwanzigsten? einundzwanzigsten? zweiundzwanzigsten? dreiundzwanzigsten? vierundzwanzigsten? "
        "fünfundzwanzigsten? sechsundzwanzigsten? siebenundzwanzigsten? achtundzwanzigsten? neunundzwanzigsten? "
        "drei(?:ß|ss)igsten? einunddrei(?:ß|ss)igsten?"
    ),
    ordinal_ending=r"\.|ten",
    units={
        "sekunden?|sek": "second",
        r"minuten?|min\b\.?": "minute",
        r"stunden?|stündchen|std\b\.?|h": "hour",
        "tag(?:en?)?": "day",
        "wochen?": "week",
        "monat(?:en?)?": "month",
        "jahr(?:en?)?": "year",
    },
    joins="und",
    after=("(?:in|nach)(?: etwa| ca\\.?| ungefähr)? {amount}",),
    weekday_after=(
        "{weekday} in (?:einer|1) woche|{weekday} in acht tagen",
        "morgen in (?:einer|1) woche(?P<tomorrow>)",
    ),
    fractions={
        "(?:einer|eine|ner|ne|1/2) halben?r? stunde|(?:eine[rn]? )?halben? stunde|halbstunde": 30,
        "(?:einer|eine|ner|ne) (?:guten )?viertelstunde|viertelstunde": 15,
        "(?:einer|eine|ner|ne) dreiviertelstunde|dreiviertelstunde|dreiviertel stunde": 45,
        "(?:anderthalb|eineinhalb) stunden": 90,
        "zweieinhalb stunden": 150,
    },
    rough="ein paar|einige[nrsm]?|mehrere[nrsm]?|wenige[nrsm]?|etliche[nrsm]?",
    lasting="(?:(?:für|über) (?:die nächsten )?{amount}(?: lang)?)",
    timer="(?:für|auf|über|von) {amount}",
    before="{amount} vor(?:m)?(?! (?:{weekday}|mitternacht|mittag))",
    before_event={
        r"(?:am |den |an dem )?(?P<span>(?:(?:eine?n?|zwei|drei|vier|fünf|sechs|sieben|zehn|\d{1,3}|eine halbe|"
        r"eine viertel) )?(?:minuten?|stunden?|tage?|wochen?|abend|morgen)) (?:vorm|vor|vom)"
        r"(?: (?:dem|der|den|de[ms]|meine[mnr]|unsere[mnr]))? (?!(?:um|an|mittag|mitternacht|\d\w*)\b)"
        r"(?P<event>\S.*?(?P<todo> \S+ (?:\w+zu|zu )\w+en)?)$": "{span} davor",
        r"(?:am |den )?(?P<span>(?:vorabend|vortag)) (?:des|der|vom|von)(?: (?:de[mrs]|meine[mrs]|unsere[mrs]))? "
        r"(?P<event>\S.*?(?P<todo> \S+ (?:\w+zu|zu )\w+en)?)$": "{span}",
    },
    earlier="{amount}\\.? (?:vorher|davor|zuvor|früher|im voraus)",
    days_earlier={
        "(?:am )?(?:tag|vortag)(?: davor| vorher| zuvor)?(?<=vortag)|(?:am |den )?tag (?:davor|vorher|zuvor)": (1, ""),
        "(?:am )?vorabend|(?:am )?abend (?:davor|vorher|zuvor)": (1, "evening"),
    },
    days={"gestern": -1, "heute?": 0, "morgen": 1, "übermorgen": 2},
    day_parts={
        "heute? (?:morgen|früh)": (0, "morning"),
        "heute? (?:nacht)": (0, "night"),
        "heute? abend": (0, "evening"),
    },
    parts={
        r"(?:gleich )?als erstes|(?:am )?(?:frühen )?morgens|am (?:frühen )?morgen|(?:in der )?früh|"
        r"(?<=morgen )früh": "morning",
        "(?:am )?vormittags?": "forenoon",
        "(?:am |zu[mr] )?mittags?(?:szeit)?": "noon",
        "(?:am )?nachmittags?": "afternoon",
        "(?:am )?(?:späten )?abends?|auf d['’]nacht": "evening",
        "(?:in der )?nachts?": "night",
        "(?:um )?mitternacht": "midnight",
    },
    weekdays=(
        f"montag|mo{_SHORT}",
        f"dienstag|di{_SHORT}",
        f"mittwoch|mi{_SHORT}",
        f"donnerstag|do{_SHORT}",
        f"freitag|fr{_SHORT}",
        f"samstag|sonnabend|wochenende|sa{_SHORT}",
        f"sonntag|so{_SHORT}",
    ),
    weekday_range="bis",
    nth=count(r"erste[nsr]?|1\. zweite[nsr]?|2\. dritte[nsr]?|3\. vierte[nsr]?|4\. fünfte[nsr]?|5\.")
    | {"letzte[nsr]?": -1},
    nth_weekday=(
        (
            r"(?:immer )?(?:am |an |(?P<every>jeden |an jedem |immer am |immer ))?{nths} {days} "
            r"(?:im|des|vom|jeden|eines|eines jeden)(?: laufenden)? monat(?:s|e)?"
        ),
        "(?:am )?{nths} {days} (?P<every>jeden|eines jeden|in jedem) monats?",
        "(?:am )?{nths} {days} (?:im|des)(?P<coming> nächsten| kommenden) monat(?:s|e)?",
        "(?:am )?{nths} {days} (?:im |des )?{month}s?",
    ),
    month_end=(
        (
            "(?:am |zum |bis )?(?:monatsende|ende (?:des|diesen|dieses) monats?|letzten tag (?:des|im|dieses|"
            "diesen) monats?)"
        ),
        "(?:am |zum )?(?:ende|letzten tag (?:im|des)) {month}s?",
        "(?:am )?monatsletzten",
    ),
    year_end="(?:zum )?(?:jahresende|ende (?:des|dieses) jahres)",
    holidays={
        "heilig(?:er )?abend|heiligabend": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24",
        "(?:ersten?|1\\.) (?:weihnachts(?:feier)?tag)": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25",
        "(?:zweiten?|2\\.) (?:weihnachts(?:feier)?tag)|stephanitag": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=26",
        "silvester(?:abend)?": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31",
        "neujahr(?:stag)?": "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1",
        "nikolaus(?:tag|abend)?": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=6",
        "valentinstag": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=14",
        "rosenmontag": "FREQ=YEARLY;BYEASTER=-48",
        "aschermittwoch": "FREQ=YEARLY;BYEASTER=-46",
        "gründonnerstag": "FREQ=YEARLY;BYEASTER=-3",
        "karfreitag": "FREQ=YEARLY;BYEASTER=-2",
        "karsamstag": "FREQ=YEARLY;BYEASTER=-1",
        "ostersonntag": "FREQ=YEARLY;BYEASTER=0",
        "ostermontag": "FREQ=YEARLY;BYEASTER=1",
        "(?:christi )?himmelfahrt|vatertag": "FREQ=YEARLY;BYEASTER=39",
        "pfingstsonntag": "FREQ=YEARLY;BYEASTER=49",
        "pfingstmontag": "FREQ=YEARLY;BYEASTER=50",
        "fronleichnam": "FREQ=YEARLY;BYEASTER=60",
        "muttertag": "FREQ=YEARLY;BYMONTH=5;BYDAY=+2SU",
        "tag der (?:deutschen )?einheit": "FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=3",
        "allerheiligen": "FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=1",
        "halloween": "FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=31",
        "(?:ersten|1\\.) advent(?:ssonntag)?": "FREQ=YEARLY;BYDAY=SU;BYYEARDAY=-35,-34,-33,-32,-31,-30,-29",
        "(?:zweiten|2\\.) advent(?:ssonntag)?": "FREQ=YEARLY;BYDAY=SU;BYYEARDAY=-28,-27,-26,-25,-24,-23,-22",
        "(?:dritten|3\\.) advent(?:ssonntag)?": "FREQ=YEARLY;BYDAY=SU;BYYEARDAY=-21,-20,-19,-18,-17,-16,-15",
        "(?:vierten|4\\.) advent(?:ssonntag)?": "FREQ=YEARLY;BYDAY=SU;BYYEARDAY=-14,-13,-12,-11,-10,-9,-8",
    },
    on="am|an|zum|den|dem|am kommenden|für",
    gone="(?:am )?(?:letzte[nrms]?|vorige[nrms]?|vergangene[nrms]?) (?:{weekday}|{unit})|vor {amount}(?! dem)",
    coming="(?:am )?(?:kommenden?|diese[nrms]?)",
    following="(?:am )?(?:über)?nächste[nrms]?",
    next_units={
        "(?:anfang )?nächste[rn]? woche|kommende woche": ("week", 1),
        "übernächste woche": ("week", 2),
        "(?:anfang )?nächste[nrs]? monat(?:s)?|kommenden monat": ("month", 1),
        "nächste[sn]? jahr(?:es)?": ("year", 1),
    },
    clocks=(
        rf"(?:{_AT} )?(?P<h>\d{{1,2}})(?:[:.](?P<m>[0-5]\d))? ?uhr(?: (?P<m2>[0-5]?\d))?(?P<exact>)",
        rf"(?:{_AT} )?(?P<h>{{h}}) uhr(?: (?P<m2>{{h}}))?(?P<exact>)",
        rf"{_AT} (?P<h>\d{{1,2}})[:.](?P<m>[0-5]\d)",
        r"(?P<h>\d{1,2}):(?P<m>[0-5]\d)",
        (
            r"(?:um|gegen|ab|so um|so gegen) (?P<h>{h})(?! (?:nach|vor|viertel|halb|prozent|euro|cent|kilo|grad)\b|"
            r" ?[%€])"
        ),
        rf"(?:{_AT} )?halb (?P<h>{{h}})(?P<less_half>)",
        rf"(?:{_AT} )?viertel (?:nach|ab|über) (?P<h>{{h}})(?P<quarter>)",
        rf"(?:{_AT} )?(?:viertel vor|dreiviertel) (?P<h>{{h}})(?P<less_quarter>)",
        rf"(?:{_AT} )?viertel (?P<h>{{h}})(?P<before_quarter>)",
        (
            rf"(?:{_AT} )?(?P<past>{{h}})(?: minuten| min)? (?:nach|ab) (?:(?P<h>{{h}})|(?P<noon>mittag)|"
            rf"(?P<midnight>mitternacht))"
        ),
        (
            rf"(?:{_AT} )?(?P<less>{{h}})(?: minuten| min)? vor (?:(?P<h>{{h}})|(?P<noon>mittag)|"
            rf"(?P<midnight>mitternacht))"
        ),
        rf"(?:{_AT} )?(?P<past>{{h}})(?: minuten| min)? nach halb (?P<h>{{h}})(?P<less_half>)",
        rf"(?:{_AT} )?(?P<less>{{h}})(?: minuten| min)? vor halb (?P<h>{{h}})(?P<less_half>)",
        rf"(?:{_AT} )?(?P<h>\d{{1,2}}) ?h(?: ?(?P<m>[0-5]\d))?(?P<exact>)",
    ),
    every={
        "jeden (?:einzelnen )?tag|täglich|einmal (?:am|pro) tag": ("day", 1),
        "jeden zweiten tag": ("day", 2),
        "jede woche|wöchentlich|einmal (?:die|pro|in der) woche": ("week", 1),
        "jede (?:zweite|2\\.) woche|zweiwöchentlich|zweiwöchig|(?:vierzehn|14-?)tägig": ("week", 2),
        "jeden monat|monatlich|einmal (?:im|pro) monat": ("month", 1),
        "jeden zweiten monat": ("month", 2),
        "jedes quartal|vierteljährlich": ("month", 3),
        "jedes jahr|jährlich|einmal (?:im|pro) jahr": ("year", 1),
        "jede stunde|stündlich": ("hour", 1),
        "jede halbe stunde|halbstündlich": ("minute", 30),
    },
    every_number=("alle {n} {unit}", "einmal alle {n} {unit}"),
    every_second="jede[nsr]? (?:(?P<both>zweiten?|2\\.)|anderen) {days}",
    without=(
        "(?:außer|ausser|ausgenommen|bis auf|nur nicht|aber nicht)(?: (?:am|an|den|die|"
        "dem))? (?P<except>(?:{weekday}|samstags|sonntags)s?(?:,? (?:und|oder) (?:am )?{weekday}s?)?)"
    ),
    every_part={
        "jeden morgen": "morning",
        "jeden vormittag": "forenoon",
        "jeden mittag": "noon",
        "jeden nachmittag": "afternoon",
        "jeden abend": "evening",
        "jede nacht": "night",
    },
    each="jede[nrs]?",
    each_weekday=("montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags|sonnabends", "sonntags"),
    workdays=(
        "(?:an )?(?:jede[mn] )?(?:werktags?|werktagen|arbeitstags?|arbeitstagen|wochentags?|wochentagen)|werktäglich|"
        "(?:von )?montags? bis freitags?|unter der woche|wochentags"
    ),
    weekends="(?:jedes |an jedem )wochenende|am wochenende immer|an wochenenden",
    of_month=(
        "(?:immer )?(?:am|jeden) {d} (?:eines |im |des |vom )?(?:jeden |jedes )?monats?",
        "jeden {D}",
        "(?:am|jeden) (?:letzten (?:tag )?(?:jeden|eines jeden|jedes) monats?)(?P<last>)",
        "(?:jeden letzten (?:tag )?(?:im|des|vom) monats?|jeden monatsletzten|jeweils zum monatsende)(?P<last>)",
        "(?:immer )?am (?:ende jeden monats|monatsende jeden monats|letzten jedes monats)(?P<last>)",
    ),
    day_of_month=(
        r"(?:am|zum|auf den(?= [0-3]?\d(?:\.|te?n) ?(?:$|[,;:!?)-]|"
        r"(?:um|gegen|ab|statt|und|aber|verschoben|verlegt|vorverlegt|vorgezogen|gelegt|gerutscht|früh|morgens|abends)\b)))"
        " {d}(?! ?(?:mal|stock|etage|klasse|platz|versuch|lebensjahr|geburtstag|hochzeitstag|%|"
        "prozent|euro|tag|arbeitstag))"
    ),
    until="bis(?: einschließlich)?",
    times="{n} ?mal|(?P<twice>zweimal)",
    each_time="jede[ns]? ?mal|jeweils",
    weekend="wochenenden?",
    near=("übermorgen", "vormittag", "nachmittag", "wochenende", "mitternacht"),
    fillers=(
        r"um|am|im|in|an|ab|der|den|dem|und|immer|jeweils|so|gegen|bitte|erstmals|beginnend|beginnend mit|mit|"
        r"startend|von|das|die|nächste|erste|erstes|zum ersten|mal|ist|noch|dann|zu|nur"
    ),
    zones={"(?:mittel|west|ost)europäischer zeit": "Europe/Berlin", "greenwich[- ]zeit|weltzeit": "UTC"},
    zone_of="(?P<city>\\w{3,20}(?:[ -]\\w{3,20})?er) (?:orts)?zeit",
    sounds=(
        r"(?:vor|nach|zum|beim|zur|während|bei) (?:dem |der |meiner )?(?:frühstück|mittagessen|abendessen|essen|"
        r"arbeit|feierabend|schule|schlafen\w*|sonnenauf\w+|sonnenunter\w+|dienst\w*|unterricht)|feierabend|"
        r"(?:ende|anfang|mitte) (?:der|dieser|nächster) woche|\d{1,2}h\d\d|\w{3,20}er (?:orts)?zeit|"
        r"hintereinander|am stück|(?:ein paar|einige|mehrere) (?:minute|stunde|tage|woche|monate|jahre)\w{0,1}|"
        r"(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?|heute|morgen(?: früh)?|gestern|übermorgen|"
        r"\w{3,15}(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?|mitternachts?|mittags|abends|"
        r"nachts|morgens|vormittags?|nachmittags?|täglich|stündlich|(?:zwei|drei|vier|sechs)?wöchentlich|monatlich|"
        r"jährlich|vierteljährlich|halbjährlich|\w{0,12}tägig|(?:jede[nrsm]?|alle|nächste[nrsm]?|kommende[nrsm]?|"
        r"diese[nrsm]?|letzte[nrsm]?|erste[nrsm]?|zweite[nrsm]?|dritte[nrsm]?|pro|einmal|zweimal|mehrmals|paar) "
        r"(?:\w{2,12} )?(?:minute|stunde|tag|woche|wochenende|monat|quartal|jahr|mal|morgen|abend|nacht|werktag|"
        r"frühling|frühjahr|sommer|herbst|winter)\w{0,2}|regelmäßig|ab und zu|hin und wieder|gelegentlich|"
        r"irgendwann|später|nachher|bald|demnächst|immer wieder|ostern|pfingsten|weihnachten|advent\w{0,10}|"
        r"fasching|karneval|nikolaus|\w{3,12}tag(?= (?:um|ab|gegen))|monats(?:ende|anfang|mitte)|"
        r"jahres(?:ende|anfang|wechsel)|wochen(?:ende|anfang|mitte)|vorabend|vortag|folgetag|"
        r"halb (?:\d|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)|viertel (?:vor|nach|ab|über)|"
        r"dreiviertel|uhr|\d{1,2}:\d\d|\d{1,2}\. ?(?=\d|jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)|außer|"
        r"bis (?:zum|ende)|januar|jänner|februar|märz|april|juni|juli|august|september|oktober|november|dezember|"
        r"im mai|ende mai|(?:im |nächsten )?(?:frühling|frühjahr|sommer|herbst|winter)|"
        r"(?:stunden?|tage?|wochen?|monate?|minuten?|min\.?) (?:vor|nach|davor|danach|vorher|später|früher)"
    ),
    relations=(
        r"vor|nach|davor|danach|vorher|nachher|zuvor|früher|später|halb|viertel|jede[nrsm]?|alle|außer|ausser|oder|"
        r"zwischen|bis|seit|minuten?|stunden?|tage?n?|tag|wochen?|wochenendes?|monate?n?|jahre?n?|morgen|abend|nacht|"
        r"zeit|mal|lang|nächste[nrsm]?|letzte[nrsm]?|zweimal|einmal|mehrmals"
    ),
    compounds=rf"{_DAY}(?={_PART}\b)",
    lead=(
        r"erinner(?:e|n sie|st|t)?(?: du)? (?:mich|mi|uns)|(?:stell|mach|setz|leg|richte)"
        r"(?:en?)?(?: sie)?(?: mir| uns)?(?: bitte)?(?: einen?| eine| de[nr]| die| nen?| ne)?(?: \w{1,20}){0,2}? "
        r"(?:wecker|timer|erinnerung)(?: ein)?|weck(?:e|en sie)? (?:mich|uns)|lass (?:mich|uns)(?: bitte)? nicht "
        r"vergessen"
    ),
    imperative=(
        r"erinner[en]? (?:mich|mi|uns)|erinnern sie (?:mich|uns)|erinnerst (?:du )?(?:mich|uns)|weck(?:e|en sie)? "
        r"(?:mich|uns)|lass (?:mich|uns)(?: bitte)? nicht vergessen"
    ),
    hinders="ich|du|er|sie|es|wir|ihr|das|dies|was|der|die|man|nicht|nie|kann|soll|zu|und sie|musst|sollst|bilder",
    orders=r"(?:da?ran )?erinnern(?= ?$| ?[,.!:;–-]| bitte| dass)",
    subjects=(
        "ich|du|er|sie|es|wir|ihr|man|muss|musst|müssen|soll|sollte|sollen|kann|kannst|können|will|wollte|werde|wird|werden|"
        "würde|möchte|darf|wollen|lass|lassen|hat|habe|haben|war|zu erinnern"
    ),
    wakes="weck(?:e|en)?",
    timers="wecker|timer",
    tail="(?:da?ran )?(?:zu )?erinner(?:n|st)",
    whom="mich|uns",
    told="was|wo|wohin|woher|wer|wen|wem|wessen|wann|wie|warum|wieso|welche[rsnm]?|ob",
    links="da?ran|ans?|dass(?: ich)?|zu|übers?|wegen|fürs?|doch|mal|bitte|ich (?:muss|soll|möchte|will)|ist|sind",
    courtesies="bitte|danke|nicht vergessen",
)


CALENDAR: Final = Calendar(
    months=tuple(
        count(
            "jan(?:uar)?|jänner feb(?:ruar)?|feber märz apr(?:il)? mai juni? juli? aug(?:ust)? sept?(?:ember)? "
            "okt(?:ober)? nov(?:ember)? dez(?:ember)?"
        )
    ),
    day_ending=r"\.",
    relative={
        "heute": (0, 0),
        "heute morgen": (0, 0),
        "gestern": (1, 1),
        "vorgestern": (2, 2),
        "diese woche": (6, 0),
        "letzte woche": (13, 5),
        "letztes wochenende": (9, 2),
        "diesen monat": (30, 0),
        "letzten monat": (62, 20),
        "dieses jahr": (365, 0),
        "letztes jahr": (730, 200),
    },
    counts={"einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7},
    units={"tag(?:en)?": 1, "wochen?": 7, "monat(?:en)?": 30, "jahr(?:en)?": 365},
    ago=r"vor\s+{count}\s+{unit}",
    exactly=(
        r"gestern|heute?|morgen abend|vorgestern|übermorgen|vor (?:\w+ )?(?:tag|woche|monat|jahr)\w*|"
        r"(?:letzt|nächst|diese)\w* (?:woche|wochenende|monat|jahr|sommer|winter)|"
        "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?"
    ),
    vaguely="kürzlich|bald|neulich|endlich",
    compares=(
        "bevor|vorher|vor|nach|nachdem|nachher|danach|davor|seit|seitdem|bis|früher|später|zuerst|zuletzt|"
        r"(?:erste|letzte|nächste)[nmrs]? mal|wie lange|an welche[mn] tag|welche[rsnm]? (?:tag|woche|monat|jahr|datum)|"
        "wann|als"
    ),
)


_AT_WHAT_TIME: Final = (
    r"(?:wann|um wie ?viel uhr|um welche (?:uhr)?zeit|an welche[mn] (?:tag|datum))(?: (?:am|im|heute|morgen)\b.{0,20})?"
)
_WHEN: Final = r"(?:da?ran|an|heute|morgen|übermorgen|später|um|in|am|jeden|jede|vor|nach|rechtzeitig)\b"

REMINDERS: Final = ReminderPatterns(
    polite=(
        r"(?:(?:bitte|hallo|hey|und|auch|kannst|könntest|könnten|können|würdest|würden|du|sie|vergiss nicht|mich|"
        r"da?ran|ich möchte|ich will|dass)\b[, ]{1,3}){0,7}"
    ),
    manages=(
        r"hör(?:en sie)? auf,? mich (?:(?:da?ran|an .{1,60}) )?zu erinnern|erinner(?:e|n sie)? mich "
        rf"(?:bitte )?nicht mehr(?: .{{1,60}})?|(?:woran|an was|wofür|{_AT_WHAT_TIME}) "
        r"(?:(?:wirst|willst|sollst|soll|musst|kannst) du .{0,30}\berinnern|erinnerst du (?:mich|uns)"
        r"(?: .{1,40})?)|welche erinnerungen (?:sind|stehen|gibt es|kommen|laufen|habe ich) "
        r".{0,40}\b(?:gestellt|gesetzt|geplant|an|aus|offen|eingestellt|eingerichtet)"
    ),
    may_manage=(
        r"(?:(?:kannst|könntest|würdest) du )?(?:lösch|storniere?|streich|entfern|vergiss|verschieb|änder|zeig|nimm|"
        r"brich|sag)\w{0,3} (?:[^.?!;]{0,60} )?erinnerung(?:en)?(?: .{1,60})?|(?:kannst|könntest) du "
        r".{0,40}\berinnerung(?:en)?(?: .{1,60})?|(?:die |meine |alle )?erinnerung(?:en)?(?: .{1,60})? "
        r"(?:löschen|streichen|absagen|verschieben|ändern|anzeigen|zeigen|weg)|(?:welche|wie ?viele?|habe ich|"
        r"hab ich|gibt es|gibts)(?: noch| offene| weitere)? erinnerungen(?: .{1,60})?|"
        r"wann (?:ist|kommt|sind|kommen) (?:die|meine)(?: \w{1,20}){0,2} erinnerung(?:en)?(?: .{1,60})?|"
        rf"{_AT_WHAT_TIME} (?:meldest du dich|schreibst du (?:mir|uns)|(?:gibst|sagst) du (?:mir|uns) bescheid)"
        r"(?: .{1,60})?|(?:meine|alle(?: meine)?) erinnerungen"
    ),
    cancels=r"hör\w* auf|nicht mehr|lösch\w*|stornier\w*|streich\w*|entfern\w*|vergiss|nimm|brich|absagen|weg",
    keeps=(
        r"(?:lösch|stornier|streich|entfern)\w{0,2}\b(?: (?!nicht)\w+){0,4} nicht(?! mehr)|"
        r"nicht (?:lösch|stornier|streich|entfern|absag)en"
    ),
    moves=r"verschieb\w*|änder\w*",
    things=r"erinnerung(?:en)?|wecker|timer|alarme?|benachrichtigung(?:en)?",
    order_words=word_set(
        """
        lösch lösche löschen gelöscht storniere stornieren streich streiche streichen entferne entfernen weg raus
        absagen abbrechen brich nimm lass stell abstellen abschalten aus aufhören hör auf vergiss brauche brauch braucht
        brauchst gebraucht nötig mehr nicht erledigt hinfällig überflüssig sparen kannst weglassen erinnere erinner
        erinnerst erinnern erinnert erinnerung erinnerungen wecker timer alarm hinweis meldung melde meldest meldung
        bescheid bescheidgeben anstupsen anpingen ping pingst termin eintrag die der das den dem des letzte letzten
        letzter vorige nächste erste andere eine einen ganze ganzen verschieb verschiebe verschieben verschoben verleg
        verlege verlegen verlegt änder ändere ändern geändert mach mache machen leg setz schieb schiebe schieben besser
        lieber anders überlegt statt stattdessen doch später früher eher stunde stunden minute minuten halbe tag tage
        tagen woche wochen uhr zeit wann woran welche was hast hat habe gibt gibts steht stehen gestellt gesetzt kommt
        kommen noch wieder zeig zeige zeigen aktiv offen geplant laufen läuft gerade aktuell eingestellt eingerichtet
        daran dran daraus draus dafür davon dazu bitte danke sorry ups ach okay ok doch mal mir mich uns
        """
    ),
    onto=word_set("auf zu"),
    rather_than=word_set("nicht statt als von vom"),
    every=r"alle[nrs]?|sämtliche\w*|alles",
    dates=((r"\b(?:auf )?de[nmr] (\d{1,2})\.(?=\s|$)", r"am \1."),),
    at="um",
    within="in",
    minute="einer Minute",
    earlier=r"früher|eher|vor|vorher",
    requests=(
        rf"erinner(?:e|n sie)? (?:mich|uns) (?:bitte |doch |mal ){{0,2}}{_WHEN}",
        r"erinner(?:e|n sie)? (?:mich|uns)\b[^.?!]{0,100}?,? (?:\w{1,30} ){0,6}zu \w{2,30}(?:en|n)\b",
        rf"{_WHEN}(?:(?!\b(?:ich|er|wir|ihr|man|werde|muss)\b)[^,]){{0,120}}? (?:zu )?erinnern\b",
        (
            r"(?:stell|mach|setz|leg|richte)(?:en?)? (?:sie )?(?:mir |uns )?(?:bitte )?"
            r"(?:(?:einen?|eine|nen|ne|de[nr]|die) )?(?:\w{1,20} ){0,2}(?:wecker|timer|erinnerung)\b"
        ),
        r"weck(?:e|en sie)? (?:mich|uns)\b",
        r"lass (?:mich|uns) (?:bitte )?nicht vergessen\b",
    ),
)
