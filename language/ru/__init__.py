"""Russian: its parts, and those that are not worth a file beside words.txt."""

from language.language import Language
from language.ru.abilities import ABILITIES
from language.ru.changes import CHANGES, CORRECTIONS, FORGETTING
from language.ru.learning import LEARNING, WISHES
from language.ru.lists import LISTS
from language.ru.questions import ABOUT, ANSWERS, CUES, INTERROGATIVES, OVERVIEWS, PERSONS, QUESTIONS, TOLD
from language.ru.schedule import CALENDAR, REMINDERS, SCHEDULE
from language.ru.secrets import SECRETS
from language.ru.speech import LINKS, PASTING, SMALL_TALK, SPEECH
from language.vocabulary import Entities, Inflection, Vocabulary

LANGUAGE = Language(
    code="ru",
    name="Русский",
    stemmer="russian",
    letters="\u0400-\u04ff",
    vocabulary=Vocabulary(negations=r"\b(?:не|ни|нет|никогда|никто|никого|ничто|ничего|нигде|нельзя|без)\b"),
    inflection=Inflection(
        ending=(
            "(?:иями|ями|ами|(?<=.{3})(?:ить|ил|ила|ило)|ого|его|ому|ему|ыми|ими|иях|иям|ием|ией|ется|ются|ится|ятся|ешь|ишь|ете|ите|лась|лось|лись|"
            "лся|ть|тся|ться|ой|ей|ий|ый|ая|яя|ое|ее|ые|ие|ых|их|ую|юю|ом|ем|ам|ям|ах|ях|ов|ев|ет|ют|ит|ят|ут|им|ла|ло|ли|"
            "ия|ию|ии|иё|а|я|о|е|у|ю|ы|и|ь|й|л)$"
        ),
        short_endings="аяуюыие",
    ),
    speech=SPEECH,
    small_talk=SMALL_TALK,
    learning=LEARNING,
    abbreviations=(
        r"т\.е|т\.к|т\.д|т\.п|и\.о|г|гг|ул|пр|просп|пер|пл|наб|пос|д|кв|корп|тел|стр|рис|им|руб|тыс|млн|св|проф|доц|см|ср"
    ),
    calendar=CALENDAR,
    interrogatives=INTERROGATIVES,
    persons=PERSONS,
    changes=CHANGES,
    corrections=CORRECTIONS,
    cues=CUES,
    answers=ANSWERS,
    questions=QUESTIONS,
    overviews=OVERVIEWS,
    told=TOLD,
    about=ABOUT,
    links=LINKS,
    reminders=REMINDERS,
    lists=LISTS,
    schedule=SCHEDULE,
    entities=Entities(
        organisation_part="ооо|оао|зао|пао|ао|банк|университет|институт|компания|фонд",
        currency=r"rub|руб(?:лей|ля|\.)?",
        verb=(
            r"(?:[аеиоуыяё]ть(?:ся)?|[аеиуюя](?:ешь|ем|ете|ют|ут|ет|ит|ят|ат)(?:ся)?|"
            r"[аеиыя](?:л|ла|ло|ли)(?:сь|ся)?|ую|аю|яю|ся|сь)$"
        ),
        verb_like=(
            r"(?:ость|память|печать|кровать|совет|билет|привет|пакет|обед|ответ|свет|цвет|завет|балет|интернет|"
            r"кабинет|бюджет|минут|маршрут|институт|салат|халат|формат|аппарат|канал|журнал|файл|материал|персонал|"
            r"портал|филиал|вокзал|отдел|предел|стол|пол|школа|сила|скала|неделя|дела|числа|масла)$"
        ),
        name_case=(
            "(?:(?<=.{3})(?:ого|его|ому|ему|ыми|ами|ями|еем|ым|(?<=[кгхжшчщн])ими?|(?<=[аиоуыэюяжшчщцрлнь])ем)|"
            "(?<=.{2})(?:ье[йю]|ь[юяеи]|о[юйм]|е[юйея]|ый|(?<=[кгхнтвжшщд])(?:ая|ую)|(?<=н)(?:яя|юю)|(?<=[кгхжшчщ])ий|"
            "(?<=[бвгджзклмпрстфхцчшщь]н)ий|[аеиоуыьюяй]))$"
        ),
        latin={
            **dict(zip("абвгдезийклмнопрстуфыэ", "abvgdeziyklmnoprstufye", strict=True)),
            "ж": "zh",
            "х": "kh",
            "ц": "ts",
            "ч": "ch",
            "ш": "sh",
            "щ": "shch",
            "ъ": "",
            "ь": "",
            "ю": "yu",
            "я": "ya",
        },
        name_instead={"павел": "павл", "лев": "льв", "орел": "орл"},
    ),
    secrets=SECRETS,
    forgetting=FORGETTING,
    wishes=WISHES,
    pasting=PASTING,
    abilities=ABILITIES,
)
