"""Sets of words, the forms that a word takes, words of one meaning, and words that tell what a name is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from language.words import word_set


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The word sets of one language."""

    stop_words: frozenset[str] = frozenset()
    """Words that carry no subject; left out, they are those of :mod:`stopwordsiso`."""
    ambiguous_words: frozenset[str] = frozenset()
    """Those of them that are content words of another language: a search index keeps them."""
    contrast_words: frozenset[str] = frozenset()
    """Stop words that tell one thing from another of its kind: "my other number" is not "my number"."""
    negations: str = ""
    """Pattern of the words that turn a sentence into its opposite: "not"; it says where words end."""
    asking_words: frozenset[str] = frozenset()
    """Words beside the stop words that a question to memory is wrapped in: "do you remember what I said"."""
    common_words: frozenset[str] = frozenset()
    """The commonest verbs, adjectives and adverbs beside those: what stands between them is mostly a noun.

    Left out, they are those of :mod:`stopwordsiso`.
    """
    opening_words: frozenset[str] = frozenset()
    """Articles, pronouns and prepositions that a summary may begin with although its source does not hold them."""
    skill_words: frozenset[str] = frozenset()
    """Words beside the stop words in which skills are described and asked for, whatever they do: "help", "use"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inflection:
    """The inflection of one language; words and endings are case-folded, "ё" as "е"."""

    base_forms: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Irregular forms, separated by white space, by the form that the search index knows them by: "go" has "went"."""
    ending: str = ""
    """Pattern of the inflection that is taken off a word when two words are compared."""
    short_endings: str = ""
    """Letters that may end a word of three and are its inflection: Аня, Ани."""
    ending_instead: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Endings in place of which another one stands: "ies" gives "y"."""
    possessives: tuple[str, ...] = ()
    """Endings that make the owner of something of a word, with their apostrophe: "'s"."""
    erasable_endings: frozenset[str] = frozenset()
    """Endings by which two words of equal stem are forms of one: what names "cats" may erase what names a "cat"."""
    doubling_endings: frozenset[str] = frozenset()
    """Those of them before which a word may double its last letter: "stopped"."""
    doubtful_endings: frozenset[str] = frozenset()
    """Those of them by which alone a word may as well be another one ("car", "care"): the user is asked."""


RELATIVES: Final = word_set(
    """
    sister brother mother father parent wife husband son daughter child grandmother grandfather aunt uncle cousin
    mother-in-law father-in-law sister-in-law brother-in-law niece nephew granddaughter grandson
    friend partner boss colleague neighbour flatmate doctor
    """
)
"""Concepts for people who are near somebody: "my sister" and "Vera" may be the same."""
MEN: Final = word_set("brother father husband son grandfather uncle father-in-law brother-in-law nephew grandson")
WOMEN: Final = word_set("sister mother wife daughter grandmother aunt mother-in-law sister-in-law niece granddaughter")
PETS: Final = word_set("dog cat")
NARROWER: Final = {
    "family": word_set(
        "sister brother mother father parent wife husband son daughter child grandmother grandfather aunt uncle cousin",
        "mother-in-law father-in-law sister-in-law brother-in-law niece nephew granddaughter grandson",
    ),
    "parent": word_set("mother father"),
    "child": word_set("son daughter"),
    "grandparent": word_set("grandmother grandfather"),
    "sibling": word_set("sister brother"),
    "spouse": word_set("wife husband partner"),
    "pet": PETS,
}
"""Concepts for several of those: who asks for pets is told of the dog."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synonyms:
    """The synonyms of one language; words are case-folded, "ё" as "е".

    A word that means something else in another language (German "Kind", "Chef") is left out: words are looked up
    without knowing whose they are.
    """

    concepts: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Forms separated by white space, by the English name of what they mean, which all languages share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entities:
    """The surroundings of names in one language.  Sets hold words in small letters, "ё" as "е"."""

    titles: frozenset[str] = frozenset()
    """Stand before a person's name: "mr", "teacher".  Words for relatives do, too, and are among the synonyms."""
    place_prepositions: frozenset[str] = frozenset()
    """Stand before a place where one of ``place_verbs`` is near."""
    place_verbs: frozenset[str] = frozenset()
    organisation_before: frozenset[str] = frozenset()
    """Stand before the name of an organisation: "at", "joined"."""
    organisation_part: str = ""
    """Pattern of words within the name of an organisation: "ltd", "university"."""
    name_particles: frozenset[str] = frozenset()
    """Written small between the words of a name: "von", "of"."""
    currency: str = ""
    """Pattern of currencies in words, which stand behind an amount."""
    verb: str = ""
    """Pattern of how a verb or an adverb ends; such a word names nothing."""
    verb_like: str = ""
    """Pattern of the nouns that end so, too."""
    name_case: str = ""
    """Pattern of the ending by which the cases of a name differ; "" where those of other languages serve.

    Snowball is made for search and takes some names for participles, and "Mary" and "Marie" for one; names must
    neither fall apart nor together.
    """
    latin: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Letters of the language's own → how names are spelled with them in Latin ones: "ж" → "zh"."""
    name_instead: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What stays of a name without its ending, where a vowel comes and goes with the case."""
