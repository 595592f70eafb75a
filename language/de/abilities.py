"""Questions that need no memory, in German."""

from typing import Final

from language.abilities import Abilities

_A: Final = r"(?P<a>\S.{0,40}?)"
_B: Final = r"(?P<b>\S.{0,40})"
_NOW: Final = "(?: (?:jetzt|gerade|grade?|denn|eigentlich|heute?|bitte|noch)){0,2}"
_IS: Final = "(?:ist|war|wird|fällt|fiel)"
_NAMED: Final = r"(?:der|den|dem|die|das|am|zum|auf den|zu|bis)"

ABILITIES: Final = Abilities(
    polite=r"(?:also|und|bitte|sag(?:e|st)?(?: du)?(?: mir)?(?: bitte)?(?: mal)?|(?:kannst|könntest) du(?: mir)?"
    r"(?: bitte)?(?: sagen)?|weißt du|können sie mir(?: bitte)? sagen|ich (?:möchte|will) wissen|frage)",
    ending=r"(?:bitte|jetzt|gerade|eigentlich|genau|ungefähr|übrigens|nochmal|nebenbei)",
    fillers=r"(?<!\d )mal|denn|eigentlich|nun|doch|schnell|kurz|so",
    time=rf"wie ?spät(?: ist es| haben wir(?: es)?| es ist)?{_NOW}|wie ?viel uhr(?: ist es| haben wir| es ist)?{_NOW}|"
    r"welche uhrzeit(?: ist es| haben wir| es ist)?(?: (?:jetzt|gerade))?|(?:die )?(?:aktuelle )?uhrzeit|"
    r"was sagt die uhr",
    time_in=r"(?:wie ?spät(?: ist es)?|wie ?viel uhr(?: ist es)?|welche uhrzeit (?:ist es|haben sie)|(?:die )?uhrzeit)"
    rf"{_NOW} in {{place}}",
    today=(
        rf"(?:welche[rsn]?|was für(?: ein(?:en)?)?) (?:wochen)?tag(?: ist| haben wir| ist es)?{_NOW}|"
        rf"(?:welches|was für ein|was ist das|das) (?:heutige )?datum(?: ist| haben wir| von)?{_NOW}|(?:der|den) ?wie "
        rf"?vielten?(?: ist| haben wir){_NOW}|was (?:ist|haben wir) heute?(?: für (?:'?n|'?nen|einen?) "
        r"(?:wochen)?tag)?|(?:heutiges )?datum(?: von heute| heute)?|welche[rn] (?:wochen)?tag heute ist|wie ist das "
        r"datum(?: heute)?|welches datum heute ist"
    ),
    day_of=(
        (
            rf"(?:an )?(?:welche[rmn]|was für ein(?:em|en)?) (?:wochen)?tag {_IS}(?: es)?(?: {_NAMED})? {{date}}"
            r"(?: sein| statt| an)?"
        ),
        rf"(?:auf|an) (?:welche[nm]|was für einen) (?:wochen)?tag {_IS}(?: {_NAMED})? {{date}}",
        rf"(?:was|welcher tag) (?:ist|war) {_NAMED} {{date}} für ein (?:wochen)?tag",
        rf"welches datum (?:ist|war|haben wir)(?: {_NAMED})? {{date}}",
        r"was (?:ist|wäre|sind) (?!am ){date}",
        rf"(?:wann|der wievielte) (?:ist|war)(?: {_NAMED})? {{date}}(?: dieses jahr)?",
    ),
    shifts={
        rf"{{spans}} (?:nach|ab|von|hinter|später als)(?: {_NAMED})? {{date}}(?: an)?": 1,
        rf"(?:{_NAMED} )?{{date}} (?:plus|und|\+) {{spans}}(?: später)?": 1,
        rf"{{spans}} vor(?: {_NAMED})? {{date}}": -1,
        rf"(?:{_NAMED} )?{{date}} minus {{spans}}": -1,
    },
    spans={"tage?n?": "days", "wochen?": "weeks", "monate?n?": "months", "jahre?n?": "years"},
    days_until=(
        (
            rf"(?:in )?wie ?viele?n?(?: tagen?)?(?: sind es| ist es| ist| sind| dauert es| bleiben)?{_NOW}"
            rf"(?: bis(?: {_NAMED})?| {_NAMED})? {{date}}"
        ),
        rf"wie lange?(?: (?:ist|dauert|sind) es)?{_NOW} bis(?: {_NAMED})? {{date}}",
        rf"(?:noch )?wie ?viele? tage(?: noch)? bis(?: {_NAMED})? {{date}}",
        rf"tage bis(?: {_NAMED})? {{date}}",
    ),
    days_since=(
        (
            rf"wie ?viele (?:tage|wochen) (?:sind|ist es)(?: es)?(?: vergangen)? (?:her )?seit(?: {_NAMED})?"
            rf" {{date}}(?: vergangen| her)?"
        ),
        rf"wie ?lange? ist(?: es)?(?: {_NAMED})? {{date}} her",
        rf"vor wie ?vielen tagen war(?: {_NAMED})? {{date}}",
        rf"wie ?viele tage (?:ist|liegt)(?: {_NAMED})? {{date}} her",
    ),
    days_between=(
        (
            r"wie ?viele (?:tage|nächte)(?: (?:sind(?: es| das)?|ist es|liegen|vergehen|haben wir))?"
            r" (?:vo[nm]|ab|zwischen)(?: de[mr])? {date} (?:bis(?: zu[mr]?)?|und)(?: de[mr])? {then}"
        ),
        r"(?:die )?(?:anzahl (?:der )?)?tage (?:vo[nm]|zwischen)(?: dem)? {date} (?:bis(?: zum?)?|und)(?: dem)? {then}",
        r"vo[nm] {date} bis(?: zum?)? {then},? wie ?viele (?:tage|nächte)(?: sind (?:es|das))?",
    ),
    year=r"(?:welches|was für ein) jahr(?: ist(?: es)?| haben wir| schreiben wir)?(?: jetzt| gerade)?",
    week=r"welche (?:kalender)?woche(?: ist(?: es)?| haben wir)?(?: jetzt| gerade)?|(?:welche )?kw(?: haben wir| ist)?",
    named_days={
        "weihnachten|(?:ersten? )?weihnachtstag": (12, 25),
        "neujahr(?:stag)?": (1, 1),
        "valentinstag": (2, 14),
        "halloween": (10, 31),
        "heilig(?:abend|er abend|en abend)": (12, 24),
        "nikolaus(?:tag)?": (12, 6),
        "silvester": (12, 31),
        "tag der (?:deutschen )?einheit": (10, 3),
    },
    calculates=r"(?:was|wie ?viel)(?: ist| sind| ergibt| ergeben| macht| machen| gibt| wäre)?|"
    r"(?:be)?rechne(?:n sie)?(?: mir)?(?: bitte)?(?: aus)?|wie ?viel das",
    result=r"(?: ?(?:ist gleich|gleich|ist|sind|ergibt|macht|aus))?(?: ?=)?",
    operators={
        "plus": "+",
        "minus|weniger|abzüglich": "-",
        "x|mal|multipliziert mit": "*",
        "geteilt durch|dividiert durch|durch": "/",
        "hoch": "^",
        "prozent": "%",
        "von": "of",
        "weniger als": "off",
    },
    shares={
        "(?:die )?hälfte von": (1, 2),
        "(?:ein )?drittel von": (1, 3),
        "zwei drittel von": (2, 3),
        "(?:ein )?viertel von": (1, 4),
        "dreiviertel von|drei viertel von": (3, 4),
    },
    money=r"euro|eur|dollar|franken|chf|cent|pfund|[€$£¥]",
    root="(?:die )?(?:quadrat)?wurzel (?:aus|von)",
    orders={
        rf"(?:addiere|zähle) {_A} (?:und|zu|plus) {_B}": "+",
        rf"multiplizier(?:e|en sie) {_A} (?:mit|und) {_B}": "*",
        rf"(?:teile?|dividiere|teilen sie) {_A} durch {_B}": "/",
        r"(?:ziehe?|subtrahiere) (?P<b>\S.{0,40}?) von (?P<a>\S.{0,40}?)(?: ab)?": "-",
        r"(?:ziehe? )?von (?P<a>\d\S{0,40}?)(?: mal)? (?P<b>\d.{0,40}?) (?:ab|abziehen|abgezogen|runter|weg)": "-",
        rf"{_A} mit {_B} (?:rabatt|nachlass|skonto|abzug)": "-",
    },
    decimal_comma=True,
    units={
        "gallonen?": "gallon",
        "pints?": "pint",
        "pfund": "metric_pound",
        "zentner": "hundredweight",
        "m|metern?|meter": "m",
        "mm|millimetern?|millimeter": "mm",
        "cm|zentimetern?|zentimeter": "cm",
        "km|kilometern?|kilometer": "km",
        "zoll|inch": "inch",
        "fuß|fuss|feet|ft": "foot",
        "yards?": "yard",
        "meilen?": "mile",
        "seemeilen?": "sea_mile",
        "kg|kilos?|kilogramm": "kg",
        "mg|milligramm": "mg",
        "g|gramm": "g",
        "t|tonnen?": "t",
        "unzen?": "ounce",
        "lbs?|pounds?|englische pfund": "pound",
        "stone": "stone",
        "l|litern?|liter": "l",
        "ml|millilitern?|milliliter": "ml",
        "cl|zentilitern?|zentiliter": "cl",
        "dl|dezilitern?|deziliter": "dl",
        "kubikmetern?|kubikmeter|m³|m3": "cubic_metre",
        "quadratmetern?|quadratmeter|qm|m²|m2": "square_metre",
        "quadratkilometern?|quadratkilometer|qkm|km²|km2": "square_kilometre",
        "hektar|ha": "hectare",
        "acres?": "acre",
        "km/h|kmh|stundenkilometern?|stundenkilometer|kilometern? (?:pro|in der) stunde": "km_per_hour",
        "mph|meilen pro stunde": "mile_per_hour",
        "m/s|metern? pro sekunde": "metre_per_second",
        "knoten": "knot",
        "sek|sekunden?": "s",
        "min|minuten?": "min",
        "std|h|stunden?": "h",
        "tagen?|tage?": "day",
        "wochen?": "week",
        "(?:grad |°)?(?:c|celsius)": "celsius",
        "(?:grad |°)?(?:f|fahrenheit)": "fahrenheit",
        "kelvin": "kelvin",
    },
    ends_at=r"(?:wann|um wie ?viel uhr)(?: \S{1,20}){1,6}? (?:fertig|an|ankomme\w{0,2}|da|zu ende|vorbei|aus|raus)",
    happens=r"(?:beginnt|anfängt|losgeht|endet|aufhört|abläuft|fällig ist|stattfindet|kommt|ist)",
    into=r"in|wie ?viele?|auf",
    converts=(
        (
            r"(?:(?:(?:was|wie ?viele?|wie (?:lang|schwer|weit|heiß|warm)) (?:ist|sind)|rechne) )?"
            r"{amount} ?{from} in {to}(?: um)?"
        ),
        r"wie ?viele? {to} (?:ist|sind|hat|haben|ergeben|ergibt|machen) (?:ein(?:e|en|em)? )(?P<amount>){from}",
        r"wie ?viele? {to} (?:ist|sind|hat|haben|ergeben|ergibt|machen) {amount} ?{from}",
        r"{amount} ?{from},? (?:(?:ist|sind)(?: das)? )?wie ?viele? {to}(?: (?:ist|sind) das)?",
        r"wie ?viele? {to} (?:ist|sind|wären?) (?:das|es),? {amount} ?{from}",
        r"(?:was|wie ?viel) (?:ist|sind|wären?) (?:das|es) in {to},? {amount} ?{from}",
    ),
)
