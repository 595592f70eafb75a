"""A language is one folder: a few lines of Esperanto, and every consumer knows it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import language

_ESPERANTO: Final = r'''
"""Esperanto, a little of it."""

from language.questions import AnswerPatterns
from language.schedule import Calendar
from language.vocabulary import Inflection
from language.questions import Interrogatives
from language.language import Language
from language.learning import Learning
from language.questions import Persons
from language.questions import QuestionPatterns
from language.speech import SmallTalk
from language.speech import SpeechPatterns

_MONTHS = (
    "januaro", "februaro", "marto", "aprilo", "majo", "junio",
    "julio", "aŭgusto", "septembro", "oktobro", "novembro", "decembro",
)

LANGUAGE = Language(
    code="eo",
    stemmer="esperanto",
    letters="ĉĝĥĵŝŭ",
    abbreviations="s-ro",
    inflection=Inflection(ending="(?<=.{3})(?:ojn|oj|on|o|as|is|os|i)$"),
    calendar=Calendar(
        months=_MONTHS,
        relative={"hieraŭ": (1, 1)},
        counts={"du": 2, "tri": 3},
        units={"tagojn?": 1, "semajnojn?": 7},
        ago=r"antaŭ\s+{count}\s+{unit}",
        exactly="hieraŭ|antaŭ",
    ),
    interrogatives=Interrogatives(when="kiam", how_many="kiom", named="kie|kiu", why="kial"),
    persons=Persons(asker="[Mm]i|[Mm]ia", speakers="[Mm]i|[Mm]ia|[Nn]i", listener="vi|via"),
    questions=QuestionPatterns(
        place="kie|kien", time="kiam", person="kiu", which="kiu", begins=r"(?:kie|kien|kiam|kiu)\b",
        first_person=frozenset({"mi", "mia"}), asker=frozenset({"mi"}),
    ),
    answers=AnswerPatterns(
        place=r"\b(?:en|apud|sub|al)\s+\w+", time=r"\d|\b(?:hieraŭ|morgaŭ)\b", introduces=r"\bmia nomo estas \w+"
    ),
    speech=SpeechPatterns(questions=r"(?:kie|kiu|kiam)\b", keeps="memoru", that=r"ke\s+", supposes="se"),
    small_talk=SmallTalk(words=frozenset({"saluton", "dankon"})),
    learning=Learning(
        rules={
            "live": r"(?P<who>mia \w+|mi)\s+loĝas\b",
            "taste": r"(?P<who>mi)\s+(?:ne\s+)?ŝatas\s+(?P<what>.+)",
        },
        mine=frozenset({"mi", "mia"}),
        articles=frozenset({"mia", "la"}),
    ),
)
'''
_WORDS: Final = """
[vocabulary.asking_words]
kie
mia

[synonyms.concepts]
live: loĝas loĝis loĝi
sister: fratino fratinon
"""
_TEXTS: Final = """
dates-months =
    januaro
    februaro
    marto
    aprilo
    majo
    junio
    julio
    aŭgusto
    septembro
    oktobro
    novembro
    decembro
dates-day = { $day }-a de { $month } { $year }
answers-months = { dates-months }
answers-date = { dates-day }
answers-noted = Mi memoros: { $text }
answers-unknown = Mi ne scias.
answers-day = { $day }-a de { $month }
answers-on_date = je la { $date }
answers-told_quoted = Vi diris { $date }: { $text }
forget-verified = Nenio restas.
"""
_LOOK: Final = """
from datetime import UTC, datetime, timedelta

from bot.memory.answering.answer import answer_from
from bot.memory.answering.questions import rate_introduction
from bot.memory.items import Channel, Recalled
from bot.memory.learning.speech_acts import SpeechAct, classify_speech
from bot.memory.learning.statements import find_facts
from bot.memory.ranking.passages import FIRST_PERSON, TIME, find_cues, find_days, find_wanted_features
from bot.memory.ranking.passages import Subject, find_subject
from bot.memory.concepts import list_concepts
from language import detect_language, languages
from language.registry import choose_texts
from language.analyser import Analyser
from language.sentences import split_sentences
from memory_server.extraction import Extractor

now = datetime(2024, 5, 10, tzinfo=UTC)


def day(question):
    return [str(days.start.date()) for days in find_days(question, now, now, now)]


assert [each.code for each in languages()] == ["en", "de", "eo", "ru"]
assert detect_language("Mia fratino estas en Porto kaj laboras tie").code == "eo"
assert detect_language("My sister lives in Porto").code == "en"

