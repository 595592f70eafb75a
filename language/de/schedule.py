"""Times, days and repetitions in German."""

from __future__ import annotations

from typing import Final

from language.schedule import ScheduleWords

_DAY: Final = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
_PART: Final = "(?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht)s?"
_AT: Final = "(?:um|gegen|ab|bis|so um|auf|für)"

SCHEDULE: Final = ScheduleWords(
    numbers={
        "eins": 1,
        "zwei|zwo|ein paar": 2,
        "drei": 3,
        "vier": 4,
        "fünf": 5,
        "sechs": 6,
        "sieben": 7,
        "acht": 8,
        "neun": 9,
        "zehn": 10,
        "elf": 11,
        "zwölf": 12,
        "fünfzehn": 15,
        "achtzehn": 18,
        "zwanzig": 20,
        "dreißig|dreissig": 30,
        "vierzig": 40,
        "fünfundvierzig": 45,
        "fünfzig": 50,
        "sechzig": 60,
        "neunzig": 90,
    },
    articles="ein(?:e[rmn]?)?|ner|nem|ne",
    ordinals={"ersten?": 1, "zweiten?": 2, "dritten?": 3, "fünften?": 5, "zehnten?": 10, "fünfzehnten?": 15},
    ordinal_ending=r"\.|ten",
    units={
        "sekunden?|sek": "second",
        "minuten?|min": "minute",
        "stunden?|std|h": "hour",
        "tag(?:en?)?": "day",
        "wochen?": "week",
        "monat(?:en?)?": "month",
        "jahr(?:en?)?": "year",
    },
    joins="und",
    after=("(?:in|nach) {amount}",),
    spans={
        "in (?:einer|ner) halben stunde": 30,
        "in (?:einer|ner) viertelstunde": 15,
        "in (?:einer|ner) dreiviertelstunde": 45,
        "in (?:anderthalb|eineinhalb) stunden": 90,
        "in zweieinhalb stunden": 150,
    },
    lasting="für (?:die nächsten )?{amount}",
    timer="(?:für|auf|über|von) {amount}",
    before="{amount} (?:vor(?:her|m)?|davor)",
    days={"gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2},
    day_parts={"heute (?:morgen|früh)": (0, "morning")},
    parts={
        "(?:gleich )?als erstes|(?:am )?(?:frühen )?morgens|am (?:frühen )?morgen|(?:in der )?früh": "morning",
        "(?:am )?vormittags?": "forenoon",
        "(?:am |zu[mr] )?mittags?(?:szeit)?": "noon",
        "(?:am )?nachmittags?": "afternoon",
        "(?:am )?abends?": "evening",
        "(?:in der )?nachts?": "night",
        "(?:um )?mitternacht": "midnight",
    },
    weekdays=(
        "montag",
        "dienstag",
        "mittwoch",
        "donnerstag",
        "freitag",
        "samstag|sonnabend|wochenende",
        "sonntag",
    ),
    on="am|an|zum|den|dem|am kommenden",
    gone="(?:am )?(?:letzte[nrms]?|vorige[nrms]?|vergangene[nrms]?) (?:{weekday}|{unit})",
    coming="(?:am )?(?:kommenden?|nächste[nrm]?|diese[nrm]?)",
    following="(?:am )?übernächste[nrm]?",
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
        r"(?:um|gegen|ab|so um) (?P<h>{h})",
        rf"(?:{_AT} )?halb (?P<h>{{h}})(?P<less_half>)",
        rf"(?:{_AT} )?viertel nach (?P<h>{{h}})(?P<quarter>)",
        rf"(?:{_AT} )?(?:viertel vor|dreiviertel) (?P<h>{{h}})(?P<less_quarter>)",
        rf"{_AT} (?P<past>{{h}})(?: minuten)? nach (?P<h>{{h}})",
        rf"{_AT} (?P<less>{{h}})(?: minuten)? vor (?P<h>{{h}})",
    ),
    every={
        "jeden (?:einzelnen )?tag|täglich|einmal (?:am|pro) tag": ("day", 1),
        "jeden zweiten tag": ("day", 2),
        "jede woche|wöchentlich|einmal (?:die|pro|in der) woche": ("week", 1),
        "jede zweite woche|zweiwöchentlich|vierzehntägig": ("week", 2),
        "jeden monat|monatlich|einmal (?:im|pro) monat": ("month", 1),
        "jeden zweiten monat": ("month", 2),
        "jedes quartal|vierteljährlich": ("month", 3),
        "jedes jahr|jährlich|einmal (?:im|pro) jahr": ("year", 1),
        "jede stunde|stündlich": ("hour", 1),
        "jede halbe stunde|halbstündlich": ("minute", 30),
    },
    every_number=("alle {n} {unit}",),
    every_part={
        "jeden morgen": "morning",
        "jeden vormittag": "forenoon",
        "jeden mittag": "noon",
        "jeden nachmittag": "afternoon",
        "jeden abend": "evening",
        "jede nacht": "night",
    },
    each="jede[nrs]?",
    each_weekday=(
        "montags",
        "dienstags",
        "mittwochs",
        "donnerstags",
        "freitags",
        "samstags|sonnabends",
        "sonntags",
    ),
    workdays=(
        "(?:an )?(?:jede[mn] )?(?:werktags?|werktagen|arbeitstags?|arbeitstagen|wochentags?|wochentagen)|werktäglich|"
        "(?:von )?montags? bis freitags?"
    ),
    weekends="(?:jedes |an jedem )wochenende|am wochenende immer|an wochenenden",
    of_month=(
        "(?:immer )?(?:am|jeden) {d} (?:eines |im |des )?(?:jeden |jedes )?monats?",
        "am (?:monatsletzten|letzten (?:tag )?(?:des|jeden|eines jeden) monats?)(?P<last>)",
        "am ende jeden monats(?P<last>)",
    ),
    day_of_month="(?:am|zum|bis zum) {d}",
    until="bis (?:zum |)ende(?: des)?(?P<end>)|bis(?: zum| einschließlich)?",
    times="{n} ?mal|(?P<twice>zweimal)",
    fillers="um|am|im|in|an|ab|der|den|dem|und|immer|jeweils|so|gegen|bitte",
    compounds=rf"{_DAY}(?={_PART}\b)",
    lead=(
        r"erinner(?:e|n sie|st|t)?(?: du)? (?:mich|uns)|(?:stell|mach|setz|leg|richte)(?:en?)?(?: sie)?(?: mir| uns)?"
        r"(?: bitte)?(?: einen?| eine| de[nr]| die| nen?| ne)(?: \w{1,20}){0,2}? (?:wecker|timer|erinnerung)(?: ein)?|"
        r"weck(?:e|en sie)? (?:mich|uns)|lass (?:mich|uns)(?: bitte)? nicht vergessen"
    ),
    wakes="weck(?:e|en)?",
    timers="wecker|timer",
    tail="(?:daran )?(?:zu )?erinner(?:n|st)",
    whom="mich|uns",
    told="was|wo|wohin|woher|wer|wen|wem|wessen|wann|wie|warum|wieso|welche[rsnm]?|ob",
    links="daran|ans?|dass|zu|übers?|wegen|fürs?|doch|mal|bitte|ich (?:muss|soll|möchte|will)",
    courtesies="bitte|danke",
)
