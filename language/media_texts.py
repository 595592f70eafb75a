"""The words about recordings and pictures, as data: a language is one value of :class:`MediaTexts`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MediaTexts:
    """``{reason}`` is a sentence that may name a setting, ``{minutes}`` and ``{most}`` (megabytes) are numbers."""

    nobody_listens: str = ""
    nobody_listens_user: str = ""
    """The same for people who do not run the bot."""
    too_long: str = ""
    too_large: str = ""
    not_fetched: str = ""
    not_heard: str = ""
    not_heard_user: str = ""
    """The same for people who do not run the bot."""
    silent: str = ""
    """Nothing is said in a recording."""
    heard: str = ""
    """Shows ``{text}``, the beginning of what is said."""
    nobody_sees: str = ""
    """No model is set that could see a picture."""
    picture_too_large: str = ""
    picture_unknown: str = ""
    """A picture in a format that models do not take."""
    picture_not_fetched: str = ""
    not_seen: str = ""
    """Below an answer by a model that turned out to see no pictures."""
