"""Words of one language that tell what kind of thing a name is, and the forms that one name takes."""

from __future__ import annotations

from dataclasses import dataclass


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
    """Pattern of the ending by which the cases of a name differ; "" where the language's stemmer folds names.

    Snowball is made for search and takes some names for participles; names must not fall apart.
    """
