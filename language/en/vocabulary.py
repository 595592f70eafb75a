"""Words of English: sets of them, their forms, those of one meaning, those that tell what a name is."""

from typing import Final

from language.vocabulary import Entities, Inflection, Synonyms, Vocabulary
from language.words import word_set

VOCABULARY: Final = Vocabulary(
    stop_words=word_set(
        """
        a about again ah all also am an and any anything are aren as at be been being both but by can can't cannot
        could d did didn didn't do does doesn doesn't doing don don't done each else ever few for from had has have
        having he hello her here hers herself hey hi him himself his hmm how how's i i'd i'll i'm i've if in into is
        isn isn't it it's its itself just let's ll lol m may me might mine more most must my myself no nor not of off
        oh ok okay on only or other our ours ourselves out over own please re s same shall she should so some such t
        than thank thanks that that's the their theirs them themselves then there these they this those to too up us
        ve very was wasn we were what what's whatever when when's where where's which who who's whom whose why will
        with won't would wow yeah yep yes you you're your yours yourself yourselves
        """
    ),
    contrast_words=word_set(
        """
        all both each else few more most off only other out over own same such theirs up yes
        """
    ),
    negations=r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without)\b|n['’]t\b|\b(?:ca|do|does|did|wo|is|are|was|has|have)nt\b",
    asking_words=word_set(
        """
        currently exactly further get gets getting give know let lets many mention mentioned much now one really
        remember remind said say says show something still tell thing things told well
        """
    ),
    common_words=word_set(
        """
        able above across actually add added adds after against ago agree agreed almost along already although always
        amazing another anyone aren't around ask asked asking asks assistant awesome bad basically became because
        become becomes before began begin believe below best better between big bit bought bring brings brought build
        builds built buy buys call called calls came certainly change changed changes check checked checks close
        closed come comes coming cool couldn't decide decided definitely deploy deployed deploys different dont down
        during eg either enjoy enjoyed enjoys especially etc even every everyone everything far feel feels felt
        finally find finds fine first fix fixed fixes forget forgot found gave given gives giving glad go goes going
        gone good got gotten great guess happen happened happens happy help helped helps high hope hoped hopes however
        ie im important instead interesting ive keep keeps kept kind knew knowing known knows last later least leave
        leaves left less like liked likes little live lived lives long look looked looking looks lot lots love loved
        loves low made make makes making maybe mean means meant meet meets met moreover move moved moves near nearly
        need needed needs neither never new next nice nobody noted nothing often old once ones open opened opens
        otherwise paid pay per perhaps plan planned plans pm prefer preferred prefers previous probably put puts quite
        ran rather read reads recently remembered remembers reminds right run runs sad saw saying second see seeing
        seem seemed seems seen sees sell send sends sent set sets several short showed shown shows since small sold
        someone sometimes soon sorry sort speak speaks spoke start started starts stop stopped stops stuff sure take
        taken takes taking talk talked talks telling tells there's therefore they're think thinks though thought three
        through today tomorrow took toward towards tried tries try trying turn turned turns two under unless until
        upon use used user uses using usually via visit visited visits vs wait waited waits want wanted wants wasn't
        way ways we're we've welcome went weren't whether while within without work worked works worse worst write
        writes written wrong wrote yesterday yet you've
        """
    ),
    opening_words=word_set(
        "the a an this that these his her their our my in on at since for to is was has he she it they we you i"
    ),
    skill_words=word_set(
        "after ask asks assistant before get give help like make need now say skill use used user uses using want write"
    ),
)
ABBREVIATIONS: Final = (
    r"mrs?|ms|dr|prof|fr|rev|br|capt|lt|sgt|gov|mt|st|jr|sr|vs|no|nr|approx|etc|e\.g|i\.e|a\.m|p\.m|dept|inc|ltd|"
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)


_IRREGULAR: Final = """
go goes went gone|buy bought|bring brought|take took taken|make made|get got gotten|give gave given|win won
write wrote written|see saw seen|say said|tell told|think thought|know knew known|come came|find found|feel felt
leave left|meet met|run ran|begin began begun|build built|choose chose chosen|draw drew drawn|drive drove driven
eat ate eaten|fall fell fallen|fly flew flown|grow grew grown|hear heard|hold held|keep kept|lead led|lose lost
mean meant|pay paid|ride rode ridden|sell sold|send sent|sing sang sung|sit sat|sleep slept|speak spoke spoken
spend spent|stand stood|swim swam swum|teach taught|wear wore worn|break broke broken|catch caught|fight fought
forget forgot forgotten|hide hid hidden|steal stole stolen|shoot shot|throw threw thrown|wake woke woken
become became|understand understood|drink drank drunk|bite bit bitten|blow blew blown|dig dug|feed fed|freeze froze
hang hung|lend lent|ring rang rung|rise rose risen|seek sought|shake shook shaken|shine shone|sink sank sunk
slide slid|stick stuck|strike struck|swear swore sworn|sweep swept|tear tore torn|weep wept|wind wound|bear bore born
child children|woman women|man men|foot feet|tooth teeth|mouse mice|goose geese|person people|life lives|wife wives
knife knives|leaf leaves|shelf shelves|half halves
"""
"""Words that no suffix stemmer can fold ("went" is "go"): the base first, then its forms."""

