"""Words of German: sets of them, their forms, those of one meaning, those that tell what a name is."""

from typing import Final

from language.vocabulary import Entities, Inflection, Synonyms, Vocabulary
from language.words import word_set

VOCABULARY: Final = Vocabulary(
    stop_words=word_set(
        """
        aber alle als also am an auch auf aus bei beim bin bis bist bitte da damit danke dann das dass dein deine
        deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du ein
        eine einem einen einer eines er es etwas euch euer eure für hab habe haben hallo hat hatte hatten hier ich ihm
        ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jetzt kann kannst kein keine können könnt mal man mein
        meine meinem meinen meiner mich mir mit muss musst nach nicht noch nur ob oder ohne schon sehr sei seid sein
        seine seit selbst sich sie sind so um und uns unser unsere unserem unseren unserer unter vom von vor wann war
        waren warum was wegen weil welche welchem welchen welcher welches wem wen wenn wer werde werden weshalb wessen
        wie wieder wieso wir wird wo woher wohin womit wurde zu zum zur über will keinen keinem keiner keines darf
        dürfen mehr möchte müssen soll sollte viel viele vielen weswegen wobei wodurch wofür wogegen woran woraus
        worauf worüber worum wovon wovor wozu
        """
    ),
    ambiguous_words=word_set("die war man bin hat wo"),
    contrast_words=word_set(
        """
        selbst unter
        """
    ),
    negations=r"\b(?:nicht|nichts|nie|niemals|niemand\w{0,2}|nirgends|weder|ohne|kein\w{0,2})\b",
    asking_words=word_set(
        """
        aktuell derzeit eben eigentlich erinner erinnere erinnerst erwähnt erzähl erzähle erzählt erzählte genau
        gerade gesagt liebsten momentan nenn nenne nochmal sag sage sagen sagte weiss weisst wissen zeig zeige
        """
    ),
    opening_words=word_set("der die das ein eine er sie es wir ich mein seit im am"),
    skill_words=word_set(
        "benutzen benutzt benutzer brauche fragt gib hilf hilfe mach nutzer nutzt sag schreib skill verwenden verwendet"
    ),
)
ABBREVIATIONS: Final = r"z\.b|bzw|usw|nr|dr|em|prof|fr|frl|hr|hrn|hl|geb|verh|\w*str|ca|evtl|ggf|inkl|vgl|d\.h|u\.a"
AFTER_ORDINALS: Final = (
    r"stock|etage|klasse|semester|jahrhundert|geburtstag|platz|mal|kapitel|liga|bezirk|advent|hochzeitstag|runde|"
    r"januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|apr|jun|jul|aug|"
    r"sept?|okt|nov|dez"
)


INFLECTION: Final = Inflection(
    ending=r"(?<=.{4})(?:ern|en|er|em|es|e|n|s)$",
    erasable_endings=word_set("e en er es em ern n s st t te ten tet test"),
)


SYNONYMS: Final = Synonyms(
    concepts={
        "live": "wohnen wohne wohnst wohnt wohnte wohnten gewohnt leben lebe lebst lebt lebte gelebt ziehe zieht zog "
        "gezogen umgezogen umziehen umzug adresse anschrift wohnort zuhause wohnung wohnhaft",
        "floor": "stock stockwerk stockwerke stockes stocks etage etagen",
        "work": "arbeiten arbeite arbeitest arbeitet arbeitete gearbeitet arbeit job jobs beruf arbeitgeber firma "
        "stelle angestellt beschäftigt",
        "name": "name namens heiße heißt heißen heisse heisst heissen hieß genannt nennt nachname vorname spitzname",
        "birth": "geboren geburtstag geburtstage geburtsdatum",
        "age": "jahre jahren alt alter älter",
        "study": "studiere studiert studieren studierte studium student studentin uni universität schule hochschule",
        "marry": "verheiratet geheiratet heiraten heiratet heirate hochzeit verlobt ehe",
        "like": "mag magst mögen mochte gemocht liebe liebt lieben liebst gern gerne lieber liebsten bevorzuge "
        "bevorzugt",
        "dislike": "hasse hasst hassen",
        "allergy": "allergisch allergie allergien allergiker",
        "own": "habe hast haben hatte besitze besitzt besitzen gehört",
        "phone": "telefon telefonnummer handynummer mobilnummer festnetz",
        "mail": "e-mail-adresse mailadresse",
        "book": "buchung buchungen reservierung reserviert gebucht",
        "code": "codes",
        "number": "nummer nummern",
        "sister": "schwester schwestern",
        "brother": "bruder brüder bruders",
        "mother": "mutter mütter mama mamas mutti",
        "father": "vater vaters papa papas papi",
        "parent": "eltern",
        "wife": "frau ehefrau",
        "husband": "mann ehemann",
        "son": "sohn söhne sohnes",
        "daughter": "tochter töchter",
        "child": "kinder kindern kindes",
        "family": "familie familien verwandte verwandten verwandtschaft",
        "sibling": "geschwister geschwistern",
        "grandparent": "großeltern",
        "pet": "haustier haustiere haustieren",
        "grandmother": "großmutter großmütter oma omas omi",
        "grandfather": "großvater großväter opa opas opi",
        "mother-in-law": "schwiegermutter schwiegermama",
        "father-in-law": "schwiegervater schwiegervaters schwiegerpapa",
        "sister-in-law": "schwägerin schwägerinnen schwiegertochter",
        "brother-in-law": "schwager schwagers schwiegersohn",
        "niece": "nichte nichten",
        "nephew": "neffe neffen",
        "granddaughter": "enkelin enkelinnen",
        "grandson": "enkel enkels",
        "aunt": "tante tanten tantchen",
        "uncle": "onkel",
        "cousin": "cousine cousinen cousins",
        "friend": "freund freundin freunde freunden freundinnen",
        "partner": "partner partnerin verlobter verlobte",
        "boss": "chefin vorgesetzter vorgesetzte vorgesetzten",
        "colleague": "kollege kollegin kollegen kolleginnen",
        "neighbour": "nachbar nachbarin nachbarn nachbarinnen",
        "dog": "hund hunde hündin hundes welpe welpen",
        "cat": "katze katzen kater kätzchen",
        "doctor": "arzt ärztin arztes ärzte doktor hausarzt hausärztin",
        "car": "auto autos wagen",
        "city": "stadt städte",
        "country": "länder landes",
        "operation": "operation operationen op ops operiert operieren",
        "meeting": "treffen treffe trifft getroffen termin termine verabredung besprechung",
        "flight": "flug flüge fluges",
        "colour": "farbe farben",
        "food": "essen gericht mahlzeit",
        "plan": "pläne plane plant",
        "decide": "entschieden entscheide entscheidung beschlossen ausgemacht vereinbart",
        "buy": "kaufe kauft kaufen kaufte gekauft",
        "visit": "besuche besucht besuchen besuchte reise reisen gereist",
    },
)


ENTITIES: Final = Entities(
    titles=word_set("herr herrn frau dr lehrer lehrerin"),
    place_prepositions=word_set("in aus nach bei von ab über durch"),
    place_verbs=word_set(
        """
        wohne wohnst wohnt wohnen wohnte gewohnt lebe lebt leben lebte ziehe zieht zog gezogen umgezogen fahre fährt
        fahren fuhr fliege fliegt fliegen flog geboren reise reist reisen besuche besucht
        """
    ),
    organisation_before=word_set("bei firma arbeite arbeitet"),
    organisation_part="gmbh|ag|kg|ohg|universität|hochschule|institut|stiftung|verein|verlag",
    name_particles=word_set("von van der den zu zur"),
)
