"""Everything that depends on a human language, as data: one folder per language, one analyser for all of them.

A language is a sub-package with a ``LANGUAGE``.  It is found because it is there: a new one is one folder.
Both programs of this project use this package, and it imports neither of them.
"""

from language.language import Language
from language.registry import alternatives, detect_language, detect_languages, languages, negations, stop_words

__all__ = ["Language", "alternatives", "detect_language", "detect_languages", "languages", "negations", "stop_words"]
