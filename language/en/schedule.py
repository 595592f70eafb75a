"""When something is, in English: days and months, times and repetitions, requests to be reminded."""

from typing import Final

from language.schedule import Calendar, ReminderPatterns, ScheduleWords, count
from language.words import word_set

_AT: Final = "(?:at|by|around|about|@)"
_HALF: Final = r"(?: ?(?:(?P<am>a\.?m\b\.?)|(?P<pm>p\.?m\b\.?)))?"
_SHORT: Final = (
    r"(?=\.|,? ?\d| (?:at|the|and|to|through|morning|afternoon|evening|night)\b|[-–/,]|"
    r" (?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b)"
)
"""What follows the abbreviation of a day, which may be another word elsewhere: "sat", "sun"."""
_THING: Final = r"(?:reminder|alarm|timer)"

SCHEDULE: Final = ScheduleWords(
    numbers=count(
        r"one two|(?:a\s)?couple(?:\sof)? three four five six seven eight nine ten eleven twelve|a\sdozen "
        "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    )
    | count("thirty forty|fourty fifty sixty seventy eighty ninety", 30, 10),
    compound_number="{ten}[- ]?{one}",
    articles="an?",
    ordinals=count(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        r"fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty[-\s]first twenty[-\s]second "
        r"twenty[-\s]third twenty[-\s]fourth twenty[-\s]fifth twenty[-\s]sixth twenty[-\s]seventh twenty[-\s]eighth "
        r"twenty[-\s]ninth thirtieth thirty[-\s]first"
    ),
    ordinal_ending="st|nd|rd|th",
    units={
        "seconds?|secs?": "second",
        "minutes?|mins?": "minute",
        "hours?|hrs?|h": "hour",
        "days?": "day",
        "weeks?": "week",
        "months?": "month",
        "years?": "year",
    },
    joins="and",
    after=("(?:in|within)(?: about| around| roughly| exactly)? {amount}(?:['’]s time)?", "{amount} from (?:now|today)"),
    weekday_after=(
        "a week (?:on|from|after) (?:next )?{weekday}",
        "{weekday} week|{weekday} (?:in a week|after next)",
        "a week (?:on|from) (?P<tomorrow>)tomorrow",
    ),
    fractions={
        "half an hour|a half hour|half hour": 30,
        "(?:a )?quarter of an hour": 15,
        "three[- ]quarters of an hour": 45,
        "an hour and a half|one and a half hours": 90,
        "two and a half hours": 150,
        "half a minute": 1,
    },
    rough="(?:a )?few|several|some|many",
    timer="for {amount}",
    lasting="for (?:the next )?{amount}",
    before="{amount} (?:before|prior to|ahead of)(?! (?:{weekday}|midnight|noon|that)\\b)",
    before_event={
        r"(?:on )?(?P<span>(?:an?|the|one|two|three|four|five|six|seven|ten|fifteen|twenty|thirty|\d{1,3}|half an) "
        r"(?:minute|min|hour|hr|day|week|evening|night|morning)s?) (?:before|prior to|ahead of) "
        r"(?!(?:that|at|to|on|in|by|i|we|you|\d\w*|noon|midnight|breakfast|lunch|dinner|bed)\b)(?P<event>\S.*)": (
            "{span} before that"
        )
    },
    earlier="{amount} (?:before(?:hand)?|earlier|in advance|ahead)(?: that)?(?= *(?:[.,;!?]|please|pls|to |$))",
    days_earlier={
        "(?:on )?the day before": (1, ""),
        "(?:on )?the (?:evening|night) before": (1, "evening"),
        "(?:on )?the morning before": (1, "morning"),
    },
    days={"yesterday": -1, "today": 0, "tomorrow|tmrw|tmr|tomoz": 1, "(?:the )?day after tomorrow": 2},
    day_parts={
        "tonight|later tonight": (0, "evening"),
        "this morning": (0, "morning"),
        "this afternoon": (0, "afternoon"),
        "this evening": (0, "evening"),
    },
    parts={
        "first thing(?: in the morning)?|(?:early )?(?:in the )?morning|before breakfast": "morning",
        "(?:(?:at|around|about|by) )?(?:noon|midday|lunch ?time)": "noon",
        "(?:in the )?afternoon": "afternoon",
        "(?:in the )?evening": "evening",
        "(?:at )?night": "night",
        "(?:(?:at|around|by) )?midnight": "midnight",
    },
    weekdays=(
        f"mon(?:day|{_SHORT})",
        f"tue(?:sday|s?{_SHORT})",
        f"wed(?:nesday|{_SHORT})",
        f"thu(?:rsday|(?:rs?)?{_SHORT})",
        f"fri(?:day|{_SHORT})",
        f"sat(?:urday|{_SHORT})|weekend",
        f"sun(?:day|{_SHORT})",
    ),
    weekday_range="to|through|thru|till|until",
    nth=count("first|1st second|2nd third|3rd fourth|4th fifth|5th") | {"last|final": -1},
    nth_weekday=(
        "(?:on )?(?:the |(?P<every>every |each ))?{nths} {days} (?:of|in) (?:the|a|this) month",
        "(?:on )?(?:the |every |each )?{nths} {days}s? (?:of|in) (?P<every>every|each) month",
        "(?:on )?the {nths} {days} (?:of|in) (?P<coming>next month)",
        "(?:on )?(?:the )?{nths} {days} (?:of|in) {month}",
    ),
    month_end=(
        "(?:at |by |on )?(?:the )?(?:end|last day) of (?:the|this) month",
        "(?:at |by |on )?(?:the )?(?:very )?(?:end|last day) of {month}",
        "(?:at |by )?month[- ]end",
    ),
    year_end="(?:the )?end of (?:the|this) year|year[- ]end",
    holidays={
        "christmas eve": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24",
        "christmas(?: day)?|xmas(?: day)?": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25",
        "boxing day": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=26",
        "new year['’]?s eve": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31",
        "new year['’]?s day": "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1",
        "valentine['’]?s(?: day)?": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=14",
        "st\\.? patrick['’]?s day": "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=17",
        "halloween": "FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=31",
        "good friday": "FREQ=YEARLY;BYEASTER=-2",
        "easter sunday": "FREQ=YEARLY;BYEASTER=0",
        "easter monday": "FREQ=YEARLY;BYEASTER=1",
        "whit monday": "FREQ=YEARLY;BYEASTER=50",
        "memorial day": "FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO",
        "independence day": "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4",
        "black friday": "FREQ=YEARLY;BYMONTH=11;BYDAY=FR;BYMONTHDAY=23,24,25,26,27,28,29",
        "thanksgiving(?: day)?": "FREQ=YEARLY;BYMONTH=11;BYDAY=+4TH",
    },
    on="on|by|at the|on the|for",
    gone="last (?:{weekday}|week|month|year|night)|{amount} ago",
    coming="this|the coming|coming|this coming",
    following="next",
    next_units={"(?:early )?next week": ("week", 1), "next month": ("month", 1), "next year": ("year", 1)},
    clocks=(
        rf"(?:{_AT} ?)?(?P<h>\d{{1,2}})(?:[:.](?P<m>[0-5]\d))? ?(?:(?P<am>a\.?m\b\.?)|(?P<pm>p\.?m\b\.?))",
        r"(?:at|by|around|about|@) ?(?P<h>\d{1,2})[:.](?P<m>[0-5]\d)(?: ?h)?",
        r"(?:at|@) ?(?P<h>\d{1,2}) ?h(?: ?(?P<m>[0-5]\d))?(?!\w)",
        r"(?P<h>\d{1,2}):(?P<m>[0-5]\d)",
        (
            rf"{_AT} ?(?P<h>{{h}})(?: o['’]?clock)?(?: sharp| on the dot)?(?! ?[%€$£]| (?:percent|per cent|euros?|"
            rf"dollars?|pounds?|bucks)\b)"
        ),
        r"(?P<h>{h}) o['’]?clock(?: sharp)?",
        rf"(?:{_AT} )?(?P<h>{{h}}) (?:(?P<am>a\.?m\b\.?)|(?P<pm>p\.?m\b\.?))",
        rf"(?:{_AT} )?half past (?P<h>{{h}})(?P<half>){_HALF}",
        rf"(?:{_AT} )?half (?P<h>{{h}})(?P<half>)(?! (?:an?|hours?|minutes?)\b){_HALF}",
        rf"(?:{_AT} )?(?:a )?quarter (?:past|after) (?P<h>{{h}})(?P<quarter>){_HALF}",
        rf"(?:{_AT} )?(?:a )?quarter (?:to|of|before) (?P<h>{{h}})(?P<less_quarter>){_HALF}",
        (
            rf"(?:{_AT} )?(?P<past>{{h}}) (?:minutes? )?(?:past|after) (?:(?P<h>{{h}})|(?P<noon>noon)|"
            rf"(?P<midnight>midnight)){_HALF}"
        ),
        (
            rf"(?:{_AT} )?(?P<less>{{h}}) (?:minutes? )?(?:to|before|till) (?:(?P<h>{{h}})|(?P<noon>noon)|"
            rf"(?P<midnight>midnight)){_HALF}"
        ),
        rf"{_AT} ?(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?: ?h(?:ours|rs)?)?(?P<exact>)",
        (
            rf"(?:{_AT} ?)?(?P<h>{{h}}) (?=tonight|this (?:morning|afternoon|evening)|in the (?:morning|afternoon|"
            rf"evening)|at night)"
        ),
    ),
    twelve_hours=True,
    month_first=True,
    every={
        "(?:every|each) (?:single )?day|daily|once a day": ("day", 1),
        "every (?:other|second) day|on alternate days|every alternate day": ("day", 2),
        "(?:every|each) week|weekly|once a week": ("week", 1),
        "every (?:other|second) week|every fortnight|fortnightly": ("week", 2),
        "(?:every|each) month|monthly|once a month": ("month", 1),
        "every (?:other|second) month": ("month", 2),
        "every quarter|quarterly": ("month", 3),
        "(?:every|each) year|yearly|annually|once a year": ("year", 1),
        "(?:every|each) hour|hourly": ("hour", 1),
        "every (?:other|second) hour": ("hour", 2),
        "(?:every )?half an hour(?<=every half an hour)|every half[- ]hour": ("minute", 30),
    },
    every_number=("every {n} {unit}", "once every {n} {unit}"),
    every_second="(?:every|each) other {days}",
    without=(
        "(?:except|but not|excluding|apart from|"
        "other than)(?: for)?(?: on)? (?:the )?(?P<except>{weekday}s?(?:,? (?:and|or|&) {weekday}s?)?)"
    ),
    every_part={
        "(?:every|each) morning": "morning",
        "(?:every|each) (?:noon|lunch ?time)": "noon",
        "(?:every|each) afternoon": "afternoon",
        "(?:every|each) evening": "evening",
        "(?:every|each) night|nightly": "night",
    },
    each="every|each",
    each_weekday=("mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays"),
    workdays=(
        "(?:(?:on|every|each) )?(?:week|work|business|working )days?|(?:every )?(?:weekday|working day|workday)|"
        "(?:from )?mon(?:day)? (?:to|through) fri(?:day)?"
    ),
    weekends="(?:on |every |each )?weekends|(?:on|every|each) weekend",
    of_month=(
        "(?:on )?(?:the )?{d} (?:day )?of (?:every|each|the) month",
        "(?:every|monthly on the|each) {D}(?: of the month)?",
        "every {d} of the month",
        "(?:on )?(?:the )?last day of (?:every|each) month(?P<last>)",
        "(?:at )?(?:the )?end of (?:every|each) month(?P<last>)",
    ),
    day_of_month=(
        r"(?:(?:on|by|for) )?(?:the )?{D}(?! (?:time|floor|grade|place|try|attempt|draft|edition|person|street|"
        r"avenue))(?= ?$| ?[,.;:!?)-]| (?:at|to|in|about|that|and|around|by|please|i|we|for|remind|of|morning|noon|"
        r"afternoon|evening|night)\b)"
    ),
    until="until|till|til|up to|through|ending(?: on)?",
    times="{n} times|(?P<twice>twice)",
    each_time="(?:every|each) (?:single )?time",
    weekend="weekends?",
    near=("tomorrow", "tonight", "yesterday", "morning", "afternoon", "evening", "midnight", "weekend"),
    fillers=(
        "at|on|in|the|from|starting|beginning|and|of|like|say|just|please|first one|next one|is|first|only|again|then"
    ),
    zone_of="(?P<city>\\w{3,20}(?:[ -]\\w{3,20})?) (?:local )?time",
    zones={"(?:u\\.?k\\.?|british) time": "Europe/London", "(?:us )?(?:east coast|eastern) time": "America/New_York"},
    sounds=(
        r"(?:at|by|before|after|during|around|over) (?:the )?(?:breakfast|lunch|brunch|dinner|supper|tea|bed|work|"
        r"school|church|sunrise|sunset|dawn|dusk|class|office hours)|bedtime|eod|eow|cob|"
        r"(?:end|close|start|beginning|middle) of (?:the )?(?:day|week|business|year|month|quarter)|on the "
        r"(?:half )?hour|\d{1,2}ish|q[1-4]|\d{1,2}h\d\d|(?:few|several|some|many) "
        r"(?:minute|hour|day|week|month|year)s?|(?:\w{3,12}(?:ern|an|ish|ese|ch)|\w{2,12} "
        r"(?:standard|daylight|local)|local) time|in a row|straight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
        r"tonight|tomorrow|yesterday|today|noon|midday|midnight|fortnight(?:ly)?|hourly|daily|weekly|monthly|"
        r"quarterly|yearly|annually|bi-?(?:weekly|monthly)|(?:every|each|alternate|next|last|this|another|per|"
        r"once an?|twice an?|times an?|first|second|third|fourth|few|couple of|several) "
        r"(?:other |few |couple of )?(?:minute|hour|day|week|weekend|weekday|month|quarter|year|morning|afternoon|"
        r"evening|night|mon|tue|wed|thu|fri|sat|sun|spring|summer|autumn|fall|winter|season)s?|(?:every|each) "
        r"(?:so often|now and (?:then|again))|regularly|now and then|from time to time|sometime|some (?:day|time)|"
        r"soon|later|asap|christmas|easter|new year['’]?s?|thanksgiving|ramadan|passover|hanukkah|diwali|"
        r"\w{3,12}['’]?s day|o['’]?clock|half past|quarter (?:past|to|of)|[ap]\.?m\b|\d{1,2}:\d\d|"
        r"\d{1,2}(?:st|nd|rd|th)|except|until|till|jan(?:uary)?|feb(?:ruary)?|april|june|july|august|september|"
        r"october|november|december|(?:in|of|by|early|late|mid|this|next) (?:march|may)|"
        r"(?:minutes?|hours?|days?|weeks?|months?|years?) (?:before|after|earlier|later|from)|"
        r"(?:spring|summer|autumn|winter)(?:time)?"
    ),
    relations=(
        r"before|after|past|earlier|later|other|half|quarter|every|each|except|but|or|between|minus|less|around|"
        r"until|till|minutes?|hours?|days?|weeks?|weekends?|months?|years?|mornings?|afternoons?|evenings?|nights?|"
        r"sharp|time|ago|next|last|alternate|twice|once|times"
    ),
    lead=(
        r"remind (?:me|us)(?: again)?|(?:set|create|make|add|schedule|start)(?: me| us)?(?: up)?(?: an?| the|"
        rf" another)?(?: \w{{1,20}}){{0,2}}? {_THING}(?: for (?:me|us))?|(?:wake|ping|nudge|alert|notify|poke|buzz|"
        r"bug) (?:me|us)(?: up)?|(?:don't|do not|dont) let (?:me|us) forget|give (?:me|us) a "
        r"(?:nudge|shout|ping|heads[- ]up)|rmd me"
    ),
    imperative=(
        r"(?:remind|rmd|nudge|ping|poke|buzz|alert|notify) (?:me|us)|wake (?:me|us)(?: up)?|"
        r"give (?:me|us) a (?:nudge|shout|ping|heads[- ]up)|i (?:need|want|would like|['’]d like) a reminder|"
        r"(?:don't|do not|dont) let (?:me|us) forget"
    ),
    hinders=(
        r"(?<!can )(?<!could )(?<!would )(?<!will )(?:you|u)|to|they|we|i|it|he|she|that|this|which|who|always|never|"
        r"not|\w+n['’]t|will|would|should|may|might|must|does|did|do|has|have|had|songs?|things|helps?|let"
    ),
    wakes="wake",
    timers="timer|alarm",
    told="what|where|who|whom|whose|when|how|why|which|whether",
    links="to|that|about|of|for|i (?:need|have|must|should)(?: to)?|(?:there )?(?:is|are)",
    courtesies="please|pls|thanks|thank you|ok|okay",
)


_WEEKDAY: Final = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"

CALENDAR: Final = Calendar(
    months=tuple(
        count(
            "jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? "
            r"(?:(?<=\bin\s)may|(?<=\bof\s)may|(?<=\bsince\s)may|(?<=\d\s)may|may(?=\s(?:of\s)?\d)) june? july? "
            "aug(?:ust)? sep(?:t(?:ember)?)? oct(?:ober)? nov(?:ember)? dec(?:ember)?"
        )
    ),
    day_ending="st|nd|rd|th",
    of="of",
    relative={
        "today": (0, 0),
        "tonight": (0, 0),
        "this morning": (0, 0),
        "yesterday": (1, 1),
        "last night": (1, 1),
        "the day before yesterday": (2, 2),
        "this week": (6, 0),
        "last week": (13, 5),
        "past week": (8, 0),
        "last weekend": (9, 2),
        "this month": (30, 0),
        "last month": (62, 20),
        "past month": (32, 0),
        "last year": (730, 200),
        "this year": (365, 0),
    },
    counts={"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7},
    units={"days?": 1, "weeks?": 7, "months?": 30, "years?": 365},
    ago=r"{count}\s+{unit}\s+ago",
    exactly=(
        r"yesterday|today|tonight|tomorrow|last (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn)|"
        rf"last {_WEEKDAY}|next (?:week|weekend|month|year|summer|{_WEEKDAY})|(?:this|past|few|couple of|two|three|"
        r"four|five|\d+) (?:week|weekend|month|year|day|summer)s?|ago|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    ),
    vaguely="just|already|finally|lately|recently|upcoming|soon|since",
    compares=(
        "before|after|afterwards|until|till|since|earlier|later|(?:first|last|next) time|how (?:long|recently)|"
        "what (?:day|date|time)|(?:which|what) (?:week|month|year)|by when|date of|when"
    ),
)


_WHEN: Final = (
    r"(?:today|tonight|tomorrow|later|next|every|daily|weekly|monthly|again|before|after|at|in|by|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|on the|on \d)\b"
)

REMINDERS: Final = ReminderPatterns(
    polite=(
        r"(?:(?:please|pls|hey|hi|ok|okay|and|also|then|so|can|could|would|will|you|u|ya|i want you to|i need you to|"
        r"i would like you to|i'd like you to|don't forget to|do not forget to)\b[, ]{1,3}){0,6}"
    ),
    manages=(
        r"(?:stop|quit) (?:reminding me|the reminders?|sending (?:me )?reminders?)(?: (?:about|of|to) .{1,60})?|"
        r"(?:don['’]t|do not) remind me(?: any ?more| again)?(?: (?:about|of|to) .{1,60})?(?: any ?more| again)?|"
        r"(?:(?:can|could|would|will) you )?(?:cancel|delete|remove|drop|scrap|clear|turn off|kill|lose|forget|end|"
        r"change|move|edit|postpone|reschedule|snooze|push back|show|list|read)(?: me| us)? "
        r"(?:[^.?!;]{0,60} )?(?:reminder|alarm|timer)s?(?: (?:about|for|of|to|on|at|from|until|that)\b.{0,60}|"
        r" \d.{0,20})?|(?:what|which|how many|any|are there(?: any)?|(?:do|have) (?:i|we|you)"
        r"(?: have| got)?(?: any)?|my|all(?: my)?|what(?:['’]s| are)(?: my| the)?)(?: other| open| active| coming|"
        r" more)? reminders(?: .{1,60})?|when(?:['’]s| is| are) (?:my|the|our)(?: \w{1,20}){0,2} "
        r"reminders?(?: (?:about|for|of|to|on|at|due|set)\b.{0,60})?|(?:what|when|(?:at |on )?(?:what|which) "
        r"(?:time|hour|day|date)(?: (?:on|in|this|next|tomorrow|today)\b.{0,20})?) (?:will|are|did|do|should) "
        r"(?:you|i|we) (?:.{0,30} )?(?:remind|nudg|ping|alert|notify)(?:e|ing)? me(?: .{1,40})?|no more reminders"
    ),
    cancels=r"stop|quit|don['’]t|do not|cancel|delete|remove|drop|scrap|clear|turn off|kill|lose|forget|end|no more",
    keeps=r"(?:do not|don['’]?t|never) (?:ever )?(?:cancel|delete|remove|drop|scrap|clear|turn off|kill|lose|end)",
    moves=r"change|move|edit|postpone|reschedule|snooze|push",
    things=r"(?:reminder|alarm|timer|alert|nudge|notification)s?",
    order_words=word_set(
        """
        cancel cancelled forget delete deleted remove removed drop scrap scratch clear kill lose end stop quit off away
        rid skip need needed longer want wanted sort sorted handled done obsolete necessary required matter remind
        reminds reminded reminding reminder reminders reminders alarm alarms alert alerts timer timers ping pings
        pinging nudge nudges nudging buzz notify notification notifications bug bugging nag nagging tell message ringing
        set up one ones thing entry last latest previous next first other both single whole entire move moved shift
        shifted push pushed postpone postponed reschedule rescheduled delay delayed snooze bump change changed make put
        adjust edit update switch bring forward back later earlier sooner instead rather better mind thinking thought
        actually would could can please will lets let hour hours minute minutes half day days week weeks o'clock clock
        time times when what which have got coming due there still more anymore again active open running pending
        scheduled planned upcoming currently now show list see know right please thanks sorry oh ok okay hey actually
        never mind nevermind changed
        """
    ),
    onto=word_set("to till until for"),
    rather_than=word_set("not than of from"),
    every=r"all|every|everything|each",
    at="at",
    within="in",
    minute="a minute",
    earlier=r"earlier|sooner|forward|before",
    requests=(
        rf"remind (?:me|us) (?:please )?(?:to\b|{_WHEN})",
        rf"remind (?:me|us) (?:about|of|that)\b[^,]{{1,80}}?\b{_WHEN}",
        (
            r"(?:set|create|make|add|schedule|start) (?:me |us )?(?:up )?(?:an? |the |another )?(?:\w{1,20} ){0,2}"
            r"(?:reminder|alarm|timer)\b"
        ),
        rf"(?:wake|ping|nudge|alert|notify) (?:me|us) (?:up )?{_WHEN}",
        r"(?:don't|do not) let (?:me|us) forget to\b",
    ),
)
