"""Builds a running Mneme from a container: what the settings in force decide is built here, whenever they change."""

from __future__ import annotations

from bot.compose.logs import adjust_logs
from bot.compose.pipeline_factory import build_offer_words, build_pipeline, build_session_keeping
from bot.compose.plugins import load_plugins
from bot.compose.reminders import build_reminder_clock
from bot.compose.retrieval import build_judge, meter_model
from bot.features.costs.joining import describe_budget_trouble
from bot.runtime.application import Application, Wiring
from bot.runtime.container import Container
from bot.usage import UsageKind

_WIRING = Wiring(
    pipeline=build_pipeline,
    session_keeping=build_session_keeping,
    judge=lambda parts: build_judge(
        parts.settings.current().recall.evaluation.judge, meter_model(parts, UsageKind.CHECK)
    ),
    subscribers=lambda settings: load_plugins("subscribers", settings.plugins.subscribers),
    offer_words=build_offer_words,
    budget_trouble=lambda parts, texts: describe_budget_trouble(parts.budgets, texts),
    adjust_logs=lambda settings: adjust_logs(settings.log.level, settings.log.format),
    reminder_clock=build_reminder_clock,
)


def build_application(parts: Container) -> Application:
    """Return the application of these parts, not started yet."""
    return Application(parts, _WIRING)
