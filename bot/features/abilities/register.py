"""Adds it to Mneme."""

from adapters.when.reader import LanguageWhenReader
from bot.features.abilities.sentences import SentenceAbilities
from bot.runtime.app import App


async def register(app: App) -> None:
    """Let the time, the date and sums be told where no language model tells them."""
    answers = SentenceAbilities(app.voice, LanguageWhenReader(), app.clock, lambda: app.model() is None)
    app.added.sentences.append(answers.answer)
