"""Words of one meaning in German."""

from __future__ import annotations

from typing import Final

from language.synonyms import Synonyms

SYNONYMS: Final = Synonyms(
    concepts={
        "live": "wohnen wohne wohnst wohnt wohnte wohnten gewohnt leben lebe lebst lebt lebte gelebt ziehe zieht zog "
        "gezogen umgezogen umziehen umzug adresse anschrift wohnort zuhause wohnung wohnhaft",
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
        "mother": "mutter mütter mama mutti",
        "father": "vater vaters papa",
        "parent": "eltern",
        "wife": "frau ehefrau",
        "husband": "mann ehemann",
        "son": "sohn söhne sohnes",
        "daughter": "tochter töchter",
        "child": "kinder kindern kindes",
        "grandmother": "großmutter oma",
        "grandfather": "großvater opa",
        "aunt": "tante tanten",
        "uncle": "onkel",
        "cousin": "cousine cousinen cousins",
        "friend": "freund freundin freunde freunden freundinnen",
        "partner": "partner partnerin verlobter verlobte",
        "boss": "chefin vorgesetzter vorgesetzte vorgesetzten",
        "colleague": "kollege kollegin kollegen kolleginnen",
        "neighbour": "nachbar nachbarin nachbarn nachbarinnen",
        "dog": "hund hunde hündin hundes",
        "cat": "katze katzen kater",
        "doctor": "arzt ärztin arztes ärzte doktor hausarzt hausärztin",
        "car": "auto autos wagen",
        "city": "stadt städte",
        "country": "länder landes",
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
