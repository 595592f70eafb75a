"""Builds a running Mneme from its parts: what the settings in force decide is built here, whenever they change."""

from __future__ import annotations

from bot.compose.pipeline import build_offer_words, build_pipeline, build_session_keeping
from bot.runtime.app import App
from bot.runtime.application import Application, Wiring
from bot.runtime.installation import adjust_logs
from bot.runtime.plugins import load_plugins
from bot.runtime.retrieval import build_judge
from bot.usage import UsageKind

_WIRING = Wiring(
    pipeline=build_pipeline,
    session_keeping=build_session_keeping,
    judge=lambda app: build_judge(app.settings.current().recall.evaluation.judge, app.find_model(UsageKind.CHECK)),
    subscribers=lambda settings: load_plugins("subscribers", settings.plugins.subscribers),
    offer_words=build_offer_words,
    adjust_logs=lambda settings: adjust_logs(settings.log.level, settings.log.format),
)


def build_application(app: App) -> Application:
    """Return the application of these parts, not started yet."""
    return Application(app, _WIRING)