assert day("Kion mi aĉetis la 3 marto 2024?") == ["2024-03-03"]
assert day("Kion mi aĉetis hieraŭ?") == ["2024-05-09"]
assert day("Kiu venis antaŭ tri tagoj?") == ["2024-05-07"]
assert find_cues("Mi venis hieraŭ.") & TIME
assert find_cues("Mi venis hieraŭ.") & FIRST_PERSON

assert find_wanted_features("Kiam venis Anna?").time
assert find_wanted_features("Kiom kostas tio?").number
assert find_subject("Kie mi loĝis?", ("Ana", "Petro"), 1) == Subject(only=1)

words = Analyser()
assert set(words.keys("Kie loĝis mia kato?")) & set(words.keys("La kato loĝas ĉi tie")) >= {"kato"}
assert words.fold("loĝis") == words.fold("loĝas")
assert not words.fold("kaj")
assert set(list_concepts("Kie loĝas mia fratino?")) == {"live", "sister"}
assert split_sentences("Vidu s-ro. Blanka venis. Mi foriris.") == ("Vidu s-ro. Blanka venis.", "Mi foriris.")
assert rate_introduction("Mia nomo estas Ana.") == 1.0
kinds = {each.name: each.kind for each in Extractor().extract("Anna venis la 3 aprilo kun fratino Vera.").entities}
assert kinds["Vera"] == "person"
assert kinds["3 aprilo"] == "date"
assert [fact.key for fact in find_facts("Memoru ke mia fratino loĝas en Porto.")] == ["sister|live"]
assert find_facts("Mi ŝatas kafon.")[0].key == find_facts("Mi ne ŝatas kafon.")[0].key
assert classify_speech("Kie loĝas mia fratino") is SpeechAct.QUESTION
assert classify_speech("Saluton, dankon!") is SpeechAct.SMALLTALK
assert find_facts("Kie loĝas mia fratino") == find_facts("Se mi loĝas en Porto") == ()

texts, english = choose_texts("eo"), choose_texts("en")
assert choose_texts("", sample="Mia fratino estas en Porto kaj laboras tie") == texts
assert texts.forget.verified == "Nenio restas."
assert texts.forget.usage == english.forget.usage
assert texts.costs.head == english.costs.head

day = texts.day(now)
line = texts.sessions.line.format(number=1, title="Ana", begun=day, count=3)
assert line == "1. Ana – 10-a de majo 2024, messages: 3", line


def told(identifier, text, days):
    moment = now - timedelta(days=days)
    return Recalled(identifier, text, Channel.TURN, 0.5, author="Ana", author_id=7, role="user", said_at=moment)


remembered = (
    told("turn:e1:user", "Mia fratino loĝas en Porto.", 7),
    told("turn:e2:user", "La kunveno estos la 3 junio.", 5),
)


def reply(text):
    return answer_from(text, remembered, asker_id=7, asker_name="Ana", now=now, phrases=texts.answers, alone=False)


where = reply("Kie loĝas mia fratino?")
assert (where.kind, where.used) == ("answer", remembered[:1]), where
assert where.text == "Vi diris je la 3-a de majo: Mia fratino loĝas en Porto.", where.text
assert reply("Kiam estos la kunveno?").used == remembered[1:]
unknown = reply("Kie dormas la hundo?")
assert unknown.kind == "unknown" and unknown.text.startswith("I don't know for certain. Perhaps"), unknown
assert reply("Memoru ke mi loĝas en Romo.").text.startswith("Mi memoros: ")
print("known")
"""


@pytest.mark.parametrize("known", [True, False])
def test_a_language_is_one_folder(tmp_path: Path, known: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Dates, search, learning, answers and what the bot says know a language whose folder is there, and only then."""
    (source,) = language.__path__
    shutil.copytree(source, tmp_path / "language", ignore=shutil.ignore_patterns("__pycache__"))
    if known:
        (tmp_path / "language" / "eo").mkdir()
        (tmp_path / "language" / "eo" / "__init__.py").write_text(_ESPERANTO, encoding="utf-8")
        (tmp_path / "language" / "eo" / "texts.ftl").write_text(_TEXTS, encoding="utf-8")
        (tmp_path / "language" / "eo" / "words.txt").write_text(_WORDS, encoding="utf-8")
    (tmp_path / "look.py").write_text(_LOOK, encoding="utf-8")
    places = os.pathsep.join([str(tmp_path), str(Path(source).parent)])

    looked = subprocess.run(  # noqa: S603 - our own
        [sys.executable, str(tmp_path / "look.py")],
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (looked.stdout.strip() == "known") is known, looked.stderr[-2000:]
