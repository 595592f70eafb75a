"""Questions that need no memory, in English."""

from typing import Final

from language.abilities import Abilities

_A: Final = r"(?P<a>\S.{0,40}?)"
_B: Final = r"(?P<b>\S.{0,40})"
_IS: Final = r"(?:['’]?s| is| was| will| would| does| did)"

ABILITIES: Final = Abilities(
    polite=r"(?:so|ok(?:ay)?|and|please|(?:can|could|would) you(?: please)?(?: tell me)?|tell me|do you know|"
    r"i(?:['’]d| would) like to know|i (?:want|need) to know|(?:quick|one) question)",
    ending=r"(?:please|by the way|btw|real quick|quickly|now|right now|just now|at the moment|currently|again|exactly)",
    fillers=r"then|though|actually|mate|dear|love|pls|plz|just|even",
    time=rf"what{_IS} (?:the )?(?:exact |current )?time|what time(?: is it|{_IS} it| it is)|(?:the )?(?:current )?time|"
    r"how late is it|(?:do you )?have the time|what does the clock say",
    time_in=rf"(?:what{_IS} the (?:local )?(?:time|hour)|what (?:time|hour) is it|(?:the )?(?:current |local )?time)"
    r" (?:now )?(?:over )?in {place}",
    today=rf"what{_IS} (?:the |today['’]?s )?(?:current )?(?:date|day)(?: of the week)?(?: is)?(?: today)?|"
    rf"(?:what|which) (?:date|day|weekday|day of the (?:week|month))(?:{_IS} (?:it|today)| it is| today is)(?: today)?|"
    rf"what{_IS} today|(?:the |today['’]?s )?date(?: today)?|(?:which|what) day do we have(?: today)?",
    day_of=(
        (
            r"(?:what|which) (?:day|date|weekday|day of the week)(?:['’]?s| is| was| will| does| did)"
            r"(?: it)?(?: on)? {date}(?: (?:be|fall|fell|on|fall on|be on)){0,2}"
        ),
        r"(?:what|which) (?:day|weekday|day of the week) {date} (?:is|was|falls on|will be)",
        r"what(?:['’]?s| is| was) the (?:date|day)(?: of the week)?(?: on| of| for)? {date}",
        r"on (?:what|which) (?:day|weekday|day of the week) (?:is|was|does|did|will) {date}(?: (?:be|fall))?",
        r"when(?:['’]?s| is| was) {date}(?: this year)?",
        r"what(?:['’]?s| is| was) {date}['’]?s date",
    ),
    days_until=(
        (
            r"(?:in )?how (?:many (?:days|weeks|nights|sleeps)|long|far)(?: is it| are there| do we have| is there)?"
            r"(?: left| away)?(?: still)?(?: until| till| til| to| before| is| are) {date}"
        ),
        (
            r"(?:in )?how many (?:more )?(?:days|weeks)(?: left| away)? (?:is|(?:are left |remain )?until)"
            r" {date}(?: away)?"
        ),
        r"days (?:until|till|to) {date}",
    ),
    days_since=(
        (
            r"how (?:many (?:days|weeks)|long)(?: is it| ago was| has it been| have passed)?(?: since| ago was| ago"
            r" is) {date}"
        ),
        r"how (?:many days|long) ago (?:was|is) {date}",
        r"days since {date}",
        r"how many (?:days|weeks) (?:have|has) (?:passed|it been|gone by) since {date}",
    ),
    days_between=(
        (
            r"how many (?:days|nights)(?: (?:is it|is that|are there|are in|lie|do we have))?,? (?:from|between) {date}"
            r" (?:to|and|until|till|through) {then}"
        ),
        r"(?:the )?(?:number of )?(?:days|nights) (?:from|between) {date} (?:to|and|until|till) {then}",
        r"from {date} (?:to|until|till) {then},? how many (?:days|nights)(?: is (?:it|that)| are there)?",
    ),
    shifts={
        "(?:what(?:['’]?s| is| (?:day|date) is) )?(?:the day )?{spans} (?:after|from|past|following|on from) {date}": 1,
        "{date} (?:plus|and|\\+) {spans}(?: later)?": 1,
        "{spans} (?:before|prior to|ahead of) {date}": -1,
        "{date} (?:minus|less) {spans}": -1,
    },
    spans={"days?": "days", "weeks?|wks?": "weeks", "months?": "months", "years?|yrs?": "years"},
    year=r"(?:what|which) year(?: is it| are we in| do we have| is this| is it now)?",
    week=r"(?:what|which) (?:calendar )?week(?: number)?(?: of the year)?(?: is it| are we in| is this| do we have)?",
    named_days={
        "christmas(?: day)?|xmas": (12, 25),
        "(?:the )?new year(?:['’]?s(?: day)?)?": (1, 1),
        "valentine['’]?s(?: day)?": (2, 14),
        "halloween": (10, 31),
        "christmas eve": (12, 24),
        "new year['’]?s eve": (12, 31),
    },
    calculates=r"what(?:['’]?s| is| are| do| does| would| will)?|how much(?: is| are| do| does| would)?|"
    r"calculate|compute|work out|add up|solve",
    result=r"(?: ?(?:be|make|makes|equals?|equal to|is|come to))?(?: ?=)?",
    operators={
        "plus|added to": "+",
        "minus|less": "-",
        "x|times|multiplied (?:by|with)": "*",
        "divided by|over": "/",
        "to the power of": "^",
        "per ?cent": "%",
        "of": "of",
        "off(?: of)?|(?:less|lower) than": "off",
    },
    shares={
        "(?:one |a )?half(?: of)?(?: an?)?": (1, 2),
        "(?:one |a )?third of": (1, 3),
        "two thirds of": (2, 3),
        "(?:one |a )?quarter of": (1, 4),
        "three quarters of": (3, 4),
    },
    money=r"dollars?|bucks?|euros?|eur|pounds?|quid|cents?|pence|francs?|[€$£¥]",
    root="(?:the )?(?:square )?root of",
    orders={
        rf"add {_A} (?:and|to) {_B}": "+",
        rf"multiply {_A} (?:by|with|and) {_B}": "*",
        rf"divide {_A} by {_B}": "/",
        r"(?:subtract|take|knock|deduct) (?P<b>\S.{0,40}?) (?:away )?(?:from|off)(?: of)? (?P<a>\S.{0,40})": "-",
        rf"{_A} with {_B}(?: taken)? off": "-",
    },
    units={
        "gallons?|gals?": "gallon",
        "pints?": "pint",
        "m|met(?:er|re)s?": "m",
        "mm|millimet(?:er|re)s?": "mm",
        "cm|cms|centimet(?:er|re)s?": "cm",
        "km|kms|kilomet(?:er|re)s?": "km",
        "inch(?:es)?|ins?": "inch",
        "ft|foot|feet": "foot",
        "yards?|yds?": "yard",
        "miles?|mi": "mile",
        "nautical miles?|sea miles?": "sea_mile",
        "kg|kgs|kilos?|kilogram(?:me)?s?": "kg",
        "mg|milligram(?:me)?s?": "mg",
        "g|gr|grams?|grammes?": "g",
        "tonnes?|metric tons?": "t",
        "oz|ounces?": "ounce",
        "lbs?|pounds?": "pound",
        "stones?|st": "stone",
        "l|lit(?:er|re)s?": "l",
        "ml|millilit(?:er|re)s?": "ml",
        "cl|centilit(?:er|re)s?": "cl",
        "cubic met(?:er|re)s?|m³|m3": "cubic_metre",
        "square met(?:er|re)s?|sqm|m²|m2": "square_metre",
        "square kilomet(?:er|re)s?|km²|km2": "square_kilometre",
        "hectares?|ha": "hectare",
        "acres?": "acre",
        "km/h|kmh|kph|kilomet(?:er|re)s? (?:per|an) hour": "km_per_hour",
        "mph|miles? (?:per|an) hour": "mile_per_hour",
        "m/s|met(?:er|re)s? (?:per|a) second": "metre_per_second",
        "knots?": "knot",
        "s|secs?|seconds?": "s",
        "mins?|minutes?": "min",
        "h|hrs?|hours?": "h",
        "days?": "day",
        "weeks?": "week",
        "(?:degrees? |°)?(?:c|celsius|centigrade)": "celsius",
        "(?:degrees? |°)?(?:f|fahrenheit)": "fahrenheit",
        "kelvins?": "kelvin",
    },
    ends_at=r"(?:when|(?:at )?what time)(?: \S{1,20}){1,6}? (?:done|ready|finish(?:ed)?|over|end|arrive|land|be there|"
    r"get (?:there|in|home|back)|come out)",
    happens=r"(?:starts?|begins?|ends?|expires?|runs? out|is (?:due|over|up)|opens?|closes?|comes?)",
    into=r"in|into|to|as|how many",
    converts=(
        (
            r"(?:(?:what(?:['’]?s| is| are)|convert|how (?:much|many|long|far|heavy|hot|big)(?:['’]?s| is| are)) )?"
            r"{amount} ?{from} (?:in|to|into|as) {to}"
        ),
        r"(?:what(?:['’]?s| is)|how (?:much|long|far|heavy)(?:['’]?s| is)) an? (?P<amount>){from} in {to}",
        r"how many {to} (?:is|are|are there in|are in|make|makes|go into|in) an? (?P<amount>){from}",
        r"how many {to} (?:is|are|are there in|are in|make|makes|go into|in) {amount} ?{from}",
        r"{amount} ?{from},? (?:(?:is|are|makes) )?how many {to}(?: (?:is|are) (?:that|it|those))?",
        r"how many {to} (?:is|are) (?:that|it|those),? {amount} ?{from}",
        r"(?:what|how much)(?:['’]?s| is| are) (?:that|it|those) in {to},? {amount} ?{from}",
    ),
)
