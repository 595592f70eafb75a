"""Settings of sessions, prompts, retention and logs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bot.config.section import LIVE, TURN, Section, setting

_Tokens = Annotated[int, Field(ge=0, le=1_000_000)]
_Days = Annotated[int, Field(ge=0, le=36_500)]


class SessionSettings(Section):
    """Conversations."""

    idle_minutes: Annotated[int, Field(ge=0, le=525_600)] = setting(
        LIVE,
        default=360,
        description="Minutes of silence after which a session ends by itself; 0 never. Six hours part two talks.",
    )
    history_exchanges: Annotated[int, Field(ge=0, le=500)] = setting(
        TURN, default=20, description="Exchanges of the session shown to the model verbatim."
    )
    compact_after_tokens: Annotated[int, Field(ge=500, le=10_000_000)] = setting(
        LIVE, default=6000, description="Tokens of history after which the older half becomes a summary."
    )


class PromptSettings(Section):
    """Token budgets of the system prompt; what is over is trimmed and said to be."""

    sections_tokens: _Tokens = setting(TURN, default=2000, description="Tokens for `prompts/*.md` together.")
    relevant_tokens: _Tokens = setting(
        TURN, default=1500, description="Tokens for `# Relevant Memory`; recall gains little beyond this."
    )
    skill_tokens: _Tokens = setting(TURN, default=2000, description="Tokens for the active skill.")
    history_tokens: _Tokens = setting(TURN, default=6000, description="Tokens for the session's history.")


class RetentionSettings(Section):
    """How long things are kept that are not memory; memories stay until they are forgotten on purpose."""

    journal_days: _Days = setting(
        LIVE, default=7, description="Days to keep ids of answered messages, against redelivery."
    )
    delivery_days: _Days = setting(LIVE, default=30, description="Days to keep the record of sent replies.")
    trace_days: _Days = setting(LIVE, default=90, description="Days `/why` can look back.")
    sweep_minutes: Annotated[int, Field(ge=1, le=10_080)] = setting(
        LIVE, default=60, description="Minutes between clean-ups; they are cheap."
    )


class LogSettings(Section):
    """Logs; message texts and keys never appear in them."""

    level: Literal["debug", "info", "warning", "error"] = setting(
        LIVE, default="info", description="Least important line."
    )
    format: Literal["auto", "console", "json"] = setting(
        LIVE, default="auto", description="`auto`: coloured lines in a terminal, JSON elsewhere."
    )