_BASE_FORMS: Final[dict[str, str]] = {
    form: words[0]
    for family in _IRREGULAR.replace("\n", "|").split("|")
    if (words := family.split())
    for form in words[1:]
}

INFLECTION: Final = Inflection(
    base_forms=_BASE_FORMS,
    ending=r"(?<=.{3})(?:ies|ing|ed|es|s|e)(?<!ss)(?<!us)(?<!is)$",
    ending_instead={"ies": "y"},
    possessives=("'s", "’s"),
    erasable_endings=word_set("s es ed d ing e y ies ied ying"),
    doubling_endings=word_set("ed ing"),
    doubtful_endings=word_set("e"),
)


SYNONYMS: Final = Synonyms(
    concepts={
        "live": "live lives lived living reside resides move moves moved moving relocate relocated relocating "
        "address home based",
        "floor": "floor floors storey storeys stock stocks",
        "work": "work works worked working job jobs employer employed employs company profession occupation career",
        "name": "name names named call called calls nickname",
        "birth": "born birth birthday birthdays",
        "age": "age aged old",
        "study": "study studies studied studying university school college student",
        "marry": "married marry marries marrying wedding spouse engaged",
        "like": "like likes liked love loves loved enjoy enjoys prefer prefers preferred favourite favorite "
        "favourites favorites",
        "dislike": "hate hates dislike dislikes",
        "allergy": "allergic allergy allergies",
        "own": "have has had own owns got",
        "phone": "phone telephone mobile",
        "mail": "email e-mail mail",
        "book": "booking bookings reservation reserved booked",
        "code": "code codes",
        "number": "number numbers",
        "sister": "sister sisters sis",
        "brother": "brother brothers bro",
        "mother": "mother mothers mom moms mum mums mommy mama",
        "father": "father fathers dad dads daddy papa",
        "parent": "parent parents",
        "wife": "wife",
        "husband": "husband",
        "son": "son sons",
        "daughter": "daughter daughters",
        "child": "child children kid kids",
        "family": "family relatives",
        "sibling": "sibling siblings",
        "grandparent": "grandparent grandparents",
        "pet": "pet pets",
        "grandmother": "grandmother grandmothers grandma grandmas gran grans granny nana nan nans grandmum",
        "grandfather": "grandfather grandfathers grandpa granddad grandad grandpas granddads grandads",
        "mother-in-law": "mother-in-law",
        "father-in-law": "father-in-law",
        "sister-in-law": "sister-in-law",
        "brother-in-law": "brother-in-law",
        "niece": "niece nieces",
        "nephew": "nephew nephews",
        "grandson": "grandson grandsons",
        "granddaughter": "granddaughter granddaughters",
        "aunt": "aunt aunts auntie aunty",
        "uncle": "uncle uncles",
        "cousin": "cousin cousins",
        "friend": "friend friends buddy",
        "partner": "partner girlfriend boyfriend fiance fiancee",
        "boss": "boss manager supervisor",
        "colleague": "colleague colleagues coworker coworkers",
        "neighbour": "neighbour neighbor neighbours neighbors",
        "dog": "dog dogs pup pups puppy puppies",
        "cat": "cat cats kitten kittens",
        "doctor": "doctor doctors dr",
        "car": "car cars",
        "city": "city town cities",
        "country": "country countries",
        "operation": "operation operations operated surgery surgeries",
        "meeting": "meet meets met meeting meetings appointment appointments",
        "flight": "flight flights",
        "colour": "colour color colours colors",
        "food": "food foods meal",
        "plan": "plan plans planning",
        "decide": "decide decided decision decisions choose chose chosen agreed",
        "buy": "buy buys buying bought purchase purchased",
        "visit": "visit visits visited trip travel travelled traveled",
    },
)


ENTITIES: Final = Entities(
    titles=word_set("mr mrs ms dr teacher"),
    place_prepositions=word_set("in from near to at around toward towards"),
    place_verbs=word_set(
        """
        live lives lived living move moved moving travel travelled traveled fly flew flight visit visited visiting
        born trip arrive arrived stay staying stayed
        """
    ),
    organisation_before=word_set("at for join joined company startup"),
    organisation_part=("inc|ltd|llc|corp|corporation|university|college|institute|bank|foundation|agency|studio|labs?"),
    name_case=r"(?<=.{3})(?<!s)s$",  # German names have this genitive, too
    name_particles=word_set("of de da di van la le el ibn bin"),
    currency="usd|eur|dollars?|euros?",
    verb=r"[a-z]{2}(?:ed|ly|ize|ized|izes|ise|ised)$|..ing$",
    verb_like=(
        "^(?:meeting|building|wedding|training|morning|evening|painting|parking|spring|string|engineering|"
        "marketing|pricing|billing|booking|shopping|camping|hiking|climbing|thing)$"
    ),
)
