"""The data that make up one language."""

import importlib
import pkgutil
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from language.abilities import Abilities
from language.changes import Changes, CorrectionPatterns, ForgettingPatterns
from language.learning import Learning, WishPatterns
from language.lists import ListWords
from language.questions import (
    AboutPatterns,
    AnswerPatterns,
    Cues,
    Interrogatives,
    OverviewPatterns,
    Persons,
    QuestionPatterns,
    ToldPatterns,
)
from language.schedule import Calendar, ReminderPatterns, ScheduleWords
from language.secrets import SecretPatterns
from language.speech import LinkWords, PastingWords, SmallTalk, SpeechPatterns
from language.vocabulary import Entities, Inflection, Synonyms, Vocabulary
from language.words import word_set


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """One language.  Only ``code`` must be given: a part that is left out is a thing the language cannot do yet.

    ``code`` is the two-letter code of ISO 639-1, ``stemmer`` the name of a Snowball algorithm, ``letters`` a class of
    letters (``а-яё``) that no other language here writes: they tell a word's language by themselves.
    Each is one object, equal to itself alone: caches are keyed by languages, and to hash all words of one takes long.
    """

    code: str
    name: str = ""
    """What the language calls itself."""
    stemmer: str = ""
    letters: str = ""
    abbreviations: str = ""
    """Pattern of those that end in a full stop, without it: it ends no sentence."""
    after_ordinals: str = ""
    """Pattern of words after an ordinal number that is written with a full stop ("3. Mai"): it ends no sentence."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary, repr=False)
    inflection: Inflection = field(default_factory=Inflection, repr=False)
    speech: SpeechPatterns = field(default_factory=SpeechPatterns, repr=False)
    small_talk: SmallTalk = field(default_factory=SmallTalk, repr=False)
    learning: Learning = field(default_factory=Learning, repr=False)
    calendar: Calendar = field(default_factory=Calendar, repr=False)
    interrogatives: Interrogatives = field(default_factory=Interrogatives, repr=False)
    persons: Persons = field(default_factory=Persons, repr=False)
    changes: Changes = field(default_factory=Changes, repr=False)
    corrections: CorrectionPatterns = field(default_factory=CorrectionPatterns, repr=False)
    cues: Cues = field(default_factory=Cues, repr=False)
    entities: Entities = field(default_factory=Entities, repr=False)
    synonyms: Synonyms = field(default_factory=Synonyms, repr=False)
    questions: QuestionPatterns = field(default_factory=QuestionPatterns, repr=False)
    overviews: OverviewPatterns = field(default_factory=OverviewPatterns, repr=False)
    told: ToldPatterns = field(default_factory=ToldPatterns, repr=False)
    about: AboutPatterns = field(default_factory=AboutPatterns, repr=False)
    answers: AnswerPatterns = field(default_factory=AnswerPatterns, repr=False)
    reminders: ReminderPatterns = field(default_factory=ReminderPatterns, repr=False)
    lists: ListWords = field(default_factory=ListWords, repr=False)
    schedule: ScheduleWords = field(default_factory=ScheduleWords, repr=False)
    links: LinkWords = field(default_factory=LinkWords, repr=False)
    secrets: SecretPatterns = field(default_factory=SecretPatterns, repr=False)
    forgetting: ForgettingPatterns = field(default_factory=ForgettingPatterns, repr=False)
    wishes: WishPatterns = field(default_factory=WishPatterns, repr=False)
    pasting: PastingWords = field(default_factory=PastingWords, repr=False)
    abilities: Abilities = field(default_factory=Abilities, repr=False)


def gather_parts(package: str, path: Iterable[str]) -> dict[str, Any]:  # Any: parts of every type
    """Return the parts that the files of a language's folder hold, each under its name in capitals, by their names."""
    modules = [importlib.import_module(f"{package}.{each.name}") for each in pkgutil.iter_modules(path)]
    held = {name: part for module in modules for name, part in vars(module).items()}
    return {
        each.name: held[each.name.upper()]
        for each in fields(Language)
        if each.type is not str and each.name.upper() in held
    }


def add_words(found: Language, written: str) -> Language:
    """Return a language with the lists of its ``words.txt``: under each ``[part.field]`` the words of that field.

    Where lines are "key: words", the field is a mapping of them.
    Raises ``AttributeError`` for a part and ``TypeError`` for a field that languages do not have.
    """
    for name, block in re.findall(r"(?m)^\[(\w+\.\w+)\]\n((?:[^\[\n].*\n?|\n)*)", written):
        part, _, field_ = name.partition(".")
        by_key = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        words = {field_: by_key or word_set(block)}
        found = replace(found, **{part: replace(getattr(found, part), **words)})
    return found
